"""The base of the theorems about a risk: played over many independent samples, in expectation or with confidence.

A sample is a run of the learner on fresh examples; it gives the risk, or what the theorem bounds, at some rounds. The
sources are such that a risk is a formula or a sum over a finite support, so no test set adds noise of its own.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from regretful.core.types import Vector
from regretful.theorems.theorem import BROKEN, HOLDS, Curve, Sides, Theorem, below

SAMPLES = 500
POINTS = 6  # rounds at which the curve is taken, each twice the one before


class Sampled(Theorem):
    """A statement about samples. A subclass makes a source and says what each sample and the bound are on it."""

    samples: ClassVar[int] = SAMPLES
    left_side = "risk"

    @abstractmethod
    def fair(self, rounds: int, seed: int) -> Any:
        """Where the fair game's examples come from."""

    @abstractmethod
    def harder(self, rounds: int, seed: int) -> list[Any]:
        """The sources that the adversary tries."""

    @abstractmethod
    def sample(self, source: Any, at: Vector, seed: int) -> Vector:
        """What the theorem bounds, at these rounds of one sample."""

    @abstractmethod
    def right(self, source: Any, t: int) -> float:
        """The bound after t rounds, from the source's measured constants."""

    @abstractmethod
    def summed_up(self, source: Any, at: Vector, values: Vector) -> Sides:
        """Both sides, from samples × rounds."""

    def played(self, source: Any, rounds: int, seed: int) -> Sides:
        """All the samples of one source."""
        at = np.unique([max(1, rounds >> k) for k in range(POINTS)])
        values = [self.sample(source, at, int(s)) for s in np.random.SeedSequence(seed).generate_state(self.samples)]
        return self.summed_up(source, at, np.array(values))

    def game(self, rounds: int, seed: int) -> Sides:
        """The fair source."""
        return self.played(self.fair(rounds, seed), rounds, seed)

    def hunt(self, rounds: int, seed: int) -> Sides:
        """The source on which most of the bound is used up."""
        found = [self.played(source, rounds, seed) for source in self.harder(rounds, seed)]
        return max(found, key=lambda sides: sides.left / sides.right)


class InExpectation(Sampled):
    """E[…] ≤ bound: the mean over the samples, with its standard error."""

    def summed_up(self, source: Any, at: Vector, values: Vector) -> Sides:
        """The mean; its standard error is among the forms."""
        mean = values.mean(axis=0)
        error = values.std(axis=0, ddof=1) / math.sqrt(len(values))
        right = [self.right(source, int(t)) for t in at]
        curve = Curve.of(at, mean, right)
        note = f"{source}; the mean of {len(values)} samples"
        return Sides(float(mean[-1]), right[-1], note, {"standard error": float(error[-1])}, curve)

    def judge(self, sides: Sides) -> str:
        """Broken only where the mean is above the bound by more than three standard errors."""
        return HOLDS if below(sides.left - 3.0 * sides.forms["standard error"], sides.right) else BROKEN


class WithConfidence(Sampled):
    """… ≤ bound with probability 1 − δ: the (1 − δ)-quantile over the samples, and the fraction of failures."""

    delta: ClassVar[float] = 0.05

    def summed_up(self, source: Any, at: Vector, values: Vector) -> Sides:
        """The quantile that the bound must not be below; how many samples are above it."""
        left = np.quantile(values, 1.0 - self.delta, axis=0, method="inverted_cdf")
        right = [self.right(source, int(t)) for t in at]
        failures = float((values[:, -1] > right[-1]).mean())
        curve = Curve.of(at, left, right, mean=values.mean(axis=0))
        note = f"{source}; of {len(values)} samples {failures:.1%} fail, δ = {self.delta:g}"
        return Sides(float(left[-1]), right[-1], note, {"failures": failures, "delta": self.delta}, curve)
