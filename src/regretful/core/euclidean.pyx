"""The Euclidean geometry, F(w) = ½‖w‖₂²: gradient descent, projected, and its lazy twin."""

import math

cimport cython
from libc.math cimport INFINITY, copysign, fabs, frexp, ldexp, sqrt

from regretful.core.domains cimport Domain, Everywhere
from regretful.core.geometry cimport Geometry
from regretful.core.iterate cimport Cell, Column, Row, add, value
from regretful.core.rates cimport Rate

from regretful.core.domains import Ball

cdef extern from "lanes.h" nogil:
    void rg_move(double* cells, const int* index, const double* value, Py_ssize_t n, bint solid, double a,
                 double s)


# When the scale has fallen to 2^-reach it becomes 2^reach, and v what that leaves: the further apart, the rarer the
# O(n). All that is changed is changed by powers of 2, which rounds nothing as long as v has room: over a ball weights
# are as large as it is, or hardly matter; elsewhere they may be of any size.
cdef int WITHIN = 800
cdef int ANYWHERE = 400
cdef double UNIT = 2.0 ** -80   # by so much `small` follows the scale down
cdef double LONGEST = 1e20  # radii: beside so long a step nothing is left of where it began, to a double's digits


@cython.final
cdef class Euclidean(Geometry):
    """F(w) = ½‖w‖₂² (notes 000, §4). Descent: w ← Π(w − η g x). Lazy: w = Π(−η Σ g x)."""

    cdef bint measured          # ‖v‖₂² is kept: a ball needs it
    cdef bint radial            # a lazy step is −η θ, rescaled
    cdef double longest         # steps are cut to this length
    cdef int lowest, highest    # exponents of the scale
    cdef double tiny            # 2^lowest
    cdef double eta             # the rate of the last lazy step

    def __cinit__(self, *args, **kwargs):
        self.implicit = True

    def bind(self, Domain domain, Rate rate, bint lazy):
        """Every domain."""
        self.domain = domain
        self.lazy = lazy
        self.measured = isinstance(domain, Ball)
        self.longest = LONGEST * domain.radius if self.measured else INFINITY
        about = max(-40, min(40, math.frexp(domain.radius)[1])) if self.measured else 0
        self.highest = about + (WITHIN if self.measured else ANYWHERE)
        self.lowest = about - (WITHIN if self.measured else ANYWHERE)
        self.tiny = ldexp(1.0, self.lowest)
        self.radial = self.measured or isinstance(domain, Everywhere)
        self.local = domain.local and (not lazy or self.radial or rate.constant)
        self.sized = domain.sized
        if not domain.sized:
            self.w.refill(domain.start(1)[0])
        if lazy and not self.radial:
            self.theta = Column()

    def begin(self, n):
        """At the point of the domain nearest to 0."""
        Geometry.begin(self, n)
        if self.sized:
            self.w.assign(self.domain._checked(self.domain.start(n), n))

    def state(self, size):
        """The iterate and the last rate."""
        return {**Geometry.state(self, size), "eta": self.eta}

    def restore(self, state):
        """Take up what `state` gave."""
        Geometry.restore(self, state)
        self.eta = state["eta"]

    cdef int _move(self, const Row* x, double dot, double k) noexcept nogil:
        """v ← v − k x; ‖v‖² changes by −2k⟨v, x⟩ + k²‖x‖²."""
        cdef double small = self.w.small * k
        rg_move(&self.w.at.v, x.index, x.value, x.size, x.solid, -k, x.slope)
        self.w.entered = True
        if self.measured:
            add(&self.w.square, small * (small * x.square - 2.0 * (self.w.small * dot)))
            if value(&self.w.square) > self.w.most:
                self.w.most = value(&self.w.square)
            elif value(&self.w.square) < 1e-4 * self.w.most:
                self.w.measure()  # so much has cancelled that the sum is no longer to be trusted
        return 0

    cdef int descend(self, const Row* x, double dot, double g, double eta) except -1 nogil:
        cdef double k = eta * g
        if self.measured and k * k * x.square > self.longest * self.longest:
            k = copysign(self.longest / sqrt(x.square), k)
        self._move(x, dot, k / self.w.scale)
        self.domain.confine(self.w, x)
        self._follow()  # a ball that each step leaves far behind
        return 0

    cdef inline void _follow(self) noexcept nogil:
        """The scale has fallen: let `small` follow it, and v when it is as low as it can be."""
        while fabs(self.w.scale) < UNIT * self.w.small:
            self.w.small *= UNIT
            self.w.square.high *= UNIT * UNIT
            self.w.square.low *= UNIT * UNIT
            self.w.most *= UNIT * UNIT
        if fabs(self.w.scale) < self.tiny:
            self.w.stale = True

    cdef int shrink(self, double factor) except -1 nogil:
        cdef Py_ssize_t i
        self.w.scale *= factor
        if self.w.scale == 0.0:
            for i in range(self.w.size):
                self.w.at[i].v = 0.0
            self.w.scale = self.w.small = 1.0
            self.w.measure()
        self._follow()
        return 0

    cdef int lead(self, const Row* x, double dot, double g, double eta) except -1 nogil:
        cdef Py_ssize_t i, j
        cdef Cell* w = self.w.at
        cdef double* theta
        if self.radial:
            self._move(x, dot, g)
            self.w.scale = eta
            self.domain.confine(self.w, x)
            return 0
        theta = self.theta.at
        for j in range(x.size):
            theta[x.index[j]] -= g * x.value[j]
        if self.domain.local:
            if eta == self.eta:
                for j in range(x.size):
                    i = x.index[j]
                    w[i].v = eta * theta[i]
                self.domain.confine(self.w, x)
                return 0
        self.eta = eta
        with gil:
            self.w.assign(self.domain.project(eta * self.theta.array[: self.w.size]))
        return 0

    cdef double ahead(self, const Row* x, double dot, double delta) noexcept nogil:
        return self.w.scale * dot - delta * x.square

    cdef int refresh(self) except -1 nogil:
        cdef Py_ssize_t i, j, first, last
        cdef Cell* w = self.w.at
        cdef bint touched
        cdef double half
        cdef int exponent
        if fabs(self.w.scale) < self.tiny and not self.lazy:
            frexp(self.w.scale, &exponent)
            half = ldexp(1.0, (exponent - self.highest) // 2)  # the whole is less than a double can hold
            for i in range((self.w.size + 7) // 8):
                first, last = 8 * i, min(8 * i + 8, self.w.size)
                # Memory that no step has touched is the system's one page of zeros: leave it so.
                touched = False
                for j in range(first, last):
                    touched |= w[j].v != 0.0
                if touched:
                    for j in range(first, last):
                        w[j].v = w[j].v * half * half
            self.w.scale = self.w.scale / half / half
            self.w.small = self.w.small / half / half
        elif self.measured:
            self.w.measure()
        self.w.stale = False
        return 0
