"""The loop that plays every linear learner: predict, pay, step, record.

`Linear` is what all of them share: reading examples, the round, averages, ledger, state. The two rules differ in one
method, `_step`, and live in rules.pyx.
"""

import math

import numpy as np

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_CheckExact
from libc.math cimport NAN, fabs, isfinite, isnan

from regretful.core.features cimport Features
from regretful.core.reading cimport labels_of, weight_of_one, weights_of

from regretful.core.chance import resume
from regretful.core.predictor import FixedPredictor
from regretful.core.parts import instance
from regretful.core.rates import as_rate
from regretful.core.rows import as_array, batch
from regretful.core.tickets import Ticket, issue

cdef int64_t TIDY = 1 << 18         # rounds after which sums kept step by step are made afresh, at O(n)


cdef class Linear(Predictor):
    """What every linear learner is: p = ⟨w, x⟩."""

    def _assemble(self, loss, geometry, domain, rate, *, lazy, intercept, n, features, keep, seed, ledger):
        """Fill the slots, refuse what makes no sense, and begin if nothing more is to be known."""
        self.loss = instance("loss", loss, Loss)
        self.domain = instance("domain", domain, Domain)
        self.pace = as_rate(rate)
        self.pace = type(self.pace)(**self.pace.settings())
        self.kernel = instance("geometry", geometry, Geometry).copy_settings()
        self.kernel.bind(self.domain, self.pace, lazy)
        self.w = self.kernel.w
        self.intercept_kept = intercept
        self.features = Features(n, features, intercept)
        self.features.sized = self.kernel.sized
        self.account = None if ledger is False else Ledger(() if ledger is True else ledger)
        if self.account is not None:
            self.account.w = self.w
        self.keep = _kept(keep)
        self.uniform = Average(False) if "average" in self.keep else None
        self.weighted = Average(True) if "weighted" in self.keep else None
        self.counting = bool(self.keep)
        self.seed = seed
        if "random" in self.keep:
            self.generator = np.random.default_rng(seed)
            self.drawn = 1.0
        self.local = self.kernel.local
        foreign = not all(type(part).__module__.startswith("regretful.core.") for part in (self.domain, self.kernel))
        self.fragile = foreign
        self.python = foreign or self.loss.python or type(self.pace).__module__ != "regretful.core.rates"
        self._check_domain()
        if not self.kernel.sized:
            self.kernel.begin(self.features.offset)
            self.started = True
        elif self.features.fixed:
            self._begin()
        if self.account is not None and self.kernel.norm():
            self.account.ask(self.kernel.norm())

    def _check_domain(self):
        n = getattr(self.domain, "n", 0)
        if n:
            if self.intercept_kept:
                raise ValueError(f"{self.domain!r} has one bound a feature and none for the intercept: leave it out")
            self.features.settle(n)

    # The round.

    cdef int _play(self, Row* x, double y, double weight, double* paid) except -1 nogil:
        """One round: predict, pay, step, record."""
        cdef double dot = self._meet(x)
        paid[0] = self.w.scale * dot
        if self.choice is not None:
            return self._choose(x, dot, paid[0], y, weight, False)
        return self._pay(x, dot, paid[0], y, weight)

    cdef int _pay(self, Row* x, double dot, double p, double y, double weight) except -1 nogil:
        """Pay for the prediction p, step, record. Raises before anything is changed, or not at all."""
        cdef double slope = 0.0, loss = self.loss.pay(p, y, &slope)
        return self._settle(x, dot, p, y, weight, loss, slope, self.loss.classification and y * p <= 0.0)

    cdef int _choose(self, Row* x, double dot, double p, double y, double weight, bint told) except -1 nogil:
        """The same, if the label is asked for (`told`: it was, in `ask`); y is NaN where it is not known yet."""
        cdef double slope = 0.0, loss = 0.0
        cdef bint asked = told or self.choice.asks(p), mistake
        if asked and isnan(y):
            with gil:
                y = self._bought()
        if isnan(y):
            self._check_finite(x, p, 0.0, 0.0, weight)
        else:
            loss = self.loss.pay(p, y, &slope)
            mistake = self.loss.classification and y * p <= 0.0
            if asked:
                self._settle(x, dot, p, y, weight, loss, slope, mistake)
            else:
                self._check_finite(x, p, loss, slope, weight)
            self.choice.enter(x, p, loss, slope, weight, mistake, asked)
        if not told:
            self.choice.draw(self.at, asked)
        return 0

    cdef double _bought(self) except? -1.0:
        """The label that is asked for in this round."""
        y = self.choice.source(max(0, self.at))
        try:
            return self._label(y)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{self._where()}{error}{self._before()}") from error

    cdef int _check_finite(self, const Row* x, double p, double loss, double slope, double weight) except -1 nogil:
        """All is finite, and so are the squares and sums that the ledger and the rates make of it."""
        cdef double g = weight * slope, most = x.square if x.square > 1.0 else 1.0
        if not isfinite(fabs(p) + fabs(weight * loss) + fabs(g * p) + g * g * most):
            with gil:
                raise self._overflow(p, loss, slope)
        return 0

    cdef int _settle(
        self, Row* x, double dot, double p, double y, double weight, double loss, double slope, bint mistake
    ) except -1 nogil:
        """What follows once loss and slope are known."""
        cdef double g = weight * slope
        self._check_finite(x, p, loss, slope, weight)
        x.slope = g if self.account is not None else 0.0
        self._step(x, dot, y, weight, slope, mistake)
        self.t += 1
        if self.account is not None:
            self.account.record(x, p, loss, slope, weight, mistake)
        if self.w.stale or self.t % TIDY == 0:
            self._tidy()
        return 0

    cdef int _step(self, const Row* x, double dot, double y, double weight, double slope, bint mistake) except -1 nogil:
        """Move the iterate; each rule has its own."""
        return 0

    cdef int _enter_averages(self, const Row* x) except -1 nogil:
        """The iterate of this round has played: count it, and settle what the step will move."""
        if self.uniform is not None:
            self.uniform.tick(self.w, self.t + 1)
            if self.local:
                self.uniform.settle(self.w, x)
            else:
                self.uniform.settle_all(self.w)
        if self.weighted is not None:
            self.weighted.tick(self.w, self.t + 1)
            if self.local:
                self.weighted.settle(self.w, x)
            else:
                self.weighted.settle_all(self.w)
        if self.t + 1 == self.drawn:
            with gil:
                # The iterate of round t is kept with chance 1/t: the next to be kept is beyond t/U, U uniform.
                self.sample = self.w.array().copy()
                self.drawn = math.floor(self.drawn / (1.0 - self.generator.random())) + 1.0
        return 0

    cdef int _tidy(self) except -1 nogil:
        """Make afresh what is kept step by step."""
        if self.uniform is not None:
            self.uniform.settle_all(self.w)
        if self.weighted is not None:
            self.weighted.settle_all(self.w)
        self.kernel.refresh()
        if self.account is not None and self.t % TIDY == 0:
            self.account.fold()
        return 0

    def _too_far(self, p, step):
        return ValueError(
            f"{self._where()}the step from prediction {p!r} is {step!r} times x, which is not finite{self._before()}. "
            "Take a smaller rate, or rescale the features"
        )

    def _where(self):
        return f"row {self.at}: " if self.at >= 0 else ""

    def _before(self):
        rows = "; the rows before it were learnt" if self.at > 0 else ""
        return f", and nothing was learnt from it{rows}"

    def _overflow(self, p, loss, slope):
        what = f"prediction {p!r}" if not math.isfinite(p) else f"loss {loss!r}, slope {slope!r} at prediction {p!r}"
        return ValueError(
            f"{self._where()}{what}: {self.loss!r} is not finite there{self._before()}. "
            "Take a smaller rate, rescale the features, or bound the weights with a domain"
        )

    # One example.

    @cython.binding(False)  # called once an event, where a plain C method is a sixth of the time quicker
    @cython.embedsignature(True)
    @cython.embedsignature.format("clinic")
    def learn_one(self, x, y=None, weight=1.0):
        """Predict, pay, step; returns the prediction that was paid for."""
        cdef double c = weight_of_one(weight)
        self._enter()
        try:
            return self._learn_one(x, y, c)
        finally:
            self._leave()

    def ask(self, x):
        """Predict now, learn when the label comes: a ticket for `tell`, the `prediction` on it. Changes nothing."""
        return issue(x, self.predict_one(x))

    def tell(self, ticket, y=None, weight=1.0):
        """The label of a prediction asked for earlier, in any order; returns the prediction that was paid for.

        The loss is that of the prediction given then, and so is the slope s: the step that is taken now, from the
        weights of now, is along s x. The ledger enters ℓ(y, p), s p and s x for that p. As s is a slope of the loss at
        the very p that is paid for, ℓ(y, p) − ℓ(y, ⟨u, x⟩) ≤ s p − ⟨u, s x⟩ for every u, and the certificate holds
        whatever the delay.
        """
        if not isinstance(ticket, Ticket):
            raise TypeError(f"tell takes a ticket that ask gave, not {ticket!r}")
        cdef double c = weight_of_one(weight)
        self._enter()
        try:
            return self._tell(ticket, y, c)
        finally:
            self._leave()

    def _tell(self, ticket, y, weight):
        if ticket.told:
            raise ValueError("this ticket's label has been told already")
        if not ticket.wanted:
            raise ValueError("this ticket's label was not asked for, and is not learnt: see its `wanted`")
        paid = self._learn_one(ticket.x, y, weight, ticket.prediction)
        ticket.told = True
        return paid

    def _sampled(self, Choice choice, how, X, y, weight):
        """A call, "one", "many" or "tell", in which `choice` says what labels are asked for; y None: by its source."""
        self._enter()
        try:
            if choice.account is not None:
                for p in self.account.norms:
                    choice.account.ask(p)
                choice.account.grow(self.room)
            self.choice = choice
            if how == "many":
                return self._learn_many(X, y, weight)
            return self._tell(X, y, weight_of_one(weight)) if how == "tell" else (
                self._learn_one(X, y, weight_of_one(weight))
            )
        finally:
            self.choice = None
            self._leave()

    cdef double _learn_one(self, x, y, double weight, given=None) except? -1.0:
        cdef Row row
        cdef Features features
        cdef double paid = 0.0, label = NAN if y is None and self._waits() else self._label(y)
        cdef bint started = self.started, fixed
        cdef Py_ssize_t count, size
        features = self.features
        count, size, mode, fixed = len(features.names), features.size, features.mode, features.fixed
        self.at = -1
        saved = self._state(False) if self.fragile else None
        try:
            self._read(x, &row, True)
            if not started:
                self._begin()
            self._reserve(row.width)
            if given is None:
                self._play(&row, label, weight, &paid)
            else:
                paid = given
                if self.choice is not None:
                    self._choose(&row, self.w.dot(&row), paid, label, weight, True)
                else:
                    self._pay(&row, self.w.dot(&row), paid, label, weight)
        except BaseException:
            if saved is not None:
                self._restore(saved)
            self.started = started
            features.forget((count, size, mode, fixed))
            raise
        return paid

    cdef bint _waits(self) noexcept:
        """Whether labels come when they are asked for."""
        return self.choice is not None and self.choice.source is not None

    cdef double _label(self, y) except? -1.0:
        cdef double label
        if PyFloat_CheckExact(y):
            label = self.loss.canonical(PyFloat_AS_DOUBLE(y))
        elif y is True or y is False:
            label = self.loss.canonical(1.0 if y is True else 0.0)
        else:
            if y is None and not self.loss.labelled:
                return 0.0
            if y is None:
                raise TypeError(f"a label is missing: {self.loss!r} takes {self.loss.label_range}")
            if isinstance(y, (str, bytes)):
                raise TypeError(f"label {y!r} is not a number; {self.loss!r} takes {self.loss.label_range}")
            try:
                label = self.loss.canonical(float(y))
            except (TypeError, ValueError, OverflowError):
                raise TypeError(
                    f"label {y!r} is not a number; {self.loss!r} takes {self.loss.label_range}"
                ) from None
        if isnan(label):
            raise ValueError(f"label {y!r} is not one that {self.loss!r} takes: {self.loss.label_range}")
        return label

    # Many examples.

    def _labels(self, y, rows):
        """The labels of a batch as the loop takes them, or an error that names the row."""
        return labels_of(y, self.loss, rows)

    def learn_many(self, X, y=None, weight=None):
        """The loop of `learn_one` over the rows of X, in the core; returns the predictions that were paid for.

        Bad input anywhere in the batch raises an error, and nothing of the batch is learnt. An overflow met on the way
        stops at its row: the rows before it are learnt, it and those after it are not.
        """
        self._enter()
        try:
            return self._learn_many(X, y, weight)
        finally:
            self._leave()

    def _learn_many(self, X, y, weight):
        cdef Block block = None
        cdef bint started = self.started, learning = False
        cdef const double[::1] labels, weights
        cdef double[::1] paid
        cdef Py_ssize_t first
        self.refused = False
        mark, saved = self.features.mark(), None
        try:
            rows, values, blocks = batch(X, self.features, True, checked=False)
            given = np.full(rows, np.nan) if y is None and self._waits() else self._labels(y, rows)
            if self.choice is not None:
                self.choice.mark(rows)
            weighed = None if weight is None else weights_of(weight, rows)
            result = np.empty(rows)
            if rows == 0:
                list(blocks)
                return result
            labels, paid = given, result
            if weighed is not None:
                weights = weighed
            if self.fragile or values > 4 * self.w.size:
                # Blocks are checked as they come: should a later one be bad, go back to here.
                first_block = next(blocks)
                saved = self._state(False)
                self._begin()
                blocks = _chain(first_block, blocks)
            else:
                blocks = [block.check() for block in blocks]
                self._begin()
            while True:
                learning = False
                block = next(blocks, None) if saved is not None else (blocks.pop(0) if blocks else None)
                if block is None:
                    break
                first = self.at = block.first
                if self.python or self.choice is not None:
                    block.check()  # before anybody outside is asked
                learning = True
                PyErr_CheckSignals()
                self._reserve(block.width)
                self._learn_block(
                    block, &labels[first], &weights[first] if weighed is not None else NULL, &paid[first]
                )
            return result
        except BaseException:
            if not learning or self.at == 0 or self.refused:
                if saved is not None:
                    self._restore(saved)
                self.started = started
                self.features.forget(mark)
            elif self.features.mode == "name":
                known = block.names_before(self.at - block.first)
                size, fixed = (self.features.size, True) if self.features.fixed else (known, False)
                self.features.forget((known, size, "name", fixed))
            raise

    cdef int _learn_block(self, Block block, const double* y, const double* weight, double* paid) except -1:
        cdef Py_ssize_t r
        cdef Row x
        if self.python:
            for r in range(block.rows):
                self.at = block.first + r
                block.row(r, &x)
                saved = self._state(False) if self.fragile else None
                try:
                    self._play(&x, y[r], weight[r] if weight != NULL else 1.0, &paid[r])
                except BaseException:
                    if saved is not None:
                        self._restore(saved)
                    raise
            return 0
        with nogil:
            for r in range(block.rows):
                self.at = block.first + r
                block.row(r, &x)
                self._play(&x, y[r], weight[r] if weight != NULL else 1.0, &paid[r])
        return 0

    # Room, and turns.

    cdef int _reserve(self, Py_ssize_t size) except -1:
        if size <= self.room:
            return 0
        self.kernel.grow(size)
        if self.account is not None:
            self.account.grow(size)
        if self.choice is not None and self.choice.account is not None:
            self.choice.account.grow(size)
        if self.uniform is not None:
            self.uniform.grow(size)
        if self.weighted is not None:
            self.weighted.grow(size)
        self.room = size
        return 0

    cdef int _begin(self) except -1:
        """Start, now that the number of features is known."""
        if self.started:
            return 0
        if not self.features.fixed:
            raise ValueError(
                f"{type(self).__name__} starts from the number of features: give n=…, features=Hashing(bits=…), "
                "or an array or matrix as the first example"
            )
        self._reserve(self.features.size + self.features.offset)
        self.kernel.begin(self.features.size + self.features.offset)
        if self.account is not None and self.kernel.norm():
            self.account.ask(self.kernel.norm())
            if self.choice is not None:
                self.choice.account.ask(self.kernel.norm())
        self.started = True
        return 0

    cdef Predictor _player(self, X):
        """Who predicts: this learner, or before it has started a twin of the size that X shows."""
        cdef Linear twin
        if self.started:
            return self
        twin = type(self).__new__(type(self))
        self._rule().__init__(twin, **self._slots())
        shape = getattr(X, "shape", None)
        if not isinstance(X, (dict, tuple)) and not hasattr(X, "columns"):
            if shape is None and isinstance(X, list) and X and not isinstance(X[0], dict):
                shape = as_array(X).shape
            if shape:
                twin.features.settle(shape[len(shape) - 1])
        twin._begin()
        return twin

    # What it is, and what it has learnt.

    @property
    def geometry(self):
        """The geometry's settings, as a part without state."""
        return self.kernel.copy_settings()

    @property
    def rate(self):
        """The rate, as a part without state."""
        return type(self.pace)(**self.pace.settings())

    @property
    def rounds(self):
        """Rounds played."""
        return self.t

    @property
    def n(self):
        """Features known so far (None for a learner that has not started)."""
        return self.features.size if self.started else None

    @property
    def ledger(self):
        """The account of this run, live; None if it is not kept."""
        return self.account

    def _predictor(self, vector):
        return FixedPredictor(vector, self.features, self.w.fill * self.w.scale)

    def last(self):
        """The current iterate, as a predictor that learns no more."""
        return self._predictor(self._locked(self._vector))

    def average(self):
        """The average of the iterates that played, as a predictor; asks for keep=("average",)."""
        return self._average("average", self.uniform)

    def weighted_average(self):
        """Their average with weights 2(t+1)/(T(T+3)); asks for keep=("weighted",)."""
        return self._average("weighted", self.weighted)

    def _average(self, name, kept):
        if kept is None:
            raise ValueError(f'this learner does not keep that average: make it with keep=("{name}",)')
        return self._predictor(self._locked(lambda: self._vector(kept.read(self.w))))

    def random_iterate(self):
        """One of the iterates that played, uniformly at random; asks for keep=("random",)."""
        if self.generator is None:
            raise ValueError('this learner does not keep a random iterate: make it with keep=("random",)')
        return self._predictor(self._locked(lambda: self._vector(self.sample)))

    # Saving and copying.

    def _slots(self):
        """The arguments that make this learner's rule again."""
        self._check_made()
        return {
            "loss": self.loss, "geometry": self.geometry, "domain": self.domain, "rate": self.rate,
            "intercept": bool(self.intercept_kept), "n": self._made_for(), "features": self.features.hashing,
            "keep": self.keep, "seed": self.seed,
            "ledger": False if self.account is None else self.account.norms or True,
        }

    def _made_for(self):
        return self.features.size if self.features.fixed and self.features.hashing is None else None

    def _state(self, names=True):
        """Everything learnt, as plain values and arrays."""
        size = self.w.size
        state = {
            "t": self.t, "started": bool(self.started), "geometry": self.kernel.state(size),
            "rate": self.pace.state(size),
        }
        if names:
            state["features"] = self.features.state()
        if self.choice is not None:
            state["choice"] = self.choice.state()
        if self.account is not None:
            state["ledger"] = self.account.state(size)
        if self.uniform is not None:
            state["average"] = self.uniform.state(size)
        if self.weighted is not None:
            state["weighted"] = self.weighted.state(size)
        if self.generator is not None:
            state["random"] = {
                "drawn": self.drawn, "sample": self.sample, "generator": self.generator.bit_generator.state,
            }
        return state

    def _restore(self, state):
        """Take up what `_state` gave."""
        if "features" in state:
            self.features.restore(state["features"])
        self.t, self.started = state["t"], state["started"]
        self.kernel.restore(state["geometry"])
        self.pace.restore(state["rate"])
        if self.choice is not None:
            self.choice.restore(state["choice"], resume(state["choice"]["generator"], self.choice.generator))
        if self.account is not None:
            self.account.restore(state["ledger"])
        if self.uniform is not None:
            self.uniform.restore(state["average"])
        if self.weighted is not None:
            self.weighted.restore(state["weighted"])
        if self.generator is not None:
            self.drawn, self.sample = state["random"]["drawn"], state["random"]["sample"]
            self.generator.bit_generator.state = state["random"]["generator"]
        self.room = 0

    def save(self, path):
        """Write everything to a file, from which `regretful.load` goes on bit for bit."""
        from regretful.core.files import save

        save(self, path)

    def __reduce__(self):
        slots, state = self._locked(lambda: (self._slots(), self._state()))
        return _remake, (type(self), self._rule(), slots, state, getattr(self, "__dict__", None))

    def __copy__(self):
        return self.__deepcopy__({})

    def __deepcopy__(self, memo):
        _, arguments = self.__reduce__()
        return _remake(*arguments)

    def __repr__(self):
        slots = [f"{name}={value!r}" for name, value in self._slots().items() if name in _SHOWN]
        return f"{type(self).__name__}({', '.join(slots)}) after {self.t:,} rounds"


_SHOWN = ("loss", "geometry", "domain", "rate")


def _remake(kind, rule, slots, state, attributes):
    learner = kind.__new__(kind)
    rule.__init__(learner, **slots)
    learner._restore(state)
    if attributes:
        learner.__dict__.update(attributes)
    return learner


def _chain(first, rest):
    yield first
    yield from rest


def _kept(keep):
    if keep is None or isinstance(keep, str):
        keep = () if keep is None else (keep,)
    names = tuple(keep) if hasattr(keep, "__iter__") else (keep,)
    unknown = [name for name in names if name not in ("average", "weighted", "random")]
    if unknown:
        raise ValueError(f'keep takes "average", "weighted" and "random", not {unknown[0]!r}')
    return names
