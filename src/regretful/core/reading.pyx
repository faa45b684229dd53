"""Reading one example (a dict, an array, an (indices, values) pair, a sparse row), and labels and weights of many."""

from collections.abc import Mapping

import numpy as np

from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from libc.math cimport isfinite

from regretful.core.features cimport MOST

from regretful.core.rows import HashedRows, check_hashing, check_width, numbers_of


cdef int read_row(x, Features features, Buffer buffer, Row* row, bint learn) except -1:
    """The example as a row; it stays in the buffer until the next is read."""
    buffer.size = 0
    if features.offset:
        if not buffer.room:
            buffer.reserve(1)
        buffer.index[0] = 0
        buffer.value[0] = 1.0
        buffer.size = 1
    if type(x) is dict:
        if features.mode != "name":
            features.claim("name")
        features.read(<dict> x, buffer, learn)
    elif isinstance(x, Mapping):
        features.claim("name")
        features.read(dict(x), buffer, learn)
    elif isinstance(x, HashedRows):
        _read_hashed(x, features, buffer, learn)
    elif isinstance(x, tuple) and len(x) == 2 and hasattr(x[0], "__len__"):
        _read_pair(x[0], x[1], features, buffer, learn)
    elif hasattr(x, "tocsr"):
        _read_sparse(x, features, buffer, learn)
    elif hasattr(x, "to_dict") and hasattr(x, "index"):
        features.claim("name")
        features.read(x.to_dict(), buffer, learn)
    else:
        _read_array(x, features, buffer, learn)
    row.size = buffer.size
    row.index = buffer.index
    row.value = buffer.value
    row.solid, row.vouched = False, True
    row.width = features.size + features.offset
    return 0


cdef int _read_hashed(x, Features features, Buffer buffer, bint learn) except -1:
    cdef Py_ssize_t j
    cdef const int[::1] places = x.index
    cdef const double[::1] values = x.value
    if len(x) != 1:
        raise ValueError(f"one example is one row, not {len(x)}; for many use learn_many or predict_many")
    check_hashing(x, features, learn)
    for j in range(places.shape[0]):
        buffer.push(places[j] + features.offset, values[j])
    return 0


cdef int _read_array(x, Features features, Buffer buffer, bint learn) except -1:
    cdef const double[::1] values
    cdef Py_ssize_t j
    array = np.asarray(x)
    if array.dtype.kind in "US":
        array = np.asarray(x, dtype=object)
    if array.ndim != 1:
        if array.ndim == 0:
            raise TypeError(
                f"{x!r} is not an example: give a dict, a 1-D array, an (indices, values) pair or a sparse row"
            )
        raise ValueError(f"one example has one dimension, not {array.ndim}; for many use learn_many or predict_many")
    features.claim("position")
    check_width(features, array.shape[0], exact=True, learn=learn)
    values = np.ascontiguousarray(numbers_of(array), dtype=np.float64)
    buffer.reserve(values.shape[0] + 1)
    for j in range(values.shape[0]):
        buffer.push(j + features.offset, values[j])
    return 0


cdef int _read_pair(indices, values, Features features, Buffer buffer, bint learn) except -1:
    places, numbers = np.asarray(indices), np.asarray(values)
    if numbers.dtype.kind in "US":
        numbers = np.asarray(values, dtype=object)
    if places.ndim != 1 or numbers.ndim != 1 or len(places) != len(numbers):
        raise ValueError(
            f"an (indices, values) pair needs two lists of the same length, not {places.shape} and {numbers.shape}"
        )
    if len(places) and places.dtype.kind not in "iu":
        raise TypeError(f"indices must be whole numbers, not {places.dtype}")
    features.claim("position")
    if len(places) and places.min() < 0:
        raise ValueError(f"index {int(places.min())} is out of range: indices begin at 0")
    if len(places) and places.max() >= MOST:
        raise ValueError(f"index {int(places.max())} is out of range: there are at most {MOST} features")
    if learn and len(places):
        if features.sized and not features.fixed:
            raise ValueError(
                "this learner starts from the number of features, which a pair does not tell: give n=… when making it"
            )
        features.widen(int(places.max()) + 1)
    return _push(places, numbers, features, buffer, learn)


cdef int _read_sparse(x, Features features, Buffer buffer, bint learn) except -1:
    if len(x.shape) == 2 and x.shape[0] != 1:
        raise ValueError(f"one example is one row, not {x.shape[0]}; for many use learn_many or predict_many")
    x = x.tocsr()
    features.claim("position")
    check_width(features, x.shape[len(x.shape) - 1], exact=False, learn=learn)
    return _push(x.indices, x.data, features, buffer, learn)


cdef int _push(places, numbers, Features features, Buffer buffer, bint learn) except -1:
    """Indices in range and unique, values as doubles."""
    cdef Py_ssize_t j, i, last = -1, size = len(places), limit = features.size
    cdef const double[::1] value = np.ascontiguousarray(numbers_of(numbers), dtype=np.float64)
    cdef const long long[::1] place = np.ascontiguousarray(places, dtype=np.int64)
    cdef bint rising = True
    for j in range(size):
        i = place[j]
        if i < 0 or (i >= limit and (learn or features.fixed)) or i >= MOST:
            raise ValueError(f"index {i} is out of range; there are {limit} features, 0 to {limit - 1}")
        rising &= i > last
        last = i
        buffer.push(i + features.offset, value[j])
    if not rising:
        unique, counts = np.unique(places, return_counts=True)
        if (counts > 1).any():
            twice = int(unique[np.argmax(counts > 1)])
            raise ValueError(f"feature {twice} stands more than once: add its values up first")
    return 0


cpdef labels_of(y, Loss loss, Py_ssize_t rows):
    """The labels as the loss takes them, or an error that names the row of the first it does not take."""
    cdef Py_ssize_t r
    cdef double[::1] labels
    cdef const double[::1] given
    if y is None:
        if loss.labelled:
            raise TypeError(f"{loss!r} needs labels: learn_many(X, y)")
        return np.zeros(rows)
    array = np.asarray(y)
    if array.ndim != 1:
        raise ValueError(f"y must have one dimension, not {array.ndim}")
    if len(array) != rows:
        raise ValueError(f"X has {rows} rows and y has {len(array)}")
    if array.dtype.kind in "US":
        array = np.asarray(y, dtype=object)
    given = numbers = np.ascontiguousarray(numbers_of(array, what="label"), dtype=np.float64)
    if rows == 0 or loss.plain_signs(&given[0], rows):
        return numbers
    labels = result = np.empty(rows)
    r = loss.canonical_many(&given[0], &labels[0], rows)
    if r < rows:
        raise ValueError(f"row {r}: label {given[r]!r} is not one that {loss!r} takes: {loss.label_range}")
    return result


cdef double weight_of_one(weight) except -1.0:
    """The weight of one example: finite and not negative."""
    cdef double number
    if PyFloat_CheckExact(weight):
        number = PyFloat_AS_DOUBLE(weight)
    else:
        try:
            number = float(None if isinstance(weight, (str, bytes)) else weight)  # "2" is no number
        except (TypeError, ValueError, OverflowError):
            raise TypeError(f"weight {weight!r} is not a number") from None
    if not (number >= 0.0 and isfinite(number)):
        raise ValueError(f"weight must be finite and at least 0, not {weight!r}")
    return number


cpdef weights_of(weight, Py_ssize_t rows):
    """The weights of the examples: one for all, or one each; finite and not negative."""
    numbers = np.asarray(weight)
    if numbers.dtype.kind in "US":
        numbers = np.asarray(weight, dtype=object)
    if numbers.ndim == 0:
        numbers = np.full(rows, numbers)
    if numbers.shape != (rows,):
        raise ValueError(f"X has {rows} rows and weight has the shape {numbers.shape}")
    result = np.ascontiguousarray(numbers_of(numbers, what="weight"), dtype=np.float64)
    wrong = np.flatnonzero(~((result >= 0.0) & np.isfinite(result)))
    if len(wrong):
        row = int(wrong[0])
        raise ValueError(f"row {row}: weight {float(result[row])!r} is not finite and at least 0")
    return result
