"""Whole tables of odd columns, made at random, and their rows as a naive reader has them.

All types that PyArrow writes, values no learner takes, nulls, empty texts, names of any letters, or twice.
"""

import datetime as dt
import decimal
import math
from random import Random
from typing import Any

import pyarrow as pa

import regretful as rg

LARGEST = 1e150  # a learner takes no more
BIG = decimal.Decimal(10) ** 75
FLOATS = (0.0, -0.0, 1.0, -2.5, 1e-310, 5e-324, 1e149, 1e151, 1e308, math.inf, -math.inf, math.nan)
TEXTS = ("", "a", "b", "a=b", "é", "€\0x", "😀", "x" * 300, " 1", "nan", "1e400", "null")
DAYS = (dt.date(1, 1, 1), dt.date(1969, 12, 31), dt.date(1970, 1, 1), dt.date(2024, 2, 29), dt.date(9999, 12, 31))
TIMES = (dt.time(0), dt.time(23, 59, 59), dt.time(12, 30, 0, 1))
MOMENTS = (dt.datetime(1677, 9, 22), dt.datetime(1969, 12, 31, 23, 59, 59), dt.datetime(2024, 2, 29, 5),
           dt.datetime(2262, 4, 10, 23))  # fmt: skip
SPANS = dt.timedelta(0), dt.timedelta(seconds=-1), dt.timedelta(days=100, milliseconds=5)
NAMES = ("a", "b", "c", "a.b", "", " ", "é", "€\0", "😀", "n" * 200, "a=x", "*", "label", "a.hour", "skip", "0")

# Types, and values that they hold.
COLUMNS: tuple[tuple[pa.DataType, tuple[Any, ...]], ...] = (
    *((kind(), (0, 1, 127)) for kind in (pa.uint8, pa.int8, pa.uint16, pa.int16, pa.uint32, pa.int32)),
    (pa.int64(), (0, -1, 2**53 + 1, 2**63 - 1, -(2**63))), (pa.uint64(), (0, 2**64 - 1)),
    (pa.float16(), (0.0, 0.5, math.inf, math.nan)), (pa.float32(), (0.0, 0.1, 3e38, math.nan, -math.inf)),
    (pa.float64(), FLOATS), (pa.float64(), (0.0, 1.0, -2.5)), (pa.bool_(), (True, False)), (pa.null(), ()),
    (pa.decimal128(38, 10), (decimal.Decimal("0"), decimal.Decimal("-1.5"), BIG.scaleb(-48))),
    (pa.decimal256(76, 0), (decimal.Decimal(1), BIG, -BIG)),
    *((kind(), TEXTS) for kind in (pa.string, pa.large_string, pa.string_view)),
    *((kind(), tuple(map(str.encode, TEXTS))) for kind in (pa.binary, pa.large_binary, pa.binary_view)),
    (pa.binary(), (b"", b"\xff", b"\xc3", b"\0")), (pa.date32(), DAYS), (pa.date64(), DAYS),
    (pa.time32("s"), TIMES[:2]), (pa.time64("us"), TIMES), (pa.time64("ns"), TIMES),
    *((pa.timestamp(unit), MOMENTS) for unit in ("s", "ms", "us", "ns")),
    *((pa.timestamp("us", zone), tuple(one.replace(tzinfo=dt.UTC) for one in MOMENTS[1:3]))
      for zone in ("UTC", "Asia/Kolkata", "-03:30")),
    *((pa.duration(unit), SPANS[: 2 if unit == "s" else 3]) for unit in ("s", "ms", "us", "ns")),
    (pa.struct([("b", pa.int8()), ("c", pa.string())]), ({"b": 1, "c": "x"}, {"b": None, "c": ""}, {"b": 3})),
    (pa.struct([]), ({},)), (pa.struct([("d", pa.struct([("e", pa.float64())]))]), ({"d": {"e": 2.0}}, {"d": None})),
    (pa.list_(pa.int8()), ([1], [])), (pa.map_(pa.string(), pa.int8()), ([("k", 1)],)), (pa.binary(3), (b"abc",)),
    (pa.month_day_nano_interval(), ((1, 2, 3),)),
)  # fmt: skip
CODES = pa.int8(), pa.uint8(), pa.int16(), pa.uint32(), pa.int32(), pa.int64()


def column(rng: Random, size: int) -> pa.Array:
    """Some rows of one of the types."""
    kind, values = rng.choice(COLUMNS)
    missing = rng.choice((0.0, 0.3, 1.0)) if values else 1.0
    made = pa.array([rng.choice(values) if rng.random() >= missing else None for _ in range(size)], kind)
    if rng.random() < 0.3 and str(kind) in ("string", "large_string", "binary", "int64", "double", "date32[day]"):
        made = made.dictionary_encode(rng.choice(("mask", "encode")))
        made = pa.DictionaryArray.from_arrays(made.indices.cast(rng.choice(CODES)), made.dictionary)
    return made


def table(rng: Random) -> pa.Table:
    size, width = rng.choice((0, 1, 2, 5, 17)), rng.choice((1, 1, 2, 3, 5))
    return pa.table([column(rng, size) for _ in range(width)], [rng.choice(NAMES) for _ in range(width)])


# -------------------------------------------------------------------------------------------- a naive reader


SKIPPED = "skip"  # how the names of columns begin that are left out
Leaf = tuple[str, pa.DataType, list[Any]]


def naive(table: pa.Table, hashing: rg.Hashing) -> list[dict[int, float] | None] | None:
    """Each row's values by position, None for a bad row; None if the whole table is none."""
    found = [one for name, column in zip(table.column_names, table.columns, strict=True)
             for one in leaves(name, column.type, column.to_pylist())]  # fmt: skip
    structs = [one.name for one in table.schema if pa.types.is_struct(one.type) and not one.name.startswith(SKIPPED)]
    names = structs + [name for name, _, _ in found]
    if len({*names}) < len(names):
        return None
    found = [one for one in found if not one[0].startswith(SKIPPED)]
    if any(without_features(kind) for _, kind, _ in found):
        return None
    return [row([(name, values[r]) for name, _, values in found], hashing) for r in range(len(table))]


def leaves(name: str, kind: pa.DataType, values: list[Any]) -> list[Leaf]:
    """Nested columns taken apart."""
    if not pa.types.is_struct(kind):
        return [(name, kind, values)]
    if name.startswith(SKIPPED):
        return []
    inner = ((one, [value and value[one.name] for value in values]) for one in kind)
    return [leaf for one, within in inner for leaf in leaves(f"{name}.{one.name}", one.type, within)]


def without_features(kind: pa.DataType) -> bool:
    t = pa.types
    return t.is_nested(kind) or t.is_interval(kind) or t.is_fixed_size_binary(kind)


def row(cells: list[tuple[str, Any]], hashing: rg.Hashing) -> dict[int, float] | None:
    found: dict[int, float] = {}
    for column, cell in cells:
        for name, value in ({} if cell is None else features(column, cell)).items():
            if not abs(value) <= LARGEST:
                return None
            place = hashing.index(name)
            found[place] = found.get(place, 0.0) + value
    return found


def features(name: str, value: Any) -> dict[str, float]:
    """What a value becomes: names, and numbers; bytes that are no text are not a number either."""
    if isinstance(value, bytes):
        try:
            value = value.decode()
        except UnicodeDecodeError:
            return {name: math.nan}
    if isinstance(value, str):
        return {f"{name}={value}": 1.0}
    if isinstance(value, dt.timedelta):
        return {name: value / dt.timedelta(seconds=1)}
    found: dict[str, float] = {}
    if isinstance(value, dt.datetime | dt.time):
        found[f"{name}.hour={value.hour}"] = 1.0
    if isinstance(value, dt.date):
        found[f"{name}.weekday={value.weekday()}"] = 1.0
    return found or {name: float(value)}
