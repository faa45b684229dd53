"""Rows: from matrices, tables and lists of events to blocks of checked rows, without a copy of the whole.

What lies in memory as the loop wants it (doubles, 32-bit indices) is read where it lies; anything else is converted a
block at a time. Whether a row's indices are right and its values finite is seen in the walk that meets it
(`Iterate.dot`), or by `Block.check` before anything is learnt.
"""

from collections.abc import Mapping

import numpy as np

from libc.math cimport isfinite
from libc.stdint cimport int64_t
from libc.string cimport memcpy

from regretful.core.features cimport MOST, Buffer, Features, look
from regretful.core.tables import is_table, read_table

cdef Py_ssize_t BLOCK = 131072       # values in a block that is made for the loop
cdef Py_ssize_t SPAN = 8 * BLOCK     # and in one that is read where it lies: the fewer, the less is done for each


cdef class Block:
    """Some rows."""

    def __init__(self, Py_ssize_t first, Py_ssize_t rows, Py_ssize_t width):
        self.first, self.rows, self.width = first, rows, width
        self.kept = []

    def check(self):
        """Look at all rows: an error that names row and feature if one is not right; else the block."""
        cdef Py_ssize_t r = 0
        cdef Row x
        while r < self.rows:
            with nogil:
                while r < self.rows:
                    self.row(r, &x)
                    r += 1
                    if not look(&x):
                        break
            if not x.sound:
                explain(&x, self.first + r - 1, self.features)
        return self

    def names_before(self, Py_ssize_t r):
        """How many names were known before row r was read."""
        return 0 if self.names is None else int(self.names[r])


cdef class HashedRows:
    """Rows whose names were hashed beforehand, as the readers of files make them.

    Row r has the positions index[start[r]:start[r + 1]] (each of them once, in any order) and their finite values:
    that is the promise of who makes them, and nobody checks it. `X[first:last]` are some of them, where they lie.
    """

    def __init__(self, start, index, value, hashing):
        self.start, self.index, self.value, self.hashing = start, index, value, hashing

    @property
    def shape(self):
        """Rows, and positions that there are."""
        return len(self.start) - 1, 1 << self.hashing.bits

    def __len__(self):
        return len(self.start) - 1

    def __getitem__(self, rows):
        first, last, step = rows.indices(len(self))
        if step != 1:
            raise ValueError("hashed rows are cut into stretches: X[first:last]")
        start = self.start[first:max(first, last) + 1]
        low, high = start[0], start[len(start) - 1]
        return HashedRows(start - low, self.index[low:high], self.value[low:high], self.hashing)

    def __repr__(self):
        return f"HashedRows: {len(self):,} rows, {len(self.index):,} values, {self.hashing!r}"


cdef Block _sparse(Py_ssize_t first, start, index, value, Py_ssize_t width, names=None, bint growing=False):
    """A block of sparse rows; the arrays are int64, int32 and float64. `growing`: a name more, a coordinate more."""
    cdef Block block = Block(first, len(start) - 1, width)
    cdef const int64_t[::1] starts = start
    cdef const int[::1] indices = index
    cdef const double[::1] values = value
    cdef const int64_t[::1] knowns
    block.start = &starts[0]
    if indices.shape[0]:
        block.index = &indices[0]
        block.value = &values[0]
    block.kept += [starts, indices, values]
    block.names = names
    if growing:
        knowns = names + (width - names[len(names) - 1])
        block.known = &knowns[0]
        block.kept.append(knowns)
    return block


cdef Block _with_intercept(Block old):
    """The same rows with the feature 1 at coordinate 0, all others one further on."""
    cdef Py_ssize_t r, j, at = 0, size
    cdef Row x
    if old.start == NULL:
        return _dense_with_intercept(old)
    size = old.start[old.rows] + old.rows
    start, index, value = np.empty(old.rows + 1, np.int64), np.empty(size, np.int32), np.empty(size)
    cdef int64_t[::1] starts = start
    cdef int[::1] indices = index
    cdef double[::1] values = value
    starts[0] = 0
    for r in range(old.rows):
        old.row(r, &x)
        indices[at] = 0
        values[at] = 1.0
        at += 1
        for j in range(x.size):
            indices[at] = x.index[j] + 1
            values[at] = x.value[j]
            at += 1
        starts[r + 1] = at
    return _sparse(old.first, start, index, value, old.width + 1, old.names, old.known != NULL)


cdef Block _dense_with_intercept(Block old):
    cdef Block block = Block(old.first, old.rows, old.width + 1)
    cdef Py_ssize_t r
    cdef double* to
    value = np.empty(old.rows * (old.stride + 1))
    cdef double[::1] values = value
    block.stride = old.stride + 1
    block.index = old.index
    block.value = to = &values[0]
    block.kept += [values, *old.kept]
    for r in range(old.rows):
        to[0] = 1.0
        if old.stride:
            memcpy(to + 1, old.value + r * old.stride, old.stride * sizeof(double))
        to += block.stride
    return block


cdef int explain(const Row* x, Py_ssize_t row, Features features) except -1:
    """The error for a row that was looked at and is not as it should be; none if only its order is unusual.

    row: its number; −1 if it is the only one.
    """
    cdef Py_ssize_t j
    where = f"row {row}, " if row >= 0 else ""
    indices = np.array([x.index[j] for j in range(x.size)], dtype=np.int64)
    if not x.vouched:
        wrong = np.flatnonzero((indices < 0) | (indices >= x.width))
        if len(wrong):
            raise ValueError(
                f"row {row}: index {int(indices[wrong[0]]) - features.offset} is out of range; there are "
                f"{x.width - features.offset} features, 0 to {x.width - features.offset - 1}"
            )
        values, counts = np.unique(indices, return_counts=True)
        if (counts > 1).any():
            raise ValueError(
                f"row {row}: {features.name(int(values[np.argmax(counts > 1)]))} stands there more than once; add its "
                "values up first (for a SciPy matrix: X.sum_duplicates())"
            )
    for j in range(x.size):
        if not isfinite(x.value[j]):
            raise ValueError(f"{where}{features.name(x.index[j])}: {x.value[j]!r} is not a finite number")
    if not isfinite(x.square):
        j = int(np.argmax([abs(x.value[j]) for j in range(x.size)]))
        raise ValueError(f"{where}{features.name(x.index[j])}: {x.value[j]!r} is too large to square; rescale it")
    return 0


def numbers_of(values, first_row=0, what="feature"):
    """An array's values as they are if they are numbers; else an error that names the first that is not."""
    if isinstance(values, np.ma.MaskedArray):
        if np.ma.is_masked(values):
            raise ValueError("masked values: fill or drop them first")
        values = values.data
    if values.dtype.kind in "biuf":
        return values
    if values.dtype.kind in "OUS":
        for place in np.ndindex(values.shape):
            item = values[place]
            if not isinstance(item, (bool, int, float, np.bool_, np.integer, np.floating)):
                where = f"row {first_row + place[0]}" if values.ndim == 2 or what != "feature" else ""
                if what == "feature":
                    column = place[len(place) - 1]
                    where = f"{where}, feature {column}" if where else f"feature {column}"
                if what != "feature":
                    raise TypeError(f"{where}: {what} {item!r} is not a number")
                raise TypeError(f"{where}: {item!r} is not a number; for names and strings use dicts or a table")
        return values.astype(np.float64)
    raise TypeError(f"{what}s must be real numbers, not {values.dtype}")


def as_array(X):
    """X as an array, strings and mixed rows kept as objects so that an error can name them."""
    if isinstance(X, np.ndarray):
        return X
    try:
        array = np.asarray(X)
    except ValueError:
        lengths = [len(row) if hasattr(row, "__len__") else 1 for row in X]
        odd = next((r for r, length in enumerate(lengths) if length != lengths[0]), -1)
        if odd < 0:
            odd = next((r for r, row in enumerate(X) if type(row) is not type(X[0])), 0)
            raise ValueError(
                f"row {odd}, {X[odd]!r}, is not a row like row 0: give all rows in the same form"
            ) from None
        raise ValueError(
            f"row {odd} has {lengths[odd]} values and row 0 has {lengths[0]}: all rows must have the same length"
        ) from None
    return np.asarray(X, dtype=object) if array.dtype.kind in "US" else array


def batch(X, Features features, bint learn, bint checked=True):
    """(rows, values, blocks): how many rows X has, about how many values, and a generator of its blocks.

    Who takes blocks that are not checked beforehand looks at each row before it is used.
    """
    rows, values, blocks = _batch(X, features, learn)
    return rows, values, (block.check() for block in blocks) if checked else blocks


def _batch(X, Features features, bint learn):
    if isinstance(X, HashedRows):
        return len(X), len(X.index), _hashed_blocks(X, features, learn)
    if is_table(X):
        rows, columns, chunks = read_table(X, features, learn, max(1, BLOCK))
        return rows, rows * columns, _table_blocks(chunks, features)
    if hasattr(X, "__next__"):
        X = list(X)
    if isinstance(X, (list, tuple)) and (len(X) == 0 or isinstance(X[0], Mapping)):
        events = tuple(X)  # a list might grow or shrink while it is read
        values = len(events) * len(events[0]) if events else 0
        return len(events), values if values > BLOCK else 0, _event_blocks(events, features, learn)
    if hasattr(X, "tocsr"):
        X = X.tocsr()
        if len(X.shape) != 2:
            raise ValueError("X must have two dimensions; for one example use learn_one or predict_one")
        return X.shape[0], X.indptr[X.shape[0]] if X.shape[0] else 0, _csr_blocks(X, features, learn)
    X = as_array(X)
    if X.ndim != 2:
        raise ValueError(
            f"X must have two dimensions (rows × features), not {X.ndim}; for one example use learn_one or predict_one"
        )
    return X.shape[0], X.size, _dense_blocks(X, features, learn)


cdef object _finish(Block block, Features features, bint vouched):
    if features.offset:
        block = _with_intercept(block)
    block.features, block.vouched = features, vouched
    return block


def _dense_blocks(X, Features features, bint learn):
    cdef Block block
    cdef const double[:, ::1] values
    cdef const int[::1] identity
    rows, width = X.shape
    if learn:
        features.claim("position")
    check_width(features, width, exact=True, learn=learn)
    identity = np.arange(width + 1, dtype=np.int32)
    lies = not features.offset and X.dtype == np.float64 and X.flags.c_contiguous
    step = max(1, (SPAN if lies else BLOCK) // max(1, width))
    for first in range(0, rows, step):
        part = np.ascontiguousarray(numbers_of(X[first:first + step], first), dtype=np.float64)
        values = part
        block = Block(first, values.shape[0], width)
        block.stride = width
        block.index = &identity[0]
        if width:
            block.value = &values[0, 0]
        block.kept += [values, identity]
        yield _finish(block, features, True)


def check_width(Features features, Py_ssize_t width, bint exact, bint learn):
    """Refuse a width that is not the learner's; take note of a new one. `exact`: dense rows are all of one length."""
    exact = exact or features.sized
    if width > MOST:
        raise ValueError(f"at most {MOST} features, not {width}")
    if features.mode is not None:
        features.claim("position")
    if (features.fixed or exact) and features.size and width != features.size:
        if features.fixed or width < features.size:
            raise ValueError(f"this learner has {features.size} features, and X has {width}")
    if learn:
        if exact:
            features.settle(width)
        else:
            features.widen(width)


def _csr_blocks(X, Features features, bint learn):
    rows, width = X.shape
    if learn:
        features.claim("position")
    check_width(features, width, exact=False, learn=learn)
    indptr = np.asarray(X.indptr)
    data = numbers_of(X.data)
    if rows and (indptr[0] < 0 or indptr[rows] > len(data) or indptr[rows] > len(X.indices)
                 or (indptr[1:] < indptr[:rows]).any()):
        raise ValueError("the row pointers of the sparse matrix are not increasing, or point past its data")
    first = 0
    lies = not features.offset and data.dtype == np.float64 and X.indices.dtype == np.int32
    size = int(SPAN if lies else BLOCK)
    while first < rows:
        last = int(np.searchsorted(indptr, indptr[first] + size, side="right")) - 1
        last = min(max(last, first + 1), rows)
        low, high = indptr[first], indptr[last]
        index = X.indices[low:high]
        if index.dtype != np.int32:
            if len(index) and (index.min() < 0 or index.max() >= width):
                row = first + int(np.searchsorted(indptr[first:last + 1] - low,
                                                  np.argmax((index < 0) | (index >= width)), side="right")) - 1
                raise ValueError(
                    f"row {row}: index {int(index[np.argmax((index < 0) | (index >= width))])} is out of range; "
                    f"there are {width} features, 0 to {width - 1}"
                )
            index = index.astype(np.int32)
        yield _finish(
            _sparse(
                first,
                (indptr[first:last + 1] - low).astype(np.int64, copy=False),
                np.ascontiguousarray(index),
                np.ascontiguousarray(data[low:high], dtype=np.float64),
                width,
            ),
            features, False,
        )
        first = last


def check_hashing(X, Features features, bint learn):
    """Refuse rows that were hashed in another way than the learner reads."""
    if features.hashing != X.hashing:
        raise ValueError(
            f"these rows were hashed by {X.hashing!r}, and this learner reads by {features.hashing!r}: "
            f"make it with features={X.hashing!r}"
        )
    if learn or features.mode is not None:
        features.claim("name")


def _hashed_blocks(X, Features features, bint learn):
    check_hashing(X, features, learn)
    first, rows = 0, len(X)
    while first < rows:
        last = int(np.searchsorted(X.start, X.start[first] + BLOCK, side="right")) - 1
        last = min(max(last, first + 1), rows)
        part = X[first:last]
        yield _finish(_sparse(first, part.start, part.index, part.value, 1 << X.hashing.bits), features, True)
        first = last


def _table_blocks(chunks, Features features):
    for first, start, index, value, names in chunks:
        if features.hashing is not None or features.equals:
            start, index, value = _combined(start, index, value)
        growing = names is not None and not features.fixed
        yield _finish(_sparse(first, start, index, value, features.size, names, growing), features, True)


cdef object _from_buffer(Buffer buffer):
    index, value = np.empty(buffer.size, np.int32), np.empty(buffer.size)
    cdef int[::1] indices = index
    cdef double[::1] values = value
    if buffer.size:
        memcpy(&indices[0], buffer.index, buffer.size * sizeof(int))
        memcpy(&values[0], buffer.value, buffer.size * sizeof(double))
    return index, value


def _combined(start, index, value):
    """The same rows, sorted, what shares an index added up."""
    cdef Buffer buffer = Buffer()
    cdef Py_ssize_t r, j, begin
    cdef const int64_t[::1] starts = start
    cdef const int[::1] indices = index
    cdef const double[::1] values = value
    fresh = np.zeros(len(start), np.int64)
    cdef int64_t[::1] ends = fresh
    for r in range(starts.shape[0] - 1):
        begin = buffer.size
        for j in range(starts[r], starts[r + 1]):
            buffer.push(indices[j], values[j])
        buffer.combine(begin)
        ends[r + 1] = buffer.size
    index, value = _from_buffer(buffer)
    return fresh, index, value


def _event_blocks(events, Features features, bint learn):
    """Events, until they fill a block; those of a small batch are one block."""
    cdef Py_ssize_t first = 0, rows = len(events)
    if rows and (learn or features.mode is not None):
        features.claim("name")
    while True:
        block = _events(events, first, features, learn)
        yield block
        first += block.rows
        if first >= rows:
            break


cdef Block _events(events, Py_ssize_t first, Features features, bint learn):
    """The block of events that begins with this one."""
    cdef Buffer buffer = Buffer()
    cdef Py_ssize_t r, j, most, read = 0, rows = min(len(events) - first, BLOCK // 4)
    start, names = np.zeros(rows + 1, np.int64), np.zeros(rows + 1, np.int64)
    cdef int64_t[::1] starts = start, counts = names
    counts[0] = len(features.names)
    for r in range(first, first + rows):
        if buffer.size >= BLOCK:
            break
        event = events[r]
        try:
            if not isinstance(event, dict):
                if not isinstance(event, Mapping):
                    raise TypeError(f"{event!r} is not a dict, as the first example is")
                event = dict(event)
            if features.offset:
                buffer.push(0, 1.0)
            features.read(event, buffer, learn)
        except (TypeError, ValueError) as error:
            raise type(error)(f"row {r}: {error}") from None
        read += 1
        starts[read] = buffer.size
        counts[read] = len(features.names)
    most = features.size + features.offset
    for j in range(buffer.size):
        if buffer.index[j] >= most:
            most = buffer.index[j] + 1
    index, value = _from_buffer(buffer)
    fixed = not learn or features.fixed
    block = _sparse(first, start[: read + 1], index, value, most, names[: read + 1], not fixed)
    block.features, block.vouched = features, True
    return block
