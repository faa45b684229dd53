"""The entropic geometry: exponentiated gradient on the simplex, and EG± on the L1 ball.

The weights' logarithms u are what is kept and stepped; v = exp(u) follows for the coordinates touched, and its sum Z is
kept in twice a double's digits, each exp(u) taken out exactly as it was put in. When Z has fallen far below what it
was, or a weight would overflow, all of v is made afresh from u.
"""

cimport cython
from libc.math cimport INFINITY, exp, expm1, fabs, fmax

from regretful.core.domains cimport Domain
from regretful.core.geometry cimport Geometry
from regretful.core.iterate cimport Column, Row, Sum, add, value
from regretful.core.rates cimport Rate

from regretful.core.domains import L1Ball, Simplex

cdef double TOP = 300.0          # exp(u) beyond this is not put into the sum
cdef double FALLEN = 1e-10       # so much of the sum gone: make it afresh


@cython.final
cdef class Entropy(Geometry):
    """F(w) = Σ w_i ln w_i on the simplex (notes 000, §3 and §4): w_i ∝ w_i exp(−η g x_i).

    Over L1Ball(U) it is EG±: two weights a coordinate, equal at the start, w_i = U (v_i⁺ − v_i⁻)/Σ(v⁺ + v⁻).
    """

    cdef Column u               # ln of the weights (of v⁺; v⁻ has −u), before the normalisation
    cdef Column mass            # v⁺ + v⁻; for the simplex it is v itself
    cdef Sum total              # Z, the sum of the masses
    cdef double most            # the largest Z since it was made afresh
    cdef double offset          # what is taken off every logarithm (EG± only: the simplex takes it off u itself)
    cdef double radius
    cdef double eta             # lazy with a changing rate: what multiplies u
    cdef bint paired            # EG±
    cdef bint constant

    def __cinit__(self, *args, **kwargs):
        self.u = Column()
        self.implicit = True
        self.eta = 1.0

    def bind(self, Domain domain, Rate rate, bint lazy):
        """Simplex and L1Ball."""
        if not isinstance(domain, (Simplex, L1Ball)):
            raise ValueError(
                f"Entropy() lives on Simplex(scale), or on L1Ball(radius) as EG±, not on {domain!r}; "
                "for other domains take Euclidean()"
            )
        self.domain = domain
        self.lazy = lazy
        self.paired = isinstance(domain, L1Ball)
        self.radius = domain.radius if self.paired else domain.scale
        self.constant = rate.constant
        self.local = not lazy or rate.constant
        self.mass = Column() if self.paired else None

    def begin(self, n):
        """The uniform weights."""
        if n < 1:
            raise ValueError("exponentiated gradient needs at least one feature")
        Geometry.begin(self, n)
        self.refresh()

    def columns(self):
        """The logarithms; v follows from them."""
        return {"u": self.u, "mass": self.mass} if self.paired else {"u": self.u}

    def state(self, size):
        """The iterate, and the sum over it."""
        return {
            **Geometry.state(self, size), "total": [self.total.high, self.total.low], "peak": self.most,
            "offset": self.offset, "eta": self.eta,
        }

    def restore(self, state):
        """Take up what `state` gave."""
        Geometry.restore(self, state)
        self.total.high, self.total.low = state["total"]
        self.most, self.offset, self.eta = state["peak"], state["offset"], state["eta"]

    cdef double dual_square(self, const Row* x) noexcept nogil:
        return x.peak * x.peak

    cdef inline bint _fits(self, double u) noexcept nogil:
        return (fabs(u) if self.paired else u) - self.offset <= TOP

    cdef inline double _mass(self, Py_ssize_t i) noexcept nogil:
        return self.mass.at[i] if self.paired else self.w.at[i].v

    cdef inline void _halves(self, double u, double* v, double* mass) noexcept nogil:
        """v and its mass at the logarithm u."""
        cdef double one, less
        if not self.paired:
            v[0] = mass[0] = exp(u)
            return
        one = exp(fabs(u) - self.offset)
        less = expm1(-2.0 * fabs(u))
        v[0] = -one * less if u >= 0.0 else one * less
        mass[0] = one * (2.0 + less)

    cdef int descend(self, const Row* x, double dot, double g, double eta) except -1 nogil:
        cdef Py_ssize_t i, j
        cdef double u, v, mass, delta = eta * g
        for j in range(x.size):
            i = x.index[j]
            u = self.u.at[i] - delta * x.value[j]
            self.u.at[i] = u
            if not self._fits(u):
                self.w.stale = True  # v and Z wait, as they are, for the refresh that comes before the next round
                continue
            self._halves(u, &v, &mass)
            add(&self.total, -self._mass(i))
            add(&self.total, mass)
            self.w.at[i].v = v
            if self.paired:
                self.mass.at[i] = mass
        self._normalise()
        return 0

    cdef void _normalise(self) noexcept nogil:
        cdef double total = value(&self.total)
        if total > self.most:
            self.most = total
        if not total > FALLEN * self.most:
            self.w.stale = True
        else:
            self.w.scale = self.radius / total

    cdef int lead(self, const Row* x, double dot, double g, double eta) except -1 nogil:
        cdef Py_ssize_t j
        cdef double* u = self.u.at
        if self.constant:
            return self.descend(x, dot, g, eta)
        for j in range(x.size):
            u[x.index[j]] -= g * x.value[j]
        self.eta = eta
        return self.refresh()

    cdef double ahead(self, const Row* x, double dot, double delta) noexcept nogil:
        cdef Py_ssize_t i, j
        cdef double u, v, mass, shift = 0.0, rest = value(&self.total), numerator = dot, gone = 1.0
        for j in range(x.size):
            u = self.u.at[x.index[j]] - delta * x.value[j]
            shift = fmax(shift, (fabs(u) if self.paired else u) - self.offset - TOP)
        if shift > 0.0:
            gone = exp(-shift)
        rest *= gone
        numerator *= gone
        self.offset += shift
        for j in range(x.size):
            i = x.index[j]
            u = self.u.at[i] - delta * x.value[j]
            self._halves(u if self.paired else u - shift, &v, &mass)
            rest += mass - gone * self._mass(i)
            numerator += (v - gone * self.w.at[i].v) * x.value[j]
        self.offset -= shift
        return self.radius * numerator / rest

    cdef int refresh(self) except -1 nogil:
        """v and Z from u; the largest weight becomes 1."""
        cdef Py_ssize_t i
        cdef double* u = self.u.at
        cdef double v, mass, top = -INFINITY
        for i in range(self.w.size):
            top = fmax(top, fabs(self.u.at[i]) if self.paired else self.u.at[i])
        self.total.high = self.total.low = 0.0
        self.offset = self.eta * top if self.paired else 0.0
        for i in range(self.w.size):
            if not self.paired:
                u[i] -= top  # weights on a simplex do not change when all logarithms move together
            self._halves(self.eta * self.u.at[i], &v, &mass)
            self.w.at[i].v = v
            if self.paired:
                self.mass.at[i] = mass
            add(&self.total, mass)
        self.most = value(&self.total)
        self.w.scale = self.radius / self.most
        self.w.stale = False
        return 0
