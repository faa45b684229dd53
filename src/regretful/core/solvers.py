"""The batch solver behind the exact leader; it knows sums of losses and mirror maps, nothing of rounds.

    minimise  Σ c ℓ(y, ⟨w, x⟩) + τ F(w)  over Ω,    w = ∇F*(θ)

by Newton's method in θ, where the condition is τ θ + Σ c s x = 0 and the Jacobian τ + H ∇²F*(θ). What Newton cannot
take, kinks of the loss and the walls of Ω, is smoothed, and the smoothing undone by multipliers (an augmented
Lagrangian, Li, Sun and Toh 2018): ℓ by its Moreau envelope, whose slope is `loss.implicit_slope`, with multiplier s;
Ω by the squared distance to it. Without F, each turn minimises with τ/2 ‖w − last turn's w‖² (a proximal point).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from regretful.core import domains, losses

TOLERANCE = 1e-11  # of the objective, relative to its size
TURNS = 40  # of the multipliers
PATIENCE = 11  # turns after which a smooth loss is still falling towards a least value that it never attains
STEPS = 100  # of Newton, in each turn
STIFFEST = 1e7  # how much stiffer than at first the springs become

Array = np.ndarray[Any, np.dtype[np.float64]]


# ℓ'' of the smooth losses; the slopes of those made of straight pieces.
CURVATURES: dict[type, Any] = {
    losses.Squared: lambda p, _s, _y, _loss: np.full(len(p), 2.0),
    losses.Huber: lambda p, _s, y, loss: (np.abs(p - y) <= loss.delta).astype(float),
    losses.Logistic: lambda _p, s, _y, _loss: np.abs(s) * (1.0 - np.abs(s)),
    losses.SquaredHinge: lambda _p, s, _y, _loss: np.where(s != 0.0, 2.0, 0.0),
    losses.Poisson: lambda _p, s, y, _loss: s + y,
    losses.LogWealth: lambda _p, s, _y, _loss: s * s,
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
        return float(self.c @ self._ask(self.loss.value, p))

    def _ask(self, method: Any, p: Array) -> Array:
        """The method of the loss at every p: a user's own takes numbers only."""
        if self.own and len(p) > 1:
            return np.asarray(method(p, self.y))
        return np.array([method(*pair) for pair in zip(p.tolist(), self.y.tolist(), strict=True)])

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
            return self.value(p), self._ask(self.loss.slope, p), p
        ahead = p + a / stiff
        root = self.loss.implicit_slope if self.own else partial(_implicit, self.loss)
        s = self._ask(lambda p, y: root(p, y, 1.0 / stiff), ahead)
        z = ahead - s / stiff
        return self.value(z) + float(self.c @ ((s - a) * (s + a))) / (2.0 * stiff), s, z

    def curvature(self, s: Array, z: Array, stiff: float) -> Array:
        """The derivative of `pay`'s slopes: ℓ'', and for the envelope ℓ''/(1 + ℓ''/stiff)."""
        if self.smooth:
            return np.asarray(CURVATURES[type(self.loss)](z, s, self.y, self.loss))
        if self.own:
            return np.where(np.isin(s, PIECES[type(self.loss)](self.loss)), 0.0, stiff)
        h = np.minimum(1e-6, 1e-2 / stiff) * (1.0 + np.abs(z))
        rise = self._ask(self.loss.slope, z + h) - self._ask(self.loss.slope, z - h)
        bend: Array = np.maximum(rise / (2.0 * h), 0.0)
        smoothed: Array = bend / (1.0 + bend / stiff)
        return smoothed


def _implicit(loss: Any, p: float, y: float, k: float) -> float:
    """The root of s = slope(p − k s) between 0 and slope(p): regula falsi (Illinois), every third time the middle."""
    a, b = 0.0, loss.slope(p, y)
    at_a, at_b = b, loss.slope(p - k * b, y) - b
    for turn in range(200):
        if at_b == 0.0 or at_a == at_b or abs(a - b) <= 2e-16 * abs(b):
            break
        c = b - at_b * (b - a) / (at_b - at_a) if turn % 3 < 2 else 0.5 * (a + b)
        at_c = loss.slope(p - k * c, y) - c
        if (at_c > 0.0) == (at_b > 0.0):
            at_a *= 0.5
        else:
            a, at_a = b, at_b
        b, at_b = c, at_c
    return float(b)


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
        """The weights radius (v⁺ − v⁻)/Σ(v⁺ + v⁻), v± = exp(±θ)."""
        plus, minus, _ = self._halves(theta)
        w: Array = self.radius * (plus - minus) / (plus.sum() + minus.sum())
        return w

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
        across: Array = domain.radius / np.linalg.norm(q) * (np.eye(n) - np.outer(unit, unit))
        return across
    if kind in (domains.Simplex, domains.L1Ball):
        sign = np.sign(u)
        face: Array = np.diag(np.abs(sign)) - np.outer(sign, sign) / max(1.0, np.abs(sign).sum())
        return face
    h, off = 1e-7 * (1.0 + np.abs(q).max(initial=0.0)), float(np.linalg.norm(q - u))
    if 0.0 < off < 100.0 * h:
        q = u + (q - u) * (100.0 * h / off)  # out where the differences do not straddle the wall
    columns = np.array([(domain.project(q + h * e) - domain.project(q - h * e)) / (2.0 * h) for e in np.eye(n)])
    size, axes = np.linalg.eigh(0.5 * (columns + columns.T))
    size = np.where(size < 1e-6, 0.0, np.where(size > 1.0 - 1e-6, 1.0, size))  # as those of a projection must be
    rounded: Array = (axes * size) @ axes.T
    return rounded


def _solved(A: Array, b: Array) -> Array:
    """A⁻¹ b; where rounding has made A singular, the shortest of the nearest."""
    try:
        x: Array = np.asarray(np.linalg.solve(A, b), dtype=np.float64)
    except np.linalg.LinAlgError:
        x = np.asarray(np.linalg.lstsq(A, b)[0], dtype=np.float64)
    return x


class Search:
    """One problem, and its multipliers: `slopes` of the losses, `push` of the walls."""

    def __init__(self, bill: Bill, mirror: Any, tau: float | None, fence: Any, slopes: Array, push: Array) -> None:
        self.bill, self.mirror, self.fence, self.slopes, self.push = bill, mirror, fence, slopes, push
        self.free = tau is None  # no F: a proximal point
        mass = float(bill.c @ np.square(bill.X).sum(axis=1)) / max(1, bill.X.shape[1]) or 1.0
        self.settled = True
        self.mass, self.tau, self.size = mass, 0.0 if tau is None else tau, bill.scale()

    def run(self, theta: Array) -> Array:
        """θ at the minimum, sought from `theta`; the multipliers are left in place for the next problem."""
        bill, mirror = self.bill, self.mirror
        spread = float(np.abs(bill.X @ mirror.primal(theta)).mean() + np.abs(bill.y).mean()) or 1.0
        best, least = theta, np.inf
        for turn in range(TURNS):
            self.stiff = min(10.0**turn, 1e4 if bill.smooth else STIFFEST) / spread
            self.wall = self.stiff * self.mass
            self.centre = theta if self.free else np.zeros(len(theta))
            if self.free:
                self.tau = 1e-3 * self.mass / spread * max(10.0**-turn, 1e-8 if bill.smooth else 1e-4)
                if bill.smooth:
                    self.tau *= 10.0 ** -min(max(0, turn - PATIENCE), 4)
            theta, lower = self._descend(theta)
            if not self.settled and type(mirror) is Simplicial:
                theta, lower = self._approach()
            w = mirror.primal(theta)
            if not bill.smooth:
                self.slopes = self._at(theta)[2]
            kept = w
            if self.fence is not None:
                push = w + self.push / self.wall
                kept = self.fence.project(push)  # on the very walls that push, where w is but near them
                self.push = self.wall * (push - kept)
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

    def _approach(self) -> tuple[Array, float]:
        """From the centre of the simplex to a corner: τ falls to its value by and by, and θ grows with 1/τ."""
        tau, theta = self.tau, np.zeros(len(self.centre))
        _, _, s, _ = self._at(theta)
        ratio = float(np.abs((self.bill.c * s) @ self.bill.X).max()) / tau
        for k in range(int(np.log2(max(ratio, 1.0))), -1, -1):
            self.tau = tau * 2.0**k
            theta, value = self._descend(2.0 * theta)
        return theta, value

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
        bill, one, self.settled = self.bill, np.eye(len(theta)), False
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
            tau = max(self.tau, 1e-15 * float(np.trace(H)))  # what rounding can tell from a singular matrix
            move = -_solved(tau * one + H @ W, residual)
            fall, size = -float(residual @ W @ move), self.size + abs(value)
            self.settled = bool(np.abs(move).max() <= 1e-6 * (1.0 + np.abs(theta).max()))
            if step and self.settled and (fall <= 1e-20 * size or (fall <= 1e-11 * size and fall >= 0.5 * last)):
                break
            t, last = 1.0, fall
            while True:
                trial = self._at(theta + t * move)
                if trial[0] <= value - 1e-4 * t * fall + 1e-14 * size:
                    break
                t *= 0.5
                if t < 1e-15:
                    return theta, value
            theta = theta + t * move
            value, w, s, z = trial
        return theta, value
