"""Streams: examples that are there already, in arrays and tables, or come one by one from an iterable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sized
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from regretful.core.reading import weights_of
from regretful.core.rows import as_array
from regretful.core.tables import is_table
from regretful.core.types import Batch, Events, Example, Label, Matrix
from regretful.nature.nature import Nature, Oblivious


class Stream(Oblivious):
    """The rows of X with their labels, in order: arrays, CSR matrices, lists of events, tables.

    >>> import regretful as rg
    >>> stream = rg.nature.Stream([[1.0], [2.0]], [1.0, 3.0])
    >>> rg.play(rg.GradientDescent(rg.Squared(), 0.1), stream).rounds
    2
    """

    def __init__(self, X: Events | Matrix, y: ArrayLike | None = None, weight: ArrayLike | None = None) -> None:
        self.X: Any = _settled(X)
        rows = int(self.X.shape[0] if hasattr(self.X, "shape") else len(self.X))
        self.rounds: int = rows
        self.y = None if y is None else np.asarray(y)
        if self.y is not None and self.y.shape != (rows,):
            shape = f"{len(self.y)} labels" if self.y.ndim == 1 else f"labels of the shape {self.y.shape}"
            raise ValueError(f"X has {rows} rows, and there are {shape}")
        self.weights = None if weight is None else weights_of(weight, rows)

    def examples(self, first: int, last: int) -> Batch:
        """These rows, where they lie."""
        part = slice(first, last)
        y = None if self.y is None else self.y[part]
        weight = None if self.weights is None else self.weights[part]
        return Batch(_rows(self.X, first, last), y, weight)

    def __repr__(self) -> str:
        return f"Stream of {self.rounds:,} rounds"


def _settled(X: Any) -> Any:
    """X as something that can be cut into stretches."""
    if is_table(X):
        return X
    if hasattr(X, "tocsr"):
        X = X.tocsr()
    elif hasattr(X, "__next__"):
        X = list(X)
    if not (hasattr(X, "shape") or hasattr(X, "__len__")):
        raise TypeError(f"X must hold the examples, as an array, a sparse matrix, a table or a list, not {X!r}")
    if hasattr(X, "shape") or (isinstance(X, list | tuple) and (not X or isinstance(X[0], Mapping))):
        return X
    return as_array(X)


def _rows(X: Any, first: int, last: int) -> Any:
    """Rows first to last − 1, without a copy of the values where that can be had."""
    if hasattr(X, "iloc"):
        return X.iloc[first:last]
    if is_table(X):
        return X.slice(first, last - first)
    if not hasattr(X, "indptr"):
        return X[first:last]
    if (first, last) == (0, X.shape[0]):
        return X
    start = X.indptr[first : last + 1]
    low, high = int(start[0]), int(start[-1])
    if not 0 <= low <= high <= len(X.data):
        raise ValueError("the row pointers of the sparse matrix are not increasing, or point past its data")
    return _Rows((last - first, X.shape[1]), start - low, X.indices[low:high], X.data[low:high])


@dataclass(frozen=True, eq=False)
class _Rows:
    """Some rows of a CSR matrix where they lie; SciPy would copy them."""

    shape: tuple[int, int]
    indptr: NDArray[Any]
    indices: NDArray[Any]
    data: NDArray[Any]

    def tocsr(self) -> Self:
        return self


class Pairs(Nature):
    """An iterable of (x, y), or (x, y, weight), one at a time: nothing is drawn before it is played.

    An iterator can be played once; a list, or another iterable that starts anew, as often as you like.

    >>> import regretful as rg
    >>> events = [({"city": "Rome"}, True), ({"city": "Oslo"}, False)]
    >>> rg.play(rg.Perceptron(), rg.nature.Pairs(events)).mistakes
    2
    """

    looks = False

    def __init__(self, pairs: Iterable[Any]) -> None:
        self.pairs = pairs
        self.rounds = len(pairs) if isinstance(pairs, Sized) else None
        self._iterator: Iterator[Any] = iter(())
        self._y: Label | None = None

    def reset(self) -> None:
        """Start the iterable anew."""
        self._iterator = iter(self.pairs)

    def reveal(self, learner: Any) -> Example:  # noqa: ARG002
        """The x of the next pair."""
        pair = next(self._iterator)
        if not isinstance(pair, tuple | list) or len(pair) not in (2, 3):
            raise TypeError(f"expected pairs (x, y), or (x, y, weight), not {pair!r}")
        self._y = pair[1]
        self.weight = float(pair[2]) if len(pair) == 3 else 1.0
        x: Example = pair[0]
        return x

    def label(self, learner: Any, x: Example, p: float) -> Label | None:  # noqa: ARG002
        """The y of the same pair."""
        return self._y
