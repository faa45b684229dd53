"""Input that changes while it is read: a value's `__float__`, or a label's, may do anything. No memory is misread."""

import numpy as np
import pytest

import regretful as rg


class Meddles(float):
    """A number that does something when it is asked for its value."""

    def __new__(cls, value, act):
        made = super().__new__(cls, value)
        made.act = act
        return made

    def __float__(self):
        self.act()
        return 1.0


def learner(**options):
    made = rg.GradientDescent(rg.Squared(), 0.01, **options)
    made.learn_one({"a": 1.0, "b": 2.0}, 1.0)
    return made


def restless(act):
    """An event with a number in its middle that acts on the event itself; no name of it is known elsewhere."""
    event = {}
    for place in range(6):
        event["".join(["name", str(place)])] = Meddles(2.0, lambda: act(event)) if place == 2 else float(place)
    return event


def replace(event):
    event.clear()
    event.update({f"other{i}": float(i) for i in range(50)})


ACTS = {
    "clears itself": dict.clear,
    "grows": lambda event: event.update({f"more{i}": 1.0 for i in range(500)}),
    "is replaced": replace,
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("features", [None, rg.Hashing(4)], ids=repr)
def test_an_event_that_changes_while_it_is_read(act, features):
    for _ in range(20):
        made = learner(features=features)
        made.learn_one(restless(ACTS[act]), 1.0)
        made.learn_many([{"a": 1.0}, restless(ACTS[act]), {"b": 1.0}], [1.0, 1.0, 1.0])
        assert made.rounds == 5
        assert np.isfinite(made.weights).all()


@pytest.mark.parametrize("act", [list.clear, lambda rows: rows.extend([{"c": 1.0}] * 10_000)], ids=["clears", "grows"])
def test_a_list_of_events_that_changes_while_it_is_read(act):
    rows = [{"a": 1.0}] * 100
    rows[3] = {"a": Meddles(1.0, lambda: act(rows))}
    assert learner().learn_many(rows, np.ones(100)).shape == (100,)


def test_labels_that_change_the_batch():
    rows = [{"a": 1.0}] * 100

    class Labels:
        def __array__(self, dtype=None, copy=None):
            rows.clear()
            return np.ones(100)

    assert learner().learn_many(rows, Labels()).shape == (100,)


def test_a_value_that_calls_the_learner():
    made = learner()
    for call in (lambda: made.predict_one({"a": 1.0}), lambda: made.learn_one({"a": 1.0}, 1.0), lambda: made.weights):
        with pytest.raises(RuntimeError, match="in the middle of a round"):
            made.learn_one({"a": Meddles(1.0, call)}, 1.0)
    assert made.rounds == 1
