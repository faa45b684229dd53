"""Rows written as tables: a column for each name, in two passes. Nothing is read here."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from regretful.convert.places import Place
from regretful.convert.rows import Piece, Rows
from regretful.convert.tables import writer
from regretful.readers.errors import BadLine

MOST = 4096  # columns
CELLS = 1 << 21  # of a batch, about


def rows_to_columns(rows: Rows, place: Place, watch: Callable[..., None]) -> dict[str, Any]:
    """The first pass collects the names, the second writes; what a row does not have is null."""
    if not rows.files.replayable:
        raise ValueError(f"{place.format} needs all names before the first row, so the file is read twice, and "
                         "standard input comes once: give a file, or write jsonl")  # fmt: skip
    weighted, labelled = rows.settings.weight is not None, False
    for piece in rows:
        weighted |= piece.weight is not None
        labelled |= piece.y is not None
        watch(rows.count + len(piece), rows.files.done // 2, rows.files.size)
        if len(rows.builder.ids) > MOST:
            raise BadLine(f"there are more than {MOST:,} different features, and each would be a column of its own; "
                          "jsonl takes any number", rows.files.paths[0])  # fmt: skip
    first = [name for name, there in ((rows.label, labelled), (rows.weight, weighted)) if there]
    taken = next((name for name in first if name in rows.names[1:]), None)
    if taken is not None:
        what = "label" if taken == rows.label else "weight"
        raise BadLine(f"a feature is called {taken!r}, as the {what} would be: rename it", rows.files.paths[0])
    schema = pa.schema([(name, pa.float64()) for name in first + rows.names[1:]])
    with place.opened() as file, writer(place, file, schema) as write:
        for piece in rows:
            for batch in _batches(piece, schema, labelled, weighted):
                write(batch)
            watch(rows.count + len(piece), ((rows.files.size or 0) + rows.files.done) // 2, rows.files.size)
    options = [f"--label {rows.label}"] * labelled + [f"--weight {rows.weight}"] * weighted
    notes = [f"read it with {' '.join(options)}"] if options else []
    return {"rows": rows.count, "bad_lines": rows.bad.count, "notes": notes}


def _batches(piece: Piece, schema: Any, labelled: bool, weighted: bool) -> Iterator[Any]:
    width = len(schema) - labelled - weighted
    step = max(1, CELLS // max(1, width))
    for low in range(0, len(piece), step):
        high = min(len(piece), low + step)
        begin, end = piece.start[low], piece.start[high]
        cells = np.full((width, high - low), np.nan)
        of = np.repeat(np.arange(high - low), np.diff(piece.start[low : high + 1]))
        cells[piece.index[begin:end] - 1, of] = piece.value[begin:end]
        first = []
        if labelled:
            first.append(pa.array(np.full(high - low, np.nan) if piece.y is None else piece.y[low:high]))
        if weighted:
            first.append(pa.array(np.ones(high - low) if piece.weight is None else piece.weight[low:high]))
        columns = [*first, *(pa.array(column, from_pandas=True) for column in cells)]
        yield pa.RecordBatch.from_arrays(columns, schema=schema)
