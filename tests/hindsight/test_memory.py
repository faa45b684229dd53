"""Streams are replayed, not held: memory does not grow with the width of what was streamed."""

import tracemalloc

import numpy as np
import pytest

import regretful as rg
from regretful.nature import Batch, Oblivious

WIDTH, BLOCK = 60, 2_000


class Long(Oblivious):
    """Blocks of rows that are made when they are asked for: one block, in several sizes."""

    def __init__(self, rounds):
        rng = np.random.default_rng(0)
        self.X = rng.normal(size=(BLOCK, WIDTH)) / 10.0
        self.y = np.where(self.X[:, 0] + 0.1 * rng.normal(size=BLOCK) > 0.0, 1.0, -1.0)
        self.rounds = rounds

    def examples(self, first, last):
        rows = np.arange(first, last)
        return Batch(self.X[rows % BLOCK] * (1.0 + (rows // BLOCK % 7)[:, None]), self.y[rows % BLOCK], None)


def peak(work, rounds):
    """(what work(nature) gave, the most it held)."""
    nature = Long(rounds)
    tracemalloc.start()
    try:
        return work(nature), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def replayed(nature):
    return rg.hindsight(
        rg.Logistic(),
        rg.Ball(3.0),
        lambda: (nature.examples(first, first + BLOCK) for first in range(0, nature.rounds, BLOCK)),
        tol=1e-4,
    )


def game(nature):
    learner = rg.GradientDescent(rg.Logistic(), 0.1)
    return rg.play(learner, nature, domains=()).hindsight(rg.Ball(3.0), tol=1e-4)


@pytest.mark.parametrize(("work", "a_row"), [(replayed, 56.0), (game, 80.0)])
def test_a_stream_is_not_held(work, a_row, monkeypatch):
    """Of a row are kept its slope and prediction, at the best point, the one at hand and the one tried: 48 bytes.

    A game has its loss and its mistake besides; the row itself would take 480.
    """
    monkeypatch.setattr("regretful.game.sources.STRETCH", BLOCK)
    monkeypatch.setattr("regretful.game.playing.MOST", BLOCK)
    work(Long(3 * BLOCK))  # what is imported on the way counts too
    _, few = peak(work, 5 * BLOCK)
    best, many = peak(work, 20 * BLOCK)
    assert best.gap <= 1e-4
    assert best.passes > 2
    assert (many - few) / (15 * BLOCK) <= a_row
