"""The conformance suite catches learners that break a promise, each for that promise."""

import copy

import numpy as np
import pytest

import regretful as rg
from regretful import checks


class Peeks(rg.Perceptron):
    """Predicting changes it."""

    def predict_one(self, x):
        self.peeked = getattr(self, "peeked", 0) + 1
        return super().predict_one(x)


class Batches(rg.Perceptron):
    """Learns a batch in another order than the loop."""

    def learn_many(self, X, y=None, weight=None):
        p = self.predict_many(X)
        super().learn_many(X, y, weight)
        return p


class NeverAverages(rg.GradientDescent):
    """Its average is its last iterate."""

    def average(self):
        return self.last()


class SharesItsCopy(rg.Perceptron):
    """A copy is itself."""

    def __deepcopy__(self, memo):
        return self


class Forgets(rg.Perceptron):
    """A pickle forgets what was learnt."""

    def __reduce__(self):
        return Forgets, ()


class LearnsBadInput(rg.Perceptron):
    """Learns what it can of a bad batch."""

    def learn_many(self, X, y=None, weight=None):
        try:
            return super().learn_many(X, y, weight)
        except (TypeError, ValueError):
            self.bad = getattr(self, "bad", 0) + 1
            raise


class Tolerates(rg.Perceptron):
    """Takes NaN for 0."""

    def learn_one(self, x, y=None, weight=1.0):
        if isinstance(x, dict):
            x = {name: 0.0 if value != value else value for name, value in x.items()}
        return super().learn_one(x, y, weight)


class WrongLedger(rg.Perceptron):
    """Its ledger is that of another run."""

    @property
    def ledger(self):
        ledger = copy.copy(super().ledger)
        return type("Ledger", (), {**ledger.as_dict(), "as_dict": lambda self: {**ledger.as_dict(), "A": 99.0}})()


class Strays(rg.GradientDescent):
    """Says it is in a smaller ball than it is."""

    domain = rg.Ball(1e-3)


class Overpays(rg.Perceptron):
    """Returns the prediction after the step."""

    def learn_one(self, x, y=None, weight=1.0):
        super().learn_one(x, y, weight)
        return self.predict_one(x)


BROKEN = {
    "predicting_changes_nothing": lambda: Peeks(),
    "many_is_the_loop_of_one": lambda: Batches(),
    "averages_are_right": lambda: NeverAverages(rg.Logistic(), 0.1, keep=("average",)),
    "copies_go_on_bit_for_bit": lambda: SharesItsCopy(),
    "learning_pays_for_the_prediction": lambda: Overpays(),
    "bad_batches_leave_no_trace": lambda: LearnsBadInput(),
    "bad_rows_leave_no_trace": lambda: Tolerates(),
    "ledger_is_right": lambda: WrongLedger(),
    "weights_stay_in_the_domain": lambda: Strays(rg.Logistic(), 0.1),
}


@pytest.mark.parametrize("check", BROKEN)
def test_a_broken_learner_is_caught_by_the_check_for_it(check):
    with pytest.raises(AssertionError, match=check):
        dict(checks.learner_checks({"broken": BROKEN[check]}))[f"broken: {check}"]()
    with pytest.raises(AssertionError):
        checks.check_learner(BROKEN[check])


def test_a_pickle_that_forgets_is_caught():
    with pytest.raises(AssertionError, match="copies_go_on_bit_for_bit"):
        checks.check_learner(lambda: Forgets())


def test_a_message_says_who_broke_what_with_which_input():
    with pytest.raises(AssertionError) as caught:
        checks.check_learner(Tolerates())
    message = str(caught.value)
    assert "Tolerates(" in message
    assert "bad_rows_leave_no_trace" in message
    assert "in an event" in message


def test_learnt_learners_and_unknown_kinds_are_refused():
    learner = rg.Perceptron()
    learner.learn_one([1.0], 1)
    with pytest.raises(ValueError, match="has not learnt yet"):
        checks.check_learner(learner)
    with pytest.raises(ValueError, match="kind must be one of"):
        checks.check_learner(rg.Perceptron, kind="clicks")


def test_the_fingerprint_tells_states_apart_to_the_last_bit():
    from regretful.checks.examples import fingerprint

    left, right = rg.Perceptron(n=2), rg.Perceptron(n=2)
    for learner, value in ((left, 1.0), (right, np.nextafter(1.0, 2.0))):
        learner.learn_one([value, 0.0], 1)
    assert fingerprint(left) != fingerprint(right)
    assert fingerprint(left) == fingerprint(copy.deepcopy(left))
    assert fingerprint(0.0) != fingerprint(-0.0)
