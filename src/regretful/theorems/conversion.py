"""From online to batch: statements in expectation, or with confidence (rows 17, 20, 23, 27)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from regretful.batch import relative
from regretful.core.domains import Ball
from regretful.core.losses import Absolute
from regretful.core.rates import InverseTime, WeightedInverseTime
from regretful.core.types import Vector
from regretful.learners import GradientDescent, Perceptron, Player, WidrowHoff
from regretful.nature import Separable
from regretful.theorems.games import unit_rows
from regretful.theorems.mistakes import margins, orthonormal
from regretful.theorems.sampled import InExpectation, WithConfidence
from regretful.theorems.theorem import BROKEN, HOLDS, Refuted, Sides, Theorem, below, require


@dataclass(frozen=True)
class Sphere:
    """The sphere's x, y = ⟨u, x⟩ + noise · N(0, 1) with ‖u‖ = size. So R_v = ‖v − u‖²/n + noise²."""

    n: int
    size: float
    noise: float
    eta: float

    def __str__(self) -> str:
        return f"unit x in {self.n} dimensions, ‖u‖ = {self.size:g}, noise {self.noise:g}, η = {self.eta:g}"


class BatchAverage(InExpectation):
    """Row 17. The average of Widrow–Hoff's iterates on independent examples from a sphere."""

    id = "batch-average"
    row = 17
    source = "003, Theorem 3.1"
    statement = "the average v of Widrow–Hoff's iterates on m samples: E[R_v] ≤ min over u of R_u/(1 − η) + ‖u‖²/(ηm)"
    latex = r"\mathbb E_S[R_v] \le \min_u \Bigl[\tfrac{R_u}{1-\eta} + \tfrac{\|u\|_2^2}{\eta m}\Bigr]"
    hypotheses = ("independent examples of one source", "‖x‖₂ ≤ 1", "0 < η < 1")
    rounds = 200
    seconds = 0.5

    def fair(self, rounds: int, seed: int) -> Sphere:  # noqa: ARG002
        """Some noise, some signal."""
        return Sphere(5, 1.0, 0.3, 0.3)

    def harder(self, rounds: int, seed: int) -> list[Sphere]:  # noqa: ARG002
        """Less noise and more; slow and fast."""
        return [Sphere(n, 1.0, noise, eta) for n in (1, 5) for noise in (0.0, 0.3, 3.0) for eta in (0.05, 0.5)]

    def sample(self, source: Sphere, at: Vector, seed: int) -> Vector:
        """The average's risk; u lies along the first axis."""
        X = unit_rows(int(at[-1]), source.n, seed)
        y = source.size * X[:, 0] + source.noise * np.random.default_rng([seed, 1]).normal(size=len(X))
        learner, risks = WidrowHoff(source.eta, n=source.n, keep=("average",)), []
        for first, last in zip([0, *at[:-1]], at, strict=True):
            learner.learn_many(X[first:last], y[first:last])
            off = learner.average().weights
            off[0] -= source.size
            risks.append(float(off @ off) / source.n + source.noise**2)
        return np.array(risks)

    def right(self, source: Sphere, t: int) -> float:
        """At u = a u*, the best a of which is where the derivative of the two parts is 0."""
        return self.bound(n=source.n, size=source.size, noise=source.noise, eta=source.eta, m=t)

    def bound(self, *, n: int, size: float, noise: float, eta: float, m: int) -> float:
        """The least over u of R_u/(1 − η) + ‖u‖²/(ηm)."""
        require(0.0 < eta < 1.0, self, f"needs 0 < η < 1, not {eta:g}")
        near, far = 1.0 / (n * (1.0 - eta)), 1.0 / (eta * m)
        return noise**2 / (1.0 - eta) + size**2 * near * far / (near + far)


@dataclass(frozen=True, eq=False)
class Support:
    """One of these examples at a time, all with the same chance; u separates them."""

    X: Vector
    y: Vector
    u: Vector
    name: str

    def __str__(self) -> str:
        return self.name


class PerceptronBatch(WithConfidence):
    """Row 20. E_s E_Z 1(mistake) is the mean over the iterates of the share of the support that each has wrong."""

    id = "perceptron-batch"
    row = 20
    source = "004, Proposition 4"
    statement = "with chance 1−δ a random iterate errs ≤ inf over λ of λ/(1−e^−λ)·‖w*‖²R²/(γ²T) + ln(1/δ)/((1−e^−λ)T)"
    latex = (
        r"\mathbb E_s\,\mathbb E_Z\,\mathbf 1(\text{mistake of } w_s) \le \inf_{\lambda>0}\Bigl["
        r"\tfrac{\lambda}{1-e^{-\lambda}}\tfrac{\|w_*\|_2^2R_2^2}{\gamma^2T} + "
        r"\tfrac{\ln(1/\delta)}{(1-e^{-\lambda})T}\Bigr]"
    )
    hypotheses = ("independent examples of one source", "a w* with y⟨w*, x⟩ ≥ γ > 0 on all of them")
    rounds = 300
    seconds = 0.5

    def fair(self, rounds: int, seed: int) -> Support:  # noqa: ARG002
        """Unit examples of margin at least 0.15."""
        nature = Separable(10, margin=0.15, seed=seed)
        X, y, _ = nature.examples(0, 200)
        return Support(np.asarray(X), np.asarray(y), nature.target(), "200 examples of margin 0.15")

    def harder(self, rounds: int, seed: int) -> list[Support]:
        """Orthonormal examples, of which one not seen yet is one not known."""
        found = []
        for count in sorted({max(1, round(rounds * share)) for share in (0.1, 0.3, 1.0)}):
            X, y = orthonormal(count, seed)
            found.append(Support(X, y, X.T @ y / math.sqrt(count), f"{count} orthonormal examples"))
        return found

    def sample(self, source: Support, at: Vector, seed: int) -> Vector:
        """The mean share of the support that the iterates w_0 … w_{t−1} have wrong."""
        drawn = np.random.default_rng(seed).integers(len(source.y), size=int(at[-1]))
        X, y = source.X[drawn], source.y[drawn]
        wrong = y * Perceptron(n=X.shape[1]).learn_many(X, y) <= 0.0
        steps = y[wrong, None] * X[wrong]
        iterates = np.vstack([np.zeros(X.shape[1]), np.cumsum(steps, axis=0)])
        share = (source.y * (iterates @ source.X.T) <= 0.0).mean(axis=1)
        path = share[np.append(0, np.cumsum(wrong)[:-1])]
        return np.asarray((np.cumsum(path) / np.arange(1.0, len(path) + 1.0))[at - 1])

    def right(self, source: Support, t: int) -> float:
        """From the support's margin and length."""
        gamma = float(margins(source.X, source.y, source.u).min())
        require(gamma > 0.0, self, "needs a u that separates the examples")
        R = float(np.linalg.norm(source.X, axis=1).max())
        return self.bound(mistakes=(float(np.linalg.norm(source.u)) * R / gamma) ** 2, T=t, delta=self.delta)

    def bound(self, *, mistakes: float, T: int, delta: float) -> float:
        """The least over λ, on a fine grid; each λ gives a bound that holds."""
        return min(relative(mistakes, T, delta, float(lam)) for lam in np.geomspace(1e-3, 30.0, 200))


@dataclass(frozen=True)
class Kink:
    """x = ±G by a coin, but 0 with chance `idle`; y = a x with a = −ηG/1000, and φ(w) = |y − w x| = |x||w − a|.

    From 0 descent steps to −ηG and back for ever: the average is −ηG/2, whose risk is (1 − idle) ηG²/2.
    """

    G: float
    eta: float
    idle: float

    @property
    def a(self) -> float:
        """Where no loss is."""
        return -1e-3 * self.eta * self.G

    @property
    def radius(self) -> float:
        """As far as descent goes."""
        return self.eta * self.G

    def __str__(self) -> str:
        return f"φ = |x||w − a|, G = {self.G:g}, η = {self.eta:g}, x = 0 with chance {self.idle:g}"


class OracleInequality(Refuted, WithConfidence):
    """Row 23. The game is the counterexample to the printed G in the place of G², for which G must exceed 1."""

    id = "oracle"
    row = 23
    source = "004, Theorem 8"
    statement = (
        "average, φ in [0, M]: risk ≤ inf [R_w + ‖w−w₀‖²/(2ηT)] + ηG²/2 + M√(2 ln(2/δ)/T); printed with G: a slip"
    )
    latex = (
        r"\mathbb E\,\phi(\hat w, Z) \le \inf_{w\in\Omega}\Bigl[\mathbb E\,\phi(w, Z) + "
        r"\tfrac{\|w-w_0\|_2^2}{2\eta T}\Bigr] + \tfrac\eta2G^2 + M\sqrt{\tfrac{2\ln(2/\delta)}{T}}"
        r"\quad(\text{printed: } \tfrac\eta2G)"
    )
    hypotheses = (
        "independent examples of one source",
        "φ convex, G-Lipschitz, in [0, M] on Ω",
        "constant η, projection",
    )
    seconds = 0.5

    def fair(self, rounds: int, seed: int) -> Kink:  # noqa: ARG002
        """G = 10; one round in ten shows nothing."""
        return Kink(10.0, 0.1, 0.1)

    def harder(self, rounds: int, seed: int) -> list[Kink]:  # noqa: ARG002
        """Steeper, and never idle."""
        return [Kink(G, 0.1, idle) for G in (3.0, 10.0, 100.0) for idle in (0.0, 0.3)]

    def sample(self, source: Kink, at: Vector, seed: int) -> Vector:
        """The risk of the average."""
        rng = np.random.default_rng(seed)
        T = int(at[-1])
        x = source.G * rng.choice([-1.0, 1.0], size=T) * (rng.random(T) >= source.idle)
        learner = GradientDescent(Absolute(), source.eta, Ball(source.radius), n=1, keep=("average",))
        risks = []
        for first, last in zip([0, *at[:-1]], at, strict=True):
            learner.learn_many(x[first:last, None], source.a * x[first:last])
            risks.append((1.0 - source.idle) * source.G * abs(learner.average().weights[0] - source.a))
        return np.array(risks)

    def right(self, source: Kink, t: int) -> float:
        """At w = a, where the risk is 0, and M = G(radius + |a|)."""
        return self._at(source, t, source.G**2)

    def _at(self, source: Kink, t: int, square: float) -> float:
        M = source.G * (source.radius + abs(source.a))
        return self.bound(
            best=source.a**2 / (2.0 * source.eta * t), eta=source.eta, square=square, M=M, T=t, delta=self.delta
        )

    def bound(self, *, best: float, eta: float, square: float, M: float, T: int, delta: float) -> float:
        """Best + (η/2)·square + M√(2 ln(2/δ)/T); `square` is G², or G as it is printed."""
        return best + 0.5 * eta * square + M * math.sqrt(2.0 * math.log(2.0 / delta) / T)

    def summed_up(self, source: Kink, at: Vector, values: Vector) -> Sides:
        """Beside the proved form the printed one, and how often it fails."""
        sides = super().summed_up(source, at, values)
        printed = [self._at(source, int(t), source.G) for t in at]
        failures = float((values[:, -1] > printed[-1]).mean())
        forms = {"printed": printed[-1], "failures of the printed form": failures, **sides.forms}
        assert sides.curve is not None
        return Sides(sides.left, sides.right, f"{sides.note}; {failures:.1%} with the printed G", forms,
                     sides.curve.with_line("printed", printed))  # fmt: skip


@dataclass(frozen=True)
class Pushes:
    """φ(w, z) = ⟨z, w⟩ with z from the unit sphere: E φ = 0, G = 1, and the best w is 0."""

    n: int
    lam: float
    radius: float

    def __str__(self) -> str:
        return f"φ = ⟨z, w⟩, z from the sphere in {self.n} dimensions, λ = {self.lam:g}, d(Ω) = {self.radius:g}"


class RegularisedOracle(InExpectation):
    """Row 27. Both averages under ½λ‖w‖²: what each has more than the best, E φ(ŵ) + ½λ‖ŵ‖² = ½λ‖ŵ‖² here."""

    id = "regularised-oracle"
    row = 27
    source = "004, Corollary 13"
    statement = (
        "½λ‖w‖² added: excess risk of the average ≤ ln(eT)[G+λd]²/(2λT), of the weighted one ≤ 2[G+λd]²/(λ(T+3))"
    )
    latex = (
        r"\eta_t = \tfrac1{\lambda t}:\ \mathbb E\,[\text{excess}(\hat w)] \le "
        r"\tfrac{\ln(eT)}{2\lambda T}[G+\lambda d(\Omega)]^2;"
        r"\quad \eta_t = \tfrac2{\lambda(t+1)}:\ \mathbb E\,[\text{excess}(\hat w')] \le "
        r"\tfrac{2[G+\lambda d(\Omega)]^2}{\lambda(T+3)}"
    )
    hypotheses = ("independent examples of one source", "φ convex and G-Lipschitz", "w₀ = 0, projection on Ω")
    left_side = "excess risk"
    rounds = 300
    seconds = 2.0

    def fair(self, rounds: int, seed: int) -> Pushes:  # noqa: ARG002
        """A small ball."""
        return Pushes(5, 1.0, 0.3)

    def harder(self, rounds: int, seed: int) -> list[Pushes]:  # noqa: ARG002
        """Balls of other sizes."""
        return [Pushes(n, 1.0, radius) for n in (1, 5) for radius in (0.1, 0.2, 0.4)]

    def sample(self, source: Pushes, at: Vector, seed: int) -> Vector:
        """½λ‖ŵ‖² of the average, and then of the weighted one."""
        Z = unit_rows(int(at[-1]), source.n, seed)
        excess = []
        for rate, kept in ((InverseTime(source.lam), "average"), (WeightedInverseTime(source.lam), "weighted")):
            player = Player(Ball(source.radius), rate, l2=source.lam, n=source.n, keep=(kept,))
            for first, last in zip([0, *at[:-1]], at, strict=True):
                player.learn_many(Z[first:last], np.zeros(last - first))
                w = (player.average() if kept == "average" else player.weighted_average()).weights
                excess.append(0.5 * source.lam * float(w @ w))
        return np.array(excess)

    def right(self, source: Pushes, t: int) -> float:
        """The bound of the average."""
        return self.bound(G=1.0, d=source.radius, lam=source.lam, T=t)

    def bound(self, *, G: float, d: float, lam: float, T: int, weighted: bool = False) -> float:
        """ln(eT)[G + λd]²/(2λT), or 2[G + λd]²/(λ(T + 3))."""
        size = (G + lam * d) ** 2
        return 2.0 * size / (lam * (T + 3.0)) if weighted else (1.0 + math.log(T)) * size / (2.0 * lam * T)

    def summed_up(self, source: Pushes, at: Vector, values: Vector) -> Sides:
        """The average's sides, and the weighted one's among the forms."""
        sides, other = (super(RegularisedOracle, self).summed_up(source, at, half) for half in np.split(values, 2, 1))
        right = [self.bound(G=1.0, d=source.radius, lam=source.lam, T=int(t), weighted=True) for t in at]
        forms = {**sides.forms, "weighted average": other.left, "its standard error": other.forms["standard error"],
                 "its bound": right[-1]}  # fmt: skip
        assert sides.curve is not None
        assert other.curve is not None
        curve = sides.curve.with_line("weighted average", other.curve.left).with_line("its bound", right)
        return Sides(sides.left, sides.right, sides.note, forms, curve)

    def judge(self, sides: Sides) -> str:
        """Both averages."""
        forms = sides.forms
        weighted = below(forms["weighted average"] - 3.0 * forms["its standard error"], forms["its bound"])
        return HOLDS if weighted and super().judge(sides) == HOLDS else BROKEN


THEOREMS: tuple[Theorem, ...] = (BatchAverage(), PerceptronBatch(), OracleInequality(), RegularisedOracle())
