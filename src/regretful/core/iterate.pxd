cimport cython
from libc.math cimport isfinite

cdef extern from "lanes.h" nogil:
    double rg_meet(const double* cells, const int* index, const double* value, Py_ssize_t n, bint solid, int limit,
                   double* square, double* peak, bint* sound)


cdef struct Row:
    # One example's features: unique indices, finite values, and two norms of the values.
    Py_ssize_t size
    Py_ssize_t width       # coordinates known once this row has been seen
    bint solid             # the indices are 0, 1, 2, …
    bint vouched           # who made the row has seen to it that its indices are right
    bint sound             # they are, and so are the values: `dot` and `look` tell
    const int* index
    const double* value
    double square          # ‖x‖₂²
    double peak            # ‖x‖∞
    double slope           # s: this round adds s x to the ledger's G


cdef struct Sum:
    # A compensated sum: what it is, to about twice a double's digits, is high + low.
    double high
    double low


cdef inline void add(Sum* total, double term) noexcept nogil:
    cdef double high = total.high + term
    cdef double back = high - total.high
    total.low += (total.high - (high - back)) + (term - back)
    total.high = high


cdef inline double value(const Sum* total) noexcept nogil:
    # Past the largest double the rest is NaN, and the sum infinite.
    return total.high + total.low if total.low == total.low else total.high


cdef class Column:
    cdef double* at
    cdef readonly object array
    cdef readonly Py_ssize_t capacity
    cdef reserve(self, Py_ssize_t size)


cdef struct Cell:
    # What is kept of a coordinate in every round, side by side: one cache line serves both.
    double v               # the weight, up to the scale
    double G               # its part of the ledger's Σ s x


cdef class Iterate:
    cdef double scale
    cdef Cell* at
    cdef object cells          # the array under `at`: v in its first column, G in its second
    cdef readonly double fill  # v of a coordinate never touched
    cdef readonly Py_ssize_t capacity
    cdef Sum square            # ‖small · v‖₂²; kept by geometries that need it
    cdef double most           # the largest since it was last summed afresh
    cdef double small          # a power of 2, near the scale where that is far from 1: the square of v alone overflows
    cdef bint entered          # the step has entered s x in G, in the walk it took anyway
    cdef bint stale            # v or its sums must be made afresh before the next round
    cdef Py_ssize_t size       # coordinates in use
    cdef void measure(self) noexcept nogil
    cdef reserve(self, Py_ssize_t size)
    cdef object array(self)
    cdef assign(self, weights)

    @cython.final
    cdef inline double dot(self, Row* x) noexcept nogil:
        """⟨v, x⟩; and in the same walk the norms of x, and whether it is as it should be: see `sound` before use."""
        cdef double dot
        x.square = x.peak = 0.0
        dot = rg_meet(&self.at.v, x.index, x.value, x.size, x.solid, -1 if x.vouched else <int> x.width, &x.square,
                      &x.peak, &x.sound)
        x.sound &= isfinite(x.square)
        return dot
