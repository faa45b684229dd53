"""What must hold of every learner of structured labels: what holds of all learners, with labels from a search."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from regretful.checks import playing
from regretful.checks.account import CLOSE
from regretful.checks.examples import ROUNDS, WIDTH, demand, fingerprint
from regretful.checks.inputs import refused

LABELS = ("ant", "bee", "cow")
KEPT = {"average": "average", "weighted": "weighted_average", "random": "random_iterate"}


class Structures:
    """A structured learner to be checked: how to make it, and rows of numbers with labels."""

    growing = False

    def __init__(self, make: Callable[[], Any], seed: int = 0) -> None:
        self.make = make
        if make().rounds:
            raise ValueError("make() must give a learner that has not learnt yet")
        rng = np.random.default_rng(seed)
        self.X = np.round(rng.normal(size=(ROUNDS, WIDTH)), 3) * (rng.random((ROUNDS, WIDTH)) < 0.6)
        signal = self.X @ np.linspace(-1.0, 1.0, WIDTH) + 0.5 * rng.normal(size=ROUNDS)
        self.y = np.array(LABELS)[np.digitize(signal, [-0.3, 0.3])]
        self.weight = np.round(2.0 * rng.random(ROUNDS), 2)
        self.weight[7] = 0.0

    def forms(self) -> list[str]:
        """Examples are what the feature map takes."""
        return ["rows"]

    def many(self, form: str, X: np.ndarray | None = None) -> Any:  # noqa: ARG002
        """Rows as one batch."""
        return list(self.X if X is None else X)

    ones = many

    def learnt(self, form: str, rounds: int = ROUNDS) -> Any:
        """A learner after some rounds."""
        learner = self.make()
        learner.learn_many(self.many(form, self.X[:rounds]), self.y[:rounds], self.weight[:rounds])
        return learner


def _cost(learner: Any, y: str, k: str) -> float:
    """Margin times cost."""
    margin = float(learner.loss.margin)
    return 0.0 if y == k else margin * (1.0 if learner.cost is None else float(learner.cost(y, k)))


def _scores(learner: Any, x: Any) -> np.ndarray:
    return np.array([learner.score(x, k) for k in LABELS])


def ledger_is_right(case: Structures) -> None:
    """L, A and the mistakes are those that NumPy makes of the scores before each round, the rivals being the best."""
    learner = case.make()
    loss = A = 0.0
    mistakes = 0
    for t, (x, y) in enumerate(zip(case.X, case.y.tolist(), strict=True)):
        s, right, weight = _scores(learner, x), LABELS.index(y), float(case.weight[t])
        augmented = s + [_cost(learner, y, k) for k in LABELS]
        rival = int(np.argmax(augmented))
        said = learner.learn_one(x, y, weight)
        demand(bool(s[LABELS.index(said)] >= s.max() - CLOSE), "the prediction has the largest score", f"{said}: {s}")
        off = abs(float(learner.last_losses[0]) - (augmented[rival] - s[right]))
        demand(off <= CLOSE * (1.0 + abs(s).max()), "the loss is that of the best rival", f"off by {off:.3g}")
        loss += weight * (augmented[rival] - s[right])
        A += weight * (s[rival] - s[right])
        mistakes += said != y
    if learner.ledger is None:
        return
    for name, value in {"loss": loss, "A": A, "mistakes": mistakes, "rounds": len(case.y)}.items():
        seen = getattr(learner.ledger, name)
        demand(math.isclose(seen, value, rel_tol=CLOSE, abs_tol=CLOSE), f"the ledger's {name} is right", f"{seen!r}")


def certificate_holds(case: Structures) -> None:
    """L − Σ ℓ(u) ≤ A − ⟨u, G⟩ for every u, here learners of the same kind with other weights."""
    learner = case.learnt("rows")
    if learner.ledger is None:
        return
    G = np.asarray(learner.ledger.G)
    for other in (case.learnt("rows", 5), case.learnt("rows", 20), learner):
        u = np.pad(other.weights, (0, len(G) - len(other.weights)))
        best = 0.0
        for x, y, weight in zip(case.X, case.y.tolist(), case.weight.tolist(), strict=True):
            s = _scores(other, x)
            best += weight * float(np.max(s + [_cost(learner, y, k) for k in LABELS]) - s[LABELS.index(y)])
        regret, certificate = learner.ledger.loss - best, learner.ledger.A - float(u @ G)
        slack = CLOSE * (1.0 + abs(best) + abs(certificate))
        demand(regret <= certificate + slack, "the regret is at most its certificate", f"{regret!r} > {certificate!r}")


def weights_stay_in_the_domain(case: Structures) -> None:
    """After every round the weights lie in the domain."""
    learner = case.make()
    for t, x in enumerate(case.X):
        learner.learn_one(x, case.y[t], case.weight[t])
        w = learner.weights
        demand(learner.domain.contains(w), f"the weights lie in {learner.domain!r}", f"{w} after round {t}")


def averages_are_right(case: Structures) -> None:
    """average() and weighted_average() are the means of w_1 … w_T; the random iterate is one of them."""
    learner = case.make()
    if not learner.keep:
        return
    iterates = []
    for t, x in enumerate(case.X):
        iterates.append(learner.weights)
        learner.learn_one(x, case.y[t], case.weight[t])
        n, T = len(learner.weights), t + 1
        W = np.array([np.pad(w, (0, n - len(w))) for w in iterates])
        shares = {"average": np.full(T, 1.0 / T), "weighted": 2.0 * np.arange(2, T + 2) / (T * (T + 3))}
        for name in learner.keep:
            gave = getattr(learner, KEPT[name])().weights
            off = np.abs(W - gave).max(axis=1).min() if name == "random" else np.abs(shares[name] @ W - gave).max()
            close = CLOSE * (1.0 + float(np.abs(W).max()))
            demand(bool(off <= close), f"{KEPT[name]}() is right", f"off by {off:.3g} after {T} rounds")


def bad_labels_leave_no_trace(case: Structures) -> None:
    """Labels and weights that make no sense are refused, and leave no trace."""
    X, y = case.many("rows", case.X[:10]), case.y[:10].tolist()
    for learner in (case.make(), case.learnt("rows", 12)):
        wrong = [None] if learner.labels is None else [None, "elk", math.nan, ["ant"]]
        for label in wrong:
            refused(learner, "learn_one", (f"the label {label!r}", (X[0], label), ("label",)))
            batch = [*y[:3], label, *y[4:]]
            refused(learner, "learn_many", (f"the label {label!r}", (X, batch), ("row 3", "label")))
        refused(learner, "learn_many", ("too few labels", (X, y[:9]), ("10 rows", "9")))
        refused(learner, "learn_many", ("no labels", (X,), ("needs labels",)))
        for weight in (-1.0, math.nan, math.inf):
            refused(learner, "learn_one", (f"the weight {weight!r}", (X[0], y[0], weight), ("weight",)))
            weights = np.where(np.arange(10) == 3, weight, 1.0)
            refused(learner, "learn_many", (f"the weight {weight!r}", (X, y, weights), ("row 3", "weight")))


def weight_zero_is_no_lesson(case: Structures) -> None:
    """An example of weight 0 counts as a round, and changes neither the loss nor the weights."""
    learner = case.learnt("rows")
    weights, ledger = learner.weights, learner.ledger.as_dict() if learner.ledger else {}
    learner.learn_many(case.many("rows"), case.y, np.zeros(len(case.y)))
    for name in ("weight", "loss", "A", "G", "squares2") if ledger else ():
        now = getattr(learner.ledger, name)
        demand(playing.same(now, ledger[name]), f"weight 0 leaves the ledger's {name}", f"{now!r}")
    if not learner.l2:
        demand(np.allclose(learner.weights, weights, rtol=CLOSE, atol=CLOSE), "weight 0 leaves the weights", "a move")


def an_empty_batch_is_no_round(case: Structures) -> None:
    """A batch of no examples changes nothing."""
    learner = case.learnt("rows")
    before = fingerprint(learner)
    for gave in (learner.learn_many([], []), learner.predict_many([])):
        demand(np.shape(gave) == (0,), "an empty batch gives an empty array", f"{gave!r}")
    demand(fingerprint(learner) == before, "an empty batch is no round", "the state changed")


CHECKS: list[Callable[[Any], None]] = [
    playing.predicting_changes_nothing, playing.learning_pays_for_the_prediction, playing.many_is_the_loop_of_one,
    playing.batches_may_be_cut_anywhere, playing.copies_go_on_bit_for_bit, ledger_is_right, certificate_holds,
    weights_stay_in_the_domain, averages_are_right, bad_labels_leave_no_trace, weight_zero_is_no_lesson,
    an_empty_batch_is_no_round,
]  # fmt: skip
