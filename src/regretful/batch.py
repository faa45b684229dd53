"""Online to batch: from the losses of one pass over independent examples to the loss on examples to come.

Only bounds on losses live here, and what they mean; games hand over theirs. Let ℓ_t in [a, b] be the loss of round t,
and R(w) the mean loss of w on a new example. As w_t was made before round t, E[ℓ_t | past] = R(w_t), and the bounds are
on r = (1/T) Σ R(w_t), from the mean m of the losses. Then r is the expected loss of one of the iterates drawn at
random; and for a convex loss that of the average iterate is at most r, by Jensen (notes 004, (4)).

Azuma–Hoeffding (notes 004, (5)): with chance 1 − δ, r ≤ m + (b − a) √(ln(1/δ)/(2T)).

Empirical Bernstein. Let X_t = (ℓ_t − a)/(b − a) in [0, 1], and c_t in [0, 1] a guess made before round t. For
0 ≤ λ < 1 let ψ(λ) = −ln(1 − λ) − λ. For ξ ≥ −1, exp(λξ − ψ(λ)ξ²) ≤ 1 + λξ (Fan, Grama and Liu 2015, Lemma 4.1:
(ln(1 + v) − v)/v² rises with v > −1). With ξ = c_t − X_t ≥ −1 and 1 + v ≤ e^v,

    E[exp(λ(E[X_t | past] − X_t) − ψ(λ)(X_t − c_t)²) | past] ≤ 1,

so with S = Σ (E[X_t | past] − X_t) and V = Σ (X_t − c_t)², exp(λS − ψ(λ)V) has expectation at most 1; so has the mean
of it over several λ settled beforehand, and by Markov that mean is below 1/δ with chance 1 − δ: solve for S. c_t is
the running mean, and the λ are 0.9, 0.9/√2, 0.9/2, … down to 1/√T.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from regretful.core.parts import number
from regretful.core.types import Vector

BURN = 100  # rounds, at most, that set a range when none is stated


def azuma(mean: float, rounds: int, delta: float, low: float = 0.0, high: float = 1.0) -> float:
    """What r is at most, with confidence 1 − delta, from the mean loss alone.

    >>> from regretful import batch
    >>> round(batch.azuma(0.25, rounds=1000, delta=0.05), 4)
    0.2887
    """
    return float(mean + (high - low) * np.sqrt(-np.log(_chance(delta)) / (2.0 * rounds)))


def bernstein(losses: ArrayLike, delta: float, low: float = 0.0, high: float = 1.0) -> float:
    """What r is at most, with confidence 1 − delta, from losses in their order; tight where they vary little.

    >>> from regretful import batch
    >>> round(batch.bernstein([0.0] * 1000, delta=0.05), 4)
    0.0061
    """
    X = (np.asarray(losses, dtype=np.float64) - low) / (high - low)
    if (X < 0.0).any() or (X > 1.0).any():
        raise ValueError(f"the losses must lie in [{low!r}, {high!r}]")
    rounds = len(X)
    guess = (0.5 + np.append(0.0, np.cumsum(X)[:-1])) / np.arange(1.0, rounds + 1.0)
    V = float(((X - guess) ** 2).sum())
    count = 1 + max(0, int(np.ceil(2.0 * np.log2(0.9 * np.sqrt(rounds)))))
    lam = 0.9 * 2.0 ** (-0.5 * np.arange(count))
    fixed = (np.log1p(-lam) + lam) * V - np.log(count)
    goal = -float(np.log(_chance(delta)))

    def excess(S: float) -> float:
        return float(np.logaddexp.reduce(lam * S + fixed) - goal)

    # At the root each λS + fixed is at most the goal, and one of them is at least the goal − ln count.
    least, most = float(((goal - np.log(count) - fixed) / lam).min()), float(((goal - fixed) / lam).min())
    for _ in range(200):
        middle = 0.5 * (least + most)
        if not least < middle < most:
            break
        least, most = (middle, most) if excess(middle) < 0.0 else (least, middle)
    return low + (high - low) * (float(X.mean()) + most / rounds)


def relative(total: float, rounds: int, delta: float, lam: float = 1.0) -> float:
    """What r is at most for losses in [0, 1] of this sum, (λ Σℓ + ln(1/δ))/((1 − e^{−λ}) T), λ settled beforehand.

    Notes 004, Proposition 4, with the mistakes of the perceptron in the place of their bound.
    """
    return (lam * total - float(np.log(_chance(delta)))) / (-float(np.expm1(-lam)) * rounds)


@dataclass(frozen=True)
class Risk:
    """With confidence 1 − delta, the mean loss of the iterates on new examples is at most `at_most`.

    `azuma` and `bernstein` are the two bounds it is the smaller of, each at delta/2. `clipped` losses lay outside
    `loss_range` and count as its ends, in `mean_loss` too: the bound is then on the loss clipped to the range.
    """

    at_most: float
    mean_loss: float
    delta: float
    rounds: int
    loss_range: tuple[float, float]
    clipped: int
    stated: bool
    azuma: float
    bernstein: float
    what: str = "loss"

    @property
    def of_average(self) -> bool:
        """Whether it holds of the average iterate too: the loss is convex, and nothing was clipped."""
        return self.what == "loss" and self.stated and not self.clipped

    def __float__(self) -> float:
        return self.at_most

    def __str__(self) -> str:
        low, high = self.loss_range
        source = "stated" if self.stated else "set by the first rounds"
        whose = "the average of the iterates, or one of them drawn at random," if self.of_average else (
            "an iterate drawn at random"
        )  # fmt: skip
        clip = f", clipped to [{low:.6g}, {high:.6g}] ({source}; {self.clipped:,} of {self.rounds:,} lay outside)"
        plain = f" (in [{low:.6g}, {high:.6g}])"
        return (
            f"If the examples were drawn independently from one source, then with confidence {1.0 - self.delta:.6g} "
            f"{whose} has on new ones from there an expected {self.what} of at most {self.at_most:.6g}"
            f"{plain if self.stated and not self.clipped else clip}; so far it was {self.mean_loss:.6g}."
        )


def risk(
    losses: ArrayLike, delta: float = 0.05, loss_range: tuple[float, float] | None = None, *, what: str = "loss"
) -> Risk:
    """The smaller of the two bounds, each at delta/2, for losses in the order of their rounds.

    loss_range: what the loss lies between, settled beforehand. Without one, the first rounds (√T/3 of them, at
    most 100) settle it: five times what they reached; and those rounds count with its upper end.
    """
    losses, delta = np.asarray(losses, dtype=np.float64), _chance(delta)
    rounds = len(losses)
    if not rounds:
        raise ValueError("no rounds were played: there is nothing to tell of losses to come")
    burnt = 0 if loss_range is not None else max(1, min(BURN, int(rounds**0.5 / 3.0)))
    low, high = _range_of(losses[:burnt]) if loss_range is None else _stated(loss_range)
    kept = np.clip(losses, low, high)
    later = kept[burnt:]
    bounds = [high, high]
    if len(later):
        after = (
            azuma(float(later.mean()), len(later), 0.5 * delta, low, high),
            bernstein(later, 0.5 * delta, low, high),
        )
        bounds = [min(high, (burnt * high + len(later) * bound) / rounds) for bound in after]
    return Risk(
        at_most=min(bounds),
        mean_loss=float(kept.mean()),
        delta=delta,
        rounds=rounds,
        loss_range=(low, high),
        clipped=int(np.count_nonzero((losses < low) | (losses > high))),
        stated=loss_range is not None,
        azuma=bounds[0],
        bernstein=bounds[1],
        what=what,
    )


def _chance(delta: float) -> float:
    delta = number("delta", delta, above=0.0)
    if delta >= 1.0:
        raise ValueError(f"delta is the chance of being wrong: below 1, not {delta!r}")
    return delta


def _stated(loss_range: tuple[float, float]) -> tuple[float, float]:
    low, high = number("loss_range[0]", loss_range[0]), number("loss_range[1]", loss_range[1])
    if low >= high:
        raise ValueError(f"loss_range is (lowest, highest), not {loss_range!r}")
    return low, high


def _range_of(first: Vector) -> tuple[float, float]:
    """Five times as far as the first losses reached; from 0, unless some were below."""
    most, least = float(first.max()), min(0.0, float(first.min()))
    span = 4.0 * (most - least) or 1.0
    return least - (span if least < 0.0 else 0.0), most + span
