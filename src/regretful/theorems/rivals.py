"""The best weights in hindsight against rivals, which the learners of labels are compared with (rows 18, 19, 24).

A loss here is max over k of c_k − ⟨w, ψ(x, y) − ψ(x, k)⟩, with c_y = 0: the structured SVM's. No theorem lives here.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from regretful.core.types import Vector

Places = NDArray[np.int64]
SHARPER = 4.0  # how much sharper each smoothing of the maximum is than the one before
SHARPEST = 1e-9
STEPS, MEMORY = 1000, 30  # of the descent: how many, and how many it remembers


class Rivals(Protocol):
    """The costs c of every label in every round, and the differences δ_k = ψ(x, y) − ψ(x, k), as a map."""

    @property
    def costs(self) -> Vector:
        """c, rounds × labels."""

    @property
    def n(self) -> int:
        """The length of w."""

    def leads(self, w: Vector) -> Vector:
        """⟨w, δ_k⟩, rounds × labels: by how much the right label leads."""

    def pull(self, a: Vector) -> Vector:
        """Σ a_k δ_k over rounds and labels."""


class Listed:
    """All differences, rounds × labels × features. Sparse products, which don't spread over threads for so little."""

    def __init__(self, costs: Vector, apart: Vector) -> None:
        from scipy.sparse import csr_array

        self.costs, self.n = costs, apart.shape[2]
        self.apart = csr_array(apart.reshape(-1, self.n))

    def leads(self, w: Vector) -> Vector:
        """⟨w, δ_k⟩."""
        return np.asarray(self.apart @ w).reshape(self.costs.shape)

    def pull(self, a: Vector) -> Vector:
        """Σ a_k δ_k."""
        return np.asarray(a.ravel() @ self.apart)


class Blocks:
    """ψ(x, k) = x in the block of label k, and the cost 1 for every wrong label; y are the places of the labels."""

    def __init__(self, X: Any, y: Places, labels: int) -> None:
        from scipy.sparse import csr_array

        self.X, self.y, self.labels = csr_array(X), y, labels
        self.right = np.eye(labels)[y]
        self.costs = 1.0 - self.right
        self.n = labels * X.shape[1]

    def leads(self, w: Vector) -> Vector:
        """⟨w_y − w_k, x⟩."""
        scores = self.X @ w.reshape(self.labels, -1).T
        return np.asarray(scores[np.arange(len(self.y)), self.y][:, None] - scores)

    def pull(self, a: Vector) -> Vector:
        """Block k gets Σ (1(k = y) Σ_j a_j − a_k) x."""
        return np.asarray(((a.sum(axis=1)[:, None] * self.right - a).T @ self.X).ravel())

    def first(self, rounds: int) -> Blocks:
        """The first rounds alone."""
        return Blocks(self.X[:rounds], self.y[:rounds], self.labels)


class Least(NamedTuple):
    """The best weights found, what they lose in all, and what no others can be below."""

    weights: Vector
    value: float
    lower: float

    def better(self, weights: Vector, value: float, lower: float) -> Least:
        """The better of two weights, and of two bounds."""
        best, least = (weights, value) if value < self.value else (self.weights, self.value)
        return Least(best, least, max(self.lower, lower))


def losses(rivals: Rivals, w: Vector) -> Vector:
    """The largest c_k − ⟨w, δ_k⟩ in each round."""
    return np.asarray((rivals.costs - rivals.leads(w)).max(axis=1))


def penalised(rivals: Rivals, rho: float, tol: float = 1e-4, start: Vector | None = None) -> Least:
    """The least Σ max over k of [c_k − ⟨w, δ_k⟩] + ½ρ‖w‖².

    The maximum is smoothed to τ ln Σ exp(·/τ), ever sharper. Its slopes, a share a_k for each label, are a point of the
    dual problem: with G = Σ a_k δ_k nothing is below Σ a_k c_k − ‖G‖²/(2ρ). It ends when that is within tol.
    """
    w = np.zeros(rivals.n) if start is None else start
    found = Least(w, math.inf, -math.inf)
    tau = float(np.abs(rivals.costs).max()) or 1.0
    while tau > SHARPEST:
        w = _descend(rivals, rho, tau, w)
        value = float(losses(rivals, w).sum()) + 0.5 * rho * float(w @ w)
        a = _shares(rivals, w, tau)[1]
        G = rivals.pull(a)
        lower = float((a * rivals.costs).sum()) - float(G @ G) / (2.0 * rho)
        found = found.better(w, value, lower)
        if found.value - found.lower <= tol * abs(found.value):
            break
        tau /= SHARPER
    return found


def within(rivals: Rivals, radius: float, tol: float = 1e-3) -> Least:
    """The least Σ max over k of [c_k − ⟨w, δ_k⟩] over ‖w‖₂ ≤ radius.

    By the penalty under which the weights are as long as the radius: where they lose P with it, no weights of the ball
    lose less than its dual bound − ½ρ radius².
    """
    w, found = np.zeros(rivals.n), Least(np.zeros(rivals.n), float(losses(rivals, np.zeros(rivals.n)).sum()), -math.inf)
    low, high = 1e-9, max(1e-9, float(np.linalg.norm(rivals.pull(_shares(rivals, w, 1.0)[1]))) / radius) * 4.0
    for _ in range(60):
        rho = math.sqrt(low * high)
        held = penalised(rivals, rho, tol / 10.0, w)
        w = held.weights
        size = float(np.linalg.norm(w))
        inside = w * min(1.0, radius / size) if size else w
        value = float(losses(rivals, inside).sum())
        found = found.better(inside, value, held.lower - 0.5 * rho * radius**2)
        if found.value - found.lower <= tol * abs(found.value):
            break
        low, high = (rho, high) if size > radius else (low, rho)
    return found


def _shares(rivals: Rivals, w: Vector, tau: float) -> tuple[float, Vector]:
    """Σ τ ln Σ exp((c_k − ⟨w, δ_k⟩)/τ), and the share of each label."""
    s = (rivals.costs - rivals.leads(w)) / tau
    top = s.max(axis=1, keepdims=True)
    e = np.exp(s - top)
    total = e.sum(axis=1, keepdims=True)
    return tau * float((top + np.log(total)).sum()), e / total


def _smoothed(rivals: Rivals, rho: float, tau: float, w: Vector) -> tuple[float, Vector]:
    value, a = _shares(rivals, w, tau)
    return value + 0.5 * rho * float(w @ w), rho * w - rivals.pull(a)


def _descend(rivals: Rivals, rho: float, tau: float, w: Vector) -> Vector:
    """Limited-memory steps on the smoothed objective, each halved until it gains, until none does.

    SciPy's own spread over threads for vectors of any length, and wait for each other where processors are few.
    """
    value, g = _smoothed(rivals, rho, tau, w)
    pairs: list[tuple[Vector, Vector]] = []
    for _ in range(STEPS):
        d = -_inverse(pairs, g)
        slope, step = float(g @ d), 1.0 if pairs else 1.0 / max(1.0, float(np.linalg.norm(g)))
        after, h = _smoothed(rivals, rho, tau, w + step * d)
        while after > value + 1e-4 * step * slope and step > SHARPEST:
            step *= 0.5
            after, h = _smoothed(rivals, rho, tau, w + step * d)
        if not value - after > 1e-13 * abs(value):
            break
        if step * float(d @ (h - g)) > 0.0:
            pairs = [*pairs[1 - MEMORY :], (step * d, h - g)]
        w, value, g = w + step * d, after, h
    return w


def _inverse(pairs: list[tuple[Vector, Vector]], g: Vector) -> Vector:
    """H g, where H is the inverse curvature that the last steps and changes of the gradient tell."""
    kept = []
    for s, y in reversed(pairs):
        share = float(s @ g) / float(s @ y)
        g = g - share * y
        kept.append((s, y, share))
    if pairs:
        s, y = pairs[-1]
        g = g * (float(s @ y) / float(y @ y))
    for s, y, share in reversed(kept):
        g = g + (share - float(y @ g) / float(s @ y)) * s
    return g
