"""Row 31 at a small size: the ratio, its verdict, and that a learner that never learns would fail it."""

import math

import numpy as np
import pytest

import regretful as rg
from regretful.bandits import ThompsonSampling, simulate
from regretful.theorems import arms


@pytest.fixture
def few(monkeypatch):
    """Fewer arms and runs."""
    monkeypatch.setattr(arms, "RUNS", {2: 200, 5: 100})


def test_the_ratio_is_flat_or_falling(few):
    verdict = rg.theorems.get(31).play(3000)
    assert verdict.holds
    assert 0.1 < verdict.attained <= 1.0
    assert verdict.curve.rounds.tolist() == [1000, 3000]
    assert set(verdict.curve.extra) == {"K = 2", "K = 5"}
    chances = np.array([0.5 + math.sqrt(2 / 3000), 0.5])
    ratio = simulate(ThompsonSampling(2), chances, 3000, runs=200, at=[3000]).regret[0] / math.sqrt(
        6000 * math.log(3000)
    )
    assert f"→ {ratio:.3g}" in verdict.note


def test_the_adversary_looks_for_the_worst_gap(few, monkeypatch):
    monkeypatch.setattr(arms, "REACHES", (0.75, 1.5))
    verdict = rg.theorems.get(31).attack(2000)
    assert verdict.holds


def test_a_learner_that_does_not_learn_fails(few, monkeypatch):
    """With a prior of a million rounds it pulls at random: its regret grows as T for as long as that."""
    monkeypatch.setattr(arms, "ThompsonSampling", lambda K: ThompsonSampling(K, (1e6, 1e6)))
    assert not rg.theorems.get(31).play(10_000).holds


def test_the_horizons():
    assert arms.horizons(100_000) == [1000, 10_000, 100_000]
    assert arms.horizons(20_000) == [1000, 10_000, 20_000]
    assert arms.Thompson().bound(1000, K=10, c=2.0) == pytest.approx(2 * math.sqrt(10_000 * math.log(1000)))
