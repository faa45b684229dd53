"""The tally counts what NumPy counts over all rounds at once, whatever the stretches were."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretful as rg
from regretful.game import play
from regretful.game.tally import BINS, SHOWN, Tally, bins, edges, meant
from tests.game.streams import examples

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(NUMBERS, min_size=2, max_size=30))
def test_bins_keep_the_order_and_hold_what_lies_between_their_edges(numbers):
    x = np.sort(np.array(numbers))
    place, edge = bins(x), edges()
    assert (np.diff(place) >= 0).all()
    assert ((place >= 0) & (place < BINS)).all()
    inner = (np.abs(x) < 2.0**44) & (x != edge[place])
    assert (edge[place][inner] <= x[inner]).all()
    assert (x[inner] <= edge[place + 1][inner]).all()
    assert len(edge) == BINS + 1
    assert (np.diff(edge) > 0).all()


def test_a_bin_is_a_128th_of_an_octave_wide():
    edge = edges()
    above = edge[edge > 0]
    assert np.max(above[1:] / above[:-1]) <= 1 + 1 / 128 + 1e-12


@pytest.mark.parametrize("loss", [rg.Logistic(), rg.Hinge(), rg.Squared(), rg.Poisson()], ids=repr)
@pytest.mark.parametrize("weighted", [False, True])
def test_it_counts_all_rounds(loss, weighted):
    rng = np.random.default_rng(1)
    p = rng.normal(size=5000) * 3
    y = rng.choice([-1.0, 1.0], 5000) if loss.classification else rng.poisson(2.0, 5000).astype(float)
    weight = rng.integers(1, 4, 5000).astype(float) if weighted else None
    whole, parts = Tally(loss), Tally(loss)
    whole.add(p, y, weight)
    for first in range(0, 5000, 613):
        part = slice(first, first + 613)
        parts.add(p[part], y[part], None if weight is None else weight[part])
    w = np.ones(5000) if weight is None else weight
    chance = {rg.Logistic: 1 / (1 + np.exp(-p)), rg.Poisson: np.exp(p)}.get(type(loss), p)
    came = (y > 0) * 1.0 if loss.classification else y
    for tally in (whole, parts):
        assert tally.weight.sum() == w.sum()
        np.testing.assert_allclose(tally.said.sum(), w @ chance, rtol=1e-12)
        np.testing.assert_allclose(tally.came.sum(), w @ came, rtol=1e-12)
        low = p < 1.0  # an edge
        np.testing.assert_allclose(tally.came[: bins(np.array([1.0]))[0]].sum(), (w * came)[low].sum(), rtol=1e-12)
        if not loss.classification:
            under = edges()[:-1] < 0
            np.testing.assert_allclose(tally.residuals[under].sum(), w[came - chance < -(2.0**-20)].sum())
    np.testing.assert_allclose(whole.weight, parts.weight)
    np.testing.assert_allclose(whole.residuals, parts.residuals)
    assert [column.tolist() for column in whole.sample()] == [column.tolist() for column in parts.sample()]


def test_the_sample_is_drawn_uniformly_and_of_pairs_that_were_there():
    hits = np.zeros(10)
    for seed in range(30):
        tally = Tally(rg.Squared(), seed)
        for tenth in range(10):
            t = np.arange(1000.0) + 1000 * tenth
            tally.add(t, t + 0.5, None)
        said, came = tally.sample()
        assert len(said) == len(set(said.tolist())) == SHOWN
        assert (came - said == 0.5).all()
        hits += np.histogram(said, 10, (0, 10_000))[0]
    # Hypergeometric: a tenth of the rounds has 200 ± 12 of each 2000.
    assert (np.abs(hits / 30 - 200) < 5 * 12 / np.sqrt(30)).all()


def test_meant_does_not_overflow():
    assert np.isfinite(meant(rg.Poisson(), np.array([1e6]))).all()
    assert meant(rg.Logistic(), np.array([-1e6, 0.0, 1e6])).tolist() == [0.0, 0.5, 1.0]


def test_a_game_keeps_a_tally_however_it_was_played():
    X, y, weight = examples(300)
    one = play(rg.GradientDescent(rg.Logistic(), 0.1), X, y, weight=weight, keep_predictions=True)
    other = play(rg.GradientDescent(rg.Logistic(), 0.1), zip(X, y, weight, strict=True))
    assert one.tally.weight.sum() == other.tally.weight.sum() == weight.sum()
    np.testing.assert_array_equal(one.tally.weight, np.bincount(bins(one.predictions), weight, BINS))
    np.testing.assert_allclose(one.tally.came, other.tally.came)
    wealth = np.exp(0.1 * np.random.default_rng(0).normal(size=(50, 3)))
    assert play(rg.ExponentiatedGradient(rg.LogWealth(), 0.1), wealth).tally is None
