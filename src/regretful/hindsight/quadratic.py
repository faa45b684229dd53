"""The minimum of a quadratic model over a domain.

In a ball by the secular equation; elsewhere by the projected gradient with momentum and, where the matrix is at hand,
semismooth Newton steps z − (I − Π' (I − αB))⁻¹ (z − Π(z − α∇)).
"""

from __future__ import annotations

import numpy as np

from regretful.core.domains import Ball, Box, Everywhere, Orthant
from regretful.core.solvers import slide
from regretful.core.types import Vector
from regretful.hindsight.models import Memory, Newton
from regretful.hindsight.region import Region

ROUNDS = 30  # of Newton's steps and those with momentum, in turn
MOMENTUM = 10


def minimise(model: Newton | Memory, G: Vector, region: Region, w: Vector) -> Vector:
    """The z of the domain with the least ⟨G, z − w⟩ + ½⟨z − w, B (z − w)⟩, w in the domain."""
    domain = region.domain
    if isinstance(domain, Everywhere):
        return w + model.path(G).at(0.0)
    if isinstance(domain, Ball):
        return _in_ball(model, G - model.apply(w), domain.radius)
    if isinstance(domain, Box | Orthant) and isinstance(model, Newton):
        # Such a domain is one of its kind in any scale, and the steps below fare best where all bend alike.
        even, d = model.scaled()
        low, high = (domain.low * d, domain.high * d) if isinstance(domain, Box) else (0.0 * d, np.inf * d)
        return region.project(_Inside(even, G / d, Region(Box(low, high), len(d)), w * d).run() / d)
    return _Inside(model, G, region, w).run()


def _in_ball(model: Newton | Memory, b: Vector, radius: float) -> Vector:
    """The point of the path whose norm is the radius, or its start if that lies within."""
    from scipy.optimize import brentq

    path = model.path(b)
    if path.norm(0.0) <= radius:
        z = path.at(0.0)
        if float(np.linalg.norm(z)) <= radius:
            return z

    def excess(log_mu: float) -> float:
        # 1/‖z(μ)‖ is nearly linear in μ.
        return radius / path.norm(float(np.exp(log_mu))) - 1.0

    most = float(np.log(np.linalg.norm(b) / radius)) + 1e-9
    least = most - 1.0
    while excess(least) > 0.0 and least > most - 80.0:
        least -= 4.0
    z = path.at(float(np.exp(brentq(excess, least, most, xtol=1e-13, rtol=1e-14))) if excess(least) < 0.0 else 0.0)
    return z * (radius / float(np.linalg.norm(z)))


class _Inside:
    """Values are differences from that at w, so that the last steps are not lost in rounding."""

    def __init__(self, model: Newton | Memory, G: Vector, region: Region, w: Vector) -> None:
        self.model, self.G, self.region, self.w = model, G, region, w
        self.step = 1.0 / model.norm

    def value(self, z: Vector) -> float:
        move = z - self.w
        return float(move @ (0.5 * self.model.apply(move) + self.G))

    def ahead(self, z: Vector) -> Vector:
        """One gradient step."""
        return z - self.step * (self.model.apply(z - self.w) + self.G)

    def run(self) -> Vector:
        """Until the projected gradient no longer moves z; with little memory the model is not worth so much."""
        z, value = self.w, 0.0
        exact = isinstance(self.model, Newton)
        for turn in range(ROUNDS if exact else 3):
            before = value
            if exact:
                z = self.newton(z)
                value = self.value(z)
            z, value = self.momentum(z, value, MOMENTUM * (1 + min(turn, 4)))
            if before - value <= (1e-6 if exact else 1e-3) * abs(value):  # the next model goes on from there
                break
        return z

    def newton(self, z: Vector) -> Vector:
        """Semismooth steps, projected, as long as they bring a fixed point nearer or the value down."""
        assert isinstance(self.model, Newton)
        one = np.eye(len(z))
        q = self.ahead(z)
        u = self.region.project(q)
        for _ in range(50):
            off = float(np.linalg.norm(z - u))
            if off == 0.0:
                break
            J = one - slide(self.region.domain, q, u) @ (one - self.step * self.model.B)
            try:
                trial = self.region.project(z - np.linalg.solve(J, z - u))
            except np.linalg.LinAlgError:
                return u
            q = self.ahead(trial)
            u = self.region.project(q)
            if not (np.linalg.norm(trial - u) <= 0.5 * off or self.value(trial) < self.value(z)):
                break
            z = trial
        return z

    def momentum(self, z: Vector, value: float, count: int) -> tuple[Vector, float]:
        """Projected gradient steps with momentum, begun anew when the value rises (Beck and Teboulle 2009)."""
        ahead, t = z, 1.0
        for _ in range(count):
            u = self.region.project(self.ahead(ahead))
            now = self.value(u)
            if not now < value:
                if ahead is z:
                    break
                ahead, t = z, 1.0
                continue
            t, old = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * t * t)), t
            ahead = u + ((old - 1.0) / t) * (u - z)
            z, value = u, now
        return z, value
