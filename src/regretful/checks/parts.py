"""What must hold of losses, domains, geometries and rates: convexity, nearest points, duals, steps, settings."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from regretful.checks.examples import demand, pickled, taken
from regretful.core.domains import Domain
from regretful.core.losses import Loss

CLOSE = 1e-9


def settings_make_it_again(part: Any) -> None:
    """A part is made again from its settings, and by pickling; it equals the copy."""
    for how, copied in (("settings()", type(part)(**part.settings())), ("pickle", pickled(part))):
        demand(copied == part and hash(copied) == hash(part), f"{how} gives an equal part", f"{copied!r}")
        demand(type(copied) is type(part), f"{how} gives a part of the same class", f"{type(copied)!r}")
    demand(type(part).__name__ in repr(part), "the repr names the class", repr(part))


class LossCase:
    """A loss with labels it takes and predictions where it is finite."""

    def __init__(self, loss: Loss) -> None:
        self.loss = loss
        kind = "classification" if loss.classification else "regression"
        labels = (-1.0, 1.0) if kind == "classification" else (-1.5, 0.0, 0.7, 1.0, 3.0)
        self.labels = [y for y in labels if taken(loss, y)] if loss.labelled else [0.0]
        grid = [*np.linspace(-4.0, 4.0, 41), -0.31, 0.013, 1.7]
        self.points = {y: [float(p) for p in grid if math.isfinite(loss.value(float(p), y))] for y in self.labels}
        demand(any(self.points.values()), "the loss is finite somewhere in [-4, 4]", f"{self.labels}")

    def pairs(self) -> list[tuple[float, float]]:
        """Labels with predictions."""
        return [(y, p) for y in self.labels for p in self.points[y]]


def slope_is_a_slope(case: LossCase) -> None:
    """ℓ(q) ≥ ℓ(p) + s (q - p) for every q: the loss is convex, and s is one of its slopes, at kinks too."""
    loss = case.loss
    for y, p in case.pairs():
        value, slope = loss.value(p, y), loss.slope(p, y)
        for q in case.points[y]:
            line, there = value + slope * (q - p), loss.value(q, y)
            demand(
                there >= line - CLOSE * (1.0 + abs(line)),
                f"slope({p:g}, {y:g}) = {slope!r} is a slope of a convex loss",
                f"at {q:g} the loss {there!r} < {line!r}",
            )


def conjugate_is_right(case: LossCase) -> None:
    """ℓ*(s) ≥ s p - ℓ(p) for every p, with equality where s is the slope (Fenchel and Young)."""
    loss = case.loss
    for y, p in case.pairs():
        s = loss.slope(p, y)
        dual, equal = loss.conjugate(s, y), s * p - loss.value(p, y)
        demand(
            math.isclose(dual, equal, rel_tol=1e-6, abs_tol=1e-6), f"conjugate({s!r}, {y:g}) = s p - loss at p = {p:g}",
            f"{dual!r}, not {equal!r}",
        )  # fmt: skip


def implicit_slope_is_ahead(case: LossCase) -> None:
    """implicit_slope(p, y, k) is a slope at p - k s."""
    loss = case.loss
    for y, p in case.pairs():
        for k in (0.1, 1.0, 30.0):
            s = loss.implicit_slope(p, y, k)
            there = p - k * s
            for q in case.points[y]:
                line = loss.value(there, y) + s * (q - there)
                demand(
                    loss.value(q, y) >= line - 1e-7 * (1.0 + abs(line)),
                    f"implicit_slope({p:g}, {y:g}, {k:g}) = {s!r} is a slope at p - k s", f"at {q:g} it is not",
                )  # fmt: skip


def constants_hold(case: LossCase) -> None:
    """No slope is above `lipschitz`, none changes faster than `smoothness` or slower than `curvature`.

    And exp(-a ℓ) is concave, with a = `exp_concavity`.
    """
    loss = case.loss
    try:
        low, high = min(p for _, p in case.pairs()), max(p for _, p in case.pairs())
        constants = loss.constants(low, high, None if loss.classification else (min(case.labels), max(case.labels)))
    except NotImplementedError:
        return  # a user's loss need not declare any
    lipschitz, smoothness, curvature, concavity = constants
    for y in case.labels:
        for p in case.points[y]:
            slope, value = loss.slope(p, y), loss.value(p, y)
            demand(abs(slope) <= lipschitz * (1 + CLOSE) + CLOSE, "lipschitz bounds the slope", f"{slope!r} at {p:g}")
            for q in case.points[y]:
                if q <= p:
                    continue
                bend = (loss.slope(q, y) - slope) / (q - p)
                demand(curvature * (1 - 1e-6) - CLOSE <= bend, "curvature bounds the bend", f"{bend!r} at {p:g}, {q:g}")
                demand(
                    bend <= smoothness * (1 + 1e-6) + CLOSE, "smoothness bounds the bend", f"{bend!r} at {p:g}, {q:g}"
                )
                if 0.0 < concavity < math.inf:
                    middle = math.exp(-concavity * loss.value(0.5 * (p + q), y))
                    chord = 0.5 * (math.exp(-concavity * value) + math.exp(-concavity * loss.value(q, y)))
                    demand(middle >= chord - CLOSE, "exp(-a loss) is concave", f"a = {concavity!r} at {p:g}, {q:g}")


def _points(domain: Domain, n: int) -> list[np.ndarray]:
    rng = np.random.default_rng(3)
    return [
        np.asarray(domain.project(scale * rng.normal(size=n)), float) for scale in (0.1, 1.0, 30.0) for _ in range(8)
    ]


def projecting_gives_the_nearest(domain: Domain, n: int) -> None:
    """project(w) is in the set, stays there, and no point of the set is nearer: ⟨w - Πw, u - Πw⟩ ≤ 0."""
    rng, inside = np.random.default_rng(4), _points(domain, n)
    for scale in (0.1, 1.0, 30.0):
        for _ in range(8):
            w = scale * rng.normal(size=n)
            given = w.copy()
            near = np.asarray(domain.project(w), float)
            demand(np.array_equal(w, given), "project leaves its argument as it is", f"{w}, it was {given}")
            demand(near.shape == (n,), "project keeps the shape", f"{near.shape}")
            demand(domain.contains(near), "project lands in the set", f"{near} from {w}")
            again = np.asarray(domain.project(near), float)
            still = np.allclose(again, near, rtol=CLOSE, atol=CLOSE)
            demand(still, "projecting twice is projecting once", f"{again}, {near}")
            slack = CLOSE * (1.0 + float(w @ w))
            for u in inside:
                angle = float((w - near) @ (u - near))
                nearer = f"{near} for {w}, but {u} is nearer ({angle:.3g})"
                demand(angle <= slack, "project gives the nearest point", nearer)
    start = np.asarray(domain.start(n), float)
    demand(domain.contains(start), "the start is in the set", f"{start}")


def support_is_the_largest(domain: Domain, n: int) -> None:
    """support(v) ≥ ⟨u, v⟩ for every u in the set, and far along v the projection comes near to it."""
    rng, inside, far = np.random.default_rng(5), _points(domain, n), 1e7
    for v in [*rng.normal(size=(6, n)), -np.ones(n), np.zeros(n)]:
        support = domain.support(v)
        for u in inside:
            there = float(u @ v)
            least = there - CLOSE * (1.0 + abs(there))
            demand(support >= least, "support(v) ≥ ⟨u, v⟩", f"{support!r}, u = {u}, v = {v}")
        reached = float(np.asarray(domain.project(far * v)) @ v)
        if math.isinf(support):
            demand(reached > 1e3, "support(v) is infinite only where ⟨u, v⟩ has no bound", f"{reached!r} for v = {v}")
        else:
            near = reached >= support - 1e-5 * (1.0 + abs(support))
            demand(near, "support(v) is attained", f"{support!r}, but only {reached!r} found for v = {v}")


def diameter_bounds_distances(domain: Domain, n: int) -> None:
    """No two points are farther apart than `diameter`; a bounded set does not contain what is far away."""
    try:
        diameter = domain.diameter
    except ValueError:
        return  # it depends on n
    inside = _points(domain, n)
    farthest = max(float(np.linalg.norm(u - w)) for u in inside for w in inside)
    demand(farthest <= diameter * (1 + CLOSE) + CLOSE, "diameter bounds all distances", f"{farthest!r} > {diameter!r}")
    if math.isfinite(diameter):
        away = np.full(n, 10.0 * diameter + 10.0) + np.abs(inside[0])
        demand(not domain.contains(away), "a bounded set does not contain what is far away", f"{away}")


LOSS = [slope_is_a_slope, conjugate_is_right, implicit_slope_is_ahead, constants_hold]
DOMAIN = [projecting_gives_the_nearest, support_is_the_largest, diameter_bounds_distances]
