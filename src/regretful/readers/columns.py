"""What the columns of a table become: which are features, which is the label, and the pieces they are read in.

Here Arrow's types end: what leaves is numbers, texts and dictionaries of texts. No file is opened here.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from regretful.readers.encode import PLAIN
from regretful.readers.errors import BadLine
from regretful.readers.settings import Settings, matches

HOURS = pa.array([str(hour) for hour in range(24)])
WEEKDAYS = pa.array([str(day) for day in range(7)])
# The pieces that a kind of column is read in: what is added to its name.
PIECES = {"timestamp": (".hour", ".weekday"), "date": (".weekday",), "time": (".hour",)}
Faults = dict[int, str]  # rows of a batch that are bad, and why
Leaf = tuple[
    str, pa.DataType, tuple[int, ...]
]  # name, type, the way there from the table: nested columns have dotted names


def kind_of(kind: pa.DataType) -> str | None:
    """The kind of a column: number, boolean, text, timestamp, date, time or empty; None if it cannot be a feature."""
    t = pa.types
    if isinstance(kind, pa.BaseExtensionType):
        return kind_of(kind.storage_type)
    if t.is_dictionary(kind):
        return kind_of(kind.value_type)
    if t.is_integer(kind) or t.is_floating(kind) or t.is_decimal(kind) or t.is_duration(kind):
        return "number"
    if str(kind) in ("string", "large_string", "string_view", "binary", "large_binary", "binary_view"):
        return "text"
    for name, asked in (("boolean", t.is_boolean), ("timestamp", t.is_timestamp), ("date", t.is_date),
                        ("time", t.is_time), ("empty", t.is_null)):  # fmt: skip
        if asked(kind):
            return name
    return None


def leaves(schema: pa.Schema, settings: Settings, path: str) -> list[Leaf]:
    """The columns, nested ones taken apart (`user.age`); without what is ignored as a whole."""

    def walk(fields: Any, before: str, way: tuple[int, ...]) -> Iterator[Leaf]:
        for place, one in enumerate(fields):
            name = f"{before}{one.name}"
            if pa.types.is_struct(one.type):
                if not matches(name, settings.ignore):
                    yield from walk([one.type.field(j) for j in range(one.type.num_fields)], f"{name}.", (*way, place))
            else:
                yield name, one.type, (*way, place)

    found = list(walk(schema, "", ()))
    structs = [one.name for one in schema if pa.types.is_struct(one.type) and not matches(one.name, settings.ignore)]
    names = [*structs, *(name for name, _, _ in found)]  # columns are looked up by the name of the outermost
    if len(set(names)) < len(names):
        seen: set[str] = set()
        twice = next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise BadLine(f"column {twice!r} stands there twice: rename one of them", path)
    return found


def unknown(name: str, what: str, names: Sequence[str]) -> str:
    """There is no such column; which there are, and which may have been meant."""
    near = difflib.get_close_matches(name, names, 1)
    shown = ", ".join(names[:20]) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
    hint = f"; did you mean {near[0]!r}?" if near else "."
    return f"there is no column {name!r} for the {what}{hint} There are: {shown or 'none'}"


@dataclass
class Plan:
    """What to make of the columns of one file.

    kinds: of all its columns. needed: the columns to read; roles: which of them are label, weight or time; used: which
    have features. pieces: the names of what is encoded, in order; features: which of these are features by themselves,
    and owners the columns that they come from; places: where label, weight and time stand among them, or -1.
    """

    kinds: dict[str, str]
    needed: list[str] = field(default_factory=list)
    roles: dict[str, list[str]] = field(default_factory=dict)
    used: list[str] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    owners: list[str] = field(default_factory=list)
    features: list[bool] = field(default_factory=list)
    crosses: list[tuple[str, ...]] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)


def plan(kinds: dict[str, str | None], settings: Settings, path: str) -> Plan:
    """The plan for a file with these columns, or an error that says what is wrong with them or with what was asked."""
    names = list(kinds)
    made = Plan({name: kind or "other" for name, kind in kinds.items()})
    label = settings.label
    if label is not None and label not in kinds and settings.labels == "if there":
        label = None
    roles = {"label": label, "weight": settings.weight, "time": settings.time}
    for what, name in roles.items():
        if name is not None and name not in kinds:
            raise BadLine(unknown(name, what, names), path)
        made.places[what] = -1
    for name in settings.only:
        if not any(letter in name for letter in "*?[") and name not in kinds:
            raise BadLine(unknown(name, "features", names), path)
    made.crosses = crosses_of(settings)
    crossed = {name for cross in made.crosses for name in cross}
    for name, kind in kinds.items():
        text = matches(name, settings.text)
        ends = PIECES.get(kind or "", ("",)) if not text else ("",)
        if text and kind is not None and name not in (label, settings.weight):
            made.kinds[name] = "text"
        used = settings.used(name) and name != settings.time
        if not (used or name in roles.values() or crossed & {f"{name}{end}" for end in ends}):
            continue
        if kind is None:
            raise BadLine(f"column {name!r} is of a type that has no features (a list, say): leave it out with "
                          f"ignore={name!r}", path)  # fmt: skip
        made.needed.append(name)
        mine = [what for what, whose in roles.items() if whose == name]
        for what in mine:
            made.roles.setdefault(name, []).append(what)
            made.places[what] = len(made.pieces)
            made.owners.append(name)
            made.pieces.append("")  # no feature, and no cross, is called so
            made.features.append(False)
            if what != "time":
                _check_numbers(name, what, kind, path)
            elif kind == "text":
                raise BadLine(
                    f"column {name!r} is the time, and holds texts: expected timestamps, dates or numbers", path
                )
        if name not in (label, settings.weight) and (name != settings.time or ends != ("",)):
            made.used.append(name)
            made.owners += [name] * len(ends)
            made.pieces += [f"{name}{end}" for end in ends]
            made.features += [settings.used(name)] * len(ends)
    for name in crossed:
        if name not in made.pieces:
            raise BadLine(unknown(name, "cross", list(filter(None, made.pieces))), path)
    return made


def crosses_of(settings: Settings) -> list[tuple[str, ...]]:
    """The columns to cross, or an error if there is only one, or one without a name."""
    found = settings.crosses()
    for names in found:
        if len(names) < 2 or not all(names) or len({*names}) < len(names):
            raise ValueError(f"cross={','.join(names)!r}: expected two columns or more, such as 'site,device'")
    return found


def _check_numbers(name: str, what: str, kind: str, path: str) -> None:
    if kind not in ("number", "boolean", "empty"):
        raise BadLine(f"column {name!r} is the {what}, and holds {kind}s: expected numbers or booleans, "
                      "such as 1 and 0 for yes and no", path)  # fmt: skip


def compare(path: str, kinds: dict[str, str], before: str, known: dict[str, str], used: Sequence[str]) -> None:
    """An error that says where, if the columns that are used are not what they were in the file before."""
    for name in used:
        if name not in kinds:
            raise BadLine(f"column {name!r} is missing, and {before} has it: read them apart, or leave it out with "
                          f"ignore={name!r}", path)  # fmt: skip
        if kinds[name] != known[name] and "empty" not in (kinds[name], known[name]):
            raise BadLine(f"column {name!r} holds {kinds[name]}s, and in {before} it holds {known[name]}s: "
                          f"text={name!r} reads both as texts, ignore={name!r} leaves it out", path)  # fmt: skip


def pieces(name: str, kind: str, column: Any, settings: Settings) -> list[tuple[Any, int]]:
    """The column as what the encoder takes: doubles, texts, dictionaries of texts; and how each is to be read."""
    while isinstance(column.type, pa.BaseExtensionType):
        column = column.storage
    t = pa.types
    if t.is_null(column.type):
        return [(column, PLAIN)] * len(PIECES.get(kind, ("",)))
    if t.is_dictionary(column.type):
        if kind_of(column.type) == "text":
            return [(_dictionary(column), PLAIN)]
        column = column.dictionary_decode()
    if kind_of(column.type) == "text":
        return [(_text(column), PLAIN)]
    if matches(name, settings.text):
        return [(column.cast(pa.string()), PLAIN)]
    if kind == "timestamp":
        local = pc.local_timestamp(column) if column.type.tz else column
        return [(_coded(pc.hour(local), HOURS), PLAIN), (_coded(pc.day_of_week(local), WEEKDAYS), PLAIN)]
    if kind == "date":
        return [(_coded(pc.day_of_week(column), WEEKDAYS), PLAIN)]
    if kind == "time":
        return [(_coded(pc.hour(column), HOURS), PLAIN)]
    return [(as_double(column), PLAIN)]


def moments(column: Any) -> Any:
    """The values of the column that rows are put in order by, as Arrow's integers or doubles."""
    while isinstance(column.type, pa.BaseExtensionType):
        column = column.storage
    t = pa.types
    if t.is_date(column.type):
        column = column.cast(pa.timestamp("ms"))
    if t.is_timestamp(column.type) or t.is_time(column.type) or t.is_duration(column.type):
        return column.cast(pa.int32() if column.type.bit_width == 32 else pa.int64())
    return column if t.is_integer(column.type) and not t.is_uint64(column.type) else as_double(column)


def as_double(column: Any) -> Any:
    """A column of numbers or booleans, as doubles."""
    while isinstance(column.type, pa.BaseExtensionType):
        column = column.storage
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_duration(column.type):  # in seconds
        unit = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}[column.type.unit]
        return pc.divide(column.cast(pa.int64()).cast(pa.float64(), safe=False), unit)
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.uint8())
    return column if pa.types.is_float64(column.type) else column.cast(pa.float64(), safe=False)


def as_text(column: Any, faults: Faults) -> Any:
    """A column of bytes as texts; where they are not UTF-8 it is null, and a fault. Other columns as they are."""
    while isinstance(column.type, pa.BaseExtensionType):
        column = column.storage
    if kind_of(column.type) != "text" or "binary" not in str(column.type):
        return column
    try:
        return _dictionary(column) if pa.types.is_dictionary(column.type) else _text(column)
    except pa.ArrowInvalid:
        pass
    found: list[str | None] = []
    for row, one in enumerate(column.to_pylist()):
        try:
            found.append(None if one is None else one.decode())
        except UnicodeDecodeError:
            found.append(None)
            faults.setdefault(row, f"expected a text in UTF-8, not {short(one)}")
    return pa.array(found, pa.large_string())


def short(text: str | bytes) -> str:
    """A text for a message."""
    return repr(text[:57]) + "…" if len(text) > 60 else repr(text)


def _text(column: Any) -> Any:
    kind = str(column.type)
    if kind.endswith("_view"):
        column = column.cast(pa.large_binary() if "binary" in kind else pa.large_string())
    if "binary" in str(column.type):
        column = column.cast(pa.large_string() if "large" in str(column.type) else pa.string())
    return column


def _dictionary(column: Any) -> Any:
    texts = _text(column.dictionary)
    if column.type.index_type == pa.int32() and texts is column.dictionary:
        return column
    return pa.DictionaryArray.from_arrays(column.indices.cast(pa.int32()), texts)


def _coded(codes: Any, texts: Any) -> Any:
    return pa.DictionaryArray.from_arrays(codes.cast(pa.int32()), texts)
