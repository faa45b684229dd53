"""Bounds on the squared loss that need no Lipschitz constant (rows 14, 15)."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np

from regretful.core.domains import Everywhere, Simplex
from regretful.core.entropy import Entropy
from regretful.core.euclidean import Euclidean
from regretful.core.losses import Squared
from regretful.core.rules import MirrorDescent
from regretful.core.types import Vector
from regretful.hindsight import hindsight
from regretful.learners import ExponentiatedGradient, WidrowHoff
from regretful.theorems.games import against, halvings, unit_rows
from regretful.theorems.theorem import Curve, Sides, Theorem, checkpoints, require

if TYPE_CHECKING:
    from regretful.game import Game

POINTS = 25  # of the curve; each asks for a best predictor in hindsight


class LossBound(Theorem):
    """Σ (ŷ − y)² ≤ the least over u of a L_u + b · (the size of u), from the examples and the rate."""

    left_side = "loss"

    @abstractmethod
    def check(self, learner: Any) -> None:
        """Raise `Unmet` if this learner is none the theorem speaks of."""

    @abstractmethod
    def right(self, learner: Any, X: Vector, y: Vector) -> float:
        """The bound, from the examples; `Unmet` if they are not as the theorem has them."""

    def of(self, game: Game) -> Sides:
        """Both sides of a game of yours, if its learner and examples meet the hypotheses."""
        self.check(game.learner)
        X, y, weight = game.examples()
        require(weight is None and game.earlier_rounds == 0, self, "needs a game from the start, with weights 1")
        return Sides(game.loss, self.right(game.learner, np.asarray(X, dtype=np.float64), np.asarray(y)), "your game")

    def played(self, learner: Any, X: Vector, y: Vector, note: str) -> Sides:
        """Both sides along the way."""
        self.check(learner)
        at = checkpoints(len(y), POINTS)
        lost = np.cumsum((learner.learn_many(X, y) - y) ** 2)
        right = [self.right(learner, X[:t], y[:t]) for t in at]
        return Sides(float(lost[-1]), right[-1], note, {}, Curve.of(at, lost[at - 1], right))


class WidrowHoffLoss(LossBound):
    """Row 14. A fair game: noisy labels of a linear function. The adversary: orthonormal examples with the label 1.

    There u = η Σ x is the best, and every inequality of the proof is an equality: both sides are T.
    """

    id = "widrow-hoff"
    row = 14
    source = "003, Theorem 1.1"
    statement = "Widrow–Hoff, ‖x‖₂ ≤ 1, 0 < η < 1: its loss is at most min over u of L_u/(1 − η) + ‖u‖²/η"
    latex = r"L_{\mathrm{WH}} \le \min_u \Bigl[\tfrac{L_u}{1-\eta} + \tfrac{\|u\|_2^2}{\eta}\Bigr]"
    hypotheses = ("w ← w − η(ŷ − y)x from w = 0, with 0 < η < 1", "‖x‖₂ ≤ 1")

    def check(self, learner: Any) -> None:
        """Widrow–Hoff, whose η is twice the rate, as the slope is 2(ŷ − y)."""
        check_squared(self, learner, Euclidean, Everywhere)
        require(learner.rate.at(1) < 0.5, self, f"needs η below 1, not {2.0 * learner.rate.at(1):.6g}")

    def right(self, learner: Any, X: Vector, y: Vector) -> float:
        """From these examples."""
        longest = float(np.sqrt((X * X).sum(axis=1).max(initial=0.0)))
        require(longest <= 1.0 + 1e-12, self, f"needs ‖x‖₂ ≤ 1; one example has {longest:.6g}")
        return self.bound(X, y, eta=2.0 * learner.rate.at(1))

    def bound(self, X: Vector, y: Vector, *, eta: float) -> float:
        """The least of L_u/(1 − η) + ‖u‖²/η, at the u where its gradient is 0."""
        u = np.linalg.solve(X.T @ X / (1.0 - eta) + np.eye(X.shape[1]) / eta, X.T @ y / (1.0 - eta))
        return float(((X @ u - y) ** 2).sum()) / (1.0 - eta) + float(u @ u) / eta

    def game(self, rounds: int, seed: int) -> Sides:
        """Unit examples, ‖u‖ = 2, noise of ½."""
        X, y = noisy(unit_rows(rounds, 10, seed), 0.5, seed)
        return self.played(WidrowHoff(0.3), X, y, "a linear function with noise, η = 0.3")

    def hunt(self, rounds: int, seed: int) -> Sides:  # noqa: ARG002
        """The axes, one a round, with the label 1."""
        return self.played(WidrowHoff(0.5, n=rounds), np.eye(rounds), np.ones(rounds), "orthonormal examples")


class ExponentiatedLoss(LossBound):
    """Row 15. A fair game: votes with noise. The adversary: examples that halve every group of features.

    With l = ŷ − y, g = ⟨u, x⟩ − y, k the exponent's rate and d the relative entropy: d(u, w_t) − d(u, w_{t+1}) =
    −k l⟨u, x⟩ − ln Z ≥ k l(l − g) − k²l²R²/8 (Hoeffding). With bk = 2, b times this is at least l² − a g² for all
    l and g if and only if 4a(1 − kR²/4) ≥ 4; and k = 4c/(R²(2 + c)) makes that a ≥ 1 + c/2 (Kivinen, Warmuth 1997).
    """

    id = "eg-squared"
    row = 15
    source = "003, Theorem 2.1 (constants: Kivinen and Warmuth 1997)"
    statement = "EG, squared loss, x of range R, exponent −4c/(R²(2+c))·(ŷ−y)x: L ≤ (1 + c/2)L_u + R²(½ + 1/c) ln N"
    latex = (
        r"L_{\mathrm{EG}} \le \min_{u\in\Delta_N}\bigl[(1+\tfrac c2)L_u\bigr] + R^2\bigl(\tfrac12+\tfrac1c\bigr)\ln N,"
        r"\quad w_i \propto w_i \exp\Bigl(-\tfrac{4c}{R^2(2+c)}(\hat y - y)x_i\Bigr)"
    )
    hypotheses = ("EG on the squared loss over Simplex(), constant rate", "max x_i − min x_i ≤ R, with rate · R² < 2")

    def check(self, learner: Any) -> None:
        """Exponentiated gradient."""
        check_squared(self, learner, Entropy, Simplex)
        require(learner.domain.scale == 1.0, self, f"needs Simplex(), not {learner.domain!r}")

    def right(self, learner: Any, X: Vector, y: Vector) -> float:
        """From these examples: R is their measured range, and c what the rate 2c/(R²(2 + c)) then means."""
        R, eta = float(np.ptp(X, axis=1).max()), learner.rate.at(1)
        require(eta * R * R < 2.0, self, f"needs a rate below 2/R² = {2.0 / R**2:.6g}, not {eta:.6g}")
        c = 2.0 * eta * R * R / (2.0 - eta * R * R)
        best = hindsight(Squared(), Simplex(), X, y, tol=1e-9)
        return self.bound(best.lower, R=R, c=c, N=X.shape[1])

    def bound(self, best: float, *, R: float, c: float, N: int) -> float:
        """(1 + c/2) L_u + R²(½ + 1/c) ln N, from the least L_u over the simplex."""
        return (1.0 + 0.5 * c) * best + R * R * (0.5 + 1.0 / c) * math.log(N)

    def game(self, rounds: int, seed: int) -> Sides:
        """Features in [−1, 1], u on three of 20, noise of 0.3; c = 1."""
        rng = np.random.default_rng(seed)
        X = rng.uniform(-1.0, 1.0, size=(rounds, 20))
        y = X[:, :3].mean(axis=1) + 0.3 * rng.normal(size=rounds)
        return self.played(learner_of(1.0, 2.0, 20), X, y, "the mean of three features among 20, with noise, c = 1")

    def hunt(self, rounds: int, seed: int) -> Sides:  # noqa: ARG002
        """Each example halves the groups of equal features, labels ±1 against the prediction; the worst c."""
        n = 2 ** min(rounds, 6)
        X, found = halvings(n), []
        for c in (1.0, 4.0, 16.0, 64.0):
            y = against(learner_of(c, 2.0, n), X)
            found.append(self.played(learner_of(c, 2.0, n), X, y, f"examples that halve {n} features, c = {c:g}"))
        return max(found, key=lambda sides: sides.left / sides.right)


def learner_of(c: float, R: float, n: int) -> ExponentiatedGradient:
    """EG with the exponent's rate 4c/(R²(2 + c)), half of which is the rate, as the slope is 2(ŷ − y)."""
    return ExponentiatedGradient(Squared(), 2.0 * c / (R * R * (2.0 + c)), n=n)


def noisy(X: Vector, noise: float, seed: int) -> tuple[Vector, Vector]:
    """X, and y = ⟨u, x⟩ + noise · N(0, 1) for a u of length 2."""
    rng = np.random.default_rng([seed, 1])
    u = rng.normal(size=X.shape[1])
    return X, 2.0 * X @ u / np.linalg.norm(u) + noise * rng.normal(size=len(X))


def check_squared(theorem: Theorem, learner: Any, geometry: type, domain: type) -> None:
    """Raise `Unmet` unless it is mirror descent on the squared loss with these parts and a constant rate."""
    plain = isinstance(learner, MirrorDescent) and not (learner.conservative or learner.implicit or learner.l2)
    fits = plain and isinstance(learner.geometry, geometry) and isinstance(learner.domain, domain)
    require(fits and isinstance(learner.loss, Squared) and learner.rate.constant, theorem,
            f"speaks of {geometry.__name__} steps on the squared loss over {domain.__name__}() with a constant rate, "
            f"not of {learner!r}")  # fmt: skip


THEOREMS: tuple[Theorem, ...] = (WidrowHoffLoss(), ExponentiatedLoss())
