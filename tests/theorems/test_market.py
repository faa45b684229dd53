"""Row 32: what the games attain, the three bounds, a game of one's own, hypotheses, a bound that is wrong."""

import math

import numpy as np
import pytest

import regretful as rg
from regretful import markets
from regretful.theorems import Unmet

ROW = rg.theorems.get(32)
THREE = ("EG", "universal", "Newton step")


def shares(verdict):
    return {name: verdict.forms[f"{name}, regret"] / verdict.forms[f"{name}, bound"] for name in THREE}


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_each_of_the_three_attains_a_tenth_of_its_bound(seed):
    verdict = ROW.play(seed=seed)
    assert verdict.holds
    found = shares(verdict)
    assert all(0.1 < share <= 1.0 for share in found.values()), found
    assert verdict.attained == pytest.approx(max(found.values()), rel=1e-12)
    for name in THREE:
        assert verdict.forms[f"{name}, data-dependent"] <= verdict.forms[f"{name}, bound"]
        assert verdict.forms[f"{name}, regret"] <= verdict.forms[f"{name}, data-dependent"]
    assert verdict.curve.left[-1] == pytest.approx(verdict.left, rel=1e-6)
    assert (verdict.curve.left <= verdict.curve.right).all()
    assert len(verdict.curve.extra) == 4


def test_the_adversary_attains_most_of_them():
    verdict = ROW.attack(300)
    assert verdict.holds
    found = shares(verdict)
    assert found["universal"] > 0.99
    assert found["EG"] > 0.7
    assert found["Newton step"] > 0.15


@pytest.mark.parametrize("rounds", [1, 2, 7])
def test_a_short_game_is_one_too(rounds):
    assert ROW.play(rounds).holds
    assert ROW.attack(rounds).holds


def test_a_game_of_ones_own():
    X = markets.random_walk(200, 3, seed=5)
    game = markets.play(markets.EG(3), X)
    verdict = ROW.of(game)
    assert verdict.holds
    assert (verdict.left, verdict.right) == (game.regret.at_most, game.bound.stated)
    assert verdict.forms == {"data-dependent": game.bound.data}


def test_hypotheses_that_a_run_does_not_meet():
    X = markets.random_walk(50, 4, seed=5)
    for made, message in [
        (markets.Rebalanced(4), "portfolio: speaks of EG, Universal and NewtonStep, not of Rebalanced"),
        (markets.LazyNewtonStep(4), "speaks of EG, Universal and NewtonStep, not of LazyNewtonStep"),
        (markets.Universal(4, 100), "the bound is the integral's; 100 draws stand for it"),
        (markets.EG(4, rg.InverseSqrt(0.1)), "a constant rate, not InverseSqrt"),
        (markets.NewtonStep(4, beta=2.0), "asks for β of at most"),
    ]:
        with pytest.raises(Unmet, match=message):
            ROW.of(markets.play(made, X))


@pytest.mark.parametrize(("kind", "factor"), [("EG", 0.75), ("Universal", 0.99), ("NewtonStep", 0.15)])
def test_a_wrong_bound_of_any_of_the_three_is_broken_by_the_adversary(monkeypatch, kind, factor):
    made = getattr(markets, kind)
    honest = made.bound

    def lying(self, X, paid):
        found = honest(self, X, paid)
        return markets.Bound(factor * found.stated, factor * found.data, found.constants, found.note)

    monkeypatch.setattr(made, "bound", lying)
    assert not ROW.attack(300).holds


def test_coins_as_they_are_told():
    from regretful.theorems.market import _coin

    X = _coin(10_000, 0.7, 0.5, 0)
    assert set(np.round(X.ravel(), 12)) == {1.5, round(1 / 1.5, 12)}
    assert abs((X[:, 0] == 1.5).mean() - 0.7) < 5 * math.sqrt(0.21 / 10_000)
