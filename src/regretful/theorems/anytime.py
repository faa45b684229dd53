"""Projected gradient with a rate for any horizon: the printed constant, the one that is proved (row 12)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from regretful.core.domains import Ball
from regretful.core.rates import InverseSqrt
from regretful.learners import Player
from regretful.nature import Descents, Moves, beam_search
from regretful.theorems.descent import straight_then_in_turn
from regretful.theorems.regret import RegretBound
from regretful.theorems.theorem import Refuted, Sides, Theorem, require

if TYPE_CHECKING:
    from regretful.core.ledger import Ledger

SIGNS = [[1.0], [-1.0]]
FEW = 20  # rounds of which every sequence of signs is played


class ProjectedAnytime(Refuted, RegretBound):
    """Row 12. The game is the counterexample: the worst signs that a search finds, in one dimension with L = R = 1.

    The printed LR√T is what the constant rate R/(L√T) has. With R/(L√t) the telescope gives D²/(2η_T) = 2LR√T, as two
    points of the ball are up to 2R apart, and the squares LR√T.
    """

    id = "pgd-anytime"
    row = 12
    source = "001, a projected gradient approach"
    statement = "projected GD with η_t = R/(L√t): printed, regret ≤ LR√T; refuted; what the proof gives is 3LR√T"
    latex = r"\eta_t = \tfrac{R}{L\sqrt t}:\quad R_T \le LR\sqrt T\ \text{(printed, refuted)},\quad R_T \le 3LR\sqrt T"
    hypotheses = ("Euclidean geometry over Ball(R)", "the rate R/(L√t), where L ≥ every ‖∇f_t‖", "every step taken")
    domain = Ball
    rate = InverseSqrt
    rounds = 400
    least = 4
    seconds = 1.5

    def check_run(self, ledger: Ledger, learner: Any, U: float | None) -> None:  # noqa: ARG002
        """No slope steeper than L."""
        L, G = learner.domain.radius / learner.rate.c, ledger.max_norm2 * ledger.max_slope
        require(G <= L * (1.0 + 1e-12), self, f"the rate is for slopes of at most L = {L:.6g}, and one was {G:.6g}")

    def constants(self, learner: Any, U: float | None) -> dict[str, float]:  # noqa: ARG002
        """L and R."""
        R = learner.domain.radius
        return {"L": R / learner.rate.c, "R": R}

    def bound(self, ledger: Ledger, *, L: float, R: float, data: bool = False) -> float:
        """3LR√T; with `data` 2LR√T + (R/L) Σ_t G²/(2√t), G the steepest slope that was measured."""
        T, G = ledger.rounds, ledger.max_norm2 * ledger.max_slope
        if data:
            return 2.0 * L * R * math.sqrt(T) + R / L * G * G * 0.5 * float((np.arange(1.0, T + 1.0) ** -0.5).sum())
        return 3.0 * L * R * math.sqrt(T)

    def forms(self, ledger: Ledger, learner: Any, U: float | None) -> dict[str, float]:
        """LR√T, as it is printed, and the form with measured slopes."""
        constants = self.constants(learner, U)
        return {
            "printed": constants["L"] * constants["R"] * math.sqrt(ledger.rounds),
            **super().forms(ledger, learner, U),
        }

    def game(self, rounds: int, seed: int) -> Sides:  # noqa: ARG002
        """A beam of 1,000 games; up to 20 rounds, all there are."""
        return self._searched(rounds, SIGNS, None if rounds <= FEW else 1000)

    def hunt(self, rounds: int, seed: int) -> Sides:  # noqa: ARG002
        """A wider beam, and moves of half the size as well."""
        if rounds <= 8:
            return self._searched(rounds, [*SIGNS, [0.5], [-0.5]], None)
        return self._searched(rounds, [*SIGNS, [0.5], [-0.5]], 2000)

    def _searched(self, rounds: int, moves: list[list[float]], width: int | None) -> Sides:
        ball, rate = Ball(1.0), InverseSqrt(1.0)
        found = beam_search(Descents.start(ball, rate), moves, rounds, ball, width=width)
        steady = Player(ball, 1.0 / math.sqrt(rounds), n=1)
        worst = straight_then_in_turn(rounds, steady.rate.at(1))
        steady.learn_many(worst.X, worst.y)
        kept = steady.ledger.certificate(ball).regret_at_most if steady.ledger else math.nan
        how = "every sequence of signs was played" if width is None else f"a beam of {width:,} games"
        sides = self.played(Player(ball, rate, n=1), Moves(found.moves), rounds, note=(
            f"{how} found {found.regret / math.sqrt(rounds):.4g} LR√T; the constant rate R/(L√T), for which LR√T is "
            f"proved, lost {kept / math.sqrt(rounds):.4g} LR√T against its own worst"
        ))  # fmt: skip
        return Sides(sides.left, sides.right, sides.note, {**sides.forms, "constant rate": kept}, sides.curve)


THEOREMS: tuple[Theorem, ...] = (ProjectedAnytime(),)
