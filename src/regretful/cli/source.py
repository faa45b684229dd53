"""A file as a source of rounds, and what goes wrong before one is read."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

import regretful as rg
from regretful.cli.errors import Failed, Refused
from regretful.readers import Source

KEPT = 1000  # names of the largest weights that go into a saved model


def opened(path: str, settings: dict[str, Any], seed: int = 0, passes: int = 1, labels: str = "asked") -> Source:
    """The file as a source."""
    try:
        return rg.read(path, **settings, seed=seed, passes=passes, labels=labels)  # type: ignore[arg-type]
    except OSError as error:
        raise Failed(str(error)) from None
    except ValueError as error:
        raise Refused(str(error)) from None


def labelled(source: Source, loss: rg.Loss) -> None:
    """Refuse a table whose column of labels was not named."""
    if source.format in ("libsvm", "vw") or source.asked.label is not None or isinstance(loss, rg.LogWealth):
        return
    columns: list[str] = []
    if source.replayable:
        for _ in source:
            break
        columns = list(source.columns)
    there = f"; there are {', '.join(columns[:20])}{', …' if len(columns) > 20 else ''}" if columns else ""
    raise Refused(f"{source.files.paths[0]}: which column holds the label? Name it with --label{there}")


def again(path: str, why: str) -> None:
    """Refuse what can be read once only."""
    if path == "-":
        raise Refused(f"{why}, and standard input comes once: give a file")


def names(learner: Any, source: Source, before: dict[int, str]) -> dict[int, str]:
    """Positions and names of the largest weights: as this source calls them, or as they were called before."""
    weights = np.abs(learner.weights)
    largest = heapq.nlargest(KEPT, np.flatnonzero(weights).tolist(), key=lambda place: weights[place])
    found = {place: source.name_of(place) or before.get(place) for place in largest}
    return {place: name for place, name in found.items() if name is not None}
