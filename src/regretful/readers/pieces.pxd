from libc.stdint cimport int64_t, uint32_t, uint64_t

cdef extern from "marks.h" nogil:
    ctypedef struct rg_marks:
        uint32_t* mark
        uint32_t* line
        Py_ssize_t marks
        Py_ssize_t lines
        Py_ssize_t room
        uint64_t high


cdef class Piece:
    cdef object file
    cdef int64_t line           # lines before the first
    cdef unsigned char* memory  # PAD bytes, the text, PAD bytes
    cdef unsigned char* text
    cdef Py_ssize_t room
    cdef Py_ssize_t begin       # of the first line
    cdef Py_ssize_t whole       # where the lines end that are whole
    cdef Py_ssize_t end         # of what was read
    cdef rg_marks found         # the marks up to `whole`
    cdef bint wide              # whether wide.h finds them: where the processor can
    cdef _grow(self, Py_ssize_t room)
    cdef int _mark(self) noexcept nogil
