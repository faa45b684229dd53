"""The bounds of THEOREMS.md rows 6, 7, 10 and 14, on streams that meet their hypotheses."""

import numpy as np
import pytest

import regretful as rg


def separable(seed, u, margin, rounds=1500):
    """Examples in the cube [-1, 1]^n with y <u, x> >= margin."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(40 * rounds, len(u)))
    X = X[np.abs(X @ u) >= margin][:rounds]
    assert len(X) == rounds
    return X, np.sign(X @ u)


@pytest.mark.parametrize("n", [20, 200])
def test_row_6_winnow_makes_few_mistakes_on_a_sparse_target(n):
    """Margin gamma for a u in the simplex, eta = gamma/R^2: at most 2 R^2 ln n/gamma^2 mistakes."""
    u = np.zeros(n)
    u[:2] = 0.5
    X, y = separable(n, u, margin=0.4)
    margin, R = (y * (X @ u)).min(), np.abs(X).max()
    learner = rg.Winnow(margin / R**2)
    predictions = np.asarray(learner.learn_many(X, y))
    mistakes = int((y * predictions <= 0).sum())
    assert learner.ledger.mistakes == mistakes
    assert 0 < mistakes <= 2 * R**2 * np.log(n) / margin**2


@pytest.mark.parametrize("n", [3, 10, 100])
def test_row_10_the_perceptron_makes_few_mistakes_whatever_the_dimension(n):
    """004, Theorem 1: at most ||u||^2 R^2/gamma^2 mistakes."""
    u = np.zeros(n)
    u[0] = 1.0
    X, y = separable(n, u, margin=0.5)
    margin, R = (y * (X @ u)).min(), np.linalg.norm(X, axis=1).max()
    learner = rg.Perceptron()
    predictions = np.asarray(learner.learn_many(X, y))
    mistakes = int((y * predictions <= 0).sum())
    assert learner.ledger.mistakes == mistakes
    assert 0 < mistakes <= (u @ u) * R**2 / margin**2


def test_row_10_is_attained_by_orthonormal_examples():
    """n orthonormal examples, u = sum y_i e_i/sqrt n: the margin is 1/sqrt n, and all n are mistakes."""
    learner = rg.Perceptron()
    y = np.where(np.arange(50) % 3 == 0, 1.0, -1.0)
    learner.learn_many(np.eye(50), y)
    assert learner.ledger.mistakes == 50


@pytest.mark.parametrize("eta", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("noise", [0.0, 0.5])
def test_row_14_widrow_hoff(eta, noise):
    """003, Theorem 1.1, ||x|| <= 1: L <= min over u of L_u/(1 - eta) + ||u||^2/eta, a ridge regression."""
    rng = np.random.default_rng(14)
    X = rng.normal(size=(1000, 6))
    X /= np.maximum(1.0, np.linalg.norm(X, axis=1, keepdims=True))
    y = X @ rng.normal(size=6) + noise * rng.normal(size=1000)
    u = np.linalg.solve(X.T @ X / (1 - eta) + np.eye(6) / eta, X.T @ y / (1 - eta))
    bound = ((X @ u - y) ** 2).sum() / (1 - eta) + u @ u / eta
    learner = rg.WidrowHoff(eta)
    predictions = np.asarray(learner.learn_many(X, y))
    loss = ((predictions - y) ** 2).sum()
    assert loss <= bound
    assert learner.ledger.loss == pytest.approx(loss, rel=1e-12)  # the same sum in another order
    assert loss >= 0.05 * bound  # the bound is not idle on this stream


class Linear(rg.Loss):
    """f(p) = y p, the losses with which nature fools the leader."""

    def value(self, p, y):
        return y * p

    def slope(self, p, y):
        return y


def test_row_7_the_leader_fails():
    """001: on theta/2, -theta, theta, ... over [-1, 1] the leader loses 0, 1, 1, ...; regret T - 1/2."""
    T = 100
    y = np.where(np.arange(T) % 2 == 0, 1.0, -1.0)
    y[0] = 0.5
    learner = rg.FollowTheLeader(Linear(), rg.Box(-1.0, 1.0))
    losses = [label * learner.learn_one(np.array([1.0]), label) for label in y]
    # The leader sits at a corner of the box: a projection reaches it exactly, a solver to its tolerance.
    np.testing.assert_allclose(losses, [0.0] + [1.0] * (T - 1), atol=1e-6)
    assert sum(losses) - -abs(y.sum()) == pytest.approx(T - 0.5, abs=1e-4)
