"""A file, or several, as a source of batches: each time it is gone through it is read anew, in constant memory.

What a format is stands in its own file; here it is found, and its batches are counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from regretful.core.features import Hashing
from regretful.core.losses import Loss
from regretful.core.types import Batch
from regretful.readers.ahead import ahead
from regretful.readers.builder import Builder
from regretful.readers.errors import Bad
from regretful.readers.files import Files
from regretful.readers.settings import Settings


class Format(Protocol):
    """How one kind of file is read."""

    columns: dict[str, str]  # names and types, for who wants to see what was read; may be empty

    def batches(self, files: Files, builder: Builder, bad: Bad) -> Iterator[Batch]:
        """All rows of all files, in order, a piece that fits the cache at a time."""


class Source:
    """A log on disk (`rg.read` makes them): play it, look for its best predictor, or go through its batches.

    features: the hashing that a learner must be made with. rows, weight: handed out so far (all, after a pass).
    size, done: bytes there are (None where that is not known) and read so far. bad: lines left out. columns: names and
    types, where the format has them.
    """

    def __init__(self, path: Any, settings: Settings, passes: int = 1) -> None:
        self.files = Files(path)
        self.asked, self.passes = settings, passes
        self.format = self.files.kind(settings.format)
        self.features = Hashing(settings.bits, settings.seed)
        self.bad = Bad(settings.skip_bad)
        self.rows, self.weight = 0, 0.0
        self._format = make(self.format, settings)
        self._builder = Builder(self.features)

    def batches(self, loss: Loss | None = None) -> Iterator[Batch]:
        """All batches, from the start; a line whose label the loss does not take is a bad one."""
        self.rows, self.weight, self.bad = 0, 0.0, Bad(self.asked.skip_bad)
        for _ in range(self.passes):
            self._builder = Builder(self.features, loss)
            for batch in ahead(self._format.batches(self.files, self._builder, self.bad)):
                rows = len(batch.X)  # type: ignore[arg-type]  # hashed rows
                self.rows += rows
                self.weight += rows if batch.weight is None else float(np.sum(batch.weight))
                yield batch

    __call__ = batches  # a source of hindsight is a function that gives batches

    def __iter__(self) -> Iterator[Batch]:
        return self.batches()

    @property
    def replayable(self) -> bool:
        """Whether it can be read again."""
        return self.files.replayable

    @property
    def size(self) -> int | None:
        """Bytes to read, in all passes."""
        return None if self.files.size is None else self.files.size * self.passes

    @property
    def done(self) -> int:
        """Bytes read in this pass."""
        return self.files.done

    @property
    def columns(self) -> dict[str, str]:
        """Names and types."""
        return self._format.columns

    def name_of(self, position: int) -> str | None:
        """The name of the feature at a position: the first that came there."""
        return self._builder.name(position)

    def settings(self) -> dict[str, Any]:
        """How it is read, as plain values: what `rg.read` takes."""
        return self.asked.as_dict()

    def describe(self) -> dict[str, Any]:
        """What was read, for people."""
        found: dict[str, Any] = {"file": self.files.paths if len(self.files.paths) > 1 else self.files.paths[0]}
        found |= {"format": self.format, "rows": self.rows, "bytes": self.files.size}
        return found | {"bad lines": self.bad.count, "columns": self.columns}

    def __repr__(self) -> str:
        return f"Source({', '.join(self.files.paths)}, {self.format})"


def make(kind: str, settings: Settings) -> Format:
    """The reader of a format."""
    if kind in ("libsvm", "vw"):
        from regretful.readers.text import Text

        return Text(kind, settings)
    from regretful.readers.tables import Tables

    return Tables(kind, settings)
