"""A loss written in Python, rows of 10: 1 million examples a second where the built-in does 9 million."""

import math
from collections.abc import Callable

import regretful as rg
from benchmarks import data
from benchmarks.agreement import difference
from benchmarks.results import Result
from benchmarks.timing import Prepare, race

ETA = 0.1
BAR = 1.0 / 9.0


class PythonLogistic(rg.Loss):
    """The logistic loss again, as a user would write it; labels -1 and +1."""

    def value(self, p: float, y: float) -> float:
        margin = y * p
        return max(-margin, 0.0) + math.log1p(math.exp(-abs(margin)))

    def slope(self, p: float, y: float) -> float:
        margin = y * p
        if margin > 0:
            shrunk = math.exp(-margin)
            return -y * shrunk / (1.0 + shrunk)
        return -y / (1.0 + math.exp(margin))


def run(quick: bool) -> list[Result]:
    rows, repeats = (50_000, 5) if quick else (500_000, 7)
    X, y = data.dense(rows, features=10)

    def passes(loss: Callable[[], rg.Loss]) -> Prepare:
        def prepare() -> Callable[[], object]:
            learner = rg.GradientDescent(loss(), ETA)
            return lambda: learner.learn_many(X, y)

        return prepare

    built_in, written = rg.GradientDescent(rg.Logistic(), ETA), rg.GradientDescent(PythonLogistic(), ETA)
    for learner in (built_in, written):
        learner.learn_many(X[:20_000], y[:20_000])
    found = difference(written.weights, built_in.weights, tolerance=1e-9)
    print(f"  the weights agree with the built-in's to {found:.0e}")

    times = race({"in Python": passes(PythonLogistic), "built in": passes(rg.Logistic)}, repeats)
    ours, theirs = (rows / times[name].best / 1e6 for name in ("in Python", "built in"))
    return [
        Result(
            subject="python_loss",
            ours=f"{ours:.2f} M/s",
            peer=f"{theirs:.2f} M/s (built-in logistic)",
            measured=ours,
            unit="M/s",
            bar=theirs * BAR,
            times=times,
        )
    ]
