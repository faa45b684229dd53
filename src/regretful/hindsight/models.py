"""Quadratic models of a smooth objective, ½⟨z, B z⟩ + ⟨b, z⟩: Newton's with the Hessian, and one from past gradients.

Each can be applied to a vector, and knows the minimiser of the model plus μ/2 ‖z‖² for any μ (its path); nothing here
knows of domains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np

from regretful.core.losses import Loss
from regretful.core.passes import rows_of
from regretful.core.solvers import Bill
from regretful.core.types import Vector
from regretful.hindsight.examples import Examples, Point

FEW = 400  # features for which Newton's matrix is made,
WORK = 5_000_000_000  # or three times as many if that takes no more products
KEPT = 30_000_000  # numbers of which an array is kept for Newton's model
CHUNK = 4_000_000  # numbers of which one is made at a time
HELD = 12  # pairs of steps and gradient differences that are remembered
FINEST = 1e-11  # the damping of Newton's model, relative to its size

Path = Callable[[float], Vector]


class Newton:
    """B = Xᵀ diag(c ℓ'') X + a damping that grows when steps fail; for few features, since B is n × n."""

    def __init__(self, examples: Examples) -> None:
        self.examples, self.n = examples, examples.n
        self.damping = FINEST
        self.B: Vector = np.zeros((0, 0))
        self.whole: list[tuple[Bill, slice]] = []
        if examples.source is None and examples.rows * examples.n <= KEPT:
            self.whole = list(self._chunks())
        self.mass = 0.0  # Σ c ‖x‖²/n, once known

    def _chunks(self) -> Iterator[tuple[Bill, slice]]:
        """Some rows as an array, and which ones; from a source, in one more pass."""
        from scipy import sparse

        first = 0
        for part in self.examples.parts():
            X = sparse.csr_array(rows_of(part.blocks), shape=(part.rows, self.n))
            step = max(1, CHUNK // self.n)
            for start in range(0, part.rows, step):
                rows = slice(start, min(start + step, part.rows))
                yield (
                    Bill(part.loss, X[rows].toarray(), part.y[rows], part.c[rows]),
                    slice(first + rows.start, first + rows.stop),
                )
            first += part.rows

    def look(self, point: Point, stiff: float, instead: Loss | None = None) -> None:
        """The model around this point."""
        B, mass = np.zeros((self.n, self.n)), 0.0
        for bill, rows in self.whole or self._chunks():
            if instead is not None:
                bill = Bill(instead, bill.X, np.ones(len(bill.y)), bill.c)
            bill.smooth = not stiff  # what has multipliers is an envelope
            bend = bill.curvature(point.s[rows], point.z[rows], stiff or 1.0)
            bend = np.where(bill.c > 0.0, bill.c * np.nan_to_num(bend), 0.0)
            B += (bill.X.T * bend) @ bill.X
            if not self.mass:
                mass += float(bill.c @ np.square(bill.X).sum(axis=1)) / self.n
        self.mass = self.mass or mass or 1.0
        n = self.n
        size = max(float(np.trace(B)) / n, 1e-8 * self.mass * (stiff or 1.0))
        self.B = B + self.damping * size * np.eye(n)
        self.__dict__.pop("spectrum", None)

    @cached_property
    def spectrum(self) -> tuple[Vector, Vector]:
        """B's eigenvalues, rising, and its eigenvectors."""
        size, axes = np.linalg.eigh(self.B)
        return size, axes

    @property
    def norm(self) -> float:
        """The largest eigenvalue."""
        return float(self.spectrum[0][-1])

    def learn(self, old: Point, new: Point, t: float) -> None:
        """A step of length t was taken (0: it failed)."""
        fall = float(old.G @ (old.w - new.w))  # a quadratic would have brought half of it
        if t == 1.0 and old.value - new.value >= 0.25 * fall:
            self.damping = max(FINEST, self.damping * 0.1)
        else:
            self.damping = max(self.damping, 1e-9) * 10.0

    def forget(self) -> None:
        """The objective is another one now."""
        self.damping = FINEST

    def apply(self, v: Vector) -> Vector:
        """B v."""
        return np.asarray(self.B @ v)

    def path(self, b: Vector) -> Path:
        """μ → −(B + μ)⁻¹ b."""
        size, axes = self.spectrum
        size = np.maximum(size, 1e-16 * max(size[-1], 1e-300))
        along = axes.T @ b
        return lambda mu: np.asarray(-(axes @ (along / (size + mu))))


class Memory:
    """B of limited memory (BFGS in compact form; Byrd, Nocedal and Schnabel 1994), from gradients alone."""

    def __init__(self, examples: Examples) -> None:
        self.n = examples.n
        self.forget()

    def forget(self) -> None:
        """The objective is another one now."""
        self.steps: list[Vector] = []
        self.rises: list[Vector] = []
        self.gamma = 1.0
        self.fresh = True

    def look(self, point: Point, stiff: float, instead: Loss | None = None) -> None:
        """The model around this point."""
        del stiff, instead
        self.norm = self.gamma
        if not self.steps:
            self.gamma = self.norm = float(np.linalg.norm(point.G)) / (1.0 + float(np.linalg.norm(point.w))) or 1.0
            return
        S, Y = np.array(self.steps), np.array(self.rises)
        self.gamma = float(Y[-1] @ Y[-1]) / float(S[-1] @ Y[-1])
        SY = S @ Y.T
        lower = np.tril(SY, -1)
        M = np.block([[self.gamma * (S @ S.T), lower], [lower.T, -np.diag(np.diag(SY))]])
        self.wide = np.vstack([self.gamma * S, Y])
        # B = γ + wideᵀ K wide; its eigenvectors are combinations of the rows of `wide`.
        scale = 1.0 / np.linalg.norm(self.wide, axis=1)
        K = -np.linalg.inv(M * np.outer(scale, scale))
        self.wide *= scale[:, None]
        size, axes = np.linalg.eigh(self.wide @ self.wide.T)
        keep = size > 1e-13 * size[-1]
        root = np.sqrt(size[keep])
        inner = (root[:, None] * axes[:, keep].T) @ K @ (axes[:, keep] * root)
        self.bends, turn = np.linalg.eigh(0.5 * (inner + inner.T))
        self.bends = np.maximum(self.bends, -self.gamma * (1.0 - 1e-10))
        self.basis = (axes[:, keep] / root) @ turn
        self.norm = self.gamma + max(0.0, float(self.bends.max()))

    def learn(self, old: Point, new: Point, t: float) -> None:
        """A step of length t was taken (0: it failed)."""
        if t == 0.0:
            self.steps, self.rises = self.steps[-1:], self.rises[-1:]
            return
        step, rise = new.w - old.w, new.G - old.G
        if float(step @ rise) > 1e-12 * float(np.linalg.norm(step) * np.linalg.norm(rise)):
            self.steps, self.rises = [*self.steps[1 - HELD :], step], [*self.rises[1 - HELD :], rise]

    def apply(self, v: Vector) -> Vector:
        """B v."""
        if not self.steps:
            return self.gamma * v
        along = self.basis.T @ (self.wide @ v)
        return np.asarray(self.gamma * v + (self.basis @ (self.bends * along)) @ self.wide)

    def path(self, b: Vector) -> Path:
        """μ → −(B + μ)⁻¹ b."""
        if not self.steps:
            return lambda mu: -b / (self.gamma + mu)
        along = self.basis.T @ (self.wide @ b)

        def at(mu: float) -> Vector:
            most = 1.0 / (self.gamma + mu)
            rest = (1.0 / (self.gamma + self.bends + mu) - most) * along
            return np.asarray(-(most * b + (self.basis @ rest) @ self.wide))

        return at


def model(examples: Examples) -> Newton | Memory:
    """The model for so many features."""
    n = examples.n
    return Newton(examples) if n <= FEW or (n <= 3 * FEW and n * n * examples.rows <= WORK) else Memory(examples)
