"""Exponentiated gradient and the p-norm family (rows 4, 5, 9)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from regretful.core.domains import Domain, Everywhere, Simplex
from regretful.core.entropy import Entropy
from regretful.core.losses import Hinge
from regretful.core.pnorm import PNorm
from regretful.core.rules import MirrorDescent
from regretful.learners import Player
from regretful.nature import Moves, Oblivious, RandomSigns
from regretful.theorems.descent import straight_then_in_turn
from regretful.theorems.games import sparse_votes
from regretful.theorems.normball import NormBall
from regretful.theorems.regret import RegretBound
from regretful.theorems.theorem import BROKEN, Sides, Theorem, below, require

if TYPE_CHECKING:
    from regretful.core.ledger import Ledger

EXPERTS = 10


class ExponentiatedRegret(RegretBound):
    """Row 4. A fair game: ten experts with losses of random sign. The adversary: two, who err in turn, then only one.

    In turn they cost EG η/2 a round, with w near (½, ½); then ln 2/η to learn who is right.
    """

    id = "eg-regret"
    row = 4
    source = "000, Theorem 3.1"
    statement = "EG(η): regret to the simplex is at most ln n/η + η R∞² Z² T/2"
    latex = r"L[\mathrm{EG}(\eta)] - \min_{u\in\Delta_n} L[u] \le \tfrac{\ln n}{\eta} + \tfrac{\eta R_\infty^2Z^2T}{2}"
    hypotheses: ClassVar[tuple[str, ...]] = (
        "entropy geometry over Simplex()",
        "a constant rate η",
        "every step taken, from w = (1/n, …, 1/n)",
    )
    algorithm = "exponentiated gradient, w_i ← w_i exp(−η s x_i)/Z"
    geometry = Entropy
    domain = Simplex
    share: ClassVar[float] = 1.0 / 3.0

    def check(self, learner: Any) -> None:
        """The simplex is that of weights which sum to 1."""
        super().check(learner)
        require(learner.domain.scale == 1.0, self, f"needs Simplex(), not {learner.domain!r}")

    def constants(self, learner: Any, U: float | None) -> dict[str, float]:  # noqa: ARG002
        """η and n."""
        return {"eta": learner.rate.eta, "n": learner.n or len(learner.weights)}

    def bound(self, ledger: Ledger, *, eta: float, n: float, data: bool = False) -> float:
        """It is ln n/η + η R∞²Z²T/2, or with `data` Σ s²‖x‖∞² in the place of R∞²Z²T."""
        V = ledger.squares_inf if data else (ledger.max_norm_inf * ledger.max_slope) ** 2 * ledger.rounds
        return math.log(n) / eta + 0.5 * eta * V

    def game(self, rounds: int, seed: int) -> Sides:
        """Losses of random sign."""
        eta = self.share * math.sqrt(2.0 * math.log(EXPERTS) / rounds)
        player = Player(Simplex(), eta, Entropy(), n=EXPERTS)
        return self.played(player, RandomSigns(EXPERTS, seed=seed), rounds, note="ten experts of random sign")

    def hunt(self, rounds: int, seed: int) -> Sides:  # noqa: ARG002
        """In turn for T − k rounds, then k times the same; the best k."""
        eta = math.sqrt(2.0 * math.log(2.0) / rounds)
        ks = np.arange(1, rounds + 1)
        k = int(ks[np.argmax(-0.5 * eta * ks - np.log1p(np.exp(-2.0 * eta * ks)) / eta)])
        signs = np.append(np.where(np.arange(rounds - k) % 2, -1.0, 1.0), np.ones(k))
        moves = np.column_stack([signs, -signs])
        note = f"two experts wrong in turn, one of them right in the last {k} rounds"
        return self.played(Player(Simplex(), eta, Entropy(), n=2), Moves(moves), rounds, note=note)


class ExponentiatedTuned(ExponentiatedRegret):
    """Row 5. The games of row 4, with the rate that is best for their length."""

    id = "eg-tuned"
    row = 5
    statement = "EG with η = √(2 ln n)/(R∞ Z √T): regret to the simplex is at most R∞ Z √(2 T ln n)"
    latex = (
        r"\eta = \tfrac{\sqrt{2\ln n}}{R_\infty Z\sqrt T}:\quad "
        r"L[\mathrm{EG}(\eta)] - \min_{u\in\Delta_n} L[u] \le R_\infty Z\sqrt{2T\ln n}"
    )
    hypotheses = (*ExponentiatedRegret.hypotheses, "η = √(2 ln n)/(R∞ Z √T), by the constants measured at the end")
    share = 1.0

    def check_run(self, ledger: Ledger, learner: Any, U: float | None) -> None:
        """The rate is the tuned one."""
        size = ledger.max_norm_inf * ledger.max_slope
        best = math.sqrt(2.0 * math.log(self.constants(learner, U)["n"]) / ledger.rounds) / size
        require(math.isclose(learner.rate.eta, best, rel_tol=1e-9), self,
                f"needs the rate √(2 ln n)/(R∞ Z √T), here {best:.6g}, not {learner.rate.eta:.6g}")  # fmt: skip


def exponent(learner: Any) -> float:
    """The p of a p-norm learner, which "log" leaves to the number of features: max(2, 2 ln n)."""
    p = learner.geometry.p
    return max(2.0, 2.0 * math.log(learner.n or len(learner.weights) or 1)) if p == "log" else float(p)


class PNormRegret(RegretBound):
    """Row 9. A fair game: slopes of random sign, p = 2 ln n; and a p-norm perceptron on votes of three among n.

    The perceptron form needs no tuning: its predictions' signs are the same for every η, so the bound holds for the
    best one, and γM ≤ U²/(2η) + η(p − 1)R_p²M/2 gives M ≤ (p − 1)R_p²U²/γ².
    """

    id = "p-norm"
    row = 9
    source = "000, §4 (Gentile 2003)"
    statement = "p-norm descent: regret to ‖u‖_q ≤ U is at most U²/(2η) + η(p − 1)R_p² Z² T/2, with 1/p + 1/q = 1"
    latex = (
        r"F = \tfrac12\|w\|_q^2:\quad R_T(\|u\|_q\le U) \le \tfrac{U^2}{2\eta} + \tfrac{\eta(p-1)R_p^2Z^2T}{2},"
        r"\quad p = 2\ln n:\ (p-1)R_p^2 \le e\,(2\ln n - 1)\,R_\infty^2"
    )
    hypotheses = ("p-norm geometry, Everywhere(), p ≥ 2", "a constant rate η", "every step taken, from w = 0")
    algorithm = "p-norm descent, θ ← θ − η s x, w = ∇½‖θ‖_p²"
    geometry = PNorm
    domain = Everywhere

    def comparators(self, learner: Any, U: float | None) -> Domain:
        """‖u‖_q ≤ U."""
        require(U is not None, self, "needs U, the radius of the comparators in the norm of q")
        return NormBall(U or 0.0, exponent(learner))

    def constants(self, learner: Any, U: float | None) -> dict[str, float]:
        """η, p and U."""
        return {"eta": learner.rate.eta, "p": exponent(learner), "U": U or 0.0}

    def bound(self, ledger: Ledger, *, eta: float, p: float, U: float, data: bool = False) -> float:
        """U²/(2η) + η(p − 1)R_p²Z²T/2, or with `data` Σ s²‖x‖_p² in the place of R_p²Z²T."""
        V = ledger.squares(p) if data else (ledger.max_norm(p) * ledger.max_slope) ** 2 * ledger.rounds
        return U * U / (2.0 * eta) + 0.5 * eta * (p - 1.0) * V

    def game(self, rounds: int, seed: int) -> Sides:
        """Slopes of random sign in 100 dimensions; then the mistakes of the perceptron form."""
        n = 100
        p = 2.0 * math.log(n)
        eta = 1.0 / (n ** (1.0 / p) * math.sqrt((p - 1.0) * rounds))
        player = Player(rate=eta, geometry=PNorm("log"), n=n)
        sides = self.played(player, RandomSigns(n, seed=seed), rounds, U=1.0, note="random signs along 100 axes")
        mistakes, most = self.perceptron(rounds, seed, n)
        note = f"{sides.note}; as a perceptron it made {mistakes} mistakes, at most {most:.6g} allowed"
        forms = {**sides.forms, "perceptron mistakes": float(mistakes), "their bound": most}
        return Sides(sides.left, sides.right, note, forms, sides.curve)

    def perceptron(self, rounds: int, seed: int, n: int) -> tuple[int, float]:
        """Mistakes of the conservative p-norm step on the hinge of margin 0, and (p − 1)R_p²‖u‖_q²/γ²."""
        X, y, u, margin = sparse_votes(n, rounds, seed)
        learner = MirrorDescent(Hinge(0.0), PNorm("log"), rate=1.0, conservative=True, n=n)
        learner.learn_many(X, y)
        ledger: Any = learner.ledger
        p = exponent(learner)
        size = float(np.linalg.norm(u, p / (p - 1.0)))
        return ledger.mistakes, (p - 1.0) * (ledger.max_norm(p) * size / margin) ** 2

    def judge(self, sides: Sides) -> str:
        """Both the regret and the perceptron's mistakes."""
        mistakes, most = sides.forms.get("perceptron mistakes", 0.0), sides.forms.get("their bound", 0.0)
        return super().judge(sides) if below(mistakes, most) else BROKEN

    def hunt(self, rounds: int, seed: int) -> Sides:
        """The worst of random signs along 2, 10, 100 axes, and of one axis, straight, then in turn; p above 2."""
        worst: Sides | None = None
        for p in (2.5, 4.0, 2.0 * math.log(100.0)):
            eta = 1.0 / math.sqrt((p - 1.0) * rounds)
            games: list[tuple[str, int, Oblivious]] = [
                ("straight, then in turn", 1, straight_then_in_turn(rounds, eta))
            ]
            games += [(f"random signs along {n} axes", n, RandomSigns(n, seed=seed)) for n in (2, 10, 100)]
            for name, n, nature in games:
                player, note = Player(rate=eta / n ** (1.0 / p), geometry=PNorm(p), n=n), f"{name}, p = {p:.3g}"
                sides = self.played(player, nature, rounds, U=1.0, note=note)
                if worst is None or sides.left / sides.right > worst.left / worst.right:
                    worst = sides
        assert worst is not None
        return worst


THEOREMS: tuple[Theorem, ...] = (ExponentiatedRegret(), ExponentiatedTuned(), PNormRegret())
