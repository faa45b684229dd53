"""Geometries that adapt to each coordinate: AdaGrad's diagonal one, and that of FTRL-Proximal."""

import numpy as np

cimport cython
from libc.math cimport fabs, sqrt

from regretful.core.domains cimport Box, Domain, Everywhere, Orthant
from regretful.core.geometry cimport Geometry
from regretful.core.iterate cimport Cell, Column, Row
from regretful.core.rates cimport Rate

from regretful.core.parts import number

cdef extern from "lanes.h" nogil:
    void rg_adapt(double* cells, double* H, const int* index, const double* value, Py_ssize_t n, double g, double eta,
                  double s)


@cython.final
cdef class Diagonal(Geometry):
    """F(w) = ½ Σ √H_i w_i², H_i = Σ (g x_i)² so far (AdaGrad, Duchi et al. 2011): w_i ← w_i − η g x_i/√H_i.

    Lazy: w_i = −η Σ(g x_i)/√H_i, brought into the domain. A coordinate never touched does not move.

    `scaled`: √H_i m_i in the place of √H_i, with m_i the root mean square of x_i over the rounds that had it: the units
    of the features make no difference, and one in metres is learnt as fast as in miles (after Ross, Mineiro and
    Langford 2013).
    """

    cdef readonly bint scaled
    cdef Column squares         # H
    cdef Column sizes           # Σ x_i², if scaled
    cdef Column counts          # and of how many rounds
    cdef Column slopes          # Σ g x, for lazy steps
    cdef double eta             # the rate of the last lazy step
    cdef bint free              # no domain to be brought into

    def __cinit__(self, *args, **kwargs):
        self.squares = Column()
        self.local = True
        self.sized = False

    def __init__(self, scaled=False):
        if not isinstance(scaled, (bool, np.bool_)):
            raise TypeError(f"scaled is True or False, not {scaled!r}")
        self.scaled = scaled
        if scaled:
            self.sizes = Column()
            self.counts = Column()

    def settings(self):
        """The arguments that make this part again."""
        return {"scaled": bool(self.scaled)}

    def bind(self, Domain domain, Rate rate, bint lazy):
        """By coordinate: Everywhere, Box and Orthant, where nearest means the same in every diagonal norm."""
        if not isinstance(domain, (Everywhere, Box, Orthant)):
            raise ValueError(
                f"Diagonal() works over Everywhere(), Box(low, high) or Orthant(), not {domain!r}: "
                "for that domain take Euclidean()"
            )
        self.domain = domain
        self.lazy = lazy
        self.sized = domain.sized
        self.free = isinstance(domain, Everywhere)
        self.local = not lazy or self.free or rate.constant
        if lazy:
            self.slopes = Column()
        if not domain.sized:
            self.w.refill(domain.start(1)[0])

    def begin(self, n):
        """At the point of the domain nearest to 0."""
        Geometry.begin(self, n)
        if self.sized:
            self.w.assign(self.domain.start(n))

    def state(self, size):
        """The iterate and the last rate."""
        return {**Geometry.state(self, size), "eta": self.eta}

    def restore(self, state):
        """Take up what `state` gave."""
        Geometry.restore(self, state)
        self.eta = state["eta"]

    def columns(self):
        """H, what m is made of, and the sum of slopes, as far as they are kept."""
        kept = {"squares": self.squares, "sizes": self.sizes, "counts": self.counts, "slopes": self.slopes}
        return {name: column for name, column in kept.items() if column is not None}

    cdef inline double _root(self, Py_ssize_t i, double x, double slope) noexcept nogil:
        """√H_i, times m_i if scaled, with this round's x_i and slope in it."""
        cdef double* squares = self.squares.at
        cdef double* sizes
        cdef double* counts
        squares[i] += slope * slope
        if not self.scaled:
            return sqrt(squares[i])
        sizes, counts = self.sizes.at, self.counts.at
        sizes[i] += x * x
        counts[i] += 1.0
        return sqrt(squares[i]) * sqrt(sizes[i] / counts[i])

    cdef int descend(self, const Row* x, double dot, double g, double eta) except -1 nogil:
        cdef Cell* w = self.w.at
        cdef Py_ssize_t i, j
        cdef double slope, root
        if not self.scaled:
            rg_adapt(&w.v, self.squares.at, x.index, x.value, x.size, g, eta, x.slope)
            self.w.entered = True
            return self.domain.confine(self.w, x)
        for j in range(x.size):
            slope = g * x.value[j]
            i = x.index[j]
            root = self._root(i, x.value[j], slope)
            if root > 0.0:
                w[i].v -= eta * slope / root
        return self.domain.confine(self.w, x)

    cdef int lead(self, const Row* x, double dot, double g, double eta) except -1 nogil:
        cdef Cell* w = self.w.at
        cdef double* slopes = self.slopes.at
        cdef Py_ssize_t i, j
        cdef double slope, root
        for j in range(x.size):
            slope = g * x.value[j]
            i = x.index[j]
            root = self._root(i, x.value[j], slope)
            slopes[i] += slope
            if root > 0.0:
                w[i].v = -slopes[i] / root * (1.0 if self.free else eta)
        if self.free:
            self.w.scale = eta
        elif eta == self.eta:
            self.domain.confine(self.w, x)
        else:
            self.eta = eta
            with gil:
                self._lead_all()
        return 0

    def _lead_all(self):
        """Every weight afresh: in a box, a new rate moves them all."""
        roots, slopes = np.sqrt(self.squares.array[: self.w.size]), self.slopes.array[: self.w.size]
        if self.scaled:
            counts = np.maximum(self.counts.array[: self.w.size], 1.0)
            roots *= np.sqrt(self.sizes.array[: self.w.size] / counts)
        led = np.divide(-self.eta * slopes, roots, where=roots > 0.0, out=np.zeros(self.w.size))
        self.w.assign(np.where(roots > 0.0, self.domain.project(led), self.domain.start(self.w.size)))

    cdef int refresh(self) except -1 nogil:
        self.w.stale = False
        return 0


@cython.final
cdef class Proximal(Geometry):
    """The geometry of FTRL-Proximal (McMahan et al. 2013), with its L1 and L2 terms and its own rate.

    z_i += g_i − σ w_i with σ = (√(n_i + g_i²) − √n_i)/alpha, n_i += g_i²; then w_i = 0 if |z_i| ≤ l1, else
    −(z_i − sign(z_i) l1)/((beta + √n_i)/alpha + l2).
    """

    cdef readonly double alpha, beta, l1, l2
    cdef Column z, n

    def __cinit__(self, *args, **kwargs):
        self.z = Column()
        self.n = Column()
        self.local = True
        self.sized = False

    def __init__(self, alpha=0.1, beta=1.0, l1=0.0, l2=0.0):
        self.alpha = number("alpha", alpha, above=0.0)
        self.beta = number("beta", beta, least=0.0)
        self.l1 = number("l1", l1, least=0.0)
        self.l2 = number("l2", l2, least=0.0)

    def settings(self):
        """The arguments that make this part again."""
        return {"alpha": self.alpha, "beta": self.beta, "l1": self.l1, "l2": self.l2}

    def bind(self, Domain domain, Rate rate, bint lazy):
        """Everywhere only; follow-the-regularised-leader only."""
        if not lazy:
            raise ValueError("Proximal() follows the leader: use FTRLProximal(...) or FollowTheRegularizedLeader(...)")
        if not isinstance(domain, Everywhere):
            raise ValueError(f"Proximal() works over Everywhere(), not {domain!r}")
        self.domain = domain
        self.lazy = lazy

    def columns(self):
        """z and n."""
        return {"z": self.z, "n": self.n}

    cdef int lead(self, const Row* x, double dot, double g, double eta) except -1 nogil:
        cdef Cell* w = self.w.at
        cdef double* zs = self.z.at
        cdef double* squares = self.n.at
        cdef Py_ssize_t i, j
        cdef double slope, grown, z
        for j in range(x.size):
            slope = g * x.value[j]
            if slope == 0.0:
                continue
            i = x.index[j]
            grown = squares[i] + slope * slope
            z = zs[i] + slope - (sqrt(grown) - sqrt(squares[i])) / self.alpha * w[i].v
            zs[i] = z
            squares[i] = grown
            if fabs(z) <= self.l1:
                w[i].v = 0.0
            else:
                w[i].v = -(z - (self.l1 if z > 0.0 else -self.l1)) / (
                    (self.beta + sqrt(grown)) / self.alpha + self.l2
                )
        return 0

    cdef int refresh(self) except -1 nogil:
        self.w.stale = False
        return 0
