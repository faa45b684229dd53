"""CSV and TSV: where the header is, what the columns hold, and their rows as Arrow batches of texts.

PyArrow splits the rows and looks at what the first of them hold; the encoder reads the numbers in them.
"""

from __future__ import annotations

import codecs
import csv
import io
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

from regretful.readers.arrowfiles import Again
from regretful.readers.columns import PIECES, Faults, kind_of, pieces, short
from regretful.readers.encode import DIGITS, FILLED, WORDS
from regretful.readers.errors import Bad, BadLine
from regretful.readers.settings import Settings, matches

HEAD = 1 << 22  # bytes that are looked at to see what the columns hold
BLOCK = 1 << 20  # bytes that are split at a time
LONGEST = 1 << 28  # bytes that a row may have
NULLS = ["", "NA", "N/A", "n/a", "null", "NULL"]
REPLACED = "\ufffd"  # what stands for bytes that are no text
DAY = "1970-01-01T"
PATIENCE = 0.5  # seconds
BOM = b"\xef\xbb\xbf"


class CSV:
    """One CSV file. names: of its columns; kinds: what they hold, by the first rows."""

    def __init__(self, path: str, stream: Any, comma: str, settings: Settings) -> None:
        self.path, self.comma, self.settings = path, comma, settings
        stream = self._text = UTF8(stream)
        head = Again(b"", stream).read(HEAD)
        self._whole = len(head) < HEAD
        if stream.start.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise BadLine("the text is UTF-16: expected UTF-8 (iconv -f UTF-16 -t UTF-8)", path)
        head = head.removeprefix(BOM).lstrip(b"\r\n")
        if self._whole and not head.endswith(b"\n"):  # PyArrow takes a header without an end of line for half a row
            head += b"\n"
        self._stream, self._head = stream, head
        first = _first_row(head, comma)
        self.empty = not first
        asked = {settings.label, settings.weight, settings.time}
        looks = _is_header(first) or not asked.isdisjoint(first)
        self.header = looks if settings.header is None else settings.header
        self.names = first if self.header else [str(place) for place in range(len(first))]
        self._skipped: list[int] = []  # the numbers of rows that PyArrow could not split
        self._passed = 0  # how many of them come before the row that was last asked for
        self._bad: BadLine | None = None
        self._zoned: set[str] = set()

    def look(self) -> dict[str, str | None]:
        """The columns, and what they hold, by the first rows."""
        if len({*self.names}) < len(self.names):
            twice = next(name for name in self.names if self.names.count(name) > 1)
            raise BadLine(f"column {twice!r} stands there twice: rename one of them", self.path)
        convert = pacsv.ConvertOptions(null_values=NULLS, strings_can_be_null=True)
        data = self._head
        if not self._whole and b"\n" in data:  # so that the last row is whole, if no text in quotes has several lines
            data = data[: data.rindex(b"\n") + 1]
        try:
            with self._opened(io.BytesIO(data), convert, len(data) + 1, lambda _: "skip") as reader:
                types = dict(zip(self.names, [one.type for one in reader.schema], strict=True))
        except pa.ArrowInvalid:
            types = dict.fromkeys(self.names, pa.null())
        self._zoned = {name for name, kind in types.items() if pa.types.is_timestamp(kind) and kind.tz}
        return {name: kind_of(kind) or "text" for name, kind in types.items()}

    def batches(self, needed: list[str], bad: Bad) -> Iterator[tuple[Any, None]]:
        """The rows, the columns that are needed, as binary texts; bad rows are left out or an error."""

        def handle(row: Any) -> str:
            self._skipped.append(row.number)
            expected = f"{row.expected_columns} column{'s' * (row.expected_columns != 1)}"
            message = f"row {row.number}: expected {expected}, not {row.actual_columns}: {short(row.text)}"
            try:
                bad.add(BadLine(message, self.path))
            except BadLine as error:
                self._bad = error
                return "error"
            return "skip"

        if not needed:  # PyArrow would count no rows
            needed = self.names[:1]
        convert = pacsv.ConvertOptions(
            column_types=dict.fromkeys(self.names, pa.binary()), include_columns=needed, strings_can_be_null=False
        )
        # A row has to fit into a block: four times the longest line so far is enough for what comes, most likely.
        block = max(BLOCK, 4 * max(map(len, self._head.split(b"\n"))))
        source: Any = Again(self._head, self._stream)
        left = _Left(source)
        reader: Any = None
        try:
            with self._opened(source, convert, block, handle) as reader:
                for batch in reader:
                    yield batch, None
        except pa.ArrowInvalid as error:
            error.__traceback__ = None  # its frames hold the source, for which `left` would wait in vain
            if self._bad is not None:
                raise self._bad.with_traceback(None) from None
            raise BadLine(_explained(str(error), block), self.path) from None
        finally:
            source = reader = None
            left.wait()

    def columns(self, batch: Any, needed: list[str]) -> dict[str, Any]:
        """The columns of a batch, as texts."""
        found = dict(zip(batch.schema.names, batch.columns, strict=True))
        return {name: found[name] for name in needed}

    def typed(self, name: str, kind: str, column: Any, faults: Faults) -> Any:
        """The column as Arrow's type of this kind; what cannot be read is null, and a fault."""
        zone = "UTC" if name in self._zoned else None
        texts = _without_nulls(column).cast(pa.string())
        if kind == "time":  # PyArrow reads them only together with a day
            own: Faults = {}
            found = _cast(pc.binary_join_element_wise(DAY, texts, ""), pa.timestamp("us"), own)
            for row, why in own.items():
                faults.setdefault(row, why.replace(DAY, "").replace("timestamp[us]", "time"))
            return found.cast(pa.time64("us"))
        wanted = {"timestamp": pa.timestamp("us", zone), "date": pa.date32()}
        return _cast(texts, wanted.get(kind, pa.float64()), faults)

    def pieces(self, name: str, kind: str, column: Any, faults: Faults) -> list[tuple[Any, int]]:
        """What the encoder takes: texts that it reads as texts, as numbers, or as true and false."""
        if kind == "text" or matches(name, self.settings.text):
            if self._text.damaged:
                for row in np.flatnonzero(pc.match_substring(column, REPLACED).to_numpy(zero_copy_only=False)):
                    faults.setdefault(int(row), f"expected a text in UTF-8, not {short(column[int(row)].as_py())}")
            return [(column, FILLED)]
        if kind in PIECES:
            return pieces(name, kind, self.typed(name, kind, column, faults), self.settings)
        return [self.number(column, kind)]

    def number(self, column: Any, kind: str) -> tuple[Any, int]:
        """A column of labels or weights, as the encoder takes it."""
        return column, WORDS if kind == "boolean" else DIGITS

    def settle(self, column: Any) -> str:
        """What a column holds that had nothing in the rows that were looked at."""
        faults: Faults = {}
        found = _without_nulls(column)
        if found.null_count == len(found):
            return "empty"
        self.typed("", "number", column, faults)
        return "text" if faults else "number"

    def row_number(self, row: int) -> int:
        """The number in the file of the row that was handed out at this place (from 0); asked in order."""
        first = row + 1 + self.header
        while self._passed < len(self._skipped) and self._skipped[self._passed] <= first + self._passed:
            self._passed += 1
        return first + self._passed

    def _opened(self, source: Any, convert: Any, block: int, handle: Any) -> Any:
        # One thread: only then does PyArrow tell which row is bad, and the other core learns meanwhile.
        return pacsv.open_csv(
            source,
            pacsv.ReadOptions(use_threads=False, block_size=block, column_names=self.names,
                              skip_rows_after_names=int(self.header)),
            pacsv.ParseOptions(delimiter=self.comma, newlines_in_values=True, invalid_row_handler=handle),
            convert,
        )  # fmt: skip


class _Left:
    """Waits until PyArrow's threads have let go of a Python object.

    One that lets go when the interpreter is ending takes the process with it (std::terminate).
    """

    def __init__(self, thing: Any) -> None:
        self._gone = threading.Event()
        weakref.finalize(thing, self._gone.set).atexit = False

    def wait(self) -> None:
        """Not for ever: an error that is on its way may hold the object, too."""
        self._gone.wait(PATIENCE)


class UTF8:
    """A stream in UTF-8, in which what is none is replaced. start: its first bytes, as they were; damaged: so."""

    def __init__(self, stream: Any) -> None:
        self._stream, self._rest = stream, b""
        self.start, self.damaged = b"", False

    def read(self, size: int = -1) -> bytes:
        """Some of the next bytes, whole characters; none at the end."""
        while found := self._stream.read(size):
            self.start = (self.start + found[:2])[:2]  # a pipe may give byte after byte
            found = self._rest + found
            used = self._check(found, final=False)
            if used:
                self._rest = found[used:]
                return self._fixed if self._fixed is not None else found[:used]
            self._rest = found
        found, self._rest = self._rest, b""
        self._check(found, final=True)
        return found if self._fixed is None else self._fixed

    def _check(self, data: bytes, final: bool) -> int:
        """How many bytes of the data are read; what they are instead, if not UTF-8, is in `_fixed`."""
        self._fixed: bytes | None = None
        try:
            return codecs.utf_8_decode(data, "strict", final)[1]
        except UnicodeDecodeError:
            text, used = codecs.utf_8_decode(data, "replace", final)
            self._fixed, self.damaged = text.encode(), True
            return used


def _first_row(head: bytes, comma: str) -> list[str]:
    """The fields of the first row that is not blank."""
    text = io.StringIO(head.decode("utf-8", "replace"), newline="")
    before = csv.field_size_limit(LONGEST)
    try:
        return next((row for row in csv.reader(text, delimiter=comma) if row), [])
    except csv.Error:
        return []
    finally:
        csv.field_size_limit(before)


def _is_header(fields: list[str]) -> bool:
    """Names are no numbers, and all different: so one may be empty, as pandas calls its index."""
    return any(map(str.strip, fields)) and not any(map(_is_number, fields)) and len({*fields}) == len(fields)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _without_nulls(column: Any) -> Any:
    return pc.if_else(pc.is_in(column, pa.array(NULLS, column.type)), pa.scalar(None, column.type), column)


def _cast(column: Any, kind: pa.DataType, faults: Faults) -> Any:
    """The column as another type: all at once, or, if that fails, one by one to see which cannot."""
    try:
        return column.cast(kind)
    except pa.ArrowInvalid:
        pass
    found = []
    for row, one in enumerate(column):
        try:
            found.append(one.cast(kind))
        except pa.ArrowInvalid:
            found.append(pa.scalar(None, kind))
            faults.setdefault(row, f"expected a {kind}, not {short(one.as_py())}")
    return pa.array([one.as_py() for one in found], kind)


def _explained(message: str, block: int) -> str:
    if "straddling" in message:
        return f"a row is longer than {block / 1e6:.0f} MB, or a quotation mark is never closed"
    return message.replace("CSV parse error: ", "")
