"""The references themselves: hand-computed steps, projections against a QP, and the bounds of the notes.

Nothing here touches regretful: a reference that is wrong must not be able to agree with it.
"""

import numpy as np
import pytest
from scipy.optimize import minimize

from . import followers as F
from . import learners as L
from . import losses as S
from . import projections as P
from . import sampling as A

RNG = np.random.default_rng(3)
X = RNG.normal(size=(400, 5))
Y = np.sign(X @ RNG.normal(size=5) + RNG.normal(size=400))


def test_gradient_descent_by_hand():
    run = L.gradient_descent(
        np.array([[1.0, 2.0], [1.0, 0.0]]), [1.0, 0.0], S.squared(), L.constant(0.1), P.everywhere()
    )
    np.testing.assert_allclose(run.iterates, [[0, 0], [0.2, 0.4], [0.16, 0.4]])
    np.testing.assert_allclose(run.predictions, [0, 0.2])


def test_exponentiated_gradient_by_hand():
    run = L.exponentiated_gradient(np.array([[1.0, 0.0]]), [1.0], S.absolute(), L.constant(np.log(3.0)))
    np.testing.assert_allclose(run.iterates, [[0.5, 0.5], [0.75, 0.25]])


def test_egpm_by_hand():
    run = L.eg_plus_minus(np.array([[1.0]]), [1.0], S.absolute(), L.constant(np.log(3.0)), 2.0)
    np.testing.assert_allclose(run.iterates, [[0.0], [2 * (3 - 1 / 3) / (3 + 1 / 3)]])


def test_the_p_link_inverts_the_gradient_of_half_the_squared_q_norm():
    w, p = np.array([0.3, -2.0, 0.0, 1.1]), 3.5
    q = p / (p - 1)
    theta = np.sign(w) * np.abs(w) ** (q - 1) / np.linalg.norm(w, q) ** (q - 2)
    np.testing.assert_allclose(L.p_link(theta, p), w, rtol=1e-13)  # a few roundings of powers


def test_adagrad_and_ftrl_proximal_by_hand():
    run = F.adagrad(np.array([[2.0, 0.0]]), [1.0], S.squared(), L.constant(0.1))
    np.testing.assert_allclose(run.iterates[1], [0.1, 0.0])
    run = F.ftrl_proximal(np.array([[2.0, 0.1]]), [1.0], S.squared(), 0.5, 1.0, 1.0, 3.0)
    np.testing.assert_allclose(run.iterates[1], [3.0 / (5 / 0.5 + 3.0), 0.0])


def test_passive_aggressive_by_hand():
    run = L.passive_aggressive(np.array([[2.0], [2.0]]), [1.0, -1.0], 0.3)
    np.testing.assert_allclose(run.iterates[:, 0], [0.0, 0.5, -0.1])


def test_averages_by_hand():
    iterates = np.array([[0.0], [1.0], [5.0], [9.0]])
    assert F.average(iterates) == pytest.approx([2.0])
    assert F.weighted_average(iterates) == pytest.approx([(2 * 0 + 3 * 1 + 4 * 5) / 9])


@pytest.mark.parametrize(
    ("project", "bounds", "constraint"),
    [
        (P.ball(0.7), None, {"type": "ineq", "fun": lambda u: 0.49 - u @ u}),
        (P.simplex(1.5), [(0, None)] * 4, {"type": "eq", "fun": lambda u: u.sum() - 1.5}),
        (P.box(-0.2, 0.4), [(-0.2, 0.4)] * 4, ()),
        (P.orthant(), [(0, None)] * 4, ()),
    ],
    ids=["ball", "simplex", "box", "orthant"],
)
def test_projections_against_a_quadratic_program(project, bounds, constraint):
    for w in np.random.default_rng(5).normal(size=(20, 4)):
        best = minimize(
            lambda u, w=w: (u - w) @ (u - w),
            np.full(4, 0.3),
            jac=lambda u, w=w: 2 * (u - w),
            bounds=bounds,
            constraints=constraint,
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 500},
        )
        np.testing.assert_allclose(project(w), best.x, atol=1e-5)  # SLSQP's own accuracy


def test_the_l1_projection_against_a_quadratic_program():
    pairs = np.hstack([np.eye(4), -np.eye(4)])  # u = pairs @ v, v >= 0, sum v <= 0.8
    for w in np.random.default_rng(6).normal(size=(20, 4)):
        best = minimize(
            lambda v, w=w: ((pairs @ v - w) ** 2).sum(),
            np.full(8, 0.05),
            bounds=[(0, None)] * 8,
            method="SLSQP",
            jac=lambda v, w=w: 2 * pairs.T @ (pairs @ v - w),
            constraints={"type": "ineq", "fun": lambda v: 0.8 - v.sum()},
            options={"ftol": 1e-14, "maxiter": 500},
        )
        np.testing.assert_allclose(P.l1_ball(0.8)(w), pairs @ best.x, atol=1e-5)


def regret(run, loss, u):
    """The loss of the run minus the loss of the fixed u."""
    return loss.value(run.predictions, Y).sum() - loss.value(X @ u, Y).sum()


def test_theorem_2_1_of_000_gradient_descent():
    loss, eta, run_of = S.logistic(), 0.05, L.gradient_descent
    run = run_of(X, Y, loss, L.constant(eta), P.everywhere())
    squares = (loss.slope(run.predictions, Y) ** 2 * (X**2).sum(axis=1)).sum()
    for u in np.random.default_rng(1).normal(size=(50, 5)):
        assert regret(run, loss, u) <= u @ u / (2 * eta) + eta * squares / 2


def test_theorem_3_1_of_000_exponentiated_gradient():
    loss, eta = S.hinge(), 0.05
    run = L.exponentiated_gradient(X, Y, loss, L.constant(eta))
    bound = np.log(5) / eta + eta * (np.abs(X).max() ** 2) * len(Y) / 2
    for u in [*np.eye(5), *np.random.default_rng(1).dirichlet(np.ones(5), 50)]:
        assert regret(run, loss, u) <= bound


def test_an_implicit_step_minimises_loss_plus_distance():
    """Equation (4) of 003, with the weight of the example in the loss."""
    loss, eta, weight = S.logistic(), 0.7, 1.6
    run = L.gradient_descent(X[:30], Y[:30], loss, L.constant(eta), P.everywhere(), np.full(30, weight), implicit=True)
    for w, after, x, label in zip(run.iterates, run.iterates[1:], X, Y, strict=False):
        gradient = eta * weight * loss.slope(after @ x, label) * x + after - w
        assert np.abs(gradient).max() < 1e-13  # zero, up to the rounding of numbers of size one


def test_projected_gradient_keeps_theorem_5_of_004():
    loss, eta, project = S.hinge(), 0.02, P.l1_ball(0.8)
    run = L.gradient_descent(X, Y, loss, L.constant(eta), project)
    bound = eta * len(Y) * (X**2).sum(axis=1).max() / 2
    for u in np.random.default_rng(2).normal(size=(50, 5)):
        assert regret(run, loss, project(u)) <= project(u) @ project(u) / (2 * eta) + bound


@pytest.mark.parametrize("project", [P.ball(0.3), P.simplex(), P.box(-0.1, 0.2)], ids=["ball", "simplex", "box"])
def test_the_lazy_leader_minimises_its_objective(project):
    run = F.lazy(X[:40], Y[:40], S.logistic(), L.inverse_sqrt(0.3), F.euclidean_leader(project))
    G = (S.logistic().slope(run.predictions, Y[:40])[:, None] * X[:40]).sum(axis=0)
    eta, w = 0.3 / np.sqrt(40), run.iterates[-1]
    for u in np.random.default_rng(4).normal(size=(200, 5)):
        assert G @ w + w @ w / (2 * eta) <= G @ project(u) + project(u) @ project(u) / (2 * eta) + 1e-12


def test_the_entropy_leader_minimises_its_objective():
    run = F.lazy(X[:40], Y[:40], S.logistic(), L.inverse_sqrt(0.3), F.entropy_leader())
    G = (S.logistic().slope(run.predictions, Y[:40])[:, None] * X[:40]).sum(axis=0)
    eta, w = 0.3 / np.sqrt(40), run.iterates[-1]
    for u in np.random.default_rng(4).dirichlet(np.ones(5), 200):
        assert G @ w + F.negative_entropy(w) / eta <= G @ u + F.negative_entropy(u) / eta + 1e-12


def test_selective_sampling_by_hand():
    """p = 0 is asked about for sure; then p = 2, and b/(b + |p|) = 1/3: a coin of 0.3 asks, one of 0.4 does not."""
    X, y = np.array([[1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]), np.array([1.0, -1.0, -1.0, 1.0])
    run = A.perceptron(X, y, 1.0, [0.99, 0.4, 0.3, 0.99])
    np.testing.assert_array_equal(run.predictions, [0, 2, 2, 0])
    np.testing.assert_array_equal(run.asked, [True, False, True, True])
    np.testing.assert_array_equal(run.iterates, [[0, 0], [1, 1], [1, 1], [0, 0], [1, 1]])
    u = np.array([0.5, 0.5])
    np.testing.assert_array_equal(A.slacks(X, y, u, 1.0), [0, 2, 2, 0])
    assert A.most_mistakes(1.0, np.sqrt(2.0), u, 1.0, 4.0) == pytest.approx(2 * 4 + 0.5 * 16 / 8)
