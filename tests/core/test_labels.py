"""Labels of any kind: they come, they are saved, they are refused; and many threads at once."""

import copy
import enum
import pickle
import threading
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import regretful as rg
from regretful.checks.examples import fingerprint

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


KINDS = {
    "strings": ["a", "b"], "ints": [3, -7], "floats": [0.5, 2.5], "bools": [True, False], "bytes": [b"x", b""],
    "tuples": [("a", 1), ("a", (2, b"z"))], "huge": [10**40, 1], "mixed": ["a", 1, 2.5, ("t",)],
}  # fmt: skip


def learner(**options):
    return rg.MulticlassGradientDescent(rg.Softmax(), 0.3, **options)


@pytest.mark.parametrize("kind", KINDS)
def test_labels_of_any_kind_are_learnt_predicted_and_saved(kind, tmp_path):
    labels = KINDS[kind]
    y = [labels[k % len(labels)] for k in range(60)]
    one = learner()
    first = one.learn_many(X, y)
    assert first[0] is None
    assert set(one.predict_many(X).tolist()) <= set(labels)
    assert one.labels == tuple(labels)
    one.save(tmp_path / "model")
    again = rg.load(tmp_path / "model")
    assert again.labels == one.labels
    assert [type(label) for label in again.labels] == [type(label) for label in labels]
    assert fingerprint(again) == fingerprint(one)


@pytest.mark.parametrize("labels", [list(Colour), [frozenset({1}), frozenset()], [Fraction(1, 3), Fraction(2, 3)]])
def test_other_labels_can_be_pickled_and_copied_but_not_saved(labels, tmp_path):
    one = learner()
    one.learn_many(X, [labels[k % 2] for k in range(60)])
    for twin in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one)):
        assert twin.predict_many(X).tolist() == one.predict_many(X).tolist()
        assert fingerprint(twin) == fingerprint(one)
    with pytest.raises(TypeError, match="cannot be saved: labels in a file are numbers, strings, bytes and tuples"):
        one.save(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "wrap",
    [list, tuple, np.array, lambda y: np.array(y, dtype=object), pd.Series, pl.Series, pa.array, pd.Categorical, iter],
    ids=["list", "tuple", "array", "objects", "pandas", "polars", "arrow", "categorical", "iterator"],
)
def test_labels_come_in_whatever_holds_them(wrap):
    y = ["b", "a", "c"] * 20
    one, other = learner(), learner()
    one.learn_many(X, y)
    other.learn_many(X, wrap(y))
    assert fingerprint(one) == fingerprint(other)


def test_numbers_of_numpy_are_the_numbers_they_hold():
    one = learner()
    one.learn_one([1.0], np.int64(3))
    one.learn_one([1.0], np.str_("a"))
    one.learn_one([1.0], np.float32(0.5))
    assert [type(label) for label in one.labels] == [int, str, float]
    one.learn_many([[1.0]], np.array([3], np.uint8))
    assert one.labels == (3, "a", 0.5)


def test_predictions_are_arrays_of_the_labels_type():
    one = learner(labels=("a", "bcd"))
    assert one.predict_many(X).dtype.kind == "U"
    assert learner(labels=(1, 2)).predict_many(X).dtype == np.int64
    assert learner(labels=(1, "a")).predict_many(X).dtype == object
    assert learner(labels=(("a", 1), ("b", 2))).predict_many(X)[0] == ("a", 1)
    assert learner().predict_many(X).tolist() == [None] * 60
    assert learner().predict_one(X[0]) is None
    assert learner().scores(X[0]) == {}
    assert learner().scores_many(X).shape == (60, 0)


def test_a_label_may_come_at_any_time_and_begins_at_0():
    """Through several changes of the layout; one by one as in a batch, where all are seen beforehand."""
    y = RNG.permutation(40)
    more = RNG.integers(40, size=300)
    Z = RNG.normal(size=(340, 3))
    one, other = (rg.MulticlassPerceptron(keep=("average",)) for _ in range(2))
    for x, label in zip(Z, [*y, *more], strict=True):
        one.learn_one(x, int(label))
    other.learn_many(Z, [*y, *more])
    assert fingerprint(one) == fingerprint(other)
    assert one.weights.shape == (40, 3)
    assert one.ledger.G.shape == (120,)
    np.testing.assert_allclose(one.weights, -one.ledger.G.reshape(3, 40).T, rtol=0, atol=1e-11)


def test_a_round_that_overflows_forgets_its_label_and_keeps_the_rounds_before():
    one, other = (rg.MulticlassGradientDescent(rate=1e103, labels=("a", "b")) for _ in range(2))
    one.learn_one([1e50], "b")
    other.learn_many([[1e50], [1.0]], ["b", "c"])
    with pytest.raises(ValueError, match=r"row 1: .*not finite.*the rows before it were learnt"):
        one.learn_many([[1.0], [1e153], [0.0]], ["c", "d", "e"], [1.0, 1000.0, 1.0])
    assert one.labels == ("a", "b", "c")
    assert fingerprint(one) == fingerprint(other)


def test_accounts_of_shards_add_up_though_one_knows_more_labels():
    whole, halves = learner(labels=("a", "b", "c")), [learner(labels=("a", "b")), learner(labels=("a", "b", "c"))]
    y = ["a", "b"] * 15 + ["a", "b", "c"] * 10
    halves[0].learn_many(X[:30], y[:30])
    halves[1].learn_many(X[30:], y[30:])
    both = halves[0].ledger + halves[1].ledger
    assert (both.rounds, both.labels, both.G.shape) == (60, 3, (9,))
    G = halves[1].ledger.G.reshape(3, 3) + np.pad(halves[0].ledger.G.reshape(3, 2), ((0, 0), (0, 1)))
    np.testing.assert_allclose(both.G, G.ravel(), rtol=0, atol=1e-15)
    assert both.certificate(rg.Ball(1.0)).regret_at_most == pytest.approx(both.A + np.linalg.norm(G), rel=1e-12)
    assert pickle.loads(pickle.dumps(both)).G.tolist() == both.G.tolist()
    assert whole.rounds == 0


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: rg.MulticlassGradientDescent(rg.Hinge()), TypeError, "a loss of scores, such as MulticlassHinge"),
        (lambda: rg.MulticlassGradientDescent(rg.Softmax), TypeError, "a loss of scores"),
        (lambda: learner(domain=rg.Simplex()), ValueError, "must have 0 in it"),
        (lambda: learner(domain=rg.Box(0.1, 0.2)), ValueError, "must have 0 in it"),
        (lambda: learner(domain=rg.Box([0.0], [1.0])), ValueError, "any number of weights"),
        (lambda: learner(ledger=(1,)), ValueError, "True or False"),
        (lambda: learner(labels=("a", None)), TypeError, "a label is missing"),
        (lambda: learner(labels=(["a"],)), TypeError, "not hashable: give a tuple"),
        (lambda: learner(labels=(np.nan,)), ValueError, "not equal to itself"),
        (lambda: rg.MulticlassHinge(-1.0), ValueError, "margin must be finite and at least 0"),
        (lambda: rg.MulticlassHinge().value([1.0, 2.0], 2), ValueError, "2 scores, and none at place 2"),
        (lambda: learner().ask([1.0]), TypeError, "learners of numbers"),
        (lambda: learner(labels=range(5000)).learn_one(([10**6], [1.0]), 1), ValueError, "more than .* weights"),
    ],
)
def test_what_makes_no_sense_is_refused(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_a_slope_of_the_wrong_shape_is_an_error():
    class Wrong(rg.MulticlassLoss):
        def value(self, scores, y):
            return 0.0

        def slope(self, scores, y):
            return [0.0]

    one = rg.MulticlassGradientDescent(Wrong(), labels=("a", "b"))
    before = fingerprint(one)
    with pytest.raises(ValueError, match=r"slope gave the shape \(1,\) for 3 scores"):
        one.learn_one([1.0], "new")
    assert fingerprint(one) == before


def test_threads_take_turns_while_labels_and_features_come():
    one = learner(keep=("average",))
    events = [{f"f{i}": float(value) for i, value in enumerate(row)} for row in X]
    errors = []

    def learning(thread):
        for t, event in enumerate(events):
            one.learn_one({**event, f"g{thread}": 1.0}, f"label {thread} {t % 7}")
            one.learn_many(events[:5], [t % 11] * 5)

    def looking():
        for _ in range(60):
            assert len(one.scores_many(events)) == len(one.predict_many(events)) == 60
            assert one.average().weights.ndim == one.weights.ndim == 2

    def run(task, *arguments):
        try:
            task(*arguments)
        except BaseException as error:
            errors.append(error)

    tasks = [threading.Thread(target=run, args=(learning, k)) for k in range(3)]
    tasks.append(threading.Thread(target=run, args=(looking,)))
    for task in tasks:
        task.start()
    for task in tasks:
        task.join(60)
    assert errors == []
    assert one.rounds == one.ledger.rounds == 3 * 60 * 6
    assert len(one.labels) == 3 * 7 + 11
    assert one.n == 6
    names = one.named_weights()
    for label in one.labels:
        assert set(names[label]) == {"f0", "f1", "f2", "g0", "g1", "g2"}
    G = one.ledger.G.reshape(one.n, len(one.labels)).T
    np.testing.assert_allclose(one.weights, -0.3 * G, rtol=0, atol=1e-11)
