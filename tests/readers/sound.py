"""What holds for whatever a reader hands out: batches whose rows are as rows must be, errors that say where."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

import regretful as rg
from regretful.readers import BadLine

NAMED = 5  # positions whose names are looked at


def batch(found: Any, hashing: rg.Hashing, name: Callable[[int], str | None] | None = None) -> None:
    """What HashedRows, labels and weights promise. name: of a position; those that came have one."""
    X = found.X
    start, index = X.start.tolist(), X.index.tolist()
    assert start[0] == 0, start
    assert start[-1] == len(index) == len(X.value), (start, len(index), len(X.value))
    assert not index or 0 <= min(index) <= max(index) < 1 << hashing.bits, index
    assert np.isfinite(X.value).all(), X.value
    for first, last in itertools.pairwise(start):
        assert first <= last, start
        assert len({*index[first:last]}) == last - first, index[first:last]  # each position once
    if name is not None:
        assert all(isinstance(name(place), str) for place in index[:NAMED]), index[:NAMED]
    for numbers in (found.y, found.weight):
        assert numbers is None or (len(numbers) == len(X) and np.isfinite(numbers).all()), numbers
    assert found.weight is None or (found.weight >= 0).all(), found.weight


def error(found: BaseException, file: str, lines: int | None = None) -> None:
    """It is of the kind that is caught, and tells the file; line and column are there if there are `lines`."""
    assert type(found) is BadLine, repr(found)
    assert found.file == file, repr(found)
    assert str(found).startswith(file), str(found)
    assert found.message, repr(found)
    if lines is not None:
        assert found.line is not None, repr(found)
        assert 1 <= found.line <= lines, repr(found)
        assert found.column is None or found.column >= 1, repr(found)
