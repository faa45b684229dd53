"""Follow the leader, and how it fails (row 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from regretful.core.domains import Ball, Box
from regretful.core.rules import FollowTheLeader
from regretful.learners import LazyPlayer
from regretful.nature import LeaderBreaker
from regretful.theorems.theorem import BROKEN, FAILS, Curve, Sides, Theorem, checkpoints, require

if TYPE_CHECKING:
    from regretful.core.ledger import Ledger
    from regretful.core.types import Vector
    from regretful.game import Game

NO_REGULARISER = 1e9  # a rate from which F/η counts nothing: the leader itself
FIRST = (1.0, 0.9, 0.5, 0.1, 1e-2, 1e-4, 1e-8)  # slopes of the first round that the adversary tries


class LeaderFails(Theorem):
    """Row 7. The game is the notes' own. The adversary chooses the first slope, then always slopes against the leader.

    It reaches T − ε: the leader pays 1 in every round but the first, and the sum of slopes ends at 1 − ε from 0.
    """

    id = "ftl-fails"
    row = 7
    source = "001, would ERM solve our problem?"
    statement = "on ½θ, then −θ, θ, −θ, … over [−1, 1] follow the leader pays 0, 1, 1, 1, …, and its regret is T − ½"
    latex = r"f_1 = \tfrac12\theta,\ f_t = (-1)^{t-1}\theta\ \text{over}\ [-1,1]:\quad R_T[\mathrm{FTL}] = T - \tfrac12"
    hypotheses = ("a leader with no regulariser, over [−1, 1]", "the losses ½θ, −θ, θ, −θ, …")
    expected = FAILS
    right_side = "T − ½"

    def bound(self, ledger: Ledger) -> float:
        """T − ½."""
        return ledger.rounds - 0.5

    def judge(self, sides: Sides) -> str:
        """It fails by at least so much; in the notes' own game by exactly so much."""
        return FAILS if sides.left >= sides.right else BROKEN

    def check(self, learner: Any, slopes: Vector) -> None:
        """Raise `Unmet` if this is not the leader, or not the game."""
        lazy = isinstance(learner, LazyPlayer) and learner.rate.constant and learner.rate.at(1) >= NO_REGULARISER
        require(isinstance(learner, FollowTheLeader) or lazy, self,
                f"speaks of FollowTheLeader(…) or LazyPlayer(…, rate=1e12), not of {learner!r}")  # fmt: skip
        require(learner.domain in (Box(-1.0, 1.0), Ball(1.0)), self, f"is played over [−1, 1], not {learner.domain!r}")
        theirs = LeaderBreaker().examples(0, len(slopes)).X
        require(np.array_equal(np.asarray(slopes), np.asarray(theirs)), self, "is about the losses of LeaderBreaker()")

    def of(self, game: Game) -> Sides:
        """Both sides of a game of yours, if it is the one that the notes speak of."""
        X = game.examples()[0]
        self.check(game.learner, X)
        return Sides(game.regret(Box(-1.0, 1.0)).at_most, self.bound(game.learner.ledger), "a game of yours")

    def game(self, rounds: int, seed: int) -> Sides:  # noqa: ARG002
        """The notes' own; beside it the leader that is held back, on the same losses."""
        nature = LeaderBreaker()
        slopes, zeros, _ = nature.examples(0, rounds)
        player = LazyPlayer(Box(-1.0, 1.0), rate=1e12, n=1)
        self.check(player, np.asarray(slopes))
        left = regrets(player.learn_many(slopes, zeros), np.asarray(slopes)[:, 0])
        held = LazyPlayer(Box(-1.0, 1.0), rate=1.0 / np.sqrt(rounds), n=1)
        other = regrets(held.learn_many(slopes, zeros), np.asarray(slopes)[:, 0])
        at = checkpoints(rounds)
        curve = Curve.of(at, left[at - 1], at - 0.5, regularised_leader=other[at - 1])
        assert player.ledger is not None
        return Sides(left[-1], self.bound(player.ledger), "the leader pays 0, 1, 1, 1, …",
                     {"regularised leader": other[-1]}, curve)  # fmt: skip

    def hunt(self, rounds: int, seed: int) -> Sides:  # noqa: ARG002
        """The best of some first slopes, and then always against where the leader stands."""
        worst, note = -np.inf, ""
        for first in FIRST:
            player = LazyPlayer(Box(-1.0, 1.0), rate=1e12, n=1)
            for t in range(rounds):
                slope = first if t == 0 else np.copysign(1.0, player.point[0])
                player.pay(slope * player.point[0], [slope])
            assert player.ledger is not None
            regret = player.ledger.certificate(player.domain).regret_at_most
            if regret > worst:
                worst, note = regret, f"first the slope {first:g}, then always against the leader"
        return Sides(worst, rounds - 0.5, note)


def regrets(paid: Vector, slopes: Vector) -> Vector:
    """The regret after each round, of linear losses over [−1, 1]."""
    regret: Vector = np.cumsum(paid) + np.abs(np.cumsum(slopes))
    return regret


THEOREMS: tuple[Theorem, ...] = (LeaderFails(),)
