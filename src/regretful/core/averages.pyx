"""Averages of the iterates w_1 … w_T that were played, kept at O(nnz) a round.

Σ a_s w_s = Σ a_s scale_s v_s. While a coordinate of v rests, its share is (clock − stamp) · v with the clock
Σ a_s scale_s; it settles that share when it is next touched, and all do when v is made afresh.
"""

from libc.math cimport fabs

from regretful.core.iterate cimport Cell

cdef double FALLEN = 1e-3        # a scale that has fallen so far would be lost beside what is on the clock


cdef class Average:
    """The average of the iterates, uniform, or weighted with a_t = t + 1, that is 2(t+1)/(T(T+3)) after T rounds."""

    def __init__(self, bint weighted=False):
        self.weighted = weighted
        self.total = Column()
        self.stamp = Column()

    cdef void tick(self, Iterate w, double t) noexcept nogil:
        """Count the iterate that plays round t."""
        cdef double a = t + 1.0 if self.weighted else 1.0
        if fabs(w.scale) > self.top:
            self.top = fabs(w.scale)
        elif fabs(w.scale) < FALLEN * self.top:
            self.settle_all(w)
        self.clock += a * w.scale
        self.mass += a

    cdef void settle(self, Iterate w, const Row* x) noexcept nogil:
        """Bring the row's coordinates up to date, before a step moves them."""
        cdef double* total = self.total.at
        cdef double* stamp = self.stamp.at
        cdef const Cell* cells = w.at
        cdef const int* index = x.index
        cdef Py_ssize_t i, j
        for j in range(x.size):
            i = index[j]
            total[i] += (self.clock - stamp[i]) * cells[i].v
            stamp[i] = self.clock

    cdef void settle_all(self, Iterate w) noexcept nogil:
        """Bring every coordinate up to date, and wind the clock back so that it keeps its digits.

        Not where coordinates yet to come start at another weight than 0: the clock is how they will know their past.
        """
        cdef double* total = self.total.at
        cdef double* stamp = self.stamp.at
        cdef const Cell* cells = w.at
        cdef Py_ssize_t i
        for i in range(w.size):
            total[i] += (self.clock - stamp[i]) * cells[i].v
            stamp[i] = self.clock if w.fill != 0.0 else 0.0
        if w.fill == 0.0:
            self.clock = 0.0
        self.top = fabs(w.scale)

    cdef grow(self, Py_ssize_t size):
        self.total.reserve(size)
        self.stamp.reserve(size)

    def read(self, Iterate w):
        """The average of the iterates so far; before the first round, the start."""
        if self.mass == 0.0:
            return w.array()
        size = w.size
        pending = (self.clock - self.stamp.array[:size]) * w.cells[:size, 0]
        return (self.total.array[:size] + pending) / self.mass

    def state(self, size):
        """Everything needed to go on."""
        return {
            "total": self.total.take(size), "stamp": self.stamp.take(size), "clock": self.clock, "top": self.top,
            "mass": self.mass,
        }

    def restore(self, state):
        """Take up what `state` gave."""
        self.total.put(state["total"])
        self.stamp.put(state["stamp"])
        self.clock, self.top, self.mass = state["clock"], state["top"], state["mass"]
