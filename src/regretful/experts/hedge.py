"""Hedge: weights that fall exponentially with what an expert has lost, as a mixture or as draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from regretful.core.chance import Seed, generator_of, resume, state_of
from regretful.core.names import Name, names_of
from regretful.core.parts import number
from regretful.core.rates import Constant, InverseSqrt, Rate, as_rate
from regretful.core.rows import as_array, numbers_of
from regretful.core.saved import Saved
from regretful.core.types import State, Vector
from regretful.experts.ledger import ExpertLedger
from regretful.experts.weights import Weights


class Hedge(Saved):
    """Hedge: expert i has the weight p_t(i) ∝ p_0(i) exp(−η_t L_i), L_i what it has lost so far.

    As a mixture it pays ⟨p_t, ℓ_t⟩; with `sampling` it draws one expert a round from p_t (a Gibbs draw) and pays what
    that one loses, which is as much in expectation. With losses whose spread in a round is at most M and a constant
    rate, Σ ⟨p_t, ℓ_t⟩ ≤ min over q of [⟨q, L⟩ + KL(q‖p_0)/η] + ηTM²/8; tuned, regret ≤ M√(T ln N/2).

    experts: how many, or their names. rate: η, or a `Rate` that never rises; None: tuned to `rounds`,
    η = √(8 H/(T M²)) with H = max ln(1/p_0), which is ln N for the uniform prior; and without `rounds` the anytime
    η_t = √(8 H/t)/M. prior: p_0, uniform by default. M: the losses lie in [0, M]; inf: anywhere (then give a rate).
    seed: what experts are drawn with, a number or a `numpy.random.Generator`.

    >>> import regretful as rg
    >>> hedge = rg.Hedge(["sun", "rain"], rate=1.0)
    >>> hedge.play()
    array([0.5, 0.5])
    >>> hedge.learn_one([0.0, 1.0])
    0.5
    >>> hedge.play().round(6)
    array([0.731059, 0.268941])
    >>> hedge.ledger.best, hedge.ledger.regret
    ('sun', 0.5)

    Reference: notes 004, Algorithm 4, Theorem 14 and the example after it.
    """

    def __init__(
        self,
        experts: int | Sequence[Name],
        rate: Rate | float | None = None,
        *,
        prior: ArrayLike | None = None,
        M: float = 1.0,
        rounds: int | None = None,
        sampling: bool = False,
        seed: Seed = 0,
    ) -> None:
        self._begin(names_of("expert", experts), rate, prior, M, rounds, sampling, seed)

    def _begin(
        self,
        names: list[Name],
        rate: Rate | float | None,
        prior: ArrayLike | None,
        M: float,
        rounds: int | None,
        sampling: bool,
        seed: Seed,
    ) -> None:
        self.experts, self.sampling = names, bool(sampling)
        self.M = number("M", M, above=0.0, finite=False)
        self.prior = _prior(prior, len(names))
        self.rate = _tuned(rate, -math.log(self.prior.min()), self.M, rounds)
        self._kernel = Weights(np.log(self.prior), self.rate, generator_of(seed) if self.sampling else None)

    # A round.

    def play(self) -> Any:
        """What plays this round: p_t, or with `sampling` the expert that was drawn. Changes nothing."""
        return self.experts[self._kernel.drawn] if self.sampling else self.weights

    def learn_one(self, losses: ArrayLike) -> float:
        """Pay: what each expert loses in this round. Returns what was lost, by the mixture or by the draw."""
        return float(self._learn(self._table(losses, 1))[0])

    def learn_many(self, losses: ArrayLike) -> Vector:
        """The loop of `learn_one` over the rows of a table, in compiled code; returns what was lost in each.

        Bad input anywhere in the table raises an error, and nothing of it is learnt.
        """
        return self._learn(self._table(losses, 2))

    def _table(self, losses: ArrayLike, dimensions: int) -> Vector:
        table = np.asarray(numbers_of(as_array(losses)), dtype=np.float64)
        if table.ndim != dimensions:
            shape = "one loss an expert" if dimensions == 1 else "rounds × experts"
            raise ValueError(f"the losses must have {dimensions} dimension{'s'[: dimensions - 1]} ({shape})")
        if table.shape[-1] != len(self.experts):
            raise ValueError(f"there are {len(self.experts)} experts and {table.shape[-1]} losses")
        rows = np.ascontiguousarray(table).reshape(-1, len(self.experts))
        low = 0.0 if math.isfinite(self.M) else -math.inf
        wrong = self._kernel.worst(rows, low, self.M)
        if wrong is not None:
            where = f"row {wrong[0]}, " if dimensions == 2 else ""
            loss = float(rows[wrong])
            what = f"is not in [0, {self.M:g}]: rescale it, or state another M" if math.isfinite(loss) else "is no loss"
            raise ValueError(f"{where}expert {self.experts[wrong[1]]!r}: {loss!r} {what}")
        return rows

    def _learn(self, table: Vector) -> Vector:
        paid = np.empty(len(table))
        with self._turn:
            self._kernel.learn(table, paid)
        return paid

    # What it has learnt.

    @property
    def weights(self) -> Vector:
        """p_t, of the round to come."""
        return self._kernel.weights()

    @property
    def log_weights(self) -> Vector:
        """Logarithms of p_t, finite where p_t itself is too small for a double."""
        return self._kernel.log_weights()

    @property
    def rounds(self) -> int:
        """Rounds played."""
        return self._kernel.rounds

    @property
    def ledger(self) -> ExpertLedger:
        """The account of this run, live."""
        return ExpertLedger(self._kernel, self.experts, np.log(self.prior), self.M)

    # Saving and copying.

    def _slots(self) -> State:
        return {
            "experts": self.experts, "rate": self.rate, "prior": self.prior, "M": self.M, "sampling": self.sampling,
        }  # fmt: skip

    def _state(self) -> State:
        drawn_with = self._kernel.generator
        return {**self._kernel.state(), "generator": None if drawn_with is None else state_of(drawn_with)}

    def _restore(self, state: State) -> None:
        drawn_with = state["generator"]
        self._kernel.restore(state, None if drawn_with is None else resume(drawn_with, self._kernel.generator))

    def _shown(self) -> State:
        shown = self._slots()
        if np.ptp(self.prior) == 0.0:
            del shown["prior"]
        return shown


def _prior(prior: ArrayLike | None, count: int) -> Vector:
    """p_0, of sum 1."""
    if prior is None:
        return np.full(count, 1.0 / count)
    given = np.array(prior, dtype=np.float64)
    if given.shape != (count,):
        raise ValueError(f"the prior must be {count} numbers, one an expert, not of shape {given.shape}")
    if not (np.isfinite(given).all() and (given > 0.0).all()):
        raise ValueError("the prior must be finite and above 0 for every expert: leave out those that are ruled out")
    scaled: Vector = given / given.sum()
    return scaled


def _tuned(rate: Rate | float | None, H: float, M: float, rounds: int | None) -> Rate:
    """The rate that was given, or the one of the theorem."""
    if rate is not None:
        if rounds is not None:
            raise ValueError("rounds is what the rate is tuned to: give one of the two")
        given = as_rate(rate)
        if given.adaptive:
            raise ValueError(f"{given!r} follows gradients, of which Hedge has none: give a number or InverseSqrt(c)")
        return given
    if not math.isfinite(M):
        raise ValueError("without a range M of the losses no rate can be tuned: give a rate, or M")
    c = math.sqrt(8.0 * (H or 1.0)) / M  # a single expert takes any rate
    if rounds is None:
        return InverseSqrt(c)
    return Constant(c / math.sqrt(number("rounds", rounds, least=1.0)))
