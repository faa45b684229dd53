"""A file as a source of rounds, and what goes wrong while one is read."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import regretful as rg
from regretful.cli.errors import Failed, Refused
from regretful.nature import Batch, Stream


@dataclass
class Bad:
    """Lines left out."""

    count: int
    messages: list[str]


class Table:
    """A file that PyArrow reads, as one table."""

    def __init__(self, path: str, settings: dict[str, Any], seed: int, passes: int, labels: str) -> None:
        import pyarrow as pa
        from pyarrow import csv, parquet

        self._settings = settings
        file = Path(path)
        if not file.exists():
            raise Failed(f"{path}: there is no such file")
        kind = settings["format"] or file.suffix.lstrip(".")
        if kind == "parquet":
            table = parquet.read_table(file)
        elif kind in ("csv", "tsv"):
            table = csv.read_csv(file, parse_options=csv.ParseOptions(delimiter="," if kind == "csv" else "\t"))
        else:
            raise Refused(f"{path}: no format is known for the name; give --format csv, tsv or parquet")
        label, weight = settings["label"], settings["weight"]
        if labels == "if there" and label not in table.column_names:
            label = None
        for name in (label, weight):
            if name is not None and name not in table.column_names:
                raise Refused(f"{path}: there is no column {name!r}; there are {', '.join(table.column_names)}")
        self.y = None if label is None else np.tile(table.column(label).to_numpy(), passes)
        self.weights = None if weight is None else np.tile(table.column(weight).to_numpy(), passes)
        only, ignore = settings["only"], settings["ignore"]

        def used(name: str) -> bool:
            if name in (label, weight) or any(fnmatch.fnmatch(name, pattern) for pattern in ignore):
                return False
            return not only or any(fnmatch.fnmatch(name, pattern) for pattern in only)

        names = [name for name in table.column_names if used(name)]
        self.table = table.select(names)
        self.features = rg.Hashing(settings["bits"], seed)
        self.bad = Bad(0, [])
        self.size = self.done = file.stat().st_size
        self.rows = table.num_rows * passes
        if passes > 1:
            self.table = pa.concat_tables([self.table] * passes)
        self.weight = float(self.rows if self.weights is None else self.weights.sum())

    def __iter__(self) -> Any:
        yield Batch(self.table, self.y, self.weights)

    def hindsight(self, loss: rg.Loss, domain: rg.Domain, **options: Any) -> rg.Comparator:
        """The best fixed predictor over it."""
        return rg.hindsight(loss, domain, self.table, self.y, weight=self.weights, features=self.features, **options)

    def nature(self) -> Stream:
        """What `rg.play` plays."""
        return Stream(self.table, self.y, self.weights)

    def settings(self) -> dict[str, Any]:
        """How it is read."""
        return self._settings

    def describe(self) -> dict[str, Any]:
        """What was read."""
        return {"format": self._settings["format"], "rows": self.rows, "size": self.size}


def opened(path: str, settings: dict[str, Any], seed: int = 0, passes: int = 1, labels: str = "asked") -> Any:
    """The file as a source."""
    return Table(path, settings, seed, passes, labels)


def again(path: str, why: str) -> None:
    """Refuse what can be read once only."""
    if path == "-":
        raise Refused(f"{why}, and standard input comes once: give a file")
