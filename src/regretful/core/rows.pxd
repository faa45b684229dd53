from libc.stdint cimport int64_t

from regretful.core.features cimport Features
from regretful.core.iterate cimport Row


cdef class Block:
    cdef readonly Py_ssize_t rows
    cdef readonly Py_ssize_t first      # number of the first row in the batch
    cdef Py_ssize_t width
    cdef Py_ssize_t stride              # dense: values a row
    cdef const int64_t* start           # sparse: where each row begins; NULL when dense
    cdef const int* index
    cdef const double* value
    cdef const int64_t* known           # coordinates known before each row and after the last, or NULL
    cdef object names                   # names known before each row and after the last, or None
    cdef Features features
    cdef bint vouched                   # the indices are known to be right
    cdef list kept                      # what owns the memory

    cdef inline void row(self, Py_ssize_t r, Row* x) noexcept nogil:
        if self.start == NULL:
            x.size = self.stride
            x.index = self.index
            x.value = self.value + r * self.stride
        else:
            x.size = self.start[r + 1] - self.start[r]
            x.index = self.index + self.start[r]
            x.value = self.value + self.start[r]
        x.solid = self.start == NULL
        x.vouched = self.vouched
        x.width = self.width if self.known == NULL else self.known[r + 1]


cdef class HashedRows:
    cdef readonly object start          # int64: where each row begins, and where the last one ends
    cdef readonly object index          # int32
    cdef readonly object value          # float64
    cdef readonly object hashing        # how the names became positions


cdef int explain(const Row* x, Py_ssize_t row, Features features) except -1
