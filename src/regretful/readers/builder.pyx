"""Rows as they are read: names are hashed, a name that comes again in a row adds up, and the names are kept.

Readers put values here one by one; `take` hands out what came as `HashedRows`. No format is known here.
"""

import numpy as np

from cython cimport view
from libc.stdint cimport uint32_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset

from regretful.core.hashing cimport begun as begun_by

from regretful.core.rows import HashedRows

cdef Py_ssize_t LONGEST = 1024      # bytes of a name that are kept
cdef Py_ssize_t TABLE = 4096        # places in the table of a row, at first
cdef int64_t MOST = 1 << 20         # values that are counted before the table is cleared
cdef Py_ssize_t KEPT = 1 << 18      # values there is room for from the start, once so many have come


cdef class Builder:
    """Where a reader puts the rows of a file.

    In a row: `add` hashes a name and puts its value, `put` takes the position itself, and `end_row` or `drop_row` ends
    the row. They need no interpreter, and return -1 when memory is out.
    The values must be finite: who reads them looks.
    """

    def __init__(self, hashing, Loss loss=None):
        self.hashing, self.loss = hashing, loss
        self.wanted = b"" if loss is None else f"a label that {loss!r} takes: {loss.label_range}".encode()
        self.words = self.wanted
        self.seed = hashing.seed
        self.mask = (1ULL << <int> hashing.bits) - 1
        self.seen = np.zeros(((1 << hashing.bits) + 63) // 64, np.uint64)
        self.noted = np.zeros(1 << hashing.bits, np.int64)
        self.table_mask = min(TABLE, 1 << hashing.bits) - 1
        self.table = <uint32_t*> calloc(self.table_mask + 1, sizeof(uint32_t))
        if self.table == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.names)
        free(self.index)
        free(self.value)
        free(self.start)
        free(self.table)

    cdef uint64_t begun(self) noexcept nogil:
        """The state of a hash before the first byte."""
        return begun_by(self.seed)

    cdef Py_ssize_t note(self, Py_ssize_t position, const unsigned char* before, Py_ssize_t size_before,
                         const unsigned char* text, Py_ssize_t size) noexcept nogil:
        """Keep the first name that came to a position, up to LONGEST bytes of it. The position; -1 if memory is out."""
        if self.seen[position >> 6] >> (position & 63) & 1:
            return position
        self.seen[position >> 6] |= 1ULL << (position & 63)
        size_before = min(size_before, LONGEST)
        size = min(size, LONGEST - size_before)
        return position if self.write(position, before, size_before, text, size) == 0 else -1

    cdef int write(self, Py_ssize_t position, const unsigned char* before, Py_ssize_t size_before,
                   const unsigned char* text, Py_ssize_t size) noexcept nogil:
        """Write down the name of a position."""
        cdef uint32_t whole = <uint32_t> (size_before + size)
        cdef Py_ssize_t room, more = whole + <Py_ssize_t> sizeof(uint32_t)
        cdef void* grown
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
        if size_before:
            memcpy(self.names + self.names_size, before, size_before)
        if size:
            memcpy(self.names + self.names_size + size_before, text, size)
        self.names_size += whole
        return 0

    cdef Py_ssize_t put_known(self, const int* position, const double* value, Py_ssize_t n) noexcept nogil:
        """As `put`, values up to the first at whose position no name is known; how many those are. -1 if memory is out.

        They may lie where they would come to, or behind it.
        """
        cdef const uint64_t* seen = &self.seen[0]
        cdef uint32_t* table
        cdef int* index = self.index
        cdef double* values = self.value
        cdef int64_t floor = self.floor, above = self.base + 1
        cdef Py_ssize_t mask, at, j, size = self.size
        while 2 * (size + n - self.begin) > self.table_mask and self.table_mask < <Py_ssize_t> self.mask:
            if self._spread() < 0:
                return -1
        table, mask = self.table, self.table_mask
        for j in range(n):
            if not seen[position[j] >> 6] >> (position[j] & 63) & 1:
                n = j
                break
            at = position[j] & mask
            while table[at] > floor and index[table[at] - above] != position[j]:
                at = (at + 1) & mask
            if table[at] > floor:
                values[table[at] - above] += value[j]
                continue
            if values + size != value + j:
                index[size] = position[j]
                values[size] = value[j]
            table[at] = <uint32_t> (above + size)
            size += 1
        self.size = size
        return n

    cdef int _widen(self, Py_ssize_t room) noexcept nogil:
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

    cdef int _spread(self) noexcept nogil:
        """A larger table: the row fills half of it."""
        cdef Py_ssize_t mask = min(4 * self.table_mask + 3, <Py_ssize_t> self.mask), slot, at
        cdef uint32_t* table = <uint32_t*> calloc(mask + 1, sizeof(uint32_t))
        if table == NULL:
            return -1
        for slot in range(self.begin, self.size):
            at = self.index[slot] & mask
            while table[at] != 0:
                at = (at + 1) & mask
            table[at] = <uint32_t> (self.base + slot + 1)
        free(self.table)
        self.table, self.table_mask = table, mask
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
        self.floor = self.base + self.begin
        return 0

    cdef void drop_row(self) noexcept nogil:
        """The row is bad: forget its values."""
        self._count(self.size - self.begin)
        self.size = self.begin
        self.floor = self.base + self.begin

    cdef void _count(self, Py_ssize_t gone) noexcept nogil:
        """So many values are no longer here. The table is cleared before the numbers in it are too large for it."""
        self.base += gone
        if self.base > MOST:
            memset(self.table, 0, (self.table_mask + 1) * sizeof(uint32_t))
            self.base = 0

    def take(self):
        """The rows so far; the next begin anew. The arrays are handed over where they lie."""
        cdef int64_t[::1] starts
        cdef Py_ssize_t room = self.room
        self.drop_row()
        start, index, value = np.zeros(self.rows + 1, np.int64), np.empty(0, np.int32), np.empty(0)
        starts = start
        if self.rows:
            memcpy(&starts[0], self.start, (self.rows + 1) * sizeof(int64_t))
        if self.size:
            index = _owned(self.index, self.size, sizeof(int), "i")
            self.index = NULL
            value = _owned(self.value, self.size, sizeof(double), "d")
            self.value = NULL
            self.room = 0
            self._widen(min(room, KEPT))
        self._count(self.size)
        self.rows = self.size = self.begin = 0
        self.floor = self.base
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


cdef object _owned(void* data, Py_ssize_t size, Py_ssize_t itemsize, kind):
    """An array of what was allocated here, which it frees in the end."""
    cdef view.array held = view.array(
        shape=(size,), itemsize=itemsize, format=kind, mode="c", allocate_buffer=False
    )
    held.data = <char*> data
    held.callback_free_data = free
    return np.asarray(held)
