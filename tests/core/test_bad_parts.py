"""Settings and parts that make no sense: an error that says what would work, and no trace in the learner."""

import math

import numpy as np
import pytest

import regretful as rg
from regretful.checks.examples import fingerprint

X, Y = np.random.default_rng(0).normal(size=(5, 3)), np.ones(5)


def squared(p, y):
    return (p - y) ** 2


def slope(p, y):
    return 2 * (p - y)


def loss(value=squared, slope=slope):
    methods = {"value": lambda self, p, y: value(p, y), "slope": lambda self, p, y: slope(p, y)}
    return type("MyLoss", (rg.Loss,), methods)()


def rate(at):
    return type("MyRate", (rg.Rate,), {"at": lambda self, t: at(t)})()


def domain(project):
    return type("MyDomain", (rg.Domain,), {"project": lambda self, w: project(w)})()


def geometry(to_dual, to_primal):
    methods = {"to_dual": lambda self, w: to_dual(w), "to_primal": lambda self, theta: to_primal(theta)}
    return type("MyGeometry", (rg.Geometry,), methods)()


def same(w):
    return w


def of_loss(part):
    return lambda: rg.GradientDescent(part, 0.01)


def of_rate(part):
    return lambda: rg.GradientDescent(rg.Squared(), part)


def of_domain(part):
    return lambda: rg.GradientDescent(rg.Squared(), 0.01, part)


def of_geometry(part):
    return lambda: rg.MirrorDescent(rg.Squared(), part, rate=0.01)


FINITE_WEIGHTS = r"MyDomain\(\).project must give 3 finite weights, not "
BROKEN = {
    "a loss of None": (of_loss(loss(value=lambda p, y: None)), TypeError, "real number, not NoneType"),
    "a loss of NaN": (of_loss(loss(value=lambda p, y: math.nan)), ValueError, "loss nan.*nothing was learnt"),
    "an infinite slope": (of_loss(loss(slope=lambda p, y: math.inf)), ValueError, "slope inf.*nothing was learnt"),
    "a slope of text": (of_loss(loss(slope=lambda p, y: "steep")), TypeError, "real number, not str"),
    "a loss that raises": (of_loss(loss(value=lambda p, y: 1 / 0)), ZeroDivisionError, "division"),
    "a rate of NaN": (of_rate(rate(lambda t: math.nan)), ValueError, r"at\(1\) gave nan: a rate is at least 0"),
    "a rate below 0": (of_rate(rate(lambda t: -1.0)), ValueError, r"at\(1\) gave -1.0: a rate is at least 0"),
    "an infinite rate": (of_rate(rate(lambda t: math.inf)), ValueError, "not finite.*smaller rate"),
    "a rate without at": (
        of_rate(type("MyRate", (rg.Rate,), {})()),
        NotImplementedError,
        r"MyRate must define at\(t\)",
    ),
    "a domain of NaN": (of_domain(domain(lambda w: w * math.nan)), ValueError, FINITE_WEIGHTS + "array"),
    "a domain of None": (of_domain(domain(lambda w: None)), ValueError, FINITE_WEIGHTS + "None"),
    "a shorter domain": (of_domain(domain(lambda w: w[1:])), ValueError, FINITE_WEIGHTS + "array"),
    "a domain that raises later": (
        of_domain(domain(lambda w: w if not w.any() else 1 / 0)),
        ZeroDivisionError,
        "division",
    ),
    "a dual too short": (of_geometry(geometry(lambda w: w[1:], same)), ValueError, r"to_dual gave shape \(2,\) for 3"),
    "a primal of NaN": (of_geometry(geometry(same, lambda w: w * math.nan)), ValueError, "to_primal gave weights that"),
    "a primal that raises": (
        of_geometry(geometry(same, lambda w: w if not w.any() else 1 / 0)),
        ZeroDivisionError,
        "division",
    ),
}


@pytest.mark.parametrize("part", BROKEN)
def test_a_part_that_fails_leaves_no_trace(part):
    make, kind, words = BROKEN[part]
    for learn in (lambda learner: learner.learn_one(X[0], 1.0), lambda learner: learner.learn_many(X, Y)):
        learner = make()
        before = fingerprint(learner)
        for _ in range(2):
            with pytest.raises(kind, match=words):
                learn(learner)
            assert fingerprint(learner) == before


@pytest.mark.parametrize(
    ("make", "kind", "words"),
    [
        (lambda: rg.Ball(10**400), ValueError, "radius is too large for a number"),
        (lambda: rg.Ball("wide"), TypeError, "radius must be a number, not 'wide'"),
        (lambda: rg.Box([], []), ValueError, r"one bound a coordinate, not of the shapes \(0,\)"),
        (lambda: rg.Box("low", 1.0), TypeError, "low and high are numbers, or arrays of numbers, not 'low' and 1.0"),
        (lambda: rg.Hashing(seed=-1), ValueError, "seed must be a whole number from 0 to .*, not -1"),
        (lambda: rg.Hashing(seed="salt"), ValueError, "seed must be a whole number from 0 to .*, not 'salt'"),
        (lambda: rg.Perceptron(keep=3), ValueError, 'keep takes "average", "weighted" and "random", not 3'),
        (lambda: rg.Perceptron(keep="mean"), ValueError, "not 'mean'"),
        (lambda: rg.Perceptron().learn_one([1.0], 1, "heavy"), TypeError, "weight 'heavy' is not a number"),
        (lambda: rg.Perceptron().learn_one([1.0], 1, None), TypeError, "weight None is not a number"),
        (
            lambda: rg.Perceptron().learn_one(([2**63], [1.0]), 1),
            ValueError,
            "index 9223372036854775808 is out of range",
        ),
    ],
)
def test_the_words_for_a_wrong_setting(make, kind, words):
    with pytest.raises(kind, match=words):
        make()


def test_a_subclass_that_forgets_its_base_is_told_so():
    class Forgetful(rg.Perceptron):
        def __init__(self):
            self.mine = 1

    made = Forgetful()
    for ask in (
        lambda: made.learn_one([1.0], 1),
        lambda: made.learn_many([[1.0]], [1]),
        lambda: made.predict_one([1.0]),
        lambda: made.predict_many([[1.0]]),
        lambda: made.weights,
        lambda: made.last(),
        lambda: repr(made),
        lambda: made.save("nowhere"),
    ):
        with pytest.raises(RuntimeError, match=r"Forgetful was never made: its __init__ must call super\(\).__init__"):
            ask()
