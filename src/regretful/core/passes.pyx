"""One pass over checked rows: what a fixed w costs, with its slopes and their sum Σ c s x, a row read once.

This is the work of the hindsight solvers; a learner's loop is in linear.pyx. With SciPy's products every pass would
read the matrix twice, and the losses would be asked one Python call a number.
"""

import numpy as np

from libc.math cimport fabs

from regretful.core.iterate cimport Row, Sum, add, value
from regretful.core.losses cimport Loss
from regretful.core.rows cimport Block


cdef inline double _dot(const Row* x, const double* w, bint dense) noexcept nogil:
    """⟨w, x⟩ in four lanes."""
    cdef double a = 0.0, b = 0.0, c = 0.0, d = 0.0
    cdef Py_ssize_t j = 0
    if dense:
        while j + 4 <= x.size:
            a += w[j] * x.value[j]
            b += w[j + 1] * x.value[j + 1]
            c += w[j + 2] * x.value[j + 2]
            d += w[j + 3] * x.value[j + 3]
            j += 4
        while j < x.size:
            a += w[j] * x.value[j]
            j += 1
    else:
        while j + 4 <= x.size:
            a += w[x.index[j]] * x.value[j]
            b += w[x.index[j + 1]] * x.value[j + 1]
            c += w[x.index[j + 2]] * x.value[j + 2]
            d += w[x.index[j + 3]] * x.value[j + 3]
            j += 4
        while j < x.size:
            a += w[x.index[j]] * x.value[j]
            j += 1
    return (a + b) + (c + d)


def charge(
    Loss loss, list blocks, const double[::1] y, const double[::1] c, const double[::1] w, double[::1] G,
    double[::1] slopes, double[::1] points, const double[::1] multipliers=None, double stiff=0.0,
):
    """(Σ c e(p), Σ c ℓ(p), Σ c (ℓ(z) − s z), Σ c (|ℓ(z)| + |s z|)) for p = ⟨w, x⟩; adds Σ c s x to G.

    e is the loss itself, s its slope and z = p; with multipliers a and stiff > 0 it is the envelope, the least of
    ℓ(z) + a (p − z) + stiff/2 (p − z)² over z, and s the slope of ℓ at that z. `slopes` and `points` take s and z.
    """
    cdef Block block
    cdef Row x
    cdef Py_ssize_t r, j, t
    cdef Sum smooth, true, tangent, mass
    cdef double p, z, s, a, cost, unused, step
    cdef bint dense
    cdef bint enveloped = multipliers is not None
    smooth.high = smooth.low = true.high = true.low = tangent.high = tangent.low = mass.high = mass.low = 0.0
    for block in blocks:
        if block.rows + block.first > y.shape[0] or block.width > w.shape[0] or block.width > G.shape[0]:
            raise ValueError("the rows, the labels and the weights are not of one problem")
        with nogil:
            dense = block.start == NULL
            for r in range(block.rows):
                t = block.first + r
                if c[t] == 0.0:
                    slopes[t] = 0.0
                    points[t] = 0.0
                    continue
                block.row(r, &x)
                p = _dot(&x, &w[0], dense)
                if enveloped:
                    a = multipliers[t]
                    z = p + a / stiff
                    s = loss.step(z, y[t], 1.0 / stiff, 1.0) * stiff
                    z -= s / stiff
                    cost = loss.pay(z, y[t], &unused)
                    add(&smooth, c[t] * (cost + (s - a) * (s + a) / (2.0 * stiff)))
                    add(&true, c[t] * loss.pay(p, y[t], &unused))
                else:
                    z = p
                    cost = loss.pay(z, y[t], &s)
                    add(&smooth, c[t] * cost)
                add(&tangent, c[t] * (cost - s * z))
                add(&mass, c[t] * (fabs(cost) + fabs(s * z)))
                slopes[t] = s
                points[t] = z
                step = c[t] * s
                if step != 0.0:
                    if dense:
                        for j in range(x.size):
                            G[j] += step * x.value[j]
                    else:
                        for j in range(x.size):
                            G[x.index[j]] += step * x.value[j]
    total = value(&smooth)
    return total, value(&true) if enveloped else total, value(&tangent), value(&mass)


def dual_sum(Loss loss, const double[::1] s, const double[::1] y, const double[::1] c):
    """(−Σ c ℓ*(s), Σ c |ℓ*(s)|): −inf if a slope is none of the loss."""
    cdef Sum total, mass
    cdef Py_ssize_t t
    cdef double one
    total.high = total.low = mass.high = mass.low = 0.0
    for t in range(s.shape[0]):
        if c[t] > 0.0:
            one = c[t] * loss.dual(s[t], y[t])
            if one == float("inf"):
                return -one, one
            add(&total, -one)
            add(&mass, fabs(one))
    return value(&total), value(&mass)


def rows_of(list blocks):
    """(values, indices, row pointers) of all the blocks, for a SciPy CSR matrix."""
    cdef Block block
    cdef Row x
    cdef Py_ssize_t r, j, at = 0, row = 0, size = 0, rows = 0
    for block in blocks:
        rows += block.rows
        size += block.rows * block.stride if block.start == NULL else block.start[block.rows]
    data, index, start = np.empty(size), np.empty(size, np.int64), np.zeros(rows + 1, np.int64)
    cdef double[::1] datum = data
    cdef long long[::1] indices = index, starts = start
    for block in blocks:
        for r in range(block.rows):
            block.row(r, &x)
            for j in range(x.size):
                datum[at] = x.value[j]
                indices[at] = x.index[j]
                at += 1
            row += 1
            starts[row] = at
    return data, index, start
