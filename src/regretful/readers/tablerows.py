"""The rows of one table, batch by batch: columns to pieces, pieces to hashed rows, bad rows to errors that say where.

Files are opened elsewhere, and what a column becomes is said in columns.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from regretful.core.types import Batch
from regretful.readers.builder import Builder
from regretful.readers.columns import Faults, Plan, moments
from regretful.readers.encode import PLAIN, REASONS, UNREAD, Encoder
from regretful.readers.errors import Bad, BadLine
from regretful.readers.order import Timed

VALUES = 1 << 17  # in a batch that is handed out: what the cache holds


class Reading:
    """One table, of a file at `path`, by its plan."""

    def __init__(self, path: str, table: Any, plan: Plan, builder: Builder, bad: Bad) -> None:
        self.path, self.table, self.plan, self.builder, self.bad = path, table, plan, builder, bad
        at = plan.places
        self.encoder = Encoder(
            builder, plan.pieces, plan.features, plan.crosses, at["label"], at["weight"], at["time"]
        )  # fmt: skip
        self.rows = 0  # before this batch

    def batches(self) -> Iterator[tuple[Timed, float | None]]:
        """Batches of rows with their times, and the share of the file that was read, where that is known."""
        for batch, share in self.table.batches(self.plan.needed, self.bad):
            faults: Faults = {}
            columns = self.table.columns(batch, self.plan.needed)
            self._settle(columns)
            times = self._load(columns, batch.num_rows, faults)
            step = max(1, VALUES // max(1, len(self.plan.pieces)))
            for first in range(0, batch.num_rows, step):
                last = min(first + step, batch.num_rows)
                self._encode(first, last, faults, columns)
                y, weight, places = self.encoder.take()
                if len(places):
                    X: Any = self.builder.take()
                    made = Batch(
                        X,
                        None if self.plan.places["label"] < 0 else y,
                        None if self.plan.places["weight"] < 0 else weight,
                    )
                    yield (made, None if times is None else times[places]), share
            self.rows += batch.num_rows

    def _settle(self, columns: dict[str, Any]) -> None:
        """A column of a CSV file that had nothing in the rows that were looked at."""
        if not hasattr(self.table, "settle"):
            return
        for name, column in columns.items():
            if self.plan.kinds[name] == "empty":
                self.plan.kinds[name] = self.table.settle(column)

    def _load(self, columns: dict[str, Any], rows: int, faults: Faults) -> Any:
        """Give the columns to the encoder, in the order of the plan; the times."""
        arrays: list[tuple[Any, int]] = []
        times: Any = None
        for name, column in columns.items():
            kind = self.plan.kinds[name]
            own: Faults = {}
            for what in self.plan.roles.get(name, ()):
                if what == "time":
                    found = moments(self.table.typed(name, kind, column, own))
                    times = found.fill_null(0).to_numpy(zero_copy_only=False)
                    arrays.append((found.cast(pa.float64(), safe=False), PLAIN))
                else:
                    arrays.append(self.table.number(column, kind))
            if name in self.plan.used:
                arrays += self.table.pieces(name, kind, column, own)
            for row, why in own.items():
                faults.setdefault(row, f"column {name!r}: {why}")
        self.arrays = [array for array, _ in arrays]
        self.encoder.load(self.arrays, [mode for _, mode in arrays], rows)
        return times

    def _encode(self, first: int, last: int, faults: Faults, columns: dict[str, Any]) -> None:
        self.encoder.begin(last - first)
        stops = [*sorted(row for row in faults if first <= row < last), last]
        for stop in stops:
            while first < stop:
                first, why, piece = self.encoder.run(first, stop)
                if why:
                    self.bad.add(self._explained(first, why, piece, columns))
                    first += 1
            if first < last:
                self.bad.add(BadLine(f"row {self._number(first)}, {faults[first]}", self.path))
                first += 1

    def _explained(self, row: int, why: int, piece: int, columns: dict[str, Any]) -> BadLine:
        """What is wrong with a row, and where."""
        where, value, name, what = f"row {self._number(row)}", None, "", None
        if piece >= 0:
            name = self.plan.owners[piece]
            value = columns[name][row].as_py()
            value = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
            what = next((what for what in self.plan.roles.get(name, ()) if self.plan.places[what] == piece), None)
            where += f", column {name!r}" + (f" (the {what})" if what else "")
        message = REASONS[why].format(value=repr(value), wanted=self.encoder.builder.wanted.decode())
        if why == UNREAD and what is None:
            message += f"; text={name!r} reads the column as texts"
        return BadLine(f"{where}: {message}", self.path)

    def _number(self, row: int) -> int:
        found: int = self.table.row_number(self.rows + row)
        return found
