"""What the readers of text share: lines one after the other, rows' labels, what is wrong with a line.

How a line is read, each format says in its `row`. No file is opened here.
"""

import numpy as np

from libc.math cimport fabs, isfinite
from libc.stdlib cimport free, realloc

from regretful.core.types import Batch

from regretful.readers.errors import BadLine

cdef extern from "Python.h":
    double PyOS_string_to_double(const char* text, char** end, void* overflow) except? -1.0

cdef extern from "marks.h" nogil:
    Py_ssize_t rg_utf8(const unsigned char* text, Py_ssize_t size)

cdef extern from "usual.h" nogil:
    Py_ssize_t rg_usual_narrow(const unsigned char* text, const uint32_t* mark, Py_ssize_t p, Py_ssize_t most,
                               uint64_t state, bint digits, uint64_t mask, int* position, double* value)

cdef extern from "wide.h" nogil:
    bint rg_is_wide()
    Py_ssize_t rg_usual_wide(const unsigned char* text, const uint32_t* mark, Py_ssize_t p, Py_ssize_t most,
                             uint64_t state, bint digits, uint64_t mask, int* position, double* value)

cdef extern from "lanes.h" nogil:
    void rg_squares(const double* value, Py_ssize_t n, double* square, double* peak)

cdef Py_ssize_t VALUES = 1 << 16        # of a batch, about: it fits a cache on its way from core to core
cdef Py_ssize_t ROWS = 1 << 15          # of a batch, at most
cdef double LARGE = 1e100               # the squares of as many values as a line holds, all smaller, have a finite sum
cdef Py_ssize_t STRETCH = 256           # features of a row read at once
cdef Py_ssize_t SHOWN = 40              # characters of a line that a message shows

cdef uint64_t FIVES[651][2]


def _fives():
    """The first 128 bits of 5^q, rounded as Lemire's proof asks."""
    for q in range(RG_LEAST, RG_MOST + 1):
        if q >= 0:
            five = 5 ** q
            five = five << 128 >> five.bit_length()
        else:
            size = (5 ** -q - 1).bit_length()
            five = (1 << (size + 127 if q >= -27 else 2 * size + 128)) // 5 ** -q + 1
            five >>= max(0, five.bit_length() - 128)
        FIVES[q - RG_LEAST][0], FIVES[q - RG_LEAST][1] = five >> 64, five & 0xFFFFFFFFFFFFFFFF


_fives()


cdef class Scanner:
    """Lines of text to rows: `take_up` a piece, `scan` until there is no more of it, then the next piece."""

    def __cinit__(self, *args, **kwargs):
        self.labelled = -1
        self.fives = FIVES
        self.wide = rg_is_wide()

    def __init__(self, Builder builder not None, bint optional=False):
        self.builder = builder
        self.optional = optional

    def __dealloc__(self):
        free(self.label)
        free(self.weight)

    def take_up(self, Piece piece not None):
        """Go on with this piece. All lines of the one before must have been scanned."""
        self.piece, self.file, self.line = piece, piece.file, piece.line
        self.text, self.begin, self.whole, self.found = piece.text, piece.begin, piece.whole, piece.found
        self.next = 0

    def scan(self):
        """Read the lines that are there. True when a batch is full or a line is bad: see `problem`, then `take`."""
        cdef int found
        with nogil:
            found = self._scan()
        if found == NO_MEMORY:
            raise MemoryError
        return found != MORE

    cdef int _scan(self) noexcept nogil:
        cdef int found
        while self.begin < self.whole:
            if self.builder.size >= VALUES or self.rows >= ROWS:
                return FULL
            self.last = self.found.line[self.next]
            found = self._utf8() if self.found.high else 0
            if found == 0:
                found = self.row(0 if self.next == 0 else self.found.line[self.next - 1] + 1)
            if found == NO_MEMORY:
                return found
            self.bad = self.begin
            self.begin = self.found.mark[self.last] + 1
            self.next += 1
            self.line += 1
            if found == BAD:
                self.builder.drop_row()
                return BAD
        return MORE

    cdef int _utf8(self) noexcept nogil:
        """Look whether the line is."""
        cdef Py_ssize_t end = self.found.mark[self.last]
        cdef Py_ssize_t good = self.begin + rg_utf8(self.text + self.begin, end - self.begin)
        return 0 if good == end else self.fail(b"UTF-8", good, good + 1)

    cdef int row(self, Py_ssize_t at) noexcept nogil:
        """Read the line that begins at `begin`, whose first mark is number `at` and whose last `last`."""
        return 0

    cdef Py_ssize_t usual(self, Py_ssize_t at, Py_ssize_t* p, uint64_t state, const unsigned char* before,
                          Py_ssize_t size_before, bint digits) noexcept nogil:
        """Put features as long as they are usual (usual.h): the mark of the first that is not, or of the line's end.

        The first begins at p and has its colon at mark `at`; where what was not read begins is left in p. All names
        begin with `before`, after which the state is that of the hash. -1 if memory is out.
        """
        cdef Py_ssize_t name = p[0], most, found, put, known
        cdef const uint32_t* mark
        cdef int* index
        cdef double* value
        while at < self.last:
            most = min(STRETCH, (self.last - at + 1) // 2)
            if self.builder.make_room(most + 7) < 0:
                return -1
            mark = self.found.mark + at
            index, value = self.builder.index + self.builder.size, self.builder.value + self.builder.size
            found = (rg_usual_wide if self.wide else rg_usual_narrow)(
                self.text, mark, name, most, state, digits, self.builder.mask, index, value)
            put = 0
            while put < found:
                known = self.builder.put_known(index + put, value + put, found - put)
                if known < 0:
                    return -1
                put += known
                if put < found:     # a name that did not come before
                    if put:
                        name = mark[2 * put - 1] + 1
                    known = self.builder.known(index[put], before, size_before, self.text + name, mark[2 * put] - name)
                    if known < 0 or self.builder.put(known, value[put]) < 0:
                        return -1
                    put += 1
            at += 2 * found
            if found:
                name = self.found.mark[at - 1] + 1
            if found < most:
                break
        if at > self.last:
            at, name = self.last, self.found.mark[self.last]
        p[0] = name
        return at

    cdef int add(self, uint64_t state, const unsigned char* before, Py_ssize_t size_before, const unsigned char* text,
                 Py_ssize_t size, double value) noexcept nogil:
        """Put a feature; -1 if memory is out."""
        self.large |= fabs(value) > LARGE
        return self.builder.add(state, before, size_before, text, size, value)

    cdef int end_row(self, bint labelled, double label, double weight) noexcept nogil:
        """The row is whole, unless something is wrong with its label or its size."""
        cdef double square, peak
        cdef void* grown
        cdef Py_ssize_t room, begin
        if self.large:
            self.large = False
            rg_squares(self.builder.value + self.builder.begin, self.builder.size - self.builder.begin, &square, &peak)
            if not isfinite(square):
                return self.fail(b"values whose squares add up to a finite number (rescale them)", -1, -1)
        if not labelled and not self.optional:
            return self.fail(b"a label at the beginning of the line", -1, -1)
        if self.labelled >= 0 and labelled != self.labelled:
            return self.fail(b"no label, as there is none before" if labelled else b"a label, as there is one before",
                             -1, -1)
        if labelled and not self.builder.takes(label):
            begin = self._after_blanks(self.begin)
            return self.fail(self.builder.words, begin, self._token(begin))
        if self.rows == self.rows_room:
            room = 2 * self.rows_room + 1024
            grown = realloc(self.label, room * sizeof(double))
            if grown == NULL:
                return NO_MEMORY
            self.label = <double*> grown
            grown = realloc(self.weight, room * sizeof(double))
            if grown == NULL:
                return NO_MEMORY
            self.weight = <double*> grown
            self.rows_room = room
        if self.builder.end_row() < 0:
            return NO_MEMORY
        self.labelled = labelled
        self.label[self.rows] = label
        self.weight[self.rows] = weight
        self.weighted |= weight != 1.0
        self.rows += 1
        return 0

    cdef Py_ssize_t _after_blanks(self, Py_ssize_t begin) noexcept nogil:
        while is_blank(self.text[begin]):
            begin += 1
        return begin

    cdef Py_ssize_t _token(self, Py_ssize_t begin) noexcept nogil:
        """Where the word ends that begins here."""
        while self.text[begin] > 32 and self.text[begin] != c"|":
            begin += 1
        return begin

    cdef int fail(self, const char* expected, Py_ssize_t begin, Py_ssize_t end) noexcept nogil:
        """The line is bad: what was expected, and what stands there instead; nowhere in particular: -1."""
        self.expected, self.wrong, self.wrong_end = expected, begin, end
        return BAD

    cdef int odd_number(self, int what, Py_ssize_t begin, Py_ssize_t end, double* out) noexcept nogil:
        """What to do when it is not plain that it is a number."""
        if what == RG_ASK:
            with gil:
                return self._ask(begin, end, out)
        if what == RG_TOO_LARGE:
            return self.fail(b"a finite number", begin, end)
        return self.fail(b"a number", begin, end)

    cdef int _ask(self, Py_ssize_t begin, Py_ssize_t end, double* out) noexcept:
        """Python reads the number."""
        try:
            text = self.text[begin:end]
            out[0] = PyOS_string_to_double(text, NULL, NULL)
        except MemoryError:
            return NO_MEMORY
        return 0 if isfinite(out[0]) else self.fail(b"a finite number", begin, end)

    # For Python.

    def narrow(self):
        """Read features as processors do that have no wide registers."""
        self.wide = False

    def problem(self):
        """The error for the bad line that `scan` stopped at; None if it stopped because a batch is full."""
        if self.expected == NULL:
            return None
        message = f"expected {self.expected.decode()}"
        self.expected = NULL
        if self.wrong < 0:
            return BadLine(message, self.file, self.line)
        column = 1 + len(self.text[self.bad:self.wrong].decode("utf-8", "replace"))
        found = self.text[self.wrong:min(self.wrong_end, self.wrong + 4 * SHOWN)].decode("utf-8", "replace")
        found = repr(found if len(found) <= SHOWN else found[:SHOWN] + "…") if found else "the line ends"
        join = "and" if found == "the line ends" else "not"
        return BadLine(f"{message}, {join} {found}", self.file, self.line, column)

    @property
    def waiting(self):
        """Rows that were not taken."""
        return self.rows

    def take(self):
        """The rows so far, as a batch."""
        cdef Py_ssize_t rows = self.rows
        label = weight = None
        if rows and self.labelled:
            label = np.array(<double[:rows]> self.label)
        if rows and self.weighted:
            weight = np.array(<double[:rows]> self.weight)
        self.rows = 0
        self.weighted = False
        return Batch(self.builder.take(), label, weight)
