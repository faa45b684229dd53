"""Mixtures of rebalanced portfolios: the formula, Hedge, quadratures against exact integrals, extremes, errors."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretful as rg
from regretful import markets
from regretful.markets import nodes
from tests.references import markets as M


def market(rounds, n, seed=0, size=0.2):
    return np.exp(size * np.random.default_rng(seed).normal(size=(rounds, n)))


def path(made, X):
    found = [made.weights]
    for x in X:
        made.learn_one(x)
        found.append(made.weights)
    return np.array(found)


def test_the_weights_are_those_of_the_formula():
    X, rng = market(300, 5), np.random.default_rng(1)
    b, prior = rng.dirichlet(np.ones(5), size=40), rng.random(40)
    made = markets.Mixture(b, prior)
    np.testing.assert_allclose(path(made, X), M.mixture(X, b, prior), rtol=1e-11)
    np.testing.assert_allclose(made.log_wealths, np.log(X @ b.T).sum(axis=0), rtol=1e-11)
    worth = prior * np.exp(made.log_wealths)
    np.testing.assert_allclose(made.shares, worth / worth.sum(), rtol=1e-10)
    assert math.exp(-made.ledger.loss) == pytest.approx(worth.sum() / prior.sum(), rel=1e-11)
    np.testing.assert_array_equal(made.portfolios, b)


def test_it_is_hedge_with_the_rate_one_on_log_losses():
    X, b = market(200, 3, seed=2), np.random.default_rng(3).dirichlet(np.ones(3), size=25)
    made, hedge = markets.Mixture(b), rg.Hedge(25, 1.0, M=math.inf)
    for x in X:
        np.testing.assert_allclose(made.shares, hedge.weights, rtol=1e-10)
        made.learn_one(x)
        hedge.learn_one(-np.log(b @ x))
    # Regret to the best of N is at most ln N: of mixtures of wealth, exactly.
    assert made.ledger.loss <= -made.log_wealths.max() + math.log(25) + 1e-12


def test_the_universal_portfolio_of_two_is_the_integral():
    X = market(40, 2, size=0.5)
    # The reference's polynomials lose digits with their degree.
    np.testing.assert_allclose(path(markets.Universal(2), X), M.universal_of_two(X), rtol=1e-8)


@pytest.mark.parametrize("alpha", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_quadrature_integrates_polynomials_of_shares_exactly(n, alpha):
    b, prior = nodes.quadrature(8 ** (n - 1), n, alpha)
    assert len(b) == 8 ** (n - 1)
    assert prior.sum() == pytest.approx(1.0, rel=1e-13)
    for powers in (
        [1] + [0] * (n - 1),
        [0] * (n - 1) + [15],
        [7, 8] + [0] * (n - 2),
        [4] * n if 4 * n < 16 else [2] * n,
    ):
        # E Π b_i^k_i under Dirichlet(α): Γ(nα)/Γ(nα + Σk) Π Γ(α + k_i)/Γ(α)
        want = math.lgamma(n * alpha) - math.lgamma(n * alpha + sum(powers))
        want += sum(math.lgamma(alpha + k) - math.lgamma(alpha) for k in powers)
        assert prior @ (b ** np.array(powers)).prod(axis=1) == pytest.approx(math.exp(want), rel=1e-11)


@pytest.mark.parametrize("rounds", [1, 100, 1000, 20_000])
def test_the_worst_market_costs_what_cover_says(rounds):
    """One asset keeps its price and the other always loses: ∫ (b + ρ(1 − b))^T db = (1 − ρ^(T+1))/((T + 1)(1 − ρ))."""
    universal, rho = markets.Universal(2), 0.01
    universal.learn_many(np.tile([1.0, rho], (rounds, 1)))
    exact = math.log((1.0 - rho ** min(rounds + 1, 150)) / ((rounds + 1) * (1.0 - rho)))
    assert -universal.ledger.loss == pytest.approx(exact, rel=1e-9)
    assert universal.ledger.loss <= math.log(rounds + 1.0)


def test_draws_come_near_the_integral():
    X = market(50, 3, size=0.3)
    exact = markets.Universal(3)
    exact.learn_many(X)
    b, prior = nodes.draws(100_000, 3, 1.0, np.random.default_rng(0))
    drawn = markets.Mixture(b, prior)
    drawn.learn_many(X)
    error = math.sqrt(float(drawn.shares @ drawn.shares) - 1e-5)
    assert abs(drawn.ledger.loss - exact.ledger.loss) < 4.0 * error < 0.02


def test_buy_and_hold_is_left_alone_and_rebalanced_is_not():
    X = market(100, 4)
    held, kept = markets.BuyAndHold(4, [0.5, 0.5, 0.0, 0.0]), markets.Rebalanced(4, [0.1, 0.2, 0.3, 0.4])
    held.learn_many(X)
    kept.learn_many(X)
    assert held.wealth == pytest.approx(0.5 * X[:, 0].prod() + 0.5 * X[:, 1].prod(), rel=1e-11)
    assert held.weights[2:].tolist() == [0.0, 0.0]
    assert kept.wealth == pytest.approx(np.prod(X @ [0.1, 0.2, 0.3, 0.4]), rel=1e-11)
    np.testing.assert_allclose(kept.weights, [0.1, 0.2, 0.3, 0.4], rtol=1e-15)


def test_a_hundred_thousand_rounds_of_ruin_and_of_riches():
    rounds = 100_000
    X = np.ones((rounds, 3))
    X[:, 1] = 1e-12
    X[: rounds // 2, 2], X[rounds // 2 :, 2] = 1e-9, 1e9  # behind by 1e450000, and back again
    made = markets.Mixture(np.eye(3))
    with np.errstate(all="raise"):
        made.learn_many(X)
    np.testing.assert_allclose(made.weights, [0.5, 0.0, 0.5], atol=1e-8)
    np.testing.assert_allclose(made.log_wealths, [0.0, rounds * math.log(1e-12), 0.0], rtol=1e-12, atol=1e-8)
    single = markets.Mixture([[0.5, 0.5]])
    single.learn_many(np.array([[1e-140, 1e-140], [1e140, 1e140]] * 1000))
    assert single.ledger.loss == pytest.approx(0.0, abs=1e-8)


def test_the_weight_of_an_example_is_a_power():
    once, twice = (markets.Mixture(np.eye(2)) for _ in range(2))
    once.learn_one([2.0, 1.0], weight=2.0)
    once.learn_one([5.0, 1.0], weight=0.0)
    twice.learn_many([[2.0, 1.0]] * 2)
    np.testing.assert_allclose(once.weights, twice.weights, rtol=1e-14)


@given(
    st.lists(st.lists(st.floats(1e-3, 1e3), min_size=3, max_size=3), min_size=1, max_size=80),
    st.integers(1, 12),
    st.integers(0, 100),
)
def test_it_is_within_the_prior_of_every_portfolio(X, count, seed):
    rng = np.random.default_rng(seed)
    made = markets.Mixture(rng.dirichlet(np.ones(3), size=count), rng.random(count) + 0.01)
    made.learn_many(X)
    assert (made.weights >= 0.0).all()
    assert made.weights.sum() == pytest.approx(1.0, rel=1e-12)
    regrets = made.ledger.loss + made.log_wealths
    assert (regrets <= -np.log(made.prior) + 1e-9 * np.abs(made.log_wealths) + 1e-12).all()


def test_what_a_mixture_is_not_made_of():
    with pytest.raises(ValueError, match=r"a table, one a row, not of shape \(2,\)"):
        markets.Mixture([0.5, 0.5])
    with pytest.raises(ValueError, match=r"portfolio 1: shares are at least 0 and sum to 1, not \[0\.5, 0\.6\]"):
        markets.Mixture([[0.5, 0.5], [0.5, 0.6]])
    for prior in ([1.0], [1.0, 0.0], [1.0, math.nan]):
        with pytest.raises(ValueError, match="the prior must be 2 numbers above 0"):
            markets.Mixture(np.eye(2), prior)
    for shares in ([0.5, 0.6], [1.0], [1.5, -0.5]):
        with pytest.raises(ValueError, match="shares must be 2 numbers of at least 0 that sum to 1"):
            markets.Rebalanced(2, shares)


def test_a_portfolio_that_would_lose_more_than_all_is_refused_and_leaves_no_trace():
    made = markets.Mixture(np.eye(2))
    with pytest.raises(ValueError, match="row 1: a portfolio would lose more than all"):
        made.learn_many([[1.0, 2.0], [3.0, -1.0]])
    other = markets.Mixture(np.eye(2))
    other.learn_one([1.0, 2.0])
    assert made.rounds == 1
    assert made.weights.tolist() == other.weights.tolist()
    assert made.ledger.as_dict()["loss"] == other.ledger.as_dict()["loss"]
