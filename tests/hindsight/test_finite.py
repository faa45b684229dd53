"""The best of finitely many, exact."""

import math

import numpy as np
import pytest

import regretful as rg
from regretful.hindsight import finite


def test_the_sums_are_exact():
    losses = np.array([[1e16, 1.0], [1.0, 1.0], [-1e16, 1.0], [1.0, 1.0]])
    best = finite(losses, names=["wild", "tame"])
    assert best.losses.tolist() == [2.0, 4.0]
    assert (best.best, best.name, best.loss, best.rounds) == (0, "wild", 2.0, 4)
    assert str(best) == "The best of 2, 'wild', lost 2 over 4 rounds."


def test_the_first_of_equals_and_infinite_losses():
    assert finite([[1.0, 0.5, 0.5]]).best == 1
    assert finite([[math.inf, 3.0]]).loss == 3.0


def test_sums_past_the_largest_number_are_infinite():
    best = finite([[1.7e308, 1e308], [1.7e308, 1e308], [0.0, -1.5e308]])
    assert best.losses.tolist() == [math.inf, pytest.approx(0.5e308)]
    assert finite([[1.7e308], [1.7e308]]).loss == math.inf


def test_predictions_and_constants_are_charged():
    y = [0.0, 1.0, 4.0]
    assert finite([0.0, 1.0, 2.0], y, rg.Absolute()).losses.tolist() == [5.0, 4.0, 5.0]
    table = [[0.0, 1.0], [1.0, 1.0], [4.0, 1.0]]
    assert finite(table, y, rg.Squared()).losses.tolist() == [0.0, 10.0]
    assert finite(table, y, rg.Squared(), weight=[1.0, 1.0, 0.5]).losses.tolist() == [0.0, 5.5]
    assert finite([[2.0, 1.0]], None, rg.LogWealth()).best == 0


@pytest.mark.parametrize(
    ("arguments", "more", "error", "message"),
    [
        (([],), {}, ValueError, "two dimensions"),
        ((np.zeros((0, 3)),), {}, ValueError, "the table is empty"),
        (([[1.0, math.nan]],), {}, ValueError, "row 0, predictor 1: nan is not a loss"),
        (([[math.inf], [-math.inf]],), {}, ValueError, "row 1, predictor 0: -inf is not a loss"),
        (([[1.0]],), {"names": ["a", "b"]}, ValueError, "1 predictors and 2 names"),
        (([[1.0]], [1.0]), {}, TypeError, "labels are for predictions"),
        (([1.0], None, rg.Squared()), {}, TypeError, "constants need the labels"),
        (([[1.0, math.inf]], [1.0], rg.Squared()), {}, ValueError, "row 0, predictor 1: inf is not a finite number"),
        (([[1.0]], [2.0], rg.Logistic()), {}, ValueError, "row 0: label 2.0"),
        (([["a"]],), {}, TypeError, "is not a number"),
    ],
)
def test_bad_input(arguments, more, error, message):
    with pytest.raises(error, match=message):
        finite(*arguments, **more)
