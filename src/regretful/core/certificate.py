"""The certificate: what a ledger proves about regret, whatever the learner was.

For a convex set Ω with support function σ, convexity gives for every u in Ω

    L − Σ ℓ(y, ⟨u, x⟩) ≤ A + σ(−G)        and so        Σ ℓ(y, ⟨u, x⟩) ≥ L − A − σ(−G).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from regretful.core.domains import length

if TYPE_CHECKING:
    from regretful.core.domains import Domain
    from regretful.core.ledger import Ledger


@dataclass(frozen=True)
class Certificate:
    """Regret to every fixed predictor of the domain is at most `regret_at_most`; none lost less than the other.

    Both are cumulative, in the units of the loss. Below 0, the learner beat every fixed predictor of the domain.
    They are infinite where nothing is proved: the domain has no end where the slopes point, or the sums overflowed.
    """

    regret_at_most: float
    best_loss_at_least: float
    domain: Domain
    rounds: int
    loss: float
    A: float
    norm: float
    weight: float

    def __str__(self) -> str:
        if self.rounds == 0:
            return "No rounds were played: there is nothing to certify."
        if self.weight == 0.0:
            return "The weights of the examples are all 0: there is nothing to certify."
        if not _finite(self.loss, self.A, self.norm):
            return "The sums of the account have overflowed: nothing is certified. Rescale the labels or the features."
        if math.isinf(self.regret_at_most):
            return (
                f"Over {self.domain!r} nothing is certified: it is unbounded where the slopes point. Over a ball it is:"
                f" for Ball(r), of any radius r, regret is at most {self.A:.6g} + {self.norm:.6g} r."
            )
        each = "a round" if self.weight == self.rounds else "for each unit of the examples' weight"
        best, regret = self.best_loss_at_least / self.weight, self.regret_at_most / self.weight
        lost = f"You lost {self.loss / self.weight:.6g} {each}"
        if self.regret_at_most < 0.0:
            return (
                f"{lost}, and provably beat every fixed predictor in {self.domain!r}: the best of them lost at least "
                f"{best:.6g} {each}, {-regret:.6g} more."
            )
        return (
            f"{lost}; no fixed predictor in {self.domain!r} could have lost less than {best:.6g}: "
            f"regret is at most {regret:.6g} {each}."
        )


def _finite(*sums: float) -> bool:
    return all(math.isfinite(one) for one in sums)


def certify(ledger: Ledger, domain: Domain) -> Certificate:
    """A + σ(−G), and L less that."""
    G, loss, A = ledger.G, ledger.loss, ledger.A
    whole = _finite(loss, A) and bool(np.isfinite(G).all())
    regret = math.inf if not whole else A + domain.support(-G) if ledger.rounds else 0.0
    return Certificate(
        regret_at_most=regret,
        best_loss_at_least=loss - regret if whole else -math.inf,
        domain=domain,
        rounds=ledger.rounds,
        loss=loss,
        A=A,
        norm=length(G) if whole else math.inf,
        weight=ledger.weight,
    )
