"""The full-matrix geometry of the online Newton step, over the simplex: F(w) = ½ wᵀA w with A = ε I + Σ g gᵀ.

A step ends at the nearest point of the simplex in the norm of A, a quadratic program that is solved to rounding: the
weights that are 0 are known from the last round, and of A the inverse over the others is kept, so that a round costs
O(n²), and as much again for each weight that comes to 0 or leaves it.
"""

import numpy as np

cimport cython
from libc.math cimport fabs, fmax, fmin, isfinite, sqrt
from libc.string cimport memset

from regretful.core.domains cimport Domain, Simplex
from regretful.core.geometry cimport Geometry
from regretful.core.iterate cimport Cell, Row
from regretful.core.rates cimport Rate

from regretful.core.parts import number

cdef double ROUNDED = 1e-14     # of the numbers that a gradient is summed from, what may be rounding
cdef double LARGEST = 1e120     # of the entries of a slope: what is beyond would overflow in A
cdef double SINGULAR = 1e-15    # of a diagonal entry, what a Schur complement is at least


@cython.final
cdef class FullMatrix(Geometry):
    """F(w) = ½ wᵀA w, A = ε I + Σ (g x)(g x)ᵀ, this round's included: w ← Π_A(w − η A⁻¹ g x), Π_A nearest in A's norm.

    With the rate 1/β it is the online Newton step (Hazan, Agarwal and Kale 2007); lazy, w = Π_A(−η A⁻¹ Σ g x), that of
    Agarwal, Hazan, Kale and Schapire (2006). Over Simplex(scale), whose number of features is known beforehand.
    """

    cdef readonly double epsilon
    cdef Py_ssize_t n
    cdef object _matrix, _inverse, _factor, _slopes, _work, _free
    cdef double* A                  # n × n
    cdef double* M                  # the inverse of A over the free coordinates; 0 elsewhere
    cdef double* factor             # room for Cholesky's, when M is made afresh
    cdef double* slopes             # Σ g x, for lazy steps
    cdef double* c                  # the gradient of what a step minimises, at w
    cdef double* d                  # where to go from w
    cdef double* q
    cdef double* e
    cdef unsigned char* free        # not held at 0
    cdef Py_ssize_t frees

    def __cinit__(self, *args, **kwargs):
        self._allot(0)

    def __init__(self, epsilon=1.0):
        self.epsilon = number("epsilon", epsilon, above=0.0)

    def settings(self):
        """The arguments that make this part again."""
        return {"epsilon": self.epsilon}

    def bind(self, Domain domain, Rate rate, bint lazy):
        """Simplex only, and rates that do not ask for the norm of a gradient."""
        if not isinstance(domain, Simplex):
            raise ValueError(f"{self!r} knows how to come back to Simplex(scale), not to {domain!r}")
        if rate.adaptive:
            raise ValueError(f"{self!r} adapts by itself, and does not go with {rate!r}: give a number, such as 1/beta")
        self.domain = domain
        self.lazy = lazy

    def _allot(self, Py_ssize_t n):
        cdef double[::1] matrix, inverse, factor, slopes, work
        cdef unsigned char[::1] free
        cdef Py_ssize_t room = max(1, n)
        matrix = self._matrix = np.zeros(room * room)
        inverse = self._inverse = np.zeros(room * room)
        factor = self._factor = np.zeros(room * room)
        slopes = self._slopes = np.zeros(room)
        work = self._work = np.zeros(4 * room)
        free = self._free = np.ones(room, np.uint8)
        self.A, self.M, self.factor = &matrix[0], &inverse[0], &factor[0]
        self.slopes, self.free = &slopes[0], &free[0]
        self.c, self.d, self.q, self.e = &work[0], &work[room], &work[2 * room], &work[3 * room]
        self.n = self.frees = n

    def begin(self, n):
        """The uniform weights, and A = ε I."""
        if n < 1:
            raise ValueError("weights on a simplex need at least one feature")
        Geometry.begin(self, n)
        self._allot(n)
        self._matrix[:: n + 1] = self.epsilon
        self._inverse[:: n + 1] = 1.0 / self.epsilon
        self.w.assign(np.full(n, (<Simplex> self.domain).scale / n))

    def state(self, size):
        """The iterate, A, its inverse over the free coordinates, and the sum of slopes."""
        return {
            **Geometry.state(self, size), "n": self.n, "A": self._matrix.copy(), "M": self._inverse.copy(),
            "slopes": self._slopes.copy(), "free": self._free.copy(),
        }

    def restore(self, state):
        """Take up what `state` gave."""
        Geometry.restore(self, state)
        self._allot(state["n"])
        self._matrix[:], self._inverse[:], self._slopes[:] = state["A"], state["M"], state["slopes"]
        self._free[:] = state["free"]
        self.frees = int(np.count_nonzero(self._free[: self.n]))

    cdef int descend(self, const Row* x, double dot, double g, double eta) except -1 nogil:
        cdef Py_ssize_t j
        self._curve(x, g)
        memset(self.c, 0, self.n * sizeof(double))
        for j in range(x.size):
            self.c[x.index[j]] = eta * g * x.value[j]
        self._seek()
        return 0

    cdef int lead(self, const Row* x, double dot, double g, double eta) except -1 nogil:
        cdef Py_ssize_t i, j
        self._curve(x, g)
        for j in range(x.size):
            self.slopes[x.index[j]] += g * x.value[j]
        for i in range(self.n):
            self.d[i] = self.w.at[i].v
        self._times(self.A, self.d, self.c)
        for i in range(self.n):
            self.c[i] += eta * self.slopes[i]
        self._seek()
        return 0

    cdef void _curve(self, const Row* x, double g) noexcept nogil:
        """A += (g x)(g x)ᵀ, and its inverse by Sherman and Morrison."""
        cdef Py_ssize_t i, j
        cdef double slope, inner = 0.0
        memset(self.d, 0, self.n * sizeof(double))
        for j in range(x.size):
            self.d[x.index[j]] = fmax(-LARGEST, fmin(LARGEST, g * x.value[j]))
        for i in range(self.n):
            slope = self.d[i]
            if slope != 0.0:
                for j in range(self.n):
                    self.A[i * self.n + j] += slope * self.d[j]
        self._times(self.M, self.d, self.q)
        for i in range(self.n):
            inner += self.d[i] * self.q[i]
        self._add_square(self.q, -1.0 / (1.0 + inner))

    cdef void _seek(self) noexcept nogil:
        """To the minimum over the simplex of ½(u − w)ᵀA(u − w) + ⟨c, u − w⟩, by the active-set method, from w.

        c is carried along as the gradient where w is. Every move is to the minimum over the coordinates that are free,
        or towards it until one of them is 0. When the inverse has lost too many digits it is made afresh.
        """
        cdef Cell* w = self.w.at
        cdef Py_ssize_t _, i, blocked, worst, again = 0
        cdef double level, size, step, rest, away, low, total
        for _ in range(20 + 10 * self.n):  # more is only asked for by a tie that rounding cannot break
            if not self._aim():
                self._invert()
                if not self._aim():
                    break  # beyond what doubles tell apart: what has been found so far stays
            step, blocked = 1.0, -1
            for i in range(self.n):
                if self.free[i] and w[i].v < -step * self.d[i]:
                    step, blocked = w[i].v / -self.d[i], i
            size = level = 0.0
            for i in range(self.n):
                w[i].v += step * self.d[i]
                self.c[i] += step * self.q[i]
                level += self.c[i] / self.frees if self.free[i] else 0.0
                size = fmax(size, fmax(fabs(self.c[i]), self.A[i * self.n + i]))
            if blocked >= 0:
                self._hold(blocked)
                again = 0
                continue
            rest, worst, low = 0.0, -1, -ROUNDED * self.n * size
            for i in range(self.n):
                away = self.c[i] - level
                if self.free[i]:
                    rest = fmax(rest, fabs(away))
                elif away < low:
                    low, worst = away, i
            if rest > ROUNDED * self.n * size and again < 3:
                again += 1
                if again > 1:
                    self._invert()
            elif worst >= 0:
                self._release(worst)
                again = 0
            else:
                break
        total = 0.0
        for i in range(self.n):
            w[i].v = fmax(0.0, w[i].v)
            total += w[i].v
        for i in range(self.n):
            w[i].v *= (<Simplex> self.domain).scale / total

    cdef bint _aim(self) noexcept nogil:
        """d and q = A d; False if d leads nowhere near the minimum, as the inverse has lost its digits."""
        cdef Py_ssize_t i
        cdef double before = 0.0, after = 0.0, now = 0.0, then = 0.0, size = 0.0
        if not self._direction():
            return False
        self._times(self.A, self.d, self.q)
        for i in range(self.n):
            if self.free[i]:
                now += self.c[i] / self.frees
                then += (self.c[i] + self.q[i]) / self.frees
        for i in range(self.n):
            if self.free[i]:
                before = fmax(before, fabs(self.c[i] - now))
                after = fmax(after, fabs(self.c[i] + self.q[i] - then))
                size = fmax(size, fmax(fabs(self.c[i]), self.A[i * self.n + i]))
        return after <= 0.1 * before + ROUNDED * self.n * size

    cdef bint _direction(self) noexcept nogil:
        """d = −M c + λ M 1 with Σ d = 0, to the minimum over the free coordinates, where c is the same in all.

        False where rounding has left of M no inverse of a positive matrix.
        """
        cdef Py_ssize_t i, j
        cdef double along = 0.0, ones = 0.0, middle = 0.0, a, b, level
        cdef const double* row
        for i in range(self.n):
            if self.free[i]:
                middle += self.c[i] / self.frees
        for i in range(self.n):
            a = b = 0.0
            if self.free[i]:
                row = self.M + i * self.n
                if not row[i] > 0.0:
                    return False
                for j in range(self.n):
                    a += row[j] * (self.c[j] - middle)
                    b += row[j]
            self.d[i] = a
            self.e[i] = b
            along += a
            ones += b
        if not ones > 0.0:
            return False
        level = along / ones
        a = 0.0
        for i in range(self.n):
            self.d[i] = level * self.e[i] - self.d[i]
            a += self.d[i]
        for i in range(self.n):
            if self.free[i]:
                self.d[i] -= a / self.frees  # what rounding left of the sum
        return bool(isfinite(a))

    cdef void _hold(self, Py_ssize_t i) noexcept nogil:
        """Coordinate i stays at 0: its row and column leave the inverse."""
        cdef Py_ssize_t j
        cdef double corner = self.M[i * self.n + i]
        for j in range(self.n):
            self.e[j] = self.M[i * self.n + j]
        self._add_square(self.e, -1.0 / corner)  # corner > 0, as `_direction` has seen
        for j in range(self.n):
            self.M[i * self.n + j] = self.M[j * self.n + i] = 0.0
        self.w.at[i].v = 0.0
        self.free[i] = False
        self.frees -= 1

    cdef void _release(self, Py_ssize_t i) noexcept nogil:
        """Coordinate i may move: the inverse is bordered."""
        cdef Py_ssize_t j
        cdef const double* row = self.A + i * self.n
        cdef double corner = row[i]
        self._times(self.M, row, self.e)
        for j in range(self.n):
            corner -= row[j] * self.e[j]
        self.e[i] = -1.0
        self._add_square(self.e, 1.0 / fmax(corner, SINGULAR * row[i]))
        self.free[i] = True
        self.frees += 1

    cdef void _invert(self) noexcept nogil:
        """The inverse afresh, column by column from Cholesky's factors, which keep more digits than all those ranks."""
        cdef Py_ssize_t i, j, k, m, n = self.n
        cdef double total
        cdef double* L = self.factor
        memset(self.M, 0, n * n * sizeof(double))
        for i in range(n):
            if not self.free[i]:
                continue
            for j in range(i + 1):
                if not self.free[j]:
                    L[i * n + j] = 0.0
                    continue
                total = self.A[i * n + j]
                for k in range(j):
                    total -= L[i * n + k] * L[j * n + k]
                L[i * n + j] = sqrt(fmax(total, SINGULAR * self.A[i * n + i])) if i == j else total / L[j * n + j]
        for m in range(n):
            if not self.free[m]:
                continue
            for i in range(n):
                total = 1.0 if i == m else 0.0
                if self.free[i]:
                    for k in range(m, i):
                        total -= L[i * n + k] * self.e[k]
                    self.e[i] = total / L[i * n + i] if i >= m else 0.0
                else:
                    self.e[i] = 0.0
            for i in range(n - 1, -1, -1):
                if self.free[i]:
                    total = self.e[i]
                    for k in range(i + 1, n):
                        if self.free[k]:
                            total -= L[k * n + i] * self.e[k]
                    self.e[i] = total / L[i * n + i]
            for i in range(m + 1):
                self.M[i * n + m] = self.M[m * n + i] = self.e[i]

    cdef void _times(self, const double* matrix, const double* z, double* out) noexcept nogil:
        """out = matrix · z, for a symmetric matrix: row by row, so that sums need not wait for each other."""
        cdef Py_ssize_t i, j
        cdef const double* row
        memset(out, 0, self.n * sizeof(double))
        for i in range(self.n):
            if z[i] != 0.0:
                row = matrix + i * self.n
                for j in range(self.n):
                    out[j] += z[i] * row[j]

    cdef void _add_square(self, const double* z, double share) noexcept nogil:
        """M += share · z zᵀ."""
        cdef Py_ssize_t i, j
        cdef double part
        cdef double* row
        for i in range(self.n):
            part = share * z[i]
            if part != 0.0:
                row = self.M + i * self.n
                for j in range(self.n):
                    row[j] += part * z[j]

    cdef int refresh(self) except -1 nogil:
        self.w.stale = False
        return 0
