"""What hindsight hands back: the best predictor of a class, what it loses, and what nobody in the class can beat.

Only the results live here; how they are found is in the files beside.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from regretful.core.domains import Domain
from regretful.core.features import Features
from regretful.core.predictor import FixedPredictor
from regretful.core.types import Events, Example, Matrix, Vector


def relative_gap(loss: float, lower: float) -> float:
    """(loss − lower)/max(1, |loss|)."""
    return max(0.0, loss - lower) / max(1.0, abs(loss)) if np.isfinite(loss) else np.inf


@dataclass(frozen=True, eq=False)
class Comparator:
    """The best fixed predictor over the data: lower ≤ L* ≤ loss, L* the least loss over the domain.

    `loss` is what these weights lose, and `lower` is proved by a dual point, up to the rounding of sums of doubles,
    an estimate of which is taken off: for any slopes s, L* ≥ −Σ c ℓ*(s) − σ(−Σ c s x) (Fenchel).
    `gap` is (loss − lower)/max(1, |loss|).
    Over an unbounded domain the bound is over its part within `radius` of 0 in the Euclidean norm, else `radius` is
    None. `attained` is False if the infimum over the domain is attained nowhere, None if that was not settled.
    """

    weights: Vector
    intercept: float
    loss: float
    lower: float
    gap: float
    domain: Domain
    radius: float | None
    attained: bool | None
    passes: int
    note: str = ""
    features: Features = field(default_factory=Features, repr=False)

    @cached_property
    def _predictor(self) -> FixedPredictor:
        whole = np.append(self.intercept, self.weights) if self.features.offset else np.array(self.weights)
        return FixedPredictor(whole, self.features)

    def predict_one(self, x: Example) -> float:
        """The prediction p = ⟨w, x⟩."""
        return self._predictor.predict_one(x)

    def predict_many(self, X: Events | Matrix) -> Vector:
        """The prediction for every row."""
        return self._predictor.predict_many(X)

    def named_weights(self) -> dict[str | int, float]:
        """Weights by name; by position where there are no names."""
        return self._predictor.named_weights()

    def __str__(self) -> str:
        where = repr(self.domain)
        if self.radius is not None:
            where += f" within {self.radius:.6g} of 0"
        return (
            f"The best fixed predictor found in {where} lost {self.loss:.8g}; none there lost less than "
            f"{self.lower:.8g} (relative gap {self.gap:.1e}, {self.passes} passes)."
            + (f" {self.note[0].upper()}{self.note[1:]}." if self.note else "")
        )


@dataclass(frozen=True, eq=False)
class FiniteComparator:
    """The best of finitely many: its place, its name, its loss, and everybody's losses."""

    best: int
    name: str | int
    loss: float
    losses: Vector
    rounds: int

    def __str__(self) -> str:
        return f"The best of {len(self.losses)}, {self.name!r}, lost {self.loss:.8g} over {self.rounds} rounds."
