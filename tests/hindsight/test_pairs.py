"""Every loss over every domain: the gap is closed, and honest."""

import numpy as np
import pytest
from scipy import sparse

import regretful as rg
from regretful.hindsight import hindsight, models
from regretful.hindsight import program as linear
from tests.hindsight.problems import DOMAINS, LOSSES, cost, impossible, name, problem

every_loss = pytest.mark.parametrize("loss", LOSSES, ids=name)
every_domain = pytest.mark.parametrize("domain", DOMAINS, ids=name)


def attack(best, loss, domain, X, y, c, seed=1):
    """Nobody near or far in the domain beats the bound."""
    rng = np.random.default_rng(seed)
    n = X.shape[1]
    slack = 1e-12 * (1.0 + abs(best.loss))
    for scale in np.geomspace(1e-7, 10.0, 40):
        for _ in range(4):
            u = domain.project(best.weights + scale * rng.normal(size=n))
            if best.radius is not None and np.linalg.norm(u) > best.radius:
                continue
            assert cost(loss, X, y, c, u) >= best.lower - slack


@every_loss
@every_domain
def test_the_gap_is_closed_and_the_bound_holds(loss, domain):
    X, y, c = problem(loss)
    if impossible(loss, domain):
        with pytest.raises(ValueError, match="unbounded"):
            hindsight(loss, domain, X, y)
        return
    best = hindsight(loss, domain, X, y, weight=c)
    assert best.lower <= best.loss
    assert best.gap <= 1e-6, best
    assert best.gap == pytest.approx((best.loss - best.lower) / max(1.0, abs(best.loss)))
    assert domain.contains(best.weights)
    assert best.loss == pytest.approx(cost(loss, X, y, c, best.weights), rel=1e-12, abs=1e-12)
    attack(best, loss, domain, X, y, c)
    if domain in (DOMAINS[0], DOMAINS[6], DOMAINS[7]):
        # A vector scaled onto the sphere has the radius' norm up to the rounding of the scale and of the norm.
        assert np.linalg.norm(best.weights) <= best.radius * (1.0 + 1e-15)
    else:
        assert best.radius is None
        assert best.attained


@every_loss
@every_domain
def test_gradients_alone_find_the_same(loss, domain, monkeypatch):
    """As for many features: no Hessian, no linear program."""
    X, y, c = problem(loss, seed=3)
    if impossible(loss, domain):
        return
    exact = hindsight(loss, domain, X, y, weight=c)
    monkeypatch.setattr(models, "FEW", 0)
    monkeypatch.setattr(linear, "LARGEST", 0)
    best = hindsight(loss, domain, X, y, weight=c)
    assert best.gap <= 1e-6, best
    assert best.loss == pytest.approx(exact.loss, rel=3e-6, abs=3e-6)
    attack(best, loss, domain, X, y, c)


@every_loss
@every_domain
def test_the_exact_leader_agrees(loss, domain):
    """Another solver, in core/leader.py."""
    X, y, _ = problem(loss, seed=5, rows=15)
    if isinstance(loss, rg.LogWealth) and type(domain) not in (rg.Simplex, rg.Ball):
        pytest.skip("it has no leader there, or it is one of many")
    best = hindsight(loss, domain, X, y)
    if best.attained is not True:
        pytest.skip("no leader")
    leader = rg.FollowTheLeader(loss, domain, n=4)
    try:
        leader.learn_many(X, y)
    except ValueError:
        pytest.skip("the leader does not start")
    theirs = cost(loss, X, y, np.ones(len(X)), domain.project(leader.weights))
    assert theirs >= best.lower - 1e-9 * (1.0 + abs(theirs))


@every_loss
@every_domain
def test_sparse_and_dense_find_the_same(loss, domain):
    X, y, c = problem(loss)
    if impossible(loss, domain):
        return
    dense = hindsight(loss, domain, X, y, weight=c)
    for kind in (sparse.csr_matrix, sparse.csr_array):
        thin = hindsight(loss, domain, kind(X), y, weight=c)
        assert thin.gap <= 1e-6
        if dense.attained is not False:  # else the search ends anywhere far out
            assert thin.loss == pytest.approx(dense.loss, rel=2e-6, abs=2e-6)
            assert thin.lower == pytest.approx(dense.lower, rel=2e-6, abs=2e-6)


@every_loss
def test_a_weight_is_a_repetition(loss):
    X, y, c = problem(loss)
    k = c.astype(int)
    for domain in (rg.L1Ball(0.9), rg.Simplex(), rg.Ball(0.8)):
        weighted = hindsight(loss, domain, X, y, weight=c)
        repeated = hindsight(loss, domain, np.repeat(X, k, axis=0), None if y is None else np.repeat(y, k))
        assert weighted.lower <= repeated.loss + 1e-9 * (1.0 + abs(repeated.loss))
        assert repeated.lower <= weighted.loss + 1e-9 * (1.0 + abs(weighted.loss))


@every_loss
def test_an_intercept_is_a_first_feature_that_is_always_one(loss):
    X, y, c = problem(loss)
    whole = np.column_stack([np.ones(len(X)), X])
    for domain in (rg.Ball(0.8), rg.Box(np.r_[-0.1, -np.ones(4)], np.r_[0.1, np.ones(4)])):
        ours = hindsight(loss, domain, X, y, weight=c, intercept=True)
        theirs = hindsight(loss, domain, whole, y, weight=c)
        assert ours.loss == pytest.approx(theirs.loss, rel=1e-9)
        np.testing.assert_allclose(np.r_[ours.intercept, ours.weights], theirs.weights, atol=1e-7)
        np.testing.assert_allclose(ours.predict_many(X), whole @ theirs.weights, atol=1e-6)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
@every_loss
def test_features_of_any_size(loss, scale):
    X, y, c = problem(loss)
    plain = hindsight(loss, rg.Ball(0.8), X, y, weight=c)
    scaled = hindsight(loss, rg.Ball(0.8 / scale), scale * X, y, weight=c)
    assert scaled.gap <= 1e-6
    assert scaled.loss == pytest.approx(plain.loss, rel=3e-6)


@pytest.mark.parametrize("tol", [1e-2, 1e-4, 1e-8])
def test_the_tolerance_is_kept(tol):
    for loss in (rg.Logistic(), rg.Hinge(), rg.LogWealth()):
        X, y, _ = problem(loss)
        for domain in (rg.Ball(0.8), rg.Simplex()):
            assert hindsight(loss, domain, X, y, tol=tol).gap <= tol
