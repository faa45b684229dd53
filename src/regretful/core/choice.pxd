from libc.stdint cimport int64_t

from regretful.core.bits cimport Bits
from regretful.core.iterate cimport Row, Sum
from regretful.core.ledger cimport Ledger


cdef class Choice:
    cdef readonly double b
    cdef readonly int64_t rounds         # played
    cdef readonly int64_t asked          # of which the label was asked for
    cdef readonly int64_t told           # and of which it came
    cdef readonly object book            # the ledger of all rounds whose label is known, or None
    cdef readonly object generator
    cdef public object source            # row → label, for those that are asked for; None: they come with the rows
    cdef Ledger account                  # the book, as the loop sees it
    cdef Bits* bits
    cdef double ahead                    # the uniform number of the round to come
    cdef object kept                     # which rows were asked for, a byte each
    cdef unsigned char* marks
    cdef Sum _losses, _loss_squares, _mistakes, _mistake_squares
    cdef double chance(self, double p) noexcept nogil
    cdef bint asks(self, double p) noexcept nogil
    cdef void enter(
        self, const Row* x, double p, double loss, double slope, double weight, bint mistake, bint told
    ) noexcept nogil
    cdef void draw(self, int64_t row, bint asked) noexcept nogil
