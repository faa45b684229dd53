"""Cost of a step at 68 non-zeros, n from 1,000 to 1,000,000: at most 1.5 times, cache effects apart.

Two variants. *resident*: every touched coordinate lies in the first 1,000, whatever n is, so memory behaves
alike and any growth would be work of order n. *spread*: the coordinates are uniform over n, so that for a
large n each one is a cache miss; the last line, a bare gather of the same coordinates from one array, shows
that part alone.
"""

from collections.abc import Callable
from textwrap import indent

import numpy as np
from scipy import sparse

import regretful as rg
from benchmarks import data
from benchmarks.results import Result, table
from benchmarks.timing import Prepare, Times, race

NONZEROS = 68
SIZES = (1_000, 10_000, 100_000, 1_000_000)
BAR = 1.5
ETA = 0.1

LEARNERS: dict[str, Callable[[], rg.MirrorDescent]] = {
    "gradient descent": lambda: rg.GradientDescent(rg.Logistic(), ETA),
    "GD over a ball": lambda: rg.GradientDescent(rg.Logistic(), ETA, rg.Ball(0.1)),
    "GD, keep average": lambda: rg.GradientDescent(rg.Logistic(), ETA, keep=("average",)),
    "EG, simplex": lambda: rg.ExponentiatedGradient(rg.Logistic(), ETA),
    "EG±, L1 ball": lambda: rg.ExponentiatedGradient(rg.Logistic(), ETA, rg.L1Ball(10.0)),
    "p-norm, p=3": lambda: rg.PNormDescent(rg.Logistic(), ETA, p=3.0),
    "p-norm, p=2 ln n": lambda: rg.PNormDescent(rg.Logistic(), ETA),
    "AdaGrad": lambda: rg.AdaGrad(rg.Logistic(), ETA),
}

Rows = dict[int, tuple[sparse.csr_matrix, data.Floats]]


def run(quick: bool) -> list[Result]:
    rows, repeats = (5_000, 5) if quick else (20_000, 9)
    resident, spread = _resident(rows), _spread(rows)

    times = _times(resident, repeats)
    _show("resident: all coordinates in the first 1,000", times, rows)
    results = [_growth(name, taken, rows) for name, taken in times.items()]

    times = _times(spread, repeats)
    times["bare gather"] = race({str(n): _gathers(spread[n][0]) for n in SIZES}, repeats)
    _show("spread: coordinates uniform over n (cache misses included)", times, rows)
    return results


def _times(cases: Rows, repeats: int) -> dict[str, dict[str, Times]]:
    return {name: race({str(n): _passes(make, *cases[n]) for n in SIZES}, repeats) for name, make in LEARNERS.items()}


def _resident(rows: int) -> Rows:
    X, y = data.strided_rows(rows, SIZES[0], NONZEROS)
    return {n: (sparse.csr_matrix((X.data, X.indices, X.indptr), shape=(rows, n)), y) for n in SIZES}


def _spread(rows: int) -> Rows:
    return {n: data.strided_rows(rows, n, NONZEROS) for n in SIZES}


def _passes(make: Callable[[], rg.MirrorDescent], X: sparse.csr_matrix, y: data.Floats) -> Prepare:
    """One learner for all repetitions, its arrays of length n made before the first: only steps are timed."""
    learner = make()
    learner.learn_many(X, y)
    return lambda: lambda: learner.learn_many(X, y)


def _gathers(X: sparse.csr_matrix) -> Prepare:
    w, out = np.ones(X.shape[1]), np.empty(X.nnz)
    return lambda: lambda: np.take(w, X.indices, out=out, mode="clip")


def _growth(name: str, times: dict[str, Times], rows: int) -> Result:
    costs = {n: times[str(n)].best / rows for n in SIZES}
    return Result(
        subject=f"scaling, {name}",
        ours=f"{max(costs.values()) * 1e9:.0f} ns/step (slowest n)",
        peer=f"{min(costs.values()) * 1e9:.0f} ns/step (fastest n)",
        measured=max(costs.values()) / min(costs.values()),
        bar=BAR,
        sense="at most",
        times=times,
    )


def _show(title: str, times: dict[str, dict[str, Times]], rows: int) -> None:
    lines = []
    for name, taken in times.items():
        costs = [taken[str(n)].best / rows * 1e9 for n in SIZES]
        lines.append((name, *(f"{cost:.0f}" for cost in costs), f"{max(costs) / min(costs):.2f}x"))
    header = ("ns a step", *(f"n={n:,}" for n in SIZES), "largest/smallest")
    print(f"\n  {title}\n\n" + indent(table(header, lines), "  ") + "\n", flush=True)
