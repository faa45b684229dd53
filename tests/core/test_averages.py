"""The averages over runs in which the scale of w = c·v moves through many orders of magnitude."""

import pickle

import numpy as np
import pytest

import regretful as rg

RNG = np.random.default_rng(0)
T = 3000
X = RNG.normal(size=(T, 3))
Y = X @ [1.0, 0.5, -1.0]
SAME, FAR = np.tile([1.0, 0.0, 0.5], (T, 1)), np.full(T, 9.0)
KEEP = ("average", "weighted", "random")

RUNS = {
    "l2": (lambda k: rg.GradientDescent(rg.Squared(), 0.05, l2=1.0, **k), X, Y),  # 0.95^3000 = 1e-67
    "ball": (lambda k: rg.GradientDescent(rg.Absolute(), 3.0, rg.Ball(0.5), **k), X, 10 * Y),
    "simplex": (lambda k: rg.ExponentiatedGradient(rg.Absolute(), 0.1, **k), SAME, FAR),  # e^-300
    "L1 ball": (lambda k: rg.ExponentiatedGradient(rg.Absolute(), 0.1, rg.L1Ball(1.0), **k), SAME, FAR),
    "simplex, to and fro": (lambda k: rg.ExponentiatedGradient(rg.Absolute(), 0.5, **k), X, X[:, 0]),
    "p-norm": (lambda k: rg.PNormDescent(rg.Absolute(), 0.1, 20.0, **k), SAME, FAR),
    "pegasos": (lambda k: rg.Pegasos(0.01, **k), X, np.sign(Y)),
    "lazy ball": (
        lambda k: rg.FollowTheRegularizedLeader(rg.Absolute(), rg.Euclidean(), rg.Ball(0.5), rg.InverseSqrt(1.0), **k),
        X,
        Y,
    ),
    "projected": (lambda k: rg.GradientDescent(rg.Absolute(), 3.0, rg.L1Ball(0.5), **k), X, Y),
}


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("sparse", [False, True])
def test_averages_are_those_of_the_iterates(name, sparse):
    make, X, y = RUNS[name]
    learner, iterates = make({"keep": KEEP}), []
    for t, x in enumerate(X):
        iterates.append(learner.predict_many(np.eye(3)))
        if sparse and t > 0:  # most rounds touch one coordinate alone, and the others rest
            i = t % 3 if t % 100 else 2
            learner.learn_one((np.array([i]), x[[i]]), y[t])
        else:
            learner.learn_one(x, y[t])
    W = np.array(iterates)
    size = np.abs(W).max()
    shares = np.arange(2, T + 2) * 2 / (T * (T + 3))
    np.testing.assert_allclose(learner.average().weights, W.mean(axis=0), rtol=0, atol=1e-11 * size)
    np.testing.assert_allclose(learner.weighted_average().weights, shares @ W, rtol=0, atol=1e-11 * size)
    assert np.abs(W - learner.random_iterate().weights).max(axis=1).min() <= 1e-12 * size
    assert np.abs(W - W[0]).max() > 0.1 * size  # the iterates do move


def test_a_feature_that_comes_late_counts_with_its_start():
    """In the rounds before, its weight was that of the start."""
    learner = rg.GradientDescent(rg.Absolute(), 1.0, rg.Box(2.0, 9.0), keep=("average",))
    learner.learn_many([{"a": 1.0}] * 4, np.full(4, 100.0))  # 2, 3, 4, 5
    learner.learn_one({"b": 1.0}, 100.0)  # a: 6, b: 2
    learner.learn_one({"b": 1.0}, 100.0)  # a: 6, b: 3
    average = learner.average().named_weights()
    assert average["a"] == pytest.approx((2 + 3 + 4 + 5 + 6 + 6) / 6, rel=1e-15)
    assert average["b"] == pytest.approx((2 * 5 + 3) / 6, rel=1e-15)


def test_a_fixed_predictor_does_not_follow_its_learner():
    learner = rg.AveragedPerceptron()
    learner.learn_one({"a": 1.0}, 1)
    average, last = learner.average(), learner.last()
    learner.learn_one({"a": 1.0, "b": 1.0}, -1)
    assert average.named_weights() == {"a": 0.0}
    assert last.named_weights() == {"a": 1.0}
    assert average.predict_one({"never seen": 3.0}) == 0.0
    assert last.predict_many([{"a": 2.0}, {"b": 1.0}]).tolist() == [2.0, 0.0]


def test_a_feature_never_seen_has_the_weight_of_a_start_in_averages_too():
    learner = rg.GradientDescent(rg.Absolute(), 1.0, rg.Box(2.0, 9.0), keep=KEEP)
    learner.learn_one({"a": 1.0}, 100.0)
    for fixed in (learner, learner.last(), learner.average(), learner.weighted_average(), learner.random_iterate()):
        for predictor in (fixed, pickle.loads(pickle.dumps(fixed))):
            assert predictor.predict_one({"new": 1.5}) == 3.0
            assert predictor.predict_many([{"new": 1.5}, {"other": "Rome"}]).tolist() == [3.0, 2.0]
