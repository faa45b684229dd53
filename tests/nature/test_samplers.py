"""Samplers give the same for the same seed, whatever the stretch; and what they say of themselves is so."""

import numpy as np
import pytest

from regretful import nature as natures

KINDS = [
    natures.LinearNoise,
    natures.LogisticNoise,
    natures.Separable,
    natures.Drifting,
    natures.Switching,
    natures.RandomSigns,
]


@pytest.mark.parametrize("kind", KINDS)
def test_any_stretch_is_a_part_of_the_same_stream(kind):
    X, y, _ = kind(4, seed=3).examples(0, 3000)
    assert X.shape == (3000, 4)
    for first, last in [(0, 1), (1020, 1030), (1024, 2048), (2999, 3000), (500, 2500), (7, 7)]:
        part = kind(4, seed=3).examples(first, last)
        assert np.array_equal(part.X, X[first:last])
        assert np.array_equal(part.y, y[first:last])
    assert not np.array_equal(kind(4, seed=4).examples(0, 10).X, X[:10])


@pytest.mark.parametrize("kind", KINDS)
def test_round_by_round_it_is_the_same(kind):
    nature = kind(4, seed=3)
    X, y, _ = nature.examples(0, 20)
    for _ in range(2):
        nature.reset()
        for t in range(20):
            x = nature.reveal(None)
            assert (x == X[t]).all()
            assert nature.label(None, x, 0.0) == y[t]


def test_linear_noise():
    nature = natures.LinearNoise(5, noise=0.3, seed=1)
    X, y, _ = nature.examples(0, 50_000)
    assert np.linalg.norm(nature.target()) == pytest.approx(1.0)
    assert (X**2).sum(axis=1).mean() == pytest.approx(1.0, abs=0.02)
    assert (y - X @ nature.target()).std() == pytest.approx(0.3, rel=0.02)
    assert (natures.LinearNoise(weights=[1.0, 2.0]).target() == [1.0, 2.0]).all()


def test_logistic_noise():
    nature = natures.LogisticNoise(5, norm=4.0, seed=1)
    X, y, _ = nature.examples(0, 50_000)
    chance = 1 / (1 + np.exp(-X @ nature.target()))
    for low in (0.0, 0.25, 0.5, 0.75):
        among = (chance >= low) & (chance < low + 0.25)
        assert (y[among] > 0).mean() == pytest.approx(chance[among].mean(), abs=0.02)


def test_separable():
    nature = natures.Separable(6, margin=0.2, seed=1)
    X, y, _ = nature.examples(0, 5000)
    np.testing.assert_allclose(np.linalg.norm(X, axis=1), 1.0, atol=1e-12)
    margins = y * (X @ nature.target())
    assert 0.2 <= margins.min() + 1e-12 < 0.21
    with pytest.raises(ValueError, match="at least 2"):
        natures.Separable(1)


def test_targets_that_move():
    drift = natures.Drifting(3, noise=0.0, speed=0.01, seed=1)
    X, y, _ = drift.examples(0, 2000)
    for t in (1, 500, 2000):
        assert np.linalg.norm(drift.target(t)) == pytest.approx(1.0)
        assert X[t - 1] @ drift.target(t) == pytest.approx(y[t - 1], abs=1e-12)
    assert drift.target(1) @ drift.target(101) == pytest.approx(np.cos(1.0))
    switch = natures.Switching(3, noise=0.0, every=300, seed=1)
    X, y, _ = switch.examples(0, 2000)
    for t in (1, 300, 301, 600, 601, 1999):
        assert X[t - 1] @ switch.target(t) == pytest.approx(y[t - 1], abs=1e-12)
    assert (switch.target(300) != switch.target(301)).all()


def test_settings_that_make_no_sense():
    with pytest.raises(ValueError, match="n must be at least 1"):
        natures.LinearNoise(0)
    with pytest.raises(ValueError, match="noise must be finite and at least 0"):
        natures.LinearNoise(3, noise=-1.0)
    with pytest.raises(ValueError, match="every must be at least 1"):
        natures.Switching(3, every=0)
