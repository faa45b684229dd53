"""Seeded streams for the trajectory tests, and the three ways of handing them to a learner."""

from functools import cache

import numpy as np
from scipy.sparse import csr_array

T, N = 2000, 12
NAMES = [f"f{i:02d}" for i in range(N)]


@cache
def stream(kind):
    """X (2000 x 12, two fifths non-zero; a few rows are empty) and labels from a noisy linear model."""
    rng = np.random.default_rng(20240607)
    X = rng.normal(size=(T, N)) * (rng.random((T, N)) < 0.4)
    u = rng.normal(size=N)
    signal = X @ u
    if kind == "wealth":  # price relatives: all positive, near one
        return np.exp(0.05 * rng.normal(size=(T, N))), np.zeros(T)
    if kind == "counts":
        return X, rng.poisson(np.exp(np.clip(0.2 * signal, -2.0, 1.5))).astype(float)
    if kind == "classification":
        return X, np.where(signal + rng.normal(size=T) > 0, 1.0, -1.0)
    return X, 0.3 * signal + 0.3 * rng.normal(size=T)


@cache
def example_weights():
    """Weights in [0, 2), a twentieth of them zero."""
    rng = np.random.default_rng(7)
    return 2 * rng.random(T) * (rng.random(T) > 0.05)


def as_dicts(X):
    """Rows as events: the zeros are left out."""
    return [{NAMES[i]: float(row[i]) for i in np.flatnonzero(row)} for row in X]


def singles(form, X):
    """X as single examples, for learn_one. CSR alternates sparse rows and (indices, values) pairs."""
    if form == "dict":
        return as_dicts(X)
    if form == "dense":
        return list(X)
    pairs = [(np.flatnonzero(row), row[np.flatnonzero(row)]) for row in X]
    return [csr_array(row[None, :]) if t % 2 == 0 else pairs[t] for t, row in enumerate(X)]


def bulk(form, X):
    """X as one table, for learn_many."""
    return {"dense": lambda: X, "csr": lambda: csr_array(X), "dict": lambda: as_dicts(X)}[form]()


def weights_of(learner, form):
    """The learner's weights in the order of X's columns; every name has been seen when this is asked."""
    if form != "dict":
        return np.asarray(learner.weights)
    named = learner.named_weights()
    assert sorted(named) == NAMES
    return np.array([named[name] for name in NAMES])


def follow(learner, form, X, y, weights=None, ones=100):
    """Learn the first rounds one by one and the others in two bulks.

    Returns the predictions paid for, and the weights (and intercept) after 100, 1000 and 2000 rounds.
    """
    given = np.ones(len(y)) if weights is None else weights
    predictions = [
        learner.learn_one(x, label, weight) if weights is not None else learner.learn_one(x, label)
        for x, label, weight in zip(singles(form, X[:ones]), y[:ones], given[:ones], strict=True)
    ]
    checkpoints = {ones: (weights_of(learner, form), learner.intercept)}
    for start, stop in [(ones, 1000), (1000, len(y))]:
        part = slice(start, stop)
        some = () if weights is None else (weights[part],)
        predictions.extend(learner.learn_many(bulk(form, X[part]), y[part], *some))
        checkpoints[stop] = (weights_of(learner, form), learner.intercept)
    return np.array(predictions, dtype=float), checkpoints
