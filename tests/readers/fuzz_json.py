"""Mutated JSON lines: what Python's json takes is taken, line by line, with the same values; nothing else is."""

import json
import math
import re
from random import Random
from typing import Any

import numpy as np

from regretful.readers.errors import Bad
from regretful.readers.settings import Settings
from tests.readers.fuzzing import HASHINGS, Format, Seen, mutations
from tests.readers.in_memory import rows, seen

SURROGATE = re.compile("[\ud800-\udfff]")
LINES = (
    b'{"a": 1, "b": 2.5, "c": "x", "t": 3}\n'
    b'{"a": 0, "b": 1, "c": "y\\u00e9", "d": [1, {"e": null}], "t": "2024-05-01"}\n',
    b'\xef\xbb\xbf{"a": {"b": -1e-5, "c": true}, "d": false}\r\n\r\n'
    b'{"c": "\\ud83d\\ude00 \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"}',
    b'{"a": 123456789012345678901234567890, "b": 0.1000000000000000055511151231257827, "c": "", "": 1}\n{}\n',
    b'{"a":' + b"[" * 99 + b"1" + b"]" * 99 + b'}\n{"a": "' + b"x" * 300 + b'\\n\\"\\\\\\/"}\n',
)
LINES += (b"\n".join(LINES), b'{"a": 1, "b": 1, "c": "x", "d": 2, "t": 5}\n' * 4)
LONG = (
    b'\n{"t": "2024-05-01"' + b"".join(b', "k%d": %d' % (k, k) for k in range(150)) + b"}\n",
    b'\n{"a": 1, "b": 1, "c": "x", "t": 1}' * 1100 + b"\n",
)
SALT = (
    b"{", b"}", b"[", b"]", b'"', b":", b",", b"\\", b"\\u", b"\\ud800", b"\\udc00", b"null", b"true", b"false", b"NaN",
    b"-", b".", b"e", b"1e400", b"0", b"9" * 25, b"\n", b"\r", b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b'"a"',
    b'"a.b"', b"\xef\xbb\xbf", b" ", b"\t", b"\x0b", b"1_0", b"0x1", b"1.", b'"a": 1, ', b'"b": -0.0, ',
    b'"t": "2024-05-01T10:00:00Z", ',
    b'"c": "x", ', b"1e100", b'"a.0": 1, "a": [1, [2]], ', b'\n{"a": 1e100, "b": 1e100}\n',
    b"\\r\\b\\f\\t",
)  # fmt: skip
SETTINGS = (
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
        return seen(*rows("jsonl", data, rng.choice(SETTINGS), hashing, most))
    found, bad, error = rows("jsonl", data, SETTINGS[0], hashing, most)
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
            yield from walk(inner, f"{name}.")


def deep(value: Any) -> int:
    if not isinstance(value, dict | list):
        return 0
    return 1 + max(map(deep, value.values() if isinstance(value, dict) else value), default=0)


def encodable(text: Any) -> bool:
    return not isinstance(text, str) or not SURROGATE.search(text)


FORMATS = {"jsonl": Format(mutations(LINES, SALT, LONG), jsonl, held=4, objects=True)}
