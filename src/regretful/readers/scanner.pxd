from libc.stdint cimport int64_t, uint32_t, uint64_t

from regretful.readers.builder cimport Builder
from regretful.readers.pieces cimport Piece, rg_marks

cdef extern from "numbers.h" nogil:
    enum:
        RG_NUMBER
        RG_TOO_LARGE
        RG_ASK
        RG_LEAST
        RG_MOST
    ctypedef const uint64_t (*rg_fives)[2]
    int rg_number(const unsigned char* s, const unsigned char* end, double* out, rg_fives fives)


cdef enum Found:
    MORE        # text is needed
    FULL        # a batch is
    BAD         # a line is
    NO_MEMORY


cdef enum:
    NEWLINE = 10
    HASH = 35
    QUOTE = 39
    CARET = 94
    COLON = 58
    BAR = 124


cdef inline bint is_blank(unsigned char c) noexcept nogil:
    """Blank, tab or carriage return."""
    return c == 32 or c == 9 or c == 13


cdef class Scanner:
    cdef Builder builder
    cdef rg_fives fives
    cdef bint wide              # whether wide.h finds features: where the processor can
    cdef Piece piece            # what is being read; and of it
    cdef unsigned char* text
    cdef Py_ssize_t begin       # where the next line begins
    cdef Py_ssize_t whole       # and where the last ends,
    cdef rg_marks found         # the marks of all,
    cdef Py_ssize_t next        # which of the lines comes next,
    cdef Py_ssize_t last        # and its last mark
    cdef object file
    cdef int64_t line           # lines before the next
    cdef bint large             # whether a value of this row is (or one of a bad line before it)
    cdef bint optional          # labels may be missing
    cdef int labelled           # whether there are labels; -1 not known yet
    cdef bint weighted          # whether a weight since `take` is not 1
    cdef double* label
    cdef double* weight
    cdef Py_ssize_t rows
    cdef Py_ssize_t rows_room
    cdef Py_ssize_t bad         # where the last line began
    cdef const char* expected   # of a bad line: what should stand there,
    cdef Py_ssize_t wrong       # where,
    cdef Py_ssize_t wrong_end   # and what does
    cdef int row(self, Py_ssize_t at) noexcept nogil
    cdef int add(self, uint64_t state, const unsigned char* before, Py_ssize_t size_before, const unsigned char* text,
                 Py_ssize_t size, double value) noexcept nogil
    cdef int end_row(self, bint labelled, double label, double weight) noexcept nogil
    cdef Py_ssize_t _after_blanks(self, Py_ssize_t begin) noexcept nogil
    cdef Py_ssize_t _token(self, Py_ssize_t begin) noexcept nogil
    cdef int fail(self, const char* expected, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
    cdef int odd_number(self, int what, Py_ssize_t begin, Py_ssize_t end, double* out) noexcept nogil
    cdef Py_ssize_t usual(self, Py_ssize_t at, Py_ssize_t* p, uint64_t state, const unsigned char* before,
                          Py_ssize_t size_before, bint digits) noexcept nogil
    cdef int _scan(self) noexcept nogil
    cdef int _utf8(self) noexcept nogil
    cdef int _ask(self, Py_ssize_t begin, Py_ssize_t end, double* out) noexcept

    cdef inline int number(self, Py_ssize_t begin, Py_ssize_t end, double* out) noexcept nogil:
        """A finite number; 0, or BAD."""
        cdef int what = rg_number(self.text + begin, self.text + end, out, self.fives)
        return 0 if what == RG_NUMBER else self.odd_number(what, begin, end, out)
