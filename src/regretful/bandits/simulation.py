"""Many runs of a bandit against Bernoulli arms of known means, compiled, without the interpreter."""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence
from numpy.typing import ArrayLike, NDArray

from regretful.bandits.arms import Bandit
from regretful.bandits.ledger import means_of, regret_of
from regretful.bandits.policies import run
from regretful.core.chance import Seed, generator_of
from regretful.core.parts import number
from regretful.core.types import Vector

STOPS = 60  # rounds at which regret is taken, unless told otherwise


@dataclass(frozen=True, eq=False)
class Simulation:
    """What `simulate` saw. `rounds`: where stock was taken; `pulls`: of each run, at each of those, of each arm."""

    rounds: NDArray[np.int64]
    means: Vector
    pulls: Vector

    @property
    def regrets(self) -> Vector:
        """Σ (μ* − μ of the arm pulled): a row a run, a column for each of `rounds`."""
        return regret_of(self.means, self.pulls)

    @property
    def regret(self) -> Vector:
        """Its mean over the runs, at each of `rounds`."""
        return np.asarray(self.regrets.mean(axis=0))

    @property
    def error(self) -> Vector:
        """The standard error of that mean; nan for a single run."""
        runs = len(self.pulls)
        if runs == 1:
            return np.full(len(self.rounds), math.nan)
        return np.asarray(self.regrets.std(axis=0, ddof=1) / math.sqrt(runs))

    def __str__(self) -> str:
        return (
            f"{len(self.pulls)} runs of {self.rounds[-1]:,} rounds over {len(self.means)} arms: "
            f"regret {self.regret[-1]:.6g} ± {self.error[-1]:.2g}"
        )


def simulate(
    bandit: Bandit,
    means: ArrayLike,
    rounds: int,
    runs: int = 200,
    seed: Seed = 0,
    *,
    at: Sequence[int] | None = None,
    threads: int | None = None,
) -> Simulation:
    """Runs of the bandit, each from where it is now, against arms that pay 1 with these chances and 0 else.

    The bandit itself learns nothing. Each run has a generator of its own, from `seed`: neither `runs` nor `threads`
    (by default, one a processor) changes any of them. Within a round the arm is drawn first, then the reward, so a
    run is bit for bit the loop of `pull` and `update` with that generator. at: where to take stock; by default at
    up to 60 rounds in equal ratios.

    >>> import regretful as rg
    >>> found = rg.bandits.simulate(rg.ThompsonSampling(2), [0.5, 0.6], rounds=2000, runs=100)
    >>> found.regrets.shape, bool(found.regret[-1] < 40)
    ((100, 51), True)
    """
    true = means_of(means, len(bandit.arms))
    rounds, runs = int(number("rounds", rounds, least=1.0)), int(number("runs", runs, least=1.0))
    asked = np.round(np.geomspace(1, rounds, min(STOPS, rounds))) if at is None else np.array(at)
    stops: NDArray[np.int64] = np.unique(asked).astype(np.int64)
    if not len(stops) or stops[0] < 1 or stops[-1] > rounds:
        raise ValueError(f"at must be rounds between 1 and {rounds}, not {at!r}")
    start = int(seed.integers(2**63)) if isinstance(seed, Generator) else seed
    generator_of(start)
    seeds = SeedSequence(start).spawn(runs)
    pulls = np.empty((runs, len(stops), len(true)))

    def play(which: int) -> None:
        policy = copy.deepcopy(bandit)._policy
        before = policy.pulls()
        run(policy, true, stops, pulls[which], Generator(PCG64(seeds[which])))
        pulls[which] -= before

    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for _ in pool.map(play, range(runs)):
            pass
    return Simulation(stops, true, pulls)
