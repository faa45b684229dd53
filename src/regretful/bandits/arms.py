"""The bandits with names: what they pull, what they are told, and the checks of both."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from regretful.bandits.ledger import BanditLedger
from regretful.bandits.policies import Optimist, Policy, Thompson
from regretful.core.chance import Seed, generator_of, resume, state_of
from regretful.core.names import Name, names_of
from regretful.core.parts import number
from regretful.core.saved import Saved
from regretful.core.types import State, Vector


class Bandit(Saved):
    """What every bandit can do: `pull()` says which arm, `update(arm, reward)` is told what it paid.

    Several may be pulled before the first of them has paid, and rewards of arms pulled by others count as well.
    """

    arms: list[Name]
    _policy: Policy

    def _begin(self, arms: int | Sequence[Name], seed: Seed) -> None:
        self.arms = names_of("arm", arms)
        self._place = {name: place for place, name in enumerate(self.arms)}
        self._generator = generator_of(seed)
        self._policy = self._fresh()

    @abstractmethod
    def _fresh(self) -> Policy:
        """The policy before its first round."""

    def pull(self) -> Name:
        """The arm to pull now."""
        with self._turn:
            return self.arms[self._policy.pull(self._generator)]

    def update(self, arm: Name, reward: float) -> None:
        """The arm paid `reward`, between 0 and 1."""
        try:
            place = self._place[arm]
        except (KeyError, TypeError):
            raise ValueError(f"there is no arm {arm!r}; there are {', '.join(map(repr, self.arms))}") from None
        paid = number("a reward", reward, least=0.0, most=1.0)
        with self._turn:
            self._policy.update(place, paid, self._generator)

    @property
    def rounds(self) -> int:
        """Rewards told so far."""
        return self._policy.rounds

    @property
    def ledger(self) -> BanditLedger:
        """The account of this run, live."""
        return BanditLedger(self._policy, self.arms)

    def _slots(self) -> State:
        return {"arms": self.arms}

    def _state(self) -> State:
        return {**self._policy.state(), "generator": state_of(self._generator)}

    def _restore(self, state: State) -> None:
        self._generator = resume(state["generator"], self._generator)
        self._policy.restore(state)


class ThompsonSampling(Bandit):
    """Thompson sampling for Bernoulli arms: draw θ_k ~ Beta(a_k, b_k), pull the largest; then its a or b grows by 1.

    a_k = a + rewards of the arm, b_k = b + its failures; the prior (a, b) is (1, 1), the uniform one, or one pair an
    arm. A reward r between 0 and 1 is first made a coin that falls 1 with chance r (Agrawal and Goyal 2012).
    Its expected regret over T rounds of K arms is O(√(KT ln T)).

    arms: how many, or their names. seed: what is drawn with, a number or a `numpy.random.Generator`.

    >>> import regretful as rg
    >>> bandit = rg.ThompsonSampling(["red", "green"], seed=1)
    >>> for _ in range(200):
    ...     arm = bandit.pull()
    ...     bandit.update(arm, 1 if arm == "green" else 0)
    >>> bandit.ledger.best, bandit.ledger.rounds
    ('green', 200)
    >>> float(bandit.ledger.pulls[1]) > 190
    True

    Reference: notes 001, Thompson sampling; Agrawal and Goyal (2012).
    """

    def __init__(self, arms: int | Sequence[Name], prior: ArrayLike = (1.0, 1.0), *, seed: Seed = 0) -> None:
        count = len(names_of("arm", arms))
        given = np.array(prior, dtype=np.float64)
        if given.shape not in ((2,), (count, 2)):
            raise ValueError(f"the prior must be a pair (a, b), or {count} of them, one an arm, not {prior!r}")
        if not (np.isfinite(given).all() and (given > 0.0).all()):
            raise ValueError(f"the numbers of the prior must be finite and above 0, not {prior!r}")
        self.prior = np.ascontiguousarray(np.broadcast_to(given, (count, 2)))
        self._begin(arms, seed)

    def _fresh(self) -> Policy:
        return Thompson(self.prior[:, 0], self.prior[:, 1])

    def posterior(self) -> tuple[Vector, Vector]:
        """(a, b): the chance of arm k to pay is Beta(a_k, b_k), given what was seen."""
        assert isinstance(self._policy, Thompson)
        return self._policy.posterior()

    def _slots(self) -> State:
        return {"arms": self.arms, "prior": self.prior}

    def _shown(self) -> State:
        same = (self.prior == self.prior[0]).all()
        return {"arms": self.arms, "prior": tuple(self.prior[0].tolist()) if same else self.prior.tolist()}


class UCB1(Bandit):
    """UCB1: pull the arm with the largest mean + √(2 ln t/n_k), after each arm once; the first of several.

    With gaps Δ_k to the best arm's mean, its expected regret over T rounds is at most
    Σ over Δ_k > 0 of (8 ln T/Δ_k + (1 + π²/3) Δ_k).

    arms: how many, or their names. Nothing is drawn.

    >>> import regretful as rg
    >>> bandit = rg.UCB1(2)
    >>> for _ in range(100):
    ...     arm = bandit.pull()
    ...     bandit.update(arm, 0.9 if arm == 1 else 0.1)
    >>> bandit.ledger.pulls
    array([ 8., 92.])

    Reference: Auer, Cesa-Bianchi and Fischer (2002), Theorem 1.
    """

    def __init__(self, arms: int | Sequence[Name]) -> None:
        self._begin(arms, 0)

    def _fresh(self) -> Policy:
        return Optimist(len(self.arms))
