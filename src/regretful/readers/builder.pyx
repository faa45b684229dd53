"""Rows as they are read: names are hashed, a name that comes again in a row adds up, and the names are kept.

Readers put values here one by one; `take` hands out what came as `HashedRows`. No format is known here.
"""

import numpy as np

from libc.stdint cimport uint32_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

from regretful.core.hashing cimport absorbed, begun, place

from regretful.core.rows import HashedRows

cdef Py_ssize_t LONGEST = 1024      # bytes of a name that are kept


cdef class Builder:
    """Where a reader puts the rows of a file.

    In a row: `add` hashes a name and puts its value, `put` takes the position itself, and `end_row` or `drop_row` ends
    the row. They need no interpreter, and return -1 when memory is out.
    The values must be finite: who reads them looks.
    """

    def __init__(self, hashing):
        self.hashing = hashing
        self.seed = hashing.seed
        self.mask = (1ULL << <int> hashing.bits) - 1
        self.stamps = np.zeros(1 << hashing.bits, np.int64)
        self.noted = np.zeros(1 << hashing.bits, np.int64)

    def __dealloc__(self):
        free(self.names)
        free(self.index)
        free(self.value)
        free(self.start)

    cdef uint64_t begun(self) noexcept nogil:
        """The state of a hash before the first byte."""
        return begun(self.seed)

    cdef int add(self, uint64_t state, const unsigned char* before, Py_ssize_t size_before,
                 const unsigned char* text, Py_ssize_t size, double value) noexcept nogil:
        """A value by its name, `before` + `text`; the state is that of the hash after `before`."""
        cdef Py_ssize_t position = place(absorbed(state, text, size), self.mask)
        if self.noted[position] == 0:
            position = self.note(position, before, size_before, text, size)
            if position < 0:
                return -1
        return self.put(position, value)

    cdef Py_ssize_t note(self, Py_ssize_t position, const unsigned char* before, Py_ssize_t size_before,
                  const unsigned char* text, Py_ssize_t size) noexcept nogil:
        """Keep the first name that came to a position, up to LONGEST bytes of it. The position; -1 if memory is out."""
        cdef Py_ssize_t more, room
        cdef uint32_t whole
        cdef void* grown
        if self.noted[position] != 0:
            return position
        size_before = min(size_before, LONGEST)
        size = min(size, LONGEST - size_before)
        whole = <uint32_t> (size_before + size)
        more = whole + <Py_ssize_t> sizeof(uint32_t)
        if self.names_size + more > self.names_room:
            room = max(2 * self.names_room, self.names_size + more, 65536)
            grown = realloc(self.names, room)
            if grown == NULL:
                return -1
            self.names = <unsigned char*> grown
            self.names_room = room
        self.noted[position] = self.names_size + 1
        memcpy(self.names + self.names_size, &whole, sizeof(uint32_t))
        self.names_size += sizeof(uint32_t)
        memcpy(self.names + self.names_size, before, size_before)
        memcpy(self.names + self.names_size + size_before, text, size)
        self.names_size += whole
        return position

    cdef int put(self, Py_ssize_t position, double value) noexcept nogil:
        """A value by its position; one that is in the row already is added to."""
        cdef int64_t stamp = self.stamps[position]
        if stamp > self.serial_begin:
            self.value[self.begin + (stamp - 1 - self.serial_begin)] += value
            return 0
        if self.size == self.room and self._widen() < 0:
            return -1
        self.index[self.size] = <int> position
        self.value[self.size] = value
        self.size += 1
        self.serial += 1
        self.stamps[position] = self.serial
        return 0

    cdef int _widen(self) noexcept nogil:
        cdef Py_ssize_t room = max(2 * self.room, 4096)
        cdef void* grown = realloc(self.index, room * sizeof(int))
        if grown == NULL:
            return -1
        self.index = <int*> grown
        grown = realloc(self.value, room * sizeof(double))
        if grown == NULL:
            return -1
        self.value = <double*> grown
        self.room = room
        return 0

    cdef int end_row(self) noexcept nogil:
        """The row is whole."""
        cdef Py_ssize_t room
        cdef void* grown
        if self.rows + 2 > self.rows_room:
            room = max(2 * self.rows_room, 1024)
            grown = realloc(self.start, room * sizeof(int64_t))
            if grown == NULL:
                return -1
            self.start = <int64_t*> grown
            self.rows_room = room
            self.start[0] = 0
        self.rows += 1
        self.start[self.rows] = self.size
        self.begin = self.size
        self.serial_begin = self.serial
        return 0

    cdef void drop_row(self) noexcept nogil:
        """The row is bad: forget its values."""
        self.size = self.begin
        self.serial_begin = self.serial

    def take(self):
        """The rows so far; the next begin anew."""
        cdef int64_t[::1] starts
        cdef int[::1] indices
        cdef double[::1] values
        start, index, value = np.zeros(self.rows + 1, np.int64), np.empty(self.begin, np.int32), np.empty(self.begin)
        starts, indices, values = start, index, value
        if self.rows:
            memcpy(&starts[0], self.start, (self.rows + 1) * sizeof(int64_t))
        if self.begin:
            memcpy(&indices[0], self.index, self.begin * sizeof(int))
            memcpy(&values[0], self.value, self.begin * sizeof(double))
        self.drop_row()
        self.rows = self.size = self.begin = 0
        return HashedRows(start, index, value, self.hashing)

    def name(self, Py_ssize_t position):
        """The first name that came to a position; None if none did."""
        cdef uint32_t size
        cdef Py_ssize_t at
        if not 0 <= position < self.noted.shape[0]:
            raise IndexError(f"there are {self.noted.shape[0]} positions, and {position} is none of them")
        at = self.noted[position] - 1
        if at < 0:
            return None
        memcpy(&size, self.names + at, sizeof(uint32_t))
        return self.names[at + sizeof(uint32_t):at + sizeof(uint32_t) + size].decode("utf-8", "replace")
