"""What must hold of every learner that is given good input: one function a promise, each called with a `Case`."""

from __future__ import annotations

import copy
import inspect
import math
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from regretful.checks.examples import Case, demand, fingerprint, pickled
from regretful.core.files import load
from regretful.core.rates import Adaptive, Constant
from regretful.core.rules import FollowTheRegularizedLeader

CLOSE = 1e-9  # forms of one row differ in the order of a sum


def same(left: Any, right: Any) -> bool:
    """Whether two numbers or arrays are the same to the last bit; or two labels, or lists of labels."""
    if np.asarray(left).dtype.kind in "OU" or np.asarray(right).dtype.kind in "OU":
        return bool(np.array_equal(np.asarray(left, dtype=object), np.asarray(right, dtype=object)))
    return np.asarray(left, dtype=float).tobytes() == np.asarray(right, dtype=float).tobytes()


def predicting_changes_nothing(case: Case) -> None:
    """`predict_one` and `predict_many`, of known and unknown features, leave the state as it is."""
    for form in case.forms():
        for learner in (case.make(), case.learnt(form)):
            before = fingerprint(learner)
            learner.predict_many(case.many(form))
            for x in case.ones(form) if form != "csr" or learner.n is not None else []:
                learner.predict_one(x)
            if form == "dict" and case.growing:
                learner.predict_one({"never seen": 1.0, "f0": "a text", "f1": 2.0})
                learner.predict_many([{"never seen": 1.0}, {"another": "Rome"}])
            if form == "csr" and case.growing:
                learner.predict_one(([0, case.width + 50], [1.0, 1.0]))
            after = fingerprint(learner)
            demand(before == after, f"predicting changes nothing ({form})", f"the state of {learner!r} changed")


def learning_pays_for_the_prediction(case: Case) -> None:
    """`learn_one` returns, bit for bit, what `predict_one` said just before."""
    for form in case.forms():
        learner = case.make()
        for t, x in enumerate(case.ones(form)):
            if learner.n is None and form == "csr" and isinstance(x, tuple):
                continue
            said, paid = learner.predict_one(x), learner.learn_one(x, case.y[t], case.weight[t])
            promise = f"learn_one pays for what predict_one said ({form}, round {t})"
            demand(same(said, paid), promise, f"{said!r}, {paid!r}")


def many_is_the_loop_of_one(case: Case) -> None:
    """`learn_many` is bit for bit the loop of `learn_one`: predictions, weights, ledger, averages, all of the state."""
    for form in case.forms():
        for weight in (None, case.weight):
            one, many = case.make(), case.make()
            given = np.ones(len(case.y)) if weight is None else weight
            p = [one.learn_one(x, case.y[t], given[t]) for t, x in enumerate(case.ones(form))]
            q = many.learn_many(case.many(form), case.y, weight)
            promise = f"learn_many is the loop of learn_one ({form}, {'no weights' if weight is None else 'weights'})"
            wrong = next((t for t in range(len(p)) if not same(p[t], q[t])), None)
            demand(wrong is None, promise, "" if wrong is None else f"round {wrong}: {p[wrong]!r}, {q[wrong]!r}")
            demand(fingerprint(one) == fingerprint(many), promise, "the same predictions, but different states")
            ahead, behind = many.predict_many(case.many(form)), [many.predict_one(x) for x in case.ones(form)]
            demand(same(ahead, behind), f"predict_many is the loop of predict_one ({form})", "different predictions")


def batches_may_be_cut_anywhere(case: Case) -> None:
    """Learning a stream in one batch or in several is the same, bit for bit."""
    for form in case.forms():
        whole, cut = case.make(), case.make()
        whole.learn_many(case.many(form), case.y, case.weight)
        for start, stop in [(0, 1), (1, 1), (1, 19), (19, len(case.y))]:
            part = slice(start, stop)
            cut.learn_many(case.many(form, case.X[part]), case.y[part], case.weight[part])
        demand(fingerprint(whole) == fingerprint(cut), f"a stream may be cut anywhere ({form})", "different states")


def _saved(learner: Any) -> Any:
    parts: list[Any] = [type(part) for part in (learner, learner.loss, learner.domain, learner.geometry, learner.rate)]
    functions = [getattr(learner, name, None) for name in ("psi", "decode", "cost")]
    parts += [function for function in functions if inspect.isfunction(function)]
    with tempfile.TemporaryDirectory() as folder:
        learner.save(Path(folder, "learner"))
        return load(Path(folder, "learner"), parts=parts)


COPIES = {
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "pickle": pickled,
    "save and load": _saved,
}


def copies_go_on_bit_for_bit(case: Case) -> None:
    """A learner that was copied, pickled, or saved and loaded goes on as if nothing had been, apart from its copy."""
    half = len(case.y) // 2
    for form in case.forms():
        whole = case.learnt(form)
        ahead = whole.predict_many(case.many(form))
        for how, copied in COPIES.items():
            for rounds in (0, half):
                first = case.make()
                if rounds:
                    first.learn_many(case.many(form, case.X[:rounds]), case.y[:rounds], case.weight[:rounds])
                before, second = fingerprint(first), copied(first)
                demand(type(second) is type(first), f"{how} keeps the class", f"{type(second).__name__}")
                demand(fingerprint(second) == before, f"{how} keeps the whole state ({form})", "a different state")
                second.learn_many(case.many(form, case.X[rounds:]), case.y[rounds:], case.weight[rounds:])
                apart = fingerprint(first) == before
                demand(apart, f"{how} gives a learner apart ({form})", "the first one changed too")
                again = fingerprint(second) == fingerprint(whole) and same(second.predict_many(case.many(form)), ahead)
                promise = f"{how} after {rounds} rounds goes on bit for bit ({form})"
                demand(again, promise, f"{second!r} differs from {whole!r}")


def forms_agree(case: Case) -> None:
    """Arrays, sparse rows and events give the same predictions, up to the order of a sum."""
    first, *others = (form for form in case.forms() if form != "dict" or not case.hashed)
    expected = case.make().learn_many(case.many(first), case.y, case.weight)
    for form in others:
        p = case.make().learn_many(case.many(form), case.y, case.weight)
        off = float(np.max(np.abs(p - expected) / (1.0 + np.abs(expected))))
        demand(off <= CLOSE, f"{form} and {first} rows give the same predictions", f"they differ by {off:.3g}")


def new_features_may_appear(case: Case) -> None:
    """A feature never seen before is learnt when it comes, if the learner takes features by and by."""
    if not case.growing:
        return
    learner, label = case.learnt("dict"), case.y[0]
    learner.learn_one({"f0": 1.0, "brand new": 1.0, "city": "Rome"}, label)
    named = learner.named_weights()
    demand({"brand new", "city=Rome"} <= set(named), "new features are known once learnt", f"{sorted(named)}")
    learner = case.learnt("csr")
    learner.learn_one(([case.width + 3], [1.0]), label)
    demand(len(learner.weights) == case.width + 4, "new positions are known once learnt", f"{len(learner.weights)}")


def empty_rows_and_batches(case: Case) -> None:
    """A batch of no rows changes no number; a row of no features predicts the intercept."""
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
        p = learner.predict_one(x)
        demand(p == learner.intercept, f"an empty row predicts the intercept ({form})", f"{p!r}, {learner.intercept!r}")
        if case.kind != "wealth":
            p = learner.learn_one(x, case.y[0])
            demand(math.isfinite(p) and bool(np.isfinite(learner.weights).all()), "an empty row is learnt", f"{p!r}")


def scales_stay_finite(case: Case) -> None:
    """Features times 1e6 or 1e-6 give finite weights, or a clear error with the state as before."""
    for scale in (1e6, 1e-6):
        learner = case.make()
        for t, x in enumerate(case.many("csr", scale * case.X)[[t]] for t in range(len(case.y))):
            before = fingerprint(learner)
            try:
                p = learner.learn_one(x, case.y[t])
            except (ValueError, OverflowError) as error:  # the latter from a loss written in Python
                clear = "rescale" in str(error) or isinstance(error, OverflowError)
                demand(clear, f"features × {scale:g}: an error says what to do", f"{error}")
                demand(fingerprint(learner) == before, "what is not learnt leaves no trace", f"round {t}")
                break
            fine = math.isfinite(p) and bool(np.isfinite(learner.weights).all())
            demand(fine, f"features × {scale:g}: weights stay finite", f"p = {p!r} in round {t}, {learner.weights}")


def weight_zero_is_no_lesson(case: Case) -> None:
    """An example of weight 0 counts as a round, and changes neither the loss nor the weights."""
    learner = case.learnt(case.forms()[0])
    weights, ledger = learner.weights, learner.ledger.as_dict() if learner.ledger else {}
    learner.learn_many(case.many(case.forms()[0]), case.y, np.zeros(len(case.y)))
    for name in ("weight", "loss", "A", "G", "squares2", "squares_inf") if ledger else ():
        now = getattr(learner.ledger, name)
        demand(same(now, ledger[name]), f"weight 0 leaves the ledger's {name}", f"{ledger[name]!r} became {now!r}")
    # Shrinking (l2) and lazy steps whose rate goes by the clock move the weights without any lesson.
    timed = isinstance(learner, FollowTheRegularizedLeader) and not isinstance(learner.rate, Constant | Adaptive)
    if not timed and not getattr(learner, "l2", 0.0):
        off = float(np.max(np.abs(learner.weights - weights)))
        most = CLOSE * (1.0 + float(np.max(np.abs(weights))))
        demand(off <= most, "weight 0 leaves the weights", f"a move of {off:.3g}")


def labels_of_two_classes(case: Case) -> None:
    """0, 1 and booleans mean -1 and +1."""
    if case.kind != "classification":
        return
    form = case.forms()[0]
    expected = fingerprint(case.learnt(form))
    for labels in ((case.y > 0).astype(int), case.y > 0, case.y.astype(np.int8), (case.y > 0).tolist()):
        learner = case.make()
        learner.learn_many(case.many(form), labels, case.weight)
        demand(fingerprint(learner) == expected, "0/1 and booleans mean -1/+1", f"labels {labels!r} gave another state")
        learner = case.make()
        for t, x in enumerate(case.ones(form)):
            learner.learn_one(x, labels[t], case.weight[t])
        demand(fingerprint(learner) == expected, "0/1 and booleans mean -1/+1", f"labels {labels!r}, one by one")


def weights_by_name(case: Case) -> None:
    """`named_weights` and `weights` are the same numbers, p is their sum over the row; the last iterate predicts it."""
    for form in case.forms():
        learner = case.learnt(form)
        weights, named = learner.weights, learner.named_weights()
        if form == "dict" and case.hashed:
            continue
        x = case.ones(form)[0]
        p = learner.predict_one(x)
        shares = [named[k] * v for k, v in x.items()] if form == "dict" else weights[: case.known] * case.X[0]
        expected = learner.intercept + float(np.sum(shares))
        demand(math.isclose(p, expected, rel_tol=CLOSE, abs_tol=CLOSE), f"p = ⟨w, x⟩ ({form})", f"{p!r}, {expected!r}")
        last = learner.last()
        demand(same(last.weights, weights), "last() has the weights of the learner", f"{last.weights}, {weights}")
        # last() holds w = c·v multiplied out: another rounding.
        off = np.max(np.abs(last.predict_many(case.many(form)) - learner.predict_many(case.many(form))))
        demand(off <= CLOSE * (1.0 + abs(p)), f"last() predicts as the learner ({form})", f"{off!r}")
        if case.growing and form != "dense":
            x = {"never seen": 1.0} if form == "dict" else ([case.width + 9], [1.0])
            p, q = learner.predict_one(x), last.predict_one(x)
            near = math.isclose(p, q, rel_tol=CLOSE, abs_tol=CLOSE)
            demand(near, f"last() predicts new features as the learner ({form})", f"{q!r}, {p!r}")


CHECKS = [
    predicting_changes_nothing, learning_pays_for_the_prediction, many_is_the_loop_of_one, batches_may_be_cut_anywhere,
    copies_go_on_bit_for_bit, forms_agree, new_features_may_appear, empty_rows_and_batches, scales_stay_finite,
    weight_zero_is_no_lesson, labels_of_two_classes, weights_by_name,
]  # fmt: skip
