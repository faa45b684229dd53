"""Bad input, of every sort: a learner must refuse it, say where it stands, and be as it was before."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from regretful.checks.examples import LABELS, Case, demand, event, fingerprint

NAN, INF = math.nan, math.inf
Bad = tuple[str, tuple[Any, ...], tuple[str, ...]]  # what it is, the arguments, the words that the error must hold


def refused(learner: Any, method: str, bad: Bad) -> None:
    """Demand an error with the right words, and the state as before."""
    what, arguments, words = bad
    before = fingerprint(learner)
    try:
        gave = getattr(learner, method)(*arguments)
    except (ValueError, TypeError) as error:
        missing = [word for word in words if word not in str(error)]
        demand(not missing, f"{method} of {what}: the error names what is wrong", f"{error} (no {', '.join(missing)})")
    except Exception as error:
        demand(False, f"{method} of {what} raises a ValueError or TypeError", repr(error))
    else:
        demand(False, f"{method} refuses {what}", f"it gave {gave!r}")
    demand(fingerprint(learner) == before, f"{method} of {what} leaves no trace", f"{learner!r} changed")


def bad_dense_row(case: Case) -> Iterator[Bad]:
    """One dense row gone wrong."""
    row, y = case.full(case.X)[0], LABELS[case.kind]
    for wrong in (NAN, INF, -INF, None, "red", 1j):
        x = row.tolist()
        x[1] = wrong
        yield f"{wrong!r} in a row", (x, y), () if isinstance(wrong, complex) else ("feature 1", repr(wrong))
    yield "a number too large to square", (np.where(np.arange(len(row)) == 1, 1e200, row), y), ("feature",)
    yield "a short row", (row[:-1], y), (f"{len(row)} features",)
    yield "a row of two dimensions", (row[None, :], y), ("one dimension", "learn_many")
    yield "no row at all", (3.0, y), ("not an example",)


def bad_pair(case: Case) -> Iterator[Bad]:
    """One (indices, values) pair gone wrong."""
    y = LABELS[case.kind]
    yield "a negative index", (([0, -1], [1.0, 1.0]), y), ("-1", "out of range")
    yield "a repeated index", (([1, 0, 1], [1.0, 1.0, 1.0]), y), ("feature 1", "more than once")
    yield "indices that are not whole", (([0.5], [1.0]), y), ("whole numbers",)
    yield "more indices than values", (([0, 1], [1.0]), y), ("same length",)
    yield "NaN in a pair", (([0, 1], [1.0, NAN]), y), ("feature 1", "nan")
    yield "a string in a pair", (([0, 1], [1.0, "red"]), y), ("'red'",)
    if not case.growing:
        yield "an index out of range", (([case.width], [1.0]), y), (str(case.width), "out of range")
    else:
        yield "an index beyond all", (([2**40], [1.0]), y), ("feature",)


def bad_event(case: Case) -> Iterator[Bad]:
    """One event gone wrong; a new name before the bad one must be forgotten too."""
    y = LABELS[case.kind]
    good = {"f0": 1.0} if not case.growing else {"f0": 1.0, "new": 1.0, "city": "new"}
    for wrong in (NAN, INF, None, [1.0], b"red", 1j, 10**400):
        yield f"{type(wrong).__name__} in an event", ({**good, "f1": wrong}, y), ("'f1'",)
    yield "a number too large to square", ({**good, "f1": 1e200}, y), ("large",)
    yield "a name that is not a string", ({**good, 3: 1.0}, y), ("names are strings", "3")
    yield "a list of events", ([good], y), ()


def bad_round(case: Case) -> Iterator[Bad]:
    """A good row with a label or a weight that makes no sense."""
    x = case.ones(case.forms()[0])[0]
    y = LABELS[case.kind]
    if case.kind != "wealth":
        labels = [None, NAN, INF, "yes", [1.0], 1j]
        labels += [2.0, 0.5, -2] if case.kind == "classification" else [-1.0] if case.kind == "counts" else []
        for label in labels:
            yield f"the label {label!r}", (x, label), ("label",)
    for weight in (-1.0, NAN, INF):
        yield f"the weight {weight!r}", (x, y, weight), ("weight", repr(weight))
    yield "a weight that is no number", (x, y, "heavy"), ()


def _put(X: np.ndarray, wrong: Any) -> np.ndarray:
    X = X.astype(object) if wrong is None or isinstance(wrong, str) else X.copy()
    X[3, 2 % X.shape[1]] = wrong
    return X


def bad_batch(case: Case) -> Iterator[Bad]:
    """Ten rows of which row 3 is bad, in every form the learner takes; labels and weights too."""
    X, y = case.X[:10], case.y[:10]
    where = f"feature {2 % case.known}"
    if "dense" in case.forms():
        full = case.full(X)
        for wrong in (NAN, INF, 1e200, None, "red"):
            yield f"{wrong!r} in an array", (_put(full, wrong), y), ("row 3", where)
        yield "a ragged list", ([*full[:3].tolist(), full[3, :-1].tolist(), full[4].tolist()], y[:5]), ("row 3",)
        yield "narrower rows than before", (full[:, :-1], y), (f"{case.width} features",)
        yield "one row", (full[0], y), ("two dimensions",)
        yield "complex numbers", (full + 1j, y), ("real",)


def bad_sparse_batch(case: Case) -> Iterator[Bad]:
    """The same for sparse rows."""
    from scipy.sparse import csr_array

    X, y = case.X[:10], case.y[:10]
    for wrong in (NAN, INF, 1e200):
        row = case.many("csr", _put(X, wrong))
        yield f"{wrong!r} in a sparse row", (row, y), ("row 3", f"feature {2 % case.known}")
    for dtype in (np.int32, np.int64):
        for what, indices in {"out of range": [0, case.width], "more than once": [1, 1]}.items():
            bad = csr_array((np.ones(5), np.zeros(5, dtype), np.array([0, 1, 2, 3, 5], dtype)), shape=(4, case.width))
            bad.indices[3:] = indices
            yield f"an index {what} ({dtype.__name__})", (bad, y[:4]), ("row 3", what)


def bad_events(case: Case) -> Iterator[Bad]:
    """The same for events."""
    good, y = [event(row) for row in case.X[:10]], case.y[:10]
    fresh = {"new": 1.0} if case.growing else {}
    for wrong in (NAN, INF, None, [1.0]):
        batch = [*good[:3], {**fresh, "f1": wrong}, *good[4:]]
        yield f"{wrong!r} in an event", (batch, y), ("row 3", "'f1'")
    yield "an event that is none", ([*good[:3], 5.0], y[:4]), ("row 3",)


def bad_labels(case: Case) -> Iterator[Bad]:
    """Good rows with bad labels and weights."""
    X, y = case.many(case.forms()[0], case.X[:10]), case.y[:10]
    yield "too few labels", (X, y[:9]), ("10 rows", "9")
    yield "labels of two dimensions", (X, y[:, None]), ("one dimension",)
    if case.kind != "wealth":
        for wrong in (NAN, INF, 2.0) if case.kind == "classification" else (NAN, INF):
            yield f"the label {wrong!r}", (X, np.where(np.arange(10) == 3, wrong, y)), ("row 3", "label")
        for label in (None, "yes"):
            yield f"the label {label!r}", (X, [*y[:3], label, *y[4:]]), ("row 3",)
        yield "no labels", (X,), ("needs labels",)
    for wrong in (NAN, INF, -1.0):
        yield f"the weight {wrong!r}", (X, y, np.where(np.arange(10) == 3, wrong, 1.0)), ("row 3", "weight")
    yield "too few weights", (X, y, np.ones(9)), ("weight",)


ROWS = {"dense": bad_dense_row, "csr": bad_pair, "dict": bad_event}
BATCHES = {"dense": bad_batch, "csr": bad_sparse_batch, "dict": bad_events}


def bad_rows_leave_no_trace(case: Case) -> None:
    """A bad row is refused by learn_one and predict_one, before the first round and after some, and leaves no trace."""
    for form in case.forms():
        for learner in (case.make(), case.learnt(form, 12)):
            for bad in ROWS[form](case):
                if learner.rounds == 0 and ("features" in str(bad[2]) or learner.n is None):
                    continue  # the first row says how long rows are
                refused(learner, "learn_one", bad)
                if "beyond" not in bad[0]:
                    refused(learner, "predict_one", (bad[0], bad[1][:1], ()))


def bad_batches_leave_no_trace(case: Case) -> None:
    """One bad row anywhere, and nothing of the batch is learnt; the error names the row and the feature."""
    for form in case.forms():
        for rounds in (0, 12):
            learner = case.learnt(form, rounds) if rounds else case.make()
            for bad in BATCHES[form](case):
                if rounds == 0 and "than before" in bad[0]:
                    continue
                refused(learner, "learn_many", bad)
                refused(learner, "predict_many", (bad[0], bad[1][:1], bad[2]))


def bad_labels_leave_no_trace(case: Case) -> None:
    """Labels and weights that make no sense are refused, and leave no trace."""
    for rounds in (0, 12):
        learner = case.learnt(case.forms()[0], rounds) if rounds else case.make()
        for bad in bad_round(case):
            refused(learner, "learn_one", bad)
        for bad in bad_labels(case):
            refused(learner, "learn_many", bad)


def names_and_positions_do_not_mix(case: Case) -> None:
    """A learner of names refuses positions, and the other way round."""
    if case.sized:
        return
    y = LABELS[case.kind]
    words = ("by name", "by position")
    learner = case.learnt("csr", 12)
    refused(learner, "learn_one", ("an event after arrays", ({"f0": 1.0}, y), words))
    refused(learner, "learn_many", ("events after arrays", ([{"f0": 1.0}], [y or 0.0]), words))
    learner = case.learnt("dict", 12)
    refused(learner, "learn_one", ("an array after events", (([0], [1.0]), y), words))
    refused(learner, "learn_many", ("arrays after events", (case.many("csr"), case.y), words))


CHECKS = [
    bad_rows_leave_no_trace, bad_batches_leave_no_trace, bad_labels_leave_no_trace, names_and_positions_do_not_mix,
]  # fmt: skip
