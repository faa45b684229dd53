"""Games with markets: wealth, regret, costs, bounds by hand, words and pictures."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regretful as rg
from regretful import markets
from regretful.markets import bounds
from tests.project.files import ROOT
from tests.references import markets as M

X = markets.random_walk(120, 4, volatility=0.1, seed=3)


def test_the_account_of_a_game():
    game = markets.play(markets.EG(4, 0.4), X)
    path = M.exponentiated(X, 0.4)
    np.testing.assert_allclose(game.weights, path[:-1], rtol=1e-11)
    np.testing.assert_allclose(game.factors, (path[:-1] * X).sum(axis=1), rtol=1e-12)
    np.testing.assert_allclose(game.curve, np.cumprod(game.factors), rtol=1e-12)
    assert game.wealth == game.curve[-1] == pytest.approx(game.portfolio.wealth, rel=1e-12)
    low, high = game.best_wealth
    assert low <= high <= low * (1.0 + 1e-7)
    assert low == pytest.approx(np.prod(X @ game.best.weights), rel=1e-10)
    assert game.regret.at_most == pytest.approx(math.log(high / game.wealth), abs=1e-12)
    assert game.regret.at_least == pytest.approx(math.log(low / game.wealth), abs=1e-12)
    alone = X.prod(axis=0)
    assert game.baselines == pytest.approx(
        {"market": alone.mean(), "best asset": alone.max(), "uniform, rebalanced": np.prod(X.mean(axis=1))}, rel=1e-12
    )
    assert game.best_asset == int(alone.argmax())
    assert repr(game) == f"MarketGame(EG, rounds=120, wealth={game.wealth:.6g})"


def test_nobody_rebalanced_makes_more_than_the_bound_allows():
    game = markets.play(markets.Universal(4, 100), X)
    tried = np.random.default_rng(0).dirichlet(np.ones(4), size=5000)
    assert np.log(X @ tried.T).sum(axis=0).max() <= math.log(game.best_wealth.at_most)


def test_turnover_and_what_it_costs():
    relatives = np.array([[2.0, 1.0], [1.0, 1.0], [0.5, 1.0]])
    game = markets.play(markets.Rebalanced(2), relatives, cost=0.1)
    # After the first round 2/3 and 1/3 are held: 1/6 is sold, 1/6 bought. After the second nothing has moved.
    np.testing.assert_allclose(game.turnover, [1.0, 1.0 / 3.0, 0.0], atol=1e-15)
    want = [1.5 * 0.9, 1.5 * 0.9 * (1 - 0.1 / 3), 1.5 * 0.75 * 0.9 * (1 - 0.1 / 3)]
    np.testing.assert_allclose(game.curve, want, rtol=1e-14)
    assert game.regret.at_most == pytest.approx(0.0, abs=0.2)  # costs aside
    held = markets.play(markets.BuyAndHold(2), relatives, cost=0.1)
    np.testing.assert_allclose(held.turnover, [1.0, 0.0, 0.0], atol=1e-15)
    assert held.wealth == pytest.approx(0.9)


def test_a_game_cut_short_is_the_game_of_those_rounds():
    whole, part = markets.play(markets.EG(4), X), markets.play(markets.EG(4), X[:50])
    cut = whole.until(50)
    assert cut.wealth == part.wealth
    assert cut.regret == part.regret
    assert cut.bound == part.bound


def test_bounds_by_hand():
    game = markets.play(markets.EG(4, 0.4), X)
    r = min(row.min() / row.max() for row in X)
    assert markets.variability(X) == r == game.bound.constants["r"]
    assert game.bound.stated == pytest.approx(math.log(4) / 0.4 + 0.4 * 120 * (1 / r - 1) ** 2 / 8, rel=1e-13)
    spread = [np.ptp(row) / factor for row, factor in zip(X, game.factors, strict=True)]
    assert game.bound.data == pytest.approx(math.log(4) / 0.4 + 0.4 / 8 * sum(s * s for s in spread), rel=1e-12)
    eta = markets.tuned(4, 120, r)
    best = bounds.exponentiated(X, game.factors, eta).stated
    assert best == pytest.approx((1 / r - 1) * math.sqrt(120 * math.log(4) / 2), rel=1e-12)
    assert all(bounds.exponentiated(X, game.factors, eta * off).stated > best for off in (0.9, 1.1))
    newton = markets.play(markets.NewtonStep(4, 0.5, 2.0), X)
    slopes = X / newton.factors[:, None]
    G = np.linalg.norm(slopes, axis=1).max()
    late = 0.5 * 2.0 * 0.75 / 2
    assert newton.bound.stated == pytest.approx(4 / (2 * 0.5) * math.log(1 + G * G * 120 / (4 * 2)) + late, rel=1e-12)
    A = 2.0 * np.eye(4) + slopes.T @ slopes
    assert newton.bound.data == pytest.approx(math.log(np.linalg.det(A) / 2.0**4) + late, rel=1e-10)
    assert bounds.universal(120, 4, 1.0).stated == 3 * math.log(121)
    assert bounds.universal(120, 4, 1.0).data == pytest.approx(math.log(math.comb(123, 3)), rel=1e-12)
    assert bounds.universal(120, 4, 0.5).stated == pytest.approx(1.5 * math.log(121) + math.log(2), rel=1e-13)


@pytest.mark.parametrize("D", [1e-9, 1e-5, 0.00011, 0.1, 1.0, 10.0, 1e6])
def test_the_curvature_is_the_largest_that_holds(D):
    beta = bounds.curvature(D)
    z = np.append(-D * np.linspace(0.0, 1.0, 2001)[1:], np.linspace(1e-3, 0.999, 500))
    # Where z² is below rounding, both sides are.
    excess = -np.log1p(-z) - z - 0.5 * beta * z * z
    assert (excess >= -1e-15 - 1e-9 * z * z).all()
    if D > 1e-3:
        at = -np.log1p(D) + D
        assert at - 0.5 * (beta * 1.001) * D * D < 0.0


def test_where_a_bound_says_nothing():
    wild = np.tile([[20.0, 1.0], [1.0, 20.0]], (5, 1))
    game = markets.play(markets.NewtonStep(2, beta=0.9), wild)
    assert game.bound.stated == math.inf
    assert "the bound asks for β of at most" in game.summary()
    falling = markets.play(markets.EG(4, rg.InverseSqrt(1.0)), X)
    assert "the bound is for a constant rate, not InverseSqrt" in falling.summary()
    drawn = markets.play(markets.Universal(4, 50), X)
    assert "50 draws stand for it" in drawn.summary()
    other = markets.play(markets.Universal(2, alpha=3.0), X[:, :2])
    assert "no bound is known here for Dirichlet(3)" in other.summary()
    assert "no theorem here speaks of it" in markets.play(markets.Rebalanced(4), X).summary()


@settings(max_examples=40)
@given(st.integers(1, 60), st.integers(1, 3), st.integers(0, 10**6), st.sampled_from([0.001, 0.1, 1.0]))
def test_the_bounds_hold(rounds, n, seed, size):
    table = markets.random_walk(rounds, n, drift=size / 10, volatility=size, seed=seed)
    D = 1.0 / markets.variability(table) - 1.0
    for made in (
        markets.EG(n, 0.3),
        markets.Universal(n, 400),
        markets.NewtonStep(n, bounds.curvature(D) * (1 - 1e-9)),
    ):
        game = markets.play(made, table)
        assert game.regret.at_most <= game.bound.data + 1e-7
        assert game.bound.data <= game.bound.stated * (1.0 + 1e-12)


def test_the_summary():
    game = markets.play(markets.EG(["a", "b"], 0.5), [[1.2, 0.9], [0.8, 1.1], [1.2, 1.0]], name="mine", cost=0.01)
    first, second, third, fourth, fifth = game.summary().splitlines()
    assert first == f"mine over 3 rounds of 2 assets: 1 became {game.wealth:.6g}, 0.01 a unit traded taken off."
    assert second == "The market made 1.071, the best asset (a) 1.152, uniform shares, rebalanced, 1.09725."
    assert third.startswith("The best constantly rebalanced portfolio in hindsight made 1.1")
    assert f"theory promised {game.bound.stated:.4g}" in fourth
    assert fifth.startswith("It traded ")


def test_the_plot():
    pytest.importorskip("matplotlib").use("Agg")
    game = markets.play(markets.EG(4), X)
    axes = game.plot()
    lines = {line.get_label(): line.get_ydata() for line in axes.get_lines()}
    ends = {
        "EG": game.wealth, "best rebalanced, in hindsight": game.best_wealth.at_least,
        "market": game.baselines["market"], "uniform, rebalanced": game.baselines["uniform, rebalanced"],
        f"best asset ({game.best_asset})": game.baselines["best asset"],
    }  # fmt: skip
    assert {name: line[-1] for name, line in lines.items()} == pytest.approx(ends, rel=1e-9)
    assert all(line[0] == 1.0 and len(line) == 121 for line in lines.values())
    assert game.plot(axes) is axes


def test_games_that_make_no_sense():
    played = markets.EG(4)
    played.learn_many(X)
    for call, kind, message in [
        (lambda: markets.play(played, X), ValueError, "has played already"),
        (lambda: markets.play(rg.Hedge(4), X), TypeError, "portfolio must be"),
        (lambda: markets.play(markets.EG(4), np.empty((0, 4))), ValueError, "at least one round"),
        (lambda: markets.play(markets.EG(4), X, cost=0.5), ValueError, "cost must be"),
        (lambda: markets.play(markets.EG(4), X, tol=0.0), ValueError, "tol must be"),
        (lambda: markets.tuned(4, 10, 1.0), ValueError, r"r = 1\.0: the rate is tuned to a market"),
    ]:
        with pytest.raises(kind, match=message):
            call()


def test_a_generated_market_is_the_same_from_the_same_seed():
    np.testing.assert_array_equal(markets.random_walk(10, 3, seed=1), markets.random_walk(10, 3, seed=1))
    logs = np.log(markets.random_walk(50_000, 2, drift=0.0, volatility=0.05, seed=2))
    assert logs.std() == pytest.approx(0.05, rel=0.02)  # five standard errors
    assert abs(logs.mean()) < 5 * 0.05 / math.sqrt(100_000)


def test_every_name_of_the_room_is_documented():
    page = (ROOT / "docs/reference.md").read_text()
    assert [name for name in markets.__all__ if f"### `markets.{name}" not in page] == []
    undocumented = [
        f"{name}.{member}"
        for name in markets.__all__
        if isinstance(kind := getattr(markets, name), type)
        for member in dir(kind)
        if not member.startswith("_") and callable(getattr(kind, member)) and not getattr(kind, member).__doc__
    ]
    assert undocumented == []
