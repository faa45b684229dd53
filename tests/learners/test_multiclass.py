"""Learners of labels follow their references, and are what the notes say they are of each other."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import regretful as rg
from tests.references import labels as R

ROUNDS, N = 1000, 7
NAMES = np.array(["ant", "bee", "cow", "dog", "elk", "fox"])


def stream(seed=0, rounds=ROUNDS, labels=6):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(rounds, N)), 3) * (rng.random((rounds, N)) < 0.7)
    W = rng.normal(size=(labels, N))
    return X, NAMES[np.argmax(X @ W.T + rng.normal(size=(rounds, labels)), axis=1)]


X, Y = stream()
WEIGHTS = np.round(2.0 * np.random.default_rng(1).random(ROUNDS), 2)
Box = rg.Box(-0.2, 0.3)
CASES = {
    "perceptron": (lambda **o: rg.MulticlassPerceptron(**o), R.hinge(0.0), lambda: R.constant(1.0), {}),
    "hinge": (lambda **o: rg.MulticlassGradientDescent(rate=0.1, **o), R.hinge(1.0), lambda: R.constant(0.1), {}),
    "softmax": (
        lambda **o: rg.MulticlassGradientDescent(rg.Softmax(), rg.InverseSqrt(0.5), **o),
        R.softmax, lambda: R.inverse_sqrt(0.5), {},
    ),
    "hinge, ball": (
        lambda **o: rg.MulticlassGradientDescent(rg.MulticlassHinge(2.0), rg.Adaptive(0.7), rg.Ball(0.8), **o),
        R.hinge(2.0), lambda: R.adaptive(0.7), {"project": R.ball(0.8)},
    ),
    "softmax, ball": (
        lambda **o: rg.MulticlassGradientDescent(rg.Softmax(), 0.2, rg.Ball(1.5), **o),
        R.softmax, lambda: R.constant(0.2), {"project": R.ball(1.5)},
    ),
    "softmax, orthant": (
        lambda **o: rg.MulticlassGradientDescent(rg.Softmax(), 0.2, rg.Orthant(), **o),
        R.softmax, lambda: R.constant(0.2), {"project": R.orthant},
    ),
    "hinge, box": (
        lambda **o: rg.MulticlassGradientDescent(None, 0.05, Box, **o),
        R.hinge(1.0), lambda: R.constant(0.05), {"project": lambda W: np.clip(W, -0.2, 0.3)},
    ),
    "softmax, L1 ball": (
        lambda **o: rg.MulticlassGradientDescent(rg.Softmax(), 0.2, rg.L1Ball(2.0), **o),
        R.softmax, lambda: R.constant(0.2),
        {"project": lambda W: rg.L1Ball(2.0).project(W.ravel()).reshape(W.shape)},
    ),
    "hinge, l2": (
        lambda **o: rg.MulticlassGradientDescent(rate=rg.InverseSqrt(0.3), l2=0.2, **o),
        R.hinge(1.0), lambda: R.inverse_sqrt(0.3), {"l2": 0.2},
    ),
}  # fmt: skip


def event(row):
    return {f"f{i}": float(v) for i, v in enumerate(row) if v}


FORMS = {"dense": lambda X: X, "csr": csr_array, "dict": lambda X: [event(row) for row in X]}


def weights_of(learner, form):
    """Labels × features, in the order of the reference."""
    if form != "dict":
        return learner.weights
    names = learner.named_weights()
    return np.array([[names[label].get(f"f{i}", 0.0) for i in range(N)] for label in learner.labels])


# 1e-12 of the largest weight: 1,000 rounds that each add a unit of the last place stay far below it.
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CASES)
def test_follows_its_reference(name, form):
    make, pay, rate, options = CASES[name]
    run = R.play(X, Y, pay, rate(), weights=WEIGHTS, **options)
    learner = make()
    paid = learner.learn_many(FORMS[form](X), Y, WEIGHTS)
    assert paid.tolist() == run.predictions
    assert list(learner.labels) == run.labels
    W, size = run.iterates[-1], max(1.0, max(np.abs(M).max() for M in run.iterates[1:]))
    np.testing.assert_allclose(weights_of(learner, form), W, rtol=0, atol=1e-12 * size)
    np.testing.assert_allclose(learner.last_losses, run.losses, rtol=0, atol=1e-11 * size)
    account = learner.ledger
    A = account.A
    assert account.loss == pytest.approx(WEIGHTS @ run.losses, rel=1e-12)
    assert account.mistakes == sum(p != y for p, y in zip(run.predictions, Y, strict=True))
    assert pytest.approx(run.A, rel=1e-11) == A
    assert account.squares2 == pytest.approx(run.squares, rel=1e-12)
    G = account.G.reshape(-1, account.labels).T
    if form != "dict":
        np.testing.assert_allclose(G, run.G, rtol=0, atol=1e-11 * max(1.0, np.abs(run.G).max()))
    assert account.max_norm2 >= run.most * (1 - 1e-12)
    if "softmax" not in name:
        assert account.max_norm2 == pytest.approx(np.sqrt(2.0) * np.linalg.norm(X[1:], axis=1).max(), rel=1e-12)


@pytest.mark.parametrize("name", ["perceptron", "softmax, ball"])
def test_labels_named_beforehand_come_first(name):
    make, pay, rate, options = CASES[name]
    given = NAMES[::-1].tolist()
    run = R.play(X, Y, pay, rate(), labels=given, **options)
    learner = make(labels=given)
    assert learner.learn_many(X, Y).tolist() == run.predictions
    assert learner.labels == tuple(given)
    np.testing.assert_allclose(learner.weights, run.iterates[-1], rtol=0, atol=1e-11)


@pytest.mark.parametrize("form", FORMS)
def test_an_intercept_is_a_feature_that_is_always_1(form):
    one, other = (rg.MulticlassGradientDescent(rg.Softmax(), 0.1, intercept=kept) for kept in (True, False))
    one.learn_many(FORMS[form](X), Y)
    other.learn_many(np.hstack([X, np.ones((ROUNDS, 1))]), Y)
    np.testing.assert_allclose(weights_of(one, form), other.weights[:, :N], rtol=0, atol=1e-12)
    np.testing.assert_allclose(one.intercept, other.weights[:, N], rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_averages_and_the_random_iterate_are_those_of_the_iterates_that_played(name):
    make, pay, rate, options = CASES[name]
    rounds = 200
    run = R.play(X[:rounds], Y[:rounds], pay, rate(), **options)
    learner = make(keep=("average", "weighted", "random"))
    learner.learn_many(X[:rounds], Y[:rounds])
    K = len(run.labels)
    played = np.array([np.vstack([W, np.zeros((K - len(W), N))]) for W in run.iterates[:-1]])
    np.testing.assert_allclose(learner.average().weights, played.mean(axis=0), rtol=0, atol=1e-12)
    shares = 2.0 * np.arange(2, rounds + 2) / (rounds * (rounds + 3))
    np.testing.assert_allclose(learner.weighted_average().weights, np.tensordot(shares, played, 1), rtol=0, atol=1e-12)
    drawn = learner.random_iterate()
    assert np.abs(played - drawn.weights).max(axis=(1, 2)).min() < 1e-12
    assert drawn.predict_many(X[:20]).tolist() == [drawn.predict_one(x) for x in X[:20]]
    assert learner.last().predict_many(X[:20]).tolist() == learner.predict_many(X[:20]).tolist()


def test_the_random_iterate_is_uniform():
    """The count of each of 10 iterates over 3,000 seeds: χ² with 9 degrees of freedom is below 27.9 but for 0.1%."""
    W = np.array(R.play(X[:10], Y[:10], R.softmax, R.constant(0.5), labels=NAMES).iterates[:-1])
    counts = np.zeros(10)
    for seed in range(3000):
        learner = rg.MulticlassGradientDescent(rg.Softmax(), 0.5, labels=NAMES, keep=("random",), seed=seed)
        learner.learn_many(X[:10], Y[:10])
        counts[np.abs(W - learner.random_iterate().weights).max(axis=(1, 2)).argmin()] += 1
    assert ((counts - 300.0) ** 2 / 300.0).sum() < 27.9


def test_with_two_labels_the_perceptron_is_the_binary_one():
    """w₊ = −w₋ = w, so that the difference of the scores is twice the binary prediction."""
    X = np.random.default_rng(5).normal(size=(ROUNDS, N))
    y = np.where(X @ np.linspace(-1.0, 1.0, N) + X[:, 0] ** 2 > 1.0, 1, -1)
    # At 0 the first label is predicted; let it be wrong, as p = 0 is in the binary game.
    learner, binary = rg.MulticlassPerceptron(labels=(-y[0], y[0])), rg.Perceptron()
    said, p = learner.learn_many(X, y), binary.learn_many(X, y)
    assert (said[1:] == np.sign(p[1:])).all()
    assert 100 < binary.ledger.mistakes < 900
    np.testing.assert_allclose(learner.weights, np.outer(learner.labels, binary.weights), rtol=0, atol=1e-12)
    assert learner.ledger.mistakes == binary.ledger.mistakes


def test_with_two_labels_the_softmax_is_the_logistic_loss():
    """s₊ − s₋ = 2p with the rate of one half, and the losses are the same."""
    y = np.where(X @ np.linspace(-1.0, 1.0, N) > 0.1, 1, -1)
    learner = rg.MulticlassGradientDescent(rg.Softmax(), 0.15, labels=(-1, 1))
    binary = rg.GradientDescent(rg.Logistic(), 0.3)
    learner.learn_many(X, y)
    p = binary.learn_many(X, y)
    np.testing.assert_allclose(learner.last_losses, np.logaddexp(0.0, -y * p), rtol=0, atol=1e-12)
    np.testing.assert_allclose(2.0 * learner.weights[1], binary.weights, rtol=0, atol=1e-12)


def test_a_loss_of_scores_in_python_does_what_the_built_in_one_does():
    class Mine(rg.MulticlassLoss):
        def value(self, scores, y):
            return R.softmax(np.asarray(scores), y)[0]

        def slope(self, scores, y):
            return R.softmax(np.asarray(scores), y)[1]

    one, other = (rg.MulticlassGradientDescent(loss, 0.2, rg.Ball(1.0)) for loss in (Mine(), rg.Softmax()))
    assert one.learn_many(X, Y).tolist() == other.learn_many(X, Y).tolist()
    np.testing.assert_allclose(one.weights, other.weights, rtol=0, atol=1e-12)


@pytest.mark.parametrize("loss", [rg.MulticlassHinge(), rg.MulticlassHinge(0.0), rg.Softmax()], ids=repr)
def test_losses_of_scores_are_convex_with_that_slope(loss):
    rng = np.random.default_rng(3)
    for _ in range(200):
        s, u = rng.normal(size=(2, 5)) * 3.0
        y = int(rng.integers(5))
        g = loss.slope(s, y)
        assert loss.value(u, y) >= loss.value(s, y) + g @ (u - s) - 1e-12
        assert g.sum() == pytest.approx(0.0, abs=1e-12)
        assert np.linalg.norm(g) <= np.sqrt(2.0) + 1e-12
        assert loss.value(s + 7.0, y) == pytest.approx(loss.value(s, y), abs=1e-12)


def test_softmax_keeps_its_digits_far_out():
    loss = rg.Softmax()
    assert loss.value([1000.0, 0.0], 0) == 0.0
    assert loss.value([-1000.0, 0.0], 0) == 1000.0
    assert loss.slope([40.0, 0.0], 0)[0] == pytest.approx(-np.exp(-40.0), rel=1e-12)
