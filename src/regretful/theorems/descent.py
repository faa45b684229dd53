"""Gradient descent, and projected gradient descent, against a ball (rows 1, 2, 13, 21)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from regretful.core.domains import Ball, Box, Domain, Everywhere, L1Ball, Simplex
from regretful.core.rates import InverseSqrt
from regretful.learners import Player
from regretful.nature import Descents, Moves, RandomSigns, beam_search
from regretful.theorems.regret import RegretBound
from regretful.theorems.theorem import Sides, Theorem, require

if TYPE_CHECKING:
    from regretful.core.ledger import Ledger


def straight_then_in_turn(rounds: int, eta: float, U: float = 1.0) -> Moves:
    """U/η times the slope 1, which takes w to −U, then −1 and 1 in turn: what the bounds ½(U²/η + ηT) allow."""
    same = min(rounds, round(U / eta))
    turns = np.where(np.arange(rounds - same) % 2, 1.0, -1.0)
    return Moves(np.append(np.ones(same), turns)[:, None])


def random_signs(n: int, seed: int) -> RandomSigns:
    """Slopes of random sign along n axes, of length 1 together."""
    return RandomSigns(n, size=1.0 / math.sqrt(n), seed=seed)


class GradientDescentRegret(RegretBound):
    """Row 1. A fair game: slopes of random sign. The adversary: the same sign U/η times, then in turn."""

    id = "gd-regret"
    row = 1
    source = "000, Theorem 2.1"
    statement = "GD(η): regret to ‖u‖₂ ≤ U is at most ½(U²/η + η R₂² Z² T)"
    latex = (
        r"L[\mathrm{GD}(\eta)] - \min_{\|u\|_2\le U} L[u] \le \tfrac12\Bigl(\tfrac{U^2}{\eta} + \eta R_2^2Z^2T\Bigr)"
    )
    hypotheses: ClassVar[tuple[str, ...]] = (
        "Euclidean geometry, Everywhere()",
        "a constant rate η",
        "every step taken, from w = 0",
    )
    domain = Everywhere
    share: ClassVar[float] = 1.0 / 3.0  # the fair game's rate, as a share of the tuned one

    def comparators(self, learner: Any, U: float | None) -> Domain:  # noqa: ARG002
        """The ball of radius U."""
        require(U is not None, self, "needs U, the radius of the comparators")
        return Ball(U or 0.0)

    def constants(self, learner: Any, U: float | None) -> dict[str, float]:
        """η and U."""
        return {"eta": learner.rate.eta, "U": U or 0.0}

    def bound(self, ledger: Ledger, *, eta: float, U: float, data: bool = False) -> float:
        """½(U²/η + η R₂²Z²T), or with `data` ½(U²/η + η Σ s²‖x‖₂²)."""
        V = ledger.squares2 if data else (ledger.max_norm2 * ledger.max_slope) ** 2 * ledger.rounds
        return 0.5 * (U * U / eta + eta * V)

    def game(self, rounds: int, seed: int) -> Sides:
        """Slopes of random sign."""
        player = Player(rate=self.share / math.sqrt(rounds), n=10)
        return self.played(player, random_signs(10, seed), rounds, U=1.0, note="slopes of random sign along 10 axes")

    def hunt(self, rounds: int, seed: int) -> Sides:  # noqa: ARG002
        """U/η times the same sign, then both in turn: it attains the bound."""
        eta = 1.0 / math.sqrt(rounds)
        nature = straight_then_in_turn(rounds, eta)
        return self.played(Player(rate=eta, n=1), nature, rounds, U=1.0, note="U/η times one sign, then in turn")


class GradientDescentTuned(GradientDescentRegret):
    """Row 2. The games of row 1, with the rate that is best for their length."""

    id = "gd-tuned"
    row = 2
    statement = "GD with η = U/(R₂ Z √T): regret to ‖u‖₂ ≤ U is at most U R₂ Z √T"
    latex = r"\eta = \tfrac{U}{R_2Z\sqrt T}:\quad L[\mathrm{GD}(\eta)] - \min_{\|u\|_2\le U} L[u] \le U R_2 Z\sqrt T"
    hypotheses = (*GradientDescentRegret.hypotheses, "η = U/(R₂ Z √T), by the constants measured at the end")
    share = 1.0

    def check_run(self, ledger: Ledger, learner: Any, U: float | None) -> None:
        """The rate is the tuned one."""
        best = (U or 0.0) / (ledger.max_norm2 * ledger.max_slope * math.sqrt(ledger.rounds))
        require(math.isclose(learner.rate.eta, best, rel_tol=1e-9), self,
                f"needs the rate U/(R₂ Z √T), here {best:.6g}, not {learner.rate.eta:.6g}")  # fmt: skip


class ProjectedSqrt(RegretBound):
    """Row 13. A fair game: random signs in ten dimensions. The adversary: a beam search in one.

    Σ (‖w_t − u‖² − ‖w_{t+1} − u‖²)/(2η_t) ≤ D²/(2η_T), and Σ η_t G²/2 ≤ c G²√T.
    """

    id = "ogd-sqrt"
    row = 13
    source = "002, online gradient descent"
    statement = "projected GD with η_t = c/√t over a domain of diameter D: regret is at most D²√T/(2c) + c G²√T"
    latex = r"\eta_t = \tfrac{c}{\sqrt t}:\quad R_T \le \tfrac{D^2\sqrt T}{2c} + c\,G^2\sqrt T = O(\sqrt T)"
    hypotheses = ("Euclidean geometry, a bounded domain", "the rate c/√t (notes: c = 1)", "every step taken")
    rate = InverseSqrt

    def check(self, learner: Any) -> None:
        """A diameter."""
        super().check(learner)
        require(math.isfinite(learner.domain.diameter), self, f"needs a bounded domain, not {learner.domain!r}")

    def constants(self, learner: Any, U: float | None) -> dict[str, float]:  # noqa: ARG002
        """The c of the rate, and D."""
        return {"c": learner.rate.c, "D": learner.domain.diameter}

    def bound(self, ledger: Ledger, *, c: float, D: float, data: bool = False) -> float:
        """D²√T/(2c) + cG²√T with G = R₂Z, or with `data` Σ_t 1/(2√t) in the place of the last √T."""
        T, G = ledger.rounds, ledger.max_norm2 * ledger.max_slope
        root = 0.5 * float((np.arange(1.0, T + 1.0) ** -0.5).sum()) if data else math.sqrt(T)
        return D * D * math.sqrt(T) / (2.0 * c) + c * G * G * root

    def game(self, rounds: int, seed: int) -> Sides:
        """Slopes of random sign along 10 axes, over a ball of radius 1."""
        player = Player(Ball(1.0), InverseSqrt(1.0), n=10)
        return self.played(player, random_signs(10, seed), rounds, note="slopes of random sign along 10 axes")

    def hunt(self, rounds: int, seed: int) -> Sides:  # noqa: ARG002
        """A beam search in one dimension."""
        ball, rate = Ball(1.0), InverseSqrt(1.0)
        found = beam_search(Descents.start(ball, rate), [[1.0], [-1.0]], rounds, ball, width=300)
        return self.played(Player(ball, rate, n=1), found.nature(), rounds, note="the worst signs a beam found")


class ProjectedConstant(RegretBound):
    """Row 21. A fair game: random signs in ten dimensions. The adversary: that of row 1, whose w stays in the ball."""

    id = "ogd-constant"
    row = 21
    source = "004, Theorem 5"
    statement = "projected GD(η): Σ ℓ_t(w_{t−1}) ≤ Σ ℓ_t(w) + ‖w₀ − w‖²/(2η) + ηTG²/2, for every w of the domain"
    latex = (
        r"\sum_t \ell_t(w_{t-1}) \le \sum_t \ell_t(w) + \tfrac{\|w_0-w\|_2^2}{2\eta} + \tfrac{\eta T}{2}G^2,"
        r"\quad w\in\Omega"
    )
    hypotheses = ("Euclidean geometry, a bounded domain", "a constant rate η", "every step taken")

    def check(self, learner: Any) -> None:
        """How far the domain reaches."""
        super().check(learner)
        require(math.isfinite(reach(learner)), self, f"needs a bounded domain, not {learner.domain!r}")

    def constants(self, learner: Any, U: float | None) -> dict[str, float]:  # noqa: ARG002
        """η, and how far the domain reaches from w₀."""
        return {"eta": learner.rate.eta, "D": reach(learner)}

    def bound(self, ledger: Ledger, *, eta: float, D: float, data: bool = False) -> float:
        """D²/(2η) + ηTG²/2 with D = max ‖w₀ − w‖ and G = R₂Z, or with `data` Σ s²‖x‖₂² in the place of TG²."""
        V = ledger.squares2 if data else (ledger.max_norm2 * ledger.max_slope) ** 2 * ledger.rounds
        return D * D / (2.0 * eta) + 0.5 * eta * V

    def game(self, rounds: int, seed: int) -> Sides:
        """Slopes of random sign along 10 axes, over a ball of radius 1."""
        player = Player(Ball(1.0), 1.0 / math.sqrt(rounds), n=10)
        return self.played(player, random_signs(10, seed), rounds, note="slopes of random sign along 10 axes")

    def hunt(self, rounds: int, seed: int) -> Sides:  # noqa: ARG002
        """Straight to the wall, then both signs in turn: it attains the bound."""
        eta = 1.0 / math.sqrt(rounds)
        nature = straight_then_in_turn(rounds, eta)
        return self.played(Player(Ball(1.0), eta, n=1), nature, rounds, note="straight to the wall, then in turn")


def reach(learner: Any) -> float:
    """The largest ‖w₀ − w‖₂ over the learner's domain; for domains of one's own their diameter, which is no less."""
    domain = learner.domain
    n = max(1, learner.n or 0, np.size(learner.weights)) + np.size(learner.intercept) * learner.intercept_kept
    if isinstance(domain, Ball | L1Ball):
        return domain.radius
    if isinstance(domain, Simplex):
        return domain.scale * math.sqrt(1.0 - 1.0 / n)
    if isinstance(domain, Box):
        start = domain.start(n)
        return float(np.linalg.norm(np.maximum(np.abs(domain.low - start), np.abs(domain.high - start))))
    return float(domain.diameter)


THEOREMS: tuple[Theorem, ...] = (GradientDescentRegret(), GradientDescentTuned(), ProjectedSqrt(), ProjectedConstant())
