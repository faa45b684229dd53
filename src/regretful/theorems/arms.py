"""Arms to pull: Thompson sampling (row 31)."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from regretful.bandits import ThompsonSampling, simulate
from regretful.theorems.theorem import Curve, Sides, Theorem

RUNS = {2: 1000, 10: 400, 50: 200}  # by K: few arms take less time, and their regret varies more
REACHES = (0.75, 1.0, 1.25, 1.5, 2.0)  # the adversary's gaps, in units of √(K/T)
FEWEST = 50  # runs with the easy gap
EASY = 0.4  # a gap that everybody who learns at all finds soon


class Found(NamedTuple):
    """E[R_T]/√(KT ln T) and its relative standard error."""

    ratio: float
    error: float


class Thompson(Theorem):
    """Row 31. A fair game: one arm better than the others by √(K/T), or by 0.4. The adversary: the gap that costs most.

    A gap of √(K/T) is hard to see in T rounds, and costs √(KT) even those who do not learn; the fixed one costs those
    in proportion to T. Of the gaps the worst counts, at each T. O(…) names no constant, so it is measured: the left
    side is the ratio E[R]/√(KT ln T) at the longest horizon over that at the shortest, for the K where it grows most.
    At most 1, up to three standard errors, says that it is flat or falling.
    """

    id = "thompson"
    row = 31
    source = "001, Thompson sampling"
    statement = "Bernoulli arms, Beta(1,1) priors: E[R_T] = O(√(KT ln T)); E[R_T]/√(KT ln T) does not grow with T"
    latex = r"\mathbf E[R_T] = O\bigl(\sqrt{KT\ln T}\bigr)"
    hypotheses = ("rewards 0 or 1, independent, of fixed means", "Beta(1, 1) priors")
    rounds = 100_000
    least = 2000
    seconds = 60.0
    left_side = "E[R]/√(KT ln T), over that at the start"
    right_side = "1 and three standard errors"

    def bound(self, rounds: Any, *, K: int, c: float = 1.0) -> float:
        """c√(KT ln T)."""
        return float(c * np.sqrt(K * rounds * np.log(rounds)))

    def game(self, rounds: int, seed: int) -> Sides:
        """K = 2, 10, 50 arms, 1000, 400, 200 runs; one arm pays with chance ½ + gap, the others with ½."""
        return self._sides(horizons(rounds), self._worst((1.0,), rounds, 1, seed), "gap √(K/T)")

    def hunt(self, rounds: int, seed: int) -> Sides:
        """For each K and T the worst of five gaps, from ¾√(K/T) to 2√(K/T), a quarter of the runs each."""
        return self._sides(horizons(rounds), self._worst(REACHES, rounds, 4, seed), "the worst gap for each T")

    def _worst(self, reaches: tuple[float, ...], rounds: int, fewer: int, seed: int) -> dict[int, list[Found]]:
        """For each K, at each horizon, what the worst of the gaps cost."""
        found: dict[int, list[Found]] = {}
        for K, runs in RUNS.items():
            found[K] = []
            for T in horizons(rounds):
                hard = [self._mean(K, T, reach * math.sqrt(K / T), runs // fewer, seed) for reach in reaches]
                found[K].append(max(*hard, self._mean(K, T, EASY, max(FEWEST, runs // 8) // fewer, seed)))
        return found

    def _mean(self, K: int, rounds: int, gap: float, runs: int, seed: int) -> Found:
        chances = np.full(K, 0.5)
        chances[0] += min(0.5, gap)
        found = simulate(ThompsonSampling(K), chances, rounds, runs=runs, seed=seed, at=[rounds])
        regret = float(found.regret[0])
        return Found(regret / self.bound(rounds, K=K), float(found.error[0]) / regret)

    def _sides(self, at: list[int], found: dict[int, list[Found]], note: str) -> Sides:
        growth = {K: many[-1].ratio / many[0].ratio for K, many in found.items()}
        doubt = {K: 3.0 * math.hypot(many[-1].error, many[0].error) for K, many in found.items()}
        worst = max(found, key=lambda K: growth[K] - doubt[K])
        lines = {f"K = {K}": np.array([one.ratio / many[0].ratio for one in many]) for K, many in found.items()}
        told = "; ".join(f"K = {K}: {' → '.join(f'{one.ratio:.3g}' for one in many)}" for K, many in found.items())
        return Sides(
            growth[worst],
            1.0 + doubt[worst],
            f"{note}; E[R]/√(KT ln T) at T = {' → '.join(f'{T:,}' for T in at)}: {told}",
            {f"growth, K = {K}": rate for K, rate in growth.items()},
            Curve(np.array(at, float), lines[f"K = {worst}"], np.full(len(at), 1.0 + doubt[worst]), lines),
        )


def horizons(rounds: int) -> list[int]:
    """10³, 10⁴, … up to the rounds, and these."""
    return sorted({*(T for T in (1000, 10_000, 100_000) if rounds > T), rounds})


THEOREMS: tuple[Theorem, ...] = (Thompson(),)
