"""Conjugates by Fenchel-Young, conjugates and implicit slopes by brute force, constants by attack."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.references import losses as S

from .loss_cases import CASES, predictions

every = pytest.mark.parametrize("name", CASES)
fractions = st.floats(0.0, 1.0)


@every
@given(a=fractions, b=fractions)
def test_fenchel_young(name, a, b):
    """l(p) + l*(s) >= s p for every s, with equality at s = l'(p)."""
    case = CASES[name]
    p, q = (case.low + t * (case.high - case.low) for t in (a, b))
    for y in case.labels:
        value, s = case.loss.value(p, y), case.loss.slope(p, y)
        slack = 1e-11 * (1 + abs(value) + abs(s * p))  # rounding; the logistic's logarithms cancel
        assert case.loss.value(q, y) + case.loss.conjugate(s, y) >= s * q - slack
        assert value + case.loss.conjugate(s, y) == pytest.approx(s * p, rel=0, abs=slack)


@every
def test_the_conjugate_is_the_supremum(name):
    case = CASES[name]
    rng = np.random.default_rng(2)
    for y in case.labels:
        # A mixture of two slopes of the range has its best p inside the range.
        ends = case.loss.slope(rng.uniform(case.low, case.high, (2, 60)), y)
        t = rng.random(60)
        for s in t * ends[0] + (1 - t) * ends[1]:
            brute = S.conjugate(case.plain, float(s), y, case.low, case.high)
            # At a maximum the search's error in p, about 1e-8, shows squared; values are of size e^4.
            assert case.loss.conjugate(float(s), y) == pytest.approx(float(brute), rel=1e-12, abs=1e-12)


@every
def test_the_conjugate_is_infinite_beyond_the_slopes(name):
    case = CASES[name]
    for y in case.labels:
        beyond = {
            "poisson": [-y - 0.1],
            "logwealth": [1e-3, 2.0],
            "logistic": [0.1 * y, -1.1 * y],
            "hinge": [0.1 * y, -1.1 * y],
            "hinge2": [0.1 * y, -1.1 * y],
            "hinge0": [0.1 * y, -1.1 * y],
            "squaredhinge": [0.1 * y],
            "squaredhinge.5": [0.1 * y],
            "squared": [],
            "quantile": [-0.6, 0.6],
            "quantile.9": [-1.0, 0.2],
            "huber.3": [-0.4, 0.4],
        }.get(name, [-1.1, 1.1])
        for s in beyond:
            assert case.loss.conjugate(s, y) == np.inf
        for s in (-50.0, 50.0) if name == "squared" else ():
            assert case.loss.conjugate(s, y) == pytest.approx(s * y + s * s / 4, rel=1e-15)


@every
def test_the_conjugate_at_the_last_slopes(name):
    """At the ends of the slopes' range the supremum is a limit: 0 ln 0 = 0 is the trap."""
    case = CASES[name]
    for y in case.labels:
        ends = {
            "poisson": [(-y, 0.0)],
            "logistic": [(0.0, 0.0), (-y, 0.0)],
            "hinge": [(0.0, 0.0), (-y, -1.0)],
        }
        ends |= {"absolute": [(1.0, y), (-1.0, -y)], "huber": [(1.0, y + 0.5), (-1.0, -y + 0.5)]}
        for s, expected in ends.get(name, [(0.0, np.inf if name == "logwealth" else None)]):
            if expected is None:  # l*(0) = -min l
                best = min(float(case.plain.value(p, y)) for p in (y, 1000.0 * y))
                expected = -best
            assert case.loss.conjugate(s, y) == pytest.approx(expected, rel=1e-15, abs=1e-15)


@every
@pytest.mark.parametrize("k", [1e-6, 0.05, 1.0, 30.0])
def test_the_implicit_slope_against_brute_force(name, k):
    case = CASES[name]
    for y in case.labels:
        for p in predictions(case, 60):
            s = case.loss.implicit_slope(float(p), y, k)
            brute = S.implicit_slope(case.plain, float(p), y, k)
            # p - k s rounds at 1e-16 |p|, so where the slope jumps s is known to 1e-16 |p|/k only.
            assert s == pytest.approx(brute, rel=1e-12, abs=1e-14 + 4e-16 * abs(p) / k)


@every
def test_the_implicit_step_minimises_loss_plus_distance(name):
    """003, (4): p+ = p - k s minimises k l(q) + (q - p)^2/2, which is 1-strongly convex."""
    case, rng = CASES[name], np.random.default_rng(4)
    for y in case.labels:
        for p, k in zip(rng.uniform(case.low, case.high, 40), rng.uniform(0.01, 5.0, 40), strict=True):
            after = p - k * case.loss.implicit_slope(p, y, k)
            least = k * case.loss.value(after, y) + (after - p) ** 2 / 2
            for q in [*predictions(case, 40), *np.array([-1e-3, 1e-3]) + after]:
                there = k * case.plain.value(q, y) + (q - p) ** 2 / 2
                assert there >= least + (q - after) ** 2 / 2 - 1e-12 * (1 + abs(least))


@every
def test_without_room_to_move_the_implicit_slope_is_the_slope(name):
    case = CASES[name]
    for y in case.labels:
        for p in predictions(case, 40):
            assert case.loss.implicit_slope(float(p), y, 0.0) == case.loss.slope(float(p), y)


def test_an_implicit_perceptron_never_moves():
    """The hinge with margin 0 is least at p = 0, where the perceptron starts."""
    loss = CASES["hinge0"].loss
    assert loss.implicit_slope(0.0, 1, 0.5) == pytest.approx(0.0, abs=1e-12)
    assert loss.implicit_slope(0.0, -1, 0.5) == pytest.approx(0.0, abs=1e-12)


def attack(case, low, high, labels):
    """A grid of predictions, thickest near both ends and the kinks, for every label."""
    for y in labels:
        near = [kink + d for kink in case.kinks(y) for d in (-1e-4, -1e-9, 1e-9, 1e-4) if low <= kink + d <= high]
        p = np.unique(np.concatenate([np.linspace(low, high, 4001), [low + 1e-5, high - 1e-5], near]))
        yield y, p[np.append(True, np.diff(p) > 5e-10)]  # twins of one point apart by rounding only: keep one


RANGES = {
    "inside": (-1.2, 1.1, (-0.8, 0.9)),
    "above": (3.0, 4.5, (-1.0, 1.5)),
    "wide": (-3.0, 5.0, (-2.0, 2.5)),
}


def stated(name, where):
    """The range of predictions and labels over which the constants of a loss are attacked."""
    low, high, labels = RANGES[where]
    case = CASES[name]
    if name == "logwealth":
        low, high = {"inside": (0.5, 1.5), "above": (3.0, 4.5), "wide": (0.1, 5.0)}[where]
    if name == "poisson":
        labels = (0.0, 4.0)
    constants = case.loss.constants(low, high, None if case.classification or name == "logwealth" else labels)
    tried = case.labels if case.classification else (*np.linspace(*labels, 21), low, high)
    tried = [y for y in tried if case.classification or labels[0] <= y <= labels[1]]
    return case, constants, list(attack(case, low, high, tried))


wheres = pytest.mark.parametrize("where", RANGES)


@every
@wheres
def test_the_lipschitz_constant_holds_and_is_attained(name, where):
    case, constants, grids = stated(name, where)
    steepest = max(np.abs(case.plain.slope(p, y)).max() for y, p in grids)
    assert steepest <= constants.lipschitz * (1 + 1e-12)
    assert steepest >= constants.lipschitz * (1 - 1e-6)


@every
@wheres
def test_smoothness_and_curvature_hold_and_are_attained(name, where):
    case, constants, grids = stated(name, where)
    quotients = np.concatenate([np.diff(case.plain.slope(p, y)) / np.diff(p) for y, p in grids])
    # Steps of the grid are 2e-9 to 2e-3: slopes of size e^5 round to 2e-14, so quotients are good to 1e-5.
    if quotients.max() > 1e4:  # the slope jumps by 1/2 at least within 2e-9, or by 1/20 within a grid step
        assert constants.smoothness == np.inf
    else:
        assert quotients.max() == pytest.approx(constants.smoothness, rel=5e-3, abs=1e-4)
    assert quotients.min() >= constants.curvature - 1e-4
    assert quotients.min() == pytest.approx(constants.curvature, rel=5e-3, abs=1e-4)


@every
@wheres
def test_exp_concavity_holds_and_no_more_would(name, where):
    """The declared a is the largest for which e^(-a l) is concave for every label."""
    case, constants, grids = stated(name, where)
    a = constants.exp_concavity
    assert a >= 0

    def gap(a):
        """The worst failure of midpoint concavity of e^(-a (l - l(middle))), over short and long chords."""
        worst = -np.inf
        for y, grid in grids:
            p = np.linspace(grid[0], grid[-1], 401)
            for reach in (1, 10):
                at = case.plain.value(p[reach:-reach], y)
                left, right = (case.plain.value(q, y) - at for q in (p[: -2 * reach], p[2 * reach :]))
                worst = max(worst, ((np.exp(-a * left) + np.exp(-a * right)) / 2 - 1).max())
        return worst

    if a == np.inf:  # only a loss that is constant on the range
        assert constants.lipschitz == 0
    else:
        assert gap(a) <= 1e-12  # concave, up to rounding
        assert gap(1.1 * a + 1e-3) > 1e-12  # and no longer so a tenth further on
