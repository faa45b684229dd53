"""The loop of Hedge: p_t ∝ p_0 exp(−η_t L_{t−1}) in the log domain, and what an account of it needs.

L, what each expert has lost, is kept to twice a double's digits, and the weights are made from it in every round, so
nothing is multiplied up: no weight can overflow, and those of hopeless experts go to 0 and may come back.
"""

import numpy as np

from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, exp, isfinite, log
from libc.stdint cimport int64_t

from regretful.core.bits cimport Bits, bits_of, uniform
from regretful.core.iterate cimport Sum, add, value
from regretful.core.rates cimport Rate

cdef enum:
    STRETCH = 4096  # rounds between two looks at the keyboard


cdef class Weights:
    """N weights under the losses of N experts. `generator`: what an expert is drawn with each round; None: no draws."""

    cdef readonly int64_t rounds
    cdef readonly Py_ssize_t size
    cdef readonly double eta             # η of the next round
    cdef readonly double last_eta        # η of the last one
    cdef readonly double max_spread      # the largest max_i ℓ_i − min_i ℓ_i of a round
    cdef readonly bint risen             # the rate has gone up, which no bound allows
    cdef readonly Py_ssize_t drawn       # whose turn it is; −1 without draws
    cdef readonly object generator
    cdef Rate rate
    cdef Sum _mixture, _sampled, _etas, _pushes
    cdef double[::1] log_prior, high, low, p, u
    cdef double top                      # ln Σ exp(u)
    cdef Bits* bits

    def __init__(self, const double[::1] log_prior, Rate rate, generator=None):
        self.size = log_prior.shape[0]
        self.log_prior = np.array(log_prior)
        self.high, self.low, self.p, self.u = np.zeros((4, self.size))
        self.rate = rate
        self.eta = self.last_eta = rate.next(1.0, 0.0)
        self.drawn = -1
        self._weigh()
        if generator is not None:
            self.generator = generator
            self.bits = bits_of(generator)
            self._draw()

    def worst(self, const double[:, ::1] table, double least, double most):
        """(row, expert) of the first loss outside [least, most] or not finite; None if there is none."""
        cdef Py_ssize_t t, i
        for t in range(table.shape[0]):
            for i in range(table.shape[1]):
                if not (isfinite(table[t, i]) and least <= table[t, i] <= most):
                    return t, i
        return None

    def learn(self, const double[:, ::1] table, double[::1] paid):
        """Rounds in their order: pay, record, weigh anew, draw."""
        cdef Py_ssize_t t, first, last
        if table.shape[1] != self.size or paid.shape[0] != table.shape[0]:
            raise ValueError("the table, the experts and what is paid are not of one game")
        for first in range(0, table.shape[0], STRETCH):
            PyErr_CheckSignals()
            last = min(first + STRETCH, table.shape[0])
            with nogil:
                for t in range(first, last):
                    paid[t] = self._round(&table[t, 0])

    cdef double _round(self, const double* losses) except? -1.0 nogil:
        cdef double mixture = 0.0, least = INFINITY, most = -INFINITY, spread, rest, total
        cdef double eta = self.rate.next(self.rounds + 2.0, 0.0)  # first, since a rate in Python may raise
        cdef double paid
        cdef Py_ssize_t i
        for i in range(self.size):
            mixture += self.p[i] * losses[i]
            least = min(least, losses[i])
            most = max(most, losses[i])
        paid = mixture if self.drawn < 0 else losses[self.drawn]
        spread = most - least
        self.max_spread = max(self.max_spread, spread)
        self.rounds += 1
        add(&self._mixture, mixture)
        add(&self._sampled, paid)
        add(&self._etas, self.eta)
        add(&self._pushes, self.eta * spread * spread)
        for i in range(self.size):
            total = self.high[i] + losses[i]
            rest = total - self.high[i]
            self.low[i] += (self.high[i] - (total - rest)) + (losses[i] - rest)
            self.high[i] = total
        self.risen = self.risen or eta > self.eta
        self.last_eta = self.eta
        self.eta = eta
        self._weigh()
        if self.drawn >= 0:
            self._draw()
        return paid

    cdef void _weigh(self) noexcept nogil:
        """p from p_0, η and L."""
        cdef double behind, top = -INFINITY, total = 0.0
        cdef Py_ssize_t i, best = 0
        for i in range(1, self.size):
            if (self.high[i] - self.high[best]) + (self.low[i] - self.low[best]) < 0.0:
                best = i
        for i in range(self.size):
            behind = (self.high[i] - self.high[best]) + (self.low[i] - self.low[best])
            self.u[i] = self.log_prior[i] - (self.eta * behind if behind > 0.0 else 0.0)
            top = max(top, self.u[i])
        for i in range(self.size):
            self.p[i] = exp(self.u[i] - top)
            total += self.p[i]
        for i in range(self.size):
            self.p[i] /= total
        self.top = top + log(total)

    cdef void _draw(self) noexcept nogil:
        """One expert from p."""
        cdef double left = uniform(self.bits)
        cdef Py_ssize_t i
        for i in range(self.size):
            if self.p[i] > 0.0:
                self.drawn = i
                left -= self.p[i]
                if left < 0.0:
                    return

    # What is asked of it.

    def weights(self):
        """p of the next round."""
        return np.array(self.p)

    def log_weights(self):
        """ln p, finite where p is too small for a double."""
        return np.array(self.u) - self.top

    def losses(self):
        """L, what each expert has lost."""
        return np.array(self.high) + np.array(self.low)

    def sums(self):
        """(Σ ⟨p, ℓ⟩, Σ of what was paid, Σ η, Σ η spread²)."""
        return value(&self._mixture), value(&self._sampled), value(&self._etas), value(&self._pushes)

    def state(self):
        """Everything needed to go on, but for the generator."""
        sums = [self._mixture, self._sampled, self._etas, self._pushes]
        return {
            "rounds": self.rounds, "max_spread": self.max_spread, "risen": bool(self.risen), "drawn": self.drawn,
            "sums": [[total["high"], total["low"]] for total in sums],
            "high": np.array(self.high), "low": np.array(self.low),
        }

    def restore(self, state, generator):
        """Take up what `state` gave."""
        self.rounds, self.max_spread, self.risen = state["rounds"], state["max_spread"], state["risen"]
        self.drawn = state["drawn"]
        self._mixture, self._sampled, self._etas, self._pushes = (
            {"high": high, "low": low} for high, low in state["sums"]
        )
        self.high, self.low = np.array(state["high"]), np.array(state["low"])
        self.eta = self.rate.next(self.rounds + 1.0, 0.0)
        self.last_eta = self.rate.next(max(self.rounds, 1), 0.0)
        self._weigh()
        self.generator = generator
        if generator is not None:
            self.bits = bits_of(generator)
