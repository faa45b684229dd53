"""What must hold of every learner that predicts labels: what holds of all learners, and what its labels add."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from regretful.checks import inputs, playing
from regretful.checks.account import CLOSE
from regretful.checks.examples import Case, demand, fingerprint
from regretful.checks.inputs import NAN, Bad, refused

KEPT = {"average": "average", "weighted": "weighted_average", "random": "random_iterate"}


def _joint(learner: Any) -> np.ndarray:
    """The weights as one vector, laid out as the ledger's G: label by label within a feature, the intercept first."""
    table = np.asarray(learner.weights)
    if learner.intercept_kept:
        table = np.column_stack([learner.intercept, table])
    return table.T.ravel()


def _rows(case: Case, learner: Any) -> np.ndarray:
    """The rows as the learner saw them."""
    seen = np.pad(case.X, ((0, 0), (0, case.width - case.known)))
    return np.column_stack([np.ones(len(seen)), seen]) if learner.intercept_kept else seen


def _loss_at(case: Case, learner: Any, u: np.ndarray) -> float:
    """Σ ℓ of the fixed joint weights u over the stream, each round's over the labels that were known in it."""
    table = u.reshape(-1, len(learner.labels)).T
    known, total = list(case.make().labels), 0.0
    for x, y, weight in zip(_rows(case, learner), case.y.tolist(), case.weight, strict=True):
        known += [y] if y not in known else []
        scores = [float(table[learner.labels.index(label)] @ x) for label in known]
        total += float(weight) * float(learner.loss.value(scores, known.index(y)))
    return total


def ledger_is_right(case: Case) -> None:
    """The ledger's sums are those that NumPy makes of the scores before each round."""
    learner, form = case.make(), case.forms()[0]
    if learner.ledger is None:
        return
    loss = A = squares = most = slope = 0.0
    mistakes = 0
    G = np.zeros((case.width + learner.intercept_kept, 3))
    rows, order = _rows(case, learner), ["ant", "bee", "cow"]
    for t, x in enumerate(case.ones(form)):
        y, weight, scores = case.y[t], float(case.weight[t]), learner.scores(x)
        known = list(scores) if y in scores else [*scores, y]
        s = np.array([scores.get(label, 0.0) for label in known])
        sigma = np.asarray(learner.loss.slope(s, known.index(y)))
        mistakes += int(learner.learn_one(x, y, weight) != y)
        loss += weight * float(learner.loss.value(s, known.index(y)))
        A += weight * float(sigma @ s)
        squares += weight**2 * float(sigma @ sigma) * float(rows[t] @ rows[t])
        most = max(most, math.sqrt(float(sigma @ sigma) * float(rows[t] @ rows[t])))
        slope = max(slope, weight if sigma.any() else 0.0)
        for label, one in zip(known, sigma, strict=True):
            G[:, order.index(label)] += weight * one * rows[t]
    account = learner.ledger
    expected = {"loss": loss, "A": A, "squares2": squares, "mistakes": mistakes, "max_slope": slope,
                "rounds": len(rows), "weight": case.weight.sum()}  # fmt: skip
    for name, value in expected.items():
        seen = getattr(account, name)
        demand(bool(np.isclose(seen, value, rtol=CLOSE, atol=CLOSE)), f"the ledger's {name} is right", f"{seen!r}")
    demand(account.max_norm2 >= most - CLOSE, "R₂ is no less than ‖g‖", f"{account.max_norm2!r} < {most!r}")
    places = [order.index(label) for label in learner.labels]
    seen = account.G.reshape(-1, account.labels)
    if form != "dict":
        demand(np.allclose(seen, G[:, places], rtol=CLOSE, atol=CLOSE), "the ledger's G is right", f"{seen}")


def certificate_holds(case: Case) -> None:
    """L − Σ ℓ(u) ≤ A − ⟨u, G⟩ for every u: the regret is never above its certificate."""
    learner = case.learnt(case.forms()[0])
    ledger = learner.ledger
    if ledger is None:
        return
    rng = np.random.default_rng(1)
    for scale in (0.1, 1.0, 10.0):
        for _ in range(5):
            u = np.asarray(learner.domain.project(scale * rng.normal(size=len(ledger.G))))
            best = _loss_at(case, learner, u)
            regret, certificate = ledger.loss - best, ledger.A - float(u @ ledger.G)
            slack = CLOSE * (1.0 + abs(best) + abs(ledger.loss) + abs(certificate))
            promise = "the regret is at most its certificate A - ⟨u, G⟩"
            demand(regret <= certificate + slack, promise, f"{regret!r} > {certificate!r} for u = {u}")


def weights_stay_in_the_domain(case: Case) -> None:
    """After every round the weights of all labels together lie in the domain."""
    learner = case.make()
    for t, x in enumerate(case.ones(case.forms()[0])):
        learner.learn_one(x, case.y[t], case.weight[t])
        w = _joint(learner)
        demand(learner.domain.contains(w), f"the weights lie in {learner.domain!r}", f"{w} after round {t}")


def averages_are_right(case: Case) -> None:
    """average() and weighted_average() are the means of w_1 … w_T, weighted 1/T and 2(t+1)/(T(T+3))."""
    learner = case.make()
    for name, method in KEPT.items():
        if name not in learner.keep:
            try:
                getattr(learner, method)()
            except ValueError as error:
                demand(f'keep=("{name}",)' in str(error), f"{method}() says how to keep it", f"{error}")
            else:
                demand(False, f"{method}() is refused where it is not kept", "an answer")
    if not learner.keep:
        return
    form, iterates = case.forms()[0], []
    for t, x in enumerate(case.ones(form)):
        iterates.append(case.iterate(learner))
        learner.learn_one(x, case.y[t], case.weight[t])
        K, T = len(learner.labels), t + 1
        W = np.array([np.pad(one, ((0, 0), (0, K - one.shape[1]))) for one in iterates])
        shares = {"average": np.full(T, 1.0 / T), "weighted": 2.0 * np.arange(2, T + 2) / (T * (T + 3))}
        for name in learner.keep:
            gave = case.iterate(getattr(learner, KEPT[name])())
            if name == "random":
                off = float(np.min(np.max(np.abs(W - gave), axis=(1, 2))))
            else:
                off = float(np.max(np.abs(np.tensordot(shares[name], W, 1) - gave)))
            demand(off <= CLOSE * (1.0 + float(np.max(np.abs(W)))), f"{KEPT[name]}() is right", f"off by {off:.3g}")


def forms_agree(case: Case) -> None:
    """Arrays, sparse rows and events give the same scores, up to the order of a sum."""
    first, *others = (form for form in case.forms() if form != "dict" or not case.hashed)
    expected = case.learnt(first).scores_many(case.many(first))
    for form in others:
        off = float(np.max(np.abs(case.learnt(form).scores_many(case.many(form)) - expected)))
        close = CLOSE * (1.0 + float(np.max(np.abs(expected))))
        demand(off <= close, f"{form} and {first} rows give the same scores", f"they differ by {off:.3g}")


def new_labels_may_appear(case: Case) -> None:
    """A label never seen is known once it was learnt, whatever it is; predicting it before is not possible."""
    for form in case.forms():
        learner = case.learnt(form)
        x = case.ones(form)[0]
        for label in ("new", 7, ("a", 2), b"bytes", frozenset({1})):
            demand(label not in learner.scores(x), "a label not seen yet has no score", f"{learner.scores(x)}")
            mistakes = learner.ledger.mistakes if learner.ledger else 0
            gave = learner.learn_one(x, label)
            demand(gave != label, "a label not seen yet is not predicted", f"{gave!r}")
            demand(label in learner.scores(x), "a label has a score once learnt", f"{learner.scores(x)}")
            if learner.ledger:
                demand(learner.ledger.mistakes == mistakes + 1, "a new label is a mistake", f"{learner.ledger!r}")
        scores = learner.scores(x)
        best = max(scores.values())
        first = next(label for label, score in scores.items() if score == best)
        demand(learner.predict_one(x) == first, "the prediction has the largest score", f"{scores}")


def bad_labels(case: Case) -> Iterator[tuple[str, Bad]]:
    """Good rows with labels and weights that make no sense."""
    form = case.forms()[0]
    x, X, y = case.ones(form)[0], case.many(form, case.X[:10]), case.y[:10].tolist()
    labels: list[Any] = [None, NAN, [1.0], {}]
    for wrong in labels:
        yield "learn_one", (f"the label {wrong!r}", (x, wrong), ("label",))
        yield "learn_many", (f"the label {wrong!r}", (X, ["new", *y[1:3], wrong, *y[4:]]), ("row 3", "label"))
    yield "learn_many", ("too few labels", (X, y[:9]), ("10 rows", "9"))
    yield "learn_many", ("labels of two dimensions", (X, np.array(y)[:, None]), ("one dimension",))
    yield "learn_many", ("no labels", (X,), ("needs labels",))
    yield "learn_many", ("a string for labels", (X, "0123456789"), ("list of labels",))
    for weight in (-1.0, NAN, math.inf):
        yield "learn_one", (f"the weight {weight!r}", (x, "new", weight), ("weight", repr(weight)))
        weights = np.where(np.arange(10) == 3, weight, 1.0)
        yield "learn_many", (f"the weight {weight!r}", (X, ["new", *y[1:]], weights), ("row 3", "weight"))


def bad_labels_leave_no_trace(case: Case) -> None:
    """Labels and weights that make no sense are refused, and leave no trace; nor do new labels beside them."""
    for rounds in (0, 12):
        learner = case.learnt(case.forms()[0], rounds) if rounds else case.make()
        for method, bad in bad_labels(case):
            refused(learner, method, bad)


def new_labels_of_bad_rows_are_forgotten(case: Case) -> None:
    """A row that is refused leaves no trace of its label, though many labels are new in it."""
    form = case.forms()[0]
    row, rows = (case.ones(form, case.X[:1])[0], case.many(form, case.X[:10]))
    many = [f"label {k}" for k in range(9)]
    for learner in (case.make(), case.learnt(form, 12)):
        before = fingerprint(learner)
        for method, arguments in (("learn_one", (row, "new", -1.0)), ("learn_many", (rows, [*many, None]))):
            refused(learner, method, ("a bad row with new labels", arguments, ()))
        demand(fingerprint(learner) == before, "refused labels leave no trace", f"{learner!r} changed")


def empty_rows_and_batches(case: Case) -> None:
    """A batch of no rows changes nothing; a row of no features has the intercepts for scores."""
    for form in case.forms():
        learner = case.learnt(form)
        before = fingerprint(learner)
        for gave in (
            learner.learn_many(case.many(form, case.X[:0]), case.y[:0]),
            learner.predict_many(case.many(form, case.X[:0])),
        ):
            demand(np.shape(gave) == (0,), f"an empty batch gives an empty array ({form})", f"{gave!r}")
        demand(fingerprint(learner) == before, f"an empty batch is no round ({form})", "the state changed")
        x = case.ones(form, np.zeros((1, case.known)))[0]
        scores = list(learner.scores(x).values())
        demand(scores == learner.intercept.tolist(), f"an empty row has the intercepts ({form})", f"{scores}")
        learner.learn_one(x, case.y[0])
        demand(bool(np.isfinite(learner.weights).all()), "an empty row is learnt", f"{learner.weights}")


def weight_zero_is_no_lesson(case: Case) -> None:
    """An example of weight 0 counts as a round, and changes neither the loss nor the weights."""
    learner = case.learnt(case.forms()[0])
    weights, ledger = learner.weights, learner.ledger.as_dict() if learner.ledger else {}
    learner.learn_many(case.many(case.forms()[0]), case.y, np.zeros(len(case.y)))
    for name in ("weight", "loss", "A", "G", "squares2", "squares_inf") if ledger else ():
        now = getattr(learner.ledger, name)
        demand(playing.same(now, ledger[name]), f"weight 0 leaves the ledger's {name}", f"{now!r}")
    if not learner.l2:
        demand(np.allclose(learner.weights, weights, rtol=CLOSE, atol=CLOSE), "weight 0 leaves the weights", "a move")


def scales_stay_finite(case: Case) -> None:
    """Features times 1e6 or 1e-6 give finite weights."""
    for scale in (1e6, 1e-6):
        learner = case.make()
        learner.learn_many(case.many("csr", scale * case.X), case.y)
        demand(bool(np.isfinite(learner.weights).all()), f"features × {scale:g}: weights stay finite", f"{learner!r}")


CHECKS = [
    playing.predicting_changes_nothing, playing.learning_pays_for_the_prediction, playing.many_is_the_loop_of_one,
    playing.batches_may_be_cut_anywhere, playing.copies_go_on_bit_for_bit, inputs.bad_rows_leave_no_trace,
    inputs.bad_batches_leave_no_trace, inputs.names_and_positions_do_not_mix, ledger_is_right, certificate_holds,
    weights_stay_in_the_domain, averages_are_right, forms_agree, new_labels_may_appear, bad_labels_leave_no_trace,
    new_labels_of_bad_rows_are_forgotten, empty_rows_and_batches, weight_zero_is_no_lesson, scales_stay_finite,
]  # fmt: skip
