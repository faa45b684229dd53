"""The geometry: the mirror map F that turns slopes into weights, ∇F(w) ← ∇F(w) − η s x.

Here is the base, which users extend in NumPy; each built-in geometry has a file of its own. A geometry owns the
iterate w = scale · v and moves it in two ways: `descend` (mirror descent: from where w is) and `lead` (follow the
regularised leader: from the sum of all slopes). `g` is the slope times the example's weight.
"""

import numpy as np

from regretful.core.domains cimport Everywhere


cdef class Geometry(Part):
    """A mirror map. To write your own, subclass it with `to_dual(w)` = ∇F(w) and `to_primal(theta)`, its inverse.

    It works over all of space; what a domain would do, `to_primal` does. It starts where F is least, at to_primal(0).
    """

    def __cinit__(self, *args, **kwargs):
        self.w = Iterate()
        self.sized = True

    # The interface in Python: bind to the other parts, begin, look at the weights.

    def bind(self, Domain domain, Rate rate, bint lazy):
        """Take the domain, and say whether the steps will be lazy; refuse what makes no sense."""
        if not isinstance(domain, Everywhere):
            raise ValueError(f"{self!r} works over Everywhere(), not {domain!r}")
        self.domain = domain
        self.lazy = lazy
        self.foreign = True
        self.theta = Column()

    def begin(self, n):
        """Start with n coordinates, where F is least: at ∇F*(0)."""
        self.w.size = n
        self.grow(n)
        if self.foreign:
            self._primal(np.zeros(n))

    def _primal(self, theta):
        weights = np.asarray(self.to_primal(theta), dtype=np.float64)
        if weights.shape != theta.shape or not np.isfinite(weights).all():
            raise ValueError(f"{self!r}.to_primal gave weights that are not finite, or not {len(theta)} of them")
        self.w.assign(weights)

    def weights(self):
        """w as an array."""
        return self.w.array()

    def copy_settings(self):
        """A new geometry with these settings and no state."""
        return type(self)(**self.settings())

    def state(self, size):
        """The iterate, and what else a geometry keeps."""
        return {"w": self.w.state(), **{name: column.take(size) for name, column in self.columns().items()}}

    def restore(self, state):
        """Take up what `state` gave."""
        self.w.restore(state["w"])
        self.grow(self.w.size)
        for name, column in self.columns().items():
            column.put(state[name])

    def norm(self):
        """The p of the norm that the theory of this geometry measures x in, if the ledger must be asked for it."""
        return None

    def columns(self):
        """The arrays kept beside v, by name."""
        return {} if self.theta is None else {"theta": self.theta}

    cdef grow(self, Py_ssize_t size):
        cdef Column column
        self.w.reserve(size)
        for column in self.columns().values():
            column.reserve(size)

    # What the loop calls, here for geometries written in Python.

    cdef double dual_square(self, const Row* x) noexcept nogil:
        """‖x‖² in the norm dual to the one F is strongly convex in."""
        return x.square

    cdef int descend(self, const Row* x, double dot, double g, double eta) except -1 nogil:
        """θ ← θ − η g x, w = ∇F*(θ)."""
        cdef Py_ssize_t j
        with gil:
            theta = np.array(self.to_dual(self.w.array()), dtype=np.float64)
            if theta.shape != (self.w.size,):
                raise ValueError(f"{self!r}.to_dual gave shape {theta.shape} for {self.w.size} weights")
            for j in range(x.size):
                theta[x.index[j]] -= eta * g * x.value[j]
            self._primal(theta)
        return 0

    cdef int lead(self, const Row* x, double dot, double g, double eta) except -1 nogil:
        """w = argmin ⟨Σ g x, w⟩ + F(w)/η."""
        cdef Py_ssize_t j
        with gil:
            theta = self.theta.array[: self.w.size]
            for j in range(x.size):
                theta[x.index[j]] -= g * x.value[j]
            self._primal(eta * theta)
        return 0

    cdef int shrink(self, double factor) except -1 nogil:
        """w ← factor · w, the part of a step that an L2 regulariser takes."""
        with gil:
            raise TypeError(f"{type(self).__name__} does not shrink")

    cdef double ahead(self, const Row* x, double dot, double delta) noexcept nogil:
        """The prediction for x after the step θ ← θ − delta x."""
        return 0.0

    cdef int refresh(self) except -1 nogil:
        """Make v and what is summed over it afresh."""
        self.w.measure()
        self.w.stale = False
        return 0

    def to_dual(self, w):
        """∇F(w)."""
        raise NotImplementedError(f"{type(self).__name__} must define to_dual(w)")

    def to_primal(self, theta):
        """The w with ∇F(w) = theta."""
        raise NotImplementedError(f"{type(self).__name__} must define to_primal(theta)")
