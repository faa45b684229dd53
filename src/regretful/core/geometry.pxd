from regretful.core.domains cimport Domain
from regretful.core.iterate cimport Column, Iterate, Row
from regretful.core.parts cimport Part
from regretful.core.rates cimport Rate


cdef class Geometry(Part):
    cdef Iterate w
    cdef Domain domain
    cdef Column theta               # −Σ g x, where lazy steps keep it
    cdef bint foreign               # written in Python
    cdef readonly bint sized        # its start depends on the number of coordinates
    cdef readonly bint local        # a step moves only the row's coordinates, or the scale
    cdef readonly bint lazy         # bound to follow-the-regularised-leader
    cdef readonly bint implicit     # knows what its next prediction would be
    cdef grow(self, Py_ssize_t size)
    cdef double dual_square(self, const Row* x) noexcept nogil
    cdef int descend(self, const Row* x, double dot, double g, double eta) except -1 nogil
    cdef int lead(self, const Row* x, double dot, double g, double eta) except -1 nogil
    cdef int shrink(self, double factor) except -1 nogil
    cdef double ahead(self, const Row* x, double dot, double delta) noexcept nogil
    cdef int refresh(self) except -1 nogil
