"""The portfolios with names: each fills the slots of a linear learner, or of a mixture, and says what is known of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from regretful.core.chance import Seed, generator_of
from regretful.core.domains import Simplex
from regretful.core.fullmatrix import FullMatrix
from regretful.core.losses import LogWealth
from regretful.core.names import Name, names_of
from regretful.core.parts import number
from regretful.core.rates import Rate
from regretful.core.rules import FollowTheRegularizedLeader, MirrorDescent
from regretful.core.types import State, Vector
from regretful.learners import ExponentiatedGradient
from regretful.markets import bounds, nodes
from regretful.markets.bounds import Bound
from regretful.markets.mixture import Mixture
from regretful.markets.relatives import relatives_of, relatives_of_one

if TYPE_CHECKING:
    from regretful.core.linear import Linear
    from regretful.core.tickets import Ticket

    _Mixed: TypeAlias = Linear
else:
    _Mixed = object


class Portfolio(_Mixed):
    """What every portfolio can do: it is a linear learner of −ln⟨w, x⟩, x the price relatives, with names for its assets.

    A round: `weights` is held, the market shows x, and the wealth is multiplied by ⟨w, x⟩, which `learn_one` returns.
    """

    assets: list[Name]

    def learn_one(self, x: Any, y: None = None, weight: float = 1.0) -> float:
        """Hold, see the price relatives, move; returns ⟨w, x⟩, what the wealth was multiplied by."""
        return super().learn_one(relatives_of_one(x, self.assets), None, weight)

    def learn_many(self, X: Any, y: Any = None, weight: ArrayLike | None = None) -> Vector:
        """The loop of `learn_one` over the rows of X. A bad row anywhere raises an error, and nothing is learnt."""
        return super().learn_many(relatives_of(X, self.assets), None, weight)

    def predict_one(self, x: Any) -> float:
        """What the wealth would be multiplied by: ⟨w, x⟩. Changes nothing."""
        return super().predict_one(relatives_of_one(x, self.assets))

    def predict_many(self, X: Any) -> Vector:
        """The same for every row. Changes nothing."""
        return super().predict_many(relatives_of(X, self.assets))

    def ask(self, x: Any) -> Ticket:
        """The same as a ticket for `tell`."""
        return super().ask(relatives_of_one(x, self.assets))

    @property
    def wealth(self) -> float:
        """What 1 has become: the product of ⟨w, x⟩ so far."""
        if self.ledger is None:
            raise ValueError("this portfolio keeps no ledger: make it with ledger=True to know its wealth")
        return math.exp(-self.ledger.loss)

    def named_weights(self) -> dict[Name, float]:
        """What is held in this round, by asset."""
        return dict(zip(self.assets, self.weights.tolist(), strict=True))

    def bound(self, X: Vector, paid: Vector) -> Bound | None:  # noqa: ARG002
        """What theory promises of the regret in log-wealth on these relatives and this ⟨w, x⟩; None: nothing."""
        return None

    def _state(self, names: bool = True) -> State:
        return {**super()._state(names), "assets": self.assets}

    def _restore(self, state: State) -> None:
        super()._restore(state)
        self.assets = list(state["assets"])

    def __reduce__(self) -> tuple[Any, ...]:
        make, (kind, rule, slots, state, attributes) = super().__reduce__()
        others = {name: value for name, value in (attributes or {}).items() if name != "assets"}
        return make, (kind, rule, slots, state, others or None)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.assets)} assets) after {self.rounds:,} rounds"


class EG(Portfolio, ExponentiatedGradient):
    """Exponentiated gradient for portfolios: w_i ← w_i exp(η x_i/⟨w, x⟩)/Z, from the uniform one.

    Regret in log-wealth to the best constantly rebalanced portfolio is at most ln n/η + ηT(1/r − 1)²/8, r the least
    min x/max x of a round: `regretful.markets.tuned` gives the best η for it.

    assets: how many, or their names. rate: η.

    >>> import regretful as rg
    >>> eg = rg.markets.EG(["oil", "tea"], rate=0.5)
    >>> eg.learn_one({"oil": 1.5, "tea": 0.5})
    1.0
    >>> eg.named_weights()["oil"], eg.wealth
    (0.6224593312018546, 1.0)

    Reference: notes 002, portfolio selection, with notes 000, §3; Helmbold, Schapire, Singer and Warmuth (1998).
    """

    def __init__(self, assets: int | Sequence[Name], rate: Rate | float = 0.05, **options: Any) -> None:
        self.assets = names_of("asset", assets)
        super().__init__(LogWealth(), rate, Simplex(), n=len(self.assets), **options)

    def bound(self, X: Vector, paid: Vector) -> Bound:
        """It is `bounds.exponentiated`, for a constant rate."""
        if not self.rate.constant:
            return Bound(math.inf, math.inf, {}, f"the bound is for a constant rate, not {self.rate!r}")
        return bounds.exponentiated(X, paid, self.rate.at(1))


class NewtonStep(Portfolio, MirrorDescent):
    """The online Newton step: w ← Π_A(w + A⁻¹ x/⟨w, x⟩/β), A = ε I + Σ x xᵀ/⟨w, x⟩², Π_A nearest on the simplex.

    Regret in log-wealth is at most (n/2β) ln(1 + G²T/(nε)) + βε/2, G the largest ‖x‖₂/⟨w, x⟩, as long as
    β ≤ 2(D − ln(1 + D))/D², D the most by which an asset beat the portfolio in a round; β = ½ allows D = 1.6.

    assets: how many, or their names.

    >>> import regretful as rg
    >>> newton = rg.markets.NewtonStep(2)
    >>> newton.learn_one([1.5, 0.5])
    1.0
    >>> newton.weights.round(4)
    array([0.8333, 0.1667])

    Reference: notes 002, portfolio selection; Hazan, Agarwal and Kale (2007), Theorem 2.
    """

    def __init__(self, assets: int | Sequence[Name], beta: float = 0.5, epsilon: float = 1.0, **options: Any) -> None:
        self.assets = names_of("asset", assets)
        rate = 1.0 / number("beta", beta, above=0.0)
        super().__init__(LogWealth(), FullMatrix(epsilon), Simplex(), rate, n=len(self.assets), **options)

    def bound(self, X: Vector, paid: Vector) -> Bound:
        """It is `bounds.newton`."""
        geometry = self.geometry
        assert isinstance(geometry, FullMatrix)
        return bounds.newton(X, paid, 1.0 / self.rate.at(1), geometry.epsilon)


class LazyNewtonStep(Portfolio, FollowTheRegularizedLeader):
    """The lazy online Newton step: w = Π_A(η A⁻¹ Σ x/⟨w, x⟩), A = ε I + Σ x xᵀ/⟨w, x⟩², from all slopes so far.

    It is the one that other packages have: their δ(1 + 1/β) is η, ¼ by default.

    assets: how many, or their names.

    >>> import regretful as rg
    >>> newton = rg.markets.LazyNewtonStep(2)
    >>> newton.learn_one([1.5, 0.5])
    1.0
    >>> newton.weights.round(4)
    array([0.5833, 0.4167])

    Reference: Agarwal, Hazan, Kale and Schapire (2006), with its own mixing η = 0.
    """

    def __init__(self, assets: int | Sequence[Name], rate: float = 0.25, epsilon: float = 1.0, **options: Any) -> None:
        self.assets = names_of("asset", assets)
        super().__init__(LogWealth(), FullMatrix(epsilon), Simplex(), rate, n=len(self.assets), **options)


class Rebalanced(Portfolio, Mixture):
    """A constantly rebalanced portfolio: the same shares in every round, uniform unless given.

    >>> import regretful as rg
    >>> half = rg.markets.Rebalanced(2)
    >>> half.learn_many([[2.0, 0.5], [0.5, 2.0]]).tolist(), half.wealth  # neither asset gained anything
    ([1.25, 1.25], 1.5625)
    """

    def __init__(self, assets: int | Sequence[Name], shares: ArrayLike | None = None, **options: Any) -> None:
        self.assets = names_of("asset", assets)
        held = _shares(shares, len(self.assets))
        super().__init__(held[None, :], **options)


class BuyAndHold(Portfolio, Mixture):
    """Buy once and leave alone: by default the market, one part of each asset. Within ln n of the best asset.

    >>> import regretful as rg
    >>> market = rg.markets.BuyAndHold(2)
    >>> _ = market.learn_many([[2.0, 0.5], [0.5, 2.0]])
    >>> round(market.wealth, 12)
    1.0
    """

    def __init__(self, assets: int | Sequence[Name], shares: ArrayLike | None = None, **options: Any) -> None:
        self.assets = names_of("asset", assets)
        held = _shares(shares, len(self.assets))
        kept = held > 0.0
        super().__init__(np.eye(len(held))[kept], held[kept], **options)


class Universal(Portfolio, Mixture):
    """The universal portfolio: every constantly rebalanced portfolio b holds a part of the wealth, p_0 = Dirichlet(α, …, α).

    Regret in log-wealth is at most (n − 1) ln(T + 1) for α = 1 (Cover 1991), ((n − 1)/2) ln(T + 1) + ln 2 for α = ½.
    For two or three assets the integral is a Gauss–Jacobi sum, exact for `exact_rounds` rounds and hardly less so for
    many more. For others it is the mean over `count` draws: their mixture is exactly within ln count of the best of
    them, and `error` says how far its wealth may be from the integral's.

    assets: how many, or their names. count: portfolios; at most so many nodes. seed: what is drawn with.

    >>> import regretful as rg
    >>> universal = rg.markets.Universal(2)
    >>> _ = universal.learn_many([[2.0, 1.0], [2.0, 1.0]])
    >>> round(universal.wealth, 12), universal.exact_rounds  # ∫ (1 + b)² db = 7/3
    (2.333333333333, 1023)

    Reference: Cover (1991); Cover and Ordentlich (1996); Blum and Kalai (1999).
    """

    def __init__(
        self, assets: int | Sequence[Name], count: int = 10_000, *, alpha: float = 1.0, seed: Seed = 0, **options: Any
    ) -> None:
        self.assets = names_of("asset", assets)
        n, many = len(self.assets), int(number("count", count, least=1.0))
        alpha = number("alpha", alpha, above=0.0)
        if n == 1:
            portfolios, prior = np.ones((1, 1)), np.ones(1)
        elif n <= 3:
            portfolios, prior = nodes.quadrature(many, n, alpha)
        else:
            portfolios, prior = nodes.draws(many, n, alpha, generator_of(seed))
        self._note = {"alpha": alpha, "exact_rounds": 2 * nodes.along(many, n) - 1 if 1 < n <= 3 else 0}
        super().__init__(portfolios, prior, **options)

    @property
    def alpha(self) -> float:
        """The α of the Dirichlet prior."""
        return float(self._note["alpha"])

    @property
    def exact_rounds(self) -> int:
        """For so many rounds the integral over all portfolios is exact; 0: it is a mean over draws."""
        return int(self._note["exact_rounds"])

    @property
    def error(self) -> float:
        """The relative standard error of the wealth as an estimate of the integral's; 0 for a quadrature.

        Where few of the draws hold most of the wealth it is large, and itself not to be trusted.
        """
        shares = self.shares
        return 0.0 if self.exact_rounds else math.sqrt(max(0.0, float(shares @ shares) - 1.0 / len(shares)))

    def bound(self, X: Vector, paid: Vector) -> Bound:  # noqa: ARG002
        """It is `bounds.universal`, for the integral: draws may miss it."""
        found = bounds.universal(*X.shape, self.alpha)
        if self.exact_rounds or X.shape[1] == 1:
            return found
        note = f"the bound is the integral's; {len(self.prior):,} draws stand for it, with an error of {self.error:.2g}"
        return Bound(found.stated, found.data, found.constants, note)

    def _state(self, names: bool = True) -> State:
        return {**super()._state(names), "note": self._note}

    def _restore(self, state: State) -> None:
        super()._restore(state)
        self._note = dict(state["note"])

    def __reduce__(self) -> tuple[Any, ...]:
        make, (kind, rule, slots, state, attributes) = super().__reduce__()
        others = {name: value for name, value in (attributes or {}).items() if name != "_note"}
        return make, (kind, rule, slots, state, others or None)


def _shares(shares: ArrayLike | None, n: int) -> Vector:
    """Shares that were given, one an asset, or equal ones."""
    if shares is None:
        return np.full(n, 1.0 / n)
    held = np.array(shares, dtype=np.float64)
    if held.shape != (n,) or not (np.isfinite(held).all() and (held >= 0.0).all() and abs(held.sum() - 1.0) < 1e-9):
        raise ValueError(f"shares must be {n} numbers of at least 0 that sum to 1, not {shares!r}")
    return held
