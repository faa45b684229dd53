"""The exact leaders in play, held against an independent solver, CVXPY with Clarabel, over all losses and domains.

Also: the squared loss costs the same in every round, and the others but a few of Newton's steps.
"""

import warnings

import numpy as np
import pytest

import regretful as rg
from regretful.core import solvers
from regretful.core.squares import Squares

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of CVXPY, about solvers that are not installed
    import cvxpy as cp

from tests.core.test_leader import regulariser
from tests.hindsight.test_independent import DOMAINS, LOSSES, N

ETA, T, CHECKED = 0.4, 18, (1, 2, 5, 11, 18)
CHARGES = {type(loss).__name__: (loss, charge) for loss, charge in LOSSES}
PLACES = {type(domain).__name__: (domain, walls) for domain, walls in DOMAINS}
# The regulariser: the geometry, F of the weights (of the halves w⁺, w⁻ over the L1 ball), and where it goes.
HELD = {
    "free": (None, lambda w: 0.0, PLACES),
    "euclidean": (rg.Euclidean(), lambda w: 0.5 * cp.sum_squares(w), PLACES),
    "entropy": (rg.Entropy(), lambda w: -cp.sum(cp.entr(w)), ("Simplex", "L1Ball")),
    "p-norm": (rg.PNorm(3.0), lambda w: 0.5 * cp.square(cp.pnorm(w, 1.5)), ("Everywhere",)),
}
CASES = [
    (loss, place, held)
    for loss in CHARGES
    for held, (_, _, places) in HELD.items()
    for place in places
    if loss != "LogWealth" or place == "Simplex"  # p must be positive from the start
]


def game(loss, seed):
    """Labels that no u fits: the least value is attained."""
    rng = np.random.default_rng([seed, 11])
    X = rng.normal(size=(T, N)) * (rng.random((T, N)) < 0.8)
    c = rng.choice([0.0, 0.5, 1.0, 2.0], T)
    c[0] = 1.0
    if isinstance(loss, rg.LogWealth):
        return np.exp(0.3 * X), np.zeros(T), c
    scores = X @ rng.normal(size=N) + rng.normal(size=T)
    if loss.classification:
        return X, np.where(scores > 0.0, 1.0, -1.0), c
    return X, 1.0 + np.round(np.exp(0.4 * scores)) if isinstance(loss, rg.Poisson) else scores, c


def made(loss, domain, held):
    if held == "free":
        return rg.FollowTheLeader(loss, domain, n=N)
    return rg.FollowTheRegularizedLeader(loss, HELD[held][0], domain, ETA, exact=True, n=N)


class Task:
    """One case for Clarabel: Σ c ℓ(y, ⟨w, x⟩) + F(w)/η over the domain."""

    def __init__(self, loss, place, held):
        (self.loss, self.charge), (self.domain, walls) = CHARGES[loss], PLACES[place]
        paired = held == "entropy" and place == "L1Ball"
        self.halves = cp.Variable(2 * N) if paired else None
        self.w = self.halves[:N] - self.halves[N:] if paired else cp.Variable(N)
        if paired:
            self.walls = [self.halves >= 0.0, cp.sum(self.halves) == self.domain.radius]
        else:
            self.walls = walls(self.w)
        self.F = HELD[held][1](self.halves if paired else self.w)
        self.share = 0.0 if held == "free" else 1.0 / ETA

    def cost(self, X, y, c):
        paid = np.flatnonzero(c)
        return c[paid] @ self.charge(X[paid] @ self.w, y[paid]) + self.share * self.F

    def solve(self, cost, walls):
        """(the least value, the precision that was reached)"""
        task = cp.Problem(cp.Minimize(cost), walls)
        for tol in (1e-11, 1e-10, 1e-9, 1e-8):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    task.solve(solver=cp.CLARABEL, tol_gap_abs=tol, tol_gap_rel=tol, tol_feas=tol)
                except cp.SolverError:
                    continue
            if task.status == cp.OPTIMAL:
                return float(task.value), tol
        raise AssertionError(task.status)


@pytest.mark.parametrize(("loss", "place", "held"), CASES)
def test_every_iterate_is_the_argmin(loss, place, held):
    """In value: to 1e-10 of the size of the problem, beside what Clarabel may be off by.

    In place, where F makes it unique: F is 1-strongly convex in the 2-norm over Ω (entropy: in the 1-norm, divided by
    the radius; ½‖w‖_q²: q − 1 = ½ in the q-norm, and the 2-norm is no larger), so ‖w − w*‖² ≤ 2η·4·(what is above).
    """
    task = Task(loss, place, held)
    X, y, c = game(task.loss, 1)
    learner = made(task.loss, task.domain, held)
    for t in range(1, T + 1):
        label = () if isinstance(task.loss, rg.LogWealth) else (y[t - 1],)
        learner.learn_one(X[t - 1], *label, weight=c[t - 1])
        if t not in CHECKED:
            continue
        w, now = learner.weights, (X[:t], y[:t], c[:t])
        assert task.domain.contains(w, tolerance=1e-9)
        cost = task.cost(*now)
        least, tol = task.solve(cost, task.walls)
        there = task.w.value
        if task.halves is None:
            task.w.value = w
            mine = float(cost.value)
        else:
            paid = task.loss.value(X[:t] @ w, y[:t]) if t > 1 else task.loss.value(float(X[0] @ w), float(y[0]))
            mine = float(c[:t] @ np.atleast_1d(paid)) + task.share * regulariser("entropy", task.domain, w)
        size = 1.0 + abs(least) + c[:t].sum()
        near = (1e-10 + 10.0 * tol) * size
        assert mine <= least + near
        if task.loss.labelled or held != "free":
            assert least <= mine + near  # Clarabel is no worse: the problem is the same
        if held != "free":
            assert np.linalg.norm(w - there) <= np.sqrt(8.0 * ETA * 2.0 * near)


SMOOTH = ["Squared", "Huber", "Logistic", "SquaredHinge", "Poisson", "LogWealth"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("loss", SMOOTH)
def test_of_smooth_losses_the_condition_of_the_minimum_holds_to_the_digits_that_matter(loss, place):
    """w = Π(w − (η/2)(∇L(w) + w/η)): and ‖w − w*‖ ≤ (2 + ηΛ + 1) ‖this difference‖, Λ the curvature of Σ c ℓ."""
    loss, domain = CHARGES[loss][0], PLACES[place][0]
    if isinstance(loss, rg.LogWealth) and place != "Simplex":
        return
    X, y, c = game(loss, 2)
    learner = made(loss, domain, "euclidean")
    learner.learn_many(X, None if isinstance(loss, rg.LogWealth) else y, c)
    w = learner.weights
    slope = X.T @ (c * loss.slope(X @ w, y)) + w / ETA
    assert np.linalg.norm(w - domain.project(w - 0.5 * ETA * slope)) <= 3e-7 * (1.0 + np.linalg.norm(w))


# The squared loss: recursive.


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("held", ["free", "euclidean", "entropy"])
def test_the_squared_loss_keeps_no_examples(held, place):
    """What is kept is as large after 1,000 rounds as after 20; and the leader is that of a batch of all."""
    if place not in HELD[held][2]:
        return
    rng = np.random.default_rng(3)
    X, c = rng.normal(size=(1000, N)), rng.choice([0.5, 2.0], 1000)
    y = X @ [1.0, -2.0, 0.5] + rng.normal(size=1000)
    learner = made(rg.Squared(), PLACES[place][0], held)
    sizes = []
    for first, last in ((0, 20), (20, 1000)):
        learner.learn_many(X[first:last], y[first:last], c[first:last])
        sizes.append(sum(np.size(part) for part in learner.memory.state()["squares"].values() if part is not None))
        assert learner.memory.X.size == 0
    assert sizes[0] == sizes[1]
    task = Task("Squared", place, held)
    least, tol = task.solve(task.cost(X, y, c), task.walls)
    if task.halves is None:
        task.w.value = learner.weights
        assert float(task.cost(X, y, c).value) <= least + (1e-10 + 10.0 * tol) * (1.0 + abs(least))
    np.testing.assert_allclose(learner.weights, task.w.value, atol=1e-5)


def test_a_row_of_the_squared_loss_costs_the_same_however_many_came_before(monkeypatch):
    """Counted: the rows that LAPACK is given, and the Newton steps over n + 1 examples where there is a domain."""
    from regretful.core import squares

    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(3000, 4)), rng.normal(size=3000)
    given, seen = [], []
    reduced, examples = squares._reduced, Squares.examples
    monkeypatch.setattr(squares, "_reduced", lambda T, rows: given.append(rows.shape) or reduced(T, rows))
    monkeypatch.setattr(Squares, "examples", lambda self, n: seen.append(n) or examples(self, n))
    held = rg.FollowTheRegularizedLeader(rg.Squared(), rate=0.1, exact=True)
    held.learn_many(X, y)
    assert given.count((4, 5)) == 1  # when the rate was first asked for
    assert given.count((1, 5)) == len(given) - 1 == 2 * 3000 - 1  # each row twice: with F, and without
    assert not seen
    given.clear()
    rg.FollowTheLeader(rg.Squared()).learn_many(X, y)
    assert given == [(1, 5)] * 3000
    walled = rg.FollowTheLeader(rg.Squared(), rg.Ball(0.01))
    walled.learn_many(X[:300], y[:300])
    assert seen == [4] * 300
    assert [part.shape for part in walled.memory.squares.examples(4)] == [(5, 4), (5,), (5,)]


@pytest.mark.parametrize("scale", [1.0, 1e-5, 1e5])
@pytest.mark.parametrize("rate", [0.3, rg.InverseSqrt(0.3)])
def test_recursive_least_squares_is_the_batch_to_the_last_digits(rate, scale):
    """Against one QR of all rows, in every hundredth of 2,000 rounds; features of unequal size."""
    rng = np.random.default_rng(6)
    X = scale * rng.normal(size=(2000, 5)) * np.array([1.0, 10.0, 0.1, 1.0, 3.0])
    y, c = rng.normal(size=2000), rng.choice([0.5, 1.0, 2.0], 2000)
    learner = rg.FollowTheRegularizedLeader(rg.Squared(), rate=rate, exact=True)
    free = rg.FollowTheLeader(rg.Squared())
    for t in range(1, 2001):
        learner.learn_one(X[t - 1], y[t - 1], c[t - 1])
        free.learn_one(X[t - 1], y[t - 1], c[t - 1])
        if t % 100:
            continue
        root = np.sqrt(c[:t])
        eta = rate if isinstance(rate, float) else rate.at(t)
        rows = np.vstack([root[:, None] * X[:t], np.sqrt(0.5 / eta) * np.eye(5)])
        batch = np.linalg.lstsq(rows, np.append(root * y[:t], np.zeros(5)))[0]
        np.testing.assert_allclose(learner.weights, batch, rtol=0, atol=1e-10 * np.abs(batch).max())
        batch = np.linalg.lstsq(root[:, None] * X[:t], root * y[:t])[0]
        np.testing.assert_allclose(free.weights, batch, rtol=0, atol=1e-10 * np.abs(batch).max())


def test_among_several_least_squares_the_nearest_even_after_many_rounds():
    """A feature that stands twice, and one that is the sum of two: the weights share, and stay of their size."""
    rng = np.random.default_rng(7)
    a, b = rng.normal(size=(2, 5000))
    X = np.column_stack([a, a, b, a + b])
    y = 2.0 * a - b + rng.normal(size=5000)
    learner = rg.FollowTheLeader(rg.Squared())
    learner.learn_many(X, y)
    batch = np.linalg.lstsq(X, y)[0]
    np.testing.assert_allclose(X[:100] @ learner.weights, X[:100] @ batch, atol=1e-9)
    assert np.linalg.norm(learner.weights) < 3.0


def test_features_that_come_late_fit_into_the_triangle():
    rng = np.random.default_rng(8)
    X = np.triu(rng.normal(size=(12, 12)))[::-1] * (rng.random((12, 12)) < 0.9)  # a new feature a round, or none
    y = rng.normal(size=12)
    learner = rg.FollowTheRegularizedLeader(rg.Squared(), rate=2.0, exact=True)
    for x, label in zip(X, y, strict=True):
        learner.learn_one((np.flatnonzero(x), x[np.flatnonzero(x)]), label)
    ridge = np.linalg.solve(2 * X.T @ X + np.eye(12) / 2.0, 2 * X.T @ y)
    np.testing.assert_allclose(learner.weights, ridge[: len(learner.weights)], rtol=1e-9, atol=1e-12)


# Newton, with a warm start.


@pytest.mark.parametrize("loss", ["Logistic", "SquaredHinge", "Huber", "Poisson"])
def test_newton_starts_where_it_stood(loss, monkeypatch):
    """A few steps a round, and no more of them in late rounds than in early ones; from 0 it would take more."""
    loss = CHARGES[loss][0]
    rng = np.random.default_rng(9)
    X = rng.normal(size=(300, N))
    scores = X @ [1.0, -1.0, 0.5] + rng.normal(size=300)
    y = np.sign(scores) if loss.classification else np.round(np.exp(0.4 * scores))
    learner = rg.FollowTheRegularizedLeader(loss, rate=10.0, exact=True)
    steps = []
    solve = np.linalg.solve
    monkeypatch.setattr(solvers.np.linalg, "solve", lambda *a: steps.append(None) or solve(*a))
    counts = []
    for x, label in zip(X, y, strict=True):
        steps.clear()
        learner.learn_one(x, label)
        counts.append(len(steps))
    assert np.mean(counts[20:100]) <= 5
    assert np.mean(counts[200:]) <= 1.2 * np.mean(counts[20:100])
    steps.clear()
    learner.memory.leader(10.0, np.zeros(N))
    assert len(steps) > np.mean(counts[200:])


# As players in the games of rows 7 and 8.


@pytest.mark.parametrize("domain", [rg.Box(-1.0, 1.0), rg.Ball(1.0)], ids=repr)
def test_row_7_the_leader_pays_0_1_1_1_exactly(domain):
    """Its corners are the very corners: regret T − ½ to the last bit, and the theorem's verdict on such a game."""
    theorem = next(one for one in rg.theorems.all() if one.row == 7)
    game = rg.play(rg.FollowTheLeader(rg.Affine(), domain), rg.nature.LeaderBreaker(), rounds=200)
    np.testing.assert_array_equal(game.losses, [0.0, *[1.0] * 199])
    sides = theorem.of(game)
    assert (sides.left, sides.right) == (199.5, 199.5)
    assert theorem.judge(sides) == "fails as predicted"


LAZY = {
    "euclidean": (rg.Euclidean(), rg.Everywhere()), "ball": (rg.Euclidean(), rg.Ball(0.7)),
    "box": (rg.Euclidean(), rg.Box(-0.3, 0.2)), "orthant": (rg.Euclidean(), rg.Orthant()),
    "simplex": (rg.Entropy(), rg.Simplex()), "pair": (rg.Entropy(), rg.L1Ball(2.0)),
    "power": (rg.PNorm(3.0), rg.Everywhere()),
}  # fmt: skip


@pytest.mark.parametrize("name", LAZY)
@pytest.mark.parametrize("rate", [0.2, rg.InverseSqrt(0.5)], ids=repr)
def test_row_8_of_linear_losses_the_full_leader_is_the_linearised_one(name, rate):
    """Where there is nothing to linearise, argmin Σ f + F/η is one: (A) of the notes, solved and in closed form."""
    geometry, domain = LAZY[name]
    rng = np.random.default_rng(12)
    full, lazy = (
        rg.FollowTheRegularizedLeader(rg.Affine(), geometry, domain, rate, exact=exact, n=4) for exact in (True, False)
    )
    for g in rng.normal(size=(40, 4)):
        full.learn_one(g, 0.0)
        lazy.learn_one(g, 0.0)
        np.testing.assert_allclose(full.weights, lazy.weights, rtol=0, atol=2e-6)
    assert full.ledger.loss == pytest.approx(lazy.ledger.loss, abs=1e-4)


def test_row_8_the_full_leader_of_curved_losses_is_another():
    """Its iterate solves w = −η Σ ∇ℓ_s(w), all slopes at w itself; the linearised are of their rounds."""
    X, y, _ = game(rg.Logistic(), 3)
    full, linear = (rg.FollowTheRegularizedLeader(rg.Logistic(), rate=0.5, exact=exact) for exact in (True, False))
    full.learn_many(X, y)
    linear.learn_many(X, y)
    own = -0.5 * X.T @ rg.Logistic().slope(X @ full.weights, y)
    np.testing.assert_allclose(full.weights, own, rtol=1e-10)
    assert np.abs(full.weights - linear.weights).max() > 1e-2
