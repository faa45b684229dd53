"""Features: from an event's names and values to positions and numbers.

A number is a value, a boolean 0 or 1, a string one-hot (`city=Rome`). Names get positions in the order they come, or by
hashing. A learner goes by names or by positions, not both.
"""

from cpython.bool cimport PyBool_Check
from cpython.dict cimport PyDict_Next
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from cpython.long cimport PyLong_CheckExact
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_Check
from libc.math cimport isfinite
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, realloc

import numbers

from regretful.core.hashing cimport absorbed, begun
from regretful.core.hashing cimport place as place_of
from regretful.core.parts cimport Part

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object unicode, Py_ssize_t* size) except NULL
    PyObject* PyDict_GetItemWithError(object d, object key) except? NULL
    PyObject* PyList_GET_ITEM(object array, Py_ssize_t index)
    bint is_float "PyFloat_CheckExact" (PyObject* item)
    double float_of "PyFloat_AS_DOUBLE" (PyObject* item)

cdef extern from "lanes.h" nogil:
    void rg_squares(const double* value, Py_ssize_t n, double* square, double* peak)
    bint rg_right(const int* index, Py_ssize_t n, int limit)
    double rg_peak(const double* value, Py_ssize_t n, double top)


cdef class Buffer:
    """Indices and values, growing."""

    def __dealloc__(self):
        free(self.index)
        free(self.value)

    cdef int reserve(self, Py_ssize_t room) except -1:
        cdef void* grown
        if room <= self.room:
            return 0
        room = max(room, 2 * self.room, 16)
        grown = realloc(self.index, room * sizeof(int))
        if grown == NULL:
            raise MemoryError
        self.index = <int*> grown
        grown = realloc(self.value, room * sizeof(double))
        if grown == NULL:
            raise MemoryError
        self.value = <double*> grown
        self.room = room
        return 0

    cdef int push(self, Py_ssize_t index, double value) except -1:
        if self.size == self.room:
            self.reserve(self.size + 1)
        self.index[self.size] = <int> index
        self.value[self.size] = value
        self.size += 1
        return 0

    cdef Py_ssize_t combine(self, Py_ssize_t start) noexcept nogil:
        """Sort the row that begins at `start` and add up what shares an index; the rows are short."""
        cdef Py_ssize_t i, j, last
        cdef int index
        cdef double value
        for i in range(start + 1, self.size):
            index = self.index[i]
            value = self.value[i]
            j = i
            while j > start and self.index[j - 1] > index:
                self.index[j] = self.index[j - 1]
                self.value[j] = self.value[j - 1]
                j -= 1
            self.index[j] = index
            self.value[j] = value
        if self.size == start:
            return self.size
        last = start
        for i in range(start + 1, self.size):
            if self.index[i] == self.index[last]:
                self.value[last] += self.value[i]
            else:
                last += 1
                self.index[last] = self.index[i]
                self.value[last] = self.value[i]
        self.size = last + 1
        return self.size


cdef bint look(Row* x) noexcept nogil:
    """Measure ‖x‖₂² and ‖x‖∞; whether the values are finite and the indices right: rising, and all of them known."""
    rg_squares(x.value, x.size, &x.square, &x.peak)
    x.peak = rg_peak(x.value, x.size, x.peak)
    x.sound = isfinite(x.square) and (x.vouched or rg_right(x.index, x.size, <int> x.width))
    return x.sound


cdef class Hashing(Part):
    """Bounds memory: names are hashed to 2^bits positions (FNV-1a, mixed); colliding values of one event add up."""

    cdef readonly int bits
    cdef readonly uint64_t seed

    def __init__(self, bits=20, seed=0):
        if not isinstance(bits, numbers.Integral) or isinstance(bits, bool) or not 1 <= bits <= 30:
            raise ValueError(f"bits must be a whole number from 1 to 30, not {bits!r}")
        if not isinstance(seed, numbers.Integral) or isinstance(seed, bool) or not 0 <= seed < 1 << 64:
            raise ValueError(f"seed must be a whole number from 0 to 2^64 - 1, not {seed!r}")
        self.bits = bits
        self.seed = seed

    def settings(self):
        """The arguments that make this part again."""
        return {"bits": self.bits, "seed": self.seed}

    cdef uint64_t absorb(self, uint64_t state, text) except? 0:
        cdef Py_ssize_t size
        cdef const char* bytes
        try:
            bytes = PyUnicode_AsUTF8AndSize(text, &size)
        except UnicodeEncodeError:
            raise ValueError(f"{text!r} cannot be hashed: it is not text that UTF-8 can write") from None
        return absorbed(state, <const unsigned char*> bytes, size)

    cdef Py_ssize_t position(self, name, text) except -1:
        """Of the feature `name`, or of `name=text`."""
        cdef uint64_t state = self.absorb(begun(self.seed), name)
        if text is not None:
            state = self.absorb(absorbed(state, b"=", 1), text)
        return place_of(state, (1ULL << self.bits) - 1)

    def index(self, name):
        """Where the feature of this name (for a string value, `name=text`) goes."""
        return self.position(name, None)


cdef class Features:
    """The features a learner knows."""

    def __dealloc__(self):
        free(self.places)

    def __init__(self, n=None, hashing=None, intercept=False):
        self.hashing = hashing
        self.position = {}
        self.category = {}
        self.names = []
        self.last, self.texts = [], []
        self.offset = bool(intercept)
        if hashing is not None:
            if not isinstance(hashing, Hashing):
                raise TypeError(f"features must be Hashing(bits=…) or None, not {hashing!r}")
            if n is not None and n != 1 << hashing.bits:
                raise ValueError(f"n={n} and {hashing!r} disagree: leave n out")
            n = 1 << hashing.bits
        if n is not None:
            if not isinstance(n, numbers.Integral) or isinstance(n, bool) or not 1 <= n <= MOST:
                raise ValueError(f"n, the number of features, must be a whole number of at least 1, not {n!r}")
            self.fixed = True
            self.size = n

    def claim(self, mode):
        """Go by names or by positions from now on; both at once would mean two things by one weight."""
        if self.mode is None:
            self.mode = mode
        elif self.mode != mode:
            raise TypeError(
                f"this learner knows its features by {self.mode}, and this example gives them by {mode}: "
                "use dicts or tables with column names throughout, or arrays and matrices throughout"
            )

    def widen(self, Py_ssize_t width):
        """Let positions below `width` be known."""
        if width > MOST:
            raise ValueError(f"at most {MOST} features, not {width}")
        if width > self.size:
            if self.fixed:
                raise ValueError(
                    f"feature {width - 1} is out of range: this learner has {self.size} features, 0 to {self.size - 1}"
                )
            self.size = width

    def settle(self, Py_ssize_t size):
        """From now on there are exactly `size` features."""
        self.widen(size)
        self.fixed = True

    def mark(self):
        """What is known now, for `forget`."""
        return len(self.names), self.size, self.mode, self.fixed

    def forget(self, mark):
        """Go back to what was known at the mark: what was not learnt leaves no trace."""
        count, self.size, self.mode, self.fixed = mark
        if len(self.names) > count:
            for name in self.names[count:]:
                self._drop(name)
            del self.names[count:]
            self.last, self.texts = [], []

    def _drop(self, name):
        self.position.pop(name, None)
        head, found, text = name.partition("=")
        while found:
            if head in self.category:
                self.category[head].pop(text, None)
                if not self.category[head]:
                    del self.category[head]
            more, found, text = text.partition("=")
            head = f"{head}={more}"

    def find(self, name):
        """The position of a name, or -1."""
        if self.hashing is not None:
            return self.hashing.index(name)
        return self.position.get(name, -1)

    def add(self, name):
        """The position of a name, new if need be."""
        cdef Py_ssize_t fresh = 0
        return self.locate(name, &fresh, True)

    def state(self):
        """Everything needed to go on."""
        return {"names": list(self.names), "size": self.size, "fixed": self.fixed, "mode": self.mode}

    def restore(self, state):
        """Take up what `state` gave."""
        self.names = list(state["names"])
        self.position = {name: index for index, name in enumerate(self.names)}
        self.category = {}
        self.last, self.texts = [], []
        self.size, self.fixed, self.mode = state["size"], state["fixed"], state["mode"]

    def copy(self):
        """The same features, apart."""
        return _remake(self.hashing, self.offset, self.sized, self.state())

    def __reduce__(self):
        return _remake, (self.hashing, self.offset, self.sized, self.state())

    def name(self, Py_ssize_t index):
        """How messages call the feature at this coordinate."""
        index -= self.offset
        if index < 0:
            return "the intercept"
        if self.mode == "name" and self.hashing is None and index < len(self.names):
            return f"feature {self.names[index]!r}"
        return f"feature {index}"

    cdef Py_ssize_t locate(self, name, Py_ssize_t* fresh, bint learn) except -1:
        """The position of a name; a new one gets the next, for good only when learning."""
        cdef PyObject* found
        if not PyUnicode_Check(name):
            raise TypeError(
                f"feature names are strings, not {name!r}; to give features by position use an (indices, values) pair"
            )
        if self.hashing is not None:
            return (<Hashing> self.hashing).position(name, None)
        found = PyDict_GetItemWithError(self.position, name)
        if found != NULL:
            return <object> found
        return self._new(name, fresh, learn)

    cdef Py_ssize_t locate_text(self, name, text, Py_ssize_t* fresh, bint learn) except -1:
        """The position of `name=text`."""
        cdef PyObject* texts
        cdef PyObject* found
        cdef Py_ssize_t index
        if not PyUnicode_Check(name):
            return self.locate(name, fresh, learn)
        if self.hashing is not None:
            return (<Hashing> self.hashing).position(name, text)
        texts = PyDict_GetItemWithError(self.category, name)
        if texts != NULL:
            found = PyDict_GetItemWithError(<object> texts, text)
            if found != NULL:
                return <object> found
        whole = f"{name}={text}"
        found = PyDict_GetItemWithError(self.position, whole)
        index = <object> found if found != NULL else self._new(whole, fresh, learn)
        if learn:
            self.category.setdefault(name, {})[text] = index
        return index

    cdef Py_ssize_t _new(self, name, Py_ssize_t* fresh, bint learn) except -1:
        cdef Py_ssize_t index = len(self.names) if learn else max(fresh[0], len(self.names))
        if self.fixed and index >= self.size:
            raise ValueError(f"{name!r} would be feature number {index + 1} of a learner made for n={self.size}")
        if learn:
            self.position[name] = index
            self.names.append(name)
            if index >= self.size:
                self.widen(index + 1)
        else:
            fresh[0] = index + 1
        return index

    cdef int _remember(self, Py_ssize_t slot, name, int place, texts) except -1:
        """This name stands at this place of an event; the next event often has the same one there."""
        cdef void* grown
        cdef Py_ssize_t known
        if slot >= self.room:
            grown = realloc(self.places, 2 * (slot + 8) * sizeof(int))
            if grown == NULL:
                raise MemoryError
            self.places = <int*> grown
            self.room = 2 * (slot + 8)
        for known in range(len(self.last), slot + 1):  # places passed over have no name yet
            self.last.append(None)
            self.texts.append(None)
            self.places[known] = -1
        self.last[slot], self.texts[slot], self.places[slot] = name, texts, place
        return 0

    cdef int read(self, dict event, Buffer buffer, bint learn) except -1:
        """Append the event's features to the buffer."""
        cdef PyObject* key
        cdef PyObject* item
        cdef PyObject* found
        cdef Py_ssize_t place = 0, slot = -1, start = buffer.size, fresh = len(self.names), index
        cdef Py_ssize_t slots = len(self.last)
        cdef double value
        cdef bint texts = False, same
        cdef object name, thing
        cdef int offset = <int> self.offset
        buffer.reserve(buffer.size + len(event))
        self.equals = False
        while PyDict_Next(event, &place, &key, &item):
            slot += 1
            if buffer.size == buffer.room:  # the event grew while it was read, by what a value's __float__ did
                buffer.reserve(buffer.size + 1)
            same = slot < slots and PyList_GET_ITEM(self.last, slot) == key
            if same and self.places[slot] >= 0 and is_float(item) and isfinite(float_of(item)):
                # Most features of most events: nothing of Python runs here, so that name and value need not be held.
                buffer.index[buffer.size] = <int> self.places[slot] + offset
                buffer.value[buffer.size] = float_of(item)
                buffer.size += 1
                continue
            name, thing = <object> key, <object> item  # held: a value's __float__ may take them out of the event
            if PyFloat_CheckExact(thing):
                value = PyFloat_AS_DOUBLE(thing)
            elif PyUnicode_Check(thing):
                texts = True
                index = -1
                if same and PyList_GET_ITEM(self.texts, slot) != <PyObject*> None:
                    found = PyDict_GetItemWithError(<object> PyList_GET_ITEM(self.texts, slot), thing)
                    if found != NULL:
                        index = <object> found
                if index < 0:
                    index = self.locate_text(name, thing, &fresh, learn)
                    if "=" in name:
                        self.equals = True
                    elif self.hashing is None and name in self.category:
                        self._remember(slot, name, -1, self.category[name])
                        slots = max(slots, slot + 1)
                buffer.index[buffer.size] = <int> index + offset
                buffer.value[buffer.size] = 1.0
                buffer.size += 1
                continue
            else:
                value = plain_number(name, thing)
            if not isfinite(value):
                raise ValueError(f"feature {name!r} is {value!r}: values must be finite; leave out what is missing")
            if same and self.places[slot] >= 0:
                index = self.places[slot]
            else:
                index = self.locate(name, &fresh, learn)
                if "=" in name:
                    self.equals = True  # and is not remembered, so that it comes by here each time
                elif learn:
                    self._remember(slot, name, <int> index, None)
                    slots = max(slots, slot + 1)
            buffer.index[buffer.size] = <int> index + offset
            buffer.value[buffer.size] = value
            buffer.size += 1
        # Only where a name holds a "=" can it be the same feature as a name=text beside it.
        if self.hashing is not None or (texts and self.equals):
            buffer.combine(start)
        return 0


cdef double plain_number(name, item) except? -1.0:
    """The value of a feature that is neither a float nor a string."""
    if PyBool_Check(item) or PyLong_CheckExact(item) or isinstance(item, (numbers.Real, bool)):
        try:
            return float(item)
        except OverflowError:
            raise ValueError(f"feature {name!r} is too large for a number: {item!r}") from None
    if item is None:
        raise TypeError(f"feature {name!r} is None: leave out what is missing")
    if hasattr(item, "dtype") and getattr(item, "shape", None) == () and item.dtype.kind in "bfiu":
        return float(item)
    raise TypeError(
        f"feature {name!r} is {item!r}, of type {type(item).__name__}: values are numbers, booleans or strings"
    )


def _remake(hashing, offset, sized, state):
    features = Features(None, hashing, offset)
    features.sized = sized
    features.restore(state)
    return features
