"""Two ways of writing one learner give one trajectory (THEOREMS.md, rows 3, 6, 8, 16; named learners)."""

import numpy as np
import pytest

import regretful as rg
from tests.references import losses as S

from .streams import example_weights, stream

# The same real numbers computed in another order over 2,000 rounds: see test_references.py.
TOLERANCE = 1e-12


def trajectory(learner, kind, weights=None):
    """The predictions paid for and the final weights."""
    X, y = stream(kind)
    return np.asarray(learner.learn_many(X, y, weights)), np.asarray(learner.weights)


def assert_same(one, other, kind, weights=None):
    """Both learners play the stream; predictions and weights agree relative to their scale."""
    (p, w), (q, v) = trajectory(one, kind, weights), trajectory(other, kind, weights)
    assert np.abs(p).max() > 1e-3, "the stream should move the learner"
    np.testing.assert_allclose(p, q, rtol=0, atol=TOLERANCE * np.abs(p).max())
    np.testing.assert_allclose(w, v, rtol=0, atol=TOLERANCE * np.abs(w).max())
    assert one.ledger.loss == pytest.approx(other.ledger.loss, rel=1e-11)  # a sum of 2,000 such losses


def slots(loss, geometry=None, domain=None, rate=1.0, **how):
    """Mirror descent, Euclidean and everywhere unless told."""
    return rg.MirrorDescent(loss, geometry or rg.Euclidean(), domain or rg.Everywhere(), rate, **how)


@pytest.mark.parametrize("weights", [None, example_weights()], ids=["plain", "weighted"])
@pytest.mark.parametrize("margin", [0.0, 0.5, 1.0])  # on a mistake the hinge's slope is -y, whatever its margin
def test_row_3_conservative_descent_on_the_hinge_is_the_perceptron(margin, weights):
    one, other = rg.Perceptron(), slots(rg.Hinge(margin), conservative=True)
    X, y = stream("classification")
    np.testing.assert_array_equal(one.learn_many(X, y, weights), other.learn_many(X, y, weights))
    np.testing.assert_array_equal(one.weights, other.weights)


def test_row_3_the_rate_of_a_conservative_perceptron_only_scales():
    X, y = stream("classification")
    one, other = slots(rg.Hinge(0.0), conservative=True), slots(rg.Hinge(0.0), rate=0.25, conservative=True)
    p, q = one.learn_many(X, y), other.learn_many(X, y)
    np.testing.assert_array_equal(0.25 * np.asarray(p), q)  # a power of two scales without rounding


@pytest.mark.parametrize("weights", [None, example_weights()], ids=["plain", "weighted"])
def test_row_6_conservative_eg_on_the_hinge_is_winnow(weights):
    other = slots(rg.Hinge(), rg.Entropy(), rg.Simplex(), 0.05, conservative=True)
    assert_same(rg.Winnow(0.05), other, "classification", weights)


@pytest.mark.parametrize("weights", [None, example_weights()], ids=["plain", "weighted"])
@pytest.mark.parametrize(
    ("geometry", "domain", "kind", "loss"),
    [
        (rg.Euclidean(), rg.Everywhere(), "regression", rg.Squared()),
        (rg.Euclidean(), rg.Everywhere(), "classification", rg.Hinge()),
        (rg.Entropy(), rg.Simplex(), "regression", rg.Squared()),
        (rg.Entropy(), rg.Simplex(3.0), "classification", rg.Logistic()),
        (rg.Entropy(), rg.L1Ball(2.0), "regression", rg.Squared()),
        (rg.PNorm(3.0), rg.Everywhere(), "regression", rg.Squared()),
        (rg.PNorm("log"), rg.Everywhere(), "classification", rg.Hinge()),
    ],
    ids=["gd-squared", "gd-hinge", "eg-squared", "eg-logistic", "egpm", "p3", "plog"],
)
def test_row_8_the_linearised_leader_is_mirror_descent(geometry, domain, kind, loss, weights):
    lazy = rg.FollowTheRegularizedLeader(loss, geometry, domain, 0.02)
    assert_same(lazy, slots(loss, geometry, domain, 0.02), kind, weights)


@pytest.mark.parametrize("loss", [rg.Squared(), rg.Huber(0.5)], ids=["squared", "huber"])
def test_row_8_p_equal_two_is_gradient_descent(loss):
    assert_same(rg.PNormDescent(loss, 0.02, 2.0), rg.GradientDescent(loss, 0.02), "regression")


def test_row_8_adaptive_rates_are_read_in_the_norm_dual_to_the_geometry():
    loss, rate = rg.Squared(), rg.Adaptive(0.5)
    one = rg.PNormDescent(loss, rate, 2.0)
    assert_same(one, rg.GradientDescent(loss, rate), "regression")


@pytest.mark.parametrize("eta", [0.01, 0.3, 10.0])
def test_row_16_the_implicit_step_of_the_squared_loss_has_a_closed_form(eta):
    """003, (5): w+ = w - eta 2 (<w+, x> - y) x, so the residual shrinks by 1/(1 + 2 eta ||x||^2)."""
    X, y = stream("regression")
    learner = rg.GradientDescent(rg.Squared(), eta, implicit=True)
    w, scale = np.zeros(X.shape[1]), 0.0
    for x, label in zip(X, y, strict=True):
        p = learner.learn_one(x, label)
        scale = max(scale, abs(w @ x))
        assert p == pytest.approx(w @ x, rel=0, abs=TOLERANCE * max(scale, 1.0))
        w = w - 2 * eta * (w @ x - label) / (1 + 2 * eta * (x @ x)) * x
    np.testing.assert_allclose(learner.weights, w, rtol=0, atol=TOLERANCE * np.abs(w).max())


@pytest.mark.parametrize(
    ("name", "loss", "plain"),
    [
        ("regression", rg.Squared(), S.squared()),
        ("classification", rg.Logistic(), S.logistic()),
        ("counts", rg.Poisson(), S.poisson()),
    ],
)
def test_row_16_the_euclidean_implicit_iterate_solves_equation_5(name, loss, plain):
    X, y = stream(name)
    learner = rg.GradientDescent(loss, 0.2, implicit=True)
    learner.learn_one(X[0], y[0])
    for x, label in zip(X[1:200], y[1:200], strict=True):
        before = np.array(learner.weights)
        learner.learn_one(x, label)
        after = np.array(learner.weights)
        gradient = 0.2 * plain.slope(after @ x, label) * x
        np.testing.assert_allclose(after, before - gradient, rtol=0, atol=1e-12 * max(1, np.abs(after).max()))


def test_row_16_the_entropic_implicit_iterate_solves_equation_6():
    X, y = stream("regression")
    learner = rg.ExponentiatedGradient(rg.Squared(), 0.3, implicit=True)
    learner.learn_one(X[0], y[0])
    for x, label in zip(X[1:200], y[1:200], strict=True):
        before = np.array(learner.weights)
        learner.learn_one(x, label)
        after = np.array(learner.weights)
        expected = before * np.exp(-0.3 * 2 * (after @ x - label) * x)
        np.testing.assert_allclose(after, expected / expected.sum(), rtol=1e-11)  # weights of size 1e-3 to 1


def test_row_16_the_explicit_step_approximates_the_implicit_one():
    """The two differ by O(eta^2) a step: a hundredth of the rate, a ten-thousandth of the difference."""
    x, differences = np.array([0.5, -1.0, 2.0]), []
    for eta in (1e-2, 1e-4):
        steps = [rg.GradientDescent(rg.Logistic(), eta, implicit=implicit) for implicit in (False, True)]
        for learner in steps:
            learner.learn_one(x, 1)
        differences.append(np.abs(steps[0].weights - steps[1].weights).max())
    assert differences[0] / differences[1] == pytest.approx(1e4, rel=0.05)  # up to terms of the third order


SLOTS = {
    "passive-aggressive": (
        lambda: rg.PassiveAggressive(0.7),
        lambda: slots(rg.Hinge(), rate=0.7, implicit=True),
    ),
    "pegasos": (
        lambda: rg.Pegasos(0.25),
        lambda: slots(rg.Hinge(), domain=rg.Ball(2.0), rate=rg.InverseTime(0.25), l2=0.25),
    ),
    "gradient-descent": (
        lambda: rg.GradientDescent(rg.Logistic(), rg.InverseSqrt(0.3), rg.Ball(1.0)),
        lambda: slots(rg.Logistic(), domain=rg.Ball(1.0), rate=rg.InverseSqrt(0.3)),
    ),
    "eg": (
        lambda: rg.ExponentiatedGradient(rg.Logistic(), 0.1),
        lambda: slots(rg.Logistic(), rg.Entropy(), rg.Simplex(), 0.1),
    ),
    "p-norm": (
        lambda: rg.PNormDescent(rg.Hinge(), 0.1),
        lambda: slots(rg.Hinge(), rg.PNorm("log"), rate=0.1),
    ),
    "adagrad": (
        lambda: rg.AdaGrad(rg.Logistic(), 0.1, rg.Box(-1.0, 1.0)),
        lambda: slots(rg.Logistic(), rg.Diagonal(), rg.Box(-1.0, 1.0), 0.1),
    ),
    "averaged-perceptron": (lambda: rg.AveragedPerceptron(), lambda: rg.Perceptron(keep=("average",))),
}


@pytest.mark.parametrize("weights", [None, example_weights()], ids=["plain", "weighted"])
@pytest.mark.parametrize("name", SLOTS)
def test_a_named_learner_is_its_slots(name, weights):
    named, filled = SLOTS[name]
    assert_same(named(), filled(), "classification", weights)


def test_widrow_hoff_is_descent_on_the_squared_loss_at_half_the_rate():
    """003, Algorithm 1 leaves the 2 of the derivative out: eta (p - y) x is the step of the rate eta/2."""
    assert_same(rg.WidrowHoff(0.03), rg.GradientDescent(rg.Squared(), 0.015), "regression")


def test_the_hard_passive_aggressive_step_reaches_the_margin():
    X, y = stream("classification")
    learner = rg.PassiveAggressive(np.inf)
    for x, label in zip(X[:300], y[:300], strict=True):
        p = learner.learn_one(x, label)
        if x.any():
            after = label * learner.predict_one(x)
            assert after == pytest.approx(max(1.0, label * p), rel=1e-12)
