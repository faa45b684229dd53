"""What predicts, p = ⟨w, x⟩: reading examples, turns between threads, weights by position and by name.

Learners are predictors that also learn; a `FixedPredictor` is one that does not, taken out of a learner.
"""

import numpy as np

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from cpython.pythread cimport (
    NOWAIT_LOCK,
    PyThread_acquire_lock,
    PyThread_allocate_lock,
    PyThread_free_lock,
    PyThread_get_thread_ident,
    PyThread_release_lock,
    PyThread_type_lock,
)

from regretful.core.features cimport look
from regretful.core.reading cimport read_row
from regretful.core.rows cimport Block, explain

from regretful.core.rows import batch

cdef extern from "pythread.h" nogil:
    enum PyLockStatus:
        PY_LOCK_INTR
    PyLockStatus PyThread_acquire_lock_timed(PyThread_type_lock lock, long long microseconds, int interruptible)


cdef class Predictor:
    """p = ⟨w, x⟩."""

    def __cinit__(self, *args, **kwargs):
        self.buffer = Buffer()
        self.gate = PyThread_allocate_lock()
        if self.gate == NULL:
            raise MemoryError
        PyThread_acquire_lock(self.gate, NOWAIT_LOCK)

    def __dealloc__(self):
        if self.gate != NULL:
            PyThread_free_lock(self.gate)

    # Turns: calls on one predictor follow one another. Who holds the GIL may look at `owner` and set it; only who finds
    # it taken waits at the gate, a lock that is shut until somebody leaves.

    cdef int _enter(self) except -1:
        cdef unsigned long me = PyThread_get_thread_ident()
        cdef PyLockStatus status
        if self.features is None:
            self._check_made()
        if self.owner == me:
            raise RuntimeError("a part of this learner called the learner itself in the middle of a round")
        while self.owner != 0:
            self.waiting += 1
            with nogil:
                status = PyThread_acquire_lock_timed(self.gate, -1, True)
            self.waiting -= 1
            if status == PY_LOCK_INTR:
                PyErr_CheckSignals()  # Ctrl-C ends the waiting
            else:
                self.open = False
        self.owner = me
        return 0

    def _check_made(self):
        if self.features is None:
            raise RuntimeError(
                f"this {type(self).__name__} was never made: its __init__ must call super().__init__(...)"
            )

    cdef void _leave(self) noexcept:
        self.owner = 0
        if self.waiting > 0 and not self.open:
            self.open = True
            PyThread_release_lock(self.gate)

    def _locked(self, what):
        self._enter()
        try:
            return what()
        finally:
            self._leave()

    # Predictions.

    cdef Predictor _player(self, X):
        """Who predicts for X."""
        return self

    @cython.binding(False)  # as learn_one
    @cython.embedsignature(True)
    @cython.embedsignature.format("clinic")
    def predict_one(self, x):
        """p = ⟨w, x⟩. Changes nothing."""
        cdef Row row
        cdef Predictor player
        self._enter()
        try:
            player = self._player(x)
            if player.features.mode is not None:
                player._read(x, &row, False)
            else:
                mark = player.features.mark()
                try:
                    player._read(x, &row, False)
                finally:
                    player.features.forget(mark)
            return player.w.scale * player.w.dot(&row)
        finally:
            self._leave()

    def predict_many(self, X):
        """p for every row. Changes nothing."""
        cdef Predictor player
        self._enter()
        try:
            player = self._player(X)
            mark = player.features.mark()
            try:
                return player._predict_many(X)
            finally:
                player.features.forget(mark)
        finally:
            self._leave()

    def _predict_many(self, X):
        cdef Block block
        cdef Row row
        cdef Py_ssize_t r
        cdef double[::1] out
        rows, _, blocks = batch(X, self.features, False, checked=False)
        result = np.empty(rows)
        if rows:
            out = result
        for block in blocks:
            PyErr_CheckSignals()
            self.w.reserve(block.width)
            with nogil:
                for r in range(block.rows):
                    self.at = block.first + r
                    block.row(r, &row)
                    out[self.at] = self.w.scale * self._meet(&row)
        return result

    cdef int _refuse(self, Row* x) except -1:
        """The error for a row that is not as it should be; none if only its order is unusual."""
        self.refused = True
        look(x)
        explain(x, self.at, self.features)
        self.refused = False
        x.vouched = True
        return 0

    cdef int _read(self, x, Row* row, bint learn) except -1:
        """Fill the row from whatever the example is."""
        cdef Py_ssize_t j
        read_row(x, self.features, self.buffer, row, learn)
        if not look(row):
            explain(row, -1, self.features)
        if not learn:
            # A feature never seen has the weight of a start: there must be room to read it.
            for j in range(row.size):
                if row.index[j] >= self.w.capacity:
                    self.w.reserve(row.index[j] + 1)
        return 0

    # Weights.

    def _vector(self, average=None):
        """All coordinates, the intercept's first, up to the features known."""
        whole = np.full(max(self.w.size, self.features.size + self.features.offset), self.w.fill * self.w.scale)
        known = self.w.array() if average is None else average
        whole[: len(known)] = known
        return whole

    @property
    def weights(self):
        """w, one number a feature, without the intercept."""
        return self._locked(self._vector)[self.features.offset:]

    @property
    def intercept(self):
        """The weight of the constant feature; 0 if there is none."""
        return float(self._locked(self._vector)[0]) if self.features.offset else 0.0

    def named_weights(self):
        """Weights by name; by position where there are no names (with hashing, those that are not 0)."""
        weights = self.weights
        if self.features.hashing is not None:
            return {int(index): float(weights[index]) for index in np.flatnonzero(weights)}
        if self.features.mode == "name":
            return {name: float(weight) for name, weight in zip(self.features.names, weights)}
        return {index: float(weight) for index, weight in enumerate(weights)}


cdef class FixedPredictor(Predictor):
    """An iterate, or an average of iterates, that learns no more."""

    def __init__(self, vector, features, start=0.0):
        """Weights (the intercept's first, if there is one) over a learner's features; `start` for those to come."""
        self.w = Iterate()
        self.w.refill(start)
        self.w.size = len(vector)
        self.w.assign(vector)
        self.features = features.copy()

    def __reduce__(self):
        return FixedPredictor, (self._locked(self._vector), self.features, self.w.fill)

    def __repr__(self):
        return f"FixedPredictor of {len(self.weights)} weights"
