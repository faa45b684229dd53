from regretful.core.iterate cimport Row
from regretful.core.linear cimport Linear


cdef class MirrorDescent(Linear):
    cdef readonly bint conservative
    cdef readonly bint implicit
    cdef readonly double l2
    cdef bint euclidean
    cdef double _implicit_step(
        self, const Row* x, double dot, double y, double weight, double eta, double slope
    ) except? -1.0 nogil
