"""Strongly convex losses: logarithmic and faster (rows 25, 26)."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

import numpy as np

from regretful.core.domains import Ball, Domain
from regretful.core.rates import InverseTime, Rate, WeightedInverseTime
from regretful.core.types import Vector
from regretful.learners import Player
from regretful.theorems.games import unit_rows
from regretful.theorems.theorem import ROUNDING, Curve, Sides, Theorem, checkpoints, require

LAM = 1.0
SILENT = (0, 1, 2, 3, 5, 8, 13, 20, 30, 50)  # rounds without a push, of which the adversary takes the worst


class StronglyConvex(Theorem):
    """A player whose rate falls like 1/t, on λ-strongly convex losses. The games: f_t(w) = ⟨z_t, w⟩ + ½λ‖w‖².

    A fair one: z_t from the sphere. The adversary: silence (z = 0) for some rounds, in which w stays at 0 and no
    slope is steep, then both signs in turn.
    """

    hypotheses = ("Euclidean steps over a convex domain", "f_t is λ-strongly convex between w_{t−1} and w", "the rate")
    rate: ClassVar[type[Rate]]

    @abstractmethod
    def weights(self, rounds: int) -> Vector:
        """How much each round counts, up to a factor."""

    @abstractmethod
    def bound(self, *, G: float, T: int, lam: float) -> float:
        """The right side, from the steepest subgradient, the rounds and λ."""

    def of(
        self,
        losses: Sequence[Callable[[Vector], tuple[float, Vector]]],
        domain: Domain,
        w: Vector,
        lam: float,
        note: str = "",
    ) -> Sides:
        """Play loss functions of yours, each giving (value, subgradient), and compare with this w of the domain."""
        require(domain.contains(w), self, f"w is not in {domain!r}")
        player = Player(domain, self.rate(lam), n=len(w))  # type: ignore[call-arg]  # both rates take λ
        regret, steep = np.zeros(len(losses)), np.zeros(len(losses))
        for t, f in enumerate(losses):
            point = player.point
            value, g = f(point)
            theirs, _ = f(w)
            tangent = value + float(np.dot(g, w - point)) + 0.5 * lam * float(((w - point) ** 2).sum())
            require(theirs >= tangent - ROUNDING * (1.0 + abs(theirs)), self,
                    f"round {t + 1}: f is not {lam:g}-strongly convex between the iterate and w; it lacks "
                    f"{tangent - theirs:.6g}")  # fmt: skip
            regret[t], steep[t] = value - theirs, np.linalg.norm(g)
            player.pay(value, g)
        at = checkpoints(len(losses))
        steep = np.maximum.accumulate(steep)
        left, right = [], []
        for t in at:
            counts = self.weights(int(t))
            left.append(float(counts @ regret[:t]))
            right.append(self.bound(G=float(steep[t - 1]), T=int(t), lam=lam))
        return Sides(left[-1], right[-1], note, {}, Curve.of(at, left, right))

    def linear(self, z: Vector, radius: float, note: str) -> Sides:
        """f_t(w) = ⟨z_t, w⟩ + ½λ‖w‖² over a ball, against the best w of it."""
        counts = self.weights(len(z))
        w = Ball(radius).project(-(counts @ z) / (LAM * counts.sum()))

        def pushed(push: Vector) -> Callable[[Vector], tuple[float, Vector]]:
            return lambda v: (float(push @ v) + 0.5 * LAM * float(v @ v), push + LAM * v)

        return self.of([pushed(push) for push in z], Ball(radius), w, LAM, note)

    def game(self, rounds: int, seed: int) -> Sides:
        """Pushes from the sphere, in five dimensions."""
        return self.linear(unit_rows(rounds, 5, seed), 1.0, "pushes from the sphere")

    def hunt(self, rounds: int, seed: int) -> Sides:  # noqa: ARG002
        """Silence, then both signs in turn; the best length of the silence."""
        found = []
        for silent in SILENT:
            signs = np.where(np.arange(rounds) % 2, -1.0, 1.0)
            signs[: min(silent, rounds - 1)] = 0.0
            found.append(self.linear(signs[:, None], 1.0, f"{silent} rounds of silence, then both signs in turn"))
        return max(found, key=lambda sides: sides.left / sides.right)


class StronglyConvexRegret(StronglyConvex):
    """Row 25."""

    id = "strongly-convex"
    row = 25
    source = "004, Theorem 11"
    statement = "λ-strongly convex, η_t = 1/(λt): regret is at most (1 + ln T) G²/(2λ)"
    latex = (
        r"\eta_t = \tfrac1{\lambda t}:\quad \sum_t\ell_t(w_{t-1}) \le \sum_t\ell_t(w) + \tfrac{1+\ln T}{2\lambda}G^2"
    )
    rate = InverseTime

    def weights(self, rounds: int) -> Vector:
        """All 1."""
        return np.ones(rounds)

    def bound(self, *, G: float, T: int, lam: float) -> float:
        """(1 + ln T)G²/(2λ)."""
        return (1.0 + math.log(T)) * G * G / (2.0 * lam)


class WeightedRegret(StronglyConvex):
    """Row 26. η_t^{−2}(1 − λη_t) = λ²(t² − 1)/4 ≤ η_{t−1}^{−2}, so nothing of the distances is left over."""

    id = "weighted"
    row = 26
    source = "004, Theorem 12"
    statement = "λ-strongly convex, η_t = 2/(λ(t+1)), weights 2(t+1)/(T(T+3)): weighted regret ≤ 2G²/(λ(T+3))"
    latex = (
        r"\eta_t = \tfrac2{\lambda(t+1)}:\quad \sum_t \tfrac{2(t+1)}{T(T+3)}\bigl[\ell_t(w_{t-1}) - \ell_t(w)\bigr] "
        r"\le \tfrac{2G^2}{\lambda(T+3)}"
    )
    rate = WeightedInverseTime
    left_side = "weighted regret"

    def weights(self, rounds: int) -> Vector:
        """2(t + 1)/(T(T + 3))."""
        return 2.0 * np.arange(2.0, rounds + 2.0) / (rounds * (rounds + 3.0))

    def bound(self, *, G: float, T: int, lam: float) -> float:
        """2G²/(λ(T + 3))."""
        return 2.0 * G * G / (lam * (T + 3.0))


THEOREMS: tuple[Theorem, ...] = (StronglyConvexRegret(), WeightedRegret())
