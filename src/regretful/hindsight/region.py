"""The domain of one problem: its support function, within a radius where it has no bound of its own."""

from __future__ import annotations

import numpy as np

from regretful.core.domains import Box, Domain, Everywhere, L1Ball, Orthant, Simplex
from regretful.core.types import Vector


class Region:
    """A domain in n coordinates."""

    def __init__(self, domain: Domain, n: int) -> None:
        self.domain, self.n = domain, n
        one = np.ones(n)
        # A set is bounded if its support function is finite; at four points for a user's own, which may be anything.
        probes = (one, -one) if domain.bounded else (one, -one, one * np.cos(np.arange(n)), one * np.sin(np.arange(n)))
        self.bounded = all(np.isfinite(domain.support(v)) for v in probes)

    def project(self, w: Vector) -> Vector:
        """The nearest point of the domain."""
        if isinstance(self.domain, Simplex | L1Ball):
            w = self._drawn(w)
        return np.asarray(self.domain.project(w), dtype=np.float64)

    def relevant(self, G: Vector, w: Vector) -> Vector:
        """G up to what is the same all over the domain, which would drown the rest in its rounding."""
        return G - float(G @ w) / float(w.sum()) if isinstance(self.domain, Simplex) else G

    def _drawn(self, w: Vector) -> Vector:
        """A vector with the same projection, near enough for a threshold to be told from rounding."""
        if isinstance(self.domain, L1Ball):
            size = np.abs(w)
            far = float(size.max()) - self.domain.radius
            return np.copysign(np.maximum(size - far, 0.0), w) if far > self.domain.radius else w
        return np.asarray(w - w.max())

    def radius(self, w: Vector) -> float | None:
        """How far the bound reaches when the solution found is w: twice as far as w; None if the domain is bounded."""
        if self.bounded:
            return None
        norm = float(np.linalg.norm(w))
        return 2.0 * norm if norm > 0.0 else 1.0

    def support(self, v: Vector, radius: float | None) -> float:
        """At least the largest ⟨u, v⟩ over the u of the domain (with ‖u‖₂ ≤ radius): equal to it but for odd boxes."""
        if radius is None:
            return float(self.domain.support(v))
        kind = type(self.domain)
        if kind is Everywhere:
            return radius * float(np.linalg.norm(v))
        if kind is Orthant:
            return radius * float(np.linalg.norm(np.maximum(v, 0.0)))
        if isinstance(self.domain, Box):
            # σ of an intersection is at most σ(v − v') of one set plus σ(v') of the other, however v is split.
            wall = np.where(v > 0.0, self.domain.high, self.domain.low)
            wall = np.where(v == 0.0, 0.0, wall)
            far = ~np.isfinite(wall)
            return float(np.sum(np.where(far, 0.0, wall) * v)) + radius * float(np.linalg.norm(v[far]))
        own = float(self.domain.support(v))
        return min(own, radius * float(np.linalg.norm(v)))
