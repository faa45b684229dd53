"""Rates: the step size η_t of round t = 1, 2, …"""

from libc.math cimport sqrt
cimport cython

from regretful.core.parts import number

from regretful.core.iterate cimport Sum, add, value


cdef class Rate(Part):
    """A step size for each round. To write your own, subclass it with `at(t)`."""

    cdef double next(self, double t, double square) except? -1.0 nogil:
        """η_t, given the squared norm of this round's gradient."""
        with gil:
            eta = float(self.at(int(t)))
            if not eta >= 0.0:
                raise ValueError(f"{self!r}.at({int(t)}) gave {eta!r}: a rate is at least 0")
            return eta

    def at(self, t):
        """η_t for a rate that depends on t alone."""
        if not isinstance(self, _OWN):  # else the two would ask each other for ever
            raise NotImplementedError(f"{type(self).__name__} must define at(t)")
        return self.next(t, 0.0)


@cython.final
cdef class Constant(Rate):
    """η_t = eta."""

    cdef readonly double eta

    def __init__(self, eta):
        self.eta = number("eta", eta, above=0.0, finite=False)
        self.constant = True

    def settings(self):
        """The arguments that make this part again."""
        return {"eta": self.eta}

    cdef double next(self, double t, double square) except? -1.0 nogil:
        return self.eta


@cython.final
cdef class InverseSqrt(Rate):
    """η_t = c/√t (notes 002; with c = R/L the projected gradient of notes 001)."""

    cdef readonly double c

    def __init__(self, c=1.0):
        self.c = number("c", c, above=0.0)

    def settings(self):
        """The arguments that make this part again."""
        return {"c": self.c}

    cdef double next(self, double t, double square) except? -1.0 nogil:
        return self.c / sqrt(t)


@cython.final
cdef class InverseTime(Rate):
    """η_t = 1/(λ t), for λ-strongly convex losses (notes 004, Thm 11)."""

    cdef readonly double lam

    def __init__(self, lam):
        self.lam = number("lam", lam, above=0.0)

    def settings(self):
        """The arguments that make this part again."""
        return {"lam": self.lam}

    cdef double next(self, double t, double square) except? -1.0 nogil:
        return 1.0 / (self.lam * t)


@cython.final
cdef class WeightedInverseTime(Rate):
    """η_t = 2/(λ(t + 1)), which goes with the weighted average (notes 004, Thm 12)."""

    cdef readonly double lam

    def __init__(self, lam):
        self.lam = number("lam", lam, above=0.0)

    def settings(self):
        """The arguments that make this part again."""
        return {"lam": self.lam}

    cdef double next(self, double t, double square) except? -1.0 nogil:
        return 2.0 / (self.lam * (t + 1.0))


@cython.final
cdef class Adaptive(Rate):
    """η_t = D/√(Σ_{s≤t} ‖g_s‖²), this round's gradient included; the norm is the dual one of the geometry.

    With D = diameter/√2 over a bounded domain, regret is at most √2 · diameter · √(Σ‖g‖²) without knowing T.
    """

    cdef readonly double D
    cdef Sum total

    def __init__(self, D=1.0):
        self.D = number("D", D, above=0.0)
        self.adaptive = True

    def settings(self):
        """The arguments that make this part again."""
        return {"D": self.D}

    def state(self, size):
        """The sum of squares so far."""
        return {"total": [self.total.high, self.total.low]}

    def restore(self, state):
        """Take up what `state` gave."""
        self.total.high, self.total.low = state["total"]

    cdef double next(self, double t, double square) except? -1.0 nogil:
        add(&self.total, square)
        return self.D / sqrt(value(&self.total)) if value(&self.total) > 0.0 else 0.0

    def at(self, t):
        """Depends on the gradients, not on t alone."""
        raise TypeError("an adaptive rate depends on the gradients seen; it has no value at a round alone")


_OWN = (Constant, InverseSqrt, InverseTime, WeightedInverseTime, Adaptive)


def as_rate(rate):
    """A rate; a plain number means a constant one."""
    if isinstance(rate, Rate):
        return rate
    if isinstance(rate, type) and issubclass(rate, Rate):
        raise TypeError(f"rate must be an instance: write {rate.__name__}(...), not the class {rate.__name__}")
    return Constant(number("rate", rate, above=0.0, finite=False))
