"""The exact leader against a brute force, its optimality probed, its memory saved, and its pace."""

import copy
import pickle
import time
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import brentq, linprog, minimize
from scipy.special import xlogy

import regretful as rg
from regretful.core.leader import FAR, Memory

N, ETA = 4, 0.3


class Cubic(rg.Loss):
    def value(self, p, y):
        return abs(p - y) ** 3

    def slope(self, p, y):
        return 3 * (p - y) * abs(p - y)


class Tilted(rg.Loss):
    """A kink, and a straight side: the pinball loss with slopes -1 and 2."""

    def value(self, p, y):
        return max(y - p, 2 * (p - y))

    def slope(self, p, y):
        return 2.0 if p > y else -1.0 if p < y else 0.0


class HalfSpace(rg.Domain):
    """sum w <= 1/2."""

    def project(self, w):
        return w - max(0.0, (w.sum() - 0.5) / len(w))


SMOOTH = {
    "squared": rg.Squared(), "huber": rg.Huber(0.5), "logistic": rg.Logistic(), "squaredhinge": rg.SquaredHinge(),
    "poisson": rg.Poisson(), "logwealth": rg.LogWealth(), "user": Cubic(),
}  # fmt: skip
# name: (loss, [(a, b)]) with l(y, p) = max of a r + b, r = p - y (r = y p for the hinges)
PIECES = {
    "absolute": (rg.Absolute(), [(1, 0), (-1, 0)]),
    "quantile": (rg.Quantile(0.8), [(-0.8, 0), (0.2, 0)]),
    "insensitive": (rg.EpsilonInsensitive(0.2), [(1, -0.2), (-1, -0.2), (0, 0)]),
    "hinge": (rg.Hinge(), [(-1, 1), (0, 0)]),
    "hinge0": (rg.Hinge(0.0), [(-1, 0), (0, 0)]),
    "userkink": (Tilted(), [(-1, 0), (2, 0)]),
}
LOSSES = {**SMOOTH, **{name: loss for name, (loss, _) in PIECES.items()}}
LOW, HIGH = np.array([-0.1, 0.0, -np.inf, 0.2]), np.array([0.2, 0.5, 0.0, np.inf])
DOMAINS = {
    "everywhere": rg.Everywhere(), "ball": rg.Ball(0.5), "l1ball": rg.L1Ball(0.6), "simplex": rg.Simplex(),
    "scaledsimplex": rg.Simplex(2.5), "box": rg.Box(-0.1, 0.3), "boxes": rg.Box(LOW, HIGH), "orthant": rg.Orthant(),
    "user": HalfSpace(),
}  # fmt: skip
GEOMETRIES = {
    "none": None, "euclidean": rg.Euclidean(), "entropy": rg.Entropy(), "pnorm": rg.PNorm(3.0), "plog": rg.PNorm("log"),
}  # fmt: skip
FITTING = {"entropy": ("l1ball", "simplex", "scaledsimplex"), "pnorm": ("everywhere",), "plog": ("everywhere",)}
CASES = [
    (loss, domain, geometry)
    for loss in LOSSES
    for domain in DOMAINS
    for geometry in GEOMETRIES
    if domain in FITTING.get(geometry, DOMAINS)
    # log-wealth needs positive predictions at the start, and has no least value on an unbounded set
    and (loss != "logwealth" or "simplex" in domain)
]


def examples(loss, seed, T):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(T, N))
    y = X @ rng.normal(size=N) + 0.5 * rng.normal(size=T)
    if LOSSES[loss].classification:
        y = np.sign(y + rng.normal(size=T))
    elif loss == "poisson":
        y = 1.0 + rng.poisson(np.exp(np.clip(y, -3, 2)))
    elif loss == "logwealth":
        X = np.exp(0.2 * X)
    return X, y, rng.choice([0.0, 0.5, 1.0, 2.0], size=T)


def lead(loss, domain, geometry, X, y, c, eta=ETA):
    memory = Memory(loss, geometry, domain)
    w = np.array(domain.project(np.zeros(X.shape[1])))
    for row, label, weight in zip(X, y, c, strict=True):
        memory.add(list(range(len(row))), row.tolist(), float(label), float(weight))
        w = memory.leader(eta, w)
    return w


def losses_of(loss, p, y):
    return np.array([loss.value(float(a), float(b)) for a, b in zip(p, y, strict=True)])


def regulariser(geometry, domain, w):
    """F(w), from its definition."""
    if geometry in ("none", "euclidean"):
        return 0.5 * (w @ w) if geometry == "euclidean" else 0.0
    if geometry != "entropy":
        p = 3.0 if geometry == "pnorm" else max(2.0, 2 * np.log(N))
        return 0.5 * np.linalg.norm(w, p / (p - 1)) ** 2
    if isinstance(domain, rg.Simplex):
        return xlogy(w, w).sum()
    # the pair with the least entropy: w+ - w- = w and w+ w- = m^2 the same for all, sum U
    gap = lambda m: np.sqrt(w**2 + 4 * m * m).sum() - domain.radius  # noqa: E731
    m = brentq(gap, 0.0, domain.radius, xtol=1e-300, rtol=1e-15, maxiter=5000) if gap(0.0) < 0 else 0.0
    halves = 0.5 * (np.sqrt(w**2 + 4 * m * m) + np.abs(w))
    other = np.divide(m * m, halves, where=halves > 0, out=np.zeros(len(w)))
    return xlogy(halves, halves).sum() + xlogy(other, other).sum()


def objective(loss, domain, geometry, X, y, c, w):
    return c @ losses_of(LOSSES[loss], X @ w, y) + regulariser(geometry, domain, w) / ETA


def constraints(name):
    """The domain for SLSQP, in u >= 0 with w = u+ - u-."""
    domain = DOMAINS[name]
    w = lambda u: u[:N] - u[N : 2 * N]  # noqa: E731
    return {
        "everywhere": [],
        "orthant": [("ineq", w)],
        "ball": [("ineq", lambda u: 0.25 - w(u) @ w(u))],
        "l1ball": [("ineq", lambda u: 0.6 - u[: 2 * N].sum())],
        "simplex": [("ineq", w), ("eq", lambda u: w(u).sum() - 1.0)],
        "scaledsimplex": [("ineq", w), ("eq", lambda u: w(u).sum() - 2.5)],
        "box": [("ineq", lambda u: w(u) + 0.1), ("ineq", lambda u: 0.3 - w(u))],
        "boxes": [
            ("ineq", lambda u: (w(u) - domain.low)[np.isfinite(LOW)]),
            ("ineq", lambda u: (domain.high - w(u))[np.isfinite(HIGH)]),
        ],
        "user": [("ineq", lambda u: 0.5 - w(u).sum())],
    }[name]


def brute(loss, name, geometry, X, y, c, leader):
    """SLSQP over (u+, u-, and for kinks a slack an example), from several starts; the least objective it reaches."""
    domain = DOMAINS[name]
    walls, pieces = list(constraints(name)), PIECES.get(loss, (None, []))[1]
    for a, b in pieces:
        margin = LOSSES[loss].classification
        walls.append(
            ("ineq", lambda u, a=a, b=b, margin=margin: u[2 * N :] - a * (y * (X @ (u[:N] - u[N : 2 * N])) if margin
             else X @ (u[:N] - u[N : 2 * N]) - y) - b)
        )  # fmt: skip

    def cost(u):
        w = u[:N] - u[N : 2 * N]
        if pieces:
            return c @ u[2 * N :] + regulariser(geometry, domain, w) / ETA
        return objective(loss, domain, geometry, X, y, c, w)

    least = np.inf
    for start in (domain.project(np.full(N, 0.1)), domain.project(leader + 0.05)):
        u = np.concatenate([np.maximum(start, 0), np.maximum(-start, 0)])
        if pieces:
            u = np.append(u, losses_of(LOSSES[loss], X @ start, y))
        bounds = [(0, None)] * (2 * N) + [(None, None)] * (len(u) - 2 * N)
        with np.errstate(all="ignore"):
            found = minimize(
                cost, u, method="SLSQP", bounds=bounds, options={"ftol": 1e-14, "maxiter": 500},
                constraints=[{"type": kind, "fun": fun} for kind, fun in walls],
            )  # fmt: skip
        w = domain.project(found.x[:N] - found.x[N : 2 * N])
        least = min(least, objective(loss, domain, geometry, X, y, c, w))
    return least


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("loss", "domain", "geometry"), CASES)
def test_the_leader_leads(loss, domain, geometry, seed):
    """Nothing near it or far from it costs less: probes in all directions, at all distances."""
    X, y, c = examples(loss, seed, 24)
    c[0] = 1.0
    place = DOMAINS[domain]
    w = lead(LOSSES[loss], place, GEOMETRIES[geometry], X, y, c)
    assert place.contains(w, tolerance=1e-9)
    least = objective(loss, place, geometry, X, y, c, w)
    tolerance = 1e-9 * (c.sum() + abs(least))
    rng = np.random.default_rng(seed)
    for size in 10.0 ** np.arange(-7, 2):
        for direction in [*rng.normal(size=(10, N)), *np.eye(N), *-np.eye(N)]:
            probe = place.project(w + size * direction)
            if loss != "logwealth" or (X @ probe).min() > 0:
                assert objective(loss, place, geometry, X, y, c, probe) >= least - tolerance


@pytest.mark.parametrize(
    ("loss", "domain", "geometry"), [case for case in CASES if not (case[0] in PIECES and case[2] in ("entropy",))]
)
def test_the_leader_against_brute_force(loss, domain, geometry):
    """SLSQP is right to about 1e-6; it must come near, and not go lower."""
    X, y, c = examples(loss, 3, 12)
    w = lead(LOSSES[loss], DOMAINS[domain], GEOMETRIES[geometry], X, y, c)
    least = objective(loss, DOMAINS[domain], geometry, X, y, c, w)
    found = brute(loss, domain, geometry, X, y, c, w)
    assert found >= least - 1e-8 * (c.sum() + abs(least))
    assert found <= least + 2e-2 * (c.sum() + abs(least))  # the brute force is not idle


@pytest.mark.parametrize("domain", [name for name in DOMAINS if name != "ball"])
@pytest.mark.parametrize("loss", PIECES)
def test_without_a_regulariser_and_in_straight_pieces_it_is_a_linear_program(loss, domain):
    X, y, c = examples(loss, 4, 20)
    rows, rights = [], []
    for a, b in PIECES[loss][1]:  # a r + b <= xi
        lhs = a * y[:, None] * X if LOSSES[loss].classification else a * X
        rows.append(np.hstack([lhs, -lhs, -np.eye(len(y))]))
        rights.append(-b + (0.0 if LOSSES[loss].classification else a) * y)
    one, none = np.eye(N), np.zeros((N, len(y)))
    bounds = {"orthant": (0, None), "box": (-0.1, 0.3), "simplex": (0, None), "scaledsimplex": (0, None)}
    for i in range(N):
        low, high = (LOW[i], HIGH[i]) if domain == "boxes" else bounds.get(domain, (None, None))
        for sign, bound in ((-1, low), (1, high)):
            if bound is not None and np.isfinite(bound):
                rows.append(sign * np.hstack([one[i], -one[i], none[i]])[None])
                rights.append([sign * bound])
    total = {"l1ball": (np.ones(N), 0.6), "user": (-np.ones(N), 0.5)}.get(domain)
    if total:
        rows.append(np.concatenate([np.ones(N), total[0], np.zeros(len(y))])[None])
        rights.append([total[1]])
    scale = {"simplex": 1.0, "scaledsimplex": 2.5}.get(domain)
    found = linprog(
        np.concatenate([np.zeros(2 * N), c]), np.vstack(rows), np.concatenate(rights),
        None if scale is None else np.concatenate([np.ones(N), -np.ones(N), np.zeros(len(y))])[None],
        None if scale is None else [scale],
        bounds=[(0, None)] * (2 * N) + [(None, None) if k else (0, None) for k in c],
    )  # fmt: skip
    w = lead(LOSSES[loss], DOMAINS[domain], None, X, y, c)
    assert DOMAINS[domain].contains(w)
    assert objective(loss, None, "none", X, y, c, w) == pytest.approx(found.fun, rel=1e-8, abs=1e-8)


@pytest.mark.parametrize("eta", [1e-6, 0.1, 1e6])
def test_the_squared_loss_with_the_euclidean_regulariser_is_ridge_to_the_last_digits(eta):
    X, y, c = examples("squared", 5, 40)
    w = lead(rg.Squared(), rg.Everywhere(), rg.Euclidean(), X, y, c, eta)
    ridge = np.linalg.solve(2 * X.T @ (c[:, None] * X) + np.eye(N) / eta, 2 * X.T @ (c * y))
    np.testing.assert_allclose(w, ridge, rtol=1e-10)


@pytest.mark.parametrize("eta", [1e-4, 1.0, 1e4])
@pytest.mark.parametrize("radius", [None, 0.7])
def test_the_entropic_leader_is_a_softmax_of_its_own_slopes(eta, radius):
    """w = grad F*(-eta sum c s x), the condition of a minimum, for rates that leave a corner and that reach one."""
    X, y, c = examples("logistic", 6, 20)
    domain = rg.Simplex() if radius is None else rg.L1Ball(radius)
    w = lead(rg.Logistic(), domain, rg.Entropy(), X, y, c, eta)
    theta = -eta * X.T @ (c * rg.Logistic().slope(X @ w, y))
    both = np.array([theta, -theta if radius else np.full(N, -np.inf)])
    halves = np.exp(both - both.max())
    np.testing.assert_allclose(w, (radius or 1.0) * (halves[0] - halves[1]) / halves.sum(), rtol=0, atol=1e-6)


def test_several_leaders_the_nearest_to_the_last_iterate():
    """|w_1 - 1| says nothing of w_2; hinge losses of satisfied examples say nothing at all."""
    for loss in (rg.Squared(), rg.Absolute(), rg.Huber()):
        memory = Memory(loss, None, rg.Everywhere())
        memory.add([0], [1.0], 1.0, 1.0)
        np.testing.assert_allclose(memory.leader(1.0, np.array([0.0, 3.0])), [1.0, 3.0], atol=1e-6)
    memory = Memory(rg.Hinge(), None, rg.Everywhere())
    memory.add([0], [1.0], 1.0, 1.0)
    np.testing.assert_array_equal(memory.leader(1.0, np.array([5.0])), [5.0])
    assert memory.leader(1.0, np.array([-2.0])) == pytest.approx([1.0], abs=1e-2)


def test_a_least_value_that_is_not_attained():
    learner = rg.FollowTheLeader(rg.Logistic())
    for sign in (1.0, -1.0) * 5:
        learner.learn_one(np.array([sign, 0.5 * sign]), sign)
    assert np.isfinite(learner.weights).all()
    assert learner.ledger.loss == pytest.approx(np.log(2), abs=1e-6)  # all of it in the first round

    class Falling(rg.Loss):
        def value(self, p, y):
            return -p

        def slope(self, p, y):
            return -1.0

    learner = rg.FollowTheLeader(Falling())
    learner.learn_one(np.array([1.0]), 0.0)
    assert learner.weights == pytest.approx([FAR])


@pytest.mark.parametrize("geometry", [rg.Diagonal(), rg.Proximal()])
def test_a_regulariser_that_moves_is_refused(geometry):
    with pytest.raises(ValueError, match=r"Euclidean\(\), Entropy\(\) or PNorm\(p\)"):
        rg.FollowTheRegularizedLeader(rg.Squared(), geometry, exact=True)


def test_rates_at_their_ends():
    X, y, c = examples("absolute", 7, 10)
    free = lead(rg.Absolute(), rg.Simplex(), None, X, y, c)
    unheld = lead(rg.Absolute(), rg.Simplex(), rg.Entropy(), X, y, c, np.inf)
    costs = [objective("absolute", None, "none", X, y, c, w) for w in (free, unheld)]
    assert costs[0] == pytest.approx(costs[1], abs=1e-8)
    start = np.full(N, 0.25)
    memory = Memory(rg.Absolute(), rg.Entropy(), rg.Simplex())
    memory.add([0], [1.0], 0.0, 1.0)
    np.testing.assert_array_equal(memory.leader(0.0, start), start)


LEARNERS = {
    "logistic": lambda: rg.FollowTheRegularizedLeader(rg.Logistic(), rate=rg.InverseSqrt(0.5), exact=True),
    "adaptive": lambda: rg.FollowTheRegularizedLeader(
        rg.Hinge(), domain=rg.Ball(1.0), rate=rg.Adaptive(1.0), exact=True
    ),
    "entropy": lambda: rg.FollowTheRegularizedLeader(
        rg.Hinge(), rg.Entropy(), rg.L1Ball(1.0), rate=0.1, exact=True, n=5
    ),
    "pnorm": lambda: rg.FollowTheRegularizedLeader(rg.Logistic(), rg.PNorm(), rate=0.1, exact=True, n=5),
    "squares": lambda: rg.FollowTheRegularizedLeader(rg.Squared(), rate=0.5, exact=True),
    "squares, falling": lambda: rg.FollowTheRegularizedLeader(rg.Squared(), rate=rg.InverseSqrt(0.5), exact=True),
    "squares, free": lambda: rg.FollowTheLeader(rg.Squared(), intercept=True),
    "squares, ball": lambda: rg.FollowTheLeader(rg.Squared(), rg.Ball(0.2)),
    "squares, entropy": lambda: rg.FollowTheRegularizedLeader(
        rg.Squared(), rg.Entropy(), rg.Simplex(), rate=0.5, exact=True, n=5
    ),
    "leader": lambda: rg.FollowTheLeader(rg.SquaredHinge(), rg.Box(-0.5, 0.5)),
    "intercept": lambda: rg.FollowTheLeader(rg.Logistic(), rg.Ball(2.0), intercept=True, keep=("average",)),
}  # fmt: skip


def stream(T):
    rng = np.random.default_rng(8)
    X = rng.normal(size=(T, 5))
    return X, np.sign(X[:, 0] + rng.normal(size=T))


@pytest.mark.parametrize("name", LEARNERS)
def test_saved_copied_and_pickled_it_goes_on_bit_for_bit(name, tmp_path):
    X, y = stream(60)
    learner = LEARNERS[name]()
    learner.learn_many(X[:30], y[:30])
    learner.save(tmp_path / "leader")
    makes = (lambda: rg.load(tmp_path / "leader"), lambda: copy.copy(learner), lambda: copy.deepcopy(learner),
             lambda: pickle.loads(pickle.dumps(learner)))  # fmt: skip
    for make in makes:
        make().learn_one(X[0], y[0])  # a twin that goes its own way leaves no mark on the others
    twins = [make() for make in makes]
    ahead = learner.learn_many(X[30:], y[30:])
    for twin in twins:
        np.testing.assert_array_equal(twin.learn_many(X[30:], y[30:]), ahead)
        np.testing.assert_array_equal(twin.weights, learner.weights)
    one = LEARNERS[name]()
    np.testing.assert_array_equal([one.learn_one(*pair) for pair in zip(X, y, strict=True)][30:], ahead)


def test_a_round_that_fails_leaves_no_trace():
    X, y = stream(20)
    learner, twin = (rg.FollowTheLeader(rg.Logistic(), rg.Ball(1.0)) for _ in range(2))
    learner.learn_many(X[:10], y[:10])
    twin.learn_many(X[:10], y[:10])
    for bad in (np.nan, np.inf):
        with pytest.raises(ValueError, match="feature 0"):
            learner.learn_one(np.array([bad, 0, 0, 0, 0]), 1.0)
    np.testing.assert_array_equal(learner.learn_many(X[10:], y[10:]), twin.learn_many(X[10:], y[10:]))


def test_features_that_come_later():
    learner = rg.FollowTheRegularizedLeader(rg.Squared(), rate=1.0, exact=True)
    learner.learn_one({"a": 1.0}, 1.0)
    learner.learn_one({"b": 2.0}, 1.0)
    assert learner.named_weights() == pytest.approx({"a": 2 / 3, "b": 4 / 9})
    learner = rg.FollowTheRegularizedLeader(rg.Absolute(), domain=rg.L1Ball(1.5), rate=10.0, exact=True)
    for name in "abcb":
        learner.learn_one({name: 1.0}, 1.0)
    assert sum(learner.named_weights().values()) == pytest.approx(1.5)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_features_on_any_scale(scale):
    """Followed everywhere, the predictions of the leader do not depend on the unit of the features."""
    X, y, c = examples("huber", 9, 30)
    for loss in (rg.Huber(), rg.Absolute(), rg.Squared()):
        once, again = (lead(loss, rg.Everywhere(), None, k * X, y, c) for k in (1.0, scale))
        np.testing.assert_allclose(scale * again, once, rtol=1e-6)


def test_the_leader_keeps_pace():
    """Some milliseconds a round; a machine ten times slower still passes."""
    X, y = stream(300)
    began = time.perf_counter()
    learner = LEARNERS["logistic"]()
    learner.learn_many(X, y)
    assert time.perf_counter() - began < 20
    times = [time.perf_counter()]
    for n in (300, 300):
        LEARNERS["leader"]().learn_many(X[:n], y[:n])
        times.append(time.perf_counter())
    assert all(later - earlier < 60 for earlier, later in pairwise(times))
