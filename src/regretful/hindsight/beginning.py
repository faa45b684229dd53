"""Where the search begins, and where log-wealth has no beginning: a w of the domain with ⟨w, x⟩ > 0 for every row."""

from __future__ import annotations

import contextlib

import numpy as np

from regretful.core.domains import Domain
from regretful.core.losses import LogWealth, Loss, Squared, SquaredHinge
from regretful.core.types import Vector
from regretful.hindsight.descent import Descent, Stop
from regretful.hindsight.examples import Examples, Point
from regretful.hindsight.models import model
from regretful.hindsight.region import Region


def beginning(examples: Examples, region: Region, most: int) -> Vector:
    """A point of the domain where the loss is finite."""
    start = region.project(np.zeros(examples.n))
    tries = [start]
    if isinstance(examples.loss, LogWealth):
        tries += [region.project(np.ones(examples.n)), region.project(np.full(examples.n, 1e-3))]
    elif not start.any() and type(examples.loss).__module__ == Loss.__module__:
        return start  # no pass is needed: a loss of this package is finite where p = 0
    for w in tries:
        if np.isfinite(examples.at(w).loss):
            return w
    return (_ahead if isinstance(examples.loss, LogWealth) else _near)(examples, region, start, most)


def _near(examples: Examples, region: Region, w: Vector, most: int) -> Vector:
    """Predict about 1 everywhere, in the sense of least squares, until the loss no longer overflows."""
    descent = Descent(examples, region, model(examples), most)
    descent.instead = Squared()

    def enough(point: Point, stationarity: float) -> bool:
        return stationarity <= 1e-9 * point.value or bool(np.abs(point.z).max() < 100.0)

    with contextlib.suppress(Stop):
        w = descent.run(descent.at(w), enough).w
        if np.isfinite(examples.at(w).loss):
            return w
    raise ValueError(f"no w of {region.domain!r} was found where {examples.loss!r} is finite: rescale the features")


def _ahead(examples: Examples, region: Region, w: Vector, most: int) -> Vector:
    """Charge everyone who predicts less than a margin, a smaller and smaller one, until all predict more than 0."""
    margin = 1.0
    for _ in range(14):
        descent = Descent(examples, region, model(examples), most)
        descent.instead = SquaredHinge(margin)
        small = 1e-9 * margin * margin

        def enough(point: Point, stationarity: float, small: float = small) -> bool:
            return bool(point.z.min() > 0.0) or stationarity <= small

        try:
            point = descent.run(descent.at(w), enough)
        except Stop:
            break
        if np.isfinite(examples.at(point.w).loss):
            return point.w
        w, margin = point.w, 0.1 * margin
    raise ValueError(
        f"no w of {region.domain!r} was found with ⟨w, x⟩ > 0 in every row, where alone {examples.loss!r} is finite: "
        "every row needs a positive feature, or more freedom for w"
    )


class Quadrant(Domain):
    """Non-negative weights of norm at most `radius`: where log-wealth is sought when nothing bounds the orthant."""

    def __init__(self, radius: float) -> None:
        self.radius = radius

    def project(self, w: Vector) -> Vector:
        """Cut at 0, then shrink."""
        kept = np.maximum(w, 0.0)
        norm = float(np.linalg.norm(kept))
        return np.asarray(kept * (self.radius / norm) if norm > self.radius else kept)

    def support(self, v: Vector) -> float:
        """The norm of the positive part, times the radius."""
        return self.radius * float(np.linalg.norm(np.maximum(v, 0.0)))
