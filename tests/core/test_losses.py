"""Every loss is convex, its slope is its derivative and a subgradient, and it agrees with NumPy."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretful as rg

from .loss_cases import CASES, away_from_kinks, predictions

every = pytest.mark.parametrize("name", CASES)
fractions = st.floats(0.0, 1.0)


def drawn(case, fraction):
    """The prediction at this fraction of the case's range."""
    return case.low + fraction * (case.high - case.low)


@every
def test_value_and_slope_agree_with_numpy(name):
    case = CASES[name]
    for y in case.labels:
        for p in [*predictions(case), *(kink for kink in case.kinks(y))]:
            # A few roundings of numbers of size e^4 at most.
            assert case.loss.value(p, y) == pytest.approx(float(case.plain.value(p, y)), rel=1e-13, abs=1e-14)
            if p not in case.kinks(y):
                assert case.loss.slope(p, y) == pytest.approx(float(case.plain.slope(p, y)), rel=1e-13, abs=1e-14)


@every
def test_the_slope_is_the_derivative_away_from_kinks(name):
    case, h = CASES[name], 1e-5
    for y in case.labels:
        p = away_from_kinks(case, predictions(case), y)
        assert len(p) > 150
        difference = (case.loss.value(p + h, y) - case.loss.value(p - h, y)) / (2 * h)
        # Central differences err by h^2 l'''/6 (3e-7 for -ln p at 0.05, whose slope is 20) and 1e-16 |l|/h.
        np.testing.assert_allclose(difference, case.loss.slope(p, y), rtol=1e-6, atol=1e-8)


@every
@given(a=fractions, b=fractions, t=fractions)
def test_the_slope_is_a_subgradient_and_the_loss_is_convex(name, a, b, t):
    case = CASES[name]
    p, q = drawn(case, a), drawn(case, b)
    for y in case.labels:
        at_p, at_q = case.loss.value(p, y), case.loss.value(q, y)
        slack = 1e-12 * (1 + abs(at_p) + abs(at_q))  # rounding
        assert at_q >= at_p + case.loss.slope(p, y) * (q - p) - slack
        assert case.loss.value(t * p + (1 - t) * q, y) <= t * at_p + (1 - t) * at_q + slack


@every
def test_the_slope_at_a_kink_is_a_subgradient(name):
    case = CASES[name]
    for y in case.labels:
        for kink in case.kinks(y):
            s, at_kink = case.loss.slope(kink, y), case.loss.value(kink, y)
            for q in predictions(case):
                assert case.loss.value(q, y) >= at_kink + s * (q - kink) - 1e-12


def test_conventions_at_the_kinks():
    assert rg.Absolute().slope(2.0, 2.0) == 0
    assert rg.Quantile(0.9).slope(2.0, 2.0) == 0
    assert rg.Hinge().slope(1.0, 1) == 0
    assert rg.Hinge(0.0).slope(0.0, 1) == -1  # the perceptron counts 0 as a mistake
    assert rg.Hinge(0.0).slope(0.0, -1) == 1


@every
def test_scalars_and_arrays_agree_to_the_bit(name):
    case = CASES[name]
    p = predictions(case, 60).reshape(3, 20)
    for y in case.labels:
        for method in (case.loss.value, case.loss.slope):
            together = method(p, y)
            assert together.shape == p.shape
            np.testing.assert_array_equal(together, [[method(float(q), y) for q in row] for row in p])
            assert np.ndim(method(float(p[0, 0]), y)) == 0
    labels = np.resize(case.labels, 20)
    np.testing.assert_array_equal(
        case.loss.value(p, labels),
        [[case.loss.value(q, y) for q, y in zip(row, labels, strict=True)] for row in p],
    )


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.classification])
def test_labels_of_classification_losses_have_three_spellings(name):
    loss = CASES[name].loss
    for p in (-2.0, -0.3, 0.0, 0.4, 1.7):
        for method in (loss.value, loss.slope, lambda p, y, loss=loss: loss.implicit_slope(p, y, 0.5)):
            assert method(p, 1) == method(p, True) == method(p, 1.0)
            assert method(p, -1) == method(p, 0) == method(p, False)


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.classification])
@pytest.mark.parametrize("label", [2, -0.5, float("nan")])
def test_an_unknown_label_is_refused(name, label):
    with pytest.raises(ValueError, match="label"):
        rg.GradientDescent(CASES[name].loss, 0.1).learn_one(np.array([1.0, 2.0]), label)


@pytest.mark.filterwarnings("error")
def test_the_logistic_loss_at_extremes():
    loss, p = rg.Logistic(), np.array([-1000.0, -745.0, -40.0, 40.0, 745.0, 1000.0])
    # ln(1 + e^z) is z + e^-z for large z and e^z for very negative z; e^-745 is the last positive double.
    np.testing.assert_allclose(loss.value(p, 1), [1000, 745, 40, np.exp(-40), np.exp(-745), 0], rtol=1e-15, atol=5e-324)
    np.testing.assert_allclose(loss.slope(p, 1), [-1, -1, -1, -np.exp(-40), -np.exp(-745), 0], rtol=1e-14, atol=5e-324)
    np.testing.assert_array_equal(loss.value(-p, -1), loss.value(p, 1))
    assert abs(loss.implicit_slope(-1000.0, 1, 3.0)) == pytest.approx(1.0, rel=1e-15)
    assert loss.implicit_slope(1000.0, 1, 3.0) == 0.0


@pytest.mark.filterwarnings("error")
@every
def test_perfect_predictions_cost_nothing_to_speak_of(name):
    case = CASES[name]
    if case.classification:
        perfect = [(1000.0 * y, y, 0.0) for y in case.labels]
    elif name == "poisson":
        perfect = [(np.log(y), y, y - y * np.log(y)) for y in case.labels if y > 0]
    elif name == "logwealth":
        perfect = [(1.0, None, 0.0)]
    else:
        perfect = [(y, y, 0.0) for y in case.labels]
    for p, y, least in perfect:
        assert case.loss.value(p, y) == pytest.approx(least, abs=1e-15)
        if name != "logwealth":  # its slope at 1 is -1: there is no perfect fortune
            assert case.loss.slope(p, y) == pytest.approx(0.0, abs=1e-14)  # e^(ln y) rounds
            assert case.loss.implicit_slope(p, y, 2.0) == pytest.approx(0.0, abs=1e-14)


def test_log_wealth_needs_no_label():
    loss = rg.LogWealth()
    assert loss.value(2.0, None) == pytest.approx(-np.log(2.0), rel=1e-15)
    assert loss.slope(2.0, None) == -0.5


@every
def test_losses_survive_pickle_and_copy(name):
    case = CASES[name]
    p = predictions(case)
    for twin in (pickle.loads(pickle.dumps(case.loss)), copy.copy(case.loss), copy.deepcopy(case.loss)):
        assert type(twin) is type(case.loss)
        for y in case.labels:
            np.testing.assert_array_equal(twin.value(p, y), case.loss.value(p, y))
            np.testing.assert_array_equal(twin.slope(p, y), case.loss.slope(p, y))


@pytest.mark.parametrize(
    ("make", "value"),
    [
        *((rg.Quantile, tau) for tau in (-0.1, 1.1, float("nan"))),
        *((rg.Huber, delta) for delta in (0.0, -1.0, float("nan"))),
        *((rg.EpsilonInsensitive, epsilon) for epsilon in (-0.1, float("nan"), float("inf"))),
        *((rg.Hinge, margin) for margin in (-1.0, float("nan"), float("inf"))),
        *((rg.SquaredHinge, margin) for margin in (-1.0, float("nan"), float("inf"))),
    ],
)
def test_parameters_without_sense_are_refused(make, value):
    with pytest.raises(ValueError, match=r"tau|delta|epsilon|margin"):
        make(value)
