"""The ball of an l_q norm: the comparators of the p-norm algorithms, for whom no learner has a domain."""

from __future__ import annotations

import numpy as np

from regretful.core.domains import Domain
from regretful.core.parts import number
from regretful.core.types import Vector

HALVINGS = 100


class NormBall(Domain):
    """‖u‖_q ≤ radius, 1 < q ≤ 2. Its support function is radius · ‖v‖_p with 1/p + 1/q = 1.

    >>> from regretful.theorems.normball import NormBall
    >>> ball = NormBall(2.0, p=2.0)
    >>> ball.support([3.0, 4.0]), ball.project([3.0, 4.0]).round(9)
    (10.0, array([1.2, 1.6]))
    """

    def __init__(self, radius: float, p: float) -> None:
        self.radius, self.p = number("radius", radius, above=0.0), number("p", p, least=2.0)
        self.q = self.p / (self.p - 1.0)

    def settings(self) -> dict[str, float]:
        """The arguments that make this part again."""
        return {"radius": self.radius, "p": self.p}

    def support(self, v: Vector) -> float:
        """It is radius · ‖v‖_p."""
        return self.radius * float(np.linalg.norm(v, self.p))

    def project(self, w: Vector) -> Vector:
        """sign(w)·u with u + m u^(q−1) = |w|, and the m ≥ 0 for which ‖u‖_q = radius; both sought by halving."""
        w = np.asarray(w, dtype=np.float64)
        size = np.abs(w)
        if np.linalg.norm(size, self.q) <= self.radius:
            return w
        most = float(size.max()) ** (2.0 - self.q)
        while np.linalg.norm(self._shrunk(size, most), self.q) > self.radius:
            most *= 2.0
        least = 0.0
        for _ in range(HALVINGS):
            middle = 0.5 * (least + most)
            if np.linalg.norm(self._shrunk(size, middle), self.q) > self.radius:
                least = middle
            else:
                most = middle
        return np.copysign(self._shrunk(size, most), w)

    def _shrunk(self, size: Vector, m: float) -> Vector:
        """The root u of u + m u^(q−1) = size, of each."""
        low, high = np.zeros_like(size), size.copy()
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            over = middle + m * middle ** (self.q - 1.0) > size
            low, high = np.where(over, low, middle), np.where(over, middle, high)
        return low
