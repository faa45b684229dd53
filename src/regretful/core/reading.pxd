from regretful.core.features cimport Buffer, Features
from regretful.core.iterate cimport Row
from regretful.core.losses cimport Loss


cdef int read_row(x, Features features, Buffer buffer, Row* row, bint learn) except -1
cpdef labels_of(y, Loss loss, Py_ssize_t rows)
cpdef weights_of(weight, Py_ssize_t rows)
cdef double weight_of_one(weight) except -1.0
