cimport cython
from libc.stdint cimport int64_t

from regretful.core.averages cimport Average
from regretful.core.choice cimport Choice
from regretful.core.domains cimport Domain
from regretful.core.geometry cimport Geometry
from regretful.core.iterate cimport Row
from regretful.core.ledger cimport Ledger
from regretful.core.losses cimport Loss
from regretful.core.predictor cimport Predictor
from regretful.core.rates cimport Rate
from regretful.core.rows cimport Block


cdef class Linear(Predictor):
    cdef readonly Loss loss
    cdef readonly Domain domain
    cdef Geometry kernel
    cdef Rate pace
    cdef Ledger account
    cdef Choice choice                  # what labels are asked for, during a call in which they are chosen
    cdef Average uniform, weighted
    cdef readonly tuple keep
    cdef readonly bint intercept_kept
    cdef readonly object seed
    cdef object generator, sample
    cdef double drawn                   # the round whose iterate is to be kept next
    cdef int64_t t                      # rounds played
    cdef bint started
    cdef bint counting                  # averages or a random iterate are kept
    cdef Py_ssize_t room                # coordinates that every column has room for
    cdef bint local                     # a step moves the row's coordinates or the scale, no others
    cdef bint python                    # a part is written in Python: the loop keeps the GIL
    cdef bint fragile                   # a domain or geometry written in Python may fail halfway through a step
    cdef int _play(self, Row* x, double y, double weight, double* paid) except -1 nogil
    cdef int _pay(self, Row* x, double dot, double p, double y, double weight) except -1 nogil
    cdef int _choose(self, Row* x, double dot, double p, double y, double weight, bint told) except -1 nogil
    cdef double _bought(self) except? -1.0
    cdef bint _waits(self) noexcept
    cdef int _check_finite(self, const Row* x, double p, double loss, double slope, double weight) except -1 nogil
    cdef int _settle(
        self, Row* x, double dot, double p, double y, double weight, double loss, double slope, bint mistake
    ) except -1 nogil
    cdef int _step(self, const Row* x, double dot, double y, double weight, double slope, bint mistake) except -1 nogil
    cdef int _enter_averages(self, const Row* x) except -1 nogil
    cdef int _tidy(self) except -1 nogil
    cdef int _reserve(self, Py_ssize_t size) except -1
    cdef int _begin(self) except -1
    cdef double _label(self, y) except? -1.0
    cdef int _learn_block(self, Block block, const double* y, const double* weight, double* paid) except -1
    cdef double _learn_one(self, x, y, double weight, given=*) except? -1.0

    @cython.final
    cdef inline int _before_move(self, const Row* x) except -1 nogil:
        """The iterate of this round has played, and the step will move the row's coordinates."""
        if x.width > self.w.size:
            self.w.size = x.width
        return self._enter_averages(x) if self.counting else 0
