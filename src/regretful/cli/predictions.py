"""Predictions to a CSV file as they are made; it takes its name when it is whole."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import regretful as rg
from regretful.core.files import replacing

if TYPE_CHECKING:
    from regretful.core.types import Vector


class Predictions:
    """Where predictions go. Columns: label (where there is one), prediction, and for the logistic loss probability."""

    def __init__(self, file: Any, loss: rg.Loss) -> None:
        self.file, self.probability = file, isinstance(loss, rg.Logistic)
        self.rows = 0
        self._writer: Any = None

    def add(self, p: Vector, y: Any = None) -> None:
        """Some rounds."""
        if self.file is None:
            return
        import pyarrow as pa
        from pyarrow import csv

        columns = {} if y is None else {"label": pa.array(np.asarray(y))}
        columns["prediction"] = pa.array(p)
        if self.probability:
            columns["probability"] = pa.array(_logistic(p))
        batch = pa.record_batch(columns)
        if self._writer is None:
            self._writer = csv.CSVWriter(self.file, batch.schema, write_options=csv.WriteOptions(quoting_style="none"))
        self._writer.write_batch(batch)
        self.rows += len(p)

    def close(self) -> None:
        """What is still held back."""
        if self._writer is not None:
            self._writer.close()


@contextlib.contextmanager
def predictions(path: Path | str | None, loss: rg.Loss) -> Iterator[Predictions]:
    """A file that appears when it is whole; nothing for None, standard output for `-`."""
    if path is None or str(path) == "-":
        yield (made := Predictions(None if path is None else sys.stdout.buffer, loss))
        made.close()
        return
    with replacing(path) as file:
        yield (made := Predictions(file, loss))
        made.close()


def _logistic(p: Vector) -> Vector:
    """1/(1 + exp(−p)), without overflow."""
    small = np.exp(-np.abs(p))
    return np.asarray(np.where(p >= 0.0, 1.0, small) / (1.0 + small))
