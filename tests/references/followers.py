"""Textbook followers of the (regularised) leader, AdaGrad, FTRL-Proximal, and the averages of the iterates.

They remember all past slopes, so that their iterate is a formula of the whole history and not a step.
"""

import numpy as np
from scipy.special import xlogy

from .learners import ones, p_link, play, signed_softmax, softmax


def lazy(X, y, loss, rate, leader, weights=None):
    """Linearised follow-the-regularised-leader, 000 section 4 (A), with the past gradients summed afresh.

    leader(G, H, eta) = argmin over the domain of <G, w> + F(w)/eta, where G = sum g and H = sum g^2; the
    rate is the one of the round that has just been played. Before the first gradient w_1 = argmin F.
    """
    eta = rate()
    zero = np.zeros(X.shape[1])
    gradients = np.zeros(X.shape)

    def step(t, w, x, label, weight, p):
        gradients[t - 1] = weight * loss.slope(p, label) * x
        G, H = gradients[:t].sum(axis=0), np.square(gradients[:t]).sum(axis=0)
        return leader(G, H, eta(t, gradients[t - 1]))

    return play(X, y, ones(X) if weights is None else weights, leader(zero, zero, 1.0), step)


def euclidean_leader(project):
    """F = half the squared 2-norm: the projection of -eta G."""
    return lambda G, H, eta: project(-eta * G)


def entropy_leader(scale=1.0):
    """F = the negative entropy on the simplex: the softmax of -eta G."""
    return lambda G, H, eta: softmax(-eta * G, scale)


def signed_entropy_leader(radius):
    """The same over the L1 ball, as the simplex of (x, -x)."""
    return lambda G, H, eta: signed_softmax(-eta * G, radius)


def p_norm_leader(p):
    """F = half the squared q-norm: the p-norm link of -eta G."""
    return lambda G, H, eta: p_link(-eta * G, p)


def diagonal_leader(low=-np.inf, high=np.inf):
    """F = half the squared norm weighted by sqrt H, over a box: -eta G/sqrt H, cut off."""
    return lambda G, H, eta: np.clip(-eta * G / np.sqrt(np.where(H > 0, H, 1.0)), low, high)


def adagrad(X, y, loss, rate, low=-np.inf, high=np.inf, weights=None):
    """AdaGrad (Duchi, Hazan and Singer 2011), diagonal: H_i += g_i^2, w_i -= eta g_i/sqrt H_i.

    0/0 = 0. Then the box, on which the projection in the norm weighted by sqrt H is the Euclidean one.
    """
    eta = rate()
    H = np.zeros(X.shape[1])

    def step(t, w, x, label, weight, p):
        nonlocal H
        g = weight * loss.slope(p, label) * x
        H = H + g**2
        return np.clip(w - eta(t, g) * np.where(g != 0, g / np.sqrt(np.where(H > 0, H, 1.0)), 0.0), low, high)

    return play(X, y, ones(X) if weights is None else weights, np.clip(np.zeros(X.shape[1]), low, high), step)


def ftrl_proximal(X, y, loss, alpha, beta, l1, l2, weights=None):
    """FTRL-Proximal (McMahan et al. 2013, Algorithm 1), per coordinate:

    sigma = (sqrt(n + g^2) - sqrt n)/alpha, z += g - sigma w, n += g^2,
    w = 0 if |z| <= l1, else -(z - sign(z) l1)/((beta + sqrt n)/alpha + l2).
    """
    z, n = np.zeros(X.shape[1]), np.zeros(X.shape[1])

    def step(t, w, x, label, weight, p):
        nonlocal z, n
        g = weight * loss.slope(p, label) * x
        sigma = (np.sqrt(n + g**2) - np.sqrt(n)) / alpha
        z, n = z + g - sigma * w, n + g**2
        moved = np.abs(z) > l1
        curvature = np.where(moved, (beta + np.sqrt(n)) / alpha + l2, 1.0)
        return np.where(moved, -(z - np.sign(z) * l1) / curvature, 0.0)

    return play(X, y, ones(X) if weights is None else weights, np.zeros(X.shape[1]), step)


def ridge_leader(X, y, eta, weights=None):
    """The full follow-the-regularised-leader (000, section 4) for the squared loss: ridge regression."""
    seen = []

    def step(t, w, x, label, weight, p):
        seen.append((np.sqrt(weight) * x, np.sqrt(weight) * label))
        A, b = np.array([x for x, _ in seen]), np.array([label for _, label in seen])
        return np.linalg.solve(2 * A.T @ A + np.eye(len(x)) / eta, 2 * A.T @ b)

    return play(X, y, ones(X) if weights is None else weights, np.zeros(X.shape[1]), step)


def average(iterates):
    """(1/T) sum of w_1..w_T, the iterates that were played (003, section 3; 004, Algorithm 3)."""
    return iterates[:-1].mean(axis=0)


def weighted_average(iterates):
    """sum of 2 (t + 1)/(T (T + 3)) w_t over w_1..w_T (004, Theorem 12)."""
    T = len(iterates) - 1
    t = np.arange(1, T + 1)
    return (2 * (t + 1) / (T * (T + 3))) @ iterates[:-1]


def negative_entropy(w):
    """sum w_i ln w_i, with 0 ln 0 = 0 (000, section 4)."""
    return xlogy(w, w).sum()
