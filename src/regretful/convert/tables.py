"""Tables written as tables: their columns and types as they are, batch by batch. How they are read, readers know."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv
import pyarrow.parquet as pq

from regretful.convert.numbers import spelt
from regretful.convert.places import Place
from regretful.readers import columns
from regretful.readers.csvfiles import CSV
from regretful.readers.errors import Bad, BadLine
from regretful.readers.files import STDIN, Files
from regretful.readers.settings import Settings, matches
from regretful.readers.tables import Tables

TABLES = ("csv", "tsv", "parquet", "arrow")
COMMAS = {"csv": ",", "tsv": "\t"}
GROUP = 1 << 16  # rows that Parquet keeps together
WRITTEN = {"text": pa.string(), "boolean": pa.bool_(), "date": pa.date32(), "time": pa.time64("us")}


class Carried:
    """The columns of table files that are used, batch by batch, each file after the other."""

    def __init__(self, files: Files, kind: str, settings: Settings) -> None:
        self.files, self.settings = files, settings
        self.schema: Any = None
        self.bad = Bad(settings.skip_bad)
        self.rows = 0
        self._tables = Tables(kind, replace(settings, labels="if there"))
        self._batches = self._all()
        self._first = next(self._batches, None)

    def __iter__(self) -> Iterator[Any]:
        if self._first is not None:
            yield self._first
            yield from self._batches

    def _all(self) -> Iterator[Any]:
        first: tuple[str, columns.Plan] | None = None
        for path, stream in self.files.opened():
            table = self._tables._open(path, stream)
            if table is None:
                continue
            plan = columns.plan(table.look(), self.settings, path)
            if first is None:
                first = path, plan
                self.schema = pa.schema([(name, self._type(table, name, plan)) for name in plan.needed])
            else:
                self._tables._same(path, plan, *first)
            before, row = self.files.done, 0
            size = 0 if path == STDIN else Path(path).stat().st_size
            for batch, share in table.batches(plan.needed, self.bad):
                faults: columns.Faults = {}
                found = table.columns(batch, plan.needed)
                arrays = [
                    self._column(table, found[one.name], one, plan.kinds[one.name], faults) for one in self.schema
                ]
                if faults:
                    at, why = min(faults.items())
                    raise BadLine(f"row {table.row_number(row + at)}, {why}", path)
                row += batch.num_rows
                self.rows += batch.num_rows
                if share is not None:
                    self.files.done = before + int(share * size)
                yield pa.RecordBatch.from_arrays(arrays, schema=self.schema)

    def _type(self, table: Any, name: str, plan: columns.Plan) -> Any:
        """The type of a column, without dictionaries."""
        if matches(name, self.settings.text):
            return pa.string()
        if isinstance(table, CSV):
            zone = "UTC" if name in table._zoned else None
            kind = plan.kinds[name]
            return pa.timestamp("us", zone) if kind == "timestamp" else WRITTEN.get(kind, pa.float64())
        found = next(kind for leaf, kind, _ in columns.leaves(table.schema, self.settings, "") if leaf == name)
        while isinstance(found, pa.BaseExtensionType):
            found = found.storage_type
        return found.value_type if pa.types.is_dictionary(found) else found

    def _column(self, table: Any, column: Any, one: Any, kind: str, faults: columns.Faults) -> Any:
        if isinstance(column, pa.ChunkedArray):
            column = column.combine_chunks()
        if isinstance(table, CSV):
            if pa.types.is_string(one.type):
                column = column.cast(pa.string())
                return pc.if_else(pc.equal(column, ""), pa.scalar(None, pa.string()), column)
            if pa.types.is_boolean(one.type):
                return pc.not_equal(table.typed(one.name, "number", _words(column), faults), 0.0)
            return table.typed(one.name, kind, column, faults)
        while isinstance(column.type, pa.BaseExtensionType):
            column = column.storage
        return column if column.type == one.type else column.cast(one.type)


def _words(column: Any) -> Any:
    """Numbers for true and false."""
    lower = pc.utf8_lower(pc.utf8_trim_whitespace(column.cast(pa.string())))
    lower = pc.if_else(pc.equal(lower, "true"), "1", lower)
    return pc.if_else(pc.equal(lower, "false"), "0", lower)


def carried(files: Files, kind: str, settings: Settings, to: str) -> Carried | None:
    """The table's columns, if the other format can hold them as they are; JSON has no times, and nothing like them."""
    found = Carried(files, kind, settings)
    if found.schema is None:
        raise BadLine("there is nothing in it", files.paths[0])
    plain = ("number", "boolean", "text", "empty")
    if to == "jsonl" and any(
        columns.kind_of(one.type) not in plain or pa.types.is_decimal(one.type) or pa.types.is_duration(one.type)
        for one in found.schema
    ):
        if not files.replayable:
            raise ValueError("JSON has no times; from standard input, leave such columns out with --ignore")
        return None
    return found


def table_to_table(table: Carried, place: Place, watch: Callable[..., None]) -> dict[str, Any]:
    """Batch by batch; in the order of a time, all in memory."""
    files, time = table.files, table.settings.time
    done = 0
    with place.opened() as file, writer(place, file, table.schema) as write:
        for batch in table if time is None else _ordered(table, time):
            _writable(batch, place, done, files.paths[0])
            write(batch)
            done += batch.num_rows
            watch(done, files.done, files.size)
    return {"rows": done, "bad_lines": table.bad.count, "notes": _look_alike(table, place)}


def _ordered(table: Carried, time: str) -> Iterator[Any]:
    whole = pa.Table.from_batches(list(table), table.schema)
    missing = pc.is_null(whole.column(time)).to_numpy()
    if missing.any():
        raise BadLine(f"row {int(missing.argmax()) + 1}, column {time!r} (the time): there is no value, and each row "
                      "needs one here", table.files.paths[0])  # fmt: skip
    yield from whole.take(pc.sort_indices(whole, [(time, "ascending")])).to_batches(GROUP)


def _writable(batch: Any, place: Place, done: int, path: str) -> None:
    """An error for what the format cannot hold."""
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if place.format in COMMAS and columns.kind_of(column.type) == "text":
            empty = pc.fill_null(pc.equal(pc.binary_length(column), 0), False).to_numpy(zero_copy_only=False)
            if empty.any():
                raise BadLine(f"row {done + int(empty.argmax()) + 1}, column {name!r}: {place.format} cannot tell an "
                              "empty text from a missing one; jsonl, parquet and arrow can", path)  # fmt: skip


def _look_alike(table: Carried, place: Place) -> list[str]:
    """Columns of texts that a reader of text files would take for something else."""
    if place.format not in COMMAS or place.path == STDIN:
        return []
    kinds: dict[str, str | None] = {}
    for path, stream in Files(place.path).opened():
        kinds = CSV(path, stream, COMMAS[place.format], table.settings).look()
    alike = [one.name for one in table.schema if columns.kind_of(one.type) == "text"
             and kinds[one.name] not in ("text", "empty")]  # fmt: skip
    return [f"texts in it look like numbers: read it with --text {','.join(alike)}"] if alike else []


@contextlib.contextmanager
def writer(place: Place, file: Any, schema: Any) -> Iterator[Callable[[Any], None]]:
    """What writes record batches in the format."""
    if place.format == "jsonl":
        yield lambda batch: file.write(_json(batch).encode())
        return
    if place.format == "parquet":
        with (
            pq.ParquetWriter(file, schema, compression="zstd") as parquet,
            _gathered(parquet.write_table, schema) as add,
        ):
            yield add
        return
    if place.format == "arrow":
        with pa.ipc.new_file(file, schema) as arrow:
            yield arrow.write_batch
        return
    options = pacsv.WriteOptions(delimiter=COMMAS[place.format], batch_size=1024)
    # A float of 32 bits would be written with the digits that tell it among its like, which are another double's.
    types = [pa.float64() if pa.types.is_floating(one.type) else one.type for one in schema]
    with pacsv.CSVWriter(file, pa.schema(zip(schema.names, types, strict=True)), write_options=options) as lines:
        yield lambda batch: lines.write_batch(
            pa.RecordBatch.from_arrays(
                [column.cast(kind) for column, kind in zip(batch.columns, types, strict=True)], names=schema.names
            )
        )


@contextlib.contextmanager
def _gathered(write: Callable[[Any], None], schema: Any) -> Iterator[Callable[[Any], None]]:
    """Batches put together to groups of rows."""
    held: list[Any] = []

    def add(batch: Any) -> None:
        held.append(batch)
        if sum(one.num_rows for one in held) >= GROUP:
            write(pa.Table.from_batches(held, schema))
            held.clear()

    yield add
    if held:
        write(pa.Table.from_batches(held, schema))


def _json(batch: Any) -> str:
    """Each row as an object, without what is missing; column by column, as wide tables are mostly empty."""
    rows: list[list[str]] = [[] for _ in range(batch.num_rows)]
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        there = column.is_valid().to_numpy(zero_copy_only=False).nonzero()[0].tolist()
        key = json.dumps(name, ensure_ascii=False)
        for row, value in zip(there, column.drop_null().to_pylist(), strict=True):
            rows[row].append(f"{key}: {_value(name, value)}")
    return "".join("{" + ", ".join(row) + "}\n" for row in rows)


def _value(name: str, value: Any) -> str:
    if not isinstance(value, float):
        return json.dumps(value, ensure_ascii=False)
    if not math.isfinite(value):
        raise BadLine(f"column {name!r} holds {value}, and JSON has no such number; leave out what is missing")
    return spelt(value)
