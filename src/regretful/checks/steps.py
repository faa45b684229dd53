"""What must hold of geometries and rates, in the learners that they make: steps downhill, and a state that is kept."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from regretful.checks.examples import demand, fingerprint, pickled
from regretful.core.domains import Everywhere, L1Ball, Simplex
from regretful.core.losses import Absolute, Squared
from regretful.core.rates import Adaptive
from regretful.core.rules import FollowTheRegularizedLeader, MirrorDescent

CLOSE = 1e-9


def _stream() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(6)
    X = rng.normal(size=(30, 5))
    return X, X @ np.linspace(0.5, -0.5, 5) + 0.1 * rng.normal(size=30)


def playable(geometry: Any) -> list[Any]:
    """Learners of this geometry: over the domains and with the rules that it takes."""
    found, reasons = [], []
    for rule in (MirrorDescent, FollowTheRegularizedLeader):
        for domain in (Everywhere(), Simplex(), L1Ball(1.0)):
            try:
                learner = rule(Squared(), geometry, domain, 0.01, n=5)
                learner.learn_one([1.0, 0.0, 0.0, 0.0, 0.0], 1.0)
            except (TypeError, ValueError, NotImplementedError) as error:
                reasons.append(str(error))
            else:
                found.append(rule(Squared(), geometry, domain, 0.01, n=5))
    demand(bool(found), "the geometry works over Everywhere(), Simplex() or L1Ball(1.0)", "; ".join(reasons))
    return found


def steps_go_downhill(geometry: Any) -> None:
    """A step never makes the loss of its own example greater, and weights and predictions stay finite."""
    X, y = _stream()
    for learner in playable(geometry):
        start = float(np.sum((learner.predict_many(X) - y) ** 2))
        for t in range(len(y)):
            before = learner.learn_one(X[t], y[t])
            after = learner.predict_one(X[t])
            w = learner.weights
            demand(bool(np.isfinite(w).all()), "weights stay finite", f"{w} after round {t} of {learner!r}")
            if isinstance(learner, MirrorDescent):
                downhill = (after - before) * (before - y[t]) <= CLOSE
                demand(downhill, "a step goes downhill", f"{before!r} became {after!r}, label {y[t]!r}: {learner!r}")
            demand(learner.domain.contains(w), "weights stay in the domain", f"{w} after round {t} of {learner!r}")
        learner.learn_many(np.tile(X, (20, 1)), np.tile(y, 20))
        end = float(np.sum((learner.predict_many(X) - y) ** 2))
        demand(end <= start + CLOSE, "playing a stream again and again lowers its loss", f"{start!r} became {end!r}")


def maps_are_inverse(geometry: Any) -> None:
    """to_primal(to_dual(w)) = w, for a geometry written in Python."""
    try:
        geometry.to_dual(np.full(3, 0.25))
    except NotImplementedError:
        return
    for learner in playable(geometry):
        for x, y in zip(*_stream(), strict=True):
            learner.learn_one(x, y)
            w = learner.weights
            again = np.asarray(geometry.to_primal(geometry.to_dual(w)))
            demand(np.allclose(again, w, rtol=1e-7, atol=CLOSE), "to_primal undoes to_dual", f"{again}, not {w}")


def geometry_state_is_kept(geometry: Any) -> None:
    """A learner of this geometry is copied with all it has learnt; the geometry that was handed in learns nothing."""
    X, y = _stream()
    before = fingerprint(geometry)
    for learner in playable(geometry):
        learner.learn_many(X, y)
        copied = pickled(learner)
        learner.learn_many(X, y)
        copied.learn_many(X, y)
        demand(fingerprint(copied) == fingerprint(learner), "a pickled learner goes on bit for bit", f"{learner!r}")
    demand(fingerprint(geometry) == before, "the geometry that is handed in learns nothing", repr(geometry))


def rates_are_positive(rate: Any) -> None:
    """Every step size is positive and finite, and the same when asked again."""
    if isinstance(rate, Adaptive):
        return
    for t in (*range(1, 200), 10**6, 10**9):
        eta = float(rate.at(t))
        demand(0.0 < eta < math.inf, f"the rate of round {t} is positive and finite", repr(eta))
        demand(eta == float(rate.at(t)), f"the rate of round {t} is the same when asked again", repr(eta))


def rate_state_is_kept(rate: Any) -> None:
    """A learner with this rate goes on bit for bit when copied; the rate that was handed in learns nothing."""
    X, y = _stream()
    learner = MirrorDescent(Absolute(), None, None, rate)
    learner.learn_many(X, y)
    copied = pickled(learner)
    fresh = MirrorDescent(Absolute(), None, None, rate)
    again = MirrorDescent(Absolute(), None, None, type(rate)(**rate.settings()))
    fresh.learn_many(X, y)
    again.learn_many(X, y)
    alike = np.array_equal(fresh.weights, again.weights)
    demand(alike, "a rate keeps nothing of a run", f"{fresh.weights}, {again.weights}")
    demand(np.array_equal(learner.weights, again.weights), "a rate keeps nothing of a run", f"{fresh.weights}")
    learner.learn_many(X, y)
    copied.learn_many(X, y)
    demand(fingerprint(copied) == fingerprint(learner), "a pickled learner goes on bit for bit", f"{learner!r}")


GEOMETRY = [maps_are_inverse, steps_go_downhill, geometry_state_is_kept]
RATE = [rates_are_positive, rate_state_is_kept]
