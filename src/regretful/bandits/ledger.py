"""The account of a bandit: what was pulled and what it paid."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from regretful.core.names import Name
from regretful.core.types import Vector

if TYPE_CHECKING:
    from regretful.bandits.policies import Policy


class BanditLedger:
    """The account of a bandit, live. What the other arms would have paid is not known, so neither is the regret."""

    def __init__(self, policy: Policy, names: list[Name]) -> None:
        self._policy, self._names = policy, names

    @property
    def rounds(self) -> int:
        """T, rewards told."""
        return self._policy.rounds

    @property
    def reward(self) -> float:
        """What was paid in all."""
        return math.fsum(self.rewards)

    @property
    def mean_reward(self) -> float:
        """What was paid, a round."""
        return self.reward / self.rounds if self.rounds else math.nan

    @property
    def pulls(self) -> Vector:
        """How often each arm was pulled."""
        return self._policy.pulls()

    @property
    def rewards(self) -> Vector:
        """What each arm paid in all."""
        return self._policy.rewards()

    @property
    def means(self) -> Vector:
        """What each arm paid a pull; nan for one never pulled."""
        pulls = self.pulls
        return np.asarray(np.divide(self.rewards, pulls, out=np.full(len(pulls), math.nan), where=pulls > 0.0))

    @property
    def best(self) -> Name | None:
        """The arm that paid most a pull: of several, the first; None before the first round."""
        return self._names[int(np.nanargmax(self.means))] if self.rounds else None

    def regret(self, means: ArrayLike) -> float:
        """Σ (μ* − μ of the arm pulled), for whoever knows the arms' true means μ."""
        true = means_of(means, len(self._names))
        return float(regret_of(true, self.pulls))

    def as_dict(self) -> dict[str, Any]:
        """The account as plain numbers, and arrays by arm."""
        return {name: getattr(self, name) for name in ("rounds", "reward", "mean_reward", "pulls", "rewards", "best")}

    def __repr__(self) -> str:
        return f"BanditLedger(rounds={self.rounds}, reward={self.reward:.6g}, best={self.best!r})"


def regret_of(true: Vector, pulls: Vector) -> Vector:
    """Σ (μ* − μ) pulls over the last axis, arm by arm: a product of matrices adds in another order on each machine."""
    return np.asarray(np.cumsum((true.max() - true) * pulls, axis=-1)[..., -1])


def means_of(means: ArrayLike, count: int) -> Vector:
    """The true means of the arms, checked."""
    true = np.array(means, dtype=np.float64)
    if true.shape != (count,):
        raise ValueError(f"means must be {count} numbers, one an arm, not of shape {true.shape}")
    wrong = np.flatnonzero(~((true >= 0.0) & (true <= 1.0)))
    if len(wrong):
        raise ValueError(f"arm {int(wrong[0])}: a mean must be in [0, 1], not {float(true[wrong[0]])!r}")
    return true
