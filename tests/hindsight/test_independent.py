"""Held against an independent solver, CVXPY with Clarabel: 300 random problems over every pair of loss and domain.

No certificate lies above the true optimum, and hindsight's lower ≤ optimum ≤ loss, whatever gap it was asked for.
"""

import warnings

import numpy as np
import pytest

import regretful as rg
from tests.hindsight.problems import name

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of CVXPY, about solvers that are not installed
    import cvxpy as cp

N, SEEDS = 3, range(5)

# Each loss again, from its definition: at predictions p and labels y.
LOSSES = [
    (rg.Squared(), lambda p, y: cp.square(p - y)),
    (rg.Absolute(), lambda p, y: cp.abs(p - y)),
    (rg.Quantile(0.3), lambda p, y: cp.maximum(0.3 * (y - p), 0.7 * (p - y))),
    (rg.Huber(0.5), lambda p, y: 0.5 * cp.huber(p - y, 0.5)),
    (rg.EpsilonInsensitive(0.2), lambda p, y: cp.pos(cp.abs(p - y) - 0.2)),
    (rg.Logistic(), lambda p, y: cp.logistic(-cp.multiply(y, p))),
    (rg.Hinge(), lambda p, y: cp.pos(1.0 - cp.multiply(y, p))),
    (rg.SquaredHinge(), lambda p, y: cp.square(cp.pos(1.0 - cp.multiply(y, p)))),
    (rg.Poisson(), lambda p, y: cp.exp(p) - cp.multiply(y, p)),
    (rg.LogWealth(), lambda p, y: -cp.log(p)),
]
LOW, HIGH = np.array([-0.4, 0.1, -0.2]), np.array([0.3, 0.6, 0.9])
DOMAINS = [
    (rg.Everywhere(), lambda w: []),
    (rg.Ball(0.8), lambda w: [cp.norm2(w) <= 0.8]),
    (rg.L1Ball(0.9), lambda w: [cp.norm1(w) <= 0.9]),
    (rg.Simplex(1.2), lambda w: [w >= 0.0, cp.sum(w) == 1.2]),
    (rg.Box(LOW, HIGH), lambda w: [w >= LOW, w <= HIGH]),
    (rg.Orthant(), lambda w: [w >= 0.0]),
]


def problem(loss, seed):
    """X, y, and weights of the examples, some of them 0."""
    rng = np.random.default_rng([seed, 7])
    rows = int(rng.integers(4, 16))
    X = rng.normal(size=(rows, N)) * (rng.random((rows, N)) < 0.8)
    c = rng.choice([0.0, 0.5, 1.0, 2.0], rows)
    c[0] = 1.0
    if isinstance(loss, rg.LogWealth):
        return np.exp(0.3 * X), np.zeros(rows), c
    scores = X @ rng.normal(size=N) + rng.normal(size=rows)
    if loss.classification:
        return X, np.where(scores > 0.0, 1.0, -1.0), c
    return X, np.round(np.exp(0.4 * scores)) if isinstance(loss, rg.Poisson) else scores, c


def optimum(charge, constraints, X, y, c, radius):
    """The least Σ c ℓ over the domain, within a radius where one is given; and what Clarabel may be off by."""
    w = cp.Variable(N)
    walls = constraints(w) + ([] if radius is None else [cp.norm2(w) <= radius])
    paid = np.flatnonzero(c)
    task = cp.Problem(cp.Minimize(c[paid] @ charge(X[paid] @ w, y[paid])), walls)
    for tol in (1e-10, 1e-8, 1e-6):  # the finest it reaches: not the first where the radius is in the thousands
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            task.solve(solver=cp.CLARABEL, tol_gap_abs=tol, tol_gap_rel=tol, tol_feas=tol)
        if task.status == cp.OPTIMAL:
            break
    assert task.status == cp.OPTIMAL
    return float(task.value), 10.0 * max(tol, 1e-8) * (1.0 + abs(task.value))


def student(loss, seed):
    """Somebody who plays, well or badly; of log-wealth, with weights that stay positive."""
    if isinstance(loss, rg.LogWealth):
        return rg.ExponentiatedGradient(loss, [0.01, 0.3][seed % 2], n=N)
    return [
        rg.GradientDescent(loss, 0.05),
        rg.AdaGrad(loss, 0.5),
        rg.GradientDescent(loss, rg.InverseSqrt(0.3), rg.Ball(0.8)),
        rg.FTRLProximal(0.3, l1=0.1, loss=loss),
        rg.ExponentiatedGradient(loss, 0.2, rg.L1Ball(0.9), n=N),
    ][seed % 5]


@pytest.mark.parametrize(("domain", "constraints"), DOMAINS, ids=[name(domain) for domain, _ in DOMAINS])
@pytest.mark.parametrize(("loss", "charge"), LOSSES, ids=[name(loss) for loss, _ in LOSSES])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_optimum_lies_where_it_is_said_to(loss, charge, domain, constraints, seed):
    X, y, c = problem(loss, seed)
    tol = [1e-2, 1e-4, 1e-6, 1e-8, 1e-6][seed]
    labels = None if isinstance(loss, rg.LogWealth) else y
    best = rg.hindsight(loss, domain, X, labels, weight=c, tol=tol)
    least, near = optimum(charge, constraints, X, y, c, best.radius)
    assert best.lower <= least + near
    assert least <= best.loss + near
    assert best.gap <= tol
    assert best.loss - least <= tol * max(1.0, abs(best.loss)) + near  # the gap is no smaller than the truth

    learner = student(loss, seed)
    learner.learn_many(X, labels, c)
    within = domain if best.radius is None else rg.Ball(best.radius)
    if best.radius is not None:
        assert learner.ledger.certificate(domain).best_loss_at_least <= least + near
        least, near = optimum(charge, lambda w: [], X, y, c, best.radius)
    assert learner.ledger.certificate(within).best_loss_at_least <= least + near
