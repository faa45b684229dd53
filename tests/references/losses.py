"""Textbook losses as plain NumPy functions: value and slope, nothing else.

The conjugate and the implicit slope are found by search, so that they owe nothing to a closed form.
Labels of classification losses are -1 and +1 here.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


class Loss(NamedTuple):
    """A loss l(y, p) as a function of the prediction p and the label y."""

    value: Callable
    slope: Callable


def squared():
    """(p - y)^2, the loss of Widrow-Hoff (003, section 1)."""
    return Loss(lambda p, y: (p - y) ** 2, lambda p, y: 2 * (p - y))


def absolute():
    """|p - y|, with the subgradient 0 at the kink."""
    return Loss(lambda p, y: np.abs(p - y), lambda p, y: np.sign(p - y))


def quantile(tau):
    """tau (y - p) below the label, (1 - tau)(p - y) above it, with the subgradient 0 at the kink."""
    return Loss(
        lambda p, y: np.maximum(tau * (y - p), (1 - tau) * (p - y)),
        lambda p, y: np.where(p < y, -tau, np.where(p > y, 1 - tau, 0.0)),
    )


def huber(delta):
    """r^2/2 up to delta, then the line delta (|r| - delta/2), r = p - y."""
    return Loss(
        lambda p, y: np.where(np.abs(p - y) <= delta, (p - y) ** 2 / 2, delta * (np.abs(p - y) - delta / 2)),
        lambda p, y: np.clip(p - y, -delta, delta),
    )


def epsilon_insensitive(epsilon):
    """max(0, |p - y| - epsilon)."""
    return Loss(
        lambda p, y: np.maximum(0.0, np.abs(p - y) - epsilon),
        lambda p, y: np.where(np.abs(p - y) > epsilon, np.sign(p - y), 0.0),
    )


def logistic():
    """ln(1 + e^(-yp)), minus the log-probability of the label in the logistic model (001)."""
    return Loss(
        lambda p, y: np.logaddexp(0.0, -y * p),
        lambda p, y: -y * np.exp(-np.logaddexp(0.0, y * p)),
    )


def hinge(margin=1.0):
    """max(0, margin - yp) (000, section 2); also steps at yp <= 0, which is the perceptron's mistake."""
    return Loss(
        lambda p, y: np.maximum(0.0, margin - y * p),
        lambda p, y: np.where((y * p < margin) | (y * p <= 0), -1.0 * y, 0.0),
    )


def squared_hinge(margin=1.0):
    """max(0, margin - yp)^2."""
    return Loss(
        lambda p, y: np.maximum(0.0, margin - y * p) ** 2,
        lambda p, y: -2 * y * np.maximum(0.0, margin - y * p),
    )


def poisson():
    """e^p - yp, minus the log-likelihood of a count y at the rate e^p, up to a constant."""
    return Loss(lambda p, y: np.exp(p) - y * p, lambda p, y: np.exp(p) - y)


def log_wealth():
    """-ln p (002, the portfolio); the label is ignored."""
    return Loss(lambda p, y: -np.log(p), lambda p, y: -1.0 / p)


def conjugate(loss, s, y, low, high):
    """sup over p in [low, high] of s p - l(y, p), by ternary search (the function is concave in p)."""
    for _ in range(200):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        if s * a - loss.value(a, y) < s * b - loss.value(b, y):
            low = a
        else:
            high = b
    p = (low + high) / 2
    return s * p - loss.value(p, y)


def root_slope(slope_at, start):
    """The s with s in slope_at(s), a decreasing function, by bisection between 0 and start = slope_at(0).

    They bracket it: at s = 0 the slope is `start`, and at s = start it has moved towards 0 or past it.
    At a jump of the slope the bisection finds the jump, which is the subgradient there.
    """
    inside, outside = 0.0, float(start)
    for _ in range(1100):
        middle = (inside + outside) / 2
        if middle in (inside, outside):
            break
        if (float(slope_at(middle)) - middle) * start > 0:
            inside = middle
        else:
            outside = middle
    return (inside + outside) / 2


def implicit_slope(loss, p, y, k):
    """The slope of the loss at p+ = p - k s, where s is that very slope (003, section 2, equation (5))."""
    return root_slope(lambda s: loss.slope(p - k * s, y), loss.slope(p, y))
