"""Threads: calls on one learner take turns, bulk calls run at once, and a part that calls its learner gets an error."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import regretful as rg


def stream(rows, n=20):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(rows, n))
    return X, np.sign(X @ rng.normal(size=n))


def together(*tasks):
    """Run the tasks at once; what they raise is raised."""
    barrier = threading.Barrier(len(tasks))

    def run(task):
        barrier.wait(10)
        return task()

    with ThreadPoolExecutor(len(tasks)) as pool:
        return [future.result(60) for future in [pool.submit(run, task) for task in tasks]]


def test_calls_on_one_learner_take_turns():
    X, y = stream(2000)
    learner = rg.GradientDescent(rg.Logistic(), 0.05, keep=("average", "random"))
    events = [{f"f{i}": float(value) for i, value in enumerate(row)} for row in X[:500]]

    def one_by_one():
        for event, label in zip(events, y, strict=False):
            learner.learn_one(event, label)

    def in_bulk():
        for start in range(0, 500, 50):
            learner.learn_many(events[start : start + 50], y[start : start + 50])

    def looking():
        for event in events:
            assert np.isfinite(learner.predict_one(event))
            assert len(learner.average().weights) <= 20
            learner.weights  # noqa: B018

    together(one_by_one, one_by_one, in_bulk, looking)
    assert learner.rounds == learner.ledger.rounds == 1500
    # A weight for each name, and an account in which every round stands once.
    assert learner.n == 20
    assert learner.ledger.squares2 <= 3 * (X[:500] ** 2).sum() * (1 + 1e-12)
    w = np.array([learner.named_weights()[f"f{i}"] for i in range(20)])
    np.testing.assert_allclose(w, -0.05 * learner.ledger.G[[learner_index(learner, i) for i in range(20)]], rtol=1e-9)


def learner_index(learner, i):
    return list(learner.named_weights()).index(f"f{i}")


def test_new_names_from_many_threads_get_one_weight_each():
    learner = rg.Perceptron()

    def learn(names):
        for name in names:
            learner.learn_one({name: 1.0}, 1)

    names = [f"n{i}" for i in range(300)]
    together(*(lambda part=names[k:] + names[:k]: learn(part) for k in (0, 100, 200)))
    assert sorted(learner.named_weights()) == sorted(names)
    # The first of the three visits to a name is a mistake, the others are not.
    assert set(learner.named_weights().values()) == {1.0}
    assert learner.ledger.mistakes == 300


def test_a_bulk_call_lets_other_threads_run():
    """With the interpreter's turns a minute apart, a counter can only count while learn_many has let go."""
    import sys

    X, y = stream(200_000)
    learner, counted, done = rg.GradientDescent(rg.Logistic(), 0.01), [], threading.Event()

    def count():
        while not done.is_set():
            counted.append(time.perf_counter())
            time.sleep(0)

    old = sys.getswitchinterval()
    thread = threading.Thread(target=count)
    try:
        sys.setswitchinterval(60)
        thread.start()
        begin = time.perf_counter()
        learner.learn_many(X, y)
        end = time.perf_counter()
        done.set()
        thread.join(10)
    finally:
        done.set()
        sys.setswitchinterval(old)
    inside = sum(begin < moment < end for moment in counted)
    assert inside > 20  # one at least for most blocks


def test_bulk_calls_on_different_learners_give_what_they_give_alone():
    X, y = stream(50_000)
    alone = rg.GradientDescent(rg.Logistic(), 0.01)
    alone.learn_many(X, y)
    crowd = [rg.GradientDescent(rg.Logistic(), 0.01) for _ in range(4)]
    together(*(lambda learner=learner: learner.learn_many(X, y) for learner in crowd))
    for learner in crowd:
        np.testing.assert_array_equal(learner.weights, alone.weights)


class CallsBack(rg.Loss):
    """A loss that asks its learner for a prediction in the middle of a round."""

    learner = None

    def value(self, p, y):
        return (p - y) ** 2

    def slope(self, p, y):
        if type(self).learner is not None:
            type(self).learner.predict_one([1.0])
        return 2 * (p - y)


@pytest.mark.parametrize("bulk", [False, True])
def test_a_loss_that_calls_its_learner_gets_an_error_not_a_deadlock(bulk):
    learner = rg.GradientDescent(CallsBack(), 0.1)
    CallsBack.learner = learner
    try:
        with pytest.raises(RuntimeError, match="called the learner itself in the middle of a round"):
            learner.learn_many([[1.0]], [1.0]) if bulk else learner.learn_one([1.0], 1.0)
        assert learner.rounds == 0
    finally:
        CallsBack.learner = None
    assert learner.learn_one([1.0], 1.0) == 0.0  # and the learner is free again


def test_a_learner_is_free_again_after_an_error():
    learner = rg.Perceptron()
    for bad in ([np.nan], None):
        with pytest.raises((TypeError, ValueError)):
            learner.learn_one(bad, 1)
        with pytest.raises((TypeError, ValueError)):
            learner.predict_many(bad)
    together(lambda: learner.learn_one([1.0], 1))
    assert learner.rounds == 1
