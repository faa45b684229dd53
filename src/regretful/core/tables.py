"""Tables (pandas, polars, Arrow): columns to features, a chunk of rows at a time.

Numbers are values, booleans 0 or 1, strings one-hot, nulls absent. Only tables live here; what a learner does with
their rows is in rows.pyx.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa

    from regretful.core.features import Features

# The first row; where each row begins, indices, values; the names known before each row and after the last.
Chunk = tuple[int, np.ndarray, np.ndarray, np.ndarray, np.ndarray | None]


def is_table(X: Any) -> bool:
    """Whether X is a table with named columns."""
    return (hasattr(X, "__arrow_c_stream__") and hasattr(X, "columns")) or (
        hasattr(X, "columns") and hasattr(X, "dtypes")
    )


def read_table(X: Any, features: Features, learn: bool, values: int) -> tuple[int, int, Iterator[Chunk]]:
    """(rows, columns, chunks of about `values` values)."""
    names = list(X.column_names if hasattr(X, "column_names") else X.columns)
    wrong = [name for name in names if not isinstance(name, str)]
    if wrong:
        raise TypeError(f"column names are strings, not {wrong[0]!r}; for features by position give a 2-D array")
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"column {twice!r} stands twice in the table")
    rows = X.num_rows if hasattr(X, "num_rows") else len(X)
    step = max(1, values // max(1, len(names)))
    if names and (learn or features.mode is not None):
        features.claim("name")
    chunks = (_chunk(_slice(X, names, first, step), first, names, features, learn) for first in range(0, rows, step))
    return rows, len(names), chunks


def _slice(X: Any, names: list[str], first: int, step: int) -> list[pa.Array | np.ndarray]:
    """Some rows, column by column: Arrow arrays, or NumPy arrays for the float columns of pandas (NaN stays NaN)."""
    import pyarrow as pa

    if hasattr(X, "iloc"):
        part = X.iloc[first : first + step]
        columns: list[pa.Array | np.ndarray] = []
        for name in names:
            column = part[name]
            plain = isinstance(column.dtype, np.dtype) and column.dtype.kind in "biuf"
            columns.append(column.to_numpy() if plain else _joined(_converted(name, column)))
        return columns
    table = X if isinstance(X, pa.Table | pa.RecordBatch) else pa.table(X.slice(first, step))
    part = table.slice(first, step) if table is X else table
    return [_joined(part.column(name)) for name in names]


def _converted(name: str, column: Any) -> pa.Array:
    import pyarrow as pa

    try:
        return pa.array(column, from_pandas=True)
    except pa.ArrowException as error:
        raise TypeError(
            f"column {name!r} is of mixed types: columns hold numbers, booleans or strings ({error})"
        ) from None


def _joined(column: Any) -> pa.Array:
    return column.combine_chunks() if hasattr(column, "combine_chunks") else column


def _chunk(columns: list[Any], first: int, names: list[str], features: Features, learn: bool) -> Chunk:
    """The chunk as sparse rows; new names are taken in the order in which rows, read one by one, would bring them."""
    read = [_column(column, name, first) for column, name in zip(columns, names, strict=True)]
    rows = len(read[0][1]) if read else 0
    news = []
    for place, (labels, codes, _, present) in enumerate(read):
        where = np.flatnonzero(present)
        used, at = np.unique(codes[where], return_index=True)
        for code, row in zip(used.tolist(), where[at].tolist(), strict=True):
            if features.find(labels[code]) < 0:
                news.append((row, place, labels[code]))
    # A name that is not to be learnt gets a position past all known ones, where the weights are those of a start.
    provisional: dict[str, int] = {}
    known = np.zeros(rows + 1, np.int64)
    known[0] = len(features.names)
    for row, _, label in sorted(news):
        if learn:
            before = len(features.names)
            try:
                features.add(label)
            except (TypeError, ValueError) as error:
                raise type(error)(f"row {first + row}: {error}") from None
            known[row + 1] += len(features.names) - before
        elif label not in provisional:
            provisional[label] = max(features.size if not features.fixed else len(features.names), 0) + len(provisional)
    index = np.zeros((rows, len(read)), np.int32)
    value = np.zeros((rows, len(read)))
    keep = np.zeros((rows, len(read)), bool)
    for place, (labels, codes, values, present) in enumerate(read):
        positions = np.array([max(features.find(label), provisional.get(label, -1)) for label in labels] or [0])
        index[:, place] = positions[codes]
        value[:, place] = values
        keep[:, place] = present
    start = np.zeros(rows + 1, np.int64)
    np.cumsum(keep.sum(axis=1), out=start[1:])
    # Only where a column's name holds a "=" can it be the same feature as a name=text of another.
    texts = any(labels != [name] for name, (labels, _, _, _) in zip(names, read, strict=True))
    features.equals = texts and any("=" in name for name in names)
    return first, start, index[keep], value[keep], known.cumsum() if learn else None


def _column(column: Any, name: str, first: int) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """(feature names, which of them each row has, its value, whether it has one)."""
    import pyarrow as pa

    if isinstance(column, np.ndarray):
        values = column.astype(np.float64)
        return _numeric(name, values, np.ones(len(values), bool), first)
    kind = column.type
    present = ~np.asarray(column.is_null().to_numpy(zero_copy_only=False), bool)
    if pa.types.is_dictionary(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind) or _is_view(kind):
        encoded = column if pa.types.is_dictionary(kind) else column.dictionary_encode()
        labels = encoded.dictionary.to_pylist()
        wrong = [label for label in labels if not isinstance(label, str)]
        if wrong:
            raise TypeError(f"column {name!r} holds categories that are not strings, such as {wrong[0]!r}")
        codes = encoded.indices.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
        return [f"{name}={label}" for label in labels], codes, np.ones(len(codes)), present
    if pa.types.is_null(kind):
        return [], np.zeros(len(column), np.int64), np.zeros(len(column)), present
    if not (pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind)
            or pa.types.is_decimal(kind)):  # fmt: skip
        raise TypeError(f"column {name!r} is of type {kind}: columns hold numbers, booleans or strings")
    values = np.asarray(column.cast(pa.float64()).fill_null(0.0).to_numpy(zero_copy_only=False), np.float64)
    return _numeric(name, values, present, first)


def _is_view(kind: Any) -> bool:
    return str(kind) == "string_view"


def _numeric(
    name: str, values: np.ndarray, present: np.ndarray, first: int
) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    wrong = np.flatnonzero(~np.isfinite(values))
    if len(wrong):
        row = int(wrong[0])
        raise ValueError(
            f"row {first + row}, feature {name!r}: {float(values[row])!r} is not a finite number; "
            "leave out what is missing (a null)"
        )
    return [name], np.zeros(len(values), np.int64), values, present
