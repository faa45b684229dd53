"""Selective sampling's bound on mistakes: over many seeds, surely in every run, attained, and on real data."""

from pathlib import Path

import numpy as np
import pytest

import regretful as rg
from regretful.learners.selective import most_mistakes
from tests.hindsight.test_a1a import FOLDER
from tests.references import sampling

SEEDS = 600


def streams():
    """name: (X, y, u, γ). Separable with a margin, noisy, and few axes that come again and again."""
    rng = np.random.default_rng(4)
    u = np.array([0.6, -0.8, 0.0])
    X = rng.normal(size=(4000, 3))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    wide = X[np.abs(X @ u) >= 0.2][:250]
    noisy = np.where(rng.random(250) < 0.1, -1.0, 1.0)
    labels = rng.choice([-1.0, 1.0], 8)
    return {
        "separable": (wide, np.sign(wide @ u), u, 0.2),
        "noisy": (wide, np.sign(wide @ u) * noisy, u, 0.3),
        "axes": (np.tile(np.eye(8), (30, 1)), np.tile(labels, 30), labels / np.sqrt(8), 1 / np.sqrt(8)),
    }


@pytest.mark.parametrize("b", [0.05, 0.5, 3.0])
@pytest.mark.parametrize("name", ["separable", "noisy", "axes"])
def test_the_mean_of_mistakes_stays_under_the_bound(name, b):
    """E[M] ≤ bound, over 600 seeds; and in each run the mistakes told from asked ones stay under it, for sure."""
    X, y, u, margin = streams()[name]
    slack = sampling.slacks(X, y, u, margin)
    mistakes, told, errors = np.zeros((3, SEEDS))
    for seed in range(SEEDS):
        sampler = rg.SelectiveSampling(rg.Perceptron(), b, seed=seed)
        p = sampler.learn_many(X, y)
        mistakes[seed] = sampler.ledger.mistakes
        told[seed], errors[seed] = sampler.estimate("mistakes")
        lessons = sampler.last_asked & (y * p <= 0)
        assert told[seed] <= sampler.bound(np.linalg.norm(u), margin, slack[lessons].sum()) * (1 + 1e-12)
    bound = sampler.bound(np.linalg.norm(u), margin, slack.sum())
    R = np.linalg.norm(X, axis=1).max()
    assert bound == pytest.approx(sampling.most_mistakes(b, R, u, margin, slack.sum()), rel=1e-12)
    assert mistakes.mean() + 4 * mistakes.std() / np.sqrt(SEEDS) <= bound * (1 + 1e-12)
    assert b != 0.5 or mistakes.mean() >= 0.1 * bound  # it is no empty bound
    # The estimate is right on average, and its standard error is what it says.
    off = told - mistakes
    spread = np.sqrt((errors**2).mean())
    assert abs(off.mean()) <= 4 * spread / np.sqrt(SEEDS)
    assert np.std(off) <= 1.5 * spread + 1e-9


def test_on_axes_the_bound_is_attained():
    """b = R²/2: n axes at right angles cost n mistakes, ‖u‖²R²/γ² = n; the second time round none."""
    X, y, u, margin = streams()["axes"]
    for scale in (1.0, 10.0):
        sampler = rg.SelectiveSampling(rg.Perceptron(), scale**2 / 2)
        sampler.learn_many(scale * X, y)
        assert sampler.ledger.mistakes == 8
        assert sampler.bound(np.linalg.norm(u), scale * margin) == pytest.approx(8, rel=1e-12)


def test_b_is_in_units_of_the_margin():
    """Features × k and b × k²: the same labels are asked for, as p = ⟨Σ y x, x⟩ grows with k²."""
    X, y, _, _ = streams()["noisy"]
    one, other = (rg.SelectiveSampling(rg.Perceptron(), k * k * 0.5) for k in (1.0, 4.0))
    p, q = one.learn_many(X, y), other.learn_many(4.0 * X, y)
    np.testing.assert_array_equal(16.0 * p, q)
    np.testing.assert_array_equal(one.last_asked, other.last_asked)


def test_the_bound_at_its_ends():
    assert most_mistakes(0.5, 1.0, 3.0, 1.0) == 9.0  # the perceptron's own
    assert most_mistakes(float("inf"), 1.0, 3.0, 1.0) == float("inf")
    assert most_mistakes(1e6, 1.0, 1.0, 1.0) > 1e5 < most_mistakes(1e-6, 1.0, 1.0, 1.0)


@pytest.mark.skipif(not FOLDER.is_dir(), reason=f"no data with known answers: {FOLDER} is absent")
def test_a1a_with_an_eighth_of_the_labels():
    """30,956 examples: the mistakes of the perceptron that sees all labels, or fewer, in every one of five runs."""
    lines = [line.split() for line in Path(FOLDER / "a1a.t").read_text().splitlines()]
    X = [{pair.split(":")[0]: 1.0 for pair in line[1:]} for line in lines]
    y = np.array([float(line[0]) for line in lines])
    full = rg.AveragedPerceptron()
    mistakes = (y * full.learn_many(X, y) <= 0).mean()
    best = (y * full.average().predict_many(X) <= 0).mean()
    assert mistakes == pytest.approx(0.2165, abs=1e-4)
    for seed in range(5):
        sampler = rg.SelectiveSampling(rg.AveragedPerceptron(), 2.0, seed=seed)
        game = rg.play(sampler, X, y)
        assert game.asked <= 0.14 * len(y)
        assert game.mistakes / len(y) <= mistakes
        assert (y * sampler.average().predict_many(X) <= 0).mean() <= best + 0.01
        value, error = sampler.estimate("mistakes")
        assert abs(value - game.mistakes) <= 4 * error
