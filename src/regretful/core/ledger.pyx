"""The ledger: what a learner keeps of its rounds, in O(n) memory and O(nnz) a round.

L = Σ ℓ(y, p), A = Σ s p, G = Σ s x (slopes and losses times the example's weight), and the measured constants that the
theorems ask for. Sums are compensated, so that they stay right over 10⁸ rounds.
"""

from libc.math cimport fabs, sqrt

from regretful.core.iterate cimport Cell, add, value


cdef class Ledger:
    """The account of a run."""

    def __init__(self):
        self.w = Iterate()
        self.settled = Column()

    cdef void record(
        self, const Row* x, double p, double loss, double slope, double weight, bint mistake
    ) noexcept nogil:
        """Enter one round."""
        cdef double s = weight * slope
        cdef Cell* cells = self.w.at
        cdef const int* index = x.index
        cdef const double* values = x.value
        cdef Py_ssize_t j
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
        if s == 0.0:
            return
        add(&self._linear, s * p)
        add(&self._squares2, s * s * x.square)
        add(&self._squares_inf, s * s * x.peak * x.peak)
        if fabs(s) > self.max_slope:
            self.max_slope = fabs(s)
        if self.w.entered:
            self.w.entered = False
            return
        for j in range(x.size):
            cells[index[j]].G += s * values[j]

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
        """Σ s x, one number a coordinate (with an intercept, coordinate 0 is the intercept's)."""
        return self.settled.array[: self.size] + self.w.cells[: self.size, 1]

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

    def as_dict(self):
        """The account as plain numbers, and G as an array."""
        return {
            "rounds": self.rounds, "weight": self.weight, "loss": self.loss, "mean_loss": self.mean_loss,
            "mistakes": self.mistakes, "A": self.A, "G": self.G, "max_slope": self.max_slope,
            "max_norm2": self.max_norm2, "max_norm_inf": self.max_norm_inf, "squares2": self.squares2,
            "squares_inf": self.squares_inf,
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
            "recent": self.w.cells[:size, 1].copy(), "settled": self.settled.take(size),
        }

    def restore(self, state):
        """Take up what `state` gave."""
        self.rounds, self.mistakes = state["rounds"], state["mistakes"]
        self.max_slope, self.size = state["max_slope"], state["size"]
        self._max_square, self._max_peak = state["max_square"], state["max_peak"]
        self._weight, self._loss, self._linear, self._squares2, self._squares_inf = (
            {"high": high, "low": low} for high, low in state["sums"]
        )
        self.grow(len(state["recent"]))
        self.w.cells[:, 1] = 0.0
        self.w.cells[: len(state["recent"]), 1] = state["recent"]
        self.settled.put(state["settled"])

    def __reduce__(self):
        return _remake, (self.state(self.size),)


def _remake(state):
    ledger = Ledger()
    ledger.restore(state)
    return ledger
