from libc.stdint cimport int64_t

from regretful.core.iterate cimport Column, Iterate, Row, Sum


cdef enum:
    MOST_NORMS = 4


cdef class Ledger:
    cdef readonly int64_t rounds
    cdef readonly int64_t mistakes
    cdef readonly double max_slope
    cdef readonly Py_ssize_t size
    cdef readonly Py_ssize_t labels      # where a weight belongs to a feature and a label: how many labels there are,
    cdef Py_ssize_t stride               # and how far a feature's weights lie from the next one's; else 1 and 1
    cdef Sum _weight, _loss, _linear, _squares2, _squares_inf
    cdef double _max_square, _max_peak
    cdef readonly tuple norms            # the p of further norms, and what is kept of them
    cdef double[MOST_NORMS] _powers
    cdef double[MOST_NORMS] _norms
    cdef Sum[MOST_NORMS] _squares
    cdef Iterate w             # whose cells hold the recent part of G
    cdef Column settled
    cdef void record(
        self, const Row* x, double p, double loss, double slope, double weight, bint mistake
    ) noexcept nogil
    cdef void _measure(self, const Row* x, double s, Py_ssize_t k) noexcept nogil
    cdef Py_ssize_t _which(self, p) except -1
    cdef void fold(self) noexcept nogil
    cdef grow(self, Py_ssize_t size)
