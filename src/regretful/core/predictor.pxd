from cpython.pythread cimport PyThread_type_lock

from regretful.core.features cimport Buffer, Features
from regretful.core.iterate cimport Iterate, Row


cdef class Predictor:
    cdef Iterate w
    cdef Features features
    cdef Buffer buffer
    cdef PyThread_type_lock gate
    cdef unsigned long owner       # the thread whose turn it is, or 0
    cdef Py_ssize_t waiting        # threads at the gate
    cdef bint open                 # the gate has been opened, and nobody has gone through yet
    cdef int _enter(self) except -1
    cdef void _leave(self) noexcept
    cdef int _read(self, x, Row* row, bint learn) except -1
    cdef Predictor _player(self, X)
