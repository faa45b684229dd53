from libc.stdint cimport int64_t, uint32_t, uint64_t

from regretful.core.hashing cimport absorbed, place

cdef extern from "usual.h" nogil:
    ctypedef struct rg_into:
        int* index
        double* value
        const uint64_t* seen
        int64_t* table
        uint64_t mask
        Py_ssize_t table_mask
        Py_ssize_t size
        Py_ssize_t most
        int64_t base
        int64_t floor
    Py_ssize_t rg_features(const unsigned char* text, const uint32_t* mark, Py_ssize_t at, Py_ssize_t* p,
                           uint64_t state, int digits, rg_into* into)


cdef class Builder:
    cdef readonly object hashing        # Hashing
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
    # at the position's low bits, stands one more than the number of the value, of all values ever put.
    cdef int64_t* table
    cdef Py_ssize_t table_mask
    cdef int64_t base                   # values put before the first of `value`
    cdef int64_t floor                  # what stands in the table and is above it is of this row
    cdef uint64_t begun(self) noexcept nogil
    cdef Py_ssize_t note(self, Py_ssize_t position, const unsigned char* before, Py_ssize_t size_before,
                         const unsigned char* text, Py_ssize_t size) noexcept nogil
    cdef int end_row(self) noexcept nogil
    cdef void drop_row(self) noexcept nogil
    cdef int _widen(self, Py_ssize_t room) noexcept nogil
    cdef int _spread(self) noexcept nogil

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
        self.table[at] = self.base + self.size
        if 2 * (self.size - self.begin) > self.table_mask and self.table_mask < <Py_ssize_t> self.mask:
            return self._spread()
        return 0

    cdef inline int add(self, uint64_t state, const unsigned char* before, Py_ssize_t size_before,
                        const unsigned char* text, Py_ssize_t size, double value) noexcept nogil:
        """A value by its name, `before` + `text`; the state is that of the hash after `before`."""
        cdef Py_ssize_t hashed = place(absorbed(state, text, size), self.mask)
        cdef Py_ssize_t position = self.known(hashed, before, size_before, text, size)
        return -1 if position < 0 else self.put(position, value)

    cdef inline Py_ssize_t usual(self, const unsigned char* text, const uint32_t* mark, Py_ssize_t at, Py_ssize_t* p,
                                 uint64_t state, bint digits) noexcept nogil:
        """Put features of a text as long as they are usual (usual.h); returns the mark of the first that is not."""
        cdef rg_into into
        into.index, into.value, into.table, into.seen = self.index, self.value, self.table, &self.seen[0]
        into.mask, into.table_mask, into.size = self.mask, self.table_mask, self.size
        into.most = min(self.room, self.begin + self.table_mask // 2)
        into.base, into.floor = self.base, self.floor
        at = rg_features(text, mark, at, p, state, digits, &into)
        self.size = into.size
        return at
