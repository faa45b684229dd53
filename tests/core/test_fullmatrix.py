"""The full-matrix geometry: its steps against the formula, a QP solver and the KKT conditions."""

import contextlib

import cvxpy as cp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regretful as rg
from regretful.checks import parts, steps
from tests.references import markets as M


def learner(n, lazy=False, epsilon=1.0, rate=1.0, **options):
    rule = rg.FollowTheRegularizedLeader if lazy else rg.MirrorDescent
    return rule(rg.LogWealth(), rg.FullMatrix(epsilon), rg.Simplex(), rate, n=n, **options)


def market(rounds, n, seed=0, size=0.2):
    return np.exp(size * np.random.default_rng(seed).normal(size=(rounds, n)))


def path(made, X):
    found = [made.weights]
    for x in X:
        made.learn_one(x)
        found.append(made.weights)
    return np.array(found)


def state(made):
    kept = made._state()["geometry"]
    return kept["A"].reshape(made.n, made.n), kept["M"].reshape(made.n, made.n), kept["free"].astype(bool)


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize(("n", "epsilon", "rate", "size"), [(2, 1.0, 2.0, 0.3), (4, 0.1, 4.0, 0.5), (5, 3.0, 3.0, 1.0)])
def test_the_steps_are_those_of_the_formula(lazy, n, epsilon, rate, size):
    X = market(120, n, seed=n, size=size)
    want = M.newton(X, rate, epsilon, lazy)
    found = path(learner(n, lazy, epsilon, rate), X)
    # The reference solves with A directly, whose condition number is up to 1e5.
    np.testing.assert_allclose(found, want, atol=1e-10)
    assert (want == 0.0).any()
    assert ((want > 0.0).sum(axis=1) > 1).any()


@pytest.mark.parametrize("lazy", [False, True])
def test_a_step_is_the_argmin_of_a_quadratic_program(lazy):
    n, rate = 12, 1.0
    made, total = learner(n, lazy, 0.5, rate), np.zeros(n)
    for t, x in enumerate(market(60, n, seed=1, size=0.6)):
        w = made.weights
        g = -x / (w @ x)
        total += g
        made.learn_one(x)
        if t % 6:
            continue
        A = state(made)[0]
        v = np.linalg.solve(A, -rate * total) if lazy else w - rate * np.linalg.solve(A, g)
        u = cp.Variable(n)
        chol = np.linalg.cholesky(A)
        cp.Problem(cp.Minimize(cp.sum_squares(chol.T @ (u - v))), [u >= 0, cp.sum(u) == 1]).solve(solver="CLARABEL")
        far = lambda u, A=A, v=v: (u - v) @ A @ (u - v)  # noqa: E731
        # Clarabel stops at 1e-8; ours may only be nearer.
        assert far(made.weights) <= far(u.value) * (1.0 + 1e-7) + 1e-9
        np.testing.assert_allclose(made.weights, u.value, atol=2e-5)


def conditions(made, w, x, rate, lazy, total):
    """How far the Karush-Kuhn-Tucker conditions are from met, relative to the size of A."""
    A, _, _ = state(made)
    g = -x / (w @ x)
    u = made.weights
    slope = A @ u + rate * total if lazy else A @ (u - w) + rate * g
    level = (slope @ u) / u.sum()
    held = u > 0.0
    size = max(np.abs(slope).max(), np.diag(A).max())
    assert u.min() >= 0.0
    assert abs(u.sum() - 1.0) < 1e-14
    return max(np.abs(slope[held] - level).max(), (level - slope[~held]).max(initial=0.0)) / size


@settings(max_examples=60)
@given(
    st.integers(1, 9), st.integers(0, 10**6), st.booleans(),
    st.sampled_from([1e-8, 1e-2, 1.0, 1e6]), st.sampled_from([1e-3, 0.3, 10.0]), st.sampled_from([0.01, 0.5, 3.0]),
)  # fmt: skip
def test_every_step_meets_the_conditions_of_a_minimum(n, seed, lazy, epsilon, rate, size):
    made, total = learner(n, lazy, epsilon, rate), np.zeros(n)
    for x in market(30, n, seed, size):
        w = made.weights
        total += -x / (w @ x)
        made.learn_one(x)
        assert conditions(made, w, x, rate, lazy, total) < 1e-11


def test_the_inverse_is_one_after_many_rounds():
    n = 8
    made = learner(n, epsilon=1e-3, rate=3.0)
    X = market(20_000, n, seed=2, size=0.3) * np.linspace(1.0, 1.3, n)  # some are better than others
    made.learn_many(X)
    A, inverse, free = state(made)
    assert 1 < free.sum() < n
    np.testing.assert_allclose(inverse[np.ix_(free, free)] @ A[np.ix_(free, free)], np.eye(free.sum()), atol=1e-6)
    assert (inverse[~free] == 0.0).all()
    w = made.weights
    made.learn_one(X[0])
    assert conditions(made, w, X[0], 3.0, False, None) < 1e-11


@pytest.mark.parametrize("lazy", [False, True])
def test_ties_and_a_single_asset(lazy):
    made = learner(3, lazy)
    made.learn_many(np.ones((50, 3)))
    np.testing.assert_allclose(made.weights, 1.0 / 3.0, rtol=1e-12)
    made.learn_many(np.tile([2.0, 1.0, 1.0], (50, 1)))
    assert made.weights[1] == pytest.approx(made.weights[2], abs=1e-9)
    alone = learner(1, lazy)
    alone.learn_many([[2.0], [0.5]])
    assert alone.weights.tolist() == [1.0]


def test_other_losses_and_simplices():
    # The squared loss by the formula: g = 2(p - y) x, the nearest point of a simplex of sum 3 in A's norm.
    X = np.random.default_rng(0).normal(size=(60, 4))
    y = X @ [2.0, 1.0, 0.0, 0.0]
    made = rg.MirrorDescent(rg.Squared(), rg.FullMatrix(1.0), rg.Simplex(3.0), 1.0, n=4, keep=("average",))
    w, A, path = np.full(4, 0.75), np.eye(4), []
    for x, label in zip(X, y, strict=True):
        np.testing.assert_allclose(made.weights, w, atol=1e-10)
        path.append(w)
        made.learn_one(x, label)
        g = 2.0 * (w @ x - label) * x
        A = A + np.outer(g, g)
        w = 3.0 * M.nearest((w - np.linalg.solve(A, g)) / 3.0, A)
    np.testing.assert_allclose(made.average().weights, np.mean(path, axis=0), atol=1e-10)


def test_what_it_does_not_take():
    with pytest.raises(
        ValueError, match=r"FullMatrix\(epsilon=1\.0\) knows how to come back to Simplex\(scale\), not to Ball"
    ):
        rg.MirrorDescent(rg.Squared(), rg.FullMatrix(), rg.Ball(1.0), n=3)
    with pytest.raises(ValueError, match=r"adapts by itself, and does not go with Adaptive.*: give a number"):
        rg.MirrorDescent(rg.Squared(), rg.FullMatrix(), rg.Simplex(), rg.Adaptive(1.0), n=3)
    with pytest.raises(ValueError, match="epsilon must be"):
        rg.FullMatrix(0.0)
    with pytest.raises(ValueError, match="at least one feature"):
        learner(None).learn_many(np.ones((2, 0)))


def test_it_goes_on_from_a_file_bit_for_bit(tmp_path):
    X = market(200, 6, size=0.5)
    for lazy in (False, True):
        whole, half = learner(6, lazy), learner(6, lazy)
        whole.learn_many(X)
        half.learn_many(X[:90])
        half.save(tmp_path / "half")
        again = rg.load(tmp_path / "half")
        again.learn_many(X[90:])
        assert again.weights.tolist() == whole.weights.tolist()
        assert repr(again.geometry) == "FullMatrix(epsilon=1.0)"


def test_settings_and_state_are_kept_as_those_of_every_geometry():
    # That steps lower the loss is not asked of it: lazy, with a rate far below 1, what it holds back with grows as fast
    # as what it has learnt.
    for geometry in (rg.FullMatrix(), rg.FullMatrix(0.01)):
        parts.settings_make_it_again(geometry)
        steps.geometry_state_is_kept(geometry)


@settings(max_examples=150)
@given(
    st.integers(1, 5), st.integers(0, 10**6), st.booleans(), st.floats(-12.0, 12.0), st.floats(-3.0, 3.0),
    st.sampled_from([5, 30, 60, 150]),
)  # fmt: skip
def test_weights_stay_on_the_simplex_whatever_the_numbers(n, seed, lazy, epsilon, rate, size):
    made = learner(n, lazy, 10.0**epsilon, 10.0**rate)
    for x in 10.0 ** np.random.default_rng(seed).uniform(-size, size, (15, n)):
        with contextlib.suppress(ValueError):  # the loss itself may be beyond a double, and says so
            made.learn_one(x)
        w = made.weights
        assert np.isfinite(w).all()
        assert w.min() >= 0.0
        assert abs(w.sum() - 1.0) < 1e-13
    assert made.rounds == 15 or size > 30
