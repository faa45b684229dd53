"""Portfolios over price relatives, against the best constantly rebalanced one.

Each is a linear learner with the loss −ln⟨w, x⟩, so all that games, ledgers and files can do, they can. No prices are
fetched here, and nothing is traded.
"""

from regretful.markets.bounds import Bound, tuned, variability
from regretful.markets.mixture import Mixture
from regretful.markets.portfolios import EG, BuyAndHold, LazyNewtonStep, NewtonStep, Portfolio, Rebalanced, Universal

__all__ = [
    "EG",
    "Bound",
    "BuyAndHold",
    "LazyNewtonStep",
    "Mixture",
    "NewtonStep",
    "Portfolio",
    "Rebalanced",
    "Universal",
    "tuned",
    "variability",
]
