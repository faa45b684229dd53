"""Tables (CSV, TSV, Parquet, Arrow, JSON lines): from files to batches of hashed rows, labels and weights.

How a file is opened stands in csvfiles.py, arrowfiles.py and jsonlines.py; what its columns become in columns.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from regretful.core.types import Batch
from regretful.readers import columns
from regretful.readers.arrowfiles import Arrow, Parquet, problems
from regretful.readers.builder import Builder
from regretful.readers.columns import Plan
from regretful.readers.csvfiles import CSV
from regretful.readers.errors import Bad
from regretful.readers.files import STDIN, Files
from regretful.readers.order import Timed, ordered
from regretful.readers.settings import Settings
from regretful.readers.tablerows import Reading


class Tables:
    """How tables are read.

    Numbers are values, booleans 0 or 1, texts one-hot, timestamps the hour and the weekday (0 is Monday), nulls absent.
    """

    def __init__(self, kind: str, settings: Settings) -> None:
        self.kind, self.settings = kind, settings
        self.columns: dict[str, str] = {}

    def batches(self, files: Files, builder: Builder, bad: Bad) -> Iterator[Batch]:
        """All rows of all files, in order, or in the order of their time."""
        if self.kind == "jsonl":
            from regretful.readers.jsonlines import JSONLines

            found = JSONLines(self.settings, self.columns).batches(files, builder, bad)
        else:
            found = self._files(files, builder, bad)
        if self.settings.time is None:
            return (batch for batch, _ in found)
        return ordered(found, self.settings.time)

    def _files(self, files: Files, builder: Builder, bad: Bad) -> Iterator[Timed]:
        first: tuple[str, Plan] | None = None
        for path, stream in files.opened():
            before = files.done
            with problems(path, "a file that can be read"):
                table = self._open(path, stream)
                if table is None:
                    continue
                plan = columns.plan(table.look(), self.settings, path)
                if first is None:
                    first = path, plan
                    self.columns.update(plan.kinds)
                else:
                    self._same(path, plan, *first)
                size = 0 if path == STDIN else Path(path).stat().st_size
                for timed, share in Reading(path, table, plan, builder, bad).batches():
                    if share is not None:
                        files.done = before + int(share * size)
                    yield timed
                self.columns.update({name: kind for name, kind in plan.kinds.items() if kind != "empty"})

    def _open(self, path: str, stream: Any) -> Any:
        """The file by its format; None if there is nothing in it."""
        if self.kind == "parquet":
            return Parquet(path, stream, self.settings)
        if self.kind == "arrow":
            return Arrow(path, stream, self.settings)
        file = CSV(path, stream, "\t" if self.kind == "tsv" else ",", self.settings)
        return None if file.empty else file

    def _same(self, path: str, plan: Plan, before: str, known: Plan) -> None:
        """Schemas must not change from file to file."""
        columns.compare(path, plan.kinds, before, known.kinds, known.needed)
        columns.compare(before, known.kinds, path, plan.kinds, plan.needed)
        for name in plan.needed:  # a column that had nothing so far may have something now
            if known.kinds[name] == "empty":
                known.kinds[name] = plan.kinds[name]
