"""regretful: online learning that keeps account of its regret.

What learns is imported at once; the rooms above it open when a name of theirs is first asked for. (`hindsight` is open
from the start: a room that opened later would take the place of the function that bears its name.)
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

from regretful.core.certificate import Certificate
from regretful.core.diagonal import Diagonal, Proximal
from regretful.core.domains import Ball, Box, Domain, Everywhere, L1Ball, Orthant, Simplex
from regretful.core.entropy import Entropy
from regretful.core.euclidean import Euclidean
from regretful.core.features import Hashing
from regretful.core.files import load
from regretful.core.fullmatrix import FullMatrix
from regretful.core.geometry import Geometry
from regretful.core.ledger import Ledger
from regretful.core.losses import (
    Absolute,
    Constants,
    EpsilonInsensitive,
    Hinge,
    Huber,
    Logistic,
    LogWealth,
    Loss,
    Poisson,
    Quantile,
    Squared,
    SquaredHinge,
)
from regretful.core.multiclass import FixedMulticlass, Multiclass
from regretful.core.pnorm import PNorm
from regretful.core.predictor import FixedPredictor
from regretful.core.rates import Adaptive, Constant, InverseSqrt, InverseTime, Rate, WeightedInverseTime
from regretful.core.rules import FollowTheLeader, FollowTheRegularizedLeader, MirrorDescent
from regretful.core.score_losses import MulticlassHinge, MulticlassLoss, Softmax
from regretful.core.structured import FixedStructured, Structured, Weights
from regretful.core.tickets import Ticket
from regretful.hindsight import Comparator, FiniteComparator, finite, hindsight
from regretful.learners import (
    AdaGrad,
    Affine,
    AveragedPerceptron,
    ExponentiatedGradient,
    FTRLProximal,
    GradientDescent,
    LazyPlayer,
    MulticlassGradientDescent,
    MulticlassPerceptron,
    PassiveAggressive,
    Pegasos,
    Perceptron,
    Player,
    PNormDescent,
    SelectiveSampling,
    Sequences,
    StructuredPerceptron,
    StructuredSVM,
    WidrowHoff,
    Winnow,
)
from regretful.learners.selective import Estimate

if _TYPE_CHECKING:  # the names that open later, for type checkers; _LATER says the same to Python
    from regretful import bandits, checks, experts, markets, nature, readers, report, theorems
    from regretful.bandits import UCB1, ThompsonSampling
    from regretful.experts import GibbsHedge, Hedge
    from regretful.game import Comparison, Game, Interval, compare, play
    from regretful.readers import read

_LATER = {
    "bandits": ("UCB1", "ThompsonSampling"),
    "checks": (),  # the room itself is the public name
    "experts": ("GibbsHedge", "Hedge"),
    "game": ("Comparison", "Game", "Interval", "compare", "play"),
    "markets": (),
    "nature": (),
    "readers": ("read",),
    "report": (),
    "theorems": (),
}
_ROOM_OF = {name: room for room, names in _LATER.items() for name in names}


def __getattr__(name: str) -> object:
    """Open the room in which the name lives."""
    if name == "__version__":
        from importlib.metadata import version

        found: object = version("regretful")
    elif name in _ROOM_OF:
        found = getattr(_import_module(f"regretful.{_ROOM_OF[name]}"), name)
    elif name in _LATER:
        found = _import_module(f"regretful.{name}")
    else:
        raise AttributeError(f"module 'regretful' has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_LATER, "__version__"})


__all__ = [
    "UCB1",
    "Absolute",
    "AdaGrad",
    "Adaptive",
    "Affine",
    "AveragedPerceptron",
    "Ball",
    "Box",
    "Certificate",
    "Comparator",
    "Comparison",
    "Constant",
    "Constants",
    "Diagonal",
    "Domain",
    "Entropy",
    "EpsilonInsensitive",
    "Estimate",
    "Euclidean",
    "Everywhere",
    "ExponentiatedGradient",
    "FTRLProximal",
    "FiniteComparator",
    "FixedMulticlass",
    "FixedPredictor",
    "FixedStructured",
    "FollowTheLeader",
    "FollowTheRegularizedLeader",
    "FullMatrix",
    "Game",
    "Geometry",
    "GibbsHedge",
    "GradientDescent",
    "Hashing",
    "Hedge",
    "Hinge",
    "Huber",
    "Interval",
    "InverseSqrt",
    "InverseTime",
    "L1Ball",
    "LazyPlayer",
    "Ledger",
    "LogWealth",
    "Logistic",
    "Loss",
    "MirrorDescent",
    "Multiclass",
    "MulticlassGradientDescent",
    "MulticlassHinge",
    "MulticlassLoss",
    "MulticlassPerceptron",
    "Orthant",
    "PNorm",
    "PNormDescent",
    "PassiveAggressive",
    "Pegasos",
    "Perceptron",
    "Player",
    "Poisson",
    "Proximal",
    "Quantile",
    "Rate",
    "SelectiveSampling",
    "Sequences",
    "Simplex",
    "Softmax",
    "Squared",
    "SquaredHinge",
    "Structured",
    "StructuredPerceptron",
    "StructuredSVM",
    "ThompsonSampling",
    "Ticket",
    "WeightedInverseTime",
    "Weights",
    "WidrowHoff",
    "Winnow",
    "bandits",
    "checks",
    "compare",
    "experts",
    "finite",
    "hindsight",
    "load",
    "markets",
    "nature",
    "play",
    "read",
    "readers",
    "report",
    "theorems",
]
