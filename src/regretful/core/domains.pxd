from regretful.core.iterate cimport Iterate, Row
from regretful.core.parts cimport Part


cdef class Domain(Part):
    cdef readonly bint local            # confining a step moves only the coordinates that the step moved, or the scale
    cdef readonly bint sized            # what it is depends on the number of coordinates
    cdef readonly bint bounded
    cdef int confine(self, Iterate w, const Row* x) except -1 nogil


cdef class Everywhere(Domain):
    pass


cdef class Ball(Domain):
    cdef readonly double radius


cdef class L1Ball(Domain):
    cdef readonly double radius


cdef class Simplex(Domain):
    cdef readonly double scale


cdef class Box(Domain):
    cdef readonly object low, high
    cdef double[::1] least, most
    cdef Py_ssize_t n                   # 0: the same bounds for every coordinate
    cdef double clip(self, Py_ssize_t i, double weight) noexcept nogil


cdef class Orthant(Domain):
    pass
