"""Adversaries do what they are known for."""

import numpy as np
import pytest

import regretful as rg
from regretful import nature as natures
from regretful.game import play
from regretful.learners.player import Affine, LazyPlayer, Player

BOX = rg.Box(-1.0, 1.0)


def test_row_7_the_leader_breaker():
    for T in (1, 2, 101):
        game = play(LazyPlayer(BOX, 1e12, n=1), natures.LeaderBreaker(), rounds=T)
        assert game.losses.tolist() == [0.0] + [1.0] * (T - 1)
        assert game.regret(BOX) == (T - 0.5, T - 0.5)


def test_the_leader_breaker_breaks_the_exact_leader():
    game = play(rg.FollowTheLeader(Affine(), BOX, n=1), natures.LeaderBreaker(), rounds=30)
    assert game.loss == pytest.approx(29.0, abs=1e-6)


def test_follow_the_sign_makes_every_round_cost_the_l1_norm():
    player = Player(BOX, rg.InverseSqrt(1.0), n=3)
    nature = natures.FollowTheSign(size=2.0)
    for _ in range(50):
        w = player.point
        x = nature.reveal(player)
        assert player.learn_one(x, nature.label(player, x, 0.0)) == pytest.approx(2.0 * np.abs(w).sum())
    with pytest.raises(ValueError, match="n=…"):
        natures.FollowTheSign().reveal(Player(rg.Ball(1.0), 0.1))


def test_row_11_orthogonal_examples_make_the_perceptron_err_each_time():
    game = play(rg.Perceptron(), natures.Orthogonal(100))
    assert game.mistakes == 100
    X, y, _ = game.examples()
    assert np.array_equal(X @ X.T, np.eye(100))
    w = (y[:, None] * X).sum(axis=0) / np.sqrt(100)
    assert (y * (X @ w)).min() == pytest.approx(1 / np.sqrt(100))  # Novikoff's bound 1/margin² is met exactly
    slack = np.maximum(0.0, 0.5 - y * (X @ w)).sum()
    assert 1 / 0.5**2 + slack / 0.5 < 100 <= 1 / 0.5**2 + 2 * slack / 0.5


def test_contrary_labels_cost_most():
    rng = np.random.default_rng(0)
    game = play(rg.GradientDescent(rg.Hinge(), 0.1), natures.Contrary(rng.normal(size=(200, 3))))
    assert game.mistakes == game.rounds == 200
    game = play(rg.GradientDescent(rg.Squared(), 0.1), natures.Contrary(np.ones((50, 1)), labels=(0.0, 2.0)))
    assert game.losses.min() >= 1.0


def test_random_signs_leave_regret_of_the_order_of_the_root():
    ratios = []
    for seed in range(30):
        player = Player(BOX, rg.InverseSqrt(1.0), n=1)
        game = play(player, natures.RandomSigns(seed=seed), rounds=400)
        ratios.append(game.regret(BOX).at_most / 20)
    assert 0.4 < np.mean(ratios) < 1.6  # E|Σ±1| = √(2T/π) = 0.8 √T


def test_a_nature_of_ones_own_must_say_what_it_does():
    with pytest.raises(NotImplementedError, match="must define reveal"):
        play(rg.Perceptron(), natures.Nature(), rounds=1)
    with pytest.raises(NotImplementedError, match="must define examples"):
        play(rg.Perceptron(), natures.Oblivious(), rounds=1)
