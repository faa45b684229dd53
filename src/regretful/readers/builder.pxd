from libc.stdint cimport int64_t, uint64_t


cdef class Builder:
    cdef readonly object hashing        # Hashing
    cdef uint64_t seed
    cdef uint64_t mask
    cdef int64_t[::1] stamps            # of each position: one more than the number of the last value put there; 0 never
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
    cdef int64_t serial                 # values ever put
    cdef int64_t serial_begin           # before this row
    cdef uint64_t begun(self) noexcept nogil
    cdef int add(self, uint64_t state, const unsigned char* before, Py_ssize_t size_before,
                 const unsigned char* text, Py_ssize_t size, double value) noexcept nogil
    cdef Py_ssize_t note(self, Py_ssize_t position, const unsigned char* before, Py_ssize_t size_before,
                         const unsigned char* text, Py_ssize_t size) noexcept nogil
    cdef int put(self, Py_ssize_t position, double value) noexcept nogil
    cdef int end_row(self) noexcept nogil
    cdef void drop_row(self) noexcept nogil
    cdef int _widen(self) noexcept nogil
