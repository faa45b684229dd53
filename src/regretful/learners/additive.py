"""Learners of the Euclidean geometry: they add multiples of x to the weights."""

from __future__ import annotations

import math
from typing import Any

from regretful.core.domains import Ball, Domain, Everywhere
from regretful.core.euclidean import Euclidean
from regretful.core.losses import Hinge, Loss, Squared
from regretful.core.parts import number
from regretful.core.rates import Constant, InverseTime, Rate
from regretful.core.rules import MirrorDescent


class GradientDescent(MirrorDescent):
    """Gradient descent, projected on the domain: w ← Π(w − η s x).

    Regret to ‖u‖₂ ≤ U is at most ½(U²/η + η R₂²Z²T).

    >>> import regretful as rg
    >>> learner = rg.GradientDescent(rg.Squared(), rate=0.1)
    >>> learner.learn_one({"hour": 1.0, "city": "Rome"}, 3.0)
    0.0
    >>> round(learner.predict_one({"hour": 1.0, "city": "Rome"}), 6)
    1.2

    Reference: notes 000, §2 and Theorem 2.1; notes 004, Algorithm 3.
    """

    def __init__(self, loss: Loss, rate: Rate | float = 0.1, domain: Domain | None = None, **options: Any) -> None:
        super().__init__(loss, Euclidean(), domain or Everywhere(), rate, **options)


class Perceptron(MirrorDescent):
    """The perceptron: after a mistake, y⟨w, x⟩ ≤ 0, w ← w + y x.

    On examples that some w* separates with margin γ it makes at most ‖w*‖²R₂²/γ² mistakes.

    >>> import regretful as rg
    >>> learner = rg.Perceptron()
    >>> learner.learn_one([1.0, 2.0], -1)
    0.0
    >>> learner.weights
    array([-1., -2.])

    Reference: notes 001; notes 004, Algorithm 1 and Theorem 1. It is gradient descent on the hinge (notes 000, §2).
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(Hinge(0.0), Euclidean(), Everywhere(), Constant(1.0), conservative=True, **options)


class AveragedPerceptron(Perceptron):
    """A perceptron that keeps the average of its iterates: learn as ever, then predict with `average()`.

    >>> import regretful as rg
    >>> learner = rg.AveragedPerceptron()
    >>> _ = learner.learn_many([[1.0, 0.0], [0.0, 1.0]], [1, -1])
    >>> learner.average().weights
    array([0.5, 0. ])

    Reference: notes 003, §3 (the average of w_1 … w_m); Freund and Schapire (1999).
    """

    def __init__(self, **options: Any) -> None:
        keep = ("average", *(kept for kept in options.pop("keep", ()) if kept != "average"))
        super().__init__(keep=keep, **options)


class WidrowHoff(MirrorDescent):
    """The Widrow–Hoff rule: w ← w − η(ŷ − y)x, for the squared loss (ŷ − y)².

    With ‖x‖₂ ≤ 1 its loss is at most min over u of L_u/(1 − η) + ‖u‖²/η.

    >>> import regretful as rg
    >>> learner = rg.WidrowHoff(0.5)
    >>> learner.learn_one([1.0], 1.0), learner.learn_one([1.0], 1.0)
    (0.0, 0.5)

    Reference: notes 003, §1 and Theorem 1.1. The slope is 2(ŷ − y), so the rate is η/2.
    """

    def __init__(self, eta: float, **options: Any) -> None:
        super().__init__(Squared(), Euclidean(), Everywhere(), number("eta", eta, above=0.0) / 2.0, **options)


class Pegasos(MirrorDescent):
    """Pegasos, the support vector machine's gradient descent: w ← Π((1 − 1/t) w − η_t s x), η_t = 1/(λt).

    The loss that is paid is the hinge alone; λ/2 ‖w‖² is in the steps, and Π projects on the ball of radius 1/√λ.

    >>> import regretful as rg
    >>> learner = rg.Pegasos(lam=0.5)
    >>> learner.learn_one([0.5], 1)
    0.0
    >>> learner.weights
    array([1.])

    Reference: notes 004, Theorem 11 (which cites it); Shalev-Shwartz et al. (2007).
    """

    def __init__(self, lam: float, **options: Any) -> None:
        radius = 1.0 / math.sqrt(number("lam", lam, above=0.0))
        super().__init__(Hinge(1.0), Euclidean(), Ball(radius), InverseTime(lam), l2=lam, **options)


class PassiveAggressive(MirrorDescent):
    """Passive-aggressive: w ← w + τ y x, τ = min(C, max(0, 1 − y⟨w, x⟩)/‖x‖²), the implicit step on the hinge.

    It moves w as little as it can so that the example is right with margin 1, and by at most C (PA-I).

    >>> import regretful as rg
    >>> learner = rg.PassiveAggressive(C=10)
    >>> _ = learner.learn_one([2.0, 0.0], 1)
    >>> learner.predict_one([2.0, 0.0])
    1.0

    Reference: notes 003, §2 (4), the step that looks at w_{t+1}; Crammer et al. (2006).
    """

    def __init__(self, C: float = 1.0, **options: Any) -> None:
        most = Constant(number("C", C, above=0.0, finite=False))
        super().__init__(Hinge(1.0), Euclidean(), Everywhere(), most, implicit=True, **options)
