"""Domains: the convex sets the weights live in, with projection, support function, membership and diameter.

`confine` is what the loop calls after a Euclidean step: it brings w = scale · v back into the set, and for all but the
simplex, the L1 ball and a user's own domain it does so by touching the row's coordinates or the scale alone.
"""

import math

import numpy as np

cimport cython
from libc.math cimport INFINITY, fabs, sqrt

from regretful.core.iterate cimport value
from regretful.core.parts import number


cdef class Domain(Part):
    """A convex set. To write your own, subclass it with `project(w)`, and `support(v)` for certificates."""

    def __cinit__(self, *args, **kwargs):
        self.local = False
        self.sized = True
        self.bounded = False

    cdef int confine(self, Iterate w, const Row* x) except -1 nogil:
        with gil:
            w.assign(self._checked(self.project(w.array()), w.size))
        return 0

    def _checked(self, point, size):
        """What a domain in Python gave, as so many finite weights."""
        weights = np.asarray(point, dtype=np.float64)
        if weights.shape != (size,) or not np.isfinite(weights).all():
            raise ValueError(f"{self!r}.project must give {size} finite weights, not {point!r}")
        return weights

    def project(self, w):
        """The point of the set nearest to w."""
        raise NotImplementedError(f"{type(self).__name__} must define project(w)")

    def support(self, v):
        """σ(v): the largest ⟨u, v⟩ over u in the set."""
        raise NotImplementedError(f"{type(self).__name__} must define support(v)")

    def contains(self, w, tolerance=1e-9):
        """Whether w is in the set, up to a rounding of `tolerance` relative to its size."""
        w = vector(w)
        return bool(np.linalg.norm(self.project(w) - w) <= tolerance * max(1.0, np.linalg.norm(w)))

    @property
    def diameter(self):
        """The largest Euclidean distance between two of its points."""
        return math.inf

    def start(self, n):
        """Where a learner begins: the point of the set nearest to 0."""
        return self.project(np.zeros(n))


def vector(w):
    """A weight vector as a 1-D array of finite doubles."""
    array = np.asarray(w, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"expected a vector, not an array of shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"coordinate {int(np.argmin(np.isfinite(array)))} is not finite")
    return array


def length(v):
    """‖v‖₂, also where the squares would overflow or vanish."""
    peak = float(np.max(np.abs(v), initial=0.0))
    if peak == 0.0 or 1e-100 < peak < 1e100:
        return float(np.linalg.norm(v))
    return peak * float(np.linalg.norm(v / peak))


@cython.final
cdef class Everywhere(Domain):
    """All of space: no constraint."""

    def __init__(self):
        self.local = True
        self.sized = False

    cdef int confine(self, Iterate w, const Row* x) except -1 nogil:
        return 0

    def project(self, w):
        """w itself."""
        return vector(w).copy()

    def support(self, v):
        """0 for v = 0, else infinite."""
        return math.inf if vector(v).any() else 0.0


@cython.final
cdef class Ball(Domain):
    """The Euclidean ball ‖w‖₂ ≤ radius."""

    def __init__(self, radius):
        self.radius = number("radius", radius, above=0.0)
        self.local = True
        self.sized = False
        self.bounded = True

    def settings(self):
        """The arguments that make this part again."""
        return {"radius": self.radius}

    cdef int confine(self, Iterate w, const Row* x) except -1 nogil:
        cdef double norm = fabs(w.scale) / w.small * sqrt(value(&w.square)) if value(&w.square) > 0.0 else 0.0
        if norm > self.radius:
            w.scale *= self.radius / norm
        return 0

    def project(self, w):
        """w · min(1, radius/‖w‖)."""
        w = vector(w)
        norm = np.linalg.norm(w)
        return w * (self.radius / norm) if norm > self.radius else w.copy()

    def support(self, v):
        """radius · ‖v‖₂."""
        return self.radius * length(vector(v))

    @property
    def diameter(self):
        """2 · radius."""
        return 2.0 * self.radius


def _nearest_on_simplex(w, scale):
    """Sort, find the threshold, subtract it (Duchi et al. 2008)."""
    falling = np.sort(w)[::-1]
    excess = np.cumsum(falling) - scale
    count = np.arange(1, len(w) + 1)
    last = int(np.flatnonzero(falling * count > excess).max())
    return np.maximum(w - excess[last] / (last + 1), 0.0)


@cython.final
cdef class L1Ball(Domain):
    """The cross-polytope ‖w‖₁ ≤ radius."""

    def __init__(self, radius):
        self.radius = number("radius", radius, above=0.0)
        self.sized = False
        self.bounded = True

    def settings(self):
        """The arguments that make this part again."""
        return {"radius": self.radius}

    def project(self, w):
        """Shrink every coordinate by the same amount until ‖w‖₁ = radius."""
        w = vector(w)
        if math.fsum(np.abs(w)) <= self.radius:
            return w.copy()
        return np.copysign(_nearest_on_simplex(np.abs(w), self.radius), w)

    def support(self, v):
        """radius · ‖v‖∞."""
        return self.radius * float(np.max(np.abs(vector(v)), initial=0.0))

    @property
    def diameter(self):
        """2 · radius."""
        return 2.0 * self.radius


@cython.final
cdef class Simplex(Domain):
    """Non-negative weights whose sum is `scale`."""

    def __init__(self, scale=1.0):
        self.scale = number("scale", scale, above=0.0)
        self.bounded = True

    def settings(self):
        """The arguments that make this part again."""
        return {"scale": self.scale}

    def project(self, w):
        """Subtract one threshold from all, and cut at 0."""
        w = vector(w)
        if not len(w):
            raise ValueError("a simplex needs at least one coordinate")
        return _nearest_on_simplex(w, self.scale)

    def support(self, v):
        """scale · max v."""
        v = vector(v)
        if not len(v):
            raise ValueError("a simplex needs at least one coordinate")
        return self.scale * float(np.max(v))

    @property
    def diameter(self):
        """√2 · scale (0 for a single coordinate)."""
        return math.sqrt(2.0) * self.scale


@cython.final
cdef class Box(Domain):
    """low ≤ w ≤ high in every coordinate; numbers, or arrays with one bound a coordinate; bounds may be infinite."""

    def __init__(self, low, high):
        try:
            lows, highs = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
        except (TypeError, ValueError):
            raise TypeError(f"low and high are numbers, or arrays of numbers, not {low!r} and {high!r}") from None
        if max(lows.ndim, highs.ndim) > 1 or (lows.ndim == highs.ndim == 1 and len(lows) != len(highs)) or (
            lows.size == 0 or highs.size == 0
        ):
            raise ValueError(
                "low and high are numbers, or arrays with one bound a coordinate, not of the shapes "
                f"{lows.shape} and {highs.shape}"
            )
        lows, highs = np.broadcast_arrays(lows, highs)
        if np.isnan(lows).any() or np.isnan(highs).any():
            raise ValueError("low and high must not be NaN")
        self.least = np.ascontiguousarray(np.atleast_1d(lows)).copy()
        self.most = np.ascontiguousarray(np.atleast_1d(highs)).copy()
        for i in range(self.least.shape[0]):
            if not (self.least[i] <= self.most[i] and self.least[i] < INFINITY and self.most[i] > -INFINITY):
                where = f" in coordinate {i}" if lows.ndim else ""
                raise ValueError(f"a box needs low ≤ high{where}, not [{self.least[i]!r}, {self.most[i]!r}]")
        self.n = lows.shape[0] if lows.ndim else 0
        self.low = lows.copy() if self.n else float(lows)
        self.high = highs.copy() if self.n else float(highs)
        self.local = True
        self.sized = self.n > 0
        self.bounded = bool(np.isfinite(lows).all() and np.isfinite(highs).all())

    def settings(self):
        """The arguments that make this part again."""
        return {"low": self.low, "high": self.high}

    cdef double clip(self, Py_ssize_t i, double weight) noexcept nogil:
        cdef double low, high
        if self.n == 0:
            i = 0
        low = self.least[i]
        high = self.most[i]
        return low if weight < low else high if weight > high else weight

    cdef int confine(self, Iterate w, const Row* x) except -1 nogil:
        cdef Py_ssize_t j, i
        cdef double weight, kept
        for j in range(x.size):
            i = x.index[j]
            weight = w.scale * w.at[i].v
            kept = self.clip(i, weight)
            if kept != weight:
                w.at[i].v = kept / w.scale
        return 0

    def _fitting(self, w):
        w = vector(w)
        if self.n and len(w) != self.n:
            raise ValueError(f"this box has {self.n} coordinates, the vector {len(w)}")
        return w

    def project(self, w):
        """Clip each coordinate."""
        return np.clip(self._fitting(w), self.low, self.high)

    def support(self, v):
        """The sum of the larger of low·v and high·v, coordinate by coordinate (0 where v is)."""
        v = self._fitting(v)
        with np.errstate(invalid="ignore"):
            return float(np.sum(np.where(v == 0.0, 0.0, np.maximum(self.low * v, self.high * v))))

    @property
    def diameter(self):
        """‖high - low‖₂; with the same bounds for all it grows with the number of coordinates, and must be asked so."""
        if self.n == 0:
            raise ValueError(f"the diameter of {self!r} depends on the number of coordinates: give arrays as bounds")
        return float(np.linalg.norm(self.high - self.low))


@cython.final
cdef class Orthant(Domain):
    """Non-negative weights."""

    def __init__(self):
        self.local = True
        self.sized = False

    cdef int confine(self, Iterate w, const Row* x) except -1 nogil:
        cdef Py_ssize_t j, i
        for j in range(x.size):
            i = x.index[j]
            if w.scale * w.at[i].v < 0.0:
                w.at[i].v = 0.0
        return 0

    def project(self, w):
        """Cut at 0."""
        return np.maximum(vector(w), 0.0)

    def support(self, v):
        """0 if no coordinate of v is positive, else infinite."""
        return math.inf if (vector(v) > 0.0).any() else 0.0
