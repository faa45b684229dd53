"""Every way of playing, and what is proved of it: written from the notes, in NumPy, from the rounds that were played.

A `Setup` says how to make the learner for a loss, whom its regret is measured against, and two bounds on the
certificate: from the slopes and examples of the run, and from their largest values and the number of rounds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

import regretful as rg

N = 3


class PowerBall(rg.Domain):
    """‖u‖_q ≤ U, for certificates."""

    def __init__(self, U, q):
        self.U, self.q = U, q

    def support(self, v):
        return self.U * float(np.linalg.norm(v, self.q / (self.q - 1.0)))


@dataclass
class Run:
    """A game as NumPy sees it: examples, slopes times weights, the iterates that played, and the one after them."""

    X: np.ndarray
    s: np.ndarray
    W: np.ndarray
    last: np.ndarray

    @property
    def T(self):
        return len(self.s)

    @cached_property
    def t(self):
        return np.arange(1.0, self.T + 1.0)

    def squares(self, p):
        """(s_t ‖x_t‖_p)², round by round."""
        return (self.s * np.linalg.norm(self.X, p, axis=1)) ** 2

    def RZ(self, p):
        """R_p Z."""
        return np.linalg.norm(self.X, p, axis=1).max() * np.abs(self.s).max()

    @cached_property
    def roots(self):
        """√Σ_t (s x_i)², coordinate by coordinate."""
        return np.sqrt(((self.s[:, None] * self.X) ** 2).sum(axis=0))

    @property
    def most_roots(self):
        """The sum of the roots is at most R₂ Z √(nT), by Cauchy."""
        return self.RZ(2) * np.sqrt(N * self.T)


@dataclass
class Setup:
    name: str
    make: Callable[[rg.Loss], rg.MirrorDescent]
    comparators: rg.Domain
    bounds: Callable[[Run], tuple[float, float]] | None = None  # None: no theorem speaks of it
    positive: bool = False  # ⟨w, x⟩ > 0 for positive x, as log-wealth needs
    within: rg.Domain | None = None  # a part of the comparators in which hindsight can search

    def __repr__(self):
        return self.name


def constant(eta, most, p=2, factor=1.0, scale=1.0):
    """scale (most/η + η factor V_p/2): notes 000, Theorems 2.1 and 3.1 and §4; 004, Theorem 5."""

    def bounds(run):
        data, stated = run.squares(p).sum(), run.RZ(p) ** 2 * run.T
        return tuple(scale * (most / eta + 0.5 * eta * factor * V) for V in (data, stated))

    return bounds


def root(c, diameter):
    """D²√T/(2c) + ½Σ η_t ‖g_t‖², η_t = c/√t: notes 001 and 002 (projected gradient)."""

    def bounds(run):
        rest = 0.5 * (c / np.sqrt(run.t) * run.squares(2)).sum(), c * run.RZ(2) ** 2 * np.sqrt(run.T)
        return tuple(0.5 * diameter**2 * np.sqrt(run.T) / c + part for part in rest)

    return bounds


def lazy_root(c, most, p=2, scale=1.0):
    """range(F)/η_T + ½Σ η_{t−1} ‖g_t‖², where η_0 may be anything, such as η_1."""

    def bounds(run):
        before = c / np.sqrt(np.maximum(1.0, run.t - 1.0))
        rest = 0.5 * (before * run.squares(p)).sum(), 0.5 * run.RZ(p) ** 2 * c * (1.0 + 2.0 * np.sqrt(run.T))
        return tuple(scale * (most * np.sqrt(run.T) / c + part) for part in rest)

    return bounds


def adaptive(diameter):
    """√2 D √Σ‖g‖² with η_t = (D/√2)/√Σ_{s≤t}‖g_s‖²."""
    return lambda run: (
        np.sqrt(2.0) * diameter * np.sqrt(run.squares(2).sum()),
        np.sqrt(2.0) * diameter * run.RZ(2) * np.sqrt(run.T),
    )


def adagrad(eta, low, high, walled):
    """Σ_i (D_i²/(2η) + η) √H_i, D_i the largest |w_i − u_i|: Duchi, Hazan and Singer (2011)."""

    def bounds(run):
        far = np.maximum(high - run.W.min(axis=0), run.W.max(axis=0) - low)
        D = np.full(N, high - low) if walled else far
        return (
            float(((D**2 / (2.0 * eta) + eta) * run.roots).sum()),
            (D.max() ** 2 / (2.0 * eta) + eta) * run.most_roots,
        )

    return bounds


def lazy_adagrad(eta, U, walled):
    """Σ_i √H_i U²/(2η) + Σ_t min(η g²/(2√H_before), D|g|); the second sum is at most (√2 η + 3.42 D) √H_i.

    D is the largest |w_t − w_{t+1}|, 2U between walls. Where H at most doubles, g²/√H_before ≤ √2 g²/√H; where it more
    than doubles, |g| ≤ √H, a geometric sum.
    """

    def bounds(run):
        D = np.full(N, 2.0 * U) if walled else np.ptp(np.vstack([run.W, run.last]), axis=0)
        g = run.s[:, None] * run.X
        before = np.sqrt(np.vstack([np.zeros(N), np.cumsum(g**2, axis=0)[:-1]]))
        with np.errstate(divide="ignore", invalid="ignore"):
            moved = np.where(g == 0.0, 0.0, np.minimum(eta * g**2 / (2.0 * before), D * np.abs(g)))
        factor = U**2 / (2.0 * eta) + np.sqrt(2.0) * eta + D.max() / (1.0 - np.sqrt(0.5))
        return float((U**2 / (2.0 * eta) * run.roots).sum() + moved.sum()), factor * run.most_roots

    return bounds


def proximal(alpha, beta, l1, l2, U):
    """Σ_i [(β/α + l2) U²/2 + l1 U + (D_i²/(2α) + α) √n_i], |u_i| ≤ U: McMahan (2017), Theorem 2."""

    def bounds(run):
        fixed = N * ((beta / alpha + l2) * U**2 / 2.0 + l1 * U)
        D = np.abs(run.W).max(axis=0) + U
        return (
            fixed + float(((D**2 / (2.0 * alpha) + alpha) * run.roots).sum()),
            fixed + (D.max() ** 2 / (2.0 * alpha) + alpha) * run.most_roots,
        )

    return bounds


def _descent(rate, domain):
    return lambda loss: rg.GradientDescent(loss, rate, domain, n=N)


def _lazy(rate, domain, geometry=None):
    return lambda loss: rg.FollowTheRegularizedLeader(loss, geometry or rg.Euclidean(), domain, rate, n=N)


def _eg(rate, domain):
    return lambda loss: rg.ExponentiatedGradient(loss, rate, domain, n=N)


U, ETA, C, P = 1.3, 0.15, 0.4, 3.0
BALL, L1, SIMPLEX, BOX = rg.Ball(U), rg.L1Ball(U), rg.Simplex(U), rg.Box(np.full(N, -0.4), np.full(N, 0.9))
SUM1, WALLS, INSIDE = rg.Simplex(), rg.Box(-U, U), rg.Box(np.full(N, 0.1), np.full(N, 0.8))
OFF = U**2 * (1.0 - 1.0 / N)  # the largest ‖u − w_1‖² on the simplex, w_1 its centre

SETUPS = [
    Setup("gd-everywhere", _descent(ETA, None), BALL, constant(ETA, U**2 / 2)),
    Setup("gd-ball", _descent(ETA, BALL), BALL, constant(ETA, U**2 / 2)),
    Setup("gd-l1", _descent(ETA, L1), L1, constant(ETA, U**2 / 2)),
    Setup("gd-simplex", _descent(ETA, SIMPLEX), SIMPLEX, constant(ETA, OFF / 2), positive=True),
    Setup("gd-box", _descent(ETA, BOX), BOX, constant(ETA, N * 0.9**2 / 2)),
    Setup("gd-inside", _descent(ETA, INSIDE), INSIDE, constant(ETA, N * 0.7**2 / 2), positive=True),
    Setup("gd-orthant", _descent(ETA, rg.Orthant()), rg.Box(0.0, U), constant(ETA, N * U**2 / 2)),
    Setup("pgd-ball", _descent(rg.InverseSqrt(C), BALL), BALL, root(C, 2 * U)),
    Setup("pgd-l1", _descent(rg.InverseSqrt(C), L1), L1, root(C, 2 * U)),
    Setup("pgd-simplex", _descent(rg.InverseSqrt(C), SIMPLEX), SIMPLEX, root(C, SIMPLEX.diameter), positive=True),
    Setup("pgd-box", _descent(rg.InverseSqrt(C), BOX), BOX, root(C, BOX.diameter)),
    Setup("adaptive-ball", _descent(rg.Adaptive(BALL.diameter / 2**0.5), BALL), BALL, adaptive(BALL.diameter)),
    Setup("adaptive-l1", _descent(rg.Adaptive(L1.diameter / 2**0.5), L1), L1, adaptive(L1.diameter)),
    Setup("adaptive-box", _descent(rg.Adaptive(BOX.diameter / 2**0.5), BOX), BOX, adaptive(BOX.diameter)),
    Setup(
        "adaptive-simplex", _descent(rg.Adaptive(SIMPLEX.diameter / 2**0.5), SIMPLEX), SIMPLEX,
        adaptive(SIMPLEX.diameter), positive=True,
    ),
    Setup("lazy-everywhere", _lazy(ETA, rg.Everywhere()), BALL, constant(ETA, U**2 / 2)),
    Setup("lazy-ball", _lazy(ETA, BALL), BALL, constant(ETA, U**2 / 2)),
    Setup("lazy-l1", _lazy(ETA, L1), L1, constant(ETA, U**2 / 2)),
    Setup("lazy-simplex", _lazy(ETA, SIMPLEX), SIMPLEX, constant(ETA, OFF / 2), positive=True),
    Setup("lazy-box", _lazy(ETA, BOX), BOX, constant(ETA, N * 0.9**2 / 2)),
    Setup("lazy-orthant", _lazy(ETA, rg.Orthant()), rg.Box(0.0, U), constant(ETA, N * U**2 / 2)),
    Setup("lazy-root-ball", _lazy(rg.InverseSqrt(C), BALL), BALL, lazy_root(C, U**2 / 2)),
    Setup("lazy-root-simplex", _lazy(rg.InverseSqrt(C), SIMPLEX), SIMPLEX, lazy_root(C, OFF / 2), positive=True),
    Setup("eg", _eg(ETA, SUM1), SUM1, constant(ETA, np.log(N), np.inf), positive=True),
    Setup("eg-scaled", _eg(ETA, SIMPLEX), SIMPLEX, constant(ETA, np.log(N), np.inf, scale=U), positive=True),
    Setup("eg-plus-minus", _eg(ETA, L1), L1, constant(ETA, np.log(2 * N), np.inf, scale=U)),
    Setup(
        "lazy-eg", _lazy(rg.InverseSqrt(C), SUM1, rg.Entropy()), SUM1, lazy_root(C, np.log(N), np.inf), positive=True
    ),
    Setup("lazy-eg-plus-minus", _lazy(rg.InverseSqrt(C), L1, rg.Entropy()), L1,
          lazy_root(C, np.log(2 * N), np.inf, scale=U)),
    Setup("p-norm", lambda loss: rg.PNormDescent(loss, ETA, p=P, n=N), PowerBall(U, P / (P - 1)),
          constant(ETA, U**2 / 2, P, P - 1), within=L1),
    Setup("lazy-p-norm", _lazy(ETA, rg.Everywhere(), rg.PNorm(P)), PowerBall(U, P / (P - 1)),
          constant(ETA, U**2 / 2, P, P - 1), within=L1),
    Setup("adagrad", lambda loss: rg.AdaGrad(loss, ETA, n=N), WALLS, adagrad(ETA, -U, U, False)),
    Setup("adagrad-box", lambda loss: rg.AdaGrad(loss, ETA, WALLS, n=N), WALLS, adagrad(ETA, -U, U, True)),
    Setup("adagrad-inside", lambda loss: rg.AdaGrad(loss, ETA, INSIDE, n=N), INSIDE, adagrad(ETA, 0.1, 0.8, True),
          positive=True),
    Setup("adagrad-orthant", lambda loss: rg.AdaGrad(loss, ETA, rg.Orthant(), n=N), rg.Box(0.0, U),
          adagrad(ETA, 0.0, U, False)),
    Setup("lazy-adagrad-box", _lazy(ETA, WALLS, rg.Diagonal()), WALLS, lazy_adagrad(ETA, U, True)),
    Setup("lazy-adagrad", _lazy(ETA, rg.Everywhere(), rg.Diagonal()), WALLS, lazy_adagrad(ETA, U, False)),
    Setup("lazy-adagrad-orthant", _lazy(ETA, rg.Orthant(), rg.Diagonal()), rg.Box(0.0, U),
          lazy_adagrad(ETA, U, False)),
    Setup("ftrl-proximal", lambda loss: rg.FTRLProximal(0.2, 0.5, 0.05, 0.1, loss, n=N), WALLS,
          proximal(0.2, 0.5, 0.05, 0.1, U)),
    # No theorem of theirs is in this list; their certificates hold all the same.
    Setup("implicit", lambda loss: rg.MirrorDescent(loss, rate=0.5, implicit=True, n=N), BALL),
    Setup("l2", lambda loss: rg.MirrorDescent(loss, rate=rg.InverseTime(5.0), l2=0.5, n=N), BALL),
    Setup("follow-the-leader", lambda loss: rg.FollowTheLeader(loss, BALL, n=N), BALL),
]  # fmt: skip
