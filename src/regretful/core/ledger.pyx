"""The ledger: what a learner keeps of its rounds, in O(n) memory and O(nnz) a round.

L = Σ ℓ(y, p), A = Σ s p, G = Σ s x (slopes and losses times the example's weight), and the measured constants that the
theorems ask for. Sums are compensated, so that they stay right over 10⁸ rounds.
"""

import numpy as np

from libc.math cimport INFINITY, fabs, pow, sqrt

from regretful.core.iterate cimport Cell, add, value

from regretful.core.certificate import certify
from regretful.core.domains import Domain
from regretful.core.parts import instance, number


cdef class Ledger:
    """The account of a run. `norms` names further norms to keep beside the 2- and the ∞-norm, such as (1, 3)."""

    def __init__(self, norms=()):
        self.w = Iterate()
        self.settled = Column()
        self.labels = self.stride = 1
        self.norms = ()
        for p in norms:
            self.ask(p)

    def ask(self, p):
        """Keep the largest ‖x‖_p and Σ s²‖x‖_p² too, from here on."""
        p = number("a norm", p, least=1.0, finite=False)
        if p in (2.0, INFINITY) or p in self.norms:
            return
        if len(self.norms) == MOST_NORMS:
            raise ValueError(f"a ledger keeps at most {MOST_NORMS} norms beside the 2- and the ∞-norm")
        self.norms = (*self.norms, p)
        self._powers[len(self.norms) - 1] = p

    cdef void record(
        self, const Row* x, double p, double loss, double slope, double weight, bint mistake
    ) noexcept nogil:
        """Enter one round."""
        cdef double s = weight * slope
        cdef Cell* cells = self.w.at
        cdef const int* index = x.index
        cdef const double* values = x.value
        cdef Py_ssize_t j
        cdef bint entered = self.w.entered
        self.w.entered = False
        self.rounds += 1
        self.mistakes += mistake
        add(&self._weight, weight)
        add(&self._loss, weight * loss)
        if x.width > self.size:
            self.size = x.width
        if x.square > self._max_square:
            self._max_square = x.square
        if x.peak > self._max_peak:
            self._max_peak = x.peak
        for j in range(MOST_NORMS):
            if self._powers[j] != 0.0:
                self._measure(x, s, j)
        if s == 0.0:
            return
        add(&self._linear, s * p)
        add(&self._squares2, s * s * x.square)
        add(&self._squares_inf, s * s * x.peak * x.peak)
        if fabs(s) > self.max_slope:
            self.max_slope = fabs(s)
        if entered:
            return
        for j in range(x.size):
            cells[index[j]].G += s * values[j]

    cdef void _measure(self, const Row* x, double s, Py_ssize_t k) noexcept nogil:
        """Enter ‖x‖_p for one of the norms that were asked for."""
        cdef double total = 0.0, norm, p = self._powers[k]
        cdef Py_ssize_t j
        if x.peak == 0.0:
            return
        for j in range(x.size):
            total += fabs(x.value[j]) if p == 1.0 else pow(fabs(x.value[j]) / x.peak, p)
        norm = total if p == 1.0 else x.peak * pow(total, 1.0 / p)
        if norm > self._norms[k]:
            self._norms[k] = norm
        add(&self._squares[k], s * s * norm * norm)

    cdef void fold(self) noexcept nogil:
        """Carry the recent part of G over: sums of sums lose fewer digits than one long sum."""
        cdef Cell* cells = self.w.at
        cdef double* settled = self.settled.at
        cdef Py_ssize_t i
        for i in range(self.size):
            settled[i] += cells[i].G
            cells[i].G = 0.0

    cdef grow(self, Py_ssize_t size):
        self.w.reserve(size)
        self.settled.reserve(size)

    @property
    def weight(self):
        """Σ of the examples' weights."""
        return value(&self._weight)

    @property
    def loss(self):
        """L, the cumulative loss."""
        return value(&self._loss)

    @property
    def mean_loss(self):
        """L over the weight of the examples; NaN before the first."""
        return self.loss / self.weight if self.weight else float("nan")

    @property
    def A(self):
        """Σ s p."""
        return value(&self._linear)

    @property
    def G(self):
        """Σ s x, one number a coordinate (with an intercept, coordinate 0 is the intercept's).

        Where every label has weights of its own, feature i of label k is coordinate i·labels + k.
        """
        whole = self.settled.array[: self.size] + self.w.cells[: self.size, 1]
        return whole if self.stride == 1 else whole.reshape(-1, self.stride)[:, : self.labels].ravel()

    @property
    def max_norm2(self):
        """R₂, the largest ‖x‖₂."""
        return sqrt(self._max_square)

    @property
    def max_norm_inf(self):
        """R∞, the largest ‖x‖∞."""
        return self._max_peak

    @property
    def squares2(self):
        """V₂ = Σ s²‖x‖₂²."""
        return value(&self._squares2)

    @property
    def squares_inf(self):
        """V∞ = Σ s²‖x‖∞²."""
        return value(&self._squares_inf)

    cdef Py_ssize_t _which(self, p) except -1:
        if p not in self.norms:
            raise ValueError(
                f"this ledger keeps no {p}-norm: ask for it when making the learner, ledger=({p},); "
                f"it has {', '.join(str(norm) for norm in (2, 'inf', *self.norms))}"
            )
        return self.norms.index(p)

    def max_norm(self, p):
        """R_p, the largest ‖x‖_p."""
        if p == 2:
            return self.max_norm2
        return self.max_norm_inf if p == INFINITY else self._norms[self._which(p)]

    def squares(self, p):
        """V_p = Σ s²‖x‖_p²."""
        if p == 2:
            return self.squares2
        return self.squares_inf if p == INFINITY else value(&self._squares[self._which(p)])

    def certificate(self, domain):
        """What this account proves about regret over the domain: A + σ(−G), whatever the learner was.

        >>> import regretful as rg
        >>> learner = rg.GradientDescent(rg.Absolute(), rate=0.5)
        >>> _ = learner.learn_many([[1.0], [1.0], [1.0]], [1.0, 1.0, 1.0])
        >>> learner.ledger.certificate(rg.Ball(1)).regret_at_most
        1.5
        """
        return certify(self, instance("domain", domain, Domain))

    def __add__(self, other):
        """The account of both: of two shards, or of two stretches of one stream."""
        cdef Ledger a = self, b, both
        cdef Py_ssize_t j, k
        if not isinstance(other, Ledger):
            return NotImplemented
        b = other
        norms = a.norms if a.rounds else b.norms or a.norms
        both = Ledger(tuple(p for p in norms if a._tells(p) and b._tells(p)))
        both.rounds, both.mistakes = a.rounds + b.rounds, a.mistakes + b.mistakes
        both._weight = joined(a._weight, b._weight)
        both._loss = joined(a._loss, b._loss)
        both._linear = joined(a._linear, b._linear)
        both._squares2 = joined(a._squares2, b._squares2)
        both._squares_inf = joined(a._squares_inf, b._squares_inf)
        both.max_slope = max(a.max_slope, b.max_slope)
        both._max_square = max(a._max_square, b._max_square)
        both._max_peak = max(a._max_peak, b._max_peak)
        for k, p in enumerate(both.norms):
            for one in (a, b):
                if p in (<Ledger> one).norms:
                    j = (<Ledger> one)._which(p)
                    both._norms[k] = max(both._norms[k], (<Ledger> one)._norms[j])
                    both._squares[k] = joined(both._squares[k], (<Ledger> one)._squares[j])
        both.labels = both.stride = max(a.labels, b.labels)
        for one in (a, b):
            part = spread(one.G, one.labels, both.labels)
            both.size = max(both.size, len(part))
            both.grow(both.size)
            both.settled.array[: len(part)] += part
        return both

    def _tells(self, p):
        """Whether it knows what this norm was in all its rounds."""
        return p in self.norms or not self.rounds

    def __radd__(self, other):
        """So that sum() works."""
        return self if other == 0 else NotImplemented

    def save(self, path):
        """Write the account to a file that `regretful.load` reads."""
        from regretful.core.files import save_ledger

        save_ledger(self, path)

    def as_dict(self):
        """The account as plain numbers, and G as an array."""
        return {
            "rounds": self.rounds, "weight": self.weight, "loss": self.loss, "mean_loss": self.mean_loss,
            "mistakes": self.mistakes, "A": self.A, "G": self.G, "max_slope": self.max_slope,
            "max_norm2": self.max_norm2, "max_norm_inf": self.max_norm_inf, "squares2": self.squares2,
            "squares_inf": self.squares_inf, "norms": {p: (self.max_norm(p), self.squares(p)) for p in self.norms},
        }

    def __repr__(self):
        return f"Ledger(rounds={self.rounds}, loss={self.loss:.6g}, mistakes={self.mistakes})"

    def state(self, size):
        """Everything needed to go on."""
        sums = [self._weight, self._loss, self._linear, self._squares2, self._squares_inf]
        return {
            "rounds": self.rounds, "mistakes": self.mistakes, "max_slope": self.max_slope, "size": self.size,
            "max_square": self._max_square, "max_peak": self._max_peak,
            "sums": [[total["high"], total["low"]] for total in sums],
            "norms": list(self.norms), "norm_most": [self._norms[k] for k in range(MOST_NORMS)], "norm_squares": [
                [self._squares[k].high, self._squares[k].low] for k in range(MOST_NORMS)
            ],
            "recent": self.w.cells[:size, 1].copy(), "settled": self.settled.take(size),
            "labels": [self.labels, self.stride],
        }

    def restore(self, state):
        """Take up what `state` gave."""
        self.rounds, self.mistakes = state["rounds"], state["mistakes"]
        self.max_slope, self.size = state["max_slope"], state["size"]
        self._max_square, self._max_peak = state["max_square"], state["max_peak"]
        self._weight, self._loss, self._linear, self._squares2, self._squares_inf = (
            {"high": high, "low": low} for high, low in state["sums"]
        )
        self.norms = ()
        for p in state["norms"]:
            self.ask(p)
        self._norms = state["norm_most"]
        self._squares = [{"high": high, "low": low} for high, low in state["norm_squares"]]
        self.labels, self.stride = state.get("labels", (1, 1))
        self.grow(len(state["recent"]))
        self.w.cells[:, 1] = 0.0
        self.w.cells[: len(state["recent"]), 1] = state["recent"]
        self.settled.put(state["settled"])

    def __reduce__(self):
        return _remake, (self.state(self.size),)


def spread(G, labels, more):
    """Sums laid out for so many labels, laid out for more."""
    return G if labels == more else np.pad(G.reshape(-1, labels), ((0, 0), (0, more - labels))).ravel()


cdef Sum joined(Sum a, Sum b) noexcept:
    add(&a, b.high)
    if b.low == b.low:  # else it has overflowed
        add(&a, b.low)
    return a


def _remake(state):
    ledger = Ledger()
    ledger.restore(state)
    return ledger
