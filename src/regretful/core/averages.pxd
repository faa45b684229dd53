from regretful.core.iterate cimport Column, Iterate, Row


cdef enum:
    LAPS = 1024


cdef class Average:
    cdef readonly bint weighted
    cdef Column total          # Σ a_s w_s, settled up to `stamp`
    cdef Column stamp          # the clock when a coordinate was last settled
    cdef Column lap            # the lap of the clock in which that was
    cdef double clock          # Σ a_s scale_s, in this lap
    cdef double[LAPS] laps     # what it showed at the end of the laps before
    cdef int current           # this lap
    cdef double top            # the largest scale in this lap
    cdef double mass           # Σ a_s
    cdef void tick(self, Iterate w, double t) noexcept nogil
    cdef double _due(self, Py_ssize_t i) noexcept nogil
    cdef void settle(self, Iterate w, const Row* x) noexcept nogil
    cdef void settle_all(self, Iterate w) noexcept nogil
    cdef grow(self, Py_ssize_t size)
