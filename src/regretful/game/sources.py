"""What a game can be played on: arrays, tables and iterables become natures here; played rounds become data again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from regretful.core.losses import Loss
from regretful.core.score_losses import MulticlassLoss
from regretful.core.tables import is_table
from regretful.nature import Batch, Log, Nature, Oblivious, Pairs, Stream
from regretful.nature.nature import length
from regretful.readers.source import Source

STRETCH = 65536  # rounds of a nature held at once while it is replayed


def as_nature(X: Any, y: Any, weight: Any, label: str | None, learners: Iterable[Any]) -> Nature:
    """The nature that reveals X and y to these learners."""
    if isinstance(X, Source):
        if y is not None or weight is not None or label is not None:
            raise TypeError("a log brings its labels and weights itself: name their columns in rg.read(…)")
        return Log(X, _loss_of(learners))
    if isinstance(X, Nature):
        if y is not None or weight is not None or label is not None:
            raise TypeError("a nature reveals labels and weights itself: give no y, weight or label beside it")
        return X
    if label is not None or isinstance(weight, str):
        if label is not None and y is not None:
            raise TypeError("give the labels as y, or the name of their column as label=, not both")
        X, given, weight = _split(X, label, weight)
        return Stream(X, y if label is None else given, weight)
    if y is None and _of_pairs(X):
        if weight is not None:
            raise TypeError("pairs bring their weights themselves: (x, y, weight)")
        return Pairs(X)
    return Stream(X, y, weight)


def _loss_of(learners: Iterable[Any]) -> Loss | None:
    """The loss of all of them, if it is one of numbers; those of labels take any label."""
    losses = [getattr(learner, "loss", None) for learner in learners]
    numeric = isinstance(losses[0], Loss) and not isinstance(losses[0], MulticlassLoss)
    return losses[0] if numeric and all(loss == losses[0] for loss in losses) else None


def _of_pairs(X: Any) -> bool:
    """Whether X is to be read as (x, y) pairs rather than as rows without labels."""
    if is_table(X) or hasattr(X, "shape"):
        return False
    if not isinstance(X, list | tuple):
        return hasattr(X, "__iter__")
    return bool(X) and isinstance(X[0], tuple) and len(X[0]) in (2, 3) and not np.isscalar(X[0][0])


def _split(X: Any, label: str | None, weight: Any) -> tuple[Any, Any, Any]:
    """(X without these columns, the labels, the weights)."""
    names = [name for name in (label, weight) if isinstance(name, str)]
    if hasattr(X, "__iter__") and not (is_table(X) or hasattr(X, "shape") or isinstance(X, Mapping | str)):
        X = list(X)
    if isinstance(X, list | tuple) and all(isinstance(event, Mapping) for event in X):
        for row, event in enumerate(X):
            for name in names:
                if name not in event:
                    raise ValueError(f"row {row} has no {name!r}: it has {', '.join(map(repr, event))}")
        taken: dict[str, Any] = {name: [event[name] for event in X] for name in names}
        rest: Any = [{key: value for key, value in event.items() if key not in taken} for event in X]
    elif is_table(X):
        columns = list(X.column_names if hasattr(X, "column_names") else X.columns)
        for name in names:
            if name not in columns:
                raise ValueError(f"there is no column {name!r}; the table has {', '.join(map(repr, columns))}")
        taken = {name: np.asarray(X[name]) for name in names}
        rest = X[[column for column in columns if column not in names]] if hasattr(X, "iloc") else (
            X.select([column for column in columns if column not in names])
        )  # fmt: skip
    else:
        raise TypeError(f"label= and weight= name columns of a table or entries of events, and X is {type(X).__name__}")
    return rest, None if label is None else taken[label], taken[weight] if isinstance(weight, str) else weight


def stretches(nature: Oblivious, rounds: int) -> Iterator[Batch]:
    """A nature's first rounds again, a stretch at a time."""
    first = 0
    while first < rounds:
        batch = nature.examples(first, min(rounds, first + STRETCH))
        if not length(batch.X):
            raise ValueError(f"{nature!r} gave {rounds:,} rounds when it was played, and only {first:,} now")
        yield batch
        first += length(batch.X)


def replayed(nature: Oblivious, rounds: int) -> tuple[Any, Any, Any]:
    """(X, y, weight) of a nature's first rounds; for long samplers X is a source that yields them, in passes."""
    if isinstance(nature, Stream) or (rounds <= STRETCH and not nature.ends):
        return nature.examples(0, rounds)
    source: Callable[[], Iterator[Batch]] = lambda: stretches(nature, rounds)  # noqa: E731
    return source, None, None


def gathered(rows: list[tuple[Any, Any, float]]) -> tuple[Any, Any, Any]:
    """(X, y, weight) of rounds that were written down one by one."""
    xs = [x for x, _, _ in rows]
    ys = [y for _, y, _ in rows]
    weights = np.array([weight for _, _, weight in rows])
    y = None if not ys or ys[0] is None else np.array([float(one) for one in ys])
    return _stacked(xs), y, weights if (weights != 1.0).any() else None


def _stacked(xs: list[Any]) -> Any:
    """Examples of one kind as one batch."""
    if not xs or isinstance(xs[0], Mapping):
        return xs
    if hasattr(xs[0], "to_dict"):
        return [x.to_dict() for x in xs]
    from scipy.sparse import csr_array, vstack

    if hasattr(xs[0], "tocsr"):
        return vstack([x.tocsr().reshape((1, -1)) for x in xs], format="csr")
    if isinstance(xs[0], tuple) and len(xs[0]) == 2 and hasattr(xs[0][0], "__len__"):
        index = [np.asarray(places, dtype=np.int64) for places, _ in xs]
        start = np.append(0, np.cumsum([len(places) for places in index]))
        value = np.concatenate([np.asarray(numbers, dtype=np.float64) for _, numbers in xs])
        joined = np.concatenate(index)
        X = csr_array((value, joined, start), shape=(len(xs), int(joined.max(initial=-1)) + 1))
        X.sort_indices()
        return X
    return np.array(xs, dtype=np.float64)


def name_of(learner: Any) -> str:
    """What to call a learner."""
    return type(learner).__name__
