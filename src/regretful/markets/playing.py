"""`play`: a portfolio over a market, round by round, and the account of it: wealth, regret, bound, turnover."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from regretful.core.domains import Simplex
from regretful.core.losses import LogWealth
from regretful.core.names import Name
from regretful.core.parts import instance, number
from regretful.core.types import Vector
from regretful.game import Interval
from regretful.hindsight import Comparator, hindsight
from regretful.markets.bounds import Bound
from regretful.markets.portfolio import Portfolio
from regretful.markets.relatives import relatives_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False)
class MarketGame:
    """A portfolio that met a market. `regretful.markets.play` makes them.

    portfolio: who played, which may have gone on since. name: what it is called. X: the price relatives. weights: what
    was held in each round. factors: ⟨w, x⟩, what the wealth was multiplied by, costs aside. cost: of a unit of wealth
    bought or sold. bound: what theory promises of the regret in log-wealth, if it promises anything.
    """

    portfolio: Portfolio
    name: str
    assets: Sequence[Name]
    X: Vector
    weights: Vector
    factors: Vector
    cost: float
    tol: float
    bound: Bound | None

    @property
    def rounds(self) -> int:
        """T."""
        return len(self.X)

    def until(self, rounds: int) -> MarketGame:
        """The game as it stood after so many rounds."""
        X, factors = self.X[:rounds], self.factors[:rounds]
        return replace(
            self, X=X, weights=self.weights[:rounds], factors=factors, bound=self.portfolio.bound(X, factors)
        )

    @cached_property
    def turnover(self) -> Vector:
        """How much of the wealth was bought and sold before each round: Σ |w_{t+1} − w_t x_t/⟨w_t, x_t⟩|.

        The first round's, when everything is bought, counts 1.
        """
        left = self.weights[:-1] * self.X[:-1] / self.factors[:-1, None]
        return np.concatenate([[1.0], np.abs(self.weights[1:] - left).sum(axis=1)])[: self.rounds]

    @cached_property
    def curve(self) -> Vector:
        """The wealth after each round, from 1; what trading costs is taken off it, cost · turnover of what there is."""
        return np.asarray(np.exp(np.cumsum(np.log(self.factors) + np.log1p(-self.cost * self.turnover))))

    @property
    def wealth(self) -> float:
        """What 1 became, costs taken off."""
        return float(self.curve[-1])

    @cached_property
    def best(self) -> Comparator:
        """The best constantly rebalanced portfolio in hindsight, costs aside, certified by its duality gap."""
        return hindsight(LogWealth(), Simplex(), self.X, tol=self.tol)

    @property
    def best_wealth(self) -> Interval:
        """What it made of 1: at least what its weights make, at most what the dual bound allows any portfolio to."""
        return Interval(math.exp(-self.best.loss), math.exp(-self.best.lower))

    @property
    def regret(self) -> Interval:
        """The log-wealth of the best constantly rebalanced portfolio less that of this one, costs aside."""
        grown = -float(np.log(self.factors).sum())
        return Interval(grown - self.best.loss, grown - self.best.lower)

    @cached_property
    def baselines(self) -> dict[str, float]:
        """What others made of 1, costs aside: the market (all bought once), the best asset, uniform shares."""
        alone = np.exp(np.log(self.X).sum(axis=0))
        uniform = math.exp(float(np.log(self.X.mean(axis=1)).sum()))
        return {"market": float(alone.mean()), "best asset": float(alone.max()), "uniform, rebalanced": uniform}

    @property
    def best_asset(self) -> Name:
        """The asset that grew most."""
        return self.assets[int(np.log(self.X).sum(axis=0).argmax())]

    def summary(self) -> str:
        """What happened, in a few sentences."""
        others = self.baselines
        behind = self.regret.at_most
        low, high = self.best_wealth
        spent = f", {self.cost:g} a unit traded taken off" if self.cost else ""
        lines = [
            f"{self.name} over {self.rounds:,} rounds of {len(self.assets)} assets: 1 became {self.wealth:.6g}{spent}.",
            f"The market made {others['market']:.6g}, the best asset ({self.best_asset}) {others['best asset']:.6g}, "
            f"uniform shares, rebalanced, {others['uniform, rebalanced']:.6g}.",
            f"The best constantly rebalanced portfolio in hindsight made {low:.6g}, and none more than {high:.6g}.",
            f"Regret in log-wealth: {behind:.4g}, {behind / self.rounds:.3g} a round{self._promised()}.",
            f"It traded {self.turnover[1:].mean() if self.rounds > 1 else 0.0:.3g} of its wealth a round.",
        ]
        return "\n".join(lines)

    def _promised(self) -> str:
        if self.bound is None:
            return "; no theorem here speaks of it"
        told = (
            ""
            if math.isinf(self.bound.data)
            else f"; theory promised {self.bound.stated:.4g}, {self.bound.data:.4g} with the data"
        )
        return f"{told}{f' ({self.bound.note})' if self.bound.note else ''}"

    def plot(self, axes: Axes | None = None) -> Axes:
        """Wealth over the rounds, on a logarithmic axis, beside the best portfolio in hindsight and the baselines."""
        if axes is None:
            try:
                import matplotlib.pyplot as plt
            except ImportError as error:
                raise ImportError("plots need matplotlib: pip install 'regretful[plot]'") from error
            axes = plt.subplots(figsize=(7.0, 4.0), layout="constrained")[1]
        t, logs = np.arange(self.rounds + 1), np.log(self.X)
        lines = {
            "best rebalanced, in hindsight": (np.log(self.X @ self.best.weights), "--"),
            f"best asset ({self.best_asset})": (logs[:, int(logs.sum(axis=0).argmax())], ":"),
            "uniform, rebalanced": (np.log(self.X.mean(axis=1)), ":"),
        }
        axes.plot(t, np.append(1.0, self.curve), label=self.name)
        for name, (grown, style) in lines.items():
            axes.plot(t, np.exp(np.append(0.0, np.cumsum(grown))), style, label=name, linewidth=1.2)
        axes.plot(t, np.append(1.0, np.exp(np.cumsum(logs, axis=0)).mean(axis=1)), ":", label="market", linewidth=1.2)
        axes.set(
            xlabel="rounds", ylabel="wealth", yscale="log", title=f"{self.rounds:,} rounds, {len(self.assets)} assets"
        )
        axes.legend()
        return axes

    def __repr__(self) -> str:
        return f"MarketGame({self.name}, rounds={self.rounds}, wealth={self.wealth:.6g})"


def play(portfolio: Portfolio, X: Any, *, cost: float = 0.0, tol: float = 1e-8, name: str | None = None) -> MarketGame:
    """Let a portfolio meet a market, and keep what it held.

    X: price relatives, in any shape that the portfolio takes. cost: what a unit of wealth bought or sold costs, as a
    share of it. tol: the gap within which the best constantly rebalanced portfolio is to be found.

    >>> import regretful as rg
    >>> X = rg.markets.random_walk(250, 4, seed=1)
    >>> game = rg.markets.play(rg.markets.EG(4), X)
    >>> game.regret.at_most <= game.bound.data <= game.bound.stated
    True
    >>> game.best_wealth.at_most / game.best_wealth.at_least - 1 < 1e-6
    True
    """
    instance("portfolio", portfolio, Portfolio)
    if portfolio.rounds:
        raise ValueError(
            f"{portfolio!r} has played already: the best in hindsight would be of other rounds than its own"
        )
    cost = number("cost", cost, least=0.0, most=0.4999)
    table = relatives_of(X, portfolio.assets)
    if not len(table):
        raise ValueError("a game has at least one round: there are no price relatives")
    weights, factors = np.empty(table.shape), np.empty(len(table))
    for t, x in enumerate(table):
        weights[t] = portfolio.weights
        factors[t] = portfolio.learn_one(x)
    return MarketGame(
        portfolio, name or type(portfolio).__name__, portfolio.assets, table, weights, factors, cost,
        number("tol", tol, above=0.0), portfolio.bound(table, factors),
    )  # fmt: skip


def random_walk(rounds: int, assets: int, *, drift: float = 0.0005, volatility: float = 0.02, seed: int = 0) -> Vector:
    """A generated market: price relatives exp(drift_i + volatility · z), z standard normal, drift_i uniform in ±drift.

    >>> import regretful as rg
    >>> rg.markets.random_walk(3, 2).shape
    (3, 2)
    """
    rng = np.random.default_rng(seed)
    drifts = rng.uniform(-drift, drift, size=assets)
    moved: Vector = np.exp(drifts + volatility * rng.normal(size=(rounds, assets)))
    return moved
