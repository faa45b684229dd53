"""Losses of the scores of all labels: ℓ(s, y), where s_k = ⟨w, ψ(x, k)⟩ is the score of label k, and y the right one.

`charge` is what the loop calls. A loss that sets one label against the right one says which (`rival`); others give
the slope in every score.
"""

import numpy as np

cimport cython
from libc.math cimport exp, fmax, log

from regretful.core.parts import number


cdef Py_ssize_t largest(const double* score, Py_ssize_t many, Py_ssize_t but) noexcept nogil:
    """The first label of the largest score, that of `but` aside; -1 if there is none."""
    cdef Py_ssize_t k, best = -1
    for k in range(many):
        if k != but and (best < 0 or score[k] > score[best]):
            best = k
    return best


cdef class MulticlassLoss(Loss):
    """A convex loss of the scores. To write your own, subclass it with `value(scores, y)` and `slope(scores, y)`.

    y is the place of the right label among the scores; the slope has one number a score, and these sum to 0 where a
    number added to all scores changes nothing.

    >>> import numpy as np
    >>> import regretful as rg
    >>> class Squares(rg.MulticlassLoss):
    ...     def value(self, scores, y): return float(((scores - np.eye(len(scores))[y]) ** 2).sum())
    ...     def slope(self, scores, y): return 2 * (scores - np.eye(len(scores))[y])
    >>> rg.MulticlassGradientDescent(Squares(), labels=("cat", "dog")).learn_one([1.0], "dog")
    'cat'
    """

    def __cinit__(self, *args, **kwargs):
        self.python = type(self).__module__ != __name__
        self.classification = True

    cdef double charge(
        self, const double* score, Py_ssize_t many, Py_ssize_t y, double* slope, Py_ssize_t* rival
    ) except? -1.0 nogil:
        """The loss; and either a rival, with slope[0] 1 or 0, or -1 for one and a slope for every score."""
        cdef Py_ssize_t k
        rival[0] = -1
        with gil:
            scores = np.empty(many)
            for k in range(many):
                scores[k] = score[k]
            slopes = np.asarray(self.slope(scores, y), dtype=np.float64)
            if slopes.shape != (many,):
                raise ValueError(f"{self!r}.slope gave the shape {slopes.shape} for {many} scores")
            for k in range(many):
                slope[k] = slopes[k]
            return self.value(scores, y)


cdef double asked(MulticlassLoss loss, scores, Py_ssize_t y, double[::1] slope, Py_ssize_t* rival) except? -1.0:
    """`charge`, from Python."""
    cdef const double[::1] given = np.ascontiguousarray(scores, dtype=np.float64)
    if not 0 <= y < given.shape[0] or slope.shape[0] != given.shape[0]:
        raise ValueError(f"there are {given.shape[0]} scores, and none at place {y}")
    return loss.charge(&given[0], given.shape[0], y, &slope[0], rival)


@cython.final
cdef class MulticlassHinge(MulticlassLoss):
    """max(0, margin + max over k ≠ y of s_k − s_y): the right label is to lead by the margin.

    It sets one rival against the right label: the first of the largest score. At the kink it steps if that rival comes
    before the right label: then, with margin 0, the rival is what is predicted, and this is the perceptron's mistake.

    >>> import regretful as rg
    >>> rg.MulticlassHinge().value([2.0, 1.5, 0.0], 0)
    0.5

    Reference: notes 004, Theorem 2 and Example 9 with γ(y, k) = margin for k ≠ y; Crammer and Singer (2001).
    """

    def __init__(self, margin=1.0):
        self.margin = number("margin", margin, least=0.0)

    def settings(self):
        """The arguments that make this part again."""
        return {"margin": self.margin}

    cdef double charge(
        self, const double* score, Py_ssize_t many, Py_ssize_t y, double* slope, Py_ssize_t* rival
    ) except? -1.0 nogil:
        cdef Py_ssize_t best = largest(score, many, y)
        cdef double ahead
        rival[0] = best
        slope[0] = 0.0
        if best < 0:
            rival[0] = y
            return 0.0
        ahead = self.margin + (score[best] - score[y])
        if ahead > 0.0 or (ahead == 0.0 and best < y):
            slope[0] = 1.0
        return fmax(0.0, ahead)

    def value(self, scores, y):
        """How far the right label is from leading by the margin."""
        cdef Py_ssize_t rival
        return asked(self, scores, y, np.empty(len(scores)), &rival)

    def slope(self, scores, y):
        """+1 for the rival and −1 for the right label where it steps, else 0."""
        cdef Py_ssize_t rival
        step, slopes = np.zeros(len(scores)), np.zeros(len(scores))
        asked(self, scores, y, step, &rival)
        if rival != y:
            slopes[rival] += step[0]
            slopes[y] -= step[0]
        return slopes


@cython.final
cdef class Softmax(MulticlassLoss):
    """log Σ exp(s_k) − s_y: the logarithmic loss of the probabilities exp(s_k)/Σ exp(s_j).

    >>> import regretful as rg
    >>> round(rg.Softmax().value([0.0, 0.0], 1), 6)
    0.693147

    Reference: the logistic loss for more than two labels; with two of them it is `Logistic()` at p = s_1 − s_0.
    """

    cdef double charge(
        self, const double* score, Py_ssize_t many, Py_ssize_t y, double* slope, Py_ssize_t* rival
    ) except? -1.0 nogil:
        cdef double total = 0.0, top = score[largest(score, many, -1)], others = 0.0
        cdef Py_ssize_t k
        rival[0] = -1
        for k in range(many):
            slope[k] = exp(score[k] - top)
            total += slope[k]
        for k in range(many):
            slope[k] /= total
            if k != y:
                others += slope[k]
        slope[y] = -others  # not π_y − 1, which near 0 would be all rounding
        return log(total) + (top - score[y])

    def settings(self):
        """None."""
        return {}

    def value(self, scores, y):
        """−log of the right label's probability."""
        cdef Py_ssize_t rival
        return asked(self, scores, y, np.empty(len(scores)), &rival)

    def slope(self, scores, y):
        """The probabilities, less 1 for the right label."""
        cdef Py_ssize_t rival
        slopes = np.empty(len(scores))
        asked(self, scores, y, slopes, &rival)
        return slopes
