from regretful.core.parts cimport Part


cdef class Loss(Part):
    cdef readonly bint classification   # labels are -1 and +1
    cdef readonly bint labelled         # LogWealth alone asks for no label
    cdef bint python                    # value and slope are Python methods
    cdef double pay(self, double p, double y, double* slope) except? -1.0 nogil
    cdef double step(self, double p, double y, double eta, double square) except? -1.0 nogil
    cdef double dual(self, double s, double y) except? -1.0
    cdef double canonical(self, double y) noexcept nogil
    cdef bint plain_signs(self, const double* y, Py_ssize_t n) noexcept nogil
    cdef Py_ssize_t canonical_many(self, const double* y, double* labels, Py_ssize_t n) noexcept nogil
