"""The portfolios that are mixtures of constantly rebalanced ones: each only says of which."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from regretful.core.chance import Seed, generator_of
from regretful.core.names import Name, names_of
from regretful.core.parts import number
from regretful.core.types import Vector
from regretful.markets import bounds, nodes
from regretful.markets.bounds import Bound
from regretful.markets.mixture import Mixture
from regretful.markets.portfolio import Portfolio


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
    """The universal portfolio: all constantly rebalanced ones share the wealth at the start by Dirichlet(α, …, α).

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

    _kept = ("assets", "_note")

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
        """It is that of the integral over all portfolios, which draws may miss: then `note` says so."""
        found = bounds.universal(len(X), X.shape[1], self.alpha)
        if self.exact_rounds or X.shape[1] == 1:
            return found
        note = f"the bound is the integral's; {len(self.prior):,} draws stand for it, with an error of {self.error:.2g}"
        return Bound(found.stated, found.data, found.constants, note)


def _shares(shares: ArrayLike | None, n: int) -> Vector:
    """Shares that were given, one an asset, or equal ones."""
    if shares is None:
        return np.full(n, 1.0 / n)
    held = np.array(shares, dtype=np.float64)
    if held.shape != (n,) or not (np.isfinite(held).all() and (held >= 0.0).all() and abs(held.sum() - 1.0) < 1e-9):
        raise ValueError(f"shares must be {n} numbers of at least 0 that sum to 1, not {shares!r}")
    return held
