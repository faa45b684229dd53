"""What a nature is: it reveals an example and then its label. Two kinds: those that look, and those that don't.

A nature that looks at the learner is asked round by round. An `Oblivious` one gives any stretch of its rounds at once,
which is how a game plays it fast and replays it afterwards.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from regretful.core.losses import Loss
from regretful.core.rows import HashedRows
from regretful.core.types import Batch, Example, Label, Vector


class Learner(Protocol):
    """What plays: predicts and learns. `ledger`, `weights` and the rest are used where they are there."""

    @property
    def loss(self) -> Loss:
        """What it pays."""

    def predict_one(self, x: Example) -> float:
        """p, changing nothing."""

    def learn_one(self, x: Example, y: Label | None = None, weight: float = 1.0) -> float:
        """p, paid for and learnt from."""

    def learn_many(self, X: Any, y: ArrayLike | None = None, weight: ArrayLike | None = None) -> Vector:
        """The loop of `learn_one`."""


class Nature:
    """Who reveals. Subclass it with `reveal` and `label` to write one that may look at the learner.

    >>> import regretful as rg
    >>> class Stubborn(rg.nature.Nature):
    ...     def reveal(self, learner): return [1.0]
    ...     def label(self, learner, x, p): return -1 if p > 0 else 1
    >>> rg.play(rg.Perceptron(), Stubborn(), rounds=10).mistakes
    10
    """

    rounds: int | None = None  # how many there are; None: as many as are asked for
    weight: float = 1.0  # of the example whose label was given last
    looks: bool = True  # whether `label` depends on p; else the learner is not asked for it

    def reset(self) -> None:
        """Start again; the same game follows against the same learner."""

    def reveal(self, learner: Any) -> Example:
        """The x of this round; StopIteration when there is no more."""
        raise NotImplementedError(f"{type(self).__name__} must define reveal(learner)")

    def label(self, learner: Any, x: Example, p: float) -> Label | None:
        """The y, once the learner has predicted p."""
        raise NotImplementedError(f"{type(self).__name__} must define label(learner, x, p)")


class Oblivious(Nature):
    """A nature that does not look: its rounds are settled beforehand. Subclass it with `examples`."""

    ends: bool = False  # whether it is over some time though nobody knows when: `rounds` is None
    _at = 0
    _now: Batch

    def examples(self, first: int, last: int) -> Batch:
        """Rounds first to last − 1, counted from 0; the same whenever they are asked for.

        One that `ends` may give fewer than were asked for, from `first` on, and gives none once it is over.
        """
        raise NotImplementedError(f"{type(self).__name__} must define examples(first, last)")

    def reset(self) -> None:
        """Start again at round 0."""
        self._at = 0

    def reveal(self, learner: Any) -> Example:  # noqa: ARG002
        """The x of the next round."""
        if self.rounds is not None and self._at >= self.rounds:
            raise StopIteration
        self._now = self.examples(self._at, self._at + 1)
        if not length(self._now.X):
            raise StopIteration
        self._at += 1
        x: Example = first_row(self._now.X)
        return x

    def label(self, learner: Any, x: Example, p: float) -> Label | None:  # noqa: ARG002
        """The y of the round that was revealed."""
        self.weight = 1.0 if self._now.weight is None else float(np.asarray(self._now.weight)[0])
        if self._now.y is None:
            return None
        y: Label = np.asarray(self._now.y)[0]
        return y


def length(X: Any) -> int:
    """How many rows a batch has."""
    if hasattr(X, "num_rows"):
        return int(X.num_rows)
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def first_row(X: Any) -> Any:
    """The first row of a batch, as one example."""
    if isinstance(X, HashedRows):
        return X[:1]
    if hasattr(X, "tocsr"):
        return X if X.shape[0] == 1 else X[:1]
    if hasattr(X, "iloc"):
        return X.iloc[0]
    if hasattr(X, "to_dicts"):
        return X.to_dicts()[0]
    if hasattr(X, "to_pylist"):
        return X.to_pylist()[0]
    return X[0]
