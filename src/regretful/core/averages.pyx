"""Averages of the iterates w_1 … w_T that were played, kept at O(nnz) a round.

Σ a_s w_s = Σ a_s scale_s v_s. While a coordinate of v rests, its share is (clock − stamp) · v with the clock
Σ a_s scale_s; it settles that share when it is next touched, and all do when v is made afresh. Where the scale has
fallen so far that a round would be lost beside what is on the clock, a new lap begins, and the clock at 0.
"""

import numpy as np

from libc.math cimport fabs

from regretful.core.iterate cimport Cell

cdef double FALLEN = 1e-3        # of the largest scale of a lap: then the next lap begins


cdef class Average:
    """The average of the iterates, uniform, or weighted with a_t = t + 1, that is 2(t+1)/(T(T+3)) after T rounds."""

    def __init__(self, bint weighted=False):
        self.weighted = weighted
        self.total = Column()
        self.stamp = Column()
        self.lap = Column()

    cdef void tick(self, Iterate w, double t) noexcept nogil:
        """Count the iterate that plays round t."""
        cdef double a = t + 1.0 if self.weighted else 1.0
        if fabs(w.scale) > self.top:
            self.top = fabs(w.scale)
        elif fabs(w.scale) < FALLEN * self.top:
            if self.current + 1 < LAPS:
                self.laps[self.current] = self.clock
                self.current += 1
                self.clock = 0.0
                self.top = fabs(w.scale)
            else:
                self.settle_all(w)
        self.clock += a * w.scale
        self.mass += a

    cdef double _due(self, Py_ssize_t i) noexcept nogil:
        """What has gone by since the coordinate was last settled."""
        cdef int k, lap = <int> self.lap.at[i]
        cdef double due
        if lap == self.current:
            return self.clock - self.stamp.at[i]
        due = self.laps[lap] - self.stamp.at[i]
        for k in range(lap + 1, self.current):
            due += self.laps[k]
        return due + self.clock

    cdef void settle(self, Iterate w, const Row* x) noexcept nogil:
        """Bring the row's coordinates up to date, before a step moves them."""
        cdef double* total = self.total.at
        cdef double* stamp = self.stamp.at
        cdef double* lap = self.lap.at
        cdef const Cell* cells = w.at
        cdef const int* index = x.index
        cdef Py_ssize_t i, j
        for j in range(x.size):
            i = index[j]
            total[i] += self._due(i) * cells[i].v
            stamp[i] = self.clock
            lap[i] = self.current

    cdef void settle_all(self, Iterate w) noexcept nogil:
        """Bring every coordinate up to date, and wind the clock back to the first lap.

        Not where coordinates yet to come start at another weight than 0: the clock is how they will know their past.
        """
        cdef double* total = self.total.at
        cdef double* stamp = self.stamp.at
        cdef double* lap = self.lap.at
        cdef const Cell* cells = w.at
        cdef bint wind = w.fill == 0.0
        cdef Py_ssize_t i
        for i in range(w.size):
            total[i] += self._due(i) * cells[i].v
            stamp[i] = 0.0 if wind else self.clock
            lap[i] = 0.0 if wind else self.current
        if wind:
            self.clock = 0.0
            self.current = 0
        self.top = fabs(w.scale)

    cdef grow(self, Py_ssize_t size):
        self.total.reserve(size)
        self.stamp.reserve(size)
        self.lap.reserve(size)

    def read(self, Iterate w):
        """The average of the iterates so far; before the first round, the start."""
        cdef Py_ssize_t i
        cdef double[::1] due
        if self.mass == 0.0:
            return w.array()
        share = np.empty(w.size)
        due = share
        for i in range(w.size):
            due[i] = self._due(i)
        return (self.total.array[: w.size] + share * w.cells[: w.size, 0]) / self.mass

    def state(self, size):
        """Everything needed to go on."""
        return {
            "total": self.total.take(size), "stamp": self.stamp.take(size), "lap": self.lap.take(size),
            "laps": [self.laps[k] for k in range(self.current)], "clock": self.clock, "top": self.top,
            "mass": self.mass,
        }

    def restore(self, state):
        """Take up what `state` gave."""
        self.total.put(state["total"])
        self.stamp.put(state["stamp"])
        self.lap.put(state["lap"])
        self.current = len(state["laps"])
        for k, clock in enumerate(state["laps"]):
            self.laps[k] = clock
        self.clock, self.top, self.mass = state["clock"], state["top"], state["mass"]
