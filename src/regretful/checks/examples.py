"""What the checks play with: seeded streams in every form a learner takes, and what a learner's state is in bytes."""

from __future__ import annotations

import copy
import hashlib
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

from regretful.core.score_losses import MulticlassLoss

ROUNDS, WIDTH = 40, 6
WIDEST = 4096  # beyond this (a hashing learner, say) rows are not written out densely

KINDS = ("regression", "classification", "counts", "wealth", "labels")
LABELS = {"regression": 0.5, "classification": 1.0, "counts": 2.0, "wealth": None, "labels": "ant"}


def demand(holds: bool, promise: str, seen: str) -> None:
    """Raise an AssertionError that says which promise is broken and what was seen, unless it holds."""
    if not holds:
        raise AssertionError(f"{promise}; seen: {seen}")


def taken(loss: Any, y: Any) -> bool:
    """Whether the loss takes this label."""
    from regretful.learners import GradientDescent

    try:
        GradientDescent(loss, 0.1).learn_one([0.0], y)
    except (TypeError, ValueError) as error:
        return "label" not in str(error)
    return True


def kind_of(loss: Any) -> str:
    """The kind of stream that a loss is for."""
    if isinstance(loss, MulticlassLoss):
        return "labels"
    if loss.classification:
        return "classification"
    if not loss.labelled:
        return "wealth"
    return "regression" if taken(loss, -1.0) else "counts"


class Case:
    """A learner to be checked: how to make it, and a stream it can play."""

    def __init__(self, make: Callable[[], Any], kind: str | None = None, seed: int = 0) -> None:
        self.make = make
        learner = make()
        self.kind = kind or kind_of(learner.loss)
        if self.kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {self.kind!r}")
        if learner.rounds:
            raise ValueError("make() must give a learner that has not learnt yet")
        self.sized = learner.n is None  # it starts from an array: names do not tell it how many there will be
        self.width = learner.n or WIDTH
        self.growing = not self.sized and not self.fixed(learner)
        self.hashed = not self.sized and self._hashed()
        self.known = min(self.width, WIDTH)  # columns that are ever other than zero
        rng = np.random.default_rng(seed)
        shape = (ROUNDS, self.known)
        if self.kind == "wealth":
            self.X = np.exp(0.1 * rng.normal(size=shape))
        else:
            self.X = np.round(rng.normal(size=shape), 3) * (rng.random(shape) < 0.6)
            self.X[5] = 0.0
        signal = self.X @ np.linspace(-1.0, 1.0, self.known)
        self.y: Any = {
            "regression": 0.3 * signal + 0.1 * rng.normal(size=ROUNDS),
            "classification": np.where(signal + 0.5 * rng.normal(size=ROUNDS) > 0, 1.0, -1.0),
            "counts": rng.poisson(np.exp(np.clip(0.2 * signal, -2.0, 1.0))).astype(float),
            "wealth": np.zeros(ROUNDS),
            "labels": np.array(["ant", "bee", "cow"])[np.digitize(signal + 0.5 * rng.normal(size=ROUNDS), [-0.3, 0.3])],
        }[self.kind]
        self.weight = np.round(2.0 * rng.random(ROUNDS), 2)
        self.weight[7] = 0.0

    def _hashed(self) -> bool:
        """Whether names are hashed: then they are not kept, and features may share a weight."""
        learner = self.make()
        learner.learn_one({"f0": 1.0}, LABELS[kind_of(learner.loss)])
        named = learner.named_weights()
        return "f0" not in (named["ant"] if self.kind == "labels" else named)

    @staticmethod
    def fixed(learner: Any) -> bool:
        """Whether no more features may come."""
        try:
            learner.predict_one(([learner.n or 0], [0.0]))
        except ValueError:
            return True
        return False

    def forms(self) -> list[str]:
        """The forms in which this learner takes examples."""
        return [*(["dense"] if self.width <= WIDEST else []), "csr", *([] if self.sized else ["dict"])]

    def full(self, X: np.ndarray) -> np.ndarray:
        """Rows as wide as the learner."""
        return np.pad(X, ((0, 0), (0, self.width - X.shape[1])))

    def many(self, form: str, X: np.ndarray | None = None) -> Any:
        """Rows as one batch."""
        X = self.X if X is None else X
        if form == "dict":
            return [event(row) for row in X]
        if form == "dense":
            return self.full(X)
        from scipy.sparse import csr_array

        sparse = csr_array(X)
        return csr_array((sparse.data, sparse.indices, sparse.indptr), shape=(len(X), self.width))

    def ones(self, form: str, X: np.ndarray | None = None) -> list[Any]:
        """Rows one by one; of the sparse ones, every other is an (indices, values) pair."""
        X = self.X if X is None else X
        if form == "csr":
            rows = self.many(form, X)
            return [pair(row) if t % 2 and self.growing else rows[[t]] for t, row in enumerate(X)]
        return list(self.many(form, X))

    def learnt(self, form: str, rounds: int = ROUNDS) -> Any:
        """A learner after some rounds."""
        learner = self.make()
        learner.learn_many(self.many(form, self.X[:rounds]), self.y[:rounds], self.weight[:rounds])
        return learner

    def iterate(self, learner: Any) -> np.ndarray:
        """The weights as its predictions tell them: the intercept first, if there is one."""
        ones = self.many("csr", np.eye(self.known + 1, self.known, k=-1))
        constant, *weights = learner.scores_many(ones) if self.kind == "labels" else learner.predict_many(ones)
        return np.array([constant, *(weight - constant for weight in weights)])


def pickled(thing: Any) -> Any:
    """The thing pickled and back; a deep copy if its class is of the kind that cannot be found by its name."""
    try:
        return pickle.loads(pickle.dumps(thing))
    except (pickle.PicklingError, AttributeError):
        return copy.deepcopy(thing)


def pair(row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A row as an (indices, values) pair."""
    return np.flatnonzero(row), row[np.flatnonzero(row)]


def event(row: np.ndarray) -> dict[str, Any]:
    """A row as an event: the first column a number, the others by name; what is 0 is left out."""
    return {f"f{i}": float(row[i]) for i in np.flatnonzero(row)}


def fingerprint(thing: Any) -> str:
    """A digest of an object's whole state: equal if and only if the states are equal, to the last bit."""
    digest = hashlib.sha256()
    _absorb(thing, digest)
    return digest.hexdigest()


def _absorb(thing: Any, digest: Any) -> None:
    digest.update(f"<{type(thing).__name__}>".encode())
    if isinstance(thing, np.ndarray) and not thing.dtype.hasobject:
        digest.update(f"{thing.dtype.str}{thing.shape}".encode() + thing.tobytes())
    elif isinstance(thing, float):
        digest.update(thing.hex().encode())
    elif thing is None or isinstance(thing, bool | int | str | bytes | np.generic):
        digest.update(repr(thing).encode())
    elif isinstance(thing, dict):
        for key, value in thing.items():
            _absorb(key, digest)
            _absorb(value, digest)
    elif isinstance(thing, list | tuple):
        for item in thing:
            _absorb(item, digest)
    elif isinstance(thing, type) or callable(thing):
        digest.update(f"{thing.__module__}.{thing.__qualname__}".encode())
    else:
        reduced = thing.__reduce_ex__(4)
        _absorb(list(reduced) if isinstance(reduced, tuple) else reduced, digest)
    digest.update(b"</>")
