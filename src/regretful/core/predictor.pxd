cimport cython
from cpython.pythread cimport PyThread_type_lock
from libc.stdint cimport int64_t

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
    cdef int64_t at                # row of the batch that is being read, −1 for one example
    cdef bint refused              # it turned out not to be right
    cdef int _enter(self) except -1
    cdef void _leave(self) noexcept
    cdef int _refuse(self, Row* x) except -1
    cdef int _read(self, x, Row* row, bint learn) except -1
    cdef Predictor _player(self, X)

    @cython.final
    cdef inline double _meet(self, Row* x) except? -1.0 nogil:
        """⟨v, x⟩, if the row is as it should be."""
        cdef double dot = self.w.dot(x)
        if not x.sound:
            with gil:
                self._refuse(x)
            dot = self.w.dot(x)
        return dot
