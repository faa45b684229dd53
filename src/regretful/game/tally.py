"""The tally: how predictions met their labels, in memory that does not grow with the rounds.

Numbers are counted in bins of their own scale, 1/128 of an octave wide, so that nothing need be known of their range:
the counts are those of all rounds, in whatever stretches they came. A few rounds are kept as they were.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from regretful.core.losses import Logistic, Loss, Poisson
from regretful.core.types import Vector

BITS: Final = 7  # of the mantissa that decide the bin
LOWEST, HIGHEST = -20, 44  # |x| below 2**-20 counts as 0, and from 2**44 on as that
HALF = (HIGHEST - LOWEST) << BITS
BINS: Final = 2 * HALF + 1
SHOWN: Final = 2000  # rounds that are kept as they were
_FIRST = (1023 + LOWEST) << BITS


def bins(x: Vector) -> NDArray[np.int64]:
    """The bin of each number, 0 … BINS − 1, in the order of the numbers: its sign, exponent and leading bits."""
    size = np.abs(np.ascontiguousarray(x, dtype=np.float64)).view(np.int64) >> (52 - BITS)
    size = np.minimum(np.maximum(size - (_FIRST - 1), 0), HALF)
    np.negative(size, out=size, where=np.asarray(x) < 0.0)
    return np.asarray(size + HALF)


def edges() -> Vector:
    """Where the bins part: bin k holds what lies from edge k to edge k + 1; the outer ones are as far as it goes."""
    above = ((np.arange(HALF + 1) + _FIRST) << (52 - BITS)).view(np.float64)
    return np.concatenate([-above[::-1], above])


def meant(loss: Loss, p: Vector) -> Vector:
    """What p says of the label: with the logistic loss a chance, with the Poisson loss a count, else the label."""
    if isinstance(loss, Logistic):
        return np.asarray(0.5 * (1.0 + np.tanh(0.5 * p)))
    if isinstance(loss, Poisson):
        return np.asarray(np.exp(np.minimum(p, 700.0)))
    return p


def _count(into: Vector, place: NDArray[np.int64], what: Vector | None) -> None:
    if len(place) < BINS // 4:
        np.add.at(into, place, 1.0 if what is None else what)
    else:
        into += np.bincount(place, what, BINS)


class Tally:
    """Counts by prediction and by residual, and a sample of the rounds.

    For each bin of p, `weight`: of the rounds that fell into it; `said`: Σ weight · what p means (see `meant`);
    `came`: Σ weight · y, a positive label counting 1 and a negative one 0. `residuals`: the weight for each bin of
    y less what p means. `sample()`: (what p means, y) of up to 2000 rounds, drawn uniformly.
    """

    def __init__(self, loss: Loss, seed: int = 0) -> None:
        self.loss = loss
        self.weight, self.said, self.came, self.residuals = (np.zeros(BINS) for _ in range(4))
        self._rng = np.random.default_rng(seed)
        self._drawn = np.zeros((3, 0))

    def add(self, p: Vector, y: Vector, weights: Vector | None) -> None:
        """Some rounds."""
        said = meant(self.loss, p)
        came = 0.5 * (y + 1.0) if self.loss.classification else y
        place = bins(p)
        _count(self.weight, place, weights)
        _count(self.said, place, said if weights is None else weights * said)
        _count(self.came, place, came if weights is None else weights * came)
        if not self.loss.classification:
            _count(self.residuals, bins(came - said), weights)
        self._draw(said, came)

    def _draw(self, said: Vector, came: Vector) -> None:
        """Each round draws a number; those with the smallest stay."""
        drawn = self._rng.random(len(said))
        if self._drawn.shape[1] == SHOWN:
            near = drawn < self._drawn[0].max()
            drawn, said, came = drawn[near], said[near], came[near]
        every = np.concatenate([self._drawn, np.stack([drawn, said, came])], axis=1)
        if every.shape[1] > SHOWN:
            every = every[:, np.argpartition(every[0], SHOWN - 1)[:SHOWN]]
        self._drawn = every

    def sample(self) -> tuple[Vector, Vector]:
        """(what p means, y) of the rounds that were drawn, in the order of what p means."""
        order = np.argsort(self._drawn[1], kind="stable")
        return self._drawn[1, order], self._drawn[2, order]
