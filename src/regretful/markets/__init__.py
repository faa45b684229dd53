"""Portfolios over price relatives, against the best constantly rebalanced one.

Each is a linear learner with the loss −ln⟨w, x⟩, so all that games, ledgers and files can do, they can. No prices are
fetched here, and nothing is traded.
"""

from regretful.markets.bounds import Bound, tuned, variability
from regretful.markets.mixture import Mixture
from regretful.markets.mixtures import BuyAndHold, Rebalanced, Universal
from regretful.markets.playing import MarketGame, play, random_walk
from regretful.markets.portfolio import Portfolio
from regretful.markets.steps import EG, LazyNewtonStep, NewtonStep

__all__ = [
    "EG",
    "Bound",
    "BuyAndHold",
    "LazyNewtonStep",
    "MarketGame",
    "Mixture",
    "NewtonStep",
    "Portfolio",
    "Rebalanced",
    "Universal",
    "play",
    "random_walk",
    "tuned",
    "variability",
]
