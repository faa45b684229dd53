"""Parquet and Arrow (IPC files, Feather, streams): their schema, and their rows as Arrow batches.

What is compressed or comes from standard input is held in memory, except Arrow streams, which can be read as they come.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from regretful.readers.columns import Faults, as_double, as_text, kind_of, leaves, pieces
from regretful.readers.encode import PLAIN
from regretful.readers.errors import Bad, BadLine
from regretful.readers.settings import Settings

VALUES = 1 << 22  # in a batch that is decoded at once
CHUNK = 1 << 24  # bytes, of what is held in memory


class _Columns:
    """What Parquet and Arrow have in common: a schema, nested columns, rows counted from 1."""

    path: str
    schema: pa.Schema
    settings: Settings

    def look(self) -> dict[str, str | None]:
        """The columns, and what they hold."""
        if not self.schema.names:  # of which a damaged file may still say that there are 2⁴⁰ rows
            raise BadLine("there are no columns", self.path)
        found = leaves(self.schema, self.settings, self.path)
        tops = self.schema.names
        self._ways = {name: (tops[way[0]], *way[1:]) for name, _, way in found}
        return {name: kind_of(kind) for name, kind, _ in found}

    def _tops(self, needed: list[str]) -> list[str]:
        return list(dict.fromkeys(str(self._ways[name][0]) for name in needed))

    def columns(self, batch: Any, needed: list[str]) -> dict[str, Any]:
        """The columns of a batch, as Arrow has them."""
        tops = dict(zip(batch.schema.names, batch.columns, strict=True))
        found = {}
        for name in needed:
            top, *rest = self._ways[name]
            column = tops[top]
            for place in rest:
                column = pc.struct_field(column, [place])
            found[name] = column
        return found

    def typed(self, name: str, kind: str, column: Any, faults: Faults) -> Any:  # noqa: ARG002  # CSV needs them
        """It has its type already."""
        return column

    def pieces(self, name: str, kind: str, column: Any, faults: Faults) -> list[tuple[Any, int]]:
        """What the encoder takes."""
        return pieces(name, kind, as_text(column, faults), self.settings)

    def number(self, column: Any, kind: str) -> tuple[Any, int]:  # noqa: ARG002
        """A column of labels or weights, as the encoder takes it."""
        return as_double(column), PLAIN

    def row_number(self, row: int) -> int:
        """The number in the file of the row that was handed out at this place (from 0)."""
        return row + 1


class Parquet(_Columns):
    """One Parquet file."""

    def __init__(self, path: str, stream: Any, settings: Settings) -> None:
        self.path, self.settings = path, settings
        self._source = seekable(stream)
        with problems(path, "a Parquet file"):
            file = pq.ParquetFile(self._source)
            self.schema = file.schema_arrow
            self.rows: int | None = file.metadata.num_rows

    def batches(self, needed: list[str], bad: Bad) -> Iterator[tuple[Any, float | None]]:  # noqa: ARG002
        """The rows, with the columns that are needed (nested ones as a whole); and the share that is read."""
        tops, done = self._tops(needed), 0
        kinds = {name: self.schema.field(name).type for name in tops}
        texts = [name for name, kind in kinds.items() if kind_of(kind) == "text" and not pa.types.is_dictionary(kind)]
        # Each distinct text is then decoded, and hashed, once.
        with problems(self.path, "a Parquet file"):
            file = pq.ParquetFile(self._source, read_dictionary=texts, pre_buffer=False, buffer_size=1 << 20)
            size = max(64, min(VALUES // max(1, len(needed)), 65536))
            for batch in file.iter_batches(size, columns=tops, use_threads=False):
                done += batch.num_rows
                yield batch, done / max(1, self.rows or 0)


class Arrow(_Columns):
    """One Arrow file, or stream."""

    def __init__(self, path: str, stream: Any, settings: Settings) -> None:
        self.path, self.settings = path, settings
        head = stream.read(6)
        if head.startswith(b"FEA1"):
            raise BadLine("this is version 1 of Feather: write it anew, with pyarrow.feather.write_feather", path)
        self._count: int | None = None
        with problems(path, "an Arrow file or stream"):
            if head == b"ARROW1":
                self._reader = pa.ipc.open_file(seekable(stream, head))
                self._count = self._reader.num_record_batches
            else:
                self._reader = pa.ipc.open_stream(pa.PythonFile(Again(head, stream), "r"))
            self.schema = self._reader.schema

    def batches(self, needed: list[str], bad: Bad) -> Iterator[tuple[Any, float | None]]:  # noqa: ARG002
        """The rows, with the columns that are needed; and the share that is read, where that is known."""
        with problems(self.path, "an Arrow file or stream"):
            found = self._reader if self._count is None else map(self._reader.get_batch, range(self._count))
            for place, batch in enumerate(found):
                batch.validate(full=True)  # a file from elsewhere: no offset may point past its buffer
                yield batch, None if self._count is None else (place + 1) / self._count


class Again:
    """What was read already, then the rest of the stream, as PyArrow reads files of Python's."""

    closed = False

    def __init__(self, head: bytes, stream: Any) -> None:
        self._head, self._stream = head, stream

    def read(self, size: int = -1) -> bytes:
        """So many of the next bytes; fewer only at the end."""
        if size < 0:
            found, self._head = self._head + read_all(self._stream), b""
            return found
        if 0 < size <= len(self._head):
            found, self._head = self._head[:size], self._head[size:]
            return found
        parts, size = [self._head], size - len(self._head)
        self._head = b""
        while size > 0 and (part := self._stream.read(min(size, CHUNK))):  # a damaged file may ask for 2⁶⁰
            parts.append(part)
            size -= len(part)
        return parts[1] if len(parts) == 2 and not parts[0] else b"".join(parts)

    def close(self) -> None:
        """Who opened it closes it."""


class problems:  # used as `with problems(…)`
    """Errors of PyArrow's become errors that name the file."""

    def __init__(self, path: str, what: str) -> None:
        self.path, self.what = path, what

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        if isinstance(error, BadLine):
            return
        if isinstance(error, pa.ArrowException | OSError | EOFError | UnicodeDecodeError):
            raise BadLine(f"expected {self.what}: {str(error).splitlines()[0].strip() if str(error) else kind}",
                          self.path) from None  # fmt: skip


def seekable(stream: Any, head: bytes = b"") -> Any:
    """The file, so that it can be read from any place on: as it lies on disk, or in memory."""
    raw = stream.raw
    if isinstance(raw, pa.OSFile):
        raw.seek(0)
        return raw
    return pa.BufferReader(head + read_all(stream))


def read_all(stream: Any) -> bytes:
    """All that is left."""
    return b"".join(iter(lambda: stream.read(CHUNK), b""))
