"""Risk bounds: what they are made of, and that they fail no more often than they say."""

import numpy as np
import pytest

import regretful as rg
from regretful import batch
from regretful.game import play
from regretful.nature import LogisticNoise, Stream


def test_the_inequality_under_the_bernstein_bound():
    """exp(λξ − ψ(λ)ξ²) ≤ 1 + λξ for ξ ≥ −1, 0 ≤ λ < 1."""
    lam = np.linspace(0.0, 0.999, 400)[:, None]
    xi = np.append(np.linspace(-1.0, 3.0, 801), [10.0, 100.0])[None, :]
    psi = -np.log1p(-lam) - lam
    assert (lam * xi - psi * xi**2 <= np.log1p(lam * xi) + 1e-12).all()


def adaptive_sources(rng, T, games):
    """Losses in [0, 1] whose means follow the past: (games, T) losses and means."""
    means, losses = np.empty((games, T)), np.empty((games, T))
    level = np.full(games, 0.3)
    for t in range(T):
        means[:, t] = level
        losses[:, t] = rng.random(games) < level
        level = np.clip(level + 0.05 * (0.3 - losses[:, t]) - 0.002, 0.02, 0.9)
    return losses, means


@pytest.mark.parametrize("delta", [0.05, 0.3])
def test_over_a_thousand_games_the_bounds_fail_at_most_delta(delta):
    losses, means = adaptive_sources(np.random.default_rng(0), 200, 1000)
    r = means.mean(axis=1)
    for bound in (
        lambda row: batch.azuma(row.mean(), len(row), delta),
        lambda row: batch.bernstein(row, delta),
        lambda row: batch.relative(row.sum(), len(row), delta, 0.7),
        lambda row: batch.risk(row, delta, (0.0, 1.0)).at_most,
        lambda row: batch.risk(row, delta).at_most,
    ):
        failures = np.mean([bound(row) < mean for row, mean in zip(losses, r, strict=True)])
        assert failures <= delta


def test_over_a_thousand_real_games_the_risk_of_the_average_is_below_the_bound():
    """A finite source, so that the risk on new examples is a sum and not an estimate."""
    rng = np.random.default_rng(1)
    X = rng.uniform(-1.0, 1.0, size=(50, 3)) / np.sqrt(3)
    y = np.where(X @ [2.0, -1.0, 0.5] + 0.3 * rng.normal(size=50) > 0, 1.0, -1.0)
    loss, failures, mistakes = rg.Logistic(), 0, 0
    for _ in range(1000):
        rows = rng.integers(0, 50, size=120)
        learner = rg.GradientDescent(loss, 0.5, rg.Ball(3.0), keep=("average",))
        game = play(learner, X[rows], y[rows], curve=0, domains=())
        risk = game.risk(0.1, loss_range=(0.0, np.log1p(np.exp(3.0))))
        assert risk.of_average
        failures += loss.value(game.average().predict_many(X), y).mean() > risk.at_most
        mistakes += game.risk(0.1).at_most < loss.value(game.average().predict_many(X), y).mean()
    assert failures <= 100
    assert mistakes <= 100


def test_bernstein_is_the_tighter_where_losses_vary_little():
    rng = np.random.default_rng(2)
    losses = np.clip(0.1 + 0.02 * rng.normal(size=5000), 0.0, 1.0)
    risk = batch.risk(losses, 0.05, (0.0, 1.0))
    assert risk.at_most == risk.bernstein < risk.azuma
    assert risk.mean_loss < risk.at_most < 0.105
    coins = (rng.random(300) < 0.5).astype(float)
    risk = batch.risk(coins, 0.05, (0.0, 1.0))
    assert risk.at_most == risk.azuma < risk.bernstein


def test_the_bound_scales_and_shifts_with_the_losses():
    losses = np.random.default_rng(3).random(500)
    plain, moved = batch.risk(losses, 0.05, (0.0, 1.0)), batch.risk(5.0 * losses - 2.0, 0.05, (-2.0, 3.0))
    assert moved.at_most == pytest.approx(5.0 * plain.at_most - 2.0)
    assert batch.bernstein(losses, 0.05) > batch.bernstein(losses, 0.2) > losses.mean()


def test_clipping_is_told_and_takes_the_average_out():
    losses = np.append(np.full(99, 0.2), 40.0)
    risk = batch.risk(losses, 0.05, (0.0, 1.0))
    assert risk.clipped == 1
    assert not risk.of_average
    assert "1 of 100 lay outside" in str(risk)
    assert "drawn at random" in str(risk)
    assert "average" not in str(risk)
    assert risk.mean_loss == pytest.approx((99 * 0.2 + 1.0) / 100)
    assert float(risk) == risk.at_most <= 1.0


@pytest.mark.parametrize("rounds", [1, 2, 9, 10, 11])
def test_short_games_have_a_risk_too(rounds):
    for given in (None, (0.0, 2.0)):
        risk = batch.risk(np.full(rounds, 0.5), 0.05, given)
        assert 0.5 <= risk.at_most <= 2.5
    assert batch.risk(np.zeros(rounds)).at_most > 0.0


def test_negative_losses_set_a_range_on_both_sides():
    risk = batch.risk(np.random.default_rng(0).normal(size=1000) * 0.01)
    assert risk.loss_range[0] < 0.0 < risk.loss_range[1]
    assert risk.clipped < 20


def test_what_risk_refuses():
    for delta in (0.0, 1.0, -0.1, float("nan")):
        with pytest.raises(ValueError, match="delta"):
            batch.risk(np.ones(5), delta)
    with pytest.raises(ValueError, match="no rounds"):
        batch.risk(np.zeros(0))
    with pytest.raises(ValueError, match="lowest, highest"):
        batch.risk(np.ones(5), 0.05, (1.0, 1.0))
    with pytest.raises(ValueError, match="must lie in"):
        batch.bernstein(np.array([2.0]), 0.05)


def test_risk_of_a_game():
    game = play(rg.GradientDescent(rg.Logistic(), 0.5), LogisticNoise(5), rounds=2000)
    share = game.risk(of="mistakes")
    assert share.mean_loss == game.mistakes / 2000 < share.at_most < 1.0
    assert "share of mistakes" in str(share)
    assert game.risk().at_most > 0.0
    with pytest.raises(ValueError, match="knows no mistakes"):
        play(rg.WidrowHoff(0.1), [[1.0]], [1.0]).risk(of="mistakes")
    with pytest.raises(ValueError, match='"loss" or "mistakes"'):
        game.risk(of="misses")
    weighted = play(rg.WidrowHoff(0.1), Stream([[1.0], [1.0]], [1.0, 2.0], [1.0, 3.0]))
    with pytest.raises(ValueError, match="weights"):
        weighted.risk()
