"""The p-norm geometry, F(w) = ½‖w‖_q² with 1/p + 1/q = 1: between gradient descent (p = 2) and winnow (p = 2 ln n)."""

import math

cimport cython
from libc.math cimport fabs, fmax, pow

from regretful.core.domains cimport Domain, Everywhere
from regretful.core.geometry cimport Geometry
from regretful.core.iterate cimport Column, Row, Sum, add, value
from regretful.core.rates cimport Rate

from regretful.core.parts import number

cdef double TOP = 1e200          # |τ|^p beyond this is not put into the sum
cdef double LEAST = 1e-150      # the smallest unit: a step of size 1 after one of 1e-300 must not overflow
cdef double FALLEN = 1e-10       # so much of the sum gone: make it afresh


@cython.final
cdef class PNorm(Geometry):
    """w_i = sign(θ_i)|θ_i|^(p−1)/‖θ‖_p^(p−2), θ ← θ − η g x (notes 000, §4), p ≥ 2 or "log" for max(2, 2 ln n).

    θ = unit · τ with unit such that |τ|^p neither overflows nor vanishes; Σ|τ|^p is kept as the coordinates change.
    """

    cdef readonly object p
    cdef double power           # p as a number, once n is known
    cdef Column tau
    cdef double unit            # 0 until the first step
    cdef double eta             # lazy: the rate
    cdef Sum total              # Σ|τ|^p
    cdef double most

    def __cinit__(self, *args, **kwargs):
        self.tau = Column()
        self.implicit = True
        self.local = True
        self.eta = 1.0

    def __init__(self, p="log"):
        self.p = p if isinstance(p, str) and p == "log" else number('p (a number, or "log")', p, least=2.0)
        self.sized = self.p == "log"
        self.power = 2.0 if self.sized else self.p

    def settings(self):
        """The arguments that make this part again."""
        return {"p": self.p}

    def bind(self, Domain domain, Rate rate, bint lazy):
        """Everywhere only."""
        if not isinstance(domain, Everywhere):
            raise ValueError(f"{self!r} works over Everywhere(), not {domain!r}: for a ball or a box take Euclidean()")
        self.domain = domain
        self.lazy = lazy

    def begin(self, n):
        """At 0."""
        Geometry.begin(self, n)
        if self.sized:
            self.power = max(2.0, 2.0 * math.log(n)) if n > 0 else 2.0

    def norm(self):
        """p, once it is known."""
        return self.power if self.p != "log" or self.w.size else None

    def columns(self):
        """θ in its unit."""
        return {"tau": self.tau}

    def state(self, size):
        """The iterate, θ and the sum over it."""
        return {
            **Geometry.state(self, size), "unit": self.unit, "eta": self.eta, "power": self.power,
            "total": [self.total.high, self.total.low], "peak": self.most,
        }

    def restore(self, state):
        """Take up what `state` gave."""
        Geometry.restore(self, state)
        self.unit, self.eta, self.power, self.most = state["unit"], state["eta"], state["power"], state["peak"]
        self.total.high, self.total.low = state["total"]

    cdef double dual_square(self, const Row* x) noexcept nogil:
        cdef double total = 0.0
        cdef Py_ssize_t j
        if x.peak == 0.0:
            return 0.0
        for j in range(x.size):
            total += pow(fabs(x.value[j]) / x.peak, self.power)
        return x.peak * x.peak * pow(total, 2.0 / self.power)

    cdef inline double _scale(self, double total) noexcept nogil:
        return self.eta * self.unit * pow(total, 2.0 / self.power - 1.0) if total > 0.0 else 1.0

    cdef int _move(self, const Row* x, double delta) noexcept nogil:
        """θ ← θ − delta x."""
        cdef Py_ssize_t i, j
        cdef double tau, size, power
        if self.unit == 0.0:
            if delta == 0.0 or x.peak == 0.0:
                return 0
            self.unit = fmax(LEAST, fabs(delta) * x.peak)
        delta /= self.unit
        for j in range(x.size):
            i = x.index[j]
            tau = self.tau.at[i] - delta * x.value[j]
            size = fabs(tau)
            power = pow(size, self.power - 1.0)
            if not power * size < TOP:
                self.tau.at[i] = tau
                self.w.stale = True  # v and the sum wait, as they are, for the refresh before the next round
                continue
            add(&self.total, -fabs(self.w.at[i].v) * fabs(self.tau.at[i]))
            add(&self.total, power * size)
            self.tau.at[i] = tau
            self.w.at[i].v = power if tau >= 0.0 else -power
        if value(&self.total) > self.most:
            self.most = value(&self.total)
        elif not value(&self.total) > FALLEN * self.most:
            self.w.stale = True
        self.w.scale = self._scale(value(&self.total))
        return 0

    cdef int descend(self, const Row* x, double dot, double g, double eta) except -1 nogil:
        return self._move(x, eta * g)

    cdef int lead(self, const Row* x, double dot, double g, double eta) except -1 nogil:
        self.eta = eta
        return self._move(x, g)

    cdef double ahead(self, const Row* x, double dot, double delta) noexcept nogil:
        cdef double unit = self.unit if self.unit > 0.0 else fmax(LEAST, fabs(delta) * x.peak)
        cdef double total = value(&self.total), numerator = dot, tau, power
        cdef Py_ssize_t i, j
        if unit == 0.0:
            return 0.0
        for j in range(x.size):
            i = x.index[j]
            tau = self.tau.at[i] - delta / unit * x.value[j]
            power = pow(fabs(tau), self.power - 1.0)
            total += power * fabs(tau) - fabs(self.w.at[i].v) * fabs(self.tau.at[i])
            numerator += ((power if tau >= 0.0 else -power) - self.w.at[i].v) * x.value[j]
        return unit * pow(total, 2.0 / self.power - 1.0) * numerator if total > 0.0 else 0.0

    cdef int refresh(self) except -1 nogil:
        """v and the sum from τ; the unit becomes the largest |θ|."""
        cdef Py_ssize_t i
        cdef double top = 0.0, tau, power
        for i in range(self.w.size):
            top = fmax(top, fabs(self.tau.at[i]))
        self.total.high = self.total.low = 0.0
        if self.unit * top < LEAST:
            top = LEAST / self.unit if self.unit > 0.0 else 1.0
        self.unit *= top
        for i in range(self.w.size):
            tau = self.tau.at[i]
            if tau == 0.0:
                self.w.at[i].v = 0.0
                continue
            tau /= top
            power = pow(fabs(tau), self.power - 1.0)
            self.tau.at[i] = tau
            self.w.at[i].v = power if tau >= 0.0 else -power
            add(&self.total, power * fabs(tau))
        self.most = value(&self.total)
        self.w.scale = self._scale(self.most)
        self.w.stale = False
        return 0
