"""Streams for the tests of games, and the forms they come in."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from scipy.sparse import csr_matrix

NAMES = ["a", "b", "c"]


def examples(rounds=60, seed=0):
    """X with zeros among its values, labels −1 and +1, weights."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, 3)) * (rng.random((rounds, 3)) < 0.7)
    y = np.where(X @ [1.0, -2.0, 0.5] + 0.5 * rng.normal(size=rounds) > 0, 1.0, -1.0)
    return X, y, rng.integers(1, 4, size=rounds).astype(float)


def events(X):
    return [dict(zip(NAMES, map(float, row), strict=True)) for row in X]


def table(kind, X, y, weight):
    """A table with all columns."""
    columns = {**dict(zip(NAMES, X.T, strict=True)), "label": y, "w": weight}
    if kind == "events":
        return [{name: float(column[row]) for name, column in columns.items()} for row in range(len(y))]
    return {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table}[kind](columns)


FORMS = {
    "array": lambda X, y: (X, y),
    "lists": lambda X, y: (X.tolist(), y.tolist()),
    "csr": lambda X, y: (csr_matrix(X), y),
    "events": lambda X, y: (events(X), y),
    "pandas": lambda X, y: (pd.DataFrame(X, columns=NAMES), pd.Series(y)),
    "polars": lambda X, y: (pl.DataFrame(X, schema=NAMES), pl.Series(y)),
    "arrow": lambda X, y: (pa.table(dict(zip(NAMES, X.T, strict=True))), pa.array(y)),
    "pairs": lambda X, y: (list(zip(X, y, strict=True)), None),
    "iterator": lambda X, y: (iter([(row, label) for row, label in zip(X, y, strict=True)]), None),
    "pairs of events": lambda X, y: (list(zip(events(X), y, strict=True)), None),
    "pairs of sparse rows": lambda X, y: (
        [(csr_matrix(row[None]), label) for row, label in zip(X, y, strict=True)],
        None,
    ),
    "pairs of pairs": lambda X, y: ([((np.arange(3), row), label) for row, label in zip(X, y, strict=True)], None),
}
