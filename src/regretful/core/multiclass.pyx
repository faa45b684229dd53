"""The loop of learners that predict one of several labels: a weight for every feature and label.

The feature map is ψ(x, k) = x in the block of label k, so label k has the score s_k = ⟨w, ψ(x, k)⟩ = ⟨w_k, x⟩. A round
goes along g = Σ σ_k ψ(x, k), where σ is the slope of the loss in the scores: to the rest of the core g is the example,
⟨w, g⟩ its prediction and 1 its slope. Weight i·stride + k of w is that of feature i and label k.
"""

import numpy as np

from libc.math cimport fabs
from libc.stdlib cimport free, realloc

from regretful.core.averages cimport Average
from regretful.core.features cimport Buffer, look
from regretful.core.iterate cimport Cell, Column, Iterate, Row
from regretful.core.predictor cimport Predictor
from regretful.core.reading cimport weight_of_one
from regretful.core.rows cimport Block
from regretful.core.rules cimport MirrorDescent
from regretful.core.score_losses cimport MulticlassLoss, largest

from regretful.core.euclidean import Euclidean
from regretful.core.labels import Labels, as_labels, label_of, many_labels
from regretful.core.rows import batch

cdef Py_ssize_t MOST = 2**31 - 2


cdef Py_ssize_t room_for(Py_ssize_t labels):
    """The stride for so many labels: one of 4, 8, 12, 20, 32, …, so that it seldom changes."""
    cdef Py_ssize_t stride = 4
    while stride < labels:
        stride += (stride // 2 + 3) // 4 * 4
    return stride


cdef void score_all(Iterate w, const Row* x, Py_ssize_t many, Py_ssize_t stride, double* score) noexcept nogil:
    """s_k for the first `many` labels; six side by side, whose sums then stay in registers."""
    cdef const Cell* cell
    cdef double value, a, b, c, d, e, f
    cdef Py_ssize_t j, k = 0
    while k + 6 <= many:
        a = b = c = d = e = f = 0.0
        for j in range(x.size):
            value = x.value[j]
            cell = w.at + (x.index[j] * stride + k)
            a += value * cell[0].v
            b += value * cell[1].v
            c += value * cell[2].v
            d += value * cell[3].v
            e += value * cell[4].v
            f += value * cell[5].v
        score[k] = a * w.scale
        score[k + 1] = b * w.scale
        score[k + 2] = c * w.scale
        score[k + 3] = d * w.scale
        score[k + 4] = e * w.scale
        score[k + 5] = f * w.scale
        k += 6
    for k in range(k, many):
        a = 0.0
        for j in range(x.size):
            a += x.value[j] * w.at[x.index[j] * stride + k].v
        score[k] = a * w.scale


cdef object _laid(values, rows, old, stride):
    """Numbers with a feature's labels `old` apart, moved `stride` apart."""
    moved = np.zeros((rows, stride))
    if old:
        kept = min(old, stride)
        moved[:, :kept] = values.reshape(rows, old)[:, :kept]
    return moved.ravel()


cdef class Multiclass(MirrorDescent):
    """w ← Π(w − η g) with g the slope of a loss of all scores; predicts the first label of the largest score.

    Labels are any hashable things but None and NaN, and are known in the order in which they come; those named in
    `labels` are known from the start. A label that is new in a round begins with the weights 0, and is part of that
    round's loss; the prediction, made before, was one of the others: a mistake. The very first prediction is None.
    The domain holds all weights together, and has 0 in it. The rest is as in `MirrorDescent`.
    """

    cdef object places                  # label -> place
    cdef object given                   # the labels; those at and beyond `known` have not been learnt yet
    cdef Py_ssize_t known, stride
    cdef Buffer joint                   # g
    cdef double* score
    cdef double* slope
    cdef Py_ssize_t scored              # room for scores and slopes
    cdef double[::1] charged            # the losses of the batch, row by row
    cdef object paid                    # the array under it

    def __cinit__(self, *args, **kwargs):
        self.joint = Buffer()
        self.given, self.places = Labels(), {}

    def __dealloc__(self):
        free(self.score)
        free(self.slope)

    def __init__(
        self, loss, domain=None, rate=0.1, *, labels=(), l2=0.0, intercept=False, n=None, features=None, keep=(),
        seed=0, ledger=True,
    ):
        if not isinstance(loss, MulticlassLoss):
            raise TypeError(f"loss must be a loss of scores, such as MulticlassHinge() or Softmax(), not {loss!r}")
        if domain is not None and (domain.sized or domain.start(1)[0] != 0.0):
            raise ValueError(
                f"{domain!r}: the domain must have 0 in it, where new features and labels begin, and be one for any "
                "number of weights: Everywhere(), Ball(radius), L1Ball(radius), Orthant() or Box(low, high)"
            )
        if not isinstance(ledger, bool):
            raise ValueError(f"ledger is True or False for a learner of labels, not {ledger!r}")
        MirrorDescent.__init__(
            self, loss, Euclidean(), domain, rate, l2=l2, intercept=intercept, n=n, features=features, keep=keep,
            seed=seed, ledger=ledger,
        )
        self.charged = self.paid = np.empty(1)
        self._lay(room_for(0))
        for label in labels:
            self._place(label)
        self._count(len(self.given))

    # Labels.

    cdef Py_ssize_t _place(self, y) except -1:
        """The place of a label, a new one if need be."""
        try:
            place = self.places.get(y)
        except TypeError:
            place = None
        if place is not None:
            return place
        label = label_of(y)
        place = self.places.setdefault(label, len(self.given))
        if place == len(self.given):
            self.given.append(label)
            self._lay(room_for(len(self.given)))
        return place

    cdef int _count(self, Py_ssize_t known) except -1:
        self.known = known
        if self.account is not None:
            self.account.labels = known
        return 0

    cdef int _forget(self) except -1:
        """Labels that were not learnt leave no trace."""
        for label in self.given[self.known:]:
            del self.places[label]
        del self.given[self.known:]
        return self._lay(room_for(self.known))

    cdef int _lay(self, Py_ssize_t stride) except -1:
        """Give every feature room for `stride` labels."""
        cdef Py_ssize_t old = self.stride, rows
        cdef Column column
        cdef Average average
        cdef void* grown
        if stride == old:
            return 0
        if stride > self.scored:
            for part in range(2):
                grown = realloc(self.slope if part else self.score, stride * sizeof(double))
                if grown == NULL:
                    raise MemoryError
                if part:
                    self.slope = <double*> grown
                else:
                    self.score = <double*> grown
            self.scored = stride
        rows = self.w.size // old if old else self.w.size
        size = rows * old
        columns = []
        if self.account is not None:
            columns.append(self.account.settled)
            self.account.stride = stride
            self.account.size = self.account.size // old * stride if old else 0
        for average in (self.uniform, self.weighted):
            if average is not None:
                columns += [average.total, average.stamp, average.lap]
        for column in columns:
            column.put(_laid(column.take(size), rows, old, stride))
        if self.sample is not None:
            self.sample = _laid(self.sample, len(self.sample) // old, old, stride)
        cells = np.array(self.w.cells[:size])
        self.w.size = rows * stride
        self.w.reserve(self.w.size)
        self.w.cells[:] = 0.0
        for part in range(2):
            self.w.cells[: self.w.size, part] = _laid(cells[:, part], rows, old, stride)
        self.stride = stride
        self.room = 0
        return self._reserve(rows)

    cdef int _reserve(self, Py_ssize_t size) except -1:
        if size * self.stride > MOST:
            raise ValueError(f"{size} features of {len(self.given)} labels are more than {MOST} weights")
        return MirrorDescent._reserve(self, size * self.stride)

    @property
    def labels(self):
        """The labels known, in the order in which they came."""
        return tuple(self.given[: self.known])

    # The round.

    cdef double _label(self, y) except? -1.0:
        return self._place(y)

    def _labels(self, y, rows):
        cdef Py_ssize_t r = 0
        result = np.empty(rows)
        cdef double[::1] out = result
        self.charged = self.paid = np.empty(rows)
        for label in many_labels(y, rows):
            try:
                out[r] = self._place(label)
            except (TypeError, ValueError) as error:
                raise type(error)(f"row {r}: {error}") from None
            r += 1
        return result

    cdef int _play(self, Row* x, double y, double weight, double* paid) except -1 nogil:
        cdef Py_ssize_t label = <Py_ssize_t> y, many = self.known, best, rival = -1
        cdef double loss, p = 0.0, slope = 1.0
        cdef Row g
        self._look(x)
        if label >= many:
            many = label + 1
        score_all(self.w, x, many, self.stride, self.score)
        best = largest(self.score, self.known, -1)
        loss = (<MulticlassLoss> self.loss).charge(self.score, many, label, self.slope, &rival)
        g.width = x.width * self.stride
        if rival >= 0:
            slope = self.slope[0] if rival != label else 0.0
            p = self.score[rival] - self.score[label]
            self._against(x, &g, rival, label)
        else:
            p = self._along(x, &g, many)
            slope = 1.0 if g.size else 0.0
        self._settle(&g, p / self.w.scale, p, y, weight, loss, slope, best != label)
        if many > self.known:
            self.known = many
            if self.account is not None:
                self.account.labels = many
        self.charged[self.at if self.at > 0 else 0] = loss
        paid[0] = best
        return 0

    cdef int _look(self, Row* x) except -1 nogil:
        """Measure a row, and refuse it if it is not as it should be."""
        if not look(x):
            with gil:
                self._refuse(x)
        return 0

    cdef int _joint(self, Row* g, Py_ssize_t size) except -1 nogil:
        """Room for g."""
        if size > self.joint.room:
            with gil:
                self.joint.reserve(size)
        g.index = self.joint.index
        g.value = self.joint.value
        g.size = size
        g.solid = False
        return 0

    cdef int _against(self, const Row* x, Row* g, Py_ssize_t rival, Py_ssize_t label) except -1 nogil:
        """g = ψ(x, rival) − ψ(x, label)."""
        cdef Py_ssize_t j, first
        cdef int* index
        cdef double* value
        if rival == label:
            g.square = g.peak = 0.0
            return self._joint(g, 0)
        self._joint(g, 2 * x.size)
        index = self.joint.index
        value = self.joint.value
        for j in range(x.size):
            first = x.index[j] * self.stride
            index[2 * j] = <int> (first + rival)
            value[2 * j] = x.value[j]
            index[2 * j + 1] = <int> (first + label)
            value[2 * j + 1] = -x.value[j]
        g.square = 2.0 * x.square
        g.peak = x.peak
        return 0

    cdef double _along(self, const Row* x, Row* g, Py_ssize_t many) except? -1.0 nogil:
        """g = Σ σ_k ψ(x, k); returns ⟨w, g⟩."""
        cdef Py_ssize_t j, k, first, at = 0
        cdef double p = 0.0, square = 0.0, peak = 0.0
        for k in range(many):
            p += self.slope[k] * self.score[k]
            square += self.slope[k] * self.slope[k]
            if fabs(self.slope[k]) > peak:
                peak = fabs(self.slope[k])
        g.square = square * x.square
        g.peak = peak * x.peak
        if square == 0.0:
            self._joint(g, 0)
            return p
        self._joint(g, x.size * many)
        for j in range(x.size):
            first = x.index[j] * self.stride
            for k in range(many):
                self.joint.index[at] = <int> (first + k)
                self.joint.value[at] = self.slope[k] * x.value[j]
                at += 1
        return p

    # Learning: as ever, with labels for numbers.

    cdef double _learn_one(self, x, y, double weight, given=None) except? -1.0:
        try:
            if self.charged.shape[0] != 1:
                self.charged = self.paid = np.empty(1)
            return MirrorDescent._learn_one(self, x, y, weight, given)
        except BaseException:
            self._forget()
            raise

    def learn_one(self, x, y=None, weight=1.0):
        """Predict, pay, step; returns the label that was predicted."""
        cdef double c = weight_of_one(weight)
        self._enter()
        try:
            place = <Py_ssize_t> self._learn_one(x, y, c)
            return None if place < 0 else self.given[place]
        finally:
            self._leave()

    def ask(self, x):
        """Not for learners of labels."""
        raise TypeError("ask and tell are for learners of numbers: keep x until its label comes, then learn_one(x, y)")

    def _learn_many(self, X, y, weight):
        try:
            places = MirrorDescent._learn_many(self, X, y, weight)
        except BaseException:
            self._forget()
            raise
        return as_labels(self.given, places.astype(np.int64))

    @property
    def last_losses(self):
        """The losses of the rounds that the last call played, without weights."""
        return self._locked(lambda: self.paid.copy())

    # Predictions.

    cdef int _read(self, x, Row* row, bint learn) except -1:
        cdef Py_ssize_t j, most = -1
        MirrorDescent._read(self, x, row, learn)
        if not learn:
            for j in range(row.size):
                if row.index[j] > most:
                    most = row.index[j]
            self.w.reserve((most + 1) * self.stride)
        return 0

    def _scores(self, x):
        """The scores of one example, as an array."""
        cdef Row row
        cdef Py_ssize_t k
        self._enter()
        try:
            mark = self.features.mark()
            try:
                self._read(x, &row, False)
            finally:
                self.features.forget(mark)
            score_all(self.w, &row, self.known, self.stride, self.score)
            return np.array([self.score[k] for k in range(self.known)])
        finally:
            self._leave()

    def predict_one(self, x):
        """The first label of the largest score; None before any is known. Changes nothing."""
        scores = self._scores(x)
        return self.given[int(np.argmax(scores))] if len(scores) else None

    def scores(self, x):
        """⟨w, ψ(x, k)⟩ for every label known. Changes nothing."""
        scores = self._scores(x)
        return dict(zip(self.labels, scores.tolist()))

    def scores_many(self, X):
        """A row of scores for every row of X, a column for each of `labels`. Changes nothing."""
        cdef Block block
        cdef Row row
        cdef Py_ssize_t r
        cdef double[:, ::1] out
        self._enter()
        try:
            mark = self.features.mark()
            try:
                rows, _, blocks = batch(X, self.features, False, checked=False)
                result = np.empty((rows, max(1, self.known)))
                out = result
                for block in blocks:
                    self.w.reserve(block.width * self.stride)
                    with nogil:
                        for r in range(block.rows):
                            self.at = block.first + r
                            block.row(r, &row)
                            self._look(&row)
                            score_all(self.w, &row, self.known, self.stride, &out[block.first + r, 0])
                return result[:, : self.known]
            finally:
                self.features.forget(mark)
        finally:
            self._leave()

    def predict_many(self, X):
        """The first label of the largest score for every row. Changes nothing."""
        scores, labels = self.scores_many(X), self.labels
        if not labels:
            return as_labels([], np.full(len(scores), -1))
        return as_labels(list(labels), np.argmax(scores, axis=1))

    # Weights.

    def _vector(self, average=None):
        whole = np.zeros(max(self.w.size // self.stride, self.features.size + self.features.offset) * self.stride)
        known = self.w.array() if average is None else average
        whole[: len(known)] = known
        return whole

    def _table(self):
        """A row for each label, a column for each feature, the intercept's first."""
        return self._locked(self._vector).reshape(-1, self.stride)[:, : self.known].T

    @property
    def weights(self):
        """w: a row for each of `labels`, a column for each feature, without the intercept."""
        return self._table()[:, self.features.offset:]

    @property
    def intercept(self):
        """The weights of the constant feature, one for each of `labels`; 0 if there is none."""
        return self._table()[:, 0] if self.features.offset else np.zeros(self.known)

    def named_weights(self):
        """For each label, its weights by name; by position where there are no names."""
        weights, names = self.weights, self.features.names
        if self.features.hashing is not None:
            where = np.flatnonzero(weights.any(axis=0)).tolist()
            return {label: {i: float(row[i]) for i in where} for label, row in zip(self.labels, weights)}
        keys = names if self.features.mode == "name" else range(weights.shape[1])
        return {label: dict(zip(keys, row.tolist())) for label, row in zip(self.labels, weights)}

    def _predictor(self, vector):
        return FixedMulticlass(self._with(vector))

    def _with(self, vector):
        """A learner of these weights, with no past."""
        cdef Multiclass twin
        made = {name: value for name, value in self._slots().items() if name in ("n", "features", "intercept")}
        twin = Multiclass(self.loss, labels=self.labels, ledger=False, **made)
        twin.features = self.features.copy()
        twin._reserve(len(vector) // twin.stride)
        twin.w.size = len(vector)
        twin.w.assign(vector)
        return twin

    cdef Predictor _player(self, X):
        return self

    # Saving and copying.

    def _rule(self):
        return Multiclass

    def _slots(self):
        names = ("loss", "domain", "rate", "l2", "intercept", "n", "features", "keep", "seed", "ledger")
        slots = MirrorDescent._slots(self)
        return {name: slots[name] for name in names}

    def _state(self, names=True):
        return {**MirrorDescent._state(self, names), "labels": Labels(self.given[: self.known]), "stride": self.stride}

    def _restore(self, state):
        self.given = Labels(state["labels"])
        self.places = {label: place for place, label in enumerate(self.given)}
        self._lay(state["stride"])
        MirrorDescent._restore(self, state)
        self._count(len(self.given))
        self._reserve(self.w.size // self.stride)

    def __repr__(self):
        return f"{MirrorDescent.__repr__(self)} of {self.known:,} labels"


class FixedMulticlass:
    """An iterate of a learner of labels, or an average of iterates, that learns no more."""

    def __init__(self, learner):
        """What this learner would predict now."""
        self._learner = learner

    def predict_one(self, x):
        """The first label of the largest score; None before any is known."""
        return self._learner.predict_one(x)

    def predict_many(self, X):
        """The first label of the largest score for every row."""
        return self._learner.predict_many(X)

    def scores(self, x):
        """The score of every label."""
        return self._learner.scores(x)

    def scores_many(self, X):
        """A row of scores for every row of X, a column for each of `labels`."""
        return self._learner.scores_many(X)

    @property
    def labels(self):
        """The labels known, in the order in which they came."""
        return self._learner.labels

    @property
    def weights(self):
        """A row for each of `labels`, a column for each feature, without the intercept."""
        return self._learner.weights

    @property
    def intercept(self):
        """The weights of the constant feature, one for each of `labels`."""
        return self._learner.intercept

    def named_weights(self):
        """For each label, its weights by name, or by position."""
        return self._learner.named_weights()

    def __repr__(self):
        return f"FixedMulticlass of {len(self.labels)} labels"
