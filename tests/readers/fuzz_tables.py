"""Mutated CSV, TSV and JSON lines: rows as rows must be, or errors that say where; nothing else.

JSON lines are held against Python's json, line by line: what it takes is taken, with the same values, and nothing else.
CSV is held against itself, read with another size of pieces.
"""

import io
import json
import math
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

import regretful as rg
from regretful.readers import BadLine
from regretful.readers.builder import Builder
from regretful.readers.errors import Bad
from regretful.readers.settings import Settings
from regretful.readers.tables import Tables
from tests.readers import sound
from tests.readers.fuzzing import HASHINGS, Format, Seen, mutations

SURROGATE = re.compile("[\ud800-\udfff]")
NAME = "-"  # of the file
MOST = 100_000  # rows: a damaged file may say that there are 2⁴⁰, of a column that has nothing


class Held:
    """Files that are one file, in memory, which gives at most so many bytes at a time."""

    def __init__(self, data: bytes, most: int = 1 << 30) -> None:
        self.data, self.most, self.done = data, most, 0

    def opened(self) -> Iterator[tuple[str, Any]]:
        yield NAME, Stream(self.data, self.most)


class Stream(io.BytesIO):
    """raw: as PyArrow's readers ask for it; they take what lies in memory from `read`."""

    raw = None

    def __init__(self, data: bytes, most: int) -> None:
        super().__init__(data)
        self.most = most

    def read(self, size: int | None = -1) -> bytes:
        return super().read(self.most if size is None or size < 0 else min(size, self.most))


def rows(
    kind: str, data: bytes, settings: Settings, hashing: rg.Hashing, most: int = 1 << 30
) -> tuple[list[Any], Bad, BadLine | None]:
    """The batches, the bad lines, and the error that ended it; each is looked at."""
    bad, found = Bad(settings.skip_bad), []
    lines = data.count(b"\n") + 1 if kind == "jsonl" else None
    try:
        builder = Builder(hashing)
        for batch in Tables(kind, settings).batches(Held(data, most), builder, bad):  # type: ignore[arg-type]
            sound.batch(batch, hashing, builder.name)
            found.append(batch)
            if sum(len(one.X) for one in found) > MOST:
                break
    except ValueError as error:
        sound.error(error, NAME, lines)
        return found, bad, error.with_traceback(None)  # type: ignore[return-value]  # so says sound.error
    return found, bad, None


def seen(found: list[Any], bad: Bad, error: BadLine | None) -> Seen:
    return Seen(sum(len(batch.X) for batch in found), bad.count + (error is not None))


# ------------------------------------------------------------------------------------------------ JSON lines

JSON_SETTINGS = (
    Settings(skip_bad=True),
    Settings(skip_bad=True, cross=("a,b", "a,b,c")),
    Settings(),
    Settings(label="a", weight="b", cross=("a.b,c", "c,d"), time="t"),
    Settings(label="a", weight="b", cross=("a.b,c", "c,d"), time="t", skip_bad=True),
    Settings(label="a", labels="if there", skip_bad=True, text=("c*",), ignore=("d",)),
)


def jsonl(data: bytes, rng: Random, held: bool) -> Seen:
    hashing, most = rng.choice(HASHINGS), rng.choice((1, 7, 64, 64, 1 << 30, 1 << 30))
    if not held:
        return seen(*rows("jsonl", data, rng.choice(JSON_SETTINGS), hashing, most))
    found, bad, error = rows("jsonl", data, JSON_SETTINGS[0], hashing, most)
    assert error is None, data
    same(data, found, bad)
    return seen(found, bad, error)


def same(data: bytes, found: list[Any], bad: Bad) -> None:
    """What was read is what Python's json reads."""
    values = [batch.X.value[batch.X.start[r] : batch.X.start[r + 1]] for batch in found for r in range(len(batch.X))]
    wanted, wrong = [], 0
    for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if line.strip(b" \t\r"):
            event = naive(line)
            if event is None:
                wrong += 1
            else:
                wanted.append(event)
    assert bad.count == wrong, (data, bad.messages)
    assert len(values) == len(wanted), data
    for got, event in zip(values, wanted, strict=True):
        total = math.fsum(1.0 if isinstance(value, str) else float(value) for value in event.values())
        assert math.isclose(math.fsum(got), total, rel_tol=1e-9, abs_tol=1e-300 + 1e-12 * float(np.abs(got).sum())), (
            data,
            got,
        )


def naive(line: bytes) -> dict[str, Any] | None:
    """The row as Python's json reads it; None if it is none, or none a learner takes."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) < len(pairs):
            raise ValueError("a key twice")
        return dict(pairs)

    def constant(name: str) -> None:
        raise ValueError(name)

    try:
        found = json.loads(line.decode(), object_pairs_hook=unique, parse_constant=constant)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or deep(found) > 100:
        return None
    flat: dict[str, Any] = {}
    for name, value in walk(found, ""):
        if name in flat or not encodable(name) or not encodable(value):
            return None
        flat[name] = value
        if isinstance(value, int | float) and not abs(value) <= 1e150:
            return None
    return {name: value for name, value in flat.items() if value is not None and value not in ({}, [])
            and not isinstance(value, dict | list)}  # fmt: skip


def walk(value: Any, before: str) -> Any:
    """All names, also of objects and lists themselves."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        name = f"{before}{key}"
        yield name, inner
        if isinstance(inner, dict | list):
            yield from walk(inner, f"{name}." if name else "")


def deep(value: Any) -> int:
    if not isinstance(value, dict | list):
        return 0
    return 1 + max(map(deep, value.values() if isinstance(value, dict) else value), default=0)


def encodable(text: Any) -> bool:
    return not isinstance(text, str) or not SURROGATE.search(text)


# ----------------------------------------------------------------------------------------------- CSV and TSV

CSV_SETTINGS = (
    Settings(skip_bad=True),
    Settings(skip_bad=True, cross=("a,y",), text=("c",)),
    Settings(),
    Settings(label="y", cross=("a,c",), time="t"),
    Settings(label="y", labels="if there", skip_bad=True, text=("a",), header=False),
    Settings(weight="a", header=True),
    Settings(label="y", weight="a", time="t", skip_bad=True),
)


def csv(data: bytes, rng: Random, held: bool) -> Seen:
    return table("csv", data, rng, held)


def tsv(data: bytes, rng: Random, held: bool) -> Seen:
    return table("tsv", data, rng, held)


def table(kind: str, data: bytes, rng: Random, held: bool) -> Seen:
    """It is read; and again with other pieces, which changes nothing."""
    settings, hashing = rng.choice(CSV_SETTINGS), rng.choice(HASHINGS)
    found, bad, error = rows(kind, data, settings, hashing, rng.choice((64, 1 << 30, 1 << 30)))
    if held:
        again, worse, other = rows(kind, data, settings, hashing, rng.choice((1, 5, 7)))
        assert (str(error), bad.messages) == (str(other), worse.messages), (error, other)
        for one, two in zip(found, again, strict=True):
            for name in ("start", "index", "value"):
                assert np.array_equal(getattr(one.X, name), getattr(two.X, name))
            assert np.array_equal(one.y, two.y)
            assert np.array_equal(one.weight, two.weight)
    return seen(found, bad, error)


# --------------------------------------------------------------------------------------------------- inputs

JSONL = (
    b'{"a": 1, "b": 2.5, "c": "x", "t": 3}\n'
    b'{"a": 0, "b": 1, "c": "y\\u00e9", "d": [1, {"e": null}], "t": "2024-05-01"}\n',
    b'\xef\xbb\xbf{"a": {"b": -1e-5, "c": true}, "d": false}\r\n\r\n'
    b'{"c": "\\ud83d\\ude00 \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"}',
    b'{"a": 123456789012345678901234567890, "b": 0.1000000000000000055511151231257827, "c": "", "": 1}\n{}\n',
    b'{"a":' + b"[" * 99 + b"1" + b"]" * 99 + b'}\n{"a": "' + b"x" * 300 + b'\\n\\"\\\\\\/"}\n',
)
JSONL += (b"\n".join(JSONL), b'{"a": 1, "b": 1, "c": "x", "d": 2, "t": 5}\n' * 4)
JSONL_LONG = (
    b'\n{"t": "2024-05-01"' + b"".join(b', "k%d": %d' % (k, k) for k in range(150)) + b"}\n",
    b'\n{"a": 1, "b": 1, "c": "x", "t": 1}' * 1100 + b"\n",
)
JSONL_SALT = (
    b"{", b"}", b"[", b"]", b'"', b":", b",", b"\\", b"\\u", b"\\ud800", b"\\udc00", b"null", b"true", b"false", b"NaN",
    b"-", b".", b"e", b"1e400", b"0", b"9" * 25, b"\n", b"\r", b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b'"a"',
    b'"a.b"', b"\xef\xbb\xbf", b" ", b"\t", b"\x0b", b"1_0", b"0x1", b"1.", b'"a": 1, ', b'"b": -0.0, ',
    b'"t": "2024-05-01T10:00:00Z", ',
    b'"c": "x", ', b"1e100", b'"a.0": 1, "a": [1, [2]], ', b'\n{"a": 1e100, "b": 1e100}\n',
    b"\\r\\b\\f\\t",
)  # fmt: skip
CSV = (
    b'a,c,t,y\n1,x,2024-05-01T10:00:00,1\n2.5,"y, z",2024-05-02T11:30:00,0\n,"say ""hi""\nthere",,1\n',
    b"\xef\xbb\xbfa,y\r\n1,0\r\n-3e5,1\r\n\r\nNA,0\r\n",
    b"1,2,3\n4,5,6\n7,8\n9,10,11,12\n",
    b"a,c,t,y\n" + b"1,text,10:00:00,true\n" * 30 + b"x,\xff,25:00:00,maybe\n",
    b"a,y,t\nx,1,2024-05-01\ny,0,2024-05-02\n",
    b"a,y\n1,true\n2,false\n3,true\n",
    b"\xc3\xa9,a,y\n\xe2\x82\xac,.5,1\n\xf0\x9f\x98\x80,1e-3,0\n",
)
CSV_LONG = b"\n1,2,3" * 200, b",x" * 600, b'"' + b"x\n" * 500 + b'"'
CSV_SALT = (
    b",", b'"', b'""', b"\n", b"\r", b"\r\n", b"\0", b"\xff", b"\t", b"nan", b"inf", b"1e400", b"-", b"NA", b"true",
    b"2024-05-01", b"T10:00", b"10:00:00", b"\xef\xbb\xbf", b"\xc3", b"9" * 400, b"y", b"a", b"x" * 200, b"\xff\xfe",
    b"1e100", b"\n1e100,1e100\n", b"false", b",,", b",1,", b"\n1,2,3\n", b"Z", b"+01:00",
)  # fmt: skip


def tabs(text: bytes) -> bytes:
    """The same with tabs and commas exchanged."""
    return text.translate(bytes.maketrans(b",\t", b"\t,"))


FORMATS = {
    "csv": Format(mutations(CSV, CSV_SALT, CSV_LONG), csv, held=16),
    "tsv": Format(
        mutations(tuple(map(tabs, CSV)), tuple(map(tabs, CSV_SALT)), tuple(map(tabs, CSV_LONG))), tsv, held=16
    ),
    "jsonl": Format(mutations(JSONL, JSONL_SALT, JSONL_LONG), jsonl, held=4, objects=True),
}
