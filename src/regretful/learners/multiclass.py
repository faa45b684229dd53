"""Learners that predict one of several labels, each with weights of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from regretful.core.multiclass import Multiclass
from regretful.core.score_losses import MulticlassHinge, MulticlassLoss

if TYPE_CHECKING:
    from regretful.core.domains import Domain
    from regretful.core.rates import Rate


class MulticlassPerceptron(Multiclass):
    """The multiclass perceptron: after a mistake, w ← w + ψ(x, y) − ψ(x, ŷ), with ŷ the label of the largest score.

    ψ(x, k) is x in the block of label k: the weights of the right label gain x, those of the predicted one lose it.
    It makes at most Σ 2 max(0, 1 − min over k ≠ y of ⟨w, ψ(x, y) − ψ(x, k)⟩/γ) + ‖w‖²R²/γ² mistakes, for every w and
    γ > 0, where R is the largest ‖ψ(x, y) − ψ(x, k)‖ = √2 ‖x‖; a label that comes unannounced may cost one more.

    >>> import regretful as rg
    >>> learner = rg.MulticlassPerceptron()
    >>> for x, y in [([1.0, 0.0], "cat"), ([0.0, 1.0], "dog"), ([0.0, 2.0], "dog")]:
    ...     print(learner.learn_one(x, y))
    None
    cat
    dog
    >>> learner.scores([0.0, 1.0])
    {'cat': -1.0, 'dog': 1.0}

    Reference: notes 004, Algorithm 2 and Theorem 2.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(MulticlassHinge(0.0), None, 1.0, **options)


class MulticlassGradientDescent(Multiclass):
    """Gradient descent on a loss of all scores, projected on the domain: w ← Π(w − η Σ σ_k ψ(x, k)).

    σ is the slope of the loss in the scores s_k = ⟨w, ψ(x, k)⟩, and the domain holds the weights of all labels
    together. loss: `MulticlassHinge()`, the structured SVM's with 0/1 costs; `Softmax()`; or one of your own.
    Regret to ‖u‖₂ ≤ U is at most ½(U²/η + η R₂² T), R₂ being the largest ‖Σ σ_k ψ(x, k)‖.

    >>> import regretful as rg
    >>> learner = rg.MulticlassGradientDescent(rg.Softmax(), rate=0.5, labels=("cat", "dog"))
    >>> _ = learner.learn_one({"barks": True}, "dog")
    >>> learner.named_weights()
    {'cat': {'barks': -0.25}, 'dog': {'barks': 0.25}}

    Reference: notes 004, Algorithm 3, Theorem 5 and Example 9.
    """

    def __init__(
        self,
        loss: MulticlassLoss | None = None,
        rate: Rate | float = 0.1,
        domain: Domain | None = None,
        **options: Any,
    ) -> None:
        super().__init__(MulticlassHinge() if loss is None else loss, domain, rate, **options)
