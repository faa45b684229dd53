"""The rows of a file of any format, exactly: names, values, label, weight. Nothing is written here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from regretful.core.types import Vector
from regretful.readers.errors import Bad, BadLine
from regretful.readers.exact import Exact
from regretful.readers.files import Files
from regretful.readers.settings import Settings
from regretful.readers.source import make


@dataclass(frozen=True)
class Piece:
    """Some rows: row r has the ids index[start[r]:start[r + 1]] and their values; y and weight may be None."""

    start: np.ndarray
    index: np.ndarray
    value: Vector
    y: Vector | None
    weight: Vector | None

    def __len__(self) -> int:
        return len(self.start) - 1


class Rows:
    """What a file holds, gone through as often as it is asked for; ids stay the same."""

    def __init__(self, files: Files, kind: str, settings: Settings) -> None:
        self.files, self.kind, self.settings = files, kind, settings
        self.label, self.weight = settings.label or "label", settings.weight or "weight"
        self.builder = Exact()
        self.bad = Bad(settings.skip_bad)
        self.count = 0
        self._format = make(kind, settings)
        self._names: list[str] = [""]  # no name has the id 0

    def __iter__(self) -> Iterator[Piece]:
        self.count, self.bad = 0, Bad(self.settings.skip_bad)
        for batch in self._format.batches(self.files, self.builder, self.bad):
            X: Any = batch.X
            y = None if batch.y is None else np.asarray(batch.y, float)
            yield Piece(X.start, X.index, X.value, y, None if batch.weight is None else np.asarray(batch.weight))
            self.count += len(X)

    @property
    def names(self) -> list[str]:
        """The names so far, by id."""
        self._names += [str(self.builder.name(place)) for place in self.builder.ids[len(self._names) - 1 :]]
        return self._names

    def weighted(self) -> bool:
        """Whether weights are to be written: where they may be missing, all rows are looked at."""
        if self.kind != "vw" or not self.files.replayable:
            return self.kind == "vw" or self.settings.weight is not None
        return any(piece.weight is not None for piece in self)

    def wrong(self, row: int, message: str) -> BadLine:
        """The error for a row (from 0) that cannot be written."""
        return BadLine(f"row {row + 1}: {message}", self.files.paths[0])
