"""The two rules: mirror descent, from where the weights are; follow the regularised leader, from all slopes so far."""

from libc.math cimport fmax, fmin, isfinite

from regretful.core.iterate cimport Row
from regretful.core.linear cimport Linear

from regretful.core.domains import Everywhere
from regretful.core.euclidean import Euclidean
from regretful.core.leader import Memory
from regretful.core.parts import number
from regretful.core.rates import Constant


cdef class MirrorDescent(Linear):
    """∇F(w) ← ∇F(w) − η_t s_t x_t, then back into the domain (notes 000, §4 (B); 004, Algorithm 3).

    conservative: a step only after a mistake, y p ≤ 0. implicit: the slope is taken where the step leads
    (notes 003, §2). l2: each step also shrinks the weights, w ← (1 − η_t l2) w − η_t s x. intercept: one more feature
    that is always 1, treated like every other.

    n: the number of features, for learners that start from it. features: `Hashing(bits)` to bound memory. keep: which
    of "average", "weighted", "random" to keep of the iterates. seed: for the random iterate. ledger: keep the account.
    """

    def __init__(
        self, loss, geometry=None, domain=None, rate=0.1, *, conservative=False, implicit=False, intercept=False,
        l2=0.0, n=None, features=None, keep=(), seed=0, ledger=True,
    ):
        self._assemble(
            loss, Euclidean() if geometry is None else geometry, Everywhere() if domain is None else domain, rate,
            lazy=False, intercept=intercept, n=n, features=features, keep=keep, seed=seed, ledger=ledger,
        )
        self.conservative, self.implicit, self.l2 = conservative, implicit, number("l2", l2, least=0.0)
        self.euclidean = isinstance(self.kernel, Euclidean)
        # The search for an implicit step may fail in a user's loss, when an adaptive rate has moved on already.
        self.fragile = self.fragile or (self.implicit and self.loss.python)
        if self.conservative and not self.loss.classification:
            raise ValueError(
                f"conservative steps follow mistakes, and {self.loss!r} knows none: take Hinge or Logistic"
            )
        if self.implicit and not self.kernel.implicit:
            raise ValueError(f"implicit steps work with Euclidean, Entropy and PNorm, not with {self.kernel!r}")
        if self.l2 and not isinstance(self.kernel, Euclidean):
            raise ValueError(f"l2 shrinks weights at O(1) in the Euclidean geometry only, not with {self.kernel!r}")
        if self.l2 and self.implicit:
            raise ValueError("l2 and implicit steps do not go together: bound the weights with Ball(radius) instead")
        if self.l2 and not self.domain.contains([0.0] * max(1, self.features.size)):
            raise ValueError(f"l2 shrinks towards 0, which is not in {self.domain!r}")

    cdef int _step(self, const Row* x, double dot, double y, double weight, double slope, bint mistake) except -1 nogil:
        cdef double g = weight * slope, eta, delta
        if g == 0.0 or (self.conservative and not mistake):
            if self.l2 == 0.0:
                return self._before_move(x)
            g = 0.0
        eta = self.pace.next(self.t + 1, g * g * self.kernel.dual_square(x) if self.pace.adaptive else 0.0)
        delta = self._implicit_step(x, dot, y, weight, eta, slope) if self.implicit else eta * g
        if not isfinite(delta * x.square * delta):
            with gil:
                raise self._too_far(self.w.scale * dot, delta)
        self._before_move(x)
        if self.l2 != 0.0:
            self.kernel.shrink(1.0 - eta * self.l2)
            if eta * self.l2 == 1.0:
                dot = 0.0
        if self.implicit:
            return self.kernel.descend(x, dot, delta, 1.0)
        if g == 0.0:
            return 0
        return self.kernel.descend(x, dot, g, eta)

    cdef double _implicit_step(
        self, const Row* x, double dot, double y, double weight, double eta, double slope
    ) except? -1.0 nogil:
        """delta = η weight s with s the slope at the prediction after the step."""
        cdef double low, high, middle, s = 0.0, p
        cdef int _
        if weight == 0.0 or x.square == 0.0:
            return 0.0
        if self.euclidean:
            return self.loss.step(self.w.scale * dot, y, eta * weight, x.square)
        low = fmin(0.0, eta * weight * slope)
        high = fmax(0.0, eta * weight * slope)
        for _ in range(200):
            middle = 0.5 * (low + high)
            if middle <= low or middle >= high:
                break
            p = self.kernel.ahead(x, dot, middle)
            self.loss.pay(p, y, &s)
            if eta * weight * s > middle:
                low = middle
            else:
                high = middle
        return 0.5 * (low + high)

    def _rule(self):
        return MirrorDescent

    def _slots(self):
        return {
            **Linear._slots(self), "conservative": bool(self.conservative), "implicit": bool(self.implicit),
            "l2": self.l2,
        }


cdef class FollowTheRegularizedLeader(Linear):
    """w_{t+1} = argmin over the domain of ⟨Σ s x, w⟩ + F(w)/η_t (notes 000, §4 (A)), the losses linearised.

    exact: argmin of Σ ℓ(y, ⟨w, x⟩) + F(w)/η_t, the losses as they are. It keeps every example and solves a batch
    problem each round: for small games.
    """

    cdef readonly object memory     # the examples, for exact steps

    def __init__(
        self, loss, geometry=None, domain=None, rate=0.1, *, exact=False, intercept=False, n=None, features=None,
        keep=(), seed=0, ledger=True,
    ):
        self._assemble(
            loss, Euclidean() if geometry is None else geometry, Everywhere() if domain is None else domain, rate,
            lazy=True, intercept=intercept, n=n, features=features, keep=keep, seed=seed, ledger=ledger,
        )
        if exact:
            self._remember(Memory(self.loss, self.kernel.copy_settings(), self.domain))

    def _remember(self, memory):
        self.memory = memory
        self.python, self.fragile, self.local = True, True, False

    cdef int _step(self, const Row* x, double dot, double y, double weight, double slope, bint mistake) except -1 nogil:
        cdef double g = weight * slope, eta
        if self.memory is None and g == 0.0 and self.pace.constant:
            return self._before_move(x)
        eta = self.pace.next(self.t + 1, g * g * self.kernel.dual_square(x) if self.pace.adaptive else 0.0)
        if not isfinite(eta * g * x.peak):
            with gil:
                raise self._too_far(self.w.scale * dot, eta * g)
        self._before_move(x)
        if self.memory is None:
            return self.kernel.lead(x, dot, g, eta)
        with gil:
            self.memory.add([x.index[j] for j in range(x.size)], [x.value[j] for j in range(x.size)], y, weight)
            self.w.assign(self.memory.leader(eta, self.w.array()))
        return 0

    def _rule(self):
        return FollowTheRegularizedLeader

    def _slots(self):
        return {**Linear._slots(self), "exact": self.memory is not None}

    def _state(self, names=True):
        state = Linear._state(self, names)
        if self.memory is not None:
            state["memory"] = self.memory.state()
        return state

    def _restore(self, state):
        Linear._restore(self, state)
        if self.memory is not None:
            self.memory.restore(state["memory"])


cdef class FollowTheLeader(FollowTheRegularizedLeader):
    """w_{t+1} = argmin over the domain of Σ ℓ(y, ⟨w, x⟩): the best so far, with nothing to hold it back (notes 001).

    Among several leaders it takes the one nearest to its last iterate, as far as the solver tells. It keeps every
    example and solves a batch problem each round: for small games.
    """

    def __init__(self, loss, domain=None, *, intercept=False, n=None, features=None, keep=(), seed=0, ledger=True):
        self._assemble(
            loss, Euclidean(), Everywhere() if domain is None else domain, Constant(1.0), lazy=True,
            intercept=intercept, n=n, features=features, keep=keep, seed=seed, ledger=ledger,
        )
        self._remember(Memory(self.loss, None, self.domain))

    def _rule(self):
        return FollowTheLeader

    def _slots(self):
        return {
            name: value for name, value in Linear._slots(self).items() if name not in ("geometry", "rate")
        }
