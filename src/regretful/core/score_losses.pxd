from regretful.core.losses cimport Loss


cdef class MulticlassLoss(Loss):
    cdef double charge(
        self, const double* score, Py_ssize_t many, Py_ssize_t y, double* slope, Py_ssize_t* rival
    ) except? -1.0 nogil


cdef class MulticlassHinge(MulticlassLoss):
    cdef readonly double margin


cdef Py_ssize_t largest(const double* score, Py_ssize_t many, Py_ssize_t but) noexcept nogil
