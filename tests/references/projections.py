"""Textbook Euclidean projections: argmin over u in the domain of ||u - w||_2."""

import numpy as np


def everywhere():
    """The whole space: nothing to do."""
    return lambda w: w


def ball(radius):
    """Rescale when the 2-norm is above the radius."""
    return lambda w: w * min(1.0, radius / max(np.linalg.norm(w), 1e-300))


def simplex(scale=1.0):
    """Sort, find the threshold theta, subtract it and cut at zero (Held, Wolfe and Crowder 1974)."""

    def project(w):
        descending = np.sort(w)[::-1]
        thresholds = (np.cumsum(descending) - scale) / np.arange(1, len(w) + 1)
        theta = thresholds[np.nonzero(descending > thresholds)[0][-1]]
        return np.maximum(w - theta, 0.0)

    return project


def l1_ball(radius):
    """Inside: itself. Outside: the projection of |w| on the simplex, with the signs of w."""
    return lambda w: w if np.abs(w).sum() <= radius else np.sign(w) * simplex(radius)(np.abs(w))


def box(low, high):
    """Coordinate by coordinate."""
    return lambda w: np.clip(w, low, high)


def orthant():
    """The non-negative part."""
    return lambda w: np.maximum(w, 0.0)
