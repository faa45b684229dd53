"""The naive twin of the readers of tables: the standard library's csv and json, dicts, and learn_one."""

import csv
import datetime as dt
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet as pq

import regretful as rg
from regretful.readers import read

Row = dict[str, Any]  # number, boolean, text, datetime, date, time; what is missing is None, or not there
NULLS = {"", "NA", "N/A", "n/a", "null", "NULL"}


def event(row: Row, crosses: tuple[str, ...] = (), leave: tuple[str, ...] = ()) -> dict[str, Any]:
    """A row as the dict that a learner takes."""
    whole: dict[str, Any] = {}
    for name, value in row.items():
        if value is None:
            continue
        if isinstance(value, dt.datetime):
            whole |= {f"{name}.hour": str(value.hour), f"{name}.weekday": str(value.weekday())}
        elif isinstance(value, dt.date):
            whole |= {f"{name}.weekday": str(value.weekday())}
        elif isinstance(value, dt.time):
            whole |= {f"{name}.hour": str(value.hour)}
        else:
            whole[name] = value
    found = {name: value for name, value in whole.items() if name not in leave}
    for cross in crosses:
        names = cross.split(",")
        if all(name in whole for name in names):
            values = [whole[name] for name in names]
            whole_name = "*".join(f"{n}={v}" if isinstance(v, str) else n for n, v in zip(names, values, strict=True))
            product = math.prod(1.0 if isinstance(v, str) else float(v) for v in values)
            found[whole_name] = found.get(whole_name, 0.0) + product
    return found


def flat(value: Any, name: str | None = None) -> Iterator[tuple[str | None, Any]]:
    """Nested objects and lists as dotted names; an empty name is one, too."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from flat(inner, str(key) if name is None else f"{name}.{key}")
    else:
        yield name, value


def read_csv(path: Path, kinds: dict[str, str], comma: str = ",") -> list[Row]:
    """The rows of a CSV file whose columns hold what is said."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        found = list(csv.DictReader(file, delimiter=comma))
    return [{name: _typed(text, kinds[name]) for name, text in row.items()} for row in found]


def _typed(text: str, kind: str) -> Any:
    if kind == "text":
        return text or None
    if text.strip() in NULLS:
        return None
    if kind == "boolean":
        return {"true": True, "false": False}[text.lower()]
    if kind == "timestamp":
        return dt.datetime.fromisoformat(text)
    if kind == "date":
        return dt.date.fromisoformat(text)
    if kind == "time":
        return dt.time.fromisoformat(text)
    return float(text)


def read_json(path: Path) -> list[Row]:
    """The rows of JSON lines."""
    lines = path.read_text("utf-8-sig").split("\n")
    return [dict(flat(json.loads(line))) for line in lines if line.strip()]


def write(rows: list[Row], names: list[str], format: str, path: Path, types: dict[str, Any]) -> Path:
    """The rows as a file of this format."""
    if format in ("csv", "tsv"):
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, delimiter="\t" if format == "tsv" else ",", quoting=csv.QUOTE_ALL)
            writer.writerow(names)
            writer.writerows([[_text(row.get(name)) for name in names] for row in rows])
    elif format == "jsonl":
        path.write_text("".join(json.dumps({k: v for k, v in row.items() if v is not None}) + "\n" for row in rows))
    else:
        table = pa.table({name: pa.array([row.get(name) for row in rows], types[name]) for name in names})
        if format == "parquet":
            pq.write_table(table, path, row_group_size=7)
        elif format == "arrow":
            pyarrow.feather.write_feather(table, path, chunksize=5)
        else:
            with pyarrow.ipc.new_stream(path, table.schema) as sink:
                sink.write_table(table, 3)
    return path


def _text(value: Any) -> str:
    if value is None:
        return ""
    return (
        str(value).lower()
        if isinstance(value, bool)
        else value.isoformat()
        if hasattr(value, "isoformat")
        else str(value)
    )


def learner(bits: int) -> Any:
    return rg.AdaGrad(rg.Logistic(), features=rg.Hashing(bits))


def predictions(path: Any, bits: int = 12, **options: Any) -> np.ndarray:
    """What a learner predicts, round by round, as the readers read the file."""
    source = read(path, bits=bits, **options)
    one = learner(bits)
    found = [one.learn_many(batch.X, batch.y, batch.weight) for batch in source]
    return np.concatenate(found) if found else np.zeros(0)


def naive(events: list[dict[str, Any]], y: list[Any], bits: int = 12, weights: list[float] | None = None) -> np.ndarray:
    """The same, event by event."""
    one = learner(bits)
    weights = [1.0] * len(y) if weights is None else weights
    return np.array([one.learn_one(x, label, w) for x, label, w in zip(events, y, weights, strict=True)])
