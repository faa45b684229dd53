"""Lines of libsvm (SVMlight): `label index:value index:value # comment`. Nothing is known of other formats here.

The feature at index 3 is called "3", as a column of that name would be. `qid:` is read over.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcmp

from regretful.readers.scanner cimport COLON, HASH, NEWLINE, NO_MEMORY, Scanner, is_blank

cdef extern from "numbers.h" nogil:
    uint64_t rg_load(const unsigned char* s)
    uint64_t rg_behind_zeros(uint64_t word, Py_ssize_t n)
    int rg_all_digits(uint64_t word)


cdef inline bint is_index(const unsigned char* s, Py_ssize_t n) noexcept nogil:
    """A whole number as it is written plainly: digits, and no 0 before others."""
    cdef Py_ssize_t j
    if 0 < n <= 8:
        return rg_all_digits(rg_behind_zeros(rg_load(s), n)) and (s[0] != 48 or n == 1)
    for j in range(n):
        if not 48 <= s[j] <= 57:
            return False
    return n > 0 and s[0] != 48


cdef class LibSVM(Scanner):
    """Scans libsvm."""

    cdef int row(self, Py_ssize_t at) noexcept nogil:
        cdef const unsigned char* text = self.text
        cdef const uint32_t* mark = self.found.mark
        cdef uint64_t begun = self.builder.begun()
        cdef Py_ssize_t p = self.begin, name, size, end
        cdef double label = 0.0, value
        cdef bint labelled
        cdef int what
        while mark[at] == p and is_blank(text[p]):
            p += 1
            at += 1
        end = mark[at]
        if text[p] == NEWLINE or text[p] == HASH:
            return 0
        labelled = text[end] != COLON
        if labelled:
            what = self.number(p, end, &label)
            if what != 0:
                return what
            p = end
        while True:
            if text[end] == COLON:
                at = self.usual(at, &p, begun, b"", 0, True)
                if at < 0:
                    return NO_MEMORY
                end = mark[at]
            if text[end] == COLON:
                name, size = p, end - p
                at += 1
                p, end = end + 1, mark[at]
                if not is_index(text + name, size):
                    if text[name] == HASH:
                        break
                    if size != 3 or memcmp(text + name, b"qid", 3) != 0:
                        return self.fail(b"a feature as index:value, its index in digits alone", name, end)
                    what = self.number(p, end, &value)
                    if what != 0:
                        return what
                else:
                    what = self.number(p, end, &value)
                    if what != 0:
                        return what
                    if self.add(begun, b"", 0, text + name, size, value) < 0:
                        return NO_MEMORY
            elif end > p:
                if text[p] == HASH:
                    break
                return self.fail(b"a feature as index:value", p, end)
            if text[end] == NEWLINE:
                break
            if not is_blank(text[end]):
                return self.fail(b"a blank", end, end + 1)
            at += 1
            p, end = end + 1, mark[at]
        return self.end_row(labelled, label, 1.0)
