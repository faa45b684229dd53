"""The structured support vector machine: regret that knows nothing of the number of labels (row 24)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from regretful.core.certificate import certify
from regretful.core.domains import Ball
from regretful.core.multiclass import Multiclass
from regretful.core.score_losses import MulticlassHinge
from regretful.core.structured import Structured
from regretful.core.types import Vector
from regretful.learners import StructuredSVM
from regretful.theorems.descent import ProjectedConstant
from regretful.theorems.games import unit_rows
from regretful.theorems.rivals import Listed, Places, within
from regretful.theorems.theorem import Curve, Sides, checkpoints, require

if TYPE_CHECKING:
    from regretful.core.ledger import Ledger

SIZES = (2, 20, 200)  # how many labels; the middle one is the game whose regret is measured


@dataclass(frozen=True, eq=False)
class Codes:
    """ψ(x, k) = scale · x ∘ code_k, the product of each feature with a number that belongs to the label.

    So there are as many weights as features, whatever the number of labels.
    """

    X: Vector
    y: Places
    codes: Vector
    costs: Vector
    name: str

    def psi(self, x: Vector, k: int) -> Vector:
        """Features of example and label together."""
        return np.asarray(x * self.codes[k])

    def decode(self, w: Any, x: Vector, y: int | None = None) -> int:
        """All scores at once; with the costs added where y is given."""
        scores = self.codes @ (x * w.array())
        return int(np.argmax(scores if y is None else scores + self.costs[y]))

    def cost(self, y: int, k: int) -> float:
        """γ(y, k)."""
        return float(self.costs[y, k])

    def learner(self, eta: float, radius: float) -> StructuredSVM:
        """The learner of these features, over a ball."""
        return StructuredSVM(self.psi, self.cost, self.decode, rate=eta, domain=Ball(radius), n=self.X.shape[1])

    def rivals(self) -> Listed:
        """Every difference ψ(x, y) − ψ(x, k)."""
        return Listed(self.costs[self.y], self.X[:, None, :] * (self.codes[self.y][:, None, :] - self.codes))


def coded(rounds: int, labels: int, seed: int, n: int = 10, noise: float = 0.1) -> Codes:
    """Examples from the sphere, codes of random signs, y of the largest noisy score by a hidden w; B = 1."""
    rng = np.random.default_rng([seed, labels])
    X, codes = 0.5 * unit_rows(rounds, n, seed), rng.choice([-1.0, 1.0], size=(labels, n))
    y = ((X * rng.normal(size=n)) @ codes.T + noise * rng.normal(size=(rounds, labels))).argmax(axis=1)
    return Codes(X, y, codes, 1.0 - np.eye(labels), f"{labels} labels with codes of {n} random signs")


def in_turn(rounds: int, labels: int, eta: float, radius: float) -> Codes:
    """One feature, x = 1, and label k of the code k/(labels − 1): the rival of either end is the other end.

    The costs, |code_y − code_k|(1 + radius), keep every round on the slope ±1; the ends come as in row 21.
    """
    codes = np.linspace(0.0, 1.0, labels)[:, None]
    same = min(rounds, round(radius / eta))
    y = np.zeros(rounds, dtype=np.int64)
    y[same:] = np.where(np.arange(rounds - same) % 2, 0, labels - 1)
    costs = (1.0 + radius) * np.abs(codes - codes.T)
    name = f"{labels} labels in a line, straight to the wall, then both ends in turn"
    return Codes(np.ones((rounds, 1)), y, codes, costs, name)


class StructuredRegret(ProjectedConstant):
    """Row 24. A fair game: codes, noisy labels. The adversary: that of row 21, between the ends of a line of labels.

    φ is the largest of linear functions of w, so it is convex, and −(ψ(x, y) − ψ(x, ℓ)) at the largest is a slope: row
    21 with G = B. What the steps measure, the largest ‖ψ(x, y) − ψ(x, ℓ)‖ that was met, is at most B. Neither side asks
    how many labels there are; the regrets with 2 and with 200 of them stand beside.
    """

    id = "structured-svm"
    row = 24
    source = "004, Example 9"
    statement = (
        "structured SVM, φ = max over ℓ of γ(y, ℓ) − w·(ψ(x, y) − ψ(x, ℓ)), ‖ψ differences‖ ≤ B: "
        "Σφ_t(w_{t−1}) ≤ Σφ_t(w) + ‖w₀ − w‖²/(2η) + ηTB²/2, for any number of labels"
    )
    latex = (
        r"\phi(w,z) = \max_\ell\,[\gamma(y,\ell) - w^\top(\psi(x,y) - \psi(x,\ell))]:\quad "
        r"\tfrac1T\sum_t\phi(w_{t-1},Z_t) \le \tfrac1T\sum_t\phi(w,Z_t) + \tfrac{\|w_0-w\|_2^2}{2\eta T} + "
        r"\tfrac\eta2B^2"
    )
    hypotheses = (
        "StructuredSVM, or MulticlassGradientDescent on the hinge",
        "a decoder, if any, that finds the largest",
        "a constant rate η, a bounded domain",
    )
    algorithm = "the structured SVM, w ← Π(w − η (ψ(x, ℓ) − ψ(x, y)))"
    left_side = "regret, at most"
    seconds = 1.0

    def check(self, learner: Any) -> None:
        """One of labels, with the SVM's loss."""
        hinge = isinstance(learner, Structured | Multiclass) and isinstance(learner.loss, MulticlassHinge)
        require(hinge and learner.loss.margin > 0.0, self, f"speaks of {self.algorithm}, not of {learner!r}")
        super().check(learner)

    def bound(self, ledger: Ledger, *, eta: float, D: float, data: bool = False, B: float | None = None) -> float:
        """D²/(2η) + ηTB²/2, B the largest difference that was met unless it is given; or with `data` Σ‖g‖² for TB²."""
        if B is None or data:
            return super().bound(ledger, eta=eta, D=D, data=data)
        return D * D / (2.0 * eta) + 0.5 * eta * ledger.rounds * B * B

    def match(self, source: Codes, eta: float, radius: float) -> Sides:
        """Both sides along the way; the left one of the curve is the certificate."""
        learner = source.learner(eta, radius)
        self.check(learner)
        rounds, along = checkpoints(len(source.y)), []
        for first, last in zip([0, *rounds[:-1].tolist()], rounds.tolist(), strict=True):
            learner.learn_many(source.X[first:last], source.y[first:last])
            assert learner.ledger is not None
            certificate = certify(learner.ledger, learner.domain).regret_at_most
            constants: Any = self.constants(learner, None)
            forms = {"certificate": certificate, **self.forms(learner.ledger, learner, None)}
            along.append(Sides(certificate, self.bound(learner.ledger, **constants), source.name, forms))
        data = [sides.forms["data-dependent"] for sides in along]
        curve = Curve.of(rounds, [s.left for s in along], [s.right for s in along]).with_line("data-dependent", data)
        return replace(along[-1], curve=curve)

    def measured(self, source: Codes, eta: float, radius: float) -> Sides:
        """The same, with regret measured in hindsight: at most so much, by the dual bound."""
        sides = self.match(source, eta, radius)
        learner = source.learner(eta, radius)
        learner.learn_many(source.X, source.y)
        assert learner.ledger is not None
        best, loss = within(source.rivals(), radius), learner.ledger.loss
        forms = {"regret, at least": loss - best.value, **sides.forms}
        return replace(sides, left=min(sides.left, loss - best.lower), forms=forms)

    def game(self, rounds: int, seed: int) -> Sides:
        """Noisy labels, the rate tuned for B = 1 and a ball of radius 1."""
        eta, certificates = 1.0 / math.sqrt(rounds), {}
        for labels in SIZES:
            source = coded(rounds, labels, seed)
            certificates[f"certificate, {labels} labels"] = self.match(source, eta, 1.0).left
        sides = self.measured(coded(rounds, SIZES[1], seed), eta, 1.0)
        return replace(sides, forms={**sides.forms, **certificates})

    def hunt(self, rounds: int, seed: int) -> Sides:  # noqa: ARG002
        """Two labels, and a thousand: the bound is attained with both."""
        eta = 1.0 / math.sqrt(rounds)
        few, many = (self.match(in_turn(rounds, labels, eta, 1.0), eta, 1.0) for labels in (2, 1000))
        return replace(many, forms={**many.forms, "regret with two labels": few.left})


THEOREMS = (StructuredRegret(),)
