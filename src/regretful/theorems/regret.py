"""The base of the theorems that bound regret to the predictors of a domain, by constants that the ledger measured.

Such a theorem can be asked about any game of yours (`of`), and every one of them prints the chain

    measured regret ≤ certificate ≤ the bound with data-dependent constants ≤ the bound as stated.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from regretful.core.certificate import certify
from regretful.core.domains import Domain
from regretful.core.euclidean import Euclidean
from regretful.core.geometry import Geometry
from regretful.core.rates import Constant, Rate
from regretful.core.rules import MirrorDescent
from regretful.game import Game, play
from regretful.theorems.theorem import HOLDS, Curve, Sides, Theorem, Verdict, checkpoints, require

if TYPE_CHECKING:
    from regretful.core.ledger import Ledger
    from regretful.nature import Nature, Oblivious


class RegretBound(Theorem):
    """L − min over the comparators of Σ ℓ(y, ⟨u, x⟩) ≤ bound(ledger), whatever nature does.

    Subclass it with what fills the learner's slots, the comparators, `constants` (what the bound takes from the
    learner) and `bound(ledger, *, data, …)`: as stated, or with the data-dependent constants, such as V = Σ s²‖x‖² in
    the place of R²Z²T.
    """

    algorithm: ClassVar[str] = "gradient descent, w ← w − η s x"
    geometry: ClassVar[type[Geometry]] = Euclidean
    domain: ClassVar[type[Domain]] = Domain
    rate: ClassVar[type[Rate]] = Constant

    def check(self, learner: Any) -> None:
        """Raise `Unmet` if this learner is none the theorem speaks of."""
        rule = isinstance(learner, MirrorDescent) and isinstance(learner.geometry, self.geometry)
        plain = rule and not (learner.conservative or learner.implicit or learner.l2)
        require(plain, self, f"speaks of {self.algorithm}, not of {learner!r}")
        require(isinstance(learner.domain, self.domain), self,
                f"needs {self.domain.__name__} as the domain, not {learner.domain!r}")  # fmt: skip
        require(isinstance(learner.rate, self.rate), self,
                f"needs {self.rate.__name__} as the rate, not {learner.rate!r}")  # fmt: skip
        require(learner.ledger is not None, self, "needs the measured constants: make the learner with ledger=True")

    def check_run(self, ledger: Ledger, learner: Any, U: float | None) -> None:  # noqa: ARG002
        """Raise `Unmet` if what was measured in a run is not as the theorem has it. Most ask for nothing."""
        return

    def comparators(self, learner: Any, U: float | None) -> Domain:  # noqa: ARG002
        """The domain of the comparators; U their size where the theorem leaves it open."""
        domain: Domain = learner.domain
        return domain

    @abstractmethod
    def constants(self, learner: Any, U: float | None) -> dict[str, float]:
        """What the bound takes besides the ledger: the rate, and the size of the comparators."""

    def forms(self, ledger: Ledger, learner: Any, U: float | None) -> dict[str, float]:
        """Other forms of the right side."""
        return {"data-dependent": self.bound(ledger, data=True, **self.constants(learner, U))}

    def of(self, game: Game, U: float | None = None, tol: float = 1e-6) -> Verdict:
        """The theorem on a game of yours, if its learner meets the hypotheses: else `Unmet` says what does not."""
        self.check(game.learner)
        start = time.perf_counter()
        domain = self.comparators(game.learner, U)
        sides = self.sides(game, U, game.regret(domain, tol).at_most)
        word = self.judge(sides)
        return Verdict(
            self.id, sides.left, sides.right, word, word in (self.expected, HOLDS), sides.note, sides.forms,
            sides.curve, game.rounds, 0, time.perf_counter() - start,
        )  # fmt: skip

    def sides(self, game: Game, U: float | None, regret: float, curve: Curve | None = None, note: str = "") -> Sides:
        """The chain at the end of a game."""
        ledger, learner = game.learner.ledger, game.learner
        self.check_run(ledger, learner, U)
        certificate = game.certificate(self.comparators(learner, U)).regret_at_most
        stated = self.bound(ledger, **self.constants(learner, U))
        return Sides(regret, stated, note, {"certificate": certificate, **self.forms(ledger, learner, U)}, curve)

    def played(self, learner: Any, nature: Oblivious, rounds: int, U: float | None = None, note: str = "") -> Sides:
        """Play, and take both sides along the way: the certificate is the left side of the curve.

        Regret at the end is measured in hindsight; for linear losses (`Affine()`) it is the certificate itself.
        """
        self.check(learner)
        domain, ledger = self.comparators(learner, U), learner.ledger
        at = checkpoints(rounds)
        left, right, others = [], [], []
        for first, last in zip([0, *at[:-1].tolist()], at.tolist(), strict=True):
            batch = nature.examples(first, last)
            learner.learn_many(batch.X, batch.y, batch.weight)
            left.append(certify(ledger, domain).regret_at_most)
            right.append(self.bound(ledger, **self.constants(learner, U)))
            others.append(self.forms(ledger, learner, U))
        self.check_run(ledger, learner, U)
        lines: dict[str, Any] = {name: [other[name] for other in others] for name in others[0]}
        curve = Curve.of(at, left, right, **lines)
        regret = measured_regret(learner, domain, *nature.examples(0, rounds))
        return Sides(regret, right[-1], note, {"certificate": left[-1], **others[-1]}, curve)

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
