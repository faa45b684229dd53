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
from regretful.learners.multiplicative import ExponentiatedGradient, PNormDescent, Winnow

__all__ = [
    "AdaGrad",
    "AveragedPerceptron",
    "ExponentiatedGradient",
    "FTRLProximal",
    "GradientDescent",
    "PNormDescent",
    "PassiveAggressive",
    "Pegasos",
    "Perceptron",
    "WidrowHoff",
    "Winnow",
]
