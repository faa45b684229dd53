"""Points on the simplex that stand for a prior over portfolios: nodes of a quadrature, or draws.

Here is only where the points lie and what they weigh; what is done with them is elsewhere.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from regretful.core.types import Vector

MOST = 512  # nodes along one direction


def along(count: int, n: int) -> int:
    """Nodes along each of the n − 1 directions, for at most about `count` in all."""
    return int(max(2, min(MOST, round(count ** (1.0 / (n - 1))))))


def quadrature(count: int, n: int, alpha: float) -> tuple[Vector, Vector]:
    """Gauss–Jacobi nodes and weights for the symmetric Dirichlet prior over n shares, m = `along` in each direction.

    A stick is broken n − 1 times: b_1 ~ Beta(α, (n−1)α) of it, b_2 ~ Beta(α, (n−2)α) of the rest, and so on. A
    polynomial in b of degree 2m − 1 is integrated exactly, and what constantly rebalanced portfolios are worth after T
    rounds is one of degree T.
    """
    from scipy.special import roots_jacobi

    m = along(count, n)
    points, weights, rest = np.zeros((1, 0)), np.ones(1), np.ones(1)
    for i in range(1, n):
        x, w = roots_jacobi(m, (n - i) * alpha - 1.0, alpha - 1.0)
        share = 0.5 * (1.0 + x)
        points = np.repeat(points, m, axis=0)
        points = np.column_stack([points, (rest[:, None] * share).ravel()])
        weights = (weights[:, None] * (w / w.sum())).ravel()
        rest = (rest[:, None] * (0.5 * (1.0 - x))).ravel()
    kept = weights > 0.0  # the outermost may underflow
    return _on_the_simplex(np.column_stack([points, rest])[kept]), weights[kept]


def draws(count: int, n: int, alpha: float, rng: Generator) -> tuple[Vector, Vector]:
    """Independent draws from the symmetric Dirichlet prior, equally likely."""
    return _on_the_simplex(rng.dirichlet(np.full(n, alpha), size=count)), np.full(count, 1.0 / count)


def _on_the_simplex(points: Vector) -> Vector:
    positive = np.maximum(points, 0.0)
    found: Vector = positive / positive.sum(axis=1, keepdims=True)
    return found
