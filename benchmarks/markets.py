"""Portfolios over price relatives: learn_many against universal-portfolios' loop; both have made the same wealth."""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.results import Result, slower
from benchmarks.timing import race
from regretful import markets

ASSETS = 36
POINTS = 10_000
TOLERANCES = {"EG": 1e-10, "Newton step": 1e-6, "universal": 1e-10}
EXACT = {"abstol": 1e-13, "reltol": 1e-13, "feastol": 1e-13}  # as it comes, cvxopt ends a projection too early
BARS = {"EG": 50.0, "Newton step": 50.0, "universal": 1.0}


def run(quick: bool) -> list[Result]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is not ready for this pandas
        return _run(*((300, 2) if quick else (1000, 3)))


def _run(rounds: int, repeats: int) -> list[Result]:
    from cvxopt import solvers
    from universal.algos import EG, ONS, UP

    X = markets.random_walk(rounds, ASSETS, seed=0)
    frame = pd.DataFrame(X)
    points: list[np.ndarray] = []  # the peer's draws, which our mixture takes

    def universal() -> Any:
        return markets.Mixture(points[0])

    makers: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
        "EG": (lambda: markets.EG(ASSETS, 0.05), lambda: EG(eta=0.05)),
        "Newton step": (lambda: markets.LazyNewtonStep(ASSETS), ONS),
        "universal": (universal, lambda: UP(eval_points=POINTS)),
    }
    results = []
    for name, (ours, theirs) in makers.items():
        peer = theirs()
        loose = dict(solvers.options)
        solvers.options.update(EXACT)
        held = peer.weights(frame, log_progress=False).to_numpy()
        solvers.options.clear()
        solvers.options.update(loose)  # timed as users have it
        if name == "universal":
            points.append(np.asarray(peer.W))
        learner = ours()
        paid = learner.learn_many(X)
        # After the first round, which the peer's universal portfolio plays uniform, not as the mean of its draws.
        theirs_paid = (held * X).sum(axis=1)
        apart = float(np.max(np.abs(np.cumprod(paid[1:]) / np.cumprod(theirs_paid[1:]) - 1.0)))
        if not apart <= TOLERANCES[name]:
            raise ValueError(f"{name}: the contenders made different wealth, {apart:.1e} apart")
        times = race({"ours": _ours(ours, X), "universal-portfolios": _theirs(theirs, frame)}, repeats)
        results.append(slower(f"markets, {name}", times, "ours", "universal-portfolios", rounds, "round", BARS[name]))
    return results


def _ours(make: Callable[[], Any], X: np.ndarray) -> Callable[[], Callable[[], object]]:
    def prepare() -> Callable[[], object]:
        learner = make()
        return lambda: learner.learn_many(X)

    return prepare


def _theirs(make: Callable[[], Any], frame: pd.DataFrame) -> Callable[[], Callable[[], object]]:
    def prepare() -> Callable[[], object]:
        peer = make()
        return lambda: peer.weights(frame, log_progress=False)

    return prepare
