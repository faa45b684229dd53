"""A stream ten times as long needs no more memory: the peak of a fresh process grows by less than 1 MB."""

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import regretful as rg
from benchmarks import data
from benchmarks.results import Result

BAR = 1.0  # MB
CHUNK = 1_000


def run(quick: bool) -> list[Result]:
    rounds = {"events": 5_000 if quick else 50_000, "chunks": 50_000 if quick else 500_000}
    return [_measured(way, count) for way, count in rounds.items()]


def _measured(way: str, rounds: int) -> Result:
    command = [sys.executable, "-m", "benchmarks.memory", way, str(rounds)]
    process = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    before, after = map(float, process.stdout.split())
    return Result(
        subject=f"memory, {way}",
        ours=f"{after:.1f} MB after {10 * rounds:,} more",
        peer=f"{before:.1f} MB after {rounds:,} rounds",
        measured=after - before,
        unit="MB",
        bar=BAR,
        sense="at most",
    )


def _learner() -> rg.GradientDescent:
    return rg.GradientDescent(rg.Logistic(), rg.InverseSqrt(0.5), keep=("average", "weighted", "random"))


def _learn_events(learner: rg.GradientDescent, rounds: int) -> None:
    for x, y in data.endless_events(rounds):
        learner.predict_one(x)
        learner.learn_one(x, y)


def _learn_chunks(learner: rg.GradientDescent, rounds: int) -> None:
    for start in range(0, rounds, CHUNK):
        X, y = data.dense(CHUNK, features=20, seed=start)
        learner.learn_many(X, y)


WAYS: dict[str, Callable[[rg.GradientDescent, int], None]] = {
    "events": _learn_events,
    "chunks": _learn_chunks,
}


def _peak() -> float:
    """The largest resident size of this process so far, in MB.

    From /proc where there is one: `ru_maxrss` there starts at the peak of the process that started this one,
    and would hide a leak below it.
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2 ** (20 if sys.platform == "darwin" else 10)


def _child(way: str, rounds: int) -> None:
    learner = _learner()
    WAYS[way](learner, rounds)
    before = _peak()
    WAYS[way](learner, 10 * rounds)
    after = _peak()
    if learner.rounds != 11 * rounds or not np.all(np.isfinite(learner.weights)):
        raise RuntimeError(f"{learner.rounds} rounds learnt instead of {11 * rounds}, or weights not finite")
    print(before, after)


if __name__ == "__main__":
    _child(sys.argv[1], int(sys.argv[2]))
