"""Samplers whose target moves: it drifts, or switches. No fixed predictor is good for long on them."""

from __future__ import annotations

import numpy as np

from regretful.core.parts import number
from regretful.core.types import Vector
from regretful.nature.samplers import LinearNoise


class Drifting(LinearNoise):
    """y = ⟨u_t, x⟩ + noise · N(0, 1), where the unit vector u_t turns by `speed` radians a round, in one plane."""

    def __init__(self, n: int = 10, noise: float = 0.1, speed: float = 0.001, *, seed: int = 0) -> None:
        super().__init__(n, noise, seed=seed)
        if self.n < 2:
            raise ValueError("a target that turns needs n of at least 2")
        self.speed = number("speed", speed)

    def target(self, t: int = 1) -> Vector:
        """u_t."""
        start, end = self._plane()
        return np.asarray(np.cos(self.speed * (t - 1)) * start + np.sin(self.speed * (t - 1)) * end)

    def _plane(self) -> tuple[Vector, Vector]:
        start, end = self._direction(0), self._direction(1)
        end = end - (end @ start) * start
        return start, end / np.linalg.norm(end)

    def _signal(self, X: Vector, t: Vector) -> Vector:
        start, end = self._plane()
        angle = self.speed * (t - 1.0)
        return np.asarray(np.cos(angle) * (X @ start) + np.sin(angle) * (X @ end))


class Switching(LinearNoise):
    """y = ⟨u_t, x⟩ + noise · N(0, 1), where u_t is another unit vector every `every` rounds."""

    def __init__(self, n: int = 10, noise: float = 0.1, every: int = 1000, *, seed: int = 0) -> None:
        super().__init__(n, noise, seed=seed)
        if every < 1:
            raise ValueError(f"every must be at least 1 round, not {every}")
        self.every = int(every)

    def target(self, t: int = 1) -> Vector:
        """u_t."""
        return self._direction((t - 1) // self.every)

    def _signal(self, X: Vector, t: Vector) -> Vector:
        spell = ((t - 1.0) // self.every).astype(int)
        first = int(spell[0])
        targets = np.array([self._direction(k) for k in range(first, int(spell[-1]) + 1)])
        return np.asarray(np.einsum("ij,ij->i", X, targets[spell - first]))
