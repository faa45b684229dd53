"""The weights w = scale · v, and the small things under them: rows, compensated sums, arrays that grow.

A step touches only the coordinates of v where x is not zero; whatever moves every weight at once moves the scale.
"""

import numpy as np


cdef class Column:
    """A growable array with one double a coordinate; new coordinates hold 0."""

    def __init__(self):
        self.array = np.empty(0)
        self.capacity = 0
        self.reserve(8)

    cdef reserve(self, Py_ssize_t size):
        cdef double[::1] view
        if size <= self.capacity:
            return
        room = max(size, self.capacity + self.capacity // 2)
        grown = np.zeros(room)
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
        """Set the first coordinates; those after them hold 0."""
        self.reserve(len(values))
        self.array[: len(values)] = values
        self.array[len(values):] = 0.0


cdef class Iterate:
    """w = scale · v."""

    def __init__(self):
        self.scale = self.small = 1.0
        self.cells = np.zeros((0, 2))
        self.reserve(8)

    cdef reserve(self, Py_ssize_t size):
        cdef double[:, ::1] view
        if size <= self.capacity:
            return
        room = max(size, self.capacity + self.capacity // 2)
        grown = np.zeros((room, 2))
        if self.fill != 0.0:  # else the system hands out zeros, and memory only where they are touched
            grown[:, 0] = self.fill
        grown[: self.capacity] = self.cells
        view = grown
        self.cells = grown
        self.at = <Cell*> &view[0, 0]
        self.capacity = room

    def refill(self, fill):
        """Let v be `fill` everywhere, and for every coordinate to come."""
        self.fill = fill
        self.cells[:, 0] = fill

    cdef void measure(self) noexcept nogil:
        """Sum ‖small · v‖₂² afresh."""
        cdef Py_ssize_t i
        cdef const Cell* w = self.at
        self.square.high = self.square.low = 0.0
        for i in range(self.size):
            if w[i].v != 0.0:
                add(&self.square, self.small * w[i].v * (self.small * w[i].v))
        self.most = value(&self.square)

    cdef object array(self):
        return self.scale * self.cells[: self.size, 0]

    cdef assign(self, weights):
        self.reserve(self.size)
        self.cells[: self.size, 0] = weights
        self.scale = self.small = 1.0
        self.measure()

    def state(self):
        """Everything needed to go on."""
        return {
            "scale": self.scale, "v": self.cells[: self.size, 0].copy(), "square": [self.square.high, self.square.low],
            "most": self.most, "small": self.small, "size": self.size,
        }

    def restore(self, state):
        """Take up what `state` gave."""
        self.scale, self.most, self.size = state["scale"], state["most"], state["size"]
        self.small = state.get("small", 1.0)
        self.square.high, self.square.low = state["square"]
        self.entered = self.stale = False
        self.reserve(self.size)
        self.cells[:, 0] = self.fill
        self.cells[: self.size, 0] = state["v"]
