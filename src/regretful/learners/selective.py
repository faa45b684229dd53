"""Active learning: which labels are worth asking for, over any learner of two classes.

The rule and its bound live here, the coins in core/choice.pyx; what is learnt from a label is the learner's own affair.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from regretful.core.chance import Seed, generator_of, resume
from regretful.core.choice import Choice
from regretful.core.domains import Everywhere
from regretful.core.euclidean import Euclidean
from regretful.core.ledger import Ledger
from regretful.core.linear import Linear
from regretful.core.losses import Hinge
from regretful.core.parts import number
from regretful.core.rules import MirrorDescent
from regretful.core.saved import Saved
from regretful.core.score_losses import MulticlassLoss
from regretful.core.tickets import Ticket, issue
from regretful.core.types import Example, Label, State, Vector

Given: TypeAlias = Label | Callable[[], Label] | None


class Estimate(NamedTuple):
    """What was estimated, and its standard error."""

    value: float
    error: float


class SelectiveSampling(Saved):
    """Selective sampling: predict always, ask for the label with chance b/(b + |p|), learn from those asked for.

    The surer the prediction p = ⟨w, x⟩, the fewer labels are asked for; in a round without one nothing moves. Over
    `Perceptron()`, for every u, every margin γ > 0 and ‖x‖₂ ≤ R, whatever b > 0,

        E[mistakes] ≤ (1 + R²/(2b)) Σ max(0, γ − y⟨u, x⟩)/γ + ‖u‖²(2b + R²)²/(8bγ²),

    mistakes in rounds without a label included. With b = R²/2 and a u that separates, that is ‖u‖²R²/γ², the bound of
    the perceptron that sees every label.

    learner: any linear learner of labels −1 and +1. It is the one that learns, not a copy, and it counts only rounds
    in which it learns: its rate's t, its averages and `learner.ledger` know of no others. All that a learner can be
    asked (`weights`, `loss`, `average()`, …) can be asked of this one. b: in the units of p; for the perceptron, whose
    steps are y x, those of R². inf asks always. seed: what the rounds are drawn with, a number or a Generator.

    `ledger` is the account of every round whose label is known, asked for or not: of all of them where labels are at
    hand (arrays, `rg.play`), else of those that were bought. `rounds`, `asked` and `told` count rounds, labels asked
    for, and labels that came.

    >>> import regretful as rg
    >>> sampler = rg.SelectiveSampling(rg.Perceptron(), b=0.1)
    >>> def buy():
    ...     print("a label is bought")
    ...     return 1
    >>> for _ in range(3):
    ...     p = sampler.learn_one([2.0, 1.0], buy)
    a label is bought
    >>> sampler.rounds, sampler.asked
    (3, 1)

    Reference: Cesa-Bianchi, Gentile and Zaniboni (2006), Theorem 1; notes 002, active supervised learning.
    """

    def __init__(self, learner: Linear, b: float, *, seed: Seed = 0) -> None:
        self.learner: Linear = _binary(learner)
        self.b = number("b", b, above=0.0, finite=False)
        book = None if learner.ledger is None else Ledger(learner.ledger.norms)
        self._choice = Choice(self.b, generator_of(seed), book)

    def __getattr__(self, name: str) -> Any:
        """Whatever else a learner can be asked."""
        if name.startswith("_") or name == "learner":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self.learner, name)

    # Rounds.

    def predict_one(self, x: Example) -> float:
        """P = ⟨w, x⟩. Changes nothing."""
        return self.learner.predict_one(x)

    def predict_many(self, X: Any) -> Vector:
        """P for every row. Changes nothing."""
        return self.learner.predict_many(X)

    def wants(self, x: Example) -> bool:
        """Whether the label will be asked for if x comes next. Changes nothing."""
        with self._turn:
            return self._choice.wants(self.learner.predict_one(x))

    def learn_one(self, x: Example, y: Given = None, weight: float = 1.0) -> float:
        """A round: predict, and if the label is asked for, learn from it. Returns the prediction.

        y: the label; or a function that gives it, which is called only if it is asked for, while others wait for their
        turn (where labels take long, `ask` and `tell`).
        """
        with self._turn:
            if not callable(y):
                return float(self._sampled("one", x, y, weight))
            return float(self._sampled("one", x, None, weight, lambda _row: y()))

    def learn_many(self, X: Any, y: Any = None, weight: Any = None) -> Vector:
        """The loop of `learn_one` over the rows of X, in the core; returns the predictions.

        y: the labels; or a function row → label, which is called only for those that are asked for.
        """
        with self._turn:
            if callable(y):
                return np.asarray(self._sampled("many", X, None, weight, y))
            return np.asarray(self._sampled("many", X, y, weight))

    def ask(self, x: Example) -> Ticket:
        """Play a round whose label comes later: a ticket for `tell`, which says whether it is `wanted`.

        It counts as a round, and the next one is drawn; the learner has not changed.
        """
        with self._turn:
            p = self.learner.predict_one(x)
            ticket = issue(x, p)
            ticket.wanted = self._choice.ask(p)
            return ticket

    def tell(self, ticket: Ticket, y: Label | None = None, weight: float = 1.0) -> float:
        """The label of a ticket that is wanted, in any order; returns the prediction that was paid for."""
        if not isinstance(ticket, Ticket):
            raise TypeError(f"tell takes a ticket that ask gave, not {ticket!r}")
        with self._turn:
            return float(self._sampled("tell", ticket, y, weight))

    def _sampled(self, how: str, X: Any, y: Any, weight: Any, source: Callable[[int], Label] | None = None) -> Any:
        self._choice.source = source
        try:
            return self.learner._sampled(self._choice, how, X, y, weight)
        finally:
            self._choice.source = None

    # What is known.

    @property
    def rounds(self) -> int:
        """Rounds played, with and without a label."""
        return self._choice.rounds

    @property
    def asked(self) -> int:
        """Labels asked for."""
        return self._choice.asked

    @property
    def told(self) -> int:
        """Labels asked for that have come, and were learnt."""
        return self._choice.told

    @property
    def last_asked(self) -> np.ndarray:
        """For each row of the last `learn_many`, whether its label was asked for."""
        return self._choice.marked

    @property
    def ledger(self) -> Ledger | None:
        """The account of the rounds whose label is known, live; None if the learner keeps none."""
        return self._choice.book

    def estimate(self, of: str = "loss") -> Estimate:
        """What all rounds lost, told from the labels asked for alone: each stands for 1/q rounds, q = b/(b + |p|).

        Right on average, whatever the stream. of="mistakes": in how many of them y p ≤ 0.
        """
        if of not in ("loss", "mistakes"):
            raise ValueError(f'of is "loss" or "mistakes", not {of!r}')
        return Estimate(*self._choice.estimate(of))

    def bound(self, norm: float, margin: float, slack: float = 0.0, R: float | None = None) -> float:
        """What E[mistakes] is at most: (1 + R²/(2b)) Σ/γ + ‖u‖²(2b + R²)²/(8bγ²), for the perceptron.

        For examples of weight 1 whose labels come at once, and a learner that had learnt nothing before.
        norm: ‖u‖₂ of any u. margin: γ > 0. slack: Σ max(0, γ − y⟨u, x⟩) over the rounds, 0 where u separates with γ.
        R: at least every ‖x‖₂; by default the largest of those in the ledger.

        In every single run, not only on average, the same with the sum over the asked mistakes alone bounds
        `estimate("mistakes").value`.
        """
        if not _perceptron(self.learner):
            raise ValueError(f"the bound speaks of Perceptron(), w ← w + y x after mistakes, not of {self.learner!r}")
        if self.learner.rounds != self.told:
            raise ValueError(f"the bound speaks of a start from w = 0, and {self.learner!r} learns elsewhere too")
        if R is None:
            if self.ledger is None:
                raise ValueError("no ledger was kept, which would tell R: give R=…, the largest ‖x‖₂")
            R = self.ledger.max_norm2
        norm, margin = number("norm", norm, least=0.0), number("margin", margin, above=0.0)
        return most_mistakes(self.b, number("R", R, least=0.0), norm, margin, number("slack", slack, least=0.0))

    # Saving and copying.

    def _slots(self) -> State:
        return {"learner": self.learner.__copy__(), "b": self.b}

    def _state(self) -> State:
        return self._choice.state()

    def _restore(self, state: State) -> None:
        self._choice.restore(state, resume(state["generator"], self._choice.generator))

    def __repr__(self) -> str:
        return f"SelectiveSampling({self.learner!r}, b={self.b!r}): asked {self.asked:,} of {self.rounds:,} labels"


def most_mistakes(b: float, R: float, norm: float, margin: float, slack: float = 0.0) -> float:
    """(1 + R²/(2b)) slack/γ + ‖u‖²(2b + R²)²/(8bγ²); with b = ∞, where no label is spared, it says nothing.

    A step after a mistake changes ‖w − a u‖² by at most R² − 2|p| − 2a(γ − ξ), ξ = max(0, γ − y⟨u, x⟩). With
    a = (2b + R²)/(2γ) that is −2(b + |p|) + 2aξ, so Σ (b + |p|) over the asked mistakes is at most a²‖u‖²/2 + aΣξ; and
    a mistake is asked about with chance b/(b + |p|).
    """
    if math.isinf(b):
        return math.inf if norm else slack / margin
    a = (2.0 * b + R * R) / (2.0 * margin)
    return (0.5 * (a * norm) ** 2 + a * slack) / b


def _perceptron(learner: Linear) -> bool:
    """Whether it steps along y x after mistakes and only then."""
    plain = isinstance(learner, MirrorDescent) and learner.conservative and not (learner.implicit or learner.l2)
    parts = isinstance(learner.geometry, Euclidean) and type(learner.domain) is Everywhere
    return plain and parts and isinstance(learner.loss, Hinge) and learner.rate.constant and learner.rate.at(1) == 1.0


def _binary(learner: Any) -> Any:
    if not isinstance(learner, Linear):
        raise TypeError(f"SelectiveSampling(learner, b) takes a linear learner, such as Perceptron(), not {learner!r}")
    if not learner.loss.classification or isinstance(learner.loss, MulticlassLoss):
        raise ValueError(
            f"labels are asked for by how near p is to 0, between two classes, and {learner.loss!r} has not two: "
            "take a learner with Hinge, Logistic or SquaredHinge"
        )
    return learner
