"""Learners whose labels have structure: sequences, trees, rankings; the feature map is the user's."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Any

from regretful.core.structured import Structured

if TYPE_CHECKING:
    from regretful.core.domains import Domain
    from regretful.core.rates import Rate
    from regretful.core.types import Example


class StructuredPerceptron(Structured):
    """The structured perceptron: after a mistake, w ← w + ψ(x, y) − ψ(x, ŷ), with ŷ of the largest ⟨w, ψ(x, ŷ)⟩.

    psi(x, y) gives the features of example and label together, as a dict, an array, an (indices, values) pair or a
    sparse row. labels: all that there are; or decode(w, x): the label of the largest ⟨w, ψ(x, k)⟩. It makes at most
    Σ 2 max(0, 1 − min over k ≠ y of ⟨w, ψ(x, y) − ψ(x, k)⟩/γ) + ‖w‖²R²/γ² mistakes, for every w and γ > 0, where R is
    the largest ‖ψ(x, y) − ψ(x, k)‖, if the decoder does find the best label.

    >>> import regretful as rg
    >>> def psi(words, spam):
    ...     return {word: 1.0 if spam else -1.0 for word in words}
    >>> learner = rg.StructuredPerceptron(psi, labels=[True, False])
    >>> [learner.learn_one(words, spam) for words, spam in [(["hello"], False), (["buy"], True), (["hello"], False)]]
    [True, True, False]

    Reference: notes 004, Algorithm 2 and Theorem 2; Collins (2002).
    """

    def __init__(
        self,
        psi: Callable[[Any, Any], Example],
        labels: Iterable[Hashable] | None = None,
        decode: Callable[..., Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(psi, labels, decode, margin=0.0, rate=1.0, **options)


class StructuredSVM(Structured):
    """The structured SVM: gradient descent on max over k of γ(y, k) − ⟨w, ψ(x, y) − ψ(x, k)⟩, projected on the domain.

    cost(y, k) is γ, at least 0: what it costs to predict k when y is right; by default 1 for every wrong label. labels:
    all that there are; or decode(w, x, y=None): the label k of the largest ⟨w, ψ(x, k)⟩ and, where y is given, of the
    largest γ(y, k) + ⟨w, ψ(x, k)⟩. psi: as in `StructuredPerceptron`. With ‖ψ(x, y) − ψ(x, k)‖ ≤ B the mean loss is at
    most that of any w plus ‖w‖²/(2ηT) + ηB²/2, however many labels there are.

    >>> import regretful as rg
    >>> svm = rg.StructuredSVM(lambda x, k: [x * k], cost=lambda y, k: abs(y - k), labels=[-1, 0, 1], rate=0.5)
    >>> svm.learn_one(2.0, 1), svm.last_losses
    (-1, array([2.]))
    >>> svm.weights
    array([2.])

    Reference: notes 004, Example 9 and Theorem 5; Tsochantaridis et al. (2005).
    """

    def __init__(
        self,
        psi: Callable[[Any, Any], Example],
        cost: Callable[[Any, Any], float] | None = None,
        decode: Callable[..., Any] | None = None,
        *,
        labels: Iterable[Hashable] | None = None,
        rate: Rate | float = 0.1,
        domain: Domain | None = None,
        **options: Any,
    ) -> None:
        super().__init__(psi, labels, decode, cost, domain=domain, rate=rate, **options)
