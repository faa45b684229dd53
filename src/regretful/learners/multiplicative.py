"""Learners that multiply their weights, and the p-norm family that leads up to them."""

from __future__ import annotations

from typing import Any, Literal

from regretful.core.domains import Domain, Everywhere, Simplex
from regretful.core.entropy import Entropy
from regretful.core.losses import Hinge, Loss
from regretful.core.pnorm import PNorm
from regretful.core.rates import Rate
from regretful.core.rules import MirrorDescent


class ExponentiatedGradient(MirrorDescent):
    """Exponentiated gradient: w_i ← w_i exp(−η s x_i)/Z, from the uniform weights; over `L1Ball(U)`, EG±.

    Regret to the simplex is at most ln n/η + η R∞²Z²T/2.

    >>> import regretful as rg
    >>> learner = rg.ExponentiatedGradient(rg.Squared(), rate=0.5)
    >>> learner.learn_one([1.0, 3.0], 1.0)
    2.0
    >>> learner.weights.round(6)
    array([0.880797, 0.119203])

    Reference: notes 000, §3 and Theorem 3.1; Kivinen and Warmuth (1997).
    """

    def __init__(self, loss: Loss, rate: Rate | float = 0.1, domain: Domain | None = None, **options: Any) -> None:
        super().__init__(loss, Entropy(), domain or Simplex(), rate, **options)


class Winnow(MirrorDescent):
    """Winnow, normalised: after a mistake, w_i ← w_i exp(η y x_i)/Z.

    With a u in the simplex of margin γ and η = γ/R∞² it makes at most 2R∞² ln n/γ² mistakes.

    >>> import regretful as rg
    >>> learner = rg.Winnow(rate=1.0)
    >>> learner.learn_one([1.0, -1.0], 1)
    0.0
    >>> learner.weights.round(6)
    array([0.880797, 0.119203])

    Reference: notes 000, §3, where it is exponentiated gradient on the hinge, conservative.
    """

    def __init__(self, rate: Rate | float = 0.1, domain: Domain | None = None, **options: Any) -> None:
        super().__init__(Hinge(), Entropy(), domain or Simplex(), rate, conservative=True, **options)


class PNormDescent(MirrorDescent):
    """The p-norm algorithm: θ ← θ − η s x, w = ∇½‖θ‖_p²; p = "log" means max(2, 2 ln n).

    Regret to ‖u‖_q ≤ U is at most U²/(2η) + η(p − 1)R_p²Z²T/2, with 1/p + 1/q = 1.

    >>> import regretful as rg
    >>> learner = rg.PNormDescent(rg.Absolute(), rate=1.0, p=3)
    >>> learner.learn_one([1.0, 0.0], 1.0)
    0.0
    >>> learner.weights
    array([1., 0.])

    Reference: notes 000, §4; Gentile (2003).
    """

    def __init__(self, loss: Loss, rate: Rate | float = 0.1, p: float | Literal["log"] = "log", **options: Any) -> None:
        super().__init__(loss, PNorm(p), Everywhere(), rate, **options)
