"""Quadratic models of a smooth objective, ½⟨z, B z⟩ + ⟨b, z⟩: Newton's with the Hessian, and one from past gradients.

Each can be applied to a vector, and knows the minimiser of the model plus μ/2 ‖z‖² for any μ (its path); nothing here
knows of domains.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

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
HELD = 30  # pairs of steps and gradient differences that are remembered, fewer where that were more than KEPT numbers
FINEST = 1e-11  # the damping of Newton's model, relative to its diagonal


class Path(NamedTuple):
    """The minimisers of a model plus μ/2 ‖z‖², for every μ; and how long they are, which is known without them."""

    at: Callable[[float], Vector]
    norm: Callable[[float], float]


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
        # Each coordinate is damped by its own curvature: features may be of very different sizes.
        self.B = B + self.damping * np.diag(np.maximum(np.diag(B), 1e-8 * self.mass * (stiff or 1.0)))
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

    def scaled(self) -> tuple[Newton, Vector]:
        """The model of d z, d the roots of B's diagonal: there all coordinates bend alike."""
        d = np.sqrt(np.maximum(np.diag(self.B), 1e-300))
        other = copy.copy(self)
        other.__dict__.pop("spectrum", None)
        other.B = self.B / np.outer(d, d)
        return other, d

    def apply(self, v: Vector) -> Vector:
        """B v."""
        return np.asarray(self.B @ v)

    def path(self, b: Vector) -> Path:
        """μ → −(B + μ)⁻¹ b."""
        size, axes = self.spectrum
        size = np.maximum(size, 1e-16 * max(size[-1], 1e-300))
        along = axes.T @ b
        return Path(
            lambda mu: np.asarray(-(axes @ (along / (size + mu)))),
            lambda mu: float(np.linalg.norm(along / (size + mu))),
        )


class Memory:
    """B of limited memory (BFGS in compact form; Byrd, Nocedal and Schnabel 1994), from gradients alone.

    B = γ + Zᵀ K Z, where the rows of Z are steps and gradient differences; their products are kept, so that only
    what applies B to a vector touches all n coordinates.
    """

    def __init__(self, examples: Examples) -> None:
        self.n = examples.n
        self.most = max(5, min(HELD, KEPT // (2 * self.n)))
        self.Z = np.zeros((2 * self.most, self.n))  # a step in row k, what it did to the gradient in row most + k
        self.products = np.zeros((2 * self.most, 2 * self.most))
        self.forget()

    def forget(self) -> None:
        """The objective is another one now."""
        self.held: list[int] = []  # which k, the oldest first
        self.gamma = self.norm = 1.0

    @property
    def blank(self) -> bool:
        """Whether nothing is remembered."""
        return not self.held

    def look(self, point: Point, stiff: float, instead: Loss | None = None) -> None:
        """The model around this point."""
        del stiff, instead
        if self.blank:
            self.gamma = self.norm = float(np.linalg.norm(point.G)) / (1.0 + float(np.linalg.norm(point.w))) or 1.0
            return
        s = np.array(self.held)
        rows = np.append(s, s + self.most)
        products = self.products[np.ix_(rows, rows)]
        k = len(s)
        self.gamma = float(products[-1, -1] / products[k - 1, -1])
        SY = products[:k, k:]
        lower = np.tril(SY, -1)
        M = np.block([[self.gamma * products[:k, :k], lower], [lower.T, -np.diag(np.diag(SY))]])
        # B's eigenvectors are combinations of γ S and Y, which are brought to length 1 first.
        factor = np.append(np.full(k, self.gamma), np.ones(k))
        length = factor * np.sqrt(np.diag(products))
        K = -np.linalg.inv(M / np.outer(length, length))
        size, axes = np.linalg.eigh(products * np.outer(factor / length, factor / length))
        keep = size > 1e-13 * size[-1]
        root = np.sqrt(size[keep])
        inner = (root[:, None] * axes[:, keep].T) @ K @ (axes[:, keep] * root)
        bends, turn = np.linalg.eigh(0.5 * (inner + inner.T))
        self.bends = np.maximum(bends, -self.gamma * (1.0 - 1e-10))
        self.basis = np.zeros((2 * self.most, len(bends)))
        self.basis[rows] = (factor / length)[:, None] * ((axes[:, keep] / root) @ turn)
        self.norm = self.gamma + max(0.0, float(self.bends.max()))

    def learn(self, old: Point, new: Point, t: float) -> None:
        """A step of length t was taken (0: it failed)."""
        if t == 0.0:
            self.held = self.held[-1:]
            return
        step, rise = new.w - old.w, new.G - old.G
        if float(step @ rise) > 1e-12 * float(np.linalg.norm(step) * np.linalg.norm(rise)):
            full = len(self.held) == self.most
            k = self.held.pop(0) if full else min(set(range(self.most)) - set(self.held))
            self.held.append(k)
            for row, vector in ((k, step), (k + self.most, rise)):
                self.Z[row] = vector
                self.products[row] = self.products[:, row] = self.Z @ vector

    def apply(self, v: Vector) -> Vector:
        """B v."""
        if self.blank:
            return self.gamma * v
        along = self.basis.T @ (self.Z @ v)
        return np.asarray(self.gamma * v + (self.basis @ (self.bends * along)) @ self.Z)

    def path(self, b: Vector) -> Path:
        """μ → −(B + μ)⁻¹ b."""
        across = float(b @ b)
        if self.blank:
            return Path(lambda mu: -b / (self.gamma + mu), lambda mu: across**0.5 / (self.gamma + mu))
        along = self.basis.T @ (self.Z @ b)
        across = max(0.0, across - float(along @ along))

        def at(mu: float) -> Vector:
            most = 1.0 / (self.gamma + mu)
            rest = (1.0 / (self.gamma + self.bends + mu) - most) * along
            return np.asarray(-(most * b + (self.basis @ rest) @ self.Z))

        def norm(mu: float) -> float:
            inside = along / (self.gamma + self.bends + mu)
            return float(np.sqrt(inside @ inside + across / (self.gamma + mu) ** 2))

        return Path(at, norm)


def model(examples: Examples) -> Newton | Memory:
    """The model for so many features."""
    n = examples.n
    return Newton(examples) if n <= FEW or (n <= 3 * FEW and n * n * examples.rows <= WORK) else Memory(examples)
