"""Models on disk: the learner, and beside it how its examples were read, so that none of that need be said again."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from pathlib import Path
from typing import Any

import regretful as rg
from regretful.cli.errors import Failed, Refused
from regretful.cli.options import Reading
from regretful.core.files import load_with_notes
from regretful.core.files import save as write


def save(learner: Any, path: Path, reading: dict[str, Any], names: dict[int, str]) -> None:
    """Save the learner, how its examples were read, and what its largest weights are called."""
    try:
        write(learner, path, {"regretful": rg.__version__, "reading": reading, "names": names})
    except OSError as error:
        raise Failed(f"{path}: {error.strerror or error}") from None


def load(path: str | Path) -> tuple[Any, dict[str, Any], dict[int, str]]:
    """The learner, how its examples were read (arguments of `rg.read`), and names of positions."""
    try:
        learner, notes = load_with_notes(path)
    except OSError as error:
        raise Failed(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise Failed(str(error)) from None
    if not hasattr(learner, "predict_many"):
        raise Failed(f"{path}: this is an account, not a learner")
    reading = notes.get("reading", {})
    settings = {name: reading[name] for name in Reading().arguments() if name in reading}
    return learner, settings, notes.get("names", {})


def merged(before: dict[str, Any], given: dict[str, Any], path: str | Path) -> dict[str, Any]:
    """How to read on for a saved learner: as before, but for what was said anew and moves no feature."""
    usual = Reading().arguments()
    said = {name: value for name, value in given.items() if value != usual[name]}
    for name in ("cross", "bits"):
        if name in said and name in before and said[name] != before[name]:
            raise Refused(f"--{name}: {path} learnt with {before[name]!r}, so that cannot change; leave it out")
    return {**usual, **before, **said}


def hashing_seed(learner: Any) -> int:
    """The seed that its features were hashed with."""
    hashing = learner._slots().get("features")
    return 0 if hashing is None else int(hashing.seed)


def largest(weights: dict[str | int, float], top: int, name_of: Callable[[int], str | None]) -> list[tuple[str, float]]:
    """The largest weights, by name, or by place where there is none."""
    ordered = heapq.nlargest(top, weights.items(), key=lambda item: abs(item[1]))
    return [(key if isinstance(key, str) else name_of(key) or f"feature {key}", value) for key, value in ordered]
