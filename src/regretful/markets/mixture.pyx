"""The loop of a mixture of constantly rebalanced portfolios: w_{t+1} = Σ p_0(k) W_k b_k / Σ p_0(k) W_k.

W_k is the wealth of portfolio b_k so far: a product that is kept in logarithms, brought up to date every few rounds.
What the portfolios are, and what they are called, is said elsewhere.
"""

import numpy as np

from libc.math cimport INFINITY, exp, fmax, log
from libc.math cimport pow as power
from libc.stdint cimport int64_t

from regretful.core.iterate cimport Row, Sum, add, value
from regretful.core.linear cimport Linear

from regretful.core.domains import Simplex
from regretful.core.euclidean import Euclidean
from regretful.core.losses import LogWealth
from regretful.core.rates import Constant

cdef double TINY = 1e-150       # a product below this, or above its inverse, goes into the logarithm at once
cdef int64_t FOLD = 64          # rounds after which all products do


cdef class Mixture(Linear):
    """A fixed set of constantly rebalanced portfolios, the wealth shared out among them at the start and left alone.

    Its wealth is Σ p_0(k) W_k, so −ln of it is at most ln 1/p_0(k) above that of b_k, whatever the market: Hedge with
    the rate 1 on the losses −ln⟨b_k, x⟩.

    portfolios: one a row, from 0 on and of sum 1. prior: p_0, uniform by default. keep, seed, ledger: as for every
    linear learner.

    >>> import regretful as rg
    >>> hold = rg.markets.Mixture([[1.0, 0.0], [0.0, 1.0]])  # half in each of two stocks, and left alone
    >>> hold.learn_many([[2.0, 1.0], [2.0, 1.0]]).round(6)
    array([1.5     , 1.666667])
    >>> hold.weights
    array([0.8, 0.2])

    Reference: Cover (1991); Blum and Kalai (1999); notes 004, Theorem 14, where losses need no bound at the rate 1.
    """

    cdef Py_ssize_t count           # portfolios
    cdef object _columns            # the portfolios, a row for each asset
    cdef object _prior, _sums, _work
    cdef double* b                  # the columns' numbers
    cdef double* log_prior
    cdef Sum* logs                  # ln W_k, up to what `made` holds
    cdef double* made               # W_k since then
    cdef double* base               # p_0 W_k then, over that of the best
    cdef double* mass               # base · made
    cdef double* gain               # ⟨b_k, x⟩ of this round
    cdef double top

    def __init__(self, portfolios, prior=None, *, keep=(), seed=0, ledger=True):
        table = np.array(portfolios, dtype=np.float64)
        if table.ndim != 2 or 0 in table.shape:
            raise ValueError(f"portfolios must be a table, one a row, not of shape {table.shape}")
        wrong = np.flatnonzero(~((table >= 0.0).all(axis=1) & (abs(table.sum(axis=1) - 1.0) < 1e-9)))
        if len(wrong):
            raise ValueError(
                f"portfolio {wrong[0]}: shares are at least 0 and sum to 1, not {table[wrong[0]].tolist()}"
            )
        chances = np.full(len(table), 1.0 / len(table)) if prior is None else np.array(prior, dtype=np.float64)
        if chances.shape != (len(table),) or not (np.isfinite(chances).all() and (chances > 0.0).all()):
            raise ValueError(f"the prior must be {len(table)} numbers above 0, one a portfolio")
        self._assemble(
            LogWealth(), Euclidean(), Simplex(), Constant(1.0), lazy=True, intercept=False, n=table.shape[1],
            features=None, keep=keep, seed=seed, ledger=ledger,
        )
        self.local = False
        if abs(chances.sum() - 1.0) > 1e-12:  # one that has been scaled stays, to the last bit
            chances /= chances.sum()
        self._columns, self._prior = np.ascontiguousarray(table.T), chances
        self._allot()
        self.w.assign(self._prior @ table)

    def _allot(self):
        cdef double[:, ::1] columns, work, sums
        self.count = len(self._prior)
        columns = self._columns
        work = self._work = np.zeros((5, self.count))
        sums = self._sums = np.zeros((self.count, 2))
        self._work[0] = np.log(self._prior)
        self._work[1] = 1.0
        self.b, self.logs = &columns[0, 0], <Sum*> &sums[0, 0]
        self.log_prior, self.made, self.base = &work[0, 0], &work[1, 0], &work[2, 0]
        self.mass, self.gain = &work[3, 0], &work[4, 0]
        self._fold()

    cdef int _step(self, const Row* x, double dot, double y, double weight, double slope, bint mistake) except -1 nogil:
        self._before_move(x)
        if self._gains(x, weight) < 0.0:
            with gil:
                raise ValueError(f"{self._where()}a portfolio would lose more than all: price relatives are above 0")
        self._weigh((self.t + 1) % FOLD == 0)
        return 0

    cdef double _gains(self, const Row* x, double weight) noexcept nogil:
        """⟨b_k, x⟩ for every k, and the least of them."""
        cdef Py_ssize_t j, k
        cdef double part, least = INFINITY
        cdef const double* column
        for k in range(self.count):
            self.gain[k] = 0.0
        for j in range(x.size):
            part = x.value[j]
            column = self.b + x.index[j] * self.count
            for k in range(self.count):
                self.gain[k] += part * column[k]
        for k in range(self.count):
            least = self.gain[k] if self.gain[k] < least else least
        if weight != 1.0:
            for k in range(self.count):
                self.gain[k] = power(self.gain[k], weight)
        return least

    cdef void _weigh(self, bint due) noexcept nogil:
        """The wealth of each, and the weights that follow."""
        cdef Py_ssize_t i, k
        cdef double made, total = 0.0, share
        cdef const double* column
        for k in range(self.count):
            made = self.made[k] * self.gain[k]
            if not TINY < made < 1.0 / TINY:
                add(&self.logs[k], log(self.made[k]))
                add(&self.logs[k], log(self.gain[k]))
                made = 1.0
                self.base[k] = exp(self.log_prior[k] + value(&self.logs[k]) - self.top)
            self.made[k] = made
            self.mass[k] = self.base[k] * made
            total += self.mass[k]
        if due or not TINY < total < 1.0 / TINY:
            total = self._fold()
        for i in range(self.w.size):
            column = self.b + i * self.count
            share = _inner(column, self.mass, self.count)
            self.w.at[i].v = share / total

    cdef double _fold(self) noexcept nogil:
        """All products into the logarithms; Σ p_0 W_k, over that of the best."""
        cdef Py_ssize_t k
        cdef double total = 0.0
        self.top = -INFINITY
        for k in range(self.count):
            if self.made[k] != 1.0:
                add(&self.logs[k], log(self.made[k]))
                self.made[k] = 1.0
            self.top = fmax(self.top, self.log_prior[k] + value(&self.logs[k]))
        for k in range(self.count):
            self.base[k] = self.mass[k] = exp(self.log_prior[k] + value(&self.logs[k]) - self.top)
            total += self.mass[k]
        return total

    # What is asked of it.

    @property
    def portfolios(self):
        """The portfolios b_k, one a row."""
        return np.ascontiguousarray(self._columns.T)

    @property
    def prior(self):
        """How the wealth was shared out among them at the start."""
        return self._prior.copy()

    @property
    def log_wealths(self):
        """The logarithms of W_k, what each portfolio made of 1."""
        return self._locked(lambda: self._sums.sum(axis=1) + np.log(self._work[1]))

    @property
    def shares(self):
        """How the wealth is shared out among them now: p_0(k) W_k / Σ p_0 W."""
        return self._locked(lambda: self._work[2] * self._work[1] / (self._work[2] @ self._work[1]))

    def _rule(self):
        return Mixture

    def _slots(self):
        slots = Linear._slots(self)
        return {
            "portfolios": self.portfolios, "prior": self._prior.copy(),
            **{name: slots[name] for name in ("keep", "seed", "ledger")},
        }

    def _state(self, names=True):
        return {**Linear._state(self, names), "sums": self._sums.copy(), "work": self._work.copy(), "top": self.top}

    def _restore(self, state):
        Linear._restore(self, state)
        self._sums[:], self._work[:], self.top = state["sums"], state["work"], state["top"]


cdef double _inner(const double* a, const double* b, Py_ssize_t n) noexcept nogil:
    """⟨a, b⟩, eight sums side by side."""
    cdef double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0, s4 = 0.0, s5 = 0.0, s6 = 0.0, s7 = 0.0
    cdef Py_ssize_t k = 0
    while k + 8 <= n:
        s0 += a[k] * b[k]
        s1 += a[k + 1] * b[k + 1]
        s2 += a[k + 2] * b[k + 2]
        s3 += a[k + 3] * b[k + 3]
        s4 += a[k + 4] * b[k + 4]
        s5 += a[k + 5] * b[k + 5]
        s6 += a[k + 6] * b[k + 6]
        s7 += a[k + 7] * b[k + 7]
        k += 8
    while k < n:
        s0 += a[k] * b[k]
        k += 1
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
