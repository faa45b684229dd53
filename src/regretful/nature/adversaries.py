"""Adversaries: natures that want the learner to regret. Those that look see the iterate before they choose."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from regretful.core.parts import number
from regretful.core.types import Batch, Events, Example, Label, Matrix, Vector
from regretful.nature.nature import Nature, Oblivious
from regretful.nature.samplers import Sampler
from regretful.nature.streams import Stream


class FollowTheSign(Nature):
    """x_i = size · sign(w_i), with sign(0) = 1: linear losses that rise where the learner stands. Labels are 0.

    With the loss `Affine()`, as players have, every round costs size · ‖w‖₁.
    """

    def __init__(self, n: int | None = None, size: float = 1.0) -> None:
        self.n, self.size = n, number("size", size, above=0.0)

    def reveal(self, learner: Any) -> Example:
        """The sign of each weight."""
        weights = learner.weights
        n = self.n if self.n is not None else learner.n
        if not n:
            raise ValueError("FollowTheSign needs the number of features: give it n=…, or make the learner with n=…")
        signs = np.full(n, self.size)
        signs[: len(weights)][weights[:n] < 0.0] = -self.size
        return signs

    def label(self, learner: Any, x: Example, p: float) -> Label:  # noqa: ARG002
        """0."""
        return 0.0


class Contrary(Nature):
    """Examples of another source, each with that of `labels` which costs the learner most at its prediction.

    Between labels that cost the same it takes the first; so of −1 and +1 every prediction gets the wrong one.
    """

    def __init__(self, source: Oblivious | Events | Matrix, labels: tuple[Label, ...] = (-1.0, 1.0)) -> None:
        self.source = source if isinstance(source, Oblivious) else Stream(source)
        self.labels = tuple(labels)
        self.rounds = self.source.rounds

    def reset(self) -> None:
        """Start the source again."""
        self.source.reset()

    def reveal(self, learner: Any) -> Example:
        """The source's example."""
        return self.source.reveal(learner)

    def label(self, learner: Any, x: Example, p: float) -> Label:  # noqa: ARG002
        """The label that costs most."""
        return max(self.labels, key=lambda y: float(learner.loss.value(p, float(y))))


class LeaderBreaker(Oblivious):
    """The losses that break follow the leader: f_1(θ) = θ/2, then −θ, θ, −θ, … over [−1, 1] (notes 001). Labels are 0.

    The leader pays 0, 1, 1, 1, …, and some fixed point −½ in all: its regret is T − ½.
    """

    def examples(self, first: int, last: int) -> Batch:
        """Rounds first to last − 1."""
        t = np.arange(first, last)
        g = np.where(t == 0, 0.5, np.where(t % 2 == 1, -1.0, 1.0))
        return Batch(g[:, None], np.zeros(len(t)), None)


class Orthogonal(Nature):
    """n rounds, each with an example at right angles to all before: x = size · e_t, and the label against p.

    What was learnt says nothing of what comes: the perceptron errs in every round. With w* = Σ y x/√n the margin is
    1/√n, so its bound 1/margin² is met exactly (notes 001); the bound printed in notes 002 is broken for larger γ.
    """

    def __init__(self, n: int, size: float = 1.0) -> None:
        if n < 1:
            raise ValueError(f"n must be at least 1, not {n}")
        self.n, self.size = int(n), number("size", size, above=0.0)
        self.rounds = self.n
        self._at = 0

    def reset(self) -> None:
        """Start again at e_1."""
        self._at = 0

    def reveal(self, learner: Any) -> Example:  # noqa: ARG002
        """The next direction."""
        if self._at >= self.n:
            raise StopIteration
        x = np.zeros(self.n)
        x[self._at] = self.size
        self._at += 1
        return x

    def label(self, learner: Any, x: Example, p: float) -> Label:  # noqa: ARG002
        """−1 where p is positive, else +1."""
        return -1.0 if p > 0.0 else 1.0


class RandomSigns(Sampler):
    """x_i = ±size, each by a fair coin. Labels are 0, for linear losses; with labels=True they are coins as well.

    No learner can foresee them, and some fixed predictor gains √T by luck: regret of that order is the fate of all.
    """

    def __init__(self, n: int = 1, size: float = 1.0, *, labels: bool = False, seed: int = 0) -> None:
        super().__init__(n, seed=seed)
        self.size, self.labels = number("size", size, above=0.0), labels

    def draw(self, rng: Generator, t: Vector) -> tuple[Vector, Vector]:
        """Coins."""
        X = self.size * rng.choice([-1.0, 1.0], size=(len(t), self.n))
        return X, rng.choice([-1.0, 1.0], size=len(t)) if self.labels else np.zeros(len(t))


class Moves(Stream):
    """Linear losses ⟨g_t, w⟩ given beforehand, one a row; labels are 0."""

    def __init__(self, moves: ArrayLike) -> None:
        g = np.asarray(moves, dtype=np.float64)
        super().__init__(g, np.zeros(len(g)))
