"""Parquet and Arrow: damaged files (PyArrow parses them, so what is looked at is what comes of it), and odd tables.

The tables are whole: PyArrow takes them, and what is put to the test is our encoder, beside a naive one.
"""

import io
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import regretful as rg
from regretful.readers.arrowfiles import Arrow
from regretful.readers.errors import Bad
from regretful.readers.settings import Settings
from regretful.readers.tables import Tables
from tests.readers import odd_tables
from tests.readers.fuzzing import HASHINGS, Format, Seen, damages
from tests.readers.in_memory import rows, seen

# ------------------------------------------------------------------------------------------- damaged files

SMALL = (
    pa.table({"x": [1.0, None, 3.0], "t": ["a", "b", None], "y": [1, 0, 1]}),
    pa.table({"t": pa.array(["a", "b", "a"]).dictionary_encode(), "y": [True, False, None]}),
    pa.table({"n": [{"a": 1, "b": "x"}, {"a": 2, "b": None}], "d": pa.array([0, 10**15], pa.timestamp("us"))}),
)
SALT = (
    b"\0", b"\xff", b"\0\0\0\0", b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\x80", b"\1\0\0\0", b"PAR1",
    b"ARROW1", b"\xff" * 8, b"\xff" * 7 + b"\x7f", b"\0" * 64, b"\x10\0\0\0", b"a", b"x" * 100,
)  # fmt: skip
SETTINGS = (
    Settings(),
    Settings(skip_bad=True),
    Settings(label="y", labels="if there", skip_bad=True),
    Settings(cross=("t,y",)),
)


def parquet(table: pa.Table, **how: Any) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, **how)
    return sink.getvalue()


def stream(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, 6)
    return sink.getvalue()


def file(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table, 2)
    return sink.getvalue()


def damaged(kind: str) -> Callable[[bytes, Random, bool], Seen]:
    def check(data: bytes, rng: Random, held: bool) -> Seen:
        return seen(*rows(kind, data, rng.choice(SETTINGS), rng.choice(HASHINGS), rng.choice((64, 1 << 30, 1 << 30))))

    return check


# ---------------------------------------------------------------------------------------------- odd tables


class Slices(Arrow):
    """Batches that begin in the middle of their buffers, as those of Parquet may."""

    def batches(self, needed: list[str], bad: Bad) -> Iterator[tuple[Any, float | None]]:
        for batch, share in super().batches(needed, bad):
            for part in filter(len, (batch[:1], batch[1:3], batch[3:])):
                yield part, share


class Sliced(Tables):
    def _open(self, path: str, stream: Any) -> Slices:
        return Slices(path, stream, self.settings)


def odd(data: bytes, rng: Random, held: bool) -> Seen:
    """A stream of a table: its rows are what the naive reader makes of them."""
    hashing, settings = rng.choice(HASHINGS), Settings(skip_bad=True, ignore=("skip*",))
    found, bad, error = rows("arrow", data, settings, hashing, reader=rng.choice((Tables, Sliced)))
    if held:
        same(pa.ipc.open_stream(data).read_all(), hashing, found, bad, error)
    return seen(found, bad, error)


def same(table: pa.Table, hashing: rg.Hashing, found: list[Any], bad: Any, error: Any) -> None:
    wanted = odd_tables.naive(table, hashing)
    if wanted is None:
        assert error is not None, table.schema
        return
    assert error is None, error
    got = [row_of(batch.X, r) for batch in found for r in range(len(batch.X))]
    good = [row for row in wanted if row is not None]
    assert (len(got), bad.count) == (len(good), len(wanted) - len(good)), bad.messages
    for one, two in zip(got, good, strict=True):
        assert one.keys() == two.keys(), (one, two)
        for place, value in two.items():
            # Values that share a position are added in another order.
            assert np.isclose(one[place], value, rtol=1e-9, atol=1e-9), (one, two)


def row_of(X: Any, r: int) -> dict[int, float]:
    part = slice(X.start[r], X.start[r + 1])
    return dict(zip(X.index[part].tolist(), X.value[part].tolist(), strict=True))


FORMATS = {
    "parquet": Format(
        damages(
            (*map(parquet, SMALL), *(parquet(one, use_dictionary=False, compression="none") for one in SMALL)), SALT
        ),
        damaged("parquet"),
        held=0,
    ),
    "arrow": Format(damages((*map(stream, SMALL), *map(file, SMALL)), SALT), damaged("arrow"), held=0),
    "tables": Format(lambda rng: stream(odd_tables.table(rng)), odd, held=4),
}
