"""Which arm to pull: the loops of Thompson sampling and UCB1, and whole runs of them against Bernoulli arms.

θ ~ Beta(a, b) is X/(X + Y) with X ~ Gamma(a), Y ~ Gamma(b), and grows with the odds X/Y, so that is what is compared.
Gammas are drawn by Marsaglia and Tsang (2000), normals by their ziggurat with 256 layers: about 15 ns a Beta draw, all
from the bits of a NumPy generator.
"""

import numpy as np

from libc.math cimport INFINITY, erfc, exp, log, log1p, sqrt
from libc.stdint cimport int64_t, uint64_t
cimport cython

from regretful.core.bits cimport Bits, bits_of, uniform

# The ziggurat: layer i reaches to x_i, all have the same area, the lowest has the tail beyond EDGE.
cdef double EDGE = 3.6541528853610088
cdef double GRAIN = 4503599627370496.0  # 2⁵²
cdef uint64_t[256] SAFE                 # below this the point is under the curve for certain
cdef double[256] WIDTH, HEIGHT


cdef void build() noexcept:
    cdef double x = EDGE, last = EDGE, end = exp(-0.5 * EDGE * EDGE)
    cdef double area = EDGE * end + sqrt(1.5707963267948966) * erfc(EDGE / sqrt(2.0))
    cdef double lowest = area / end
    cdef int i
    SAFE[0], SAFE[1] = <uint64_t> (EDGE / lowest * GRAIN), 0
    WIDTH[0], WIDTH[255] = lowest / GRAIN, EDGE / GRAIN
    HEIGHT[0], HEIGHT[255] = 1.0, end
    for i in range(254, 0, -1):
        x = sqrt(-2.0 * log(area / x + exp(-0.5 * x * x)))
        SAFE[i + 1] = <uint64_t> (x / last * GRAIN)
        last = x
        WIDTH[i], HEIGHT[i] = x / GRAIN, exp(-0.5 * x * x)


build()


cdef inline double normal(Bits* bits) noexcept nogil:
    cdef uint64_t word, point
    cdef double x, far
    cdef int layer
    while True:
        word = bits.next_uint64(bits.state)
        layer = word & 255
        point = word >> 12
        x = point * WIDTH[layer]
        if word & 256:
            x = -x
        if point < SAFE[layer]:
            return x
        if layer == 0:
            while True:
                far = -log1p(-uniform(bits)) / EDGE
                if -2.0 * log1p(-uniform(bits)) > far * far:
                    return -(EDGE + far) if word & 256 else EDGE + far
        if HEIGHT[layer] + (HEIGHT[layer - 1] - HEIGHT[layer]) * uniform(bits) < exp(-0.5 * x * x):
            return x


cdef struct Shape:
    double d       # a − 1/3 (a + 2/3 for a < 1)
    double c       # 1/√(9 d)
    double power   # 1/a where a < 1, else 0


cdef inline Shape shaped(double a) noexcept nogil:
    cdef Shape shape
    shape.power = 1.0 / a if a < 1.0 else 0.0
    shape.d = (a + 1.0 if a < 1.0 else a) - 1.0 / 3.0
    shape.c = 1.0 / sqrt(9.0 * shape.d)
    return shape


cdef inline double gamma(Bits* bits, const Shape* shape) noexcept nogil:
    """Gamma(a), a ≥ 1."""
    cdef double x, v, u
    while True:
        x = normal(bits)
        v = 1.0 + shape.c * x
        if v <= 0.0:
            continue
        v = v * v * v
        u = uniform(bits)
        if u < 1.0 - 0.0331 * (x * x) * (x * x) or log(u) < 0.5 * x * x + shape.d * (1.0 - v + log(v)):
            return shape.d * v


cdef inline double log_gamma(Bits* bits, const Shape* shape) noexcept nogil:
    """The logarithm of a draw from Gamma(a), any a: for a < 1 it is ln Gamma(a + 1) + ln(U)/a."""
    cdef double drawn = log(gamma(bits, shape))
    return drawn + log(1.0 - uniform(bits)) * shape.power if shape.power else drawn


cdef class Policy:
    """What has been pulled and paid, arm by arm."""

    cdef readonly int64_t rounds
    cdef readonly Py_ssize_t size
    cdef double[::1] _pulls, _rewards

    def __init__(self, size):
        self.size = size
        self._pulls, self._rewards = np.zeros((2, size))

    cdef Py_ssize_t choose(self, Bits* bits) noexcept nogil:
        """The arm to pull."""
        return 0

    cdef void enter(self, Py_ssize_t arm, double reward, Bits* bits) noexcept nogil:
        """What it paid."""
        self.rounds += 1
        self._pulls[arm] += 1.0
        self._rewards[arm] += reward

    def pull(self, generator):
        """The arm to pull, drawn with the generator."""
        return self.choose(bits_of(generator))

    def update(self, Py_ssize_t arm, double reward, generator):
        """What the arm paid."""
        if not 0 <= arm < self.size:
            raise IndexError("no such arm")
        self.enter(arm, reward, bits_of(generator))

    def pulls(self):
        """How often each arm was pulled."""
        return np.array(self._pulls)

    def rewards(self):
        """What each arm paid in all."""
        return np.array(self._rewards)

    def state(self):
        """Everything needed to go on."""
        return {"rounds": self.rounds, "pulls": self.pulls(), "rewards": self.rewards()}

    def restore(self, state):
        """Take up what `state` gave."""
        self.rounds = state["rounds"]
        self._pulls, self._rewards = np.array(state["pulls"]), np.array(state["rewards"])


@cython.final
cdef class Thompson(Policy):
    """The arm whose draw from Beta(a, b) is largest; a reward r in (0, 1) is a coin that falls 1 with chance r."""

    cdef double[::1] a, b
    cdef Shape[::1] x, y
    cdef bint small                 # the prior is below 1 somewhere: odds may overflow, so logarithms are compared

    def __init__(self, a, b):
        Policy.__init__(self, len(a))
        self.a, self.b = np.array(a), np.array(b)
        self._shape()

    def _shape(self):
        cdef Py_ssize_t k
        room = np.zeros((2, self.size, 3))
        kind = np.dtype([("d", "f8"), ("c", "f8"), ("power", "f8")])
        self.x, self.y = (part.view(kind).ravel() for part in room)
        self.small = False
        for k in range(self.size):
            self.x[k], self.y[k] = shaped(self.a[k]), shaped(self.b[k])
            self.small = self.small or self.a[k] < 1.0 or self.b[k] < 1.0

    cdef Py_ssize_t choose(self, Bits* bits) noexcept nogil:
        cdef Py_ssize_t k, best = 0
        cdef double odds, most = -INFINITY
        for k in range(self.size):
            if self.small:
                odds = log_gamma(bits, &self.x[k]) - log_gamma(bits, &self.y[k])
            else:
                odds = gamma(bits, &self.x[k]) / gamma(bits, &self.y[k])
            if odds > most:
                most, best = odds, k
        return best

    cdef void enter(self, Py_ssize_t arm, double reward, Bits* bits) noexcept nogil:
        Policy.enter(self, arm, reward, bits)
        if reward == 1.0 or (reward > 0.0 and uniform(bits) < reward):
            self.a[arm] += 1.0
            self.x[arm] = shaped(self.a[arm])
        else:
            self.b[arm] += 1.0
            self.y[arm] = shaped(self.b[arm])

    def posterior(self):
        """(a, b) of every arm."""
        return np.array(self.a), np.array(self.b)

    def state(self):
        """Everything needed to go on."""
        return {**Policy.state(self), "a": np.array(self.a), "b": np.array(self.b)}

    def restore(self, state):
        """Take up what `state` gave."""
        Policy.restore(self, state)
        self.a, self.b = np.array(state["a"]), np.array(state["b"])
        self._shape()


@cython.final
cdef class Optimist(Policy):
    """The arm with the largest mean + √(2 ln t/n), t rounds so far, n of them its own; each arm once first."""

    cdef Py_ssize_t choose(self, Bits* bits) noexcept nogil:
        cdef Py_ssize_t k, best = 0
        cdef double index, most = -INFINITY, width
        if self.rounds < self.size or self._pulls[self.size - 1] == 0.0:
            for k in range(self.size):
                if self._pulls[k] == 0.0:
                    return k
        width = 2.0 * log(<double> self.rounds)
        for k in range(self.size):
            index = self._rewards[k] / self._pulls[k] + sqrt(width / self._pulls[k])
            if index > most:
                most, best = index, k
        return best


def run(Policy policy, const double[::1] means, const int64_t[::1] stops, double[:, ::1] pulls, generator):
    """Play against Bernoulli arms of these means up to the last stop; `pulls` takes each arm's pulls at every stop."""
    cdef Bits* bits = bits_of(generator)
    cdef int64_t t = 0
    cdef Py_ssize_t arm, k, stop
    if means.shape[0] != policy.size or pulls.shape[0] != stops.shape[0] or pulls.shape[1] != policy.size:
        raise ValueError("the arms, the stops and the room for pulls are not of one run")
    with nogil:
        for stop in range(stops.shape[0]):
            while t < stops[stop]:
                arm = policy.choose(bits)
                policy.enter(arm, 1.0 if uniform(bits) < means[arm] else 0.0, bits)
                t += 1
            for k in range(policy.size):
                pulls[stop, k] = policy._pulls[k]


def betas(double a, double b, Py_ssize_t count, generator):
    """Draws from Beta(a, b), as Thompson sampling makes them."""
    cdef Bits* bits = bits_of(generator)
    cdef Shape x = shaped(a), y = shaped(b)
    cdef double[::1] drawn
    cdef Py_ssize_t i
    draws = np.empty(count)
    drawn = draws
    with nogil:
        for i in range(count):
            drawn[i] = 1.0 / (1.0 + exp(log_gamma(bits, &y) - log_gamma(bits, &x)))
    return draws
