"""Text in pieces of whole lines with their marks: the first step of reading, which runs ahead of the next.

No format is known here, no line is looked into, and no file is opened.
"""

from libc.stdlib cimport free, realloc
from libc.string cimport memmove, memset

from regretful.readers.errors import BadLine

cdef extern from "Python.h":
    const int PyBUF_WRITE
    object PyMemoryView_FromMemory(char* memory, Py_ssize_t size, int flags)

cdef extern from "marks.h" nogil:
    Py_ssize_t rg_find_marks(const unsigned char* text, Py_ssize_t at, Py_ssize_t end, rg_marks* found)

cdef extern from "wide.h" nogil:
    bint rg_is_wide()
    Py_ssize_t rg_find_marks_wide(const unsigned char* text, Py_ssize_t at, Py_ssize_t end, rg_marks* found)

CHUNK = 1 << 19                         # bytes read at once: they fit a cache, and handing them on costs little
cdef Py_ssize_t LONGEST = 1 << 30       # bytes of a line
cdef Py_ssize_t PAD = 64                # readable bytes before the text and after it
cdef Py_ssize_t BEYOND = 16             # marks after the last that may be looked at


cdef class Piece:
    """Some whole lines of a file; what comes after the last of them begins the next piece."""

    def __cinit__(self):
        self.wide = rg_is_wide()

    def __dealloc__(self):
        free(self.memory)
        free(self.found.mark)
        free(self.found.line)

    cdef _grow(self, Py_ssize_t room):
        cdef void* grown
        if room > self.room:
            grown = realloc(self.memory, 2 * room + 2 * PAD)
            if grown == NULL:
                raise MemoryError
            self.memory = <unsigned char*> grown
            self.text = self.memory + PAD
            self.room = 2 * room

    def _fill(self, stream, Py_ssize_t chunk, Piece before):
        """Read until a line is whole, going on from the piece before (this one, perhaps); False at the end."""
        cdef Py_ssize_t read, i, old = 0, start = 0
        cdef int64_t line = 0
        cdef bint over = False
        if before is not None:
            old, start, line = before.end - before.whole, before.whole, before.line + before.found.lines
        self._grow(old + chunk + 1)
        if old:
            memmove(self.text, before.text + start, old)
        self.line, self.begin, self.whole, self.end = line, 0, 0, old
        self.found.marks = self.found.lines = 0
        while self.whole == self.begin and not over:
            if self.end > LONGEST:
                raise BadLine(f"this line has more than {LONGEST:,} bytes: is it a text file?", self.file, line + 1)
            self._grow(self.end + chunk + 1)
            i = self.end
            read = stream.readinto(PyMemoryView_FromMemory(<char*> self.text + i, chunk, PyBUF_WRITE))
            self.end += read
            over = read == 0
            if before is None and self.begin == 0 and self.end >= 3 and self.text[:3] == b"\xef\xbb\xbf":
                self.begin = self.whole = 3
            if over and self.end > self.begin:
                self.text[self.end] = 10
                self.end += 1
            with nogil:
                read = self.end
                while read > i and self.text[read - 1] != 10:
                    read -= 1
            if read > i and read > self.begin:
                self.whole = read
        memset(self.text + self.end, 0, PAD)
        if self.whole > self.begin and self._mark() < 0:
            raise MemoryError
        return not over

    cdef int _mark(self) noexcept nogil:
        """Find the marks of the lines that are whole."""
        cdef Py_ssize_t i = self.begin, room
        cdef void* grown
        self.found.high = 0
        while True:
            i = (rg_find_marks_wide if self.wide else rg_find_marks)(self.text, i, self.whole, &self.found)
            if i >= self.whole:
                break
            room = 2 * self.found.room + 4096
            grown = realloc(self.found.mark, (room + BEYOND) * sizeof(uint32_t))
            if grown == NULL:
                return -1
            self.found.mark = <uint32_t*> grown
            grown = realloc(self.found.line, room * sizeof(uint32_t))
            if grown == NULL:
                return -1
            self.found.line = <uint32_t*> grown
            self.found.room = room
        for i in range(self.found.marks, self.found.marks + BEYOND):
            self.found.mark[i] = <uint32_t> self.whole - 1
        return 0


def pieces(file, stream, list spare, Py_ssize_t chunk=CHUNK, narrow=False):
    """The pieces of a stream, read by `stream.readinto`, `chunk` bytes at once.

    spare: pieces that may be used again; who is done with one puts it there. narrow: find marks as processors do that
    have no wide registers.
    """
    cdef Piece piece, before = None
    more = True
    while more:
        piece = spare.pop() if spare else Piece()
        piece.file, piece.wide = file, piece.wide and not narrow
        more = piece._fill(stream, max(1, chunk), before)
        before = piece
        yield piece
