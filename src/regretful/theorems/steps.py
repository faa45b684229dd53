"""Steps that look ahead, and steps of a general kind (rows 16, 22)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from regretful.core.losses import Squared
from regretful.core.types import Vector
from regretful.learners import ExponentiatedGradient, GradientDescent, Perceptron
from regretful.theorems.games import unit_rows
from regretful.theorems.identities import SameTrajectory, softmax, trajectory
from regretful.theorems.mistakes import margins, orthonormal
from regretful.theorems.theorem import BROKEN, ROUNDING, Curve, Sides, Theorem, below, checkpoints, require

ETA = 0.3


class ImplicitSteps(SameTrajectory):
    """Row 16. The learner's implicit steps against the minimiser of η·loss + distance, from the notes in NumPy.

    Euclid: p' − y = (p − y)/(1 + 2η‖x‖²) in closed form. Relative entropy: w' ∝ w exp(−k x), with k = 2η(p' − y) the
    root of an increasing function. What the explicit step gives away is shown: no objective is less than the minimum,
    and the steps differ by the factor 1/(1 + 2η‖x‖²), so ever less as η falls. (The notes' (5) and (6) leave out the
    factor 2 that the squared loss and the squared distance bring; η here is that of ½‖·‖² and the full slope.)
    """

    id = "implicit-vs-explicit"
    row = 16
    source = "003, §2 (4) to (6)"
    statement = "w_{t+1} minimises η·loss + distance: the implicit step, for ½‖·‖² (closed form) and relative entropy"
    latex = (
        r"w_{t+1} = \operatorname{argmin}_w \eta\,(w^\top x_t - y_t)^2 + d(w, w_t),\quad "
        r"d = \tfrac12\|w - w_t\|^2:\ w_{t+1} = w_t - \tfrac{2\eta\,(w_t^\top x_t - y_t)}{1 + 2\eta\|x_t\|^2}\,x_t"
    )
    hypotheses = ("the squared loss", "a constant rate η")

    def groups(self, X: Vector, y: Vector) -> list[list[Vector]]:
        """Two groups of two."""
        n = X.shape[1]
        euclid, entropic = np.zeros(X.shape), np.zeros(X.shape)
        w, v = np.zeros(n), np.full(n, 1.0 / n)
        u = np.zeros(n)
        for t in range(len(y)):
            w = euclid[t] = w - 2.0 * ETA * (w @ X[t] - y[t]) / (1.0 + 2.0 * ETA * (X[t] @ X[t])) * X[t]
            u = u - root(u, X[t], y[t], 2.0 * ETA * (v @ X[t] - y[t])) * X[t]
            v = entropic[t] = softmax(u)
        return [
            [trajectory(GradientDescent(Squared(), ETA, implicit=True, n=n), X, y), euclid],
            [trajectory(ExponentiatedGradient(Squared(), ETA, implicit=True, n=n), X, y), entropic],
        ]

    def of(self, X: Vector, y: Vector, note: str = "a stream of yours") -> Sides:
        """The largest difference; and how much more the explicit step leaves of the objective, per round."""
        same = super().of(X, y, note)
        learner = GradientDescent(Squared(), ETA, implicit=True, n=X.shape[1])
        gain = []
        for x, label in zip(X, y, strict=True):
            before = learner.weights
            off = float(before @ x) - label
            learner.learn_one(x, label)
            implicit, explicit = learner.weights, before - 2.0 * ETA * off * x
            here, there = (ETA * (w @ x - label) ** 2 + 0.5 * ((w - before) ** 2).sum() for w in (implicit, explicit))
            gain.append((there - here) / max(1.0, there))
        forms = {"explicit step gives away, at least": min(gain), "at most": max(gain)}
        return Sides(same.left, same.right, same.note, forms, same.curve)

    def judge(self, sides: Sides) -> str:
        """One trajectory, and in no round a better step than the implicit one."""
        return super().judge(sides) if sides.forms["explicit step gives away, at least"] >= -ROUNDING else BROKEN


def root(u: Vector, x: Vector, y: float, most: float) -> float:
    """The k between 0 and `most` with k = 2η(p(k) − y), p(k) the prediction of softmax(u − k x), by halving."""
    low, high = min(0.0, most), max(0.0, most)
    for _ in range(200):
        k = 0.5 * (low + high)
        if not low < k < high:
            break
        if 2.0 * ETA * (float(softmax(u - k * x) @ x) - y) > k:
            low = k
        else:
            high = k
    return 0.5 * (low + high)


class GeneralSteps(Theorem):
    """Row 22. The game is Example 7, the perceptron on noisy labels: g = −y x on mistakes, else 0.

    There ℓ_t = γ·1(mistake) and ℓ̃_t(w) = max(0, γ − y⟨w, x⟩). Where w separates with margin γ, and only the M rounds
    with a step count, γM ≤ ‖w‖²/(2η) + ηR²M/2, which at the best η is row 10: M ≤ ‖w‖²R²/γ².
    """

    id = "ogd-general"
    row = 22
    source = "004, Theorem 6 and Example 7"
    statement = "steps g with g·(w − w_{t−1}) ≤ ℓ̃_t(w) − ℓ_t(w_{t−1}): Σℓ_t ≤ Σℓ̃_t(w) + ‖w₀ − w‖²/(2η) + ηTG²/2"
    latex = (
        r"g_t^\top(w - w_{t-1}) \le \tilde\ell_t(w) - \ell_t(w_{t-1})\ \Rightarrow\ \sum_t\ell_t(w_{t-1}) \le "
        r"\sum_t\tilde\ell_t(w) + \tfrac{\|w_0-w\|_2^2}{2\eta} + \tfrac{\eta T}{2}G^2"
    )
    hypotheses = (
        "w_t = w_{t−1} − η g_t, or its projection on a convex set that holds w",
        "the inequality, every round",
    )
    left_side = "Σ ℓ_t(w_{t−1})"

    def bound(self, *, surrogate: float, distance: float, eta: float, G: float, steps: int) -> float:
        """Σ ℓ̃_t(w) + ‖w₀ − w‖²/(2η) + η G² steps/2: the steps are T, or those that are not 0."""
        return surrogate + distance**2 / (2.0 * eta) + 0.5 * eta * G * G * steps

    def of(
        self, path: Vector, g: Vector, paid: Vector, surrogates: Vector, w: Vector, eta: float, note: str = ""
    ) -> Sides:
        """Both sides of steps of yours, towards this w.

        path: the iterate before each round, a row each. g: the steps. paid: ℓ_t(w_{t−1}). surrogates: ℓ̃_t(w).
        """
        towards = np.einsum("ij,ij->i", g, w - path)
        excess = towards - (surrogates - paid)
        worst = int(np.argmax(excess))
        slack = ROUNDING * max(1.0, float(np.abs(towards).max()))
        require(excess[worst] <= slack, self, f"g·(w − w_(t−1)) is larger than ℓ̃_t(w) − ℓ_t(w_(t−1)) by "
                f"{excess[worst]:.6g} in round {worst + 1}")  # fmt: skip
        nearer = np.linalg.norm(path[1:] - w, axis=1) - np.linalg.norm(path[:-1] - eta * g[:-1] - w, axis=1)
        require(bool((nearer <= ROUNDING * (1.0 + np.abs(path).max())).all()), self,
                "needs w_t = w_(t−1) − η g_t, or its projection on a convex set that holds w")  # fmt: skip
        norms, distance = np.linalg.norm(g, axis=1), float(np.linalg.norm(path[0] - w))
        at = checkpoints(len(g))
        left, right = np.cumsum(paid), []
        for t in at:
            sizes = {"surrogate": float(surrogates[:t].sum()), "distance": distance, "eta": eta}
            right.append(self.bound(**sizes, G=float(norms[:t].max()), steps=int(t)))
        moved = right[-1] - 0.5 * eta * float(norms.max()) ** 2 * int((norms == 0.0).sum())
        curve = Curve.of(at, left[at - 1], right)
        return Sides(float(left[-1]), right[-1], note, {"counting steps that are not 0": moved}, curve)

    def perceptron(self, X: Vector, y: Vector, w: Vector, margin: float, note: str) -> Sides:
        """Example 7. The perceptron's mistakes do not depend on η, so η may be the best: ‖w‖/(G√T)."""
        learner = Perceptron()
        wrong = y * learner.learn_many(X, y) <= 0.0
        g = -np.where(wrong, y, 0.0)[:, None] * X
        G = float(np.linalg.norm(g, axis=1).max())
        eta = float(np.linalg.norm(w)) / (G * math.sqrt(len(y)))
        path = -eta * np.vstack([np.zeros(X.shape[1]), np.cumsum(g, axis=0)[:-1]])
        surrogates = np.maximum(0.0, margin - margins(X, y, w))
        return self.of(np.asarray(path), g, np.where(wrong, margin, 0.0), surrogates, w, eta, note)

    def game(self, rounds: int, seed: int) -> Sides:
        """Unit examples in five dimensions, a fifth of the labels turned round."""
        rng = np.random.default_rng([seed, 2])
        X, w = unit_rows(rounds, 5, seed), np.zeros(5)
        w[0] = 2.0
        y = np.where(X[:, 0] >= 0.0, 1.0, -1.0) * np.where(rng.random(rounds) < 0.2, -1.0, 1.0)
        return self.perceptron(X, y, w, 1.0, "the perceptron, a fifth of the labels wrong, γ = 1")

    def hunt(self, rounds: int, seed: int) -> Sides:
        """Orthonormal examples, γ = 1/√T and w = Σ y x/√T: the bound is attained, and row 10's with it."""
        X, y = orthonormal(rounds, seed)
        sides = self.perceptron(X, y, X.T @ y / math.sqrt(rounds), 1.0 / math.sqrt(rounds), "orthonormal examples")
        mistakes = sides.left * math.sqrt(rounds)
        forms: dict[str, Any] = {**sides.forms, "mistakes": mistakes, "row 10 allows": float(rounds)}
        return Sides(sides.left, sides.right, sides.note, forms, sides.curve)

    def judge(self, sides: Sides) -> str:
        """As it is stated, and with the steps counted that are not 0."""
        return super().judge(sides) if below(sides.left, sides.forms["counting steps that are not 0"]) else BROKEN


THEOREMS: tuple[Theorem, ...] = (ImplicitSteps(), GeneralSteps())
