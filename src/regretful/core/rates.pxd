from regretful.core.parts cimport Part


cdef class Rate(Part):
    cdef readonly bint constant         # the same in every round
    cdef readonly bint adaptive         # asks for the squared norm of the gradient
    cdef double next(self, double t, double square) except? -1.0 nogil
