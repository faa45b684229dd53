"""The choice of labels to ask for, with chance b/(b + |p|); and what is known of the rounds.

Only the coins and the counts live here. Whose loop asks them is in linear.pyx, who hands them out in learners.
"""

import numpy as np

from libc.math cimport INFINITY, fabs, sqrt

from regretful.core.bits cimport bits_of, uniform
from regretful.core.iterate cimport add, value


cdef class Choice:
    """Coins for rounds that come. `book`: the ledger to enter every round in whose label is known, or None.

    The number of the next round is drawn ahead, so whether its label will be asked for can be told beforehand.
    """

    def __init__(self, double b, generator, book):
        self.b = b
        self.book = self.account = book
        self._draw_with(generator)
        self.ahead = uniform(self.bits)
        self.mark(0)

    def _draw_with(self, generator):
        self.generator = generator
        self.bits = bits_of(generator)

    def mark(self, Py_ssize_t rows):
        """Note which of so many rows will be asked for."""
        cdef unsigned char[::1] marks
        self.kept = np.zeros(rows, np.uint8)
        self.marks = NULL
        if rows:
            marks = self.kept
            self.marks = &marks[0]

    @property
    def marked(self):
        """Which of the rows were asked for."""
        return self.kept.astype(bool)

    cdef double chance(self, double p) noexcept nogil:
        """b/(b + |p|)."""
        return 1.0 if self.b == INFINITY else self.b / (self.b + fabs(p))

    cdef bint asks(self, double p) noexcept nogil:
        """Whether the label of the round to come will be asked for. Changes nothing."""
        return self.ahead < self.chance(p)

    def wants(self, double p):
        """Whether the label of the round to come will be asked for, if it predicts p. Changes nothing."""
        return bool(self.asks(p))

    def ask(self, double p):
        """Play a round whose label will come later; whether it is asked for."""
        cdef bint asked = self.asks(p)
        self.draw(-1, asked)
        return bool(asked)

    cdef void draw(self, int64_t row, bint asked) noexcept nogil:
        """The round is over."""
        self.rounds += 1
        self.asked += asked
        if self.marks != NULL and row >= 0:
            self.marks[row] = asked
        self.ahead = uniform(self.bits)

    cdef void enter(
        self, const Row* x, double p, double loss, double slope, double weight, bint mistake, bint told
    ) noexcept nogil:
        """A label is known. If it was asked for, its round stands for 1/q rounds, q the chance that it was."""
        cdef double q = self.chance(p), often = (1.0 - q) / (q * q), paid = weight * loss
        if self.account is not None:
            self.account.record(x, p, loss, slope, weight, mistake)
            if self.account.rounds % (1 << 18) == 0:
                self.account.fold()
        if not told:
            return
        self.told += 1
        add(&self._losses, paid / q)
        add(&self._loss_squares, paid * paid * often)
        if mistake:
            add(&self._mistakes, 1.0 / q)
            add(&self._mistake_squares, often)

    def estimate(self, of):
        """(estimate, standard error) of what all rounds made, from those that were asked for."""
        if of == "mistakes":
            return value(&self._mistakes), sqrt(value(&self._mistake_squares))
        return value(&self._losses), sqrt(value(&self._loss_squares))

    def state(self):
        """Everything needed to go on; the generator's as NumPy gives it."""
        sums = [self._losses, self._loss_squares, self._mistakes, self._mistake_squares]
        return {
            "rounds": self.rounds, "asked": self.asked, "told": self.told, "ahead": self.ahead,
            "sums": [[total["high"], total["low"]] for total in sums],
            "book": None if self.account is None else self.account.state(self.account.size),
            "generator": dict(self.generator.bit_generator.state),
        }

    def restore(self, state, generator):
        """Take up what `state` gave; the generator goes on from there already."""
        self.rounds, self.asked, self.told = state["rounds"], state["asked"], state["told"]
        self.ahead = state["ahead"]
        self._losses, self._loss_squares, self._mistakes, self._mistake_squares = (
            {"high": high, "low": low} for high, low in state["sums"]
        )
        if self.account is not None:
            self.account.restore(state["book"])
        self._draw_with(generator)
