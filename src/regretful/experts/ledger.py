"""The account of Hedge: what it lost, what each expert lost, and what the theorem promised for these losses."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from regretful.core.names import Name
from regretful.core.types import Vector

if TYPE_CHECKING:
    from regretful.experts.weights import Weights


class ExpertLedger:
    """The account of a run of Hedge, live. The regret to the experts is known exactly, so it needs no certificate.

    With η_t never rising, L the experts' losses and D_t = max_i ℓ_i − min_i ℓ_i of round t, for every mixture q of them

        Σ ⟨p_t, ℓ_t⟩ ≤ ⟨q, L⟩ + KL(q‖p_0)/η_T + Σ η_t D_t²/8,

    of which `bound` is the least over q, −(1/η_T) ln Σ_i p_0i exp(−η_T L_i) + Σ η_t D_t²/8 (the Gibbs identity).

    Reference: notes 004, Theorem 14 and Proposition 15; for a rate that falls, the same proof, as
    −(1/η) ln E exp(−η L) falls when η rises.
    """

    def __init__(self, kernel: Weights, names: list[Name], log_prior: Vector, M: float) -> None:
        self._kernel, self._names, self._log_prior, self._M = kernel, names, log_prior, M

    @property
    def rounds(self) -> int:
        """T, rounds played."""
        return self._kernel.rounds

    @property
    def loss(self) -> float:
        """Σ ⟨p_t, ℓ_t⟩: the loss of the mixture, which is the expected loss of the draws."""
        return self._kernel.sums()[0]

    @property
    def sampled_loss(self) -> float:
        """What the experts that were drawn lost."""
        if self._kernel.drawn < 0:
            raise ValueError("this learner plays the mixture: experts are drawn with sampling=True")
        return self._kernel.sums()[1]

    @property
    def mean_loss(self) -> float:
        """The loss of the mixture, a round."""
        return self.loss / self.rounds if self.rounds else math.nan

    @property
    def losses(self) -> Vector:
        """L, what each expert lost."""
        return self._kernel.losses()

    @property
    def best(self) -> Name:
        """The expert that lost least: of several, the first."""
        return self._names[int(np.argmin(self.losses))]

    @property
    def best_loss(self) -> float:
        """What it lost."""
        return float(self.losses.min())

    @property
    def regret(self) -> float:
        """The loss of the mixture less that of the best expert."""
        return self.loss - self.best_loss

    @property
    def sampled_regret(self) -> float:
        """The loss of the draws less that of the best expert."""
        return self.sampled_loss - self.best_loss

    @property
    def max_spread(self) -> float:
        """The largest max_i ℓ_i − min_i ℓ_i of a round: the M that this run would have needed."""
        return self._kernel.max_spread

    @property
    def bound(self) -> float:
        """What the mixture can have lost at most, by the theorem with measured constants."""
        return self._free_energy() + self._price()

    @property
    def regret_bound(self) -> float:
        """ln(1/p_0(best))/η_T + Σ η_t M²/8: the bound on the regret as it is stated; M measured where none is."""
        if self.rounds == 0:
            return 0.0
        prior = -float(self._log_prior[int(np.argmin(self.losses))])
        etas = self._kernel.sums()[2]
        M = self._M if math.isfinite(self._M) else self.max_spread
        return (prior / self._kernel.last_eta if prior else 0.0) + (
            math.inf if self._kernel.risen else etas * M * M / 8.0
        )

    def bound_to(self, q: ArrayLike) -> float:
        """⟨q, L⟩ + KL(q‖p_0)/η_T + Σ η_t D_t²/8 for a mixture q of the experts."""
        mixture = np.asarray(q, dtype=np.float64)
        if mixture.shape != (len(self._names),) or not (mixture >= 0.0).all() or abs(mixture.sum() - 1.0) > 1e-9:
            raise ValueError(f"q must be {len(self._names)} numbers of at least 0 that sum to 1, not {q!r}")
        kept = mixture > 0.0
        divergence = float((mixture[kept] * (np.log(mixture[kept]) - self._log_prior[kept])).sum())
        return (
            float(mixture @ self.losses) + (divergence / self._kernel.last_eta if divergence else 0.0) + self._price()
        )

    def _price(self) -> float:
        """Σ η_t D_t²/8."""
        return math.inf if self._kernel.risen else self._kernel.sums()[3] / 8.0

    def _free_energy(self) -> float:
        """−(1/η) ln Σ p_0 exp(−η L)."""
        eta, losses = self._kernel.last_eta, self.losses
        if eta == 0.0:
            return float(np.exp(self._log_prior) @ losses)
        best = losses.min()
        with np.errstate(under="ignore"):
            return float(best - np.log(np.exp(self._log_prior - eta * (losses - best)).sum()) / eta)

    def as_dict(self) -> dict[str, Any]:
        """The account as plain numbers, and L as an array."""
        names = ("rounds", "loss", "mean_loss", "losses", "best", "best_loss", "regret", "max_spread", "bound")
        found = {name: getattr(self, name) for name in (*names, "regret_bound")}
        return found if self._kernel.drawn < 0 else {**found, "sampled_loss": self.sampled_loss}

    def __repr__(self) -> str:
        if self.rounds == 0:
            return "ExpertLedger(rounds=0)"
        return (
            f"ExpertLedger(rounds={self.rounds}, loss={self.loss:.6g}, best={self.best!r}, "
            f"regret={self.regret:.6g} of at most {self.regret_bound:.6g})"
        )
