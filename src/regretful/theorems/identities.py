"""Algorithms that are one another: the same trajectory, to the last bits (rows 3, 6, 8)."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

import numpy as np

from regretful.core.domains import Everywhere, Simplex
from regretful.core.entropy import Entropy
from regretful.core.euclidean import Euclidean
from regretful.core.losses import Hinge, Logistic
from regretful.core.pnorm import PNorm
from regretful.core.rules import FollowTheRegularizedLeader, MirrorDescent
from regretful.core.types import Vector
from regretful.learners import ExponentiatedGradient, GradientDescent, Perceptron, Winnow
from regretful.theorems.games import against, halvings, sparse_votes
from regretful.theorems.theorem import BROKEN, SAME, Curve, Identity, Sides, Theorem, below, checkpoints, difference

N = 10  # features
FEW = 200  # rounds of the exact leader, which solves a batch problem in each


class SameTrajectory(Identity):
    """The iterates of several algorithms on one stream, in groups that should each be one trajectory."""

    @abstractmethod
    def groups(self, X: Vector, y: Vector) -> list[list[Vector]]:
        """The trajectories, rounds × features each; those of a group are to be the same."""

    def streams(self, rounds: int, seed: int) -> Iterable[tuple[str, Vector, Vector]]:
        """(name, X, y): first the fair one, then those that are hard on the arithmetic."""
        rng = np.random.default_rng([seed, self.row])
        X = rng.normal(size=(rounds, N))
        y = np.where(X @ rng.normal(size=N) + rng.normal(size=rounds) > 0.0, 1.0, -1.0)
        yield "normal features, noisy labels", X, y
        yield "features of 1e-6 … 10", X * np.geomspace(1e-6, 10.0, N), y
        yield "whole numbers, with ties", rng.integers(-1, 2, size=(rounds, N)).astype(float), y
        yield "one feature in five", X * (rng.random((rounds, N)) < 0.2), y

    def of(self, X: Vector, y: Vector, note: str = "a stream of yours") -> Sides:
        """The largest difference on a stream of yours, labels −1 and 1."""
        groups = self.groups(X, y)
        at = checkpoints(len(y))
        along = [max(difference(g[0][:t], other[:t]) for g in groups for other in g[1:]) for t in at]
        return Sides(along[-1], self.bound(), note, {}, Curve.of(at, along, np.full(len(at), SAME)))

    def game(self, rounds: int, seed: int) -> Sides:
        """The fair stream."""
        note, X, y = next(iter(self.streams(rounds, seed)))
        return self.of(X, y, note)

    def hunt(self, rounds: int, seed: int) -> Sides:
        """The stream on which they differ most."""
        found = [self.of(X, y, note) for note, X, y in self.streams(rounds, seed)]
        return max(found, key=lambda sides: sides.left)


def trajectory(learner: Any, X: Vector, y: Vector) -> Vector:
    """The iterate after each round."""
    path = np.zeros(X.shape)
    for t, (x, label) in enumerate(zip(X, y, strict=True)):
        learner.learn_one(x, label)
        path[t] = learner.weights
    return path


class DescentIsPerceptron(SameTrajectory):
    """Row 3. Three trajectories: gradient descent, the perceptron, and w ← w + y x from the notes in NumPy."""

    id = "gd-is-perceptron"
    row = 3
    source = "000, §2"
    statement = "gradient descent on the hinge, conservative, with η = 1, is the perceptron"
    latex = r"w \leftarrow w - 1\cdot\partial\,(1 - y\,w^\top x)_+\ \text{on mistakes} \;\equiv\; w \leftarrow w + y\,x"
    hypotheses = ("labels −1 and 1",)

    def groups(self, X: Vector, y: Vector) -> list[list[Vector]]:
        """One group of three."""
        w, path = np.zeros(X.shape[1]), np.zeros(X.shape)
        for t in range(len(y)):
            if y[t] * (w @ X[t]) <= 0.0:
                w = w + y[t] * X[t]
            path[t] = w
        descent = GradientDescent(Hinge(), 1.0, conservative=True, n=X.shape[1])
        return [[trajectory(descent, X, y), trajectory(Perceptron(n=X.shape[1]), X, y), path]]


class ExponentiatedIsWinnow(SameTrajectory):
    """Row 6. Three trajectories: exponentiated gradient, winnow, and normalised products from the notes in NumPy.

    And with a u of the simplex and margin γ, and η = γ/R∞²: γM ≤ Σ over mistakes of y⟨u, x⟩ − y⟨w, x⟩ ≤ ln n/η +
    ηR∞²M/2 (row 4), so M ≤ 2R∞² ln n/γ². The adversary's examples halve every group of features: log₂ n mistakes.
    """

    id = "eg-is-winnow"
    row = 6
    source = "000, §3"
    statement = "EG on the hinge, conservative, is normalised winnow; margin γ, η = γ/R∞²: mistakes ≤ 2R∞² ln n/γ²"
    latex = (
        r"w_i \propto w_i\,e^{\eta\,y\,x_i}\ \text{on mistakes};\quad "
        r"\eta = \tfrac{\gamma}{R_\infty^2}:\ M \le \tfrac{2R_\infty^2\ln n}{\gamma^2}"
    )
    hypotheses = ("labels −1 and 1", "for the mistakes: a u in the simplex with y⟨u, x⟩ ≥ γ > 0")

    def groups(self, X: Vector, y: Vector, eta: float = 0.3) -> list[list[Vector]]:
        """One group of three."""
        n = X.shape[1]
        u, path = np.zeros(n), np.zeros(X.shape)
        w = np.full(n, 1.0 / n)
        for t in range(len(y)):
            if y[t] * (w @ X[t]) <= 0.0:
                u = u + eta * y[t] * X[t]
                w = np.exp(u - u.max())
                w /= w.sum()
            path[t] = w
        descent = ExponentiatedGradient(Hinge(), eta, conservative=True, n=n)
        return [[trajectory(descent, X, y), trajectory(Winnow(eta, n=n), X, y), path]]

    def streams(self, rounds: int, seed: int) -> Iterable[tuple[str, Vector, Vector]]:
        """All but those with ties, where rounding decides what is a mistake."""
        return (stream for stream in super().streams(rounds, seed) if "ties" not in stream[0])

    def most_mistakes(self, R: float, n: int, margin: float) -> float:
        """2R∞² ln n/γ²."""
        return 2.0 * R * R * math.log(n) / margin**2

    def mistakes(self, X: Vector, y: Vector, margin: float) -> dict[str, float]:
        """Those of winnow with η = γ/R∞², and their bound."""
        R = float(np.abs(X).max())
        p = Winnow(margin / R**2, n=X.shape[1]).learn_many(X, y)
        return {"mistakes": float((y * p <= 0.0).sum()), "their bound": self.most_mistakes(R, X.shape[1], margin)}

    def game(self, rounds: int, seed: int) -> Sides:
        """The fair stream; and mistakes on votes of three among 50."""
        same = super().game(rounds, seed)
        X, y, _, margin = sparse_votes(50, rounds, seed)
        return Sides(same.left, same.right, f"{same.note}; mistakes: votes of three among 50 features",
                     self.mistakes(X, y, margin), same.curve)  # fmt: skip

    def hunt(self, rounds: int, seed: int) -> Sides:
        """The stream on which they differ most; and mistakes where each example halves the groups.

        Whatever the labels, some feature is right in all of those rounds: the margin is 1.
        """
        same = super().hunt(rounds, seed)
        n = 2 ** min(rounds, 12)
        X, learner = halvings(n), Winnow(1.0, n=n)
        y = against(learner, X)
        return Sides(same.left, same.right, f"{same.note}; mistakes: examples that halve {n} features",
                     self.mistakes(X, y, 1.0), same.curve)  # fmt: skip

    def judge(self, sides: Sides) -> str:
        """One trajectory, and no more mistakes than there may be."""
        mistakes, most = sides.forms.get("mistakes", 0.0), sides.forms.get("their bound", 0.0)
        return super().judge(sides) if below(mistakes, most) else BROKEN


class LeaderIsMirror(SameTrajectory):
    """Row 8. For each F three trajectories on the logistic loss: (A) as a learner, (B) as a learner, and ∇F*(−η Σ s x).

    Beside it the full leader, whose losses are not linearised: it is another algorithm, and both losses are shown.
    """

    id = "ftrl-is-mirror"
    row = 8
    source = "000, §4 (A) and (B)"
    statement = "the linearised regularised leader and the Bregman step are one, for ½‖w‖₂², entropy and ½‖w‖_q²"
    latex = (
        r"\operatorname{argmin}_w \Bigl\{\sum_{s\le t} \langle g_s, w\rangle + \tfrac1\eta F(w)\Bigr\} = "
        r"\operatorname{argmin}_w \Bigl\{\langle g_t, w\rangle + \tfrac1\eta B_F(w, w_t)\Bigr\}"
    )
    hypotheses = ("a constant rate", "labels −1 and 1")

    def groups(self, X: Vector, y: Vector, eta: float = 0.2) -> list[list[Vector]]:
        """A group of three for each F."""
        n = X.shape[1]
        found = []
        for geometry, domain, primal in (
            (Euclidean, Everywhere(), lambda theta: theta),
            (Entropy, Simplex(), softmax),
            (lambda: PNorm(3.0), Everywhere(), lambda theta: power(theta, 3.0)),
        ):
            leader = FollowTheRegularizedLeader(Logistic(), geometry(), domain, eta, n=n)
            mirror = MirrorDescent(Logistic(), geometry(), domain, eta, n=n)
            theta, path = np.zeros(n), np.zeros(X.shape)
            w = primal(theta)
            for t in range(len(y)):
                theta = theta + eta * y[t] / (1.0 + math.exp(y[t] * float(w @ X[t]))) * X[t]
                w = primal(theta)
                path[t] = w
            found.append([trajectory(leader, X, y), trajectory(mirror, X, y), path])
        return found

    def game(self, rounds: int, seed: int) -> Sides:
        """The fair stream; and what the full leader loses on the first rounds of it."""
        same = super().game(rounds, seed)
        _, X, y = next(iter(self.streams(rounds, seed)))
        lost = {}
        for name, exact in (("linearised", False), ("full", True)):
            leader = FollowTheRegularizedLeader(Logistic(), rate=0.2, exact=exact, n=N)
            leader.learn_many(X[:FEW], y[:FEW])
            assert leader.ledger is not None
            lost[f"{name} leader's loss"] = leader.ledger.loss
        note = f"{same.note}; the full leader on the first {min(FEW, rounds)} rounds"
        return Sides(same.left, same.right, note, lost, same.curve)


def softmax(theta: Vector) -> Vector:
    """∇F* of negative entropy on the simplex."""
    v = np.exp(theta - theta.max())
    return np.asarray(v / v.sum())


def power(theta: Vector, p: float) -> Vector:
    """∇½‖θ‖_p²."""
    norm = float(np.linalg.norm(theta, p))
    return np.sign(theta) * np.abs(theta) ** (p - 1.0) / norm ** (p - 2.0) if norm else theta


THEOREMS: tuple[Theorem, ...] = (DescentIsPerceptron(), ExponentiatedIsWinnow(), LeaderIsMirror())
