"""Every loss beside its plain NumPy twin, with its kinks, its labels and its range of predictions."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import regretful as rg
from tests.references import losses as S


@dataclass(frozen=True)
class LossCase:
    """A loss, its twin, the labels and predictions to try, and where its slope jumps or bends."""

    loss: rg.Loss
    plain: S.Loss
    labels: tuple
    low: float = -4.0
    high: float = 4.0
    kinks: Callable = lambda y: ()
    classification: bool = False


REAL, SIGNS = (-1.5, 0.0, 0.7, 2.0), (-1.0, 1.0)
CASES = {
    "squared": LossCase(rg.Squared(), S.squared(), REAL),
    "absolute": LossCase(rg.Absolute(), S.absolute(), REAL, kinks=lambda y: (y,)),
    "quantile": LossCase(rg.Quantile(), S.quantile(0.5), REAL, kinks=lambda y: (y,)),
    "quantile.9": LossCase(rg.Quantile(0.9), S.quantile(0.9), REAL, kinks=lambda y: (y,)),
    "huber": LossCase(rg.Huber(), S.huber(1.0), REAL, kinks=lambda y: (y - 1, y + 1)),
    "huber.3": LossCase(rg.Huber(0.3), S.huber(0.3), REAL, kinks=lambda y: (y - 0.3, y + 0.3)),
    "insensitive": LossCase(
        rg.EpsilonInsensitive(), S.epsilon_insensitive(0.1), REAL, kinks=lambda y: (y - 0.1, y + 0.1)
    ),
    "insensitive.5": LossCase(
        rg.EpsilonInsensitive(0.5), S.epsilon_insensitive(0.5), REAL, kinks=lambda y: (y - 0.5, y + 0.5)
    ),
    "logistic": LossCase(rg.Logistic(), S.logistic(), SIGNS, classification=True),
    "hinge": LossCase(rg.Hinge(), S.hinge(), SIGNS, kinks=lambda y: (y,), classification=True),
    "hinge2": LossCase(rg.Hinge(2.0), S.hinge(2.0), SIGNS, kinks=lambda y: (2 * y,), classification=True),
    "hinge0": LossCase(rg.Hinge(0.0), S.hinge(0.0), SIGNS, kinks=lambda y: (0.0,), classification=True),
    "squaredhinge": LossCase(rg.SquaredHinge(), S.squared_hinge(), SIGNS, kinks=lambda y: (y,), classification=True),
    "squaredhinge.5": LossCase(
        rg.SquaredHinge(0.5), S.squared_hinge(0.5), SIGNS, kinks=lambda y: (0.5 * y,), classification=True
    ),
    "poisson": LossCase(rg.Poisson(), S.poisson(), (0.0, 1.0, 4.0)),
    "logwealth": LossCase(rg.LogWealth(), S.log_wealth(), (0.0,), low=0.05, high=4.0),
}


def predictions(case, count=200, seed=0):
    """Seeded predictions in the case's range."""
    return np.random.default_rng(seed).uniform(case.low, case.high, count)


def away_from_kinks(case, p, y, distance=1e-3):
    """The predictions that keep their distance from the kinks of the label y."""
    return p[[all(abs(q - kink) > distance for kink in case.kinks(y)) for q in p]]
