"""The loop of learners whose labels have structure: the feature map ψ(x, y) is yours, and the label a search for it.

A round looks for the label to predict, and for the rival to learn from, with functions in Python; then it goes along
g = ψ(x, rival) − ψ(x, y), which to the rest of the core is an example with the prediction ⟨w, g⟩ and the slope 1.
"""

import numpy as np

from libc.math cimport fmax
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from regretful.core.features cimport Buffer, Features, look
from regretful.core.iterate cimport Iterate, Row
from regretful.core.predictor cimport Predictor
from regretful.core.reading cimport read_row, weight_of_one, weights_of
from regretful.core.rules cimport MirrorDescent

from regretful.core.euclidean import Euclidean
from regretful.core.labels import Labels, as_objects, label_of, same
from regretful.core.parts import number
from regretful.core.predictor import FixedPredictor
from regretful.core.score_losses import MulticlassHinge


cdef class Weights:
    """What a decoder sees of w: `w[name]`, or `w[index]`, one weight; `w.dot(psi)`; `w.take(indices)`; `w.array()`.

    It shows the weights as they are, round after round, and changes nothing.
    """

    cdef Iterate w
    cdef Features features
    cdef Buffer buffer

    cdef double at(self, Py_ssize_t i) noexcept:
        return self.w.scale * (self.w.at[i].v if 0 <= i < self.w.size else self.w.fill)

    def __getitem__(self, key):
        """One weight; that of a start where there is no such feature."""
        return self.at(self.features.find(key) if isinstance(key, str) else key)

    def dot(self, psi):
        """⟨w, ψ⟩ of features in any form."""
        cdef Row row
        self._read(psi, &row)
        return self.w.scale * self.w.dot(&row)

    cdef int _read(self, psi, Row* row) except -1:
        cdef Py_ssize_t j, most = -1
        mark = self.features.mark() if self.features.mode is None else None
        try:
            read_row(psi, self.features, self.buffer, row, False)
        finally:
            if mark is not None:
                self.features.forget(mark)
        for j in range(row.size):
            if row.index[j] > most:
                most = row.index[j]
        self.w.reserve(most + 1)
        return 0

    def take(self, indices):
        """The weights at these positions, as an array; 0 beyond those known."""
        places = np.asarray(indices)
        known = (places >= 0) & (places < self.w.size)
        found = self.w.scale * self.w.cells[np.where(known, places, 0), 0]
        return np.where(known, found, self.w.scale * self.w.fill)

    def array(self):
        """All weights up to the features known: a copy, at O(n)."""
        whole = np.full(max(self.w.size, self.features.size), self.w.fill * self.w.scale)
        whole[: self.w.size] = self.w.array()
        return whole


cdef Weights _shown(Iterate w, Features features):
    cdef Weights shown = Weights()
    shown.w, shown.features, shown.buffer = w, features, Buffer()
    return shown


cdef class _Search:
    """The label of the largest score, from a list of labels or by a decoder; with costs added, or without."""

    cdef readonly object psi, decode, cost
    cdef readonly object labels         # a list, or None
    cdef dict places
    cdef readonly double margin

    def __init__(self, psi, labels, decode, cost, margin):
        if (labels is None) == (decode is None):
            raise TypeError("give either labels, all that there are, or decode(w, x, y=None), which finds the best one")
        for name, function in (("psi", psi), ("decode", decode), ("cost", cost)):
            if not (callable(function) or (function is None and name != "psi")):
                raise TypeError(f"{name} must be a function, not {function!r}")
        self.psi, self.decode, self.cost, self.margin = psi, decode, cost, margin
        if labels is not None:
            self.labels = Labels(label_of(label) for label in labels)
            self.places = {label: place for place, label in enumerate(self.labels)}
            if not self.labels:
                raise ValueError("there must be at least one label")
            if len(self.places) < len(self.labels):
                raise ValueError("a label stands twice in the list")

    def __reduce__(self):
        return _Search, (self.psi, self.labels, self.decode, self.cost, self.margin)

    def check(self, y):
        """The label as it is kept, or an error if it is none that can be told."""
        if self.labels is None:
            if y is None:
                raise TypeError("a label is missing: None is no label")
            return y
        label = label_of(y)
        if label not in self.places:
            raise ValueError(f"label {label!r} is none of the {len(self.labels)} labels: {_few(self.labels)}")
        return label

    def scores(self, Weights w, x):
        """The score of every label."""
        return [w.dot(self.psi(x, label)) for label in self.labels]

    def best(self, Weights w, x):
        """The label to predict."""
        if self.labels is None:
            return self.decode(w, x)
        scores = self.scores(w, x)
        return self.labels[scores.index(max(scores))]

    def costs(self, y, rival):
        """margin · γ(y, rival)."""
        if self.margin == 0.0 or same(y, rival):
            return 0.0
        if self.cost is None:
            return self.margin
        return self.margin * number(f"cost({y!r}, {rival!r})", self.cost(y, rival), least=0.0)

    def against(self, Weights w, x, y):
        """(the label to predict, the rival, its cost, ⟨w, ψ(x, rival) − ψ(x, y)⟩ or None if it is not known yet)."""
        if self.labels is None:
            predicted = self.decode(w, x)
            rival = self.decode(w, x, y) if self.margin else predicted
            return predicted, rival, self.costs(y, rival), None
        scores = self.scores(w, x)
        predicted = self.labels[scores.index(max(scores))]
        if self.margin == 0.0:
            return predicted, predicted, 0.0, max(scores) - scores[self.places[y]]
        costs = [self.costs(y, label) for label in self.labels]
        augmented = [cost + score for cost, score in zip(costs, scores)]
        place = augmented.index(max(augmented))
        return predicted, self.labels[place], costs[place], scores[place] - scores[self.places[y]]


def _few(labels):
    return ", ".join(map(repr, labels[:5])) + (", …" if len(labels) > 5 else "")


cdef class Structured(MirrorDescent):
    """w ← Π(w − η (ψ(x, rival) − ψ(x, y))), where the rival has the largest margin · cost(y, k) + ⟨w, ψ(x, k)⟩.

    psi(x, y): the features of example and label together, in any form that an example can have: a dict of names, an
    array, an (indices, values) pair, a sparse row. labels: all that there are; or decode(w, x, y=None): the label k of
    the largest ⟨w, ψ(x, k)⟩, and where y is given, of the largest cost(y, k) + ⟨w, ψ(x, k)⟩, asked only if the margin
    is above 0. `w` is what a decoder may ask: `w[name]`, `w.dot(psi)`, `w.take(indices)`, `w.array()`. cost(y, k): at
    least 0; 1 for every wrong label unless you say otherwise.

    What it loses is max(0, margin · cost(y, rival) + ⟨w, ψ(x, rival) − ψ(x, y)⟩). The rest is as in `MirrorDescent`.
    """

    cdef _Search search
    cdef Weights shown
    cdef Buffer joint                   # g
    cdef int* slot                      # where a feature stands in g, one on; 0 for nowhere
    cdef Py_ssize_t slots
    cdef object truth, predicted        # of the round at hand
    cdef double cost_paid, ahead, charged
    cdef object losses

    def __cinit__(self, *args, **kwargs):
        self.joint = Buffer()

    def __dealloc__(self):
        free(self.slot)

    def __init__(
        self, psi, labels=None, decode=None, cost=None, *, margin=1.0, domain=None, rate=0.1, l2=0.0, n=None,
        features=None, keep=(), seed=0, ledger=True,
    ):
        self.search = _Search(psi, labels, decode, cost, number("margin", margin, least=0.0))
        MirrorDescent.__init__(
            self, MulticlassHinge(margin), Euclidean(), domain, rate, l2=l2, n=n, features=features, keep=keep,
            seed=seed, ledger=ledger,
        )
        if not self.started:
            raise ValueError(f"{self.domain!r} depends on the number of features: give n=…")
        self.shown = _shown(self.w, self.features)
        self.losses = np.zeros(0)

    @property
    def labels(self):
        """All labels that there are, or None with a decoder."""
        return None if self.search.labels is None else tuple(self.search.labels)

    @property
    def psi(self):
        """The feature map."""
        return self.search.psi

    @property
    def decode(self):
        """What looks for the best label, or None."""
        return self.search.decode

    @property
    def cost(self):
        """What a wrong label costs, or None for 1."""
        return self.search.cost

    # The round: the label, then the direction g in the place of an example.

    cdef double _label(self, y) except? -1.0:
        self.truth = self.search.check(y)
        return 0.0

    cdef int _read(self, x, Row* row, bint learn) except -1:
        y = self.truth
        self.predicted, rival, self.cost_paid, ahead = self.search.against(self.shown, x, y)
        wrong = not same(rival, y)
        self.joint.size = 0
        if wrong:
            self._add(x, rival, 1.0)
            self._add(x, y, -1.0)
        self._join()
        row.size, row.index, row.value = self.joint.size, self.joint.index, self.joint.value
        row.width = self.features.size
        row.solid, row.vouched = False, True
        if not look(row):
            raise ValueError("psi gave a number too large to square; rescale it")
        if self.w.capacity < row.width:
            self.w.reserve(row.width)
        self.ahead = self.w.scale * self.w.dot(row) if ahead is None else ahead
        if not wrong:
            self.cost_paid, self.ahead = 0.0, -1.0  # nothing to pay, no step
        return 0

    cdef int _add(self, x, y, double sign) except -1:
        """Append sign · ψ(x, y) to g."""
        cdef Row row
        cdef Py_ssize_t j
        MirrorDescent._read(self, self.search.psi(x, y), &row, True)
        self.joint.reserve(self.joint.size + row.size)
        for j in range(row.size):
            self.joint.push(row.index[j], sign * row.value[j])
        return 0

    cdef int _join(self) except -1:
        """Add up what shares an index, and leave out what has cancelled."""
        cdef Py_ssize_t j, at = 0, size = self.joint.size
        cdef int* index = self.joint.index
        cdef double* value = self.joint.value
        cdef void* grown
        if self.features.size > self.slots:
            room = max(self.features.size, 2 * self.slots)
            grown = realloc(self.slot, room * sizeof(int))
            if grown == NULL:
                raise MemoryError
            self.slot = <int*> grown
            memset(self.slot, 0, room * sizeof(int))
            self.slots = room
        for j in range(size):
            if self.slot[index[j]] == 0:
                index[at] = index[j]
                value[at] = value[j]
                at += 1
                self.slot[index[j]] = <int> at
            else:
                value[self.slot[index[j]] - 1] += value[j]
        size, at = at, 0
        for j in range(size):
            self.slot[index[j]] = 0
            if value[j] != 0.0:
                index[at] = index[j]
                value[at] = value[j]
                at += 1
        self.joint.size = at
        return 0

    cdef int _play(self, Row* g, double y, double weight, double* paid) except -1 nogil:
        cdef double p = self.w.scale * self.w.dot(g), slope = 0.0
        with gil:
            mistake = not same(self.predicted, self.truth)
            if self.cost_paid + self.ahead >= 0.0:
                slope = 1.0
            self.charged = fmax(0.0, self.cost_paid + p) if slope else 0.0
            self._settle(g, p / self.w.scale, p, y, weight, self.charged, slope, mistake)
        paid[0] = 0.0
        return 0

    def learn_one(self, x, y=None, weight=1.0):
        """Predict, pay, step; returns the label that was predicted."""
        cdef double c = weight_of_one(weight)
        self._enter()
        try:
            self._learn_one(x, y, c)
            self.losses = np.array([self.charged])
            return self.predicted
        finally:
            self.truth = self.predicted = None
            self._leave()

    def ask(self, x):
        """Not for learners of labels."""
        raise TypeError("ask and tell are for learners of numbers: keep x until its label comes, then learn_one(x, y)")

    def learn_many(self, X, y=None, weight=None):
        """The loop of `learn_one`; returns the labels that were predicted.

        Labels and weights are checked beforehand. An error in psi, decode or cost stops at its row: those before it
        were learnt.
        """
        cdef Py_ssize_t r
        if y is None:
            raise TypeError("a learner of labels needs labels: learn_many(X, y)")
        examples, truths = list(X), list(y)
        if len(examples) != len(truths):
            raise ValueError(f"X has {len(examples)} rows and y has {len(truths)}")
        weights = weights_of(1.0 if weight is None else weight, len(examples))
        for r in range(len(truths)):
            try:
                self.search.check(truths[r])
            except (TypeError, ValueError) as error:
                raise type(error)(f"row {r}: {error}") from None
        said, losses = [], np.zeros(len(examples))
        self._enter()
        try:
            for r in range(len(examples)):
                try:
                    self._learn_one(examples[r], truths[r], weights[r])
                except BaseException as error:
                    before = "; the rows before it were learnt" if r else ""
                    if type(error) in (TypeError, ValueError):
                        raise type(error)(f"row {r}: {error}{before}") from error
                    error.add_note(f"in row {r}{before}")
                    raise
                said.append(self.predicted)
                losses[r] = self.charged
            self.losses = losses
            return as_objects(said)
        finally:
            self.truth = self.predicted = None
            self._leave()

    @property
    def last_losses(self):
        """The losses of the rounds that the last call played, without weights."""
        return self.losses.copy()

    # Predictions.

    def predict_one(self, x):
        """The label of the largest score. Changes nothing."""
        self._enter()
        try:
            return self.search.best(self.shown, x)
        finally:
            self._leave()

    def predict_many(self, X):
        """The label of the largest score for each example. Changes nothing."""
        self._enter()
        try:
            return as_objects([self.search.best(self.shown, x) for x in X])
        finally:
            self._leave()

    def score(self, x, y):
        """⟨w, ψ(x, y)⟩. Changes nothing."""
        self._enter()
        try:
            return self.shown.dot(self.search.psi(x, y))
        finally:
            self._leave()

    def scores(self, x):
        """⟨w, ψ(x, k)⟩ for every label, where all are known. Changes nothing."""
        if self.search.labels is None:
            raise TypeError("with a decoder nobody knows all labels: score(x, y) gives the score of one")
        self._enter()
        try:
            return dict(zip(self.search.labels, self.search.scores(self.shown, x)))
        finally:
            self._leave()

    cdef Predictor _player(self, X):
        return self

    def _predictor(self, vector):
        return FixedStructured(vector, self.features, self.w.fill * self.w.scale, self.search)

    # Saving and copying.

    def _rule(self):
        return Structured

    def _slots(self):
        slots, search = MirrorDescent._slots(self), self.search
        names = ("domain", "rate", "l2", "n", "features", "keep", "seed", "ledger")
        return {
            "psi": search.psi, "labels": search.labels, "decode": search.decode, "cost": search.cost,
            "margin": search.margin, **{name: slots[name] for name in names},
        }


class FixedStructured(FixedPredictor):
    """An iterate of a learner of structured labels, or an average of iterates, that learns no more."""

    def __init__(self, vector, features, start, search):
        """Weights over a learner's features, and how it looks for labels."""
        FixedPredictor.__init__(self, vector, features, start)
        self._search = search

    def __reduce__(self):
        return FixedStructured, (*FixedPredictor.__reduce__(self)[1], self._search)

    def _weights(self):
        cdef Predictor me = self
        return _shown(me.w, me.features)

    def predict_one(self, x):
        """The label of the largest score."""
        return self._search.best(self._weights(), x)

    def predict_many(self, X):
        """The label of the largest score for each example."""
        weights = self._weights()
        return as_objects([self._search.best(weights, x) for x in X])

    def score(self, x, y):
        """⟨w, ψ(x, y)⟩."""
        return self._weights().dot(self._search.psi(x, y))
