"""Prediction with expert advice: learners that weigh experts by what they lost, whatever the experts are.

Here losses are given as they are, one an expert; no convexity is asked for. Experts whose advice is numbers, under a
convex loss, may also be the features of `ExponentiatedGradient`.
"""

from regretful.experts.gibbs import GibbsHedge
from regretful.experts.hedge import Hedge
from regretful.experts.ledger import ExpertLedger

__all__ = ["ExpertLedger", "GibbsHedge", "Hedge"]
