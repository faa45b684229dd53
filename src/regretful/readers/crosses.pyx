"""Crosses: of the values that a row has in some columns, the product, as a feature of its own (`site=a*device=b`).

Readers give what the row has as it comes, and `finish` adds the features. No format is known here.
"""

import numpy as np

from libc.math cimport fabs
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

from regretful.readers.builder cimport Builder

cdef double LARGEST = 1e150     # its square is a number


cdef class Crosses:
    """The crosses of `[("site", "device"), …]`, for one row at a time."""

    def __init__(self, crosses):
        self.names = list(dict.fromkeys(name for names in crosses for name in names))
        self.members = np.array([self.names.index(name) for names in crosses for name in names], np.intc)
        self.ends = np.cumsum([len(names) for names in crosses], dtype=np.intc)
        self.count = len(crosses)
        self.at, self.size = np.full(len(self.names), -1, np.intp), np.zeros(len(self.names), np.intp)
        self.value = np.zeros(len(self.names))

    def __dealloc__(self):
        free(self.text)

    cdef void begin(self) noexcept nogil:
        """A new row."""
        cdef Py_ssize_t slot
        self.used = 0
        for slot in range(self.at.shape[0]):
            self.at[slot] = -1

    cdef int give(self, Py_ssize_t slot, const unsigned char* before, Py_ssize_t size_before,
                  const unsigned char* text, Py_ssize_t size, double value) noexcept nogil:
        """The row has this feature, `before` + `text`, in the column; -1 if memory is out."""
        if self._reserve(size_before + size + 1) < 0:
            return -1
        memcpy(self.text + self.used, before, size_before)
        memcpy(self.text + self.used + size_before, text, size)
        self.at[slot] = self.used
        self.size[slot] = size_before + size
        self.value[slot] = value
        self.used += size_before + size
        return 0

    cdef int finish(self, Builder builder) noexcept nogil:
        """Put what all of a cross's columns have; -1 if memory is out, SPILLS if a product is too large."""
        cdef Py_ssize_t cross, j, slot, begin = 0, whole
        cdef double product
        for cross in range(self.count):
            product, whole = 1.0, 0
            for j in range(begin, self.ends[cross]):
                slot = self.members[j]
                if self.at[slot] < 0:
                    whole = -1
                    break
                product *= self.value[slot]
                whole += self.size[slot] + 1
            if whole > 0:
                if not fabs(product) <= LARGEST:
                    return SPILLS
                if self._reserve(whole) < 0:
                    return -1
                whole = 0
                for j in range(begin, self.ends[cross]):
                    slot = self.members[j]
                    if j > begin:
                        self.text[self.used + whole] = c"*"
                        whole += 1
                    memcpy(self.text + self.used + whole, self.text + self.at[slot], self.size[slot])
                    whole += self.size[slot]
                if builder.add(builder.begun(), self.text, 0, self.text + self.used, whole, product) < 0:
                    return -1
            begin = self.ends[cross]
        return 0

    cdef int _reserve(self, Py_ssize_t more) noexcept nogil:
        cdef void* grown
        cdef Py_ssize_t room
        if self.used + more > self.room:
            room = max(2 * self.room, self.used + more, 1024)
            grown = realloc(self.text, room)
            if grown == NULL:
                return -1
            self.text = <unsigned char*> grown
            self.room = room
        return 0
