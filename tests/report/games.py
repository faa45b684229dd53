"""Games for the tests of reports: a classification, a regression, and one whose names are up to no good."""

import functools

import numpy as np
import pyarrow as pa

import regretful as rg

EVIL = '<img src=x onerror="alert(1)">&amp;</script><script>alert(2)</script>'


@functools.cache
def clicks(rounds=4000):
    """Click rates from a table."""
    rng = np.random.default_rng(3)
    device = rng.choice(["phone", "tablet", "desktop"], rounds)
    age = rng.uniform(1.8, 8.0, rounds)
    chance = 1 / (1 + np.exp(1.5 - 0.8 * (device == "phone") + 0.2 * age))
    table = pa.table({"device": device, "age/10": age, "clicked": rng.random(rounds) < chance})
    learner = rg.AdaGrad(rg.Logistic(), 0.1, intercept=True)
    return rg.play(learner, table, label="clicked", keep_predictions=True)


@functools.cache
def demand(rounds=3000):
    """A regression that a theorem speaks of."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(rounds, 3))
    y = X @ [1.0, -2.0, 0.5] + rng.normal(size=rounds)
    learner = rg.GradientDescent(rg.Huber(), rg.InverseSqrt(0.5), rg.Ball(3.0))
    return rg.play(learner, X, y, keep_predictions=True)


@functools.cache
def evil():
    """Names that would run, if they were let."""
    rows = [{EVIL: 1.0, f"a={EVIL}": 0.5}, {"$price": 2.0, "%{x}": 1.0, "\u202eabc\ud800": 1.0}]
    return rg.play(rg.AdaGrad(rg.Logistic(), 0.5), rows * 20, [True, False] * 20)


def poisson(rounds=1000):
    """Counts."""
    rng = np.random.default_rng(7)
    X = rng.uniform(size=(rounds, 2))
    y = rng.poisson(np.exp(X @ [1.0, 0.5]))
    return rg.play(rg.AdaGrad(rg.Poisson(), 0.1), X, y, keep_predictions=True)


def wealth():
    """Without labels."""
    X = np.exp(0.05 * np.random.default_rng(9).normal(size=(200, 4)))
    return rg.play(rg.ExponentiatedGradient(rg.LogWealth(), 0.05), X)


def hinge():
    """Predictions that are no chances, weighted examples."""
    rng = np.random.default_rng(11)
    X = rng.normal(size=(500, 3))
    y = np.sign(X[:, 0] + 0.3 * rng.normal(size=500))
    return rg.play(rg.Pegasos(0.05), X, y, weight=rng.integers(1, 3, 500).astype(float), keep_predictions=True)


GAMES = {"clicks": clicks, "demand": demand, "evil": evil, "poisson": poisson, "wealth": wealth, "hinge": hinge}
