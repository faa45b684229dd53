"""How many mistakes a perceptron makes (rows 10, 11)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from regretful.core.domains import Everywhere
from regretful.core.euclidean import Euclidean
from regretful.core.losses import Hinge
from regretful.core.rules import MirrorDescent
from regretful.learners import Perceptron
from regretful.nature import Separable
from regretful.theorems.theorem import Curve, Refuted, Sides, Theorem, checkpoints, require

if TYPE_CHECKING:
    from regretful.core.ledger import Ledger
    from regretful.core.types import Vector
    from regretful.game import Game


def check_perceptron(theorem: Theorem, learner: Any) -> None:
    """Raise `Unmet` unless it steps along y x after mistakes and only then; the rate does not matter from w = 0."""
    steps = isinstance(learner, MirrorDescent) and isinstance(learner.geometry, Euclidean) and learner.conservative
    plain = steps and isinstance(learner.loss, Hinge) and isinstance(learner.domain, Everywhere)
    require(plain and learner.rate.constant and not (learner.implicit or learner.l2), theorem,
            f"speaks of the perceptron, w ← w + y x after mistakes, not of {learner!r}")  # fmt: skip
    require(learner.ledger is not None, theorem, "needs the measured constants: make the learner with ledger=True")


def margins(X: Any, y: Any, u: Vector) -> Vector:
    """y⟨u, x⟩ of each example."""
    signs: Vector = np.where(np.asarray(y, dtype=np.float64) > 0.0, 1.0, -1.0) * np.asarray(X @ np.asarray(u))
    return signs


class PerceptronMargin(Theorem):
    """Row 10. A fair game: separable examples in 2, 20 and 200 dimensions. The adversary: examples at right angles.

    Of T orthonormal examples w* = Σ y x/√T has margin 1/√T, and the perceptron errs on all: the bound T is attained.
    """

    id = "perceptron-margin"
    row = 10
    source = "001; 004, Theorem 1"
    statement = "separable with margin γ by w*: the perceptron makes at most ‖w*‖² R₂²/γ² mistakes, in any dimension"
    latex = (
        r"y_t\,w_*^\top x_t \ge \gamma:\quad "
        r"\sum_t \mathbf 1(y_t\,w_{t-1}^\top x_t \le 0) \le \tfrac{\|w_*\|_2^2R_2^2}{\gamma^2}"
    )
    hypotheses = ("the perceptron, from w = 0", "a w* with y⟨w*, x⟩ ≥ γ > 0 on every example")
    left_side = "mistakes"

    def bound(self, ledger: Ledger, *, norm: float, margin: float) -> float:
        """‖w*‖²R₂²/γ²."""
        return (norm * ledger.max_norm2 / margin) ** 2

    def of(self, game: Game, u: Vector) -> Sides:
        """Both sides of a game of yours, if u separates its examples."""
        check_perceptron(self, game.learner)
        X, y, _ = game.examples()
        gamma = float(margins(X, y, u).min())
        require(gamma > 0.0, self, f"needs a u that separates the examples; y⟨u, x⟩ is {gamma:.6g} on one of them")
        norm = float(np.linalg.norm(u))
        return Sides(game.mistakes, self.bound(game.learner.ledger, norm=norm, margin=gamma), f"margin {gamma:.6g}")

    def played(self, X: Vector, y: Vector, u: Vector, note: str) -> Sides:
        """Both sides along the way, by the margin of the examples so far."""
        learner = Perceptron()
        gamma = np.minimum.accumulate(margins(X, y, u))
        require(bool(gamma[-1] > 0.0), self, "needs a u that separates the examples")
        at = checkpoints(len(y))
        left, right = [], []
        for first, last in zip([0, *at[:-1].tolist()], at.tolist(), strict=True):
            learner.learn_many(X[first:last], y[first:last])
            assert learner.ledger is not None
            left.append(learner.ledger.mistakes)
            right.append(self.bound(learner.ledger, norm=float(np.linalg.norm(u)), margin=float(gamma[last - 1])))
        return Sides(left[-1], right[-1], note, {}, Curve.of(at, left, right))

    def game(self, rounds: int, seed: int) -> Sides:
        """Unit examples of margin at least 1/10."""
        made = {}
        for n in (2, 20, 200):
            nature = Separable(n, margin=0.1, seed=seed)
            X, y, _ = nature.examples(0, rounds)
            made[n] = self.played(np.asarray(X), np.asarray(y), nature.target(), f"unit examples, {n} dimensions")
        one = made[20]
        forms = {f"mistakes for n = {n}": sides.left for n, sides in made.items()}
        return Sides(one.left, one.right, one.note, forms, one.curve)

    def hunt(self, rounds: int, seed: int) -> Sides:
        """Orthonormal examples with coins as labels."""
        X, y = orthonormal(rounds, seed)
        return self.played(X, y, X.T @ y / math.sqrt(rounds), "orthonormal examples")


class PerceptronNoise(Refuted):
    """Row 11. The game is the counterexample: T orthonormal examples, w* = Σ y x/√T, and γ = 5/√T, or the worst γ.

    The perceptron errs T times, and Σ ξ = T(γ − 1/√T). With z = 1/(γ√T) the printed bound is T(z² + 1 − z), which is
    less than T for every z < 1. Each mistake costs 2η times its max(0, γ − y⟨w*, x⟩) in the proof of row 18, so the
    2 belongs before the sum.
    """

    id = "perceptron-noise"
    row = 11
    source = "002, online linear classification"
    statement = "y⟨w*, x⟩ ≥ γ − ξ: printed, mistakes ≤ 1/γ² + Σξ/γ; refuted; what the proof gives is 1/γ² + 2Σξ/γ"
    latex = (
        r"M \le \tfrac1{\gamma^2} + \tfrac1\gamma\sum_t\xi_t\ \text{(printed, refuted)},\quad "
        r"M \le \tfrac1{\gamma^2} + \tfrac2\gamma\sum_t\xi_t"
    )
    hypotheses = ("the perceptron, from w = 0", "‖x‖₂ ≤ 1 and ‖w*‖₂ ≤ 1", "ξ_t = max(0, γ − y⟨w*, x⟩), γ > 0")
    rounds = 100
    least = 2
    left_side = "mistakes"

    def bound(self, *, margin: float, slack: float, printed: bool = False) -> float:
        """1/γ² + (2/γ)Σξ, or as it is printed; the examples are of length 1 at most."""
        return 1.0 / margin**2 + (1.0 if printed else 2.0) * slack / margin

    def of(self, game: Game, u: Vector, margin: float) -> Sides:
        """Both sides of a game of yours, for this w* and γ."""
        check_perceptron(self, game.learner)
        ledger = game.learner.ledger
        require(ledger.max_norm2 <= 1.0 + 1e-12, self, f"needs ‖x‖₂ ≤ 1; one example has {ledger.max_norm2:.6g}")
        norm = float(np.linalg.norm(u))
        require(norm <= 1.0 + 1e-12 and margin > 0.0, self, f"needs ‖w*‖₂ ≤ 1 and γ > 0, not {norm:.6g} and {margin:g}")
        X, y, _ = game.examples()
        return self._sides(game.mistakes, margin, float(np.maximum(0.0, margin - margins(X, y, u)).sum()))

    def _sides(self, mistakes: float, margin: float, slack: float, note: str = "", curve: Curve | None = None) -> Sides:
        printed = self.bound(margin=margin, slack=slack, printed=True)
        return Sides(mistakes, self.bound(margin=margin, slack=slack), note, {"printed": printed}, curve)

    def played(self, rounds: int, seed: int, share: float) -> Sides:
        """Orthonormal examples, with γ = share/√t for the first t of them."""
        X, y = orthonormal(rounds, seed)
        p = Perceptron().learn_many(X, y)
        mistakes = np.cumsum(y * p <= 0.0)
        at = checkpoints(rounds)
        along = []
        for t in at:
            gamma, u = share / math.sqrt(t), X[:t].T @ y[:t] / math.sqrt(t)
            slack = np.maximum(0.0, gamma - margins(X[:t], y[:t], u)).sum()
            along.append(self._sides(float(mistakes[t - 1]), gamma, float(slack)))
        printed = [sides.forms["printed"] for sides in along]
        curve = Curve.of(at, [s.left for s in along], [s.right for s in along], printed=printed)
        note = f"{rounds} orthonormal examples, γ = {share / math.sqrt(rounds):.4g}"
        return Sides(along[-1].left, along[-1].right, note, along[-1].forms, curve)

    def game(self, rounds: int, seed: int) -> Sides:
        """γ = 5/√T, which is ½ for T = 100."""
        return self.played(rounds, seed, 5.0)

    def hunt(self, rounds: int, seed: int) -> Sides:
        """The γ that leaves the printed bound farthest behind."""
        found = [self.played(rounds, seed, share) for share in (1.1, 1.5, 2.0, 3.0, 5.0, 10.0)]
        return max(found, key=lambda sides: sides.left / sides.forms["printed"])


def orthonormal(rounds: int, seed: int) -> tuple[Vector, Vector]:
    """The axes, one a round, with coins as labels: what was learnt says nothing of what comes."""
    return np.eye(rounds), np.random.default_rng(seed).choice([-1.0, 1.0], rounds)


THEOREMS: tuple[Theorem, ...] = (PerceptronMargin(), PerceptronNoise())
