"""A loss written in Python works wherever a built-in one does."""

import numpy as np
import pytest

import regretful as rg


class MySquared(rg.Loss):
    """(p - y)^2, as a user would write it."""

    def value(self, p, y):
        return (p - y) ** 2

    def slope(self, p, y):
        return 2 * (p - y)


class LogCosh(rg.Loss):
    """ln cosh(p - y): not among the built-in losses."""

    def value(self, p, y):
        return float(np.log(np.cosh(p - y)))

    def slope(self, p, y):
        return float(np.tanh(p - y))


def stream(rounds=300, n=6):
    """A seeded regression stream."""
    rng = np.random.default_rng(11)
    X = rng.normal(size=(rounds, n))
    return X, X @ rng.normal(size=n) + 0.1 * rng.normal(size=rounds)


LEARNERS = {
    "gd": lambda loss: rg.GradientDescent(loss, rg.InverseSqrt(0.05)),
    "gd-ball": lambda loss: rg.GradientDescent(loss, 0.02, rg.Ball(0.5)),
    "eg": lambda loss: rg.ExponentiatedGradient(loss, 0.05),
    "egpm": lambda loss: rg.ExponentiatedGradient(loss, 0.05, rg.L1Ball(2.0)),
    "pnorm": lambda loss: rg.PNormDescent(loss, 0.01),
    "adagrad": lambda loss: rg.AdaGrad(loss, 0.2),
    "ftrl": lambda loss: rg.FollowTheRegularizedLeader(loss, rg.Euclidean(), rg.Everywhere(), 0.02),
    "proximal": lambda loss: rg.FTRLProximal(0.1, 1.0, 0.5, 0.1, loss),
}


@pytest.mark.parametrize("name", LEARNERS)
def test_a_copy_of_a_built_in_loss_gives_its_trajectory(name):
    X, y = stream()
    mine, built_in = LEARNERS[name](MySquared()), LEARNERS[name](rg.Squared())
    p, q = np.asarray(mine.learn_many(X, y)), np.asarray(built_in.learn_many(X, y))
    # The same formula in Python and compiled, which may fuse a multiplication and an addition.
    np.testing.assert_allclose(p, q, rtol=0, atol=1e-12 * np.abs(q).max())
    np.testing.assert_allclose(mine.weights, built_in.weights, rtol=0, atol=1e-12)
    assert mine.ledger.loss == pytest.approx(built_in.ledger.loss, rel=1e-12)


@pytest.mark.parametrize("name", LEARNERS)
def test_a_new_loss_learns(name):
    X, y = stream()
    learner = LEARNERS[name](LogCosh())
    p = np.asarray(learner.learn_many(X, y))
    expected = sum(LogCosh().value(a, b) for a, b in zip(p, y, strict=True))
    assert learner.ledger.loss == pytest.approx(expected, rel=1e-12)
    assert learner.ledger.max_slope == pytest.approx(np.abs(np.tanh(p - y)).max(), rel=1e-12)


def test_the_implicit_slope_of_a_user_loss_is_found_for_it():
    loss = LogCosh()
    for p, y, k in [(2.0, 0.0, 1.0), (-1.0, 0.5, 0.1), (3.0, 2.9, 20.0), (0.7, 0.7, 1.0)]:
        s = loss.implicit_slope(p, y, k)
        assert s == pytest.approx(np.tanh(p - k * s - y), rel=1e-9, abs=1e-12)  # a root, whatever the search


def test_an_error_in_a_user_loss_reaches_the_user_and_leaves_no_trace():
    class Broken(MySquared):
        def slope(self, p, y):
            raise RuntimeError("no slope today")

    learner = rg.GradientDescent(Broken(), 0.1)
    with pytest.raises(RuntimeError, match="no slope today"):
        learner.learn_one(np.array([1.0, 2.0]), 1.0)
    assert learner.rounds == 0
    assert learner.predict_one(np.array([1.0, 2.0])) == 0.0


def test_the_built_in_losses_are_final():
    with pytest.raises(TypeError):
        type("Mine", (rg.Squared,), {})
