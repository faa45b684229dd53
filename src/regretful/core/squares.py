"""Recursive least squares: a triangle that stands for all examples of the squared loss, updated row by row.

Linear algebra only; who asks, and over which domain, is in leader.py. A row costs O(n²), whatever came before.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import lapack

Array = np.ndarray[Any, np.dtype[np.float64]]
EPSILON = float(np.finfo(np.float64).eps)


class Squares:
    """Σ c (⟨w, x⟩ − y)² = ‖R w − z‖² + ρ², kept as the triangle [R z; 0 ρ] of the rows √c [x y].

    Each row is worked in by Householder reflections, as in a QR factorisation of all rows at once: X itself is never
    squared, so the digits are those of least squares, not of the normal equations.
    """

    def __init__(self) -> None:
        self.T: Array = np.zeros((1, 1))
        self.rows, self.weight = 0, 0.0
        self.held: Array | None = None  # the same with rows √(1/(2η)) I beneath, for the rate η that was asked for last
        self.eta = 0.0

    def add(self, index: list[int], value: list[float], y: float, c: float) -> None:
        """One more row."""
        self.widen(max([len(self.T) - 1, *(i + 1 for i in index)]))
        row = np.zeros((1, len(self.T)))
        row[0, index], row[0, -1] = value, y
        row *= np.sqrt(c)
        self.T = _reduced(self.T, row)
        if self.held is not None:
            self.held = _reduced(self.held, row)
        self.rows += 1
        self.weight += c

    def widen(self, n: int) -> None:
        """Room for n features."""
        if n >= len(self.T):
            self.T = _wider(self.T, n, 0.0)
            if self.held is not None:
                self.held = _wider(self.held, n, np.sqrt(0.5 / self.eta))

    def ridge(self, eta: float, n: int) -> Array:
        """The argmin of the sum + ‖w‖²/(2η). While η stays the same, a row costs O(n²); when it changes, O(n³)."""
        self.widen(n)
        if self.held is None or eta != self.eta:
            self.eta = eta
            self.held = _reduced(self.T, np.sqrt(0.5 / eta) * np.eye(n, n + 1))
        w: Array = lapack.dtrtrs(self.held[:-1, :-1], self.held[:-1, -1])[0]
        return w

    def nearest(self, w: Array) -> Array:
        """Of all argmins of the sum the one nearest to w: O(n²), or O(n³) while there are several."""
        self.widen(len(w))
        R = self.T[:-1, :-1]
        rest = self.T[:-1, -1] - R @ w
        blurred = EPSILON * max(self.rows, len(w))  # rounding in so many rows looks like a rank
        if lapack.dtrcon(np.asfortranarray(R))[0] > 10.0 * len(w) * blurred:
            return np.asarray(w + lapack.dtrtrs(R, rest)[0])
        return np.asarray(w + np.linalg.lstsq(R, rest, rcond=blurred)[0])

    def examples(self, n: int) -> tuple[Array, Array, Array]:
        """(X, y, c): n + 1 examples with the same sum, of the size of those that they stand for."""
        self.widen(n)
        each = self.weight / (n + 1)
        rows = self.T / np.sqrt(each)
        return rows[:, :-1], rows[:, -1], np.full(n + 1, each)

    def state(self) -> dict[str, Any]:
        """Everything needed to go on."""
        return {"T": self.T, "rows": self.rows, "weight": self.weight, "held": self.held, "eta": self.eta}

    def restore(self, state: dict[str, Any]) -> None:
        """Take up what `state` gave: arrays once made stay as they are. In LAPACK's order, for the same last bits."""
        self.T, held = np.asfortranarray(state["T"]), state["held"]
        self.held = None if held is None else np.asfortranarray(held)
        self.rows, self.weight, self.eta = state["rows"], state["weight"], state["eta"]


def _reduced(T: Array, rows: Array) -> Array:
    """The triangle of T with rows beneath it."""
    found: Array = lapack.dtpqrt(0, min(len(T), 32), T, rows)[0]
    return found


def _wider(T: Array, n: int, diagonal: float) -> Array:
    """The triangle with new columns before its last, and rows of its own for them."""
    old = len(T) - 1
    wide = np.zeros((n + 1, n + 1), order="F")
    wide[:old, :old], wide[:old, -1], wide[-1, -1] = T[:-1, :-1], T[:-1, -1], T[-1, -1]
    new = np.arange(old, n)
    wide[new, new] = diagonal
    return wide
