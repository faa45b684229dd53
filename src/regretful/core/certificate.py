"""The certificate: what a ledger proves about regret, whatever the learner was.

For a convex set Ω with support function σ, convexity gives for every u in Ω

    L − Σ ℓ(y, ⟨u, x⟩) ≤ A + σ(−G)        and so        Σ ℓ(y, ⟨u, x⟩) ≥ L − A − σ(−G).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from regretful.core.domains import Domain
    from regretful.core.ledger import Ledger


@dataclass(frozen=True)
class Certificate:
    """Regret to every fixed predictor of the domain is at most `regret_at_most`; none lost less than the other.

    Both are cumulative, in the units of the loss. Below 0, the learner beat every fixed predictor of the domain.
    """

    regret_at_most: float
    best_loss_at_least: float
    domain: Domain
    rounds: int
    loss: float
    A: float
    norm: float

    def __str__(self) -> str:
        if self.rounds == 0:
            return "No rounds were played: there is nothing to certify."
        if math.isinf(self.regret_at_most):
            return (
                f"Over {self.domain!r} nothing is certified: it is unbounded where the slopes point. Over a ball it is:"
                f" for Ball(r), of any radius r, regret is at most {self.A:.6g} + {self.norm:.6g} r."
            )
        lost = f"You lost {self.loss / self.rounds:.6g} a round"
        if self.regret_at_most < 0.0:
            return (
                f"{lost}, and provably beat every fixed predictor in {self.domain!r}: the best of them lost at least "
                f"{self.best_loss_at_least / self.rounds:.6g} a round, {-self.regret_at_most / self.rounds:.6g} more."
            )
        best, regret = self.best_loss_at_least / self.rounds, self.regret_at_most / self.rounds
        return (
            f"{lost}; no fixed predictor in {self.domain!r} could have lost less than {best:.6g}: "
            f"regret is at most {regret:.6g} a round."
        )


def certify(ledger: Ledger, domain: Domain) -> Certificate:
    """A + σ(−G), and L less that."""
    G = ledger.G
    regret = ledger.A + (domain.support(-G) if ledger.rounds else 0.0)
    return Certificate(
        regret_at_most=regret,
        best_loss_at_least=ledger.loss - regret,
        domain=domain,
        rounds=ledger.rounds,
        loss=ledger.loss,
        A=ledger.A,
        norm=float(np.linalg.norm(G)),
    )
