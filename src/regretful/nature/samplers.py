"""Samplers: independent examples from a known source, the same for the same seed whatever the stretch asked for."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from regretful.core.parts import number
from regretful.core.types import Batch, Vector
from regretful.nature.nature import Oblivious

BLOCK = 1024  # rounds drawn from one generator


class Sampler(Oblivious):
    """Draws examples. Subclass it with `draw`; block k of 1024 rounds is drawn from the generator of (seed, k)."""

    def __init__(self, n: int = 10, *, seed: int = 0) -> None:
        if n < 1:
            raise ValueError(f"n must be at least 1, not {n}")
        self.n, self.seed = int(n), int(seed)
        self._drawn: tuple[int, Vector, Vector] | None = None

    def draw(self, rng: Generator, t: Vector) -> tuple[Vector, Vector]:
        """X and y of the rounds t, counted from 1."""
        raise NotImplementedError(f"{type(self).__name__} must define draw(rng, t)")

    def target(self, t: int = 1) -> Vector:
        """u_t, the weights behind the labels of round t, where there are such."""
        raise NotImplementedError(f"{type(self).__name__} has no weights behind its labels")

    def examples(self, first: int, last: int) -> Batch:
        """Rounds first to last − 1."""
        blocks = [self._block(k) for k in range(first // BLOCK, (last - 1) // BLOCK + 1)]
        begin = first // BLOCK * BLOCK
        part = slice(first - begin, last - begin)
        if not blocks:
            return Batch(np.zeros((0, self.n)), np.zeros(0), None)
        if len(blocks) == 1:
            return Batch(blocks[0][0][part], blocks[0][1][part], None)
        return Batch(np.concatenate([X for X, _ in blocks])[part], np.concatenate([y for _, y in blocks])[part], None)

    def _block(self, k: int) -> tuple[Vector, Vector]:
        if self._drawn is None or self._drawn[0] != k:
            rng = np.random.default_rng([self.seed, 0, k])
            self._drawn = (k, *self.draw(rng, np.arange(k * BLOCK + 1.0, (k + 1) * BLOCK + 1.0)))
        return self._drawn[1], self._drawn[2]

    def _direction(self, place: int) -> Vector:
        """A unit vector of the seed's own."""
        u = np.random.default_rng([self.seed, 1, place]).normal(size=self.n)
        return np.asarray(u / np.linalg.norm(u))

    def __repr__(self) -> str:
        return f"{type(self).__name__}(n={self.n}, seed={self.seed})"


def gaussian(rng: Generator, rounds: int, n: int) -> Vector:
    """Rows of independent normal values, of squared length 1 on average."""
    return np.asarray(rng.normal(size=(rounds, n)) / np.sqrt(n))


class LinearNoise(Sampler):
    """y = ⟨u, x⟩ + noise · N(0, 1), x normal with E‖x‖² = 1; u is `weights`, or a unit vector of the seed's.

    >>> import regretful as rg
    >>> nature = rg.nature.LinearNoise(n=3, noise=0.0, seed=1)
    >>> X, y, _ = nature.examples(0, 5)
    >>> bool(abs(X @ nature.target() - y).max() < 1e-12)
    True
    """

    def __init__(self, n: int = 10, noise: float = 0.1, *, weights: ArrayLike | None = None, seed: int = 0) -> None:
        self._weights = None if weights is None else np.asarray(weights, dtype=np.float64)
        super().__init__(n if self._weights is None else len(self._weights), seed=seed)
        self.noise = number("noise", noise, least=0.0)

    def target(self, t: int = 1) -> Vector:  # noqa: ARG002
        """u, the same in every round."""
        return self._direction(0) if self._weights is None else self._weights

    def draw(self, rng: Generator, t: Vector) -> tuple[Vector, Vector]:
        """Linear, with noise."""
        X = gaussian(rng, len(t), self.n)
        return X, self._signal(X, t) + self.noise * rng.normal(size=len(t))

    def _signal(self, X: Vector, t: Vector) -> Vector:  # noqa: ARG002
        return np.asarray(X @ self.target())


class LogisticNoise(Sampler):
    """y = +1 with chance 1/(1 + exp(−⟨u, x⟩)), else −1; x normal with E‖x‖² = 1, ‖u‖ = `norm`."""

    def __init__(self, n: int = 10, norm: float = 5.0, *, weights: ArrayLike | None = None, seed: int = 0) -> None:
        self._weights = None if weights is None else np.asarray(weights, dtype=np.float64)
        super().__init__(n if self._weights is None else len(self._weights), seed=seed)
        self.norm = number("norm", norm, least=0.0)

    def target(self, t: int = 1) -> Vector:  # noqa: ARG002
        """u, the same in every round."""
        return self.norm * self._direction(0) if self._weights is None else self._weights

    def draw(self, rng: Generator, t: Vector) -> tuple[Vector, Vector]:
        """Labels by a coin that ⟨u, x⟩ weighs."""
        X = gaussian(rng, len(t), self.n)
        heads = np.log(rng.random(len(t))) < -np.logaddexp(0.0, -(X @ self.target()))
        return X, np.where(heads, 1.0, -1.0)


class Separable(Sampler):
    """Unit examples that a unit u separates with margin: y⟨u, x⟩ is uniform on [margin, 1].

    The perceptron makes at most 1/margin² mistakes on them (notes 001; notes 004, Theorem 1).
    """

    def __init__(self, n: int = 10, margin: float = 0.1, *, seed: int = 0) -> None:
        super().__init__(n, seed=seed)
        if self.n < 2:
            raise ValueError("separable examples of length 1 need n of at least 2")
        self.margin = number("margin", margin, above=0.0, most=1.0)

    def target(self, t: int = 1) -> Vector:  # noqa: ARG002
        """u, the same in every round."""
        return self._direction(0)

    def draw(self, rng: Generator, t: Vector) -> tuple[Vector, Vector]:
        """A part along u, the rest across it."""
        u = self.target()
        y = np.where(rng.random(len(t)) < 0.5, 1.0, -1.0)
        along = rng.uniform(self.margin, 1.0, size=len(t))
        across = rng.normal(size=(len(t), self.n))
        across -= np.outer(across @ u, u)
        across *= (np.sqrt(1.0 - along**2) / np.linalg.norm(across, axis=1))[:, None]
        return np.outer(y * along, u) + across, y
