"""Smooth descent over a domain: minimise a quadratic model there, walk towards its minimum as far as that lowers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from regretful.core.losses import Loss
from regretful.core.types import Vector
from regretful.hindsight.examples import Examples, Point
from regretful.hindsight.models import Memory, Newton
from regretful.hindsight.quadratic import minimise
from regretful.hindsight.region import Region


class Stop(Exception):
    """The passes are used up."""


class Descent:
    """One objective: the losses, or with multipliers their envelopes; `enough(point, stationarity)` ends it."""

    def __init__(self, examples: Examples, region: Region, model: Newton | Memory, most: int) -> None:
        self.examples, self.region, self.model, self.most = examples, region, model, most
        self.multipliers: Vector | None = None
        self.stiff = 0.0
        self.instead: Loss | None = None  # another loss to charge

    def at(self, w: Vector) -> Point:
        """One pass; `Stop` if no more are allowed."""
        if self.examples.passes >= self.most:
            raise Stop
        return self.examples.at(w, self.multipliers, self.stiff, self.instead)

    def stationarity(self, point: Point) -> float:
        """⟨G, w⟩ + σ(−G): what a linear model could still gain."""
        return point.work + self.region.support(-point.G, self.region.radius(point.w))

    def run(self, point: Point, enough: Callable[[Point, float], bool]) -> Point:
        """Steps from `point`, which was charged with these multipliers, until it is enough or nothing moves."""
        failed = 0
        if isinstance(self.model, Memory) and self.model.blank:
            self._probe(point)
        while not enough(point, self.stationarity(point)):
            trial, t = self._step(point)
            self.model.learn(point, trial, t)
            failed = failed + 1 if t == 0.0 or trial.value >= point.value - 1e-16 * point.mass else 0
            if t > 0.0:
                point = trial
            if failed >= (4 if isinstance(self.model, Memory) else 8):
                break
        return point

    def _step(self, point: Point) -> tuple[Point, float]:
        """(the next point, how much of the way to the model's minimum it lies)."""
        self.model.look(point, self.stiff, self.instead)
        G = self.region.relevant(point.G, point.w)
        z = minimise(self.model, G, self.region, point.w)
        move = z - point.w
        fall = -float(G @ move)
        if not np.isfinite(fall) or fall <= 0.0:
            return point, 0.0
        t = 1.0
        while t > 1e-12:
            trial = self.at(z if t == 1.0 else point.w + t * move)
            if trial.value <= point.value - 1e-4 * t * fall + 4e-16 * point.mass:
                return trial, t
            over = trial.value - point.value + t * fall  # the curvature met, as far as a parabola tells
            t *= min(0.5, max(0.01, 0.5 * t * fall / over)) if np.isfinite(over) else 0.1
        return point, 0.0

    def _probe(self, point: Point) -> None:
        """A first pair for the model: a short way down the gradient."""
        norm = float(np.linalg.norm(point.G))
        if not norm:
            return
        size = 1e-3 * (1.0 + float(np.linalg.norm(point.w)))
        near = self.region.project(point.w - (size / norm) * point.G)
        if np.array_equal(near, point.w):
            return
        trial = self.at(near)
        if np.isfinite(trial.value) and np.isfinite(trial.G).all():
            self.model.learn(point, trial, 1.0)
