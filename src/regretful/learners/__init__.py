"""The named algorithms: each fills the slots of a rule, in ten lines or fewer, with the maths in its docstring."""

from regretful.learners.adaptive import AdaGrad, FTRLProximal
from regretful.learners.additive import (
    AveragedPerceptron,
    GradientDescent,
    PassiveAggressive,
    Pegasos,
    Perceptron,
    WidrowHoff,
)
from regretful.learners.multiclass import MulticlassGradientDescent, MulticlassPerceptron
from regretful.learners.multiplicative import ExponentiatedGradient, PNormDescent, Winnow
from regretful.learners.player import Affine, LazyPlayer, Player
from regretful.learners.selective import SelectiveSampling
from regretful.learners.sequences import Sequences
from regretful.learners.structured import StructuredPerceptron, StructuredSVM

__all__ = [
    "AdaGrad",
    "Affine",
    "AveragedPerceptron",
    "ExponentiatedGradient",
    "FTRLProximal",
    "GradientDescent",
    "LazyPlayer",
    "MulticlassGradientDescent",
    "MulticlassPerceptron",
    "PNormDescent",
    "PassiveAggressive",
    "Pegasos",
    "Perceptron",
    "Player",
    "SelectiveSampling",
    "Sequences",
    "StructuredPerceptron",
    "StructuredSVM",
    "WidrowHoff",
    "Winnow",
]
