"""Gradient descent, and projected gradient descent, against a ball (rows 1, 2, 13, 21)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from regretful.core.domains import Ball, Domain, Everywhere
from regretful.core.euclidean import Euclidean
from regretful.core.rates import Constant
from regretful.core.rules import MirrorDescent
from regretful.learners import Player
from regretful.nature import Moves, RandomSigns
from regretful.theorems.regret import RegretBound
from regretful.theorems.theorem import Sides, Theorem, require

if TYPE_CHECKING:
    from regretful.core.ledger import Ledger


class GradientDescentRegret(RegretBound):
    """Row 1. A fair game: slopes of random sign. The adversary: the same sign U/η times, then in turn."""

    id = "gd-regret"
    row = 1
    source = "000, Theorem 2.1"
    statement = "GD(η): regret to ‖u‖₂ ≤ U is at most ½(U²/η + η R₂² Z² T)"
    latex = (
        r"L[\mathrm{GD}(\eta)] - \min_{\|u\|_2\le U} L[u] \le \tfrac12\Bigl(\tfrac{U^2}{\eta} + \eta R_2^2Z^2T\Bigr)"
    )
    hypotheses = ("Euclidean geometry, Everywhere()", "a constant rate η", "every step taken, from w = 0")

    def check(self, learner: Any) -> None:
        """Plain gradient descent with a constant rate."""
        plain = isinstance(learner, MirrorDescent) and isinstance(learner.geometry, Euclidean)
        require(plain and not (learner.conservative or learner.implicit or learner.l2), self,
                f"speaks of gradient descent, w ← w − η s x, not of {learner!r}")  # fmt: skip
        require(isinstance(learner.domain, Everywhere), self, f"needs Everywhere(), not {learner.domain!r}")
        require(isinstance(learner.rate, Constant), self, f"needs a constant rate, not {learner.rate!r}")

    def comparators(self, learner: Any, U: float | None) -> Domain:  # noqa: ARG002
        """The ball of radius U."""
        require(U is not None, self, "needs U, the radius of the comparators")
        return Ball(U or 0.0)

    def bound(self, ledger: Ledger, *, eta: float, U: float, data: bool = False) -> float:
        """½(U²/η + η R₂²Z²T), or with `data` ½(U²/η + η Σ s²‖x‖₂²)."""
        V = ledger.squares2 if data else (ledger.max_norm2 * ledger.max_slope) ** 2 * ledger.rounds
        return 0.5 * (U * U / eta + eta * V)

    def stated(self, ledger: Ledger, learner: Any, U: float | None) -> float:
        """½(U²/η + η R₂²Z²T)."""
        return self.bound(ledger, eta=learner.rate.eta, U=U or 0.0)

    def measured(self, ledger: Ledger, learner: Any, U: float | None) -> float:
        """½(U²/η + η Σ s²‖x‖₂²)."""
        return self.bound(ledger, eta=learner.rate.eta, U=U or 0.0, data=True)

    def game(self, rounds: int, seed: int) -> Sides:
        """Random signs, the rate a third of the tuned one."""
        player = Player(rate=1.0 / (3.0 * math.sqrt(rounds)), n=1)
        return self.played(player, RandomSigns(1, seed=seed), rounds, U=1.0, note="slopes of random sign")

    def hunt(self, rounds: int, seed: int) -> Sides:  # noqa: ARG002
        """U/η times the same sign, then both in turn: it attains the bound."""
        eta = 1.0 / math.sqrt(rounds)
        same = min(rounds, round(1.0 / eta))
        moves = [[1.0]] * same + [[1.0 if t % 2 else -1.0] for t in range(rounds - same)]
        return self.played(Player(rate=eta, n=1), Moves(moves), rounds, U=1.0, note="U/η times one sign, then in turn")


THEOREMS: tuple[Theorem, ...] = (GradientDescentRegret(),)
