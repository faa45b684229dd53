"""Columns of Arrow to hashed rows: one compiled pass over the rows, from the buffers where they lie.

Each text of a dictionary is hashed once. What the columns mean is said by columns.py; no file is opened here.
"""

import numpy as np

from libc.math cimport fabs
from libc.stdint cimport int64_t, uint64_t, uintptr_t

from regretful.core.hashing cimport absorbed
from regretful.core.hashing cimport place as hashed
from regretful.readers.builder cimport Builder
from regretful.readers.crosses cimport SPILLS, Crosses
from regretful.readers.decimal cimport decimal

# How an array is to be read: as it is; texts that are numbers; numbers, or true and false; texts, of which an empty one
# is none.
PLAIN, DIGITS, WORDS, FILLED = range(4)

cdef enum:
    ABSENT, NUMBER, CODES, TEXT, NUMERAL

cdef enum:
    FINE, MISSING, LARGE, NO_NUMBER, NO_LABEL, NEGATIVE, CODE, PRODUCT, MEMORY

UNREAD = NO_NUMBER
REASONS = {
    MISSING: "there is no value, and each row needs one here",
    LARGE: "{value} is not a number a learner can take: leave out what is missing, and rescale what is huge",
    NO_NUMBER: "expected a number, not {value}",
    NO_LABEL: "expected {wanted}, not {value}",
    NEGATIVE: "a weight is at least 0, not {value}",
    CODE: "the file is damaged: a code that is not in its dictionary",
    PRODUCT: "the product of the crossed columns is too large: rescale them",
    MEMORY: "out of memory",
}

cdef double LARGEST = 1e150     # its square is a number


cdef struct Column:
    int kind
    bint feature
    bint words
    bint filled
    bint broad                      # 64-bit offsets
    Py_ssize_t slot                 # among the crossed columns, or -1
    const unsigned char* name       # and "="
    Py_ssize_t size
    uint64_t state                  # of the hash after "name="
    Py_ssize_t own                  # the position of the name by itself
    const unsigned char* valid      # a bit for each row, or NULL
    Py_ssize_t offset               # of the first row, in the buffers
    const double* number
    const int* code
    const int* starts
    const int64_t* broad_starts
    const unsigned char* data
    const unsigned char* text_valid
    Py_ssize_t text_offset
    Py_ssize_t texts                # how many the dictionary has
    int* position                   # of each of its texts: -1 not looked up, -2 none


cdef inline bint is_set(const unsigned char* bits, Py_ssize_t place) noexcept nogil:
    return bits == NULL or (bits[place >> 3] >> (place & 7)) & 1


cdef inline void text_of(const Column* c, Py_ssize_t place, const unsigned char** text,
                         Py_ssize_t* size) noexcept nogil:
    cdef int64_t begin, end
    place += c.text_offset
    if c.broad:
        begin, end = c.broad_starts[place], c.broad_starts[place + 1]
    else:
        begin, end = c.starts[place], c.starts[place + 1]
    text[0] = c.data + begin
    size[0] = end - begin


cdef bint is_word(const unsigned char* text, Py_ssize_t size, const char* word) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(size):
        if word[i] == 0 or (text[i] | 32) != word[i]:
            return False
    return word[size] == 0


cdef bint is_null(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    if size == 0:
        return True
    if size > 4:
        return False
    return is_word(text, size, b"na") or is_word(text, size, b"n/a") or is_word(text, size, b"null")


cdef const unsigned char* address(buffer) except? NULL:
    return NULL if buffer is None else <const unsigned char*> <uintptr_t> buffer.address


cdef class Encoder:
    """For columns of these names: which are features, crosses by name, the places of label and weight (or -1).

    `needed` is the place of another column in which every row must have something (or -1).
    """

    cdef readonly Builder builder
    cdef readonly Py_ssize_t kept       # rows, since `begin`
    cdef Crosses crosses
    cdef Py_ssize_t label, weight, needed, rows, width
    cdef Column* columns
    cdef object room                    # a bytearray: the columns
    cdef list names, alive, known
    cdef double[::1] labels, weights
    cdef int64_t[::1] places

    def __init__(self, Builder builder, names, features, crosses, label, weight, needed):
        cdef Column* c
        cdef const unsigned char[::1] view
        cdef unsigned char[::1] room
        cdef Py_ssize_t i
        self.builder, self.label, self.weight, self.needed = builder, label, weight, needed
        self.crosses = Crosses(crosses)
        self.names = [f"{name}=".encode() for name in names]
        self.alive, self.known, self.width = [], [None] * len(self.names), len(self.names)
        self.room = bytearray(max(1, len(self.names)) * sizeof(Column))
        room = self.room
        self.columns = <Column*> &room[0]
        for i, whole in enumerate(self.names):
            view = whole
            c = &self.columns[i]
            c.name, c.size = &view[0], len(whole)
            c.state = absorbed(builder.begun(), c.name, c.size)
            c.own = hashed(absorbed(builder.begun(), c.name, c.size - 1), builder.mask)
            c.feature = features[i]
            c.slot = self.crosses.names.index(names[i]) if names[i] in self.crosses.names else -1

    def load(self, arrays, modes, Py_ssize_t rows):
        """The columns' next rows, as Arrow arrays: doubles, texts, dictionaries of texts, nulls."""
        cdef Py_ssize_t i
        self.alive = list(arrays)
        if len(arrays) != self.width or any(len(array) != rows for array in arrays):
            raise ValueError(f"{self.width} columns of {rows} rows, not of {[len(array) for array in arrays]}")
        self.rows = rows
        for i in range(self.width):
            self._point(i, arrays[i], modes[i])

    cdef object _point(self, Py_ssize_t i, array, int mode):
        cdef Column* c = &self.columns[i]
        cdef int[::1] position
        kind = str(array.type)
        buffers = array.buffers()
        c.offset, c.valid = array.offset, address(buffers[0])
        c.words, c.filled = mode == WORDS, mode == FILLED
        if kind == "null":
            c.kind = ABSENT
        elif kind == "double":
            c.kind = NUMBER
            c.number = <const double*> address(buffers[1])
        elif kind.startswith("dictionary"):
            texts = array.dictionary
            c.kind = CODES
            c.code = <const int*> address(buffers[1])
            c.texts = len(texts)
            self._texts(c, texts, texts.buffers(), texts.offset)
            c.text_valid = address(texts.buffers()[0])
            self.alive.append(texts)
            # The same dictionary often comes again, batch after batch: it need not be hashed again.
            whose = (<uintptr_t> c.data, <uintptr_t> c.starts, <uintptr_t> c.broad_starts, c.text_offset, c.texts)
            if self.known[i] is None or self.known[i][0] != whose:
                self.known[i] = whose, np.full(c.texts + 1, -1, np.intc), texts
            position = self.known[i][1]
            c.position = &position[0]
        else:
            c.kind = TEXT if mode in (PLAIN, FILLED) else NUMERAL
            self._texts(c, array, buffers, c.offset)

    cdef object _texts(self, Column* c, texts, buffers, Py_ssize_t offset):
        kind = str(texts.type)
        if kind not in ("string", "binary", "large_string", "large_binary"):
            raise TypeError(f"texts, not {kind}")
        c.broad = kind.startswith("large")
        c.starts = NULL if c.broad else <const int*> address(buffers[1])
        c.broad_starts = <const int64_t*> address(buffers[1]) if c.broad else NULL
        c.data, c.text_offset = address(buffers[2]), offset
        if c.data == NULL:  # all texts are empty
            c.data = c.name

    def begin(self, Py_ssize_t room):
        """Forget labels and weights; the next rows are at most so many."""
        self.kept = 0
        self.labels, self.weights = np.empty(room), np.empty(room)
        self.places = np.empty(room, np.int64)

    def take(self):
        """Labels, weights, and which rows of the columns they were, since `begin`."""
        kept = slice(0, self.kept)
        return np.asarray(self.labels)[kept], np.asarray(self.weights)[kept], np.asarray(self.places)[kept]

    def run(self, Py_ssize_t first, Py_ssize_t last):
        """Encode rows until one is bad: (where it ended, why, in which column); the bad row is left out."""
        cdef Py_ssize_t r, column = -1
        cdef int why = FINE
        if not (0 <= first <= last <= self.rows) or self.kept + last - first > self.labels.shape[0]:
            raise IndexError(f"rows {first} to {last} of {self.rows}, and room for {self.labels.shape[0]}")
        with nogil:
            r = first
            while r < last:
                why = self._row(r, &column)
                if why != FINE:
                    self.builder.drop_row()
                    break
                r += 1
        if why == MEMORY:
            raise MemoryError
        return r, why, column

    cdef int _row(self, Py_ssize_t r, Py_ssize_t* column) noexcept nogil:
        cdef Py_ssize_t i
        cdef int why
        cdef double value
        cdef Column* c
        column[0] = self.needed
        if self.needed >= 0 and self._missing(&self.columns[self.needed], r):
            return MISSING
        if self.label >= 0:
            column[0] = self.label
            why = self._number(&self.columns[self.label], r, &value)
            if why == FINE and not self.builder.takes(value):
                why = NO_LABEL
            if why != FINE:
                return why
            self.labels[self.kept] = value
        if self.weight >= 0:
            column[0] = self.weight
            why = self._number(&self.columns[self.weight], r, &value)
            if why != FINE:
                return why
            if value < 0.0:
                return NEGATIVE
            self.weights[self.kept] = value
        if self.crosses.count:
            self.crosses.begin()
        for i in range(self.width):
            c = &self.columns[i]
            if c.kind != ABSENT and (c.feature or c.slot >= 0):
                why = self._value(c, r)
                if why != FINE:
                    column[0] = i
                    return why
        if self.crosses.count:
            why = self.crosses.finish(self.builder)
            if why != 0:
                column[0] = -1
                return PRODUCT if why == SPILLS else MEMORY
        if self.builder.end_row() < 0:
            return MEMORY
        self.places[self.kept] = r
        self.kept += 1
        return FINE

    cdef bint _missing(self, Column* c, Py_ssize_t r) noexcept nogil:
        cdef const unsigned char* text
        cdef Py_ssize_t size
        if c.kind == ABSENT or not is_set(c.valid, c.offset + r):
            return True
        if c.kind == TEXT or c.kind == NUMERAL:
            text_of(c, r, &text, &size)
            return size == 0
        return False

    cdef int _number(self, Column* c, Py_ssize_t r, double* value) noexcept nogil:
        """A row's number in a column of numbers."""
        cdef const unsigned char* text
        cdef Py_ssize_t size, taken
        if c.kind == ABSENT or not is_set(c.valid, c.offset + r):
            return MISSING
        if c.kind == NUMBER:
            value[0] = c.number[c.offset + r]
        elif c.kind == NUMERAL:
            text_of(c, r, &text, &size)
            while size > 0 and (text[0] == c" " or text[0] == c"\t"):
                text += 1
                size -= 1
            while size > 0 and (text[size - 1] == c" " or text[size - 1] == c"\t"):
                size -= 1
            if is_null(text, size):
                return MISSING
            taken = decimal(text, size, value)
            if taken != size:
                if not c.words:
                    return NO_NUMBER
                if is_word(text, size, b"true"):
                    value[0] = 1.0
                elif is_word(text, size, b"false"):
                    value[0] = 0.0
                else:
                    return NO_NUMBER
        else:
            return NO_NUMBER
        return FINE if fabs(value[0]) <= LARGEST else LARGE

    cdef int _value(self, Column* c, Py_ssize_t r) noexcept nogil:
        """Put what the row has in the column, if it has something."""
        cdef const unsigned char* text
        cdef Py_ssize_t size, code, position
        cdef double value = 1.0
        cdef int why
        if not is_set(c.valid, c.offset + r):
            return FINE
        if c.kind == CODES:
            code = c.code[c.offset + r]
            if not 0 <= code < c.texts:
                return CODE
            if c.position[code] == -1:
                self._look_up(c, code)
            if c.position[code] == -2:
                return FINE
            if c.position[code] == -3:
                return MEMORY
            if c.feature and self.builder.put(c.position[code], 1.0) < 0:
                return MEMORY
            if c.slot >= 0:
                text_of(c, code, &text, &size)
                return FINE if self.crosses.give(c.slot, c.name, c.size, text, size, 1.0) == 0 else MEMORY
            return FINE
        if c.kind == TEXT:
            text_of(c, r, &text, &size)
            if c.filled and size == 0:
                return FINE
            if c.feature and self.builder.add(c.state, c.name, c.size, text, size, 1.0) < 0:
                return MEMORY
            if c.slot >= 0:
                return FINE if self.crosses.give(c.slot, c.name, c.size, text, size, 1.0) == 0 else MEMORY
            return FINE
        why = self._number(c, r, &value)
        if why != FINE:
            return FINE if why == MISSING else why
        if c.feature:
            position = self.builder.known(c.own, c.name, c.size - 1, c.name, 0)
            if position < 0 or self.builder.put(position, value) < 0:
                return MEMORY
        if c.slot >= 0 and self.crosses.give(c.slot, c.name, c.size - 1, c.name, 0, value) < 0:
            return MEMORY
        return FINE

    cdef void _look_up(self, Column* c, Py_ssize_t code) noexcept nogil:
        """The position of a text of the dictionary."""
        cdef const unsigned char* text
        cdef Py_ssize_t size, position
        text_of(c, code, &text, &size)
        if not is_set(c.text_valid, c.text_offset + code) or (c.filled and size == 0):
            c.position[code] = -2
            return
        position = hashed(absorbed(c.state, text, size), self.builder.mask)
        if c.feature:
            position = self.builder.known(position, c.name, c.size, text, size)
        c.position[code] = <int> position if position >= 0 else -3
