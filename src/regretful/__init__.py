"""regretful: online learning that keeps account of its regret."""

from importlib.metadata import version as _version

from regretful import checks, nature, theorems
from regretful.core.certificate import Certificate
from regretful.core.diagonal import Diagonal, Proximal
from regretful.core.domains import Ball, Box, Domain, Everywhere, L1Ball, Orthant, Simplex
from regretful.core.entropy import Entropy
from regretful.core.euclidean import Euclidean
from regretful.core.features import Hashing
from regretful.core.files import load
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
from regretful.core.pnorm import PNorm
from regretful.core.predictor import FixedPredictor
from regretful.core.rates import Adaptive, Constant, InverseSqrt, InverseTime, Rate, WeightedInverseTime
from regretful.core.rules import FollowTheLeader, FollowTheRegularizedLeader, MirrorDescent
from regretful.core.tickets import Ticket
from regretful.game import Comparison, Game, Interval, compare, play
from regretful.hindsight import Comparator, FiniteComparator, finite, hindsight
from regretful.learners import (
    AdaGrad,
    Affine,
    AveragedPerceptron,
    ExponentiatedGradient,
    FTRLProximal,
    GradientDescent,
    LazyPlayer,
    PassiveAggressive,
    Pegasos,
    Perceptron,
    Player,
    PNormDescent,
    WidrowHoff,
    Winnow,
)

__version__ = _version("regretful")

__all__ = [
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
    "Euclidean",
    "Everywhere",
    "ExponentiatedGradient",
    "FTRLProximal",
    "FiniteComparator",
    "FixedPredictor",
    "FollowTheLeader",
    "FollowTheRegularizedLeader",
    "Game",
    "Geometry",
    "GradientDescent",
    "Hashing",
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
    "Simplex",
    "Squared",
    "SquaredHinge",
    "Ticket",
    "WeightedInverseTime",
    "WidrowHoff",
    "Winnow",
    "checks",
    "compare",
    "finite",
    "hindsight",
    "load",
    "nature",
    "play",
    "theorems",
]
