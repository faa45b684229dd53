from libc.math cimport isnan
from libc.stdint cimport int64_t, uint32_t, uint64_t

from regretful.core.losses cimport Loss
from regretful.core.hashing cimport absorbed, place


cdef class Builder:
    cdef readonly object hashing        # Hashing
    cdef Loss loss                      # who will be told the labels, or None
    cdef readonly bytes wanted          # in words: the labels it takes,
    cdef const char* words              # and where they stand
    cdef uint64_t seed
    cdef uint64_t mask
    cdef uint64_t[::1] seen             # a bit for each position: whether a name came there
    cdef int64_t[::1] noted             # of each position: where its name stands in `names`, plus one; 0 nowhere
    cdef unsigned char* names           # one after the other: size (4 bytes), text
    cdef Py_ssize_t names_size
    cdef Py_ssize_t names_room
    cdef int* index
    cdef double* value
    cdef int64_t* start
    cdef readonly Py_ssize_t size       # values so far, in all rows
    cdef Py_ssize_t room
    cdef readonly Py_ssize_t rows       # rows so far
    cdef Py_ssize_t rows_room
    cdef Py_ssize_t begin               # where the row that is being read begins
    # Which positions are in the row: a table that fits the nearest cache, as long as rows are short. In it, beginning
    # at the position's low bits, stands one more than the number of the value, of all values put since it was cleared.
    cdef uint32_t* table
    cdef Py_ssize_t table_mask
    cdef int64_t base                   # values put before the first of `value`, since the table was cleared
    cdef int64_t floor                  # what stands in the table and is above it is of this row
    cdef uint64_t begun(self) noexcept nogil
    cdef Py_ssize_t note(self, Py_ssize_t position, const unsigned char* before, Py_ssize_t size_before,
                         const unsigned char* text, Py_ssize_t size) noexcept nogil
    cdef Py_ssize_t put_known(self, const int* position, const double* value, Py_ssize_t n) noexcept nogil
    cdef int write(self, Py_ssize_t position, const unsigned char* before, Py_ssize_t size_before,
                   const unsigned char* text, Py_ssize_t size) noexcept nogil
    cdef int end_row(self) noexcept nogil
    cdef void drop_row(self) noexcept nogil
    cdef int _widen(self, Py_ssize_t room) noexcept nogil
    cdef int _spread(self) noexcept nogil
    cdef void _count(self, Py_ssize_t gone) noexcept nogil

    # What runs once a value stands here, so that who cimports it has it in his own loop.

    cdef inline Py_ssize_t known(self, Py_ssize_t position, const unsigned char* before, Py_ssize_t size_before,
                                 const unsigned char* text, Py_ssize_t size) noexcept nogil:
        """Where to put what has this name, which was hashed to this position; it is noted. -1 if memory is out."""
        if self.seen[position >> 6] >> (position & 63) & 1:
            return position
        return self.note(position, before, size_before, text, size)

    cdef inline int put(self, Py_ssize_t position, double value) noexcept nogil:
        """A value by its position; one that is in the row already is added to."""
        cdef Py_ssize_t at = position & self.table_mask, slot
        while self.table[at] > self.floor:
            slot = self.table[at] - 1 - self.base
            if self.index[slot] == position:
                self.value[slot] += value
                return 0
            at = (at + 1) & self.table_mask
        if self.size == self.room and self._widen(2 * self.room + 4096) < 0:
            return -1
        self.index[self.size] = <int> position
        self.value[self.size] = value
        self.size += 1
        self.table[at] = <uint32_t> (self.base + self.size)
        if 2 * (self.size - self.begin) > self.table_mask and self.table_mask < <Py_ssize_t> self.mask:
            return self._spread()
        return 0

    cdef inline int add(self, uint64_t state, const unsigned char* before, Py_ssize_t size_before,
                        const unsigned char* text, Py_ssize_t size, double value) noexcept nogil:
        """A value by its name, `before` + `text`; the state is that of the hash after `before`."""
        cdef Py_ssize_t hashed = place(absorbed(state, text, size), self.mask)
        cdef Py_ssize_t position = self.known(hashed, before, size_before, text, size)
        return -1 if position < 0 else self.put(position, value)

    cdef inline int make_room(self, Py_ssize_t n) noexcept nogil:
        """Room for n values behind the last."""
        return 0 if self.size + n <= self.room else self._widen(2 * self.room + n + 4096)

    cdef inline bint takes(self, double label) noexcept nogil:
        """Whether the label is one that the loss takes."""
        return self.loss is None or not isnan(self.loss.canonical(label))
