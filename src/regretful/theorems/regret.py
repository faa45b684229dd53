"""The base of the theorems that bound regret to the predictors of a domain, by constants that the ledger measured.

Such a theorem can be asked about any game of yours (`of`), and every one of them prints the chain

    measured regret ≤ certificate ≤ the bound with data-dependent constants ≤ the bound as stated.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from regretful.core.certificate import certify
from regretful.core.domains import Domain
from regretful.game import Game, play
from regretful.theorems.theorem import Curve, Sides, Theorem, Verdict, checkpoints

if TYPE_CHECKING:
    from regretful.core.ledger import Ledger
    from regretful.nature import Nature, Oblivious


class RegretBound(Theorem):
    """L − min over the comparators of Σ ℓ(y, ⟨u, x⟩) ≤ bound(ledger), whatever nature does."""

    @abstractmethod
    def check(self, learner: Any) -> None:
        """Raise `Unmet` if this learner is none the theorem speaks of."""

    @abstractmethod
    def comparators(self, learner: Any, U: float | None) -> Domain:
        """The domain of the comparators; U their size where the theorem leaves it open."""

    @abstractmethod
    def stated(self, ledger: Ledger, learner: Any, U: float | None) -> float:
        """The bound as it is stated, from the measured constants."""

    @abstractmethod
    def measured(self, ledger: Ledger, learner: Any, U: float | None) -> float:
        """The bound with its data-dependent constants, such as V = Σ s²‖x‖² in the place of R²Z²T."""

    def of(self, game: Game, U: float | None = None, tol: float = 1e-6) -> Verdict:
        """The theorem on a game of yours, if its learner meets the hypotheses: else `Unmet` says what does not."""
        self.check(game.learner)
        start = time.perf_counter()
        domain = self.comparators(game.learner, U)
        sides = self.sides(game, U, game.regret(domain, tol).at_most)
        word = self.judge(sides)
        return Verdict(
            self.id, sides.left, sides.right, word, word == self.expected, sides.note, sides.forms, sides.curve,
            game.rounds, 0, time.perf_counter() - start,
        )  # fmt: skip

    def sides(self, game: Game, U: float | None, regret: float, curve: Curve | None = None, note: str = "") -> Sides:
        """The chain at the end of a game."""
        learner = game.learner
        certificate = game.certificate(self.comparators(learner, U)).regret_at_most
        data = self.measured(learner.ledger, learner, U)
        stated = self.stated(learner.ledger, learner, U)
        return Sides(regret, stated, note, {"certificate": certificate, "data-dependent": data}, curve)

    def played(self, learner: Any, nature: Oblivious, rounds: int, U: float | None = None, note: str = "") -> Sides:
        """Play, and take both sides along the way: the certificate is the left side of the curve.

        Regret at the end is measured in hindsight; for linear losses (`Affine()`) it is the certificate itself.
        """
        self.check(learner)
        domain = self.comparators(learner, U)
        at = checkpoints(rounds)
        left, data, stated = [], [], []
        for first, last in zip([0, *at[:-1].tolist()], at.tolist(), strict=True):
            batch = nature.examples(first, last)
            learner.learn_many(batch.X, batch.y, batch.weight)
            left.append(certify(learner.ledger, domain).regret_at_most)
            data.append(self.measured(learner.ledger, learner, U))
            stated.append(self.stated(learner.ledger, learner, U))
        curve = Curve.of(at, left, stated, data_dependent=data)
        X, y, weight = nature.examples(0, rounds)
        regret = measured_regret(learner, domain, X, y, weight)
        return Sides(regret, stated[-1], note, {"certificate": left[-1], "data-dependent": data[-1]}, curve)

    def fought(self, learner: Any, nature: Nature, rounds: int, U: float | None = None, note: str = "") -> Sides:
        """Play a nature that looks at the learner; both sides at the end."""
        self.check(learner)
        game = play(learner, nature, rounds=rounds, curve=0, domains=(), progress=False)
        return self.sides(game, U, game.regret(self.comparators(learner, U)).at_most, note=note)


def measured_regret(learner: Any, domain: Domain, X: Any, y: Any, weight: Any = None, tol: float = 1e-8) -> float:
    """L less what the best fixed predictor of the domain loses: at most so much, and tight to tol."""
    from regretful.hindsight import hindsight
    from regretful.learners import Affine

    if type(learner.loss) is Affine:
        return certify(learner.ledger, domain).regret_at_most
    best = hindsight(learner.loss, domain, X, y, weight=weight, tol=tol)
    return float(learner.ledger.loss - best.lower)
