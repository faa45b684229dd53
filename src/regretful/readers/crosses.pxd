from regretful.readers.builder cimport Builder


cdef enum:
    SPILLS = 1      # what `finish` says of a product that is too large


cdef class Crosses:
    cdef readonly list names            # of the columns that are crossed, each once: their place here is their slot
    cdef int[::1] members               # the slots of each cross, one cross after the other
    cdef int[::1] ends                  # where each cross ends there
    cdef Py_ssize_t count
    cdef Py_ssize_t[::1] at             # of each slot: where its text stands in `text`; -1 if the row has none
    cdef Py_ssize_t[::1] size
    cdef double[::1] value
    cdef unsigned char* text
    cdef Py_ssize_t used
    cdef Py_ssize_t room
    cdef void begin(self) noexcept nogil
    cdef int give(self, Py_ssize_t slot, const unsigned char* before, Py_ssize_t size_before,
                  const unsigned char* text, Py_ssize_t size, double value) noexcept nogil
    cdef int finish(self, Builder builder) noexcept nogil
    cdef int _reserve(self, Py_ssize_t more) noexcept nogil
