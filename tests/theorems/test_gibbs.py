"""Rows 28 to 30: both sides by hand, what the games attain, draws against the expectation, unmet hypotheses."""

import math

import numpy as np
import pytest

import regretful as rg
from regretful.theorems import Unmet
from regretful.theorems.gibbs import draws


@pytest.mark.parametrize(("row", "played", "attacked"), [(28, 0.1, 0.95), (29, 0.5, 0.95)])
def test_the_games_attain_a_good_part_of_the_bound_and_the_adversary_nearly_all(row, played, attacked):
    theorem = rg.theorems.get(row)
    for verdict, least in ((theorem.play(600), played), (theorem.attack(600), attacked)):
        assert verdict.holds
        assert least < verdict.attained <= 1.0
        # The mean over 500 seeds of draws is the expectation, which the mixture has exactly: 4 standard errors.
        note = verdict.note.rsplit("±", 1)[1]
        assert abs(verdict.forms["draws, mean"] - verdict.left) < 4 * float(note)
        assert (verdict.curve.left <= verdict.curve.right * (1 + 1e-12)).all()
        assert verdict.curve.left[-1] == verdict.left


@pytest.mark.parametrize("row", [28, 29, 30])
def test_one_round_is_a_game_too(row):
    assert rg.theorems.get(row).play(1).holds
    assert rg.theorems.get(row).attack(1).holds


def test_both_sides_of_row_28_by_hand():
    losses = np.random.default_rng(0).random((50, 3)) * 2
    prior, eta = np.array([0.6, 0.3, 0.1]), 0.4
    hedge = rg.Hedge(3, eta, prior=prior, M=2.0)
    hedge.learn_many(losses)
    theorem, L = rg.theorems.get(28), losses.sum(axis=0)
    assert theorem.bound(hedge.ledger, learner=hedge) == pytest.approx(0.4 * 50 * 4 / 8, rel=1e-14)
    data = eta / 8 * (np.ptp(losses, axis=1) ** 2).sum()
    assert theorem.bound(hedge.ledger, learner=hedge, data=True) == pytest.approx(data, rel=1e-10)
    grid = np.random.default_rng(1).dirichlet(np.ones(3), 4000)
    values = grid @ L + (grid * np.log(grid / prior)).sum(axis=1) / eta
    assert theorem.infimum(hedge) <= values.min() <= theorem.infimum(hedge) + 0.05


def test_draws_do_not_depend_on_who_asks():
    hedge, losses = rg.Hedge(4, 0.3, sampling=True), np.random.default_rng(0).random((30, 4))
    assert draws(hedge, losses).tolist() == draws(hedge, losses).tolist()
    assert len(set(draws(hedge, losses).tolist())) > 400


def test_hypotheses_that_a_run_does_not_meet():
    anytime = rg.Hedge(4)
    anytime.learn_many(np.zeros((10, 4)))
    with pytest.raises(Unmet, match="hedge-prior: needs a constant rate, not InverseSqrt"):
        rg.theorems.get(28).bound(anytime.ledger, learner=anytime)
    with pytest.raises(Unmet, match=r"hedge-finite: needs η = √\(8 ln N/\(TM²\)\) = "):
        rg.theorems.get(29).bound(anytime.ledger, learner=anytime)
    biased = rg.Hedge(2, prior=[0.9, 0.1], rounds=10)
    biased.learn_many(np.zeros((10, 2)))
    with pytest.raises(Unmet, match="hedge-finite: needs the uniform prior"):
        rg.theorems.get(29).bound(biased.ledger, learner=biased)
    tuned = rg.Hedge(8, rounds=100, M=3.0)
    tuned.learn_many(np.zeros((100, 8)))
    assert rg.theorems.get(29).bound(tuned.ledger, learner=tuned) == pytest.approx(3 * math.sqrt(50 * math.log(8)))


def test_a_wrong_bound_is_broken_by_the_adversary(monkeypatch):
    theorem = rg.theorems.get(29)
    honest = type(theorem).bound
    monkeypatch.setattr(type(theorem), "bound", lambda self, *a, **k: 0.9 * honest(self, *a, **k))
    assert not theorem.attack(600).holds


def test_row_30_would_notice_weights_that_are_not_gibbs(monkeypatch):
    theorem = rg.theorems.get(30)
    assert theorem.play(30).word == "identity holds"
    monkeypatch.setattr("regretful.theorems.gibbs.Hedge.weights", property(lambda self: self.prior))
    assert not theorem.play(30).holds
