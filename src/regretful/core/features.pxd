from regretful.core.iterate cimport Row


cdef enum:
    MOST = 2147483646   # features: their positions are ints


cdef class Buffer:
    # A row, or several one after the other, being read.
    cdef int* index
    cdef double* value
    cdef Py_ssize_t size
    cdef Py_ssize_t room
    cdef int reserve(self, Py_ssize_t room) except -1
    cdef int push(self, Py_ssize_t index, double value) except -1
    cdef Py_ssize_t combine(self, Py_ssize_t start) noexcept nogil


cdef class Features:
    cdef readonly object hashing       # Hashing, or None
    cdef readonly Py_ssize_t size      # features known so far
    cdef readonly bint fixed           # no more may come
    cdef readonly object mode          # None until the first example; then "name" or "position"
    cdef readonly list names
    cdef readonly Py_ssize_t offset    # 1 if coordinate 0 is the intercept
    cdef public bint sized             # the learner starts from the number of features
    cdef dict position                 # name -> position
    cdef dict category                 # name -> {text: position of "name=text"}
    cdef list last                     # the names of the last event, in order: the next often has the same
    cdef list texts                    # for each of them, its texts (a dict) or None
    cdef int* places                   # and its position, -1 if it has none by itself
    cdef Py_ssize_t room
    cdef public bint equals            # in what was last read, a name with "=" may be the same as a name=text beside it
    cdef int read(self, dict event, Buffer buffer, bint learn) except -1
    cdef int _remember(self, Py_ssize_t slot, name, int place, texts) except -1
    cdef Py_ssize_t locate(self, name, Py_ssize_t* fresh, bint learn) except -1
    cdef Py_ssize_t locate_text(self, name, text, Py_ssize_t* fresh, bint learn) except -1
    cdef Py_ssize_t _new(self, name, Py_ssize_t* fresh, bint learn) except -1


cdef bint look(Row* x) noexcept nogil
