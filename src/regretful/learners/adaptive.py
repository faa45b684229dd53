"""Learners with a rate of its own for each coordinate."""

from __future__ import annotations

from typing import Any

from regretful.core.diagonal import Diagonal, Proximal
from regretful.core.domains import Domain, Everywhere
from regretful.core.losses import Logistic, Loss
from regretful.core.rates import Constant, Rate
from regretful.core.rules import FollowTheRegularizedLeader, MirrorDescent


class AdaGrad(MirrorDescent):
    """AdaGrad: w_i ← w_i − η g_i/√(Σ g_i²), g = s x: a rate for each feature, the larger the rarer it is.

    The first step moves each weight by η, whatever the size of its feature: let a value of 1 be a usual one, or take
    `scaled=True`: then by η/m_i, m_i the root mean square of x_i so far, and the features' units make no difference.

    >>> import regretful as rg
    >>> learner = rg.AdaGrad(rg.Squared(), rate=0.1)
    >>> learner.learn_one([1.0, 1000.0], 1.0)
    0.0
    >>> learner.weights
    array([0.1, 0.1])
    >>> learner = rg.AdaGrad(rg.Squared(), rate=0.1, scaled=True)
    >>> _ = learner.learn_one([1.0, 1000.0], 1.0)
    >>> learner.weights
    array([0.1   , 0.0001])

    Reference: Duchi, Hazan and Singer (2011); for the scales, Ross, Mineiro and Langford (2013).
    """

    def __init__(
        self,
        loss: Loss,
        rate: Rate | float = 0.1,
        domain: Domain | None = None,
        *,
        scaled: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(loss, Diagonal(scaled), domain or Everywhere(), rate, **options)


class FTRLProximal(FollowTheRegularizedLeader):
    """FTRL-Proximal: AdaGrad's rates, with an L1 term that gives true zeros and an L2 term.

    z_i += g_i − σ_i w_i, σ_i = (√(n_i + g_i²) − √n_i)/α, n_i += g_i²; w_i = 0 where |z_i| ≤ l1, else
    −(z_i − sign(z_i) l1)/((β + √n_i)/α + l2). The loss is by default `Logistic()`.

    >>> import regretful as rg
    >>> learner = rg.FTRLProximal(alpha=1.0, l1=0.4)
    >>> _ = learner.learn_one({"often": 1.0, "faint": 0.5}, True)
    >>> learner.named_weights()["faint"]
    0.0

    Reference: McMahan et al. (2013), Algorithm 1.
    """

    def __init__(
        self, alpha: float = 0.1, beta: float = 1.0, l1: float = 0.0, l2: float = 0.0, loss: Loss | None = None,
        **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(loss or Logistic(), Proximal(alpha, beta, l1, l2), Everywhere(), Constant(1.0), **options)
