"""Logs: rounds that are read from files as they are played. How they are read is the business of the readers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from regretful.core.losses import Loss
from regretful.core.types import Batch
from regretful.nature.nature import Oblivious, length
from regretful.readers.source import Source


class Log(Oblivious):
    """The rounds of a source (`rg.read`), in order. Going back to the first reads the files anew.

    loss: whose labels they are to be; a line with another is a bad one.

    `rg.play(learner, rg.read(…))` makes one by itself.
    """

    ends = True

    def __init__(self, source: Source, loss: Loss | None = None) -> None:
        self.source, self.loss = source, loss
        self.rounds = None
        self._batches: Iterator[Batch] = iter(())
        self._batch: Batch | None = None  # what was read and not handed out yet, from round `_next` on
        self._next = 0

    def examples(self, first: int, last: int) -> Batch:
        """Rounds from `first` on, where the last ones ended or the first of all; as many as lie in one piece."""
        if first == 0:
            self.close()
            self._batches, self._batch, self._next = self._begun(), None, 0
        elif first != self._next:
            raise ValueError(f"a log is read in order: round {self._next:,} comes next, not {first:,}")
        while self._batch is None or not length(self._batch.X):
            found = next(self._batches, None)
            if found is None:
                self._batch = None
                return Batch([], None, None)
            self._batch = found
        size = min(last - first, length(self._batch.X))
        here, self._batch = _cut(self._batch, 0, size), _cut(self._batch, size, None)
        self._next += size
        return here

    def _begun(self) -> Iterator[Batch]:
        return iter(self.source) if self.loss is None else self.source.batches(self.loss)

    def close(self) -> None:
        """Leave the files."""
        if hasattr(self._batches, "close"):
            self._batches.close()
        self._batches, self._batch = iter(()), None

    def __repr__(self) -> str:
        return f"Log({self.source!r})"


def _cut(batch: Batch, first: int, last: int | None) -> Batch:
    part = slice(first, last)

    def cut(column: Any) -> Any:
        return None if column is None else np.asarray(column)[part]

    X: Any = batch.X
    return Batch(X[part], cut(batch.y), cut(batch.weight))
