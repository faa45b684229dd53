"""The examples of one problem, held in memory or replayed from their source; one call of `at` is one pass."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from regretful.core.features import Features
from regretful.core.losses import Loss
from regretful.core.passes import charge
from regretful.core.reading import labels_of, weights_of
from regretful.core.rows import batch
from regretful.core.types import Vector

Source = Callable[[], Iterable[Any]]


@dataclass(frozen=True, eq=False)
class Point:
    """What a pass at w found: the smoothed and the true loss, slopes s taken at z, G = Σ c s x, Σ c (ℓ(z) − s z)."""

    w: Vector
    value: float
    loss: float
    tangent: float
    mass: float
    G: Vector
    s: Vector
    z: Vector

    @property
    def work(self) -> float:
        """⟨G, w⟩."""
        return float(self.G @ self.w)


class Part:
    """Some rows with their labels and weights, checked."""

    def __init__(self, loss: Loss, X: Any, y: Any, weight: Any, features: Features) -> None:
        rows, _, blocks = batch(X, features, True)
        self.loss, self.rows = loss, rows
        self.blocks = list(blocks)
        self.y = labels_of(y, loss, rows)
        self.c = weights_of(1.0 if weight is None else weight, rows)

    def charge(self, instead: Loss | None, w: Vector, G: Vector, s: Vector, z: Vector, *envelope: Any) -> Any:
        """The kernel, on these rows."""
        loss, y = (self.loss, self.y) if instead is None else (instead, np.ones(self.rows))
        return charge(loss, self.blocks, y, self.c, w, G, s, z, *envelope)


class Examples:
    """Rows, labels, weights. From a source they are read anew in each pass, and nothing but s and z is kept of them."""

    def __init__(self, loss: Loss, X: Any, y: Any, weight: Any, features: Features) -> None:
        self.loss, self.features, self.passes = loss, features, 0
        self.source: Source | None = X if callable(X) else None
        self.rows = 0
        self.spread, self.total = 0.0, 0.0  # mean |y|, and Σ c
        if self.source is not None:
            if y is not None or weight is not None:
                raise TypeError("a source yields (X, y) or (X, y, weight) itself: give no y or weight beside it")
            for part in self.parts():
                self._count(part)
        else:
            self.whole = Part(loss, X, y, weight, features)
            self._count(self.whole)
        if not self.rows:
            raise ValueError("there are no examples: the best predictor of an empty game is anybody")
        if not self.total > 0.0:
            raise ValueError("the weights of the examples are all 0: the best predictor of an empty game is anybody")
        self.n = features.size + features.offset
        if not self.n:
            raise ValueError("the examples have no features; with intercept=True there would be one")
        self.spread /= self.rows

    def _count(self, part: Part) -> None:
        self.rows += part.rows
        self.total += float(part.c.sum())
        self.spread += float(np.abs(part.y).sum())

    def parts(self) -> Iterator[Part]:
        """One pass over the rows; those of a source are read again."""
        if self.source is None:
            yield self.whole
            return
        self.passes += 1
        for number, item in enumerate(self.source()):
            if len(item if isinstance(item, tuple) else ()) not in (2, 3):  # whatever the annotations promise
                raise TypeError(f"block {number}: a source yields tuples (X, y) or (X, y, weight)")
            X, y, *weight = item
            try:
                part = Part(self.loss, X, y, weight[0] if weight else None, self.features)
            except (TypeError, ValueError) as error:
                raise type(error)(f"block {number}: {error}") from None
            yield part

    def at(
        self, w: Vector, multipliers: Vector | None = None, stiff: float = 0.0, instead: Loss | None = None
    ) -> Point:
        """One pass. `instead`: another loss to charge, with all labels +1."""
        w = np.ascontiguousarray(w, dtype=np.float64)
        G, s, z = np.zeros(self.n), np.empty(self.rows), np.empty(self.rows)
        if self.source is None:
            self.passes += 1
            value, loss, tangent, mass = self.whole.charge(instead, w, G, s, z, multipliers, stiff)
            return Point(w, value, loss, tangent, mass, G, s, z)
        sums: list[tuple[float, ...]] = []
        first = 0
        for part in self.parts():
            rows = slice(first, first + part.rows)
            first += part.rows
            if first > self.rows or self.features.size + self.features.offset > self.n:
                break
            a = None if multipliers is None else multipliers[rows]
            sums.append(part.charge(instead, w, G, s[rows], z[rows], a, stiff))
        if first != self.rows or self.features.size + self.features.offset > self.n:
            raise ValueError(
                f"the source changed: it gave {self.rows} rows of {self.n - self.features.offset} features at first, "
                "and others later; it must give the same each time it is called"
            )
        value, loss, tangent, mass = np.sum(sums, axis=0).tolist()
        return Point(w, value, loss, tangent, mass, G, s, z)
