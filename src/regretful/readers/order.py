"""Rounds in the order of a time: batches with the times of their rows, to the same rows in order.

What lies in order passes through, whatever its size; what does not is held in memory, up to HELD bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from regretful.core.rows import HashedRows
from regretful.core.types import Batch

Timed = tuple[Batch, Any]  # a batch, and the times of its rows

HELD = 1 << 30  # bytes of encoded rows
ROWS = 4096  # in a batch that is handed out


def ordered(batches: Iterable[Timed], column: str, held: int = HELD) -> Iterator[Batch]:
    """The batches' rows by their times, first come first where these are equal."""
    kept: list[Timed] = []
    size, rows, last = 0, 0, None
    in_order, passing = True, False
    for batch, times in batches:
        if len(times) == 0:
            continue
        late = np.flatnonzero(np.concatenate([times[:1] if last is None else [last], times[:-1]]) > times)
        in_order = in_order and len(late) == 0
        size += _bytes(batch)
        if size > held and not in_order:
            where = f"row {rows + late[0] + 1} of those read is earlier than the one before it; " if passing else ""
            raise ValueError(
                f"{where}rows that are not in the order of {column!r} are put in order in memory, and they take more "
                f"than {held / 1e6:,.0f} MB: put the file in order first, or leave out time={column!r}"
            )
        rows, last = rows + len(times), times[-1]
        passing = passing or size > held
        kept.append((batch, times))
        if passing:
            yield from (one for one, _ in kept)
            kept.clear()
    if in_order:
        yield from (batch for batch, _ in kept)
    else:
        yield from _sorted(kept)


def _bytes(batch: Batch) -> int:
    X: Any = batch.X
    return int(X.start.nbytes + X.index.nbytes + X.value.nbytes) + 24 * len(X)


def _sorted(kept: list[Timed]) -> Iterator[Batch]:
    first: Any = kept[0][0].X
    order = np.argsort(np.concatenate([times for _, times in kept]), kind="stable")
    starts: list[Any] = [batch.X for batch, _ in kept]
    y, weight = (_joined([getattr(batch, name) for batch, _ in kept], order) for name in ("y", "weight"))
    base = np.cumsum([0, *(len(X.index) for X in starts)])
    index, value = np.concatenate([X.index for X in starts]), np.concatenate([X.value for X in starts])
    kept.clear()
    begins = np.concatenate([X.start[:-1] + low for X, low in zip(starts, base, strict=False)])
    sizes = np.concatenate([np.diff(X.start) for X in starts])
    del starts
    for low in range(0, len(order), ROWS):
        rows = order[low : low + ROWS]
        start = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(sizes[rows], out=start[1:])
        entries = np.repeat(begins[rows] - start[:-1], sizes[rows]) + np.arange(start[-1])
        X: Any = HashedRows(start, index[entries], value[entries], first.hashing)
        yield Batch(X, None if y is None else y[low : low + ROWS], None if weight is None else weight[low : low + ROWS])


def _joined(parts: list[Any], order: Any) -> Any:
    return None if parts[0] is None else np.concatenate(parts)[order]
