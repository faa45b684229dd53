"""Rows with every name kept apart: a name gets an id of its own, where a learner's builder hashes it to a position.

What converts files reads with it, by the parsers that learners have; no format is known here.
"""

import numpy as np

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy

from regretful.core.hashing cimport absorbed, place
from regretful.readers.builder cimport Builder

from regretful.core.features import Hashing

cdef Py_ssize_t FIRST = 1           # in the hash table, 0 is none
cdef Py_ssize_t MOST = 2147483647   # as many as an index can tell
cdef int BITS = 27                  # of the positions that names are hashed to, of which no use is made


cdef class Exact(Builder):
    """A builder whose positions are ids: `note` finds or makes the id of a name, wherever it was hashed to.

    No position counts as seen, so each value asks `note`. bits: room for 2^bits names at first.
    """

    cdef Py_ssize_t count           # the next id
    cdef int64_t[::1] slots         # of a hash table: ids, or 0

    def __init__(self, Py_ssize_t bits=10):
        Builder.__init__(self, Hashing(1))
        self.count = FIRST
        self.slots = np.zeros(1 << bits, np.int64)
        self.noted = np.zeros(1 << bits, np.int64)
        self.mask = (1ULL << BITS) - 1
        self.seen = np.zeros(1 << (BITS - 6), np.uint64)

    @property
    def ids(self):
        """The ids that were given, in the order in which their names came."""
        return range(FIRST, self.count)

    cdef Py_ssize_t note(self, Py_ssize_t position, const unsigned char* before, Py_ssize_t size_before,
                         const unsigned char* text, Py_ssize_t size) noexcept nogil:
        """The id of this name; -1 if memory is out."""
        cdef uint64_t mask = self.slots.shape[0] - 1
        cdef Py_ssize_t slot = place(absorbed(absorbed(self.begun(), before, size_before), text, size), mask)
        while self.slots[slot] != 0:
            if self._is(self.slots[slot], before, size_before, text, size):
                return self.slots[slot]
            slot = (slot + 1) & mask
        if self.count == MOST or (self.count == self.noted.shape[0] and self._grow() < 0):
            return -1
        if self.write(self.count, before, size_before, text, size) < 0:
            return -1
        self.slots[slot] = self.count
        self.count += 1
        if 2 * self.count > self.slots.shape[0] and self._larger() < 0:
            return -1
        return self.count - 1

    cdef bint _is(self, Py_ssize_t id, const unsigned char* before, Py_ssize_t size_before,
                  const unsigned char* text, Py_ssize_t size) noexcept nogil:
        cdef const unsigned char* known = self.names + self.noted[id] - 1
        cdef uint32_t whole
        memcpy(&whole, known, sizeof(uint32_t))
        known += sizeof(uint32_t)
        if whole != size_before + size or (size_before and memcmp(known, before, size_before) != 0):
            return False
        return size == 0 or memcmp(known + size_before, text, size) == 0

    cdef int _grow(self) noexcept with gil:
        """Room for twice as many names."""
        try:
            self.noted = np.concatenate([self.noted, np.zeros_like(self.noted)])
        except MemoryError:
            return -1
        return 0

    cdef int _larger(self) noexcept with gil:
        """A table of twice the size."""
        cdef int64_t[::1] slots
        cdef uint64_t mask = 2 * self.slots.shape[0] - 1
        cdef Py_ssize_t id, slot
        cdef uint32_t size
        cdef const unsigned char* name
        try:
            slots = np.zeros(2 * self.slots.shape[0], np.int64)
        except MemoryError:
            return -1
        for id in range(FIRST, self.count):
            name = self.names + self.noted[id] - 1
            memcpy(&size, name, sizeof(uint32_t))
            slot = place(absorbed(self.begun(), name + sizeof(uint32_t), size), mask)
            while slots[slot] != 0:
                slot = (slot + 1) & mask
            slots[slot] = id
        self.slots = slots
        return 0
