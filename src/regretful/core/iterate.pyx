"""The weights w = scale · v, and the small things under them: rows, compensated sums, arrays that grow.

A step touches only the coordinates of v where x is not zero; whatever moves every weight at once moves the scale.
"""

import numpy as np


cdef class Column:
    """A growable array with one double a coordinate; new coordinates hold `fill`."""

    def __init__(self, double fill=0.0):
        self.fill = fill
        self.array = np.empty(0)
        self.capacity = 0
        self.reserve(8)

    cdef reserve(self, Py_ssize_t size):
        cdef double[::1] view
        if size <= self.capacity:
            return
        room = max(size, self.capacity + self.capacity // 2)
        grown = np.full(room, self.fill)
        grown[: self.capacity] = self.array
        view = grown
        self.array = grown
        self.at = &view[0]
        self.capacity = room

    def take(self, size):
        """A copy of the first `size` coordinates."""
        self.reserve(size)
        return self.array[:size].copy()

    def put(self, values):
        """Set the first coordinates; those after them hold `fill`."""
        self.reserve(len(values))
        self.array[: len(values)] = values
        self.array[len(values):] = self.fill


cdef class Iterate:
    """w = scale · v."""

    def __init__(self, double fill=0.0):
        self.scale = 1.0
        self.v = Column(fill)

    cdef double dot(self, const Row* x) noexcept nogil:
        """⟨v, x⟩. Four sums side by side: one after the other would wait for each addition."""
        cdef double a = 0.0, b = 0.0, c = 0.0, d = 0.0
        cdef const double* v = self.v.at
        cdef const int* index = x.index
        cdef const double* value = x.value
        cdef Py_ssize_t j = 0, n = x.size
        while j + 4 <= n:
            a += v[index[j]] * value[j]
            b += v[index[j + 1]] * value[j + 1]
            c += v[index[j + 2]] * value[j + 2]
            d += v[index[j + 3]] * value[j + 3]
            j += 4
        while j < n:
            a += v[index[j]] * value[j]
            j += 1
        return (a + b) + (c + d)

    cdef void measure(self) noexcept nogil:
        """Sum ‖v‖₂² afresh."""
        cdef Py_ssize_t i
        cdef const double* v = self.v.at
        self.square.high = self.square.low = 0.0
        for i in range(self.size):
            if v[i] != 0.0:
                add(&self.square, v[i] * v[i])
        self.most = value(&self.square)

    cdef object array(self):
        return self.scale * self.v.array[: self.size]

    cdef assign(self, weights):
        self.v.reserve(self.size)
        self.v.array[: self.size] = weights
        self.scale = 1.0
        self.measure()

    def state(self):
        """Everything needed to go on."""
        return {
            "scale": self.scale, "v": self.v.take(self.size), "square": [self.square.high, self.square.low],
            "most": self.most, "size": self.size,
        }

    def restore(self, state):
        """Take up what `state` gave."""
        self.scale, self.most, self.size = state["scale"], state["most"], state["size"]
        self.square.high, self.square.low = state["square"]
        self.v.put(state["v"])
