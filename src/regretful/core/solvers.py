"""The batch solver behind the exact leader; it knows sums of losses and mirror maps, nothing of rounds.

    minimise  Σ c ℓ(y, ⟨w, x⟩) + τ F(w)  over Ω,    w = ∇F*(θ)

by Newton's method in θ, where the condition is τ θ + Σ c s x = 0 and the Jacobian τ + H ∇²F*(θ). What Newton cannot
take, kinks of the loss and the walls of Ω, is smoothed, and the smoothing undone by multipliers (an augmented
Lagrangian, Li, Sun and Toh 2018): ℓ by its Moreau envelope, whose slope is `loss.implicit_slope`, with multiplier s;
Ω by the squared distance to it. Without F, each turn minimises with τ/2 ‖w − last turn's w‖² (a proximal point).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from regretful.core import domains, losses

TOLERANCE = 1e-11   # of the objective, relative to its size
TURNS = 40          # of the multipliers
STEPS = 100         # of Newton, in each turn
STIFFEST = 1e7      # how much stiffer than at first the springs become

Array = np.ndarray[Any, np.dtype[np.float64]]


def _logistic(p: Array, y: Array, loss: Any) -> Array:
    slopes = loss.slope(p, y)
    return -slopes * (y + slopes) if len(p) else p


# ℓ'' of the smooth losses; the slopes of those made of straight pieces.
CURVATURES: dict[type, Any] = {
    losses.Squared: lambda p, _y, _loss: np.full(len(p), 2.0),
    losses.Huber: lambda p, y, loss: np.where(np.abs(p - y) <= loss.delta, 1.0, 0.0),
    losses.Logistic: lambda p, y, loss: np.abs(loss.slope(p, y)) * (1.0 - np.abs(loss.slope(p, y))),
    losses.SquaredHinge: lambda p, y, loss: np.where(y * p < loss.margin, 2.0, 0.0),
    losses.Poisson: lambda p, _y, _loss: np.exp(p),
    losses.LogWealth: lambda p, _y, _loss: 1.0 / p**2,
}
PIECES: dict[type, Any] = {
    losses.Absolute: lambda _loss: (-1.0, 1.0),
    losses.Quantile: lambda loss: (-loss.tau, 1.0 - loss.tau),
    losses.EpsilonInsensitive: lambda _loss: (-1.0, 0.0, 1.0),
    losses.Hinge: lambda _loss: (-1.0, 0.0, 1.0),
}


class Bill:
    """Σ c ℓ(y, p): what a vector of predictions costs, as it is or smoothed."""

    def __init__(self, loss: Any, X: Array, y: Array, c: Array) -> None:
        self.loss, self.X, self.y, self.c = loss, X, y, c
        self.smooth = type(loss) in CURVATURES
        self.own = self.smooth or type(loss) in PIECES

    def value(self, p: Array) -> float:
        """Σ c ℓ(y, p)."""
        values = self.loss.value(p, self.y) if self.own else [*map(self.loss.value, p.tolist(), self.y.tolist())]
        return float(self.c @ np.asarray(values))

    def scale(self) -> float:
        """What the examples cost at p = 0, roughly: the size that tolerances are relative to."""
        with np.errstate(all="ignore"):
            at_zero = self.value(np.zeros(len(self.y))) if type(self.loss) is not losses.LogWealth else 0.0
        return abs(at_zero) if np.isfinite(at_zero) and at_zero else float(self.c.sum()) or 1.0

    def pay(self, p: Array, a: Array, stiff: float) -> tuple[float, Array, Array]:
        """The cost, the slopes s and where they are taken, z.

        A smooth loss as it is; others by the envelope min over z of ℓ(y, z) + a (p − z) + stiff/2 (p − z)².
        """
        if self.smooth:
            return self.value(p), self.loss.slope(p, self.y), p
        ahead = p + a / stiff
        if self.own:
            s = self.loss.implicit_slope(ahead, self.y, 1.0 / stiff)
        else:
            s = np.array([_implicit(self.loss, *pair, stiff) for pair in zip(ahead.tolist(), self.y.tolist())])
        z = ahead - s / stiff
        return self.value(z) + float(self.c @ ((s - a) * (s + a))) / (2.0 * stiff), s, z

    def curvature(self, s: Array, z: Array, stiff: float) -> Array:
        """The derivative of `pay`'s slopes: ℓ'', and for the envelope ℓ''/(1 + ℓ''/stiff)."""
        if self.smooth:
            return np.asarray(CURVATURES[type(self.loss)](z, self.y, self.loss))
        if self.own:
            return np.where(np.isin(s, PIECES[type(self.loss)](self.loss)), 0.0, stiff)
        h = np.minimum(1e-6, 1e-2 / stiff) * (1.0 + np.abs(z))
        right, left = (map(self.loss.slope, at.tolist(), self.y.tolist()) for at in (z + h, z - h))
        bend = np.maximum((np.array([*right]) - np.array([*left])) / (2.0 * h), 0.0)
        return bend / (1.0 + bend / stiff)


def _implicit(loss: Any, p: float, y: float, stiff: float) -> float:
    """The root of s = slope(p − s/stiff): regula falsi (Illinois) between 0 and slope(p)."""
    a, b = loss.slope(p, y), 0.0
    if a == 0.0:
        return 0.0
    at_a, at_b = loss.slope(p - a / stiff, y) - a, a
    for turn in range(200):
        if at_a == 0.0 or abs(a - b) <= 1e-16 * abs(a):
            break
        c = b - at_b * (b - a) / (at_b - at_a) if turn % 3 < 2 else 0.5 * (a + b)
        at_c = loss.slope(p - c / stiff, y) - c
        if (at_c > 0.0) == (at_b > 0.0):
            b, at_b, at_a = c, at_c, 0.5 * at_a
        else:
            b, at_b, a, at_a = a, at_a, c, at_c
    return float(a)


class Euclid:
    """F(w) = ½‖w‖₂²."""

    def primal(self, theta: Array) -> Array:
        """∇F*(θ)."""
        return theta

    def spread(self, theta: Array, _w: Array) -> Array:
        """∇²F*(θ)."""
        return np.eye(len(theta))

    def value(self, _theta: Array, w: Array) -> float:
        """F(w)."""
        return 0.5 * float(w @ w)


class Simplicial(Euclid):
    """F(w) = Σ w ln w over Σ w = radius; paired: of the two halves w⁺ − w⁻ = w (EG±)."""

    def __init__(self, radius: float, paired: bool) -> None:
        self.radius, self.paired = radius, paired

    def _halves(self, theta: Array) -> tuple[Array, Array, float]:
        top = float(np.abs(theta).max() if self.paired else theta.max())
        return np.exp(theta - top), np.exp(-theta - top) if self.paired else np.zeros(len(theta)), top

    def primal(self, theta: Array) -> Array:
        """radius (v⁺ − v⁻)/Σ(v⁺ + v⁻), v± = exp(±θ)."""
        plus, minus, _ = self._halves(theta)
        return self.radius * (plus - minus) / (plus.sum() + minus.sum())

    def spread(self, theta: Array, w: Array) -> Array:
        """Its derivative."""
        plus, minus, _ = self._halves(theta)
        return np.diag(self.radius * (plus + minus) / (plus.sum() + minus.sum())) - np.outer(w, w) / self.radius

    def value(self, theta: Array, w: Array) -> float:
        """⟨θ, w⟩ − F*(θ), F* = radius ln Σ(v⁺ + v⁻) up to a constant."""
        plus, minus, top = self._halves(theta)
        return float(theta @ w) - self.radius * (top + float(np.log(plus.sum() + minus.sum())))


class Power(Euclid):
    """F(w) = ½‖w‖_q², 1/p + 1/q = 1."""

    def __init__(self, p: float) -> None:
        self.p = p

    def primal(self, theta: Array) -> Array:
        """sign(θ)|θ|^(p−1)/‖θ‖_p^(p−2)."""
        norm = float(np.linalg.norm(theta, self.p))
        return np.sign(theta) * np.abs(theta / norm) ** (self.p - 1.0) * norm if norm else theta

    def spread(self, theta: Array, w: Array) -> Array:
        """Its derivative."""
        norm = float(np.linalg.norm(theta, self.p))
        if not norm:
            return np.zeros((len(w), len(w)))
        diagonal = (self.p - 1.0) * np.abs(theta / norm) ** (self.p - 2.0)
        return np.diag(diagonal) - (self.p - 2.0) * np.outer(w / norm, w / norm)

    def value(self, theta: Array, _w: Array) -> float:
        """½‖w‖_q² = ½‖θ‖_p²."""
        return 0.5 * float(np.linalg.norm(theta, self.p)) ** 2


def slide(domain: Any, q: Array, u: Array) -> Array:
    """The derivative of the projection u = Π(q)."""
    n, kind = len(q), type(domain)
    if kind in (domains.Box, domains.Orthant):
        return np.diag((u == q).astype(float))
    if kind in (domains.Ball, domains.L1Ball) and np.array_equal(u, q):
        return np.eye(n)
    if kind is domains.Ball:
        unit = q / np.linalg.norm(q)
        return domain.radius / np.linalg.norm(q) * (np.eye(n) - np.outer(unit, unit))
    if kind in (domains.Simplex, domains.L1Ball):
        sign = np.sign(u)
        return np.diag(np.abs(sign)) - np.outer(sign, sign) / max(1.0, np.abs(sign).sum())
    h = 1e-7 * (1.0 + np.abs(q).max(initial=0.0))
    columns = [(domain.project(q + h * e) - domain.project(q - h * e)) / (2.0 * h) for e in np.eye(n)]
    return 0.5 * (np.array(columns) + np.array(columns).T)


class Search:
    """One problem, and its multipliers: `slopes` of the losses, `push` of the walls."""

    def __init__(self, bill: Bill, mirror: Any, tau: float | None, fence: Any, slopes: Array, push: Array) -> None:
        self.bill, self.mirror, self.fence, self.slopes, self.push = bill, mirror, fence, slopes, push
        self.free = tau is None  # no F: a proximal point
        mass = float(bill.c @ np.square(bill.X).sum(axis=1)) / max(1, bill.X.shape[1]) or 1.0
        self.mass, self.tau, self.size = mass, 0.0 if tau is None else tau, bill.scale()

    def run(self, theta: Array) -> Array:
        """θ at the minimum, sought from `theta`; the multipliers are left in place for the next problem."""
        bill, mirror = self.bill, self.mirror
        spread = float(np.abs(bill.X @ mirror.primal(theta)).mean() + np.abs(bill.y).mean()) or 1.0
        best, least = theta, np.inf
        for turn in range(TURNS):
            self.stiff = min(10.0**turn, STIFFEST) / spread
            self.wall = self.stiff * self.mass
            self.centre = theta if self.free else np.zeros(len(theta))
            if self.free:
                self.tau = 1e-3 * self.mass / spread * max(10.0**-turn, 1e-4)
            theta, lower = self._descend(theta)
            w = mirror.primal(theta)
            if not bill.smooth:
                self.slopes = self._at(theta)[2]
            kept = w
            if self.fence is not None:
                push = w + self.push / self.wall
                self.push = self.wall * (push - self.fence.project(push))
                kept = self.fence.project(w)
            upper = bill.value(bill.X @ kept)
            if not self.free:
                upper += self.tau * mirror.value(theta, kept)
            if upper < least:
                best, least = theta if self.fence is None else kept, upper
            gap = abs(upper - lower)
            if self.free:
                gap += self.tau * float(np.linalg.norm(theta - self.centre)) * (1.0 + float(np.linalg.norm(theta)))
            if gap <= TOLERANCE * (self.size + abs(upper)):
                return theta if self.fence is None else kept
        return best

    def _at(self, theta: Array) -> tuple[float, Array, Array, Array]:
        """The smoothed objective, w, and the slopes and where they are taken."""
        w = self.mirror.primal(theta)
        value, s, z = self.bill.pay(self.bill.X @ w, self.slopes, self.stiff)
        if self.free:
            value += 0.5 * self.tau * float(np.square(w - self.centre).sum())
        else:
            value += self.tau * self.mirror.value(theta, w)
        if self.fence is not None:
            q = w + self.push / self.wall
            beyond = self.wall * (q - self.fence.project(q))
            value += float((beyond - self.push) @ (beyond + self.push)) / (2.0 * self.wall)
        return value, w, s, z

    def _descend(self, theta: Array) -> tuple[Array, float]:
        """Newton's steps, halved until the objective falls."""
        bill, one = self.bill, np.eye(len(theta))
        value, w, s, z = self._at(theta)
        last = np.inf
        for step in range(STEPS):
            residual = self.tau * (theta - self.centre) + (bill.c * s) @ bill.X
            H = (bill.X.T * (bill.c * bill.curvature(s, z, self.stiff))) @ bill.X
            if self.fence is not None:
                q = w + self.push / self.wall
                u = self.fence.project(q)
                residual = residual + self.wall * (q - u)
                H += self.wall * (one - slide(self.fence, q, u))
            W = self.mirror.spread(theta, w)
            move = -np.linalg.solve(self.tau * one + H @ W, residual)
            fall, size = -float(residual @ W @ move), self.size + abs(value)
            if step and (fall <= 1e-20 * size or (fall <= 1e-11 * size and fall >= 0.25 * last)):
                break
            t, last = 1.0, fall
            while True:
                trial = self._at(theta + t * move)
                if trial[0] <= value - 1e-4 * t * fall + 1e-15 * size or (fall <= 1e-11 * size and t == 1.0):
                    break
                t *= 0.5
                if t < 1e-15:
                    return theta, value
            theta = theta + t * move
            value, w, s, z = trial
        return theta, value
