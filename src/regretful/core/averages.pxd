from regretful.core.iterate cimport Column, Iterate, Row


cdef class Average:
    cdef readonly bint weighted
    cdef Column total          # Σ a_s w_s, settled up to `stamp`
    cdef Column stamp          # the clock when a coordinate was last settled
    cdef double clock          # Σ a_s scale_s
    cdef double top            # the largest scale since the clock was wound back
    cdef double mass           # Σ a_s
    cdef void tick(self, Iterate w, double t) noexcept nogil
    cdef void settle(self, Iterate w, const Row* x) noexcept nogil
    cdef void settle_all(self, Iterate w) noexcept nogil
    cdef grow(self, Py_ssize_t size)
