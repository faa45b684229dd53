"""Textbook online learners, one dense step at a time: slow and plain, straight from the notes in seeds/.

Every reference plays the protocol of 000, section 1 over the rows of X and returns the predictions p_1..p_T
and the iterates w_1..w_{T+1}. Here w_t is what predicts in round t, and t counts rounds from 1. An example's
weight multiplies its loss and its slope. An intercept is a column of ones at the end of X (`with_constant`).
"""

from typing import NamedTuple

import numpy as np

from . import projections
from .losses import hinge, implicit_slope, root_slope


class Run(NamedTuple):
    """What a learner did: predictions (T,) and iterates (T + 1, n)."""

    predictions: np.ndarray
    iterates: np.ndarray


def with_constant(X):
    """X with the constant feature 1 as the last column."""
    return np.hstack([X, np.ones((len(X), 1))])


def play(X, y, weights, start, step):
    """The protocol: predict <w, x>, see y, step. `step(t, w, x, y, weight, p)` returns the next w."""
    w = np.array(start, dtype=float)
    predictions, iterates = [], [w]
    for t, (x, label, weight) in enumerate(zip(X, y, weights, strict=True), start=1):
        p = w @ x
        w = step(t, w, x, label, weight, p)
        predictions.append(p)
        iterates.append(w)
    return Run(np.array(predictions), np.array(iterates))


def ones(X):
    """Equal weights of one."""
    return np.ones(len(X))


# Rates: factories of eta(t, g), asked once a round with the (weighted) gradient g of that round.


def constant(eta):
    """eta_t = eta."""
    return lambda: lambda t, g: eta


def inverse_sqrt(c):
    """eta_t = c/sqrt t (001, projected gradient; 002, online gradient descent)."""
    return lambda: lambda t, g: c / np.sqrt(t)


def inverse_time(lam):
    """eta_t = 1/(lam t) (004, Theorem 11)."""
    return lambda: lambda t, g: 1 / (lam * t)


def weighted_inverse_time(lam):
    """eta_t = 2/(lam (t + 1)) (004, Theorem 12)."""
    return lambda: lambda t, g: 2 / (lam * (t + 1))


def adaptive(D, norm=2):
    """eta_t = D/sqrt(sum over s <= t of ||g_s||^2), this round included; no step while all are zero."""

    def make():
        total = 0.0

        def eta(t, g):
            nonlocal total
            total += np.linalg.norm(g, norm) ** 2
            return D / np.sqrt(total) if total else 0.0

        return eta

    return make


def stays(conservative, p, y):
    """A conservative learner stays where it is unless it made a mistake, yp <= 0 (000, section 2)."""
    return conservative and y * p > 0


def gradient_descent(X, y, loss, rate, project, weights=None, *, conservative=False, implicit=False, l2=0.0):
    """w <- P(w - eta_t g), g = s x (000, section 2; 004, Algorithm 3), with w_1 = P(0).

    implicit: s is the slope at the next iterate (before the projection), 003, section 2, first line of (5).
    l2: the gradient of the regularised loss (8) of 004 is s x + l2 w.
    """
    eta = rate()

    def step(t, w, x, label, weight, p):
        if stays(conservative, p, label):
            eta(t, np.zeros_like(x))
            return w
        g = weight * loss.slope(p, label) * x
        eta_t = eta(t, g)
        if implicit:
            g = weight * implicit_slope(loss, p, label, eta_t * weight * (x @ x)) * x
        return project(w - eta_t * (g + l2 * w))

    return play(X, y, ones(X) if weights is None else weights, project(np.zeros(X.shape[1])), step)


def mirror(X, y, loss, rate, link, theta, weights=None, *, conservative=False, implicit=False):
    """Mirror descent (000, section 4, equation (3)): theta <- theta - eta_t s x, w = link(theta).

    implicit: s = l'(<link(theta - eta s x), x>), the slope at the next iterate, by bisection (003, (6)).
    """
    eta = rate()

    def step(t, w, x, label, weight, p):
        nonlocal theta
        if stays(conservative, p, label):
            eta(t, np.zeros_like(x))
            return w
        s = loss.slope(p, label)
        eta_t = eta(t, weight * s * x)
        if implicit:
            s = root_slope(lambda s: loss.slope(link(theta - eta_t * weight * s * x) @ x, label), s)
        theta = theta - eta_t * weight * s * x
        return link(theta)

    return play(X, y, ones(X) if weights is None else weights, link(theta), step)


def softmax(theta, scale=1.0):
    """scale e^theta_i / sum_j e^theta_j, shifted by the largest so that nothing overflows."""
    v = np.exp(theta - theta.max())
    return scale * v / v.sum()


def signed_softmax(theta, radius):
    """EG+-: the weights of (x, -x) on a simplex of 2n, folded (Kivinen and Warmuth 1997)."""
    n = len(theta)
    v = softmax(np.concatenate([theta, -theta]), radius)
    return v[:n] - v[n:]


def p_link(theta, p):
    """The gradient of half the squared p-norm, the inverse of that of half the squared q-norm (000, 4)."""
    size = np.abs(theta).max()
    if size == 0:
        return np.zeros_like(theta)
    unit = theta / size  # so that no power under- or overflows
    return size * np.sign(unit) * np.abs(unit) ** (p - 1) / np.linalg.norm(unit, p) ** (p - 2)


def log_p(n):
    """p = max(2, 2 ln n) (000, section 4; Gentile 2003)."""
    return max(2.0, 2 * np.log(n))


def exponentiated_gradient(X, y, loss, rate, scale=1.0, weights=None, **how):
    """w_i <- scale w_i e^(-eta s x_i)/Z from the uniform start (000, section 3), in logarithms."""
    return mirror(X, y, loss, rate, lambda theta: softmax(theta, scale), np.zeros(X.shape[1]), weights, **how)


def eg_plus_minus(X, y, loss, rate, radius, weights=None, **how):
    """EG over the L1 ball: EG on the examples (x, -x) with the scale `radius`, from equal halves."""
    return mirror(X, y, loss, rate, lambda theta: signed_softmax(theta, radius), np.zeros(X.shape[1]), weights, **how)


def p_norm(X, y, loss, rate, p, weights=None, **how):
    """The p-norm algorithms (000, section 4): F = half the squared q-norm, 1/p + 1/q = 1."""
    return mirror(X, y, loss, rate, lambda theta: p_link(theta, p), np.zeros(X.shape[1]), weights, **how)


def winnow(X, y, eta, weights=None):
    """Normalised winnow (000, section 3): on a mistake w_i <- w_i e^(eta y x_i)/Z."""
    theta = np.zeros(X.shape[1])

    def step(t, w, x, label, weight, p):
        nonlocal theta
        if label * p <= 0:
            theta = theta + eta * weight * label * x
        return softmax(theta)

    return play(X, y, ones(X) if weights is None else weights, softmax(theta), step)


def perceptron(X, y, weights=None):
    """w <- w + yx on a mistake, yp <= 0 (004, Algorithm 1)."""
    return play(
        X,
        y,
        ones(X) if weights is None else weights,
        np.zeros(X.shape[1]),
        lambda t, w, x, label, weight, p: w + weight * label * x if label * p <= 0 else w,
    )


def widrow_hoff(X, y, eta, weights=None):
    """w <- w - eta (p - y) x (003, Algorithm 1)."""
    return play(
        X,
        y,
        ones(X) if weights is None else weights,
        np.zeros(X.shape[1]),
        lambda t, w, x, label, weight, p: w - eta * weight * (p - label) * x,
    )


def pegasos(X, y, lam, weights=None):
    """The step 1/(lam t) on lam/2 ||w||^2 + hinge, then the ball 1/sqrt(lam) (004, Theorem 11)."""
    return gradient_descent(X, y, hinge(1.0), inverse_time(lam), projections.ball(1 / np.sqrt(lam)), weights, l2=lam)


def passive_aggressive(X, y, C=1.0, weights=None):
    """PA-I: w <- w + tau y x, tau = min(C weight, hinge/||x||^2) (Crammer et al. 2006)."""

    def step(t, w, x, label, weight, p):
        short = max(0.0, 1 - label * p)
        if weight == 0 or short == 0 or not x.any():
            return w
        return w + min(C * weight, short / (x @ x)) * label * x

    return play(X, y, ones(X) if weights is None else weights, np.zeros(X.shape[1]), step)
