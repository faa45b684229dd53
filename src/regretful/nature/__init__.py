"""Natures: who reveals examples and labels. Streams, samplers, targets that move, adversaries.

Nothing here learns, and no regret is measured here. A game (`rg.play`) brings a learner and a nature together.
"""

from regretful.core.types import Batch
from regretful.nature.adversaries import (
    Contrary,
    FollowTheSign,
    LeaderBreaker,
    Moves,
    Orthogonal,
    RandomSigns,
)
from regretful.nature.clicks import ClickLog
from regretful.nature.logs import Log
from regretful.nature.moving import Drifting, Switching
from regretful.nature.nature import Learner, Nature, Oblivious
from regretful.nature.samplers import LinearNoise, LogisticNoise, Sampler, Separable
from regretful.nature.search import Copies, Descents, Worst, beam_search
from regretful.nature.streams import Pairs, Stream

__all__ = [
    "Batch",
    "ClickLog",
    "Contrary",
    "Copies",
    "Descents",
    "Drifting",
    "FollowTheSign",
    "LeaderBreaker",
    "Learner",
    "LinearNoise",
    "Log",
    "LogisticNoise",
    "Moves",
    "Nature",
    "Oblivious",
    "Orthogonal",
    "Pairs",
    "RandomSigns",
    "Sampler",
    "Separable",
    "Stream",
    "Switching",
    "Worst",
    "beam_search",
]
