"""The portfolios that take steps along slopes: each fills the slots of a linear learner."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from regretful.core.domains import Simplex
from regretful.core.fullmatrix import FullMatrix
from regretful.core.losses import LogWealth
from regretful.core.names import Name, names_of
from regretful.core.parts import number
from regretful.core.rates import Rate
from regretful.core.rules import FollowTheRegularizedLeader, MirrorDescent
from regretful.core.types import Vector
from regretful.learners import ExponentiatedGradient
from regretful.markets import bounds
from regretful.markets.bounds import Bound
from regretful.markets.portfolio import Portfolio


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
        """It is ln n/η + ηT(1/r − 1)²/8 and less with the data, for a constant rate."""
        if not self.rate.constant:
            return Bound(math.inf, math.inf, {}, f"the bound is for a constant rate, not {self.rate!r}")
        return bounds.exponentiated(X, paid, self.rate.at(1))


class NewtonStep(Portfolio, MirrorDescent):
    """The online Newton step: w ← Π_A(w + A⁻¹ x/⟨w, x⟩/β), A = ε I + Σ x xᵀ/⟨w, x⟩², Π_A nearest on the simplex.

    Regret in log-wealth is at most (n/2β) ln(1 + G²T/(nε)) + βε/2, G the largest ‖x‖₂/⟨w, x⟩, as long as
    β ≤ 2(D − ln(1 + D))/D², D the most by which an asset beat the portfolio in a round; β = ½ allows D = 1.6.

    assets: how many, or their names.

    >>> import regretful as rg
    >>> newton = rg.markets.NewtonStep(2, epsilon=2.0)
    >>> newton.learn_one([1.25, 0.75])
    1.0
    >>> newton.weights.round(6)  # a step of (1/β)(x_1 − x_2)/(e'A e), e = (1, −1), A = 2I + x x'
    array([0.735294, 0.264706])

    Reference: notes 002, portfolio selection; Hazan, Agarwal and Kale (2007), Theorem 2.
    """

    def __init__(self, assets: int | Sequence[Name], beta: float = 0.5, epsilon: float = 1.0, **options: Any) -> None:
        self.assets = names_of("asset", assets)
        rate = 1.0 / number("beta", beta, above=0.0)
        super().__init__(LogWealth(), FullMatrix(epsilon), Simplex(), rate, n=len(self.assets), **options)

    def bound(self, X: Vector, paid: Vector) -> Bound:
        """It is (n/2β) ln(1 + G²T/(nε)) + βε/2 and less with the data, if β is small enough for this run."""
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
    >>> newton.weights  # the minimum of ½ w'A w − ¼ ⟨x, w⟩, A = I + x x'
    array([0.25, 0.75])

    Reference: Agarwal, Hazan, Kale and Schapire (2006), with its own mixing η = 0.
    """

    def __init__(self, assets: int | Sequence[Name], rate: float = 0.25, epsilon: float = 1.0, **options: Any) -> None:
        self.assets = names_of("asset", assets)
        super().__init__(LogWealth(), FullMatrix(epsilon), Simplex(), rate, n=len(self.assets), **options)
