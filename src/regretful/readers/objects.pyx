"""JSON objects, one a line, to hashed rows: a compiled parser that takes strict JSON (RFC 8259) and nothing else.

Nested keys have dotted names (`user.age`), entries of lists their number (`sizes.0`). No file is opened here.
"""

import numpy as np

from libc.math cimport NAN, fabs, isnan
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memchr, memcmp, memcpy

from regretful.core.hashing cimport absorbed, place
from regretful.readers.builder cimport Builder
from regretful.readers.crosses cimport SPILLS, Crosses
from regretful.readers.decimal cimport decimal, is_digit

FEATURE, LABEL, WEIGHT, TIME, AS_TEXT, DROPPED = 1, 2, 4, 8, 16, 32

cdef enum:
    _FEATURE = 1
    _LABEL = 2
    _WEIGHT = 4
    _TIME = 8
    _AS_TEXT = 16
    _DROPPED = 32

cdef enum:
    DEEPEST = 100       # objects and lists within each other

cdef enum:
    MORE = -1           # entries

cdef enum:
    FINE, OBJECT, KEY, COLON, COMMA, ITEM, VALUE, NUMBER, CONTROL, ESCAPE, UTF8, SURROGATE, ENDS, DEEP, AFTER, TWICE
    LARGE, _NO_NUMBER, NEGATIVE, PRODUCT, _NO_LABEL, OTHER_LABEL, NO_WEIGHT, NO_TIME, MOMENT, LATE, MEMORY

NO_LABEL, NO_NUMBER = _NO_LABEL, _NO_NUMBER
REASONS = {
    OBJECT: "expected a JSON object, {{…}}, on each line",
    KEY: "expected a key in quotation marks",
    COLON: "expected a colon",
    COMMA: "expected a comma or a closing brace",
    ITEM: "expected a comma or a closing bracket",
    VALUE: "expected a value: a text in quotation marks, a number, true, false, null, an object or a list",
    NUMBER: "expected a number as JSON writes them, such as -1.5e3",
    CONTROL: "a control character within a text: JSON writes it as \\u0000",
    ESCAPE: "an escape that JSON does not have",
    UTF8: "expected text in UTF-8",
    SURROGATE: "half of a surrogate pair: \\ud800 to \\udfff come in pairs",
    ENDS: "the line ends in the middle of its object",
    DEEP: f"nested more than {DEEPEST} deep",
    AFTER: "expected nothing after the object",
    TWICE: "key {name} stands there twice",
    LARGE: "key {name}: the number is too large for a learner: rescale it",
    NO_NUMBER: "key {name}: expected a number or a boolean for labels and weights, such as 1 and 0 for yes and no",
    NEGATIVE: "key {name}: a weight is at least 0",
    PRODUCT: "the product of the crossed keys is too large: rescale them",
    NO_LABEL: "the label is missing",
    OTHER_LABEL: "key {name}: expected {wanted}",
    NO_WEIGHT: "the weight is missing",
    NO_TIME: "the time is missing",
    MOMENT: "key {name}: expected a time: a number, or a text such as 2024-05-01T13:00:00",
    LATE: "a label, and the lines before have none",
    MEMORY: "out of memory",
}

cdef double LARGEST = 1e150     # its square is a number


cdef inline Py_ssize_t utf8(const unsigned char* text, Py_ssize_t size) noexcept nogil:
    """How many bytes the character has with which the text begins; 0 if it is none."""
    cdef unsigned char first = text[0]
    cdef Py_ssize_t more, j
    if first < 0x80:
        return 1
    if first < 0xC2 or first > 0xF4:
        return 0
    more = 1 if first < 0xE0 else 2 if first < 0xF0 else 3
    if size <= more:
        return 0
    for j in range(1, more + 1):
        if text[j] & 0xC0 != 0x80:
            return 0
    if (first == 0xE0 and text[1] < 0xA0) or (first == 0xED and text[1] > 0x9F) or (
            first == 0xF0 and text[1] < 0x90) or (first == 0xF4 and text[1] > 0x8F):
        return 0
    return more + 1


cdef class Objects:
    """Lines of JSON to rows of the builder.

    role_of: what a key is (FEATURE, LABEL, …, added up), asked once for each. required: which of LABEL, WEIGHT and TIME
    each line must have; optional: whether the first line says if there are labels. moment: a text to a time. keys: when
    there are more, all are forgotten, so that memory is bounded whatever comes.
    """

    cdef readonly Builder builder
    cdef readonly Py_ssize_t kept, lines
    cdef readonly int labelled          # -1 not known yet, 0 no labels, 1 labels
    cdef readonly bint news             # keys that were new, or had values of a new kind, since `begin`
    cdef readonly str name              # of the key that was wrong, if the line that was read last says which
    cdef object role_of, moment
    cdef Crosses crosses
    cdef int required
    cdef uint64_t[::1] states           # of the keys: the hash of the whole dotted name; a table with open addresses
    cdef int[::1] roles                 # -1 where there is no key
    cdef int[::1] slots                 # among the crossed, or -1
    cdef int[::1] seen                  # kinds of values: 1 number, 2 text, 4 boolean
    cdef int64_t[::1] rows_of           # the last row that had it
    cdef list names
    cdef Py_ssize_t keys, most, limit
    cdef int64_t row                    # since the start
    cdef unsigned char* path            # the dotted name of the key that is being read
    cdef Py_ssize_t path_room
    cdef unsigned char* text            # of the value that is being read, if it has escapes
    cdef Py_ssize_t text_room
    cdef const unsigned char* data
    cdef Py_ssize_t end                 # of the line
    cdef Py_ssize_t wrong               # where the line is wrong
    cdef const unsigned char* found     # the text that was read last
    cdef Py_ssize_t found_size
    cdef double label, weight, time     # of this row; NaN where they are not there
    cdef double[::1] labels, weights, times

    def __init__(self, Builder builder, role_of, crosses, required, optional, moment, keys=65536):
        self.builder, self.role_of, self.moment = builder, role_of, moment
        self.crosses = Crosses(crosses)
        self.required = required
        self.labelled = -1 if optional else 1 if required & _LABEL else 0
        self.most, self.limit = 128, keys
        self.labels, self.weights, self.times = np.empty(1024), np.empty(1024), np.empty(1024)
        self._forget()

    def __dealloc__(self):
        free(self.path)
        free(self.text)

    def _forget(self):
        """No key is known: their table begins anew."""
        size = 2 * self.most
        self.states, self.rows_of = np.zeros(size, np.uint64), np.full(size, -1, np.int64)
        self.roles, self.slots, self.seen = (np.full(size, fill, np.intc) for fill in (-1, -1, 0))
        self.names, self.keys = [None] * size, 0

    def kinds(self):
        """The keys, and what they held: 1 numbers, 2 texts, 4 booleans, added up."""
        seen = np.asarray(self.seen)
        return {self.names[entry]: int(seen[entry]) for entry in np.flatnonzero(seen)}

    def begin(self):
        """Forget labels, weights and times; count lines from 0."""
        self.kept = self.lines = 0
        self.news = False
        if self.keys > self.limit:
            self.most = 128
            self._forget()

    def take(self):
        """Labels, weights and times since `begin`."""
        kept = slice(0, self.kept)
        labels, weights, times = np.asarray(self.labels), np.asarray(self.weights), np.asarray(self.times)
        return labels[kept].copy(), weights[kept].copy(), times[kept].copy()

    def parse(self, bytes data, Py_ssize_t first):
        """Read lines from this byte on until one is bad: (where the next begins, why, in which column)."""
        cdef Py_ssize_t begin = first, end, size = len(data)
        cdef const unsigned char* here = data
        cdef const void* stop
        cdef int why = FINE
        if not 0 <= first <= size:
            raise IndexError(f"byte {first} of {size}")
        self.data = here
        with nogil:
            while begin < size:
                stop = memchr(here + begin, c"\n", size - begin)
                end = size if stop == NULL else <const unsigned char*> stop - here
                self.end = end
                self.lines += 1
                why = self._line(begin)
                first = begin
                begin = min(end + 1, size)
                if why != FINE:
                    self.builder.drop_row()
                    break
        if why == MEMORY:
            raise MemoryError
        # Only these say which key it was; `found` may point to what is no more after any other.
        named = why in (TWICE, LARGE, _NO_NUMBER, OTHER_LABEL, NEGATIVE, MOMENT)
        self.name = self.found[:self.found_size].decode("utf-8", "replace") if named else ""
        return begin, why, self.wrong - first + 1

    cdef inline Py_ssize_t _space(self, Py_ssize_t at) noexcept nogil:
        while at < self.end and (self.data[at] == c" " or self.data[at] == c"\t" or self.data[at] == c"\r"):
            at += 1
        return at

    cdef int _line(self, Py_ssize_t at) noexcept nogil:
        """One line: a row, or nothing if it is blank."""
        cdef int why
        at = self._space(at)
        if at == self.end:
            return FINE
        self.wrong = at
        if self.data[at] != c"{":
            return OBJECT
        self.label = self.weight = self.time = NAN
        self.row += 1
        if self.crosses.count:
            self.crosses.begin()
        why = self._object(&at, 0, self.builder.begun(), True, 1)
        if why != FINE:
            return why
        at = self._space(at)
        self.wrong = at
        if at < self.end:
            return AFTER
        return self._end()

    cdef int _end(self) noexcept nogil:
        cdef int why
        cdef bint there = not isnan(self.label)
        if self.labelled < 0:
            self.labelled = there
        elif there and not self.labelled:
            return LATE
        if self.labelled and not there:
            return _NO_LABEL
        if self.required & _WEIGHT and isnan(self.weight):
            return NO_WEIGHT
        if self.required & _TIME and isnan(self.time):
            return NO_TIME
        if self.crosses.count:
            why = self.crosses.finish(self.builder)
            if why != 0:
                return PRODUCT if why == SPILLS else MEMORY
        if self.kept == self.labels.shape[0] and self._widen() < 0:
            return MEMORY
        self.labels[self.kept], self.weights[self.kept], self.times[self.kept] = self.label, self.weight, self.time
        if self.builder.end_row() < 0:
            return MEMORY
        self.kept += 1
        return FINE

    cdef int _widen(self) noexcept with gil:
        try:
            more = np.empty(self.labels.shape[0])
            self.labels = np.concatenate([self.labels, more])
            self.weights = np.concatenate([self.weights, more])
            self.times = np.concatenate([self.times, more])
        except MemoryError:
            return -1
        return 0

    cdef int _object(self, Py_ssize_t* where, Py_ssize_t size, uint64_t state, bint used, int depth) noexcept nogil:
        """An object whose name are the first bytes of the path, and this the state of the hash after them."""
        cdef Py_ssize_t at = self._space(where[0] + 1), entry, whole
        cdef uint64_t inner
        cdef int why
        if at < self.end and self.data[at] == c"}":
            where[0] = at + 1
            return FINE
        if depth > 1:
            if self._path(size + 1) < 0:
                return MEMORY
            self.path[size] = c"."
            state = absorbed(state, b".", 1)
            size += 1
        while True:
            self.wrong = at
            if at == self.end:
                return ENDS
            if self.data[at] != c'"':
                return KEY
            why = self._string(&at)
            if why != FINE:
                return why
            whole = size + self.found_size
            if self._path(whole + 1) < 0:
                return MEMORY
            memcpy(self.path + size, self.found, self.found_size)
            inner = absorbed(state, self.path + size, whole - size)
            entry = self._entry(inner, whole)
            if entry < 0:
                return MEMORY
            if self.rows_of[entry] == self.row:
                self.found, self.found_size = self.path, whole
                return TWICE
            self.rows_of[entry] = self.row
            at = self._space(at)
            self.wrong = at
            if at == self.end:
                return ENDS
            if self.data[at] != c":":
                return COLON
            at = self._space(at + 1)
            why = self._value(&at, whole, inner, entry, used, depth)
            if why != FINE:
                return why
            why = self._after(&at, c"}")
            if why != MORE:
                where[0] = at
                return why

    cdef int _list(self, Py_ssize_t* where, Py_ssize_t size, uint64_t state, bint used, int depth) noexcept nogil:
        """A list: its entries are named by their number."""
        cdef Py_ssize_t at = self._space(where[0] + 1), entry, whole, number = 0, rest
        cdef uint64_t inner
        cdef int why, digits
        cdef unsigned char[20] backwards
        if at < self.end and self.data[at] == c"]":
            where[0] = at + 1
            return FINE
        if self._path(size + 24) < 0:
            return MEMORY
        self.path[size] = c"."
        size += 1
        state = absorbed(state, b".", 1)
        while True:
            digits, rest = 0, number
            while digits == 0 or rest > 0:
                backwards[digits] = <unsigned char> (48 + rest % 10)
                rest //= 10
                digits += 1
            whole = size
            while digits > 0:
                digits -= 1
                self.path[whole] = backwards[digits]
                whole += 1
            inner = absorbed(state, self.path + size, whole - size)
            entry = self._entry(inner, whole)
            if entry < 0:
                return MEMORY
            if self.rows_of[entry] == self.row:
                self.found, self.found_size, self.wrong = self.path, whole, at
                return TWICE
            self.rows_of[entry] = self.row
            why = self._value(&at, whole, inner, entry, used, depth)
            if why != FINE:
                return why
            why = self._after(&at, c"]")
            if why != MORE:
                where[0] = at
                return why
            number += 1

    cdef int _after(self, Py_ssize_t* where, unsigned char closing) noexcept nogil:
        """After an entry of an object or a list: FINE behind its end, MORE at the next entry."""
        cdef Py_ssize_t at = self._space(where[0])
        self.wrong = at
        if at == self.end:
            return ENDS
        if self.data[at] == closing:
            where[0] = at + 1
            return FINE
        if self.data[at] != c",":
            return COMMA if closing == c"}" else ITEM
        where[0] = self._space(at + 1)
        return MORE

    cdef int _value(self, Py_ssize_t* where, Py_ssize_t size, uint64_t state, Py_ssize_t entry, bint used,
                    int depth) noexcept nogil:
        """A value: its name are the first `size` bytes of the path."""
        cdef Py_ssize_t at = where[0], taken
        cdef unsigned char first
        cdef double value
        cdef int why
        self.wrong = at
        if at == self.end:
            return ENDS
        first = self.data[at]
        if first == c'"':
            why = self._string(where)
            return why if why != FINE or not used else self._give_text(size, state, entry, self.found, self.found_size)
        if first == c"{" or first == c"[":
            if depth == DEEPEST:
                return DEEP
            if used and self.roles[entry] & (_LABEL | _WEIGHT | _TIME):
                self.found, self.found_size = self.path, size
                return _NO_NUMBER
            used = used and not self.roles[entry] & _DROPPED
            if first == c"{":
                return self._object(where, size, state, used, depth + 1)
            return self._list(where, size, state, used, depth + 1)
        if first == c"-" or is_digit(first):
            taken = self._number(at, &value)
            if taken == 0:
                return NUMBER
        elif first == c"t" and self.end - at >= 4 and memcmp(self.data + at, b"true", 4) == 0:
            taken, value = 4, 1.0
        elif first == c"f" and self.end - at >= 5 and memcmp(self.data + at, b"false", 5) == 0:
            taken, value = 5, 0.0
        elif first == c"n" and self.end - at >= 4 and memcmp(self.data + at, b"null", 4) == 0:
            where[0] = at + 4
            return FINE
        else:
            return VALUE
        where[0] = at + taken
        if not used:
            return FINE
        if self.roles[entry] & _AS_TEXT and not self.roles[entry] & (_LABEL | _WEIGHT | _TIME):
            return self._give_text(size, state, entry, self.data + at, taken)
        return self._give(size, entry, value, 4 if first == c"t" or first == c"f" else 1)

    cdef Py_ssize_t _number(self, Py_ssize_t at, double* value) noexcept nogil:
        """How many bytes the number takes; 0 if it is not as JSON writes them."""
        cdef const unsigned char* text = self.data + at
        cdef Py_ssize_t size = self.end - at, taken, digits = text[0] == c"-"
        if digits == size or not is_digit(text[digits]):
            return 0
        if text[digits] == c"0" and digits + 1 < size and is_digit(text[digits + 1]):
            return 0
        taken = decimal(text, size, value)
        if text[taken - 1] == c"." or (taken < size and (text[taken] == c"." or (text[taken] | 32) == c"e")):
            return 0
        while is_digit(text[digits]):  # there are digits on both sides of a point
            digits += 1
            if digits == taken:
                return taken
        if text[digits] == c"." and not is_digit(text[digits + 1]):
            return 0
        return taken

    cdef int _give(self, Py_ssize_t size, Py_ssize_t entry, double value, int kind) noexcept nogil:
        """A number, or a boolean."""
        cdef int role = self.roles[entry]
        cdef Py_ssize_t position
        if not fabs(value) <= LARGEST:
            self.found, self.found_size = self.path, size
            return LARGE
        self.news |= self.seen[entry] & kind == 0
        self.seen[entry] |= kind
        if role & (_LABEL | _WEIGHT | _TIME):
            if role & _LABEL:
                self.label = value
                if not self.builder.takes(value):
                    self.found, self.found_size = self.path, size
                    return OTHER_LABEL
            if role & _WEIGHT:
                self.weight = value
                if value < 0.0:
                    self.found, self.found_size = self.path, size
                    return NEGATIVE
            if role & _TIME:
                self.time = value
            return FINE
        if role & _FEATURE:
            position = self.builder.known(place(self.states[entry], self.builder.mask), self.path, size, self.path, 0)
            if position < 0 or self.builder.put(position, value) < 0:
                return MEMORY
        if self.slots[entry] >= 0:
            return MEMORY if self.crosses.give(self.slots[entry], self.path, size, self.path, 0, value) < 0 else FINE
        return FINE

    cdef int _give_text(self, Py_ssize_t size, uint64_t state, Py_ssize_t entry, const unsigned char* text,
                        Py_ssize_t length) noexcept nogil:
        cdef int role = self.roles[entry]
        if role & (_LABEL | _WEIGHT):
            self.found, self.found_size = self.path, size
            return _NO_NUMBER
        self.news |= self.seen[entry] & 2 == 0
        self.seen[entry] |= 2
        if role & _TIME:
            if self._moment(text, length) == 0:
                return FINE
            self.found, self.found_size = self.path, size
            return MOMENT
        if not role & _FEATURE and self.slots[entry] < 0:
            return FINE
        if self._path(size + 1) < 0:
            return MEMORY
        self.path[size] = c"="
        if role & _FEATURE and self.builder.add(absorbed(state, b"=", 1), self.path, size + 1, text, length, 1.0) < 0:
            return MEMORY
        if self.slots[entry] >= 0:
            return MEMORY if self.crosses.give(self.slots[entry], self.path, size + 1, text, length, 1.0) < 0 else FINE
        return FINE

    cdef int _moment(self, const unsigned char* text, Py_ssize_t length) noexcept with gil:
        try:
            self.time = self.moment((<const char*> text)[:length].decode())
        except ValueError:
            return -1
        return 0

    cdef Py_ssize_t _entry(self, uint64_t state, Py_ssize_t size) noexcept nogil:
        """Where the key of this hash stands in the table. (That two share 64 bits is not to be expected.)"""
        cdef Py_ssize_t mask = self.states.shape[0] - 1, at = place(state, mask)
        while self.roles[at] >= 0:
            if self.states[at] == state:
                return at
            at = (at + 1) & mask
        return self._new(state, size)

    cdef Py_ssize_t _new(self, uint64_t state, Py_ssize_t size) noexcept with gil:
        cdef Py_ssize_t mask, at
        try:
            if self.keys >= self.most:
                self._grow()
            name = (<const char*> self.path)[:size].decode()
            role = self.role_of(name)
            slot = self.crosses.names.index(name) if name in self.crosses.names else -1
        except MemoryError:
            return -1
        mask = self.states.shape[0] - 1
        at = place(state, mask)
        while self.roles[at] >= 0:
            at = (at + 1) & mask
        self.states[at], self.roles[at], self.slots[at], self.names[at] = state, role, slot, name
        self.rows_of[at] = -1
        self.keys += 1
        return at

    def _grow(self):
        """More keys than were foreseen, in one stretch of lines: a table of twice the size."""
        cdef Py_ssize_t at, mask
        old = [(int(self.states[at]), self.roles[at], self.slots[at], self.seen[at], self.rows_of[at], self.names[at])
               for at in range(self.states.shape[0]) if self.roles[at] >= 0]
        self.most *= 2
        self._forget()
        mask = self.states.shape[0] - 1
        for state, role, slot, seen, row, name in old:
            at = place(state, mask)
            while self.roles[at] >= 0:
                at = (at + 1) & mask
            self.states[at], self.roles[at], self.slots[at], self.seen[at] = state, role, slot, seen
            self.rows_of[at], self.names[at] = row, name
        self.keys = len(old)

    cdef int _path(self, Py_ssize_t size) noexcept nogil:
        cdef void* grown
        if size > self.path_room:
            grown = realloc(self.path, max(2 * size, 256))
            if grown == NULL:
                return -1
            self.path = <unsigned char*> grown
            self.path_room = max(2 * size, 256)
        return 0

    cdef int _string(self, Py_ssize_t* where) noexcept nogil:
        """A text in quotation marks, to `found`: where it lies, or without its escapes in `text`."""
        cdef Py_ssize_t at = where[0] + 1, more
        cdef const unsigned char* data = self.data
        cdef unsigned char byte
        self.found = data + at
        while at < self.end:
            byte = data[at]
            if byte == c'"':
                self.found_size = data + at - self.found
                where[0] = at + 1
                return FINE
            if byte == c"\\":
                return self._escaped(where, at)
            if byte >= 0x80:
                more = utf8(data + at, self.end - at)
                if more == 0:
                    self.wrong = at
                    return UTF8
                at += more
            elif byte < 0x20:
                self.wrong = at
                return CONTROL
            else:
                at += 1
        self.wrong = at
        return ENDS

    cdef int _escaped(self, Py_ssize_t* where, Py_ssize_t at) noexcept nogil:
        """The same for a text whose first escape is here."""
        cdef const unsigned char* data = self.data
        cdef Py_ssize_t size = at - (where[0] + 1), more
        cdef unsigned char byte
        cdef long code, low
        if self._text(size + 4) < 0:
            return MEMORY
        memcpy(self.text, self.found, size)
        while at < self.end:
            if self._text(size + 4) < 0:
                return MEMORY
            byte = data[at]
            self.wrong = at
            if byte == c'"':
                self.found, self.found_size = self.text, size
                where[0] = at + 1
                return FINE
            if byte >= 0x80:
                more = utf8(data + at, self.end - at)
                if more == 0:
                    return UTF8
                memcpy(self.text + size, data + at, more)
                size += more
                at += more
                continue
            if byte < 0x20:
                return CONTROL
            if byte != c"\\":
                self.text[size] = byte
                size += 1
                at += 1
                continue
            if at + 1 >= self.end:
                return ENDS
            byte = data[at + 1]
            if byte == c"u":
                code = self._hex(at + 2)
                if code < 0:
                    return ESCAPE
                at += 6
                if 0xD800 <= code < 0xE000:
                    low = -1
                    if at + 1 < self.end and data[at] == c"\\" and data[at + 1] == c"u":
                        low = self._hex(at + 2)
                    if code >= 0xDC00 or not 0xDC00 <= low < 0xE000:
                        return SURROGATE
                    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
                    at += 6
                size += encoded(code, self.text + size)
                continue
            if byte == c'"' or byte == c"\\" or byte == c"/":
                self.text[size] = byte
            elif byte == c"n":
                self.text[size] = 10
            elif byte == c"t":
                self.text[size] = 9
            elif byte == c"r":
                self.text[size] = 13
            elif byte == c"b":
                self.text[size] = 8
            elif byte == c"f":
                self.text[size] = 12
            else:
                return ESCAPE
            size += 1
            at += 2
        self.wrong = at
        return ENDS

    cdef long _hex(self, Py_ssize_t at) noexcept nogil:
        """Four hexadecimal digits, -1 if there are none."""
        cdef long code = 0
        cdef Py_ssize_t j
        cdef unsigned char byte
        if at + 4 > self.end:
            return -1
        for j in range(at, at + 4):
            byte = self.data[j]
            if is_digit(byte):
                code = 16 * code + byte - 48
            elif 97 <= (byte | 32) <= 102:
                code = 16 * code + (byte | 32) - 87
            else:
                return -1
        return code

    cdef int _text(self, Py_ssize_t size) noexcept nogil:
        cdef void* grown
        if size > self.text_room:
            grown = realloc(self.text, max(2 * size, 256))
            if grown == NULL:
                return -1
            self.text = <unsigned char*> grown
            self.text_room = max(2 * size, 256)
        return 0


cdef Py_ssize_t encoded(long code, unsigned char* text) noexcept nogil:
    """Write a character in UTF-8: how many bytes it took."""
    if code < 0x80:
        text[0] = <unsigned char> code
        return 1
    if code < 0x800:
        text[0] = <unsigned char> (0xC0 | code >> 6)
        text[1] = <unsigned char> (0x80 | code & 0x3F)
        return 2
    if code < 0x10000:
        text[0] = <unsigned char> (0xE0 | code >> 12)
        text[1] = <unsigned char> (0x80 | code >> 6 & 0x3F)
        text[2] = <unsigned char> (0x80 | code & 0x3F)
        return 3
    text[0] = <unsigned char> (0xF0 | code >> 18)
    text[1] = <unsigned char> (0x80 | code >> 12 & 0x3F)
    text[2] = <unsigned char> (0x80 | code >> 6 & 0x3F)
    text[3] = <unsigned char> (0x80 | code & 0x3F)
    return 4
