"""Mutated CSV, TSV and JSON lines: an error that is a ValueError, or rows that are as rows must be; nothing else.

`python -m tests.readers.fuzz_tables jsonl 1000000 [seed]` plays so many; `one_jsonl(data)`, `one_csv(data)` play one.
JSON lines are held against Python's json, line by line: what it takes is taken, with the same values, and nothing else.
"""

import io
import json
import math
import random
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from regretful.core.features import Hashing
from regretful.readers.builder import Builder
from regretful.readers.errors import Bad
from regretful.readers.settings import Settings
from regretful.readers.tables import Tables

HASHING = Hashing(10)


class Held:
    """Files that are one file, in memory."""

    def __init__(self, data: bytes) -> None:
        self.data, self.done = data, 0

    def opened(self) -> Any:
        yield "-", io.BytesIO(self.data)


def rows(kind: str, data: bytes, settings: Settings) -> tuple[list[Any], Bad]:
    bad = Bad(settings.skip_bad)
    found = list(Tables(kind, settings).batches(Held(data), Builder(HASHING), bad))  # type: ignore[arg-type]
    for batch in found:
        check(batch)
    return found, bad


def check(batch: Any) -> None:
    """What HashedRows promise."""
    X = batch.X
    assert X.start[0] == 0
    assert X.start[-1] == len(X.index) == len(X.value)
    assert np.all(np.diff(X.start) >= 0)
    assert np.all((X.index >= 0) & (X.index < 1 << HASHING.bits))
    assert np.all(np.isfinite(X.value))
    for r in range(len(X)):
        part = X.index[X.start[r] : X.start[r + 1]]
        assert len(set(part.tolist())) == len(part)
    for numbers in (batch.y, batch.weight):
        assert numbers is None or (len(numbers) == len(X) and np.all(np.isfinite(numbers)))


# ------------------------------------------------------------------------------------------------ JSON lines


def one_jsonl(data: bytes) -> None:
    found, bad = rows("jsonl", data, Settings(skip_bad=True))
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
    for settings in (Settings(label="a", weight="b", cross=("a.b,c", "c,d"), time="t"),
                     Settings(label="a", labels="if there", skip_bad=True, text=("c*",), ignore=("d",))):  # fmt: skip
        tried("jsonl", data, settings)


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
    return not isinstance(text, str) or not any(0xD800 <= ord(letter) < 0xE000 for letter in text)


def tried(kind: str, data: bytes, settings: Settings) -> None:
    try:
        rows(kind, data, settings)
    except ValueError as error:
        assert str(error)  # noqa: PT017


# ----------------------------------------------------------------------------------------------- CSV and TSV


def one_csv(data: bytes) -> None:
    many = (Settings(skip_bad=True), Settings(label="y", cross=("a,c",), time="t"),
            Settings(label="y", labels="if there", skip_bad=True, text=("a",), header=False),
            Settings(weight="a", header=True))  # fmt: skip
    tried("tsv" if len(data) % 5 == 0 else "csv", data, many[sum(data[-8:]) % len(many)])


# ------------------------------------------------------------------------------------------------- mutations

SEEDS: dict[str, list[bytes]] = {
    "jsonl": [
        b'{"a": 1, "b": 2.5, "c": "x", "t": 3}\n'
        b'{"a": 0, "b": 1, "c": "y\\u00e9", "d": [1, {"e": null}], "t": "2024-05-01"}\n',
        b'\xef\xbb\xbf{"a": {"b": -1e-5, "c": true}, "d": false}\r\n\r\n'
        b'{"c": "\\ud83d\\ude00 \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"}',
        b'{"a": 123456789012345678901234567890, "b": 0.1000000000000000055511151231257827, "c": "", "": 1}\n{}\n',
        b'{"a":' + b"[" * 99 + b"1" + b"]" * 99 + b'}\n{"a": "' + b"x" * 300 + b'\\n\\"\\\\\\/"}\n',
    ],
    "csv": [
        b'a,c,t,y\n1,x,2024-05-01T10:00:00,1\n2.5,"y, z",2024-05-02T11:30:00,0\n,"say ""hi""\nthere",,1\n',
        b"\xef\xbb\xbfa,y\r\n1,0\r\n-3e5,1\r\n\r\nNA,0\r\n",
        b"1,2,3\n4,5,6\n7,8\n9,10,11,12\n",
        b"a,c,t,y\n" + b"1,text,10:00:00,true\n" * 30 + b"x,\xff,25:00:00,maybe\n",
        b"a\ty\tt\nx\t1\t2024-05-01\ny\t0\t2024-05-02\n",
    ],
}
TOKENS = {
    "jsonl": [b"{", b"}", b"[", b"]", b'"', b":", b",", b"\\", b"\\u", b"\\ud800", b"\\udc00", b"null", b"true",
              b"false", b"NaN",
              b"-", b".", b"e", b"1e400", b"0", b"9" * 25, b"\n", b"\r", b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80",
              b'"a"', b'"a.b"',
              b"\xef\xbb\xbf", b" ", b"\t", b"\x0b", b"1_0", b"0x1", b"1."],
    "csv": [b",", b'"', b'""', b"\n", b"\r", b"\r\n", b"\0", b"\xff", b"\t", b"nan", b"inf", b"1e400", b"-", b"", b"NA",
            b"true",
            b"2024-05-01", b"T10:00", b"\xef\xbb\xbf", b"\xc3", b"9" * 400, b"y", b"a", b"x" * 200],
}  # fmt: skip


def mutated(kind: str, rng: random.Random) -> bytes:
    data = bytearray(rng.choice(SEEDS[kind]))
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        at = rng.randrange(len(data) + 1)
        what = rng.random()
        if what < 0.35:
            data[at:at] = rng.choice(TOKENS[kind])
        elif what < 0.55:
            del data[at : at + rng.choice((1, 1, 2, 5, 50))]
        elif what < 0.75 and data:
            data[at % len(data)] = rng.randrange(256)
        elif what < 0.85:
            data[at : at + 5] = rng.choice(TOKENS[kind])
        elif what < 0.95:
            other = rng.choice(SEEDS[kind])
            begin = rng.randrange(len(other))
            data[at:at] = other[begin : begin + rng.randrange(60)]
        else:
            del data[at:]
    return bytes(data)


PLAYERS: dict[str, Callable[[bytes], None]] = {"jsonl": one_jsonl, "csv": one_csv}


def play(kind: str, count: int, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(count):
        data = mutated(kind, rng)
        try:
            PLAYERS[kind](data)
        except BaseException:
            print(f"{kind}: {data!r}", file=sys.stderr)
            raise


if __name__ == "__main__":
    kind, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0
    start = time.time()
    for part in range(0, count, 10_000):
        play(kind, min(10_000, count - part), seed + part)
        print(f"{kind}: {min(part + 10_000, count):,} in {time.time() - start:.0f} s", flush=True)
