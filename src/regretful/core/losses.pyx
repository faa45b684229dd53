"""Losses l(y, p): value, slope in p, conjugate, implicit step, constants.

One class a loss. `pay` is what the loop calls: value and slope together. Notation: q = y p for the classification
losses (y is -1 or +1), r = p - y for the others.
"""

from collections import namedtuple

import numpy as np

cimport cython
from libc.math cimport INFINITY, NAN, copysign, exp, fabs, fmax, fmin, isfinite, isnan, log, log1p, sqrt

from regretful.core.parts import number

Constants = namedtuple("Constants", "lipschitz smoothness curvature exp_concavity")
Constants.__doc__ = """Bounds on l(y, .) over a stated range of p and y.

sup |l'|, sup l'' (inf at a kink), inf l'', and the largest a for which exp(-a l) is concave.
"""


cdef class Loss(Part):
    """A convex loss l(y, p). To write your own, subclass it with `value(p, y)` and `slope(p, y)` in Python.

    >>> import regretful as rg
    >>> class Cubic(rg.Loss):
    ...     def value(self, p, y): return abs(p - y) ** 3
    ...     def slope(self, p, y): return 3 * (p - y) * abs(p - y)
    >>> rg.GradientDescent(Cubic(), rate=0.1).learn_one([1.0, 2.0], 1.0)
    0.0

    Set the class attribute `classification = True` when the labels are -1 and +1.
    """

    def __cinit__(self, *args, **kwargs):
        self.python = type(self).__module__ != __name__
        self.labelled = True
        self.classification = getattr(type(self), "classification", False) is True
        missing = [name for name in ("value", "slope") if getattr(type(self), name) is getattr(Loss, name)]
        if type(self) is Loss or (self.python and missing):
            raise TypeError(
                f"{type(self).__name__} must define {' and '.join(missing)}: a loss is a subclass of Loss "
                "with value(p, y) and slope(p, y)"
            )

    # What the loop calls. A loss in Python is asked through its methods.

    cdef double pay(self, double p, double y, double* slope) except? -1.0 nogil:
        with gil:
            slope[0] = self.slope(p, y)
            return self.value(p, y)

    cdef double step(self, double p, double y, double eta, double square) except? -1.0 nogil:
        """eta times the slope s at p - eta s ‖x‖²: the root of s = slope(p - eta s ‖x‖²), by bisection."""
        cdef double s, low, high, middle
        cdef int _
        self.pay(p, y, &s)
        if s == 0.0 or square == 0.0 or eta == 0.0:
            return eta * s
        low = fmin(0.0, s)
        high = fmax(0.0, s)
        for _ in range(200):
            middle = 0.5 * (low + high)
            if middle <= low or middle >= high:
                break
            self.pay(p - eta * middle * square, y, &s)
            if s > middle:
                low = middle
            else:
                high = middle
        return eta * 0.5 * (low + high)

    cdef double dual(self, double s, double y) except? -1.0:
        """sup over p of s p - l(y, p), by golden section over a bracket that grows."""
        cdef double centre = 0.0, slope, left, right, a, b
        cdef int _
        # The supremum is where the slope is s: walk out until the slopes on both sides enclose s.
        left, right = -1.0, 1.0
        for _ in range(1000):
            self.pay(left, y, &slope)
            if slope <= s:
                break
            left *= 2.0
            if left < -1e100:
                return INFINITY
        for _ in range(1000):
            self.pay(right, y, &slope)
            if slope >= s:
                break
            right *= 2.0
            if right > 1e100:
                return INFINITY
        for _ in range(300):
            centre = 0.5 * (left + right)
            if centre <= left or centre >= right:
                break
            self.pay(centre, y, &slope)
            if slope < s:
                left = centre
            else:
                right = centre
        a = s * left - self.pay(left, y, &slope)
        b = s * right - self.pay(right, y, &slope)
        return fmax(a, b)

    cdef double canonical(self, double y) noexcept nogil:
        """The label as the loss takes it (0 and 1 become -1 and +1), NaN if it takes no such label."""
        if self.classification:
            if y == 1.0:
                return 1.0
            if y == -1.0 or y == 0.0:
                return -1.0
            return NAN
        return y if isfinite(y) else NAN

    cdef Py_ssize_t canonical_many(self, const double* y, double* labels, Py_ssize_t n) noexcept nogil:
        """Fill in `labels`; the place of the first label the loss does not take, or n."""
        cdef Py_ssize_t i
        for i in range(n):
            labels[i] = self.canonical(y[i])
            if isnan(labels[i]):
                return i
        return n

    cdef bint plain_signs(self, const double* y, Py_ssize_t n) noexcept nogil:
        """Whether the labels are all -1 and +1 for a loss that takes these: then they can be read where they lie."""
        cdef Py_ssize_t i
        cdef int other = not self.classification
        for i in range(n):
            other |= (y[i] != 1.0) & (y[i] != -1.0)
        return not other

    # What people call: the same for numbers and arrays.

    def value(self, p, y):
        """l(y, p)."""
        return _each(self, _VALUE, p, y, 0.0)

    def slope(self, p, y):
        """An element of the subdifferential of l(y, .) at p."""
        return _each(self, _SLOPE, p, y, 0.0)

    def conjugate(self, s, y):
        """l*(s) = sup over p of s p - l(y, p); inf where that has no bound."""
        return _each(self, _CONJUGATE, s, y, 0.0)

    def implicit_slope(self, p, y, k):
        """The slope s at the point p - k s that a step of size k = eta ‖x‖² leads to (notes 003, §2)."""
        return _each(self, _IMPLICIT, p, y, k)

    def constants(self, low, high, labels=None):
        """`Constants` of l(y, .) for p in [low, high] and y in labels = (least, most), by default [low, high]."""
        raise NotImplementedError(f"{type(self).__name__} declares no constants: define constants(low, high, labels)")

    @property
    def label_range(self):
        """In words, the labels this loss takes."""
        if self.classification:
            return "-1 or +1 (or 0, 1, False, True, which mean the same)"
        return "any finite number"


cdef enum:
    _VALUE, _SLOPE, _CONJUGATE, _IMPLICIT


cdef double _ask(Loss loss, int what, double a, double y, double k) except? -1.0:
    cdef double slope = 0.0, value
    cdef double label = loss.canonical(y)
    if isnan(label):
        raise ValueError(f"label {y!r} is not one {loss!r} takes: {loss.label_range}")
    if what == _CONJUGATE:
        return loss.dual(a, label)
    if what == _IMPLICIT:
        return loss.step(a, label, 1.0, k)
    value = loss.pay(a, label, &slope)
    return value if what == _VALUE else slope


def _each(Loss loss, int what, a, y, k):
    """Ask the loss for each element of the broadcast arrays; a float for plain numbers."""
    cdef const double[::1] left, right, steps
    cdef double[::1] out
    cdef Py_ssize_t i
    if y is None and not loss.labelled:
        y = 0.0
    arrays = np.broadcast_arrays(
        np.asarray(a, dtype=np.float64), np.asarray(y, dtype=np.float64), np.asarray(k, dtype=np.float64)
    )
    shape = arrays[0].shape
    left, right, steps = (np.ascontiguousarray(array).reshape(-1) for array in arrays)
    result = np.empty(left.shape[0])
    out = result
    for i in range(left.shape[0]):
        out[i] = _ask(loss, what, left[i], right[i], steps[i])
    return result.reshape(shape) if shape else float(result[0])


def _range(low, high):
    low, high = float(low), float(high)
    if not low <= high:
        raise ValueError(f"the range of p must have low ≤ high, not [{low!r}, {high!r}]")
    return low, high


def _farthest(low, high, labels):
    """The largest and the smallest |p - y| over the ranges."""
    low, high = _range(low, high)
    least, most = _range(*labels) if labels is not None else (low, high)
    return max(high - least, most - low), max(0.0, low - most, least - high)


def _margins(low, high):
    """The range of q = y p over both labels: [-B, B], and the smallest |q|."""
    low, high = _range(low, high)
    return max(abs(low), abs(high)), 0.0 if low <= 0.0 <= high else min(abs(low), abs(high))


cdef inline bint _within(double s, double low, double high) noexcept nogil:
    """Whether s is one of the slopes [low, high]; what rounding alone has put beyond an end counts as that end."""
    return low - 1e-14 * (high - low) <= s <= high + 1e-14 * (high - low)


cdef class _Margin(Loss):
    """The losses of q = y p."""

    def __cinit__(self, *args, **kwargs):
        self.classification = True


cdef inline double _residual_step(double residual, double eta, double square, double least, double most) noexcept nogil:
    """eta s for a loss with slopes in [least, most] around a kink: the step that reaches the kink, clipped."""
    if residual == 0.0 or square == 0.0:
        return eta * (most if residual > 0.0 else least) if residual != 0.0 else 0.0
    return fmin(fmax(residual / square, eta * least if least != 0.0 else 0.0), eta * most if most != 0.0 else 0.0)


@cython.final
cdef class Squared(Loss):
    """l(y, p) = (p - y)², slope 2 (p - y), conjugate s y + s²/4 (notes 003, §1)."""

    cdef double pay(self, double p, double y, double* slope) except? -1.0 nogil:
        cdef double r = p - y
        slope[0] = 2.0 * r
        return r * r

    cdef double step(self, double p, double y, double eta, double square) except? -1.0 nogil:
        return 2.0 * (p - y) / (1.0 / eta + 2.0 * square)

    cdef double dual(self, double s, double y) except? -1.0:
        return s * y + 0.25 * s * s

    def constants(self, low, high, labels=None):
        """2 r, 2, 2 and 1/(2 r²), with r the largest |p - y|."""
        r, _ = _farthest(low, high, labels)
        return Constants(2.0 * r, 2.0, 2.0, 0.5 / (r * r) if r else INFINITY)


@cython.final
cdef class Absolute(Loss):
    """l(y, p) = |p - y|, slope ±1 (0 at the kink), conjugate s y for |s| ≤ 1."""

    cdef double pay(self, double p, double y, double* slope) except? -1.0 nogil:
        cdef double r = p - y
        slope[0] = (r > 0.0) - (r < 0.0)
        return fabs(r)

    cdef double step(self, double p, double y, double eta, double square) except? -1.0 nogil:
        return _residual_step(p - y, eta, square, -1.0, 1.0)

    cdef double dual(self, double s, double y) except? -1.0:
        return s * y if _within(s, -1.0, 1.0) else INFINITY

    def constants(self, low, high, labels=None):
        """1, inf at the kink, 0 and 0."""
        most, least = _farthest(low, high, labels)
        return Constants(1.0 if most > 0.0 else 0.0, INFINITY if least == 0.0 else 0.0, 0.0, 0.0)


@cython.final
cdef class Quantile(Loss):
    """The pinball loss: tau (y - p) below the label, (1 - tau)(p - y) above; its minimiser is the tau-quantile."""

    cdef readonly double tau

    def __init__(self, tau=0.5):
        self.tau = number("tau", tau, above=0.0)
        if self.tau >= 1.0:
            raise ValueError(f"tau must be above 0 and below 1, not {self.tau!r}")

    def settings(self):
        """The arguments that make this part again."""
        return {"tau": self.tau}

    cdef double pay(self, double p, double y, double* slope) except? -1.0 nogil:
        cdef double r = p - y
        slope[0] = 1.0 - self.tau if r > 0.0 else -self.tau if r < 0.0 else 0.0
        return slope[0] * r

    cdef double step(self, double p, double y, double eta, double square) except? -1.0 nogil:
        return _residual_step(p - y, eta, square, -self.tau, 1.0 - self.tau)

    cdef double dual(self, double s, double y) except? -1.0:
        return s * y if _within(s, -self.tau, 1.0 - self.tau) else INFINITY

    def constants(self, low, high, labels=None):
        """The larger slope that occurs, inf at the kink, 0 and 0."""
        low, high = _range(low, high)
        least, most = _range(*labels) if labels is not None else (low, high)
        steepest = max(self.tau if low < most else 0.0, 1.0 - self.tau if high > least else 0.0)
        return Constants(steepest, INFINITY if low <= most and least <= high else 0.0, 0.0, 0.0)


@cython.final
cdef class Huber(Loss):
    """r²/2 for |r| ≤ delta, delta (|r| - delta/2) beyond; r = p - y."""

    cdef readonly double delta

    def __init__(self, delta=1.0):
        self.delta = number("delta", delta, above=0.0)

    def settings(self):
        """The arguments that make this part again."""
        return {"delta": self.delta}

    cdef double pay(self, double p, double y, double* slope) except? -1.0 nogil:
        cdef double r = p - y
        slope[0] = fmin(fmax(r, -self.delta), self.delta)
        return 0.5 * r * r if fabs(r) <= self.delta else self.delta * (fabs(r) - 0.5 * self.delta)

    cdef double step(self, double p, double y, double eta, double square) except? -1.0 nogil:
        return fmin(fmax((p - y) / (1.0 / eta + square), -eta * self.delta), eta * self.delta)

    cdef double dual(self, double s, double y) except? -1.0:
        return s * y + 0.5 * s * s if _within(s, -self.delta, self.delta) else INFINITY

    def constants(self, low, high, labels=None):
        """min(r, delta), 1, and 1 and 1/r² while r ≤ delta (else 0), with r the largest |p - y|."""
        r, least = _farthest(low, high, labels)
        inside = r <= self.delta
        return Constants(
            min(r, self.delta),
            1.0 if least <= self.delta else 0.0,
            1.0 if inside else 0.0,
            (1.0 / (r * r) if r else INFINITY) if inside else 0.0,
        )


@cython.final
cdef class EpsilonInsensitive(Loss):
    """max(0, |p - y| - epsilon): nothing to pay within epsilon of the label."""

    cdef readonly double epsilon

    def __init__(self, epsilon=0.1):
        self.epsilon = number("epsilon", epsilon, least=0.0)

    def settings(self):
        """The arguments that make this part again."""
        return {"epsilon": self.epsilon}

    cdef double pay(self, double p, double y, double* slope) except? -1.0 nogil:
        cdef double r = p - y
        slope[0] = (r > self.epsilon) - (r < -self.epsilon)
        return fmax(0.0, fabs(r) - self.epsilon)

    cdef double step(self, double p, double y, double eta, double square) except? -1.0 nogil:
        cdef double r = p - y
        cdef double beyond = copysign(fmax(0.0, fabs(r) - self.epsilon), r)
        return _residual_step(beyond, eta, square, -1.0, 1.0)

    cdef double dual(self, double s, double y) except? -1.0:
        return s * y + self.epsilon * fabs(s) if _within(s, -1.0, 1.0) else INFINITY

    def constants(self, low, high, labels=None):
        """1 where |p - y| can pass epsilon, inf at the kinks, 0 and 0."""
        most, least = _farthest(low, high, labels)
        kink = least <= self.epsilon <= most
        return Constants(1.0 if most > self.epsilon else 0.0, INFINITY if kink else 0.0, 0.0, 0.0)


@cython.final
cdef class Logistic(_Margin):
    """l(y, p) = ln(1 + exp(-y p)), y = ±1; conjugate a ln a + (1-a) ln(1-a) with a = -s y in [0, 1]."""

    cdef double pay(self, double p, double y, double* slope) except? -1.0 nogil:
        cdef double q = y * p
        cdef double e = exp(-fabs(q))
        cdef double one = 1.0 + e
        # ln(1 + e), exact to the last digits: the rounding of 1 + e is put right by the quotient (Goldberg, Thm 4)
        cdef double rest = log(one) * (e / (one - 1.0)) if one != 1.0 else e
        if q > 0.0:
            slope[0] = -y * e / one
            return rest
        slope[0] = -y / one
        return rest - q

    cdef double step(self, double p, double y, double eta, double square) except? -1.0 nogil:
        """a = sigma(-(q + k a)) has one root in (0, sigma(-q)]; Newton, kept inside the bracket."""
        cdef double q = y * p, k = eta * square, low = 0.0, high = 1.0, a, e, sigma, gap, next_a
        cdef int i
        e = exp(-fabs(q))
        high = 1.0 / (1.0 + e) if q <= 0.0 else e / (1.0 + e)
        if k == 0.0:
            return -y * eta * high
        a = high / (1.0 + k * high * (1.0 - high))
        for i in range(200):
            e = exp(-fabs(q + k * a))
            sigma = 1.0 / (1.0 + e) if q + k * a <= 0.0 else e / (1.0 + e)
            gap = a - sigma
            if gap > 0.0:
                high = a
            else:
                low = a
            next_a = a - gap / (1.0 + k * sigma * (1.0 - sigma))
            if not low < next_a < high or i % 3 == 2:
                next_a = 0.5 * (low + high)  # Newton alone may go round in circles where the sigmoid bends
            if fabs(next_a - a) <= 1e-16 * a:
                break
            a = next_a
        return -y * eta * a

    cdef double dual(self, double s, double y) except? -1.0:
        cdef double a = -s * y
        if not _within(a, 0.0, 1.0):
            return INFINITY
        return (a * log(a) if a > 0.0 else 0.0) + ((1.0 - a) * log1p(-a) if a < 1.0 else 0.0)

    def constants(self, low, high, labels=None):
        """sigma(B), at most 1/4, sigma(B) sigma(-B) and exp(-B), with B the largest |p|."""
        most, least = _margins(low, high)
        return Constants(_sigma(most), _sigma(least) * _sigma(-least), _sigma(most) * _sigma(-most), exp(-most))


cdef double _sigma(double p) noexcept:
    return 1.0 / (1.0 + exp(-p))


@cython.final
cdef class Hinge(_Margin):
    """l(y, p) = max(0, margin - y p); conjugate margin · s y for -s y in [0, 1].

    The slope is -y where y p < margin, and where y p ≤ 0: at its kink a hinge of margin 0 still takes the step, since
    p = 0 is a mistake (notes 004, Algorithm 1).
    """

    cdef readonly double margin

    def __init__(self, margin=1.0):
        self.margin = number("margin", margin, least=0.0)

    def settings(self):
        """The arguments that make this part again."""
        return {"margin": self.margin}

    cdef double pay(self, double p, double y, double* slope) except? -1.0 nogil:
        cdef double q = y * p
        slope[0] = -y if q < self.margin or q <= 0.0 else 0.0
        return fmax(0.0, self.margin - q)

    cdef double step(self, double p, double y, double eta, double square) except? -1.0 nogil:
        return -y * _residual_step(fmax(0.0, self.margin - y * p), eta, square, 0.0, 1.0)

    cdef double dual(self, double s, double y) except? -1.0:
        return self.margin * s * y if _within(-s * y, 0.0, 1.0) else INFINITY

    def constants(self, low, high, labels=None):
        """1, inf where the kink lies in the range, 0 and 0."""
        most, least = _margins(low, high)
        kink = least <= self.margin <= most
        return Constants(1.0, INFINITY if kink else 0.0, 0.0, 0.0)


@cython.final
cdef class SquaredHinge(_Margin):
    """l(y, p) = max(0, margin - y p)²; conjugate a²/4 - margin a with a = -s y ≥ 0."""

    cdef readonly double margin

    def __init__(self, margin=1.0):
        self.margin = number("margin", margin, least=0.0)

    def settings(self):
        """The arguments that make this part again."""
        return {"margin": self.margin}

    cdef double pay(self, double p, double y, double* slope) except? -1.0 nogil:
        cdef double short = fmax(0.0, self.margin - y * p)
        slope[0] = -2.0 * y * short
        return short * short

    cdef double step(self, double p, double y, double eta, double square) except? -1.0 nogil:
        return -2.0 * y * fmax(0.0, self.margin - y * p) / (1.0 / eta + 2.0 * square)

    cdef double dual(self, double s, double y) except? -1.0:
        cdef double a = -s * y
        return 0.25 * a * a - self.margin * a if a >= 0.0 else INFINITY

    def constants(self, low, high, labels=None):
        """2 d, 2, 2 if every p falls short of the margin (else 0), and 1/(2 d²), with d = margin + the largest |p|."""
        most, _ = _margins(low, high)
        d = self.margin + most
        return Constants(2.0 * d, 2.0, 2.0 if most <= self.margin else 0.0, 0.5 / (d * d) if d else INFINITY)


@cython.final
cdef class Poisson(Loss):
    """l(y, p) = exp(p) - y p: p is the logarithm of the expected count, y ≥ 0 (the term ln y! is left out)."""

    cdef double canonical(self, double y) noexcept nogil:
        return y if y >= 0.0 and isfinite(y) else NAN

    @property
    def label_range(self):
        """In words, the labels this loss takes."""
        return "a count, or any finite number of at least 0"

    cdef double pay(self, double p, double y, double* slope) except? -1.0 nogil:
        cdef double e = exp(p)
        slope[0] = e - y
        return e - y * p

    cdef double step(self, double p, double y, double eta, double square) except? -1.0 nogil:
        """p' + k exp(p') = p + k y for the next prediction p'; convex and increasing, so Newton from the right."""
        cdef double k = eta * square, target = p + eta * square * y, z, next_z
        cdef int _
        if k == 0.0:
            return eta * (exp(p) - y)
        z = fmin(target, log(target / k)) if target > k else target
        for _ in range(1000):
            next_z = z - (z + k * exp(z) - target) / (1.0 + k * exp(z))
            if not next_z < z:
                break
            z = next_z
        return (p - z) / square

    cdef double dual(self, double s, double y) except? -1.0:
        cdef double a = s + y
        return INFINITY if a < 0.0 else 0.0 if a == 0.0 else a * log(a) - a

    def constants(self, low, high, labels=None):
        """Of exp(p) - y p; labels are by default [0, exp(high)]."""
        low, high = _range(low, high)
        least, most = _range(*labels) if labels is not None else (0.0, exp(high))
        corners = [(exp(p), y) for p in (low, high) for y in (least, most)]
        concavity = min(e / (e - y) ** 2 if e != y else INFINITY for e, y in corners)
        return Constants(max(abs(e - y) for e, y in corners), exp(high), exp(low), concavity)


@cython.final
cdef class LogWealth(Loss):
    """l(p) = -ln p, the loss of a portfolio whose wealth grew by the factor p = ⟨w, x⟩ (notes 002). No label."""

    def __cinit__(self, *args, **kwargs):
        self.labelled = False

    cdef double canonical(self, double y) noexcept nogil:
        return 0.0

    cdef double pay(self, double p, double y, double* slope) except? -1.0 nogil:
        if p <= 0.0:
            slope[0] = -INFINITY
            return INFINITY
        slope[0] = -1.0 / p
        return -log(p)

    cdef double step(self, double p, double y, double eta, double square) except? -1.0 nogil:
        """The next prediction solves p' = p + k/p'."""
        cdef double k = eta * square
        cdef double root = sqrt(p * p + 4.0 * k)
        if k == 0.0:
            return -eta / p
        return -eta / (0.5 * (p + root)) if p >= 0.0 else -eta * (root - p) / (2.0 * k)

    cdef double dual(self, double s, double y) except? -1.0:
        return -1.0 - log(-s) if s < 0.0 else INFINITY

    def constants(self, low, high, labels=None):
        """1/low, 1/low², 1/high² and 1, for predictions in [low, high], low > 0."""
        low, high = _range(low, high)
        if low <= 0.0:
            return Constants(INFINITY, INFINITY, 1.0 / (high * high) if high > 0.0 else INFINITY, 1.0)
        return Constants(1.0 / low, 1.0 / (low * low), 1.0 / (high * high), 1.0)
