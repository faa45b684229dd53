"""Bandits: a pull and its update against MABWiser's, and 200 runs of every size of the theorem, 10³ to 10⁵ rounds."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from mabwiser.mab import MAB, LearningPolicy

import regretful as rg
from benchmarks.results import Result, cost, slower
from benchmarks.timing import race
from regretful.bandits import simulate

ARMS = 10
MEANS = np.append(np.full(ARMS - 1, 0.5), 0.6)
SIZES = (2, 10, 50)


def run(quick: bool) -> list[Result]:
    rounds, repeats = (300, 2) if quick else (2000, 5)
    makers: dict[str, tuple[Callable[[], Any], Any]] = {
        "Thompson sampling": (lambda: rg.ThompsonSampling(ARMS), LearningPolicy.ThompsonSampling()),
        "UCB1": (lambda: rg.UCB1(ARMS), LearningPolicy.UCB1(alpha=1.0)),
    }
    results = []
    for name, (make, policy) in makers.items():
        times = race(
            {
                "ours": lambda make=make: _ours(make(), rounds),
                "MABWiser": lambda policy=policy: _theirs(policy, rounds),
            },
            repeats,
        )
        results.append(slower(f"bandits, {name}", times, "ours", "MABWiser", rounds, "round", 10.0))
    return [*results, _whole(quick)]


def _ours(bandit: Any, rounds: int) -> Callable[[], object]:
    rng = np.random.default_rng(0)

    def play() -> None:
        for _ in range(rounds):
            arm = bandit.pull()
            bandit.update(arm, int(rng.random() < MEANS[arm]))

    return play


def _theirs(policy: Any, rounds: int) -> Callable[[], object]:
    rng = np.random.default_rng(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mab = MAB(list(range(ARMS)), policy, seed=0)
        mab.fit(list(range(ARMS)), [0] * ARMS)  # it must have seen something before it predicts

    def play() -> None:
        for _ in range(rounds):
            arm = mab.predict()
            mab.partial_fit([arm], [int(rng.random() < MEANS[arm])])

    return play


def _whole(quick: bool) -> Result:
    """Every K and T of row 31 of the theorems; the runs of 10⁵ rounds pass through 10³ and 10⁴ on their way."""
    longest, runs = (10_000, 50) if quick else (100_000, 200)

    def play() -> None:
        for arms in SIZES:
            for rounds in [t for t in (1000, 10_000, 100_000) if t <= longest]:
                simulate(rg.ThompsonSampling(arms), np.append(np.full(arms - 1, 0.5), 0.6), rounds, runs=runs, seed=0)

    times = race({"simulate": lambda: play}, 1)
    return Result(
        subject=f"bandits, {runs} runs of K = {SIZES}, T to {longest:,}",
        ours=cost(times["simulate"].best, "table"),
        peer="",
        measured=times["simulate"].best,
        unit="s",
        bar=None if quick else 120.0,
        sense="at most",
        times=times,
    )
