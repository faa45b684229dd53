"""Every learner follows its textbook reference over 2,000 rounds, however the examples are handed over."""

from functools import cache

import numpy as np
import pytest

import regretful as rg
from tests.references import followers as F
from tests.references import learners as L

from .cases import RULE_CASES
from .named_cases import NAMED_CASES
from .streams import N, as_dicts, example_weights, follow, stream

# 1e-12 relative to the largest prediction (or weight) of the run: 2,000 rounds, each adding a unit of
# the last place (2.2e-16) to a trajectory that does not amplify them, stay below 2,000 * 2.2e-16 = 4.4e-13.
# (Permuting the columns, which reorders every sum, moves these references by at most 2e-14.)
TOLERANCE = 1e-12
CASES = RULE_CASES + NAMED_CASES
FORMS = ["dense", "csr", "dict"]
BY_NAME = {case.name: case for case in CASES}
by_case = pytest.mark.parametrize("name", BY_NAME)


@cache
def reference(name, weighted=False, intercept=False):
    """The reference's run of a case, played once for all forms of input."""
    case = BY_NAME[name]
    X, y = stream(case.kind)
    return case.reference(L.with_constant(X) if intercept else X, y, example_weights() if weighted else None)


def assert_follows(run, predictions, checkpoints, intercept=False):
    """Predictions and weights agree relative to the scale of the trajectory."""
    scale = np.abs(run.predictions).max()
    assert scale > 1e-3, "the stream should move the learner"
    np.testing.assert_allclose(predictions, run.predictions, rtol=0, atol=TOLERANCE * scale)
    size = np.abs(run.iterates).max()
    for rounds, (weights, constant) in checkpoints.items():
        expected = run.iterates[rounds]
        np.testing.assert_allclose(weights, expected[:N], rtol=0, atol=TOLERANCE * size)
        assert constant == pytest.approx(expected[N] if intercept else 0.0, rel=0, abs=TOLERANCE * size)


@pytest.mark.parametrize(
    ("name", "form"),
    [
        (c.name, form)
        for c in CASES
        for form in FORMS
        if not (form == "dict" and c.columns_matter and "boxes" in c.name)
    ],
)
def test_follows_its_reference(name, form):
    case = BY_NAME[name]
    X, y = stream(case.kind)
    learner = case.learner(**({"n": N} if form == "dict" and case.needs_n else {}))
    predictions, checkpoints = follow(learner, form, X, y)
    assert_follows(reference(name), predictions, checkpoints)
    last = X[:50] @ reference(name).iterates[-1]
    scale = np.abs(reference(name).predictions).max()
    shown = as_dicts(X[:50]) if form == "dict" else X[:50]
    np.testing.assert_allclose(learner.predict_many(shown), last, rtol=0, atol=TOLERANCE * scale)
    assert learner.rounds == len(y)


@by_case
def test_follows_its_reference_with_example_weights(name):
    X, y = stream(BY_NAME[name].kind)
    predictions, checkpoints = follow(BY_NAME[name].learner(), "dense", X, y, example_weights())
    assert_follows(reference(name, weighted=True), predictions, checkpoints)


@pytest.mark.parametrize("name", [case.name for case in CASES if not case.columns_matter])
def test_an_intercept_is_the_weight_of_a_constant_feature(name):
    X, y = stream(BY_NAME[name].kind)
    predictions, checkpoints = follow(BY_NAME[name].learner(intercept=True), "csr", X, y)
    assert_follows(reference(name, intercept=True), predictions, checkpoints, intercept=True)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "name", ["Perceptron", "Pegasos", "Winnow", "PNormDescent-4", "AdaGrad", "FTRLProximal-1.0-5.0-0.1"]
)
def test_averages_are_those_of_the_iterates_played(name, form):
    case = BY_NAME[name]
    X, y = stream(case.kind)
    learner = case.learner(keep=("average", "weighted"), **({"n": N} if form == "dict" and case.needs_n else {}))
    follow(learner, form, X, y)
    iterates = reference(name).iterates
    shown = as_dicts(np.eye(N)) if form == "dict" else np.eye(N)
    size = np.abs(iterates).max()
    # The predictions on the unit vectors are the weights.
    for predictor, expected in [
        (learner.average(), F.average(iterates)),
        (learner.weighted_average(), F.weighted_average(iterates)),
        (learner.last(), iterates[-1]),
    ]:
        np.testing.assert_allclose(predictor.predict_many(shown), expected, rtol=0, atol=TOLERANCE * size)


def test_the_averaged_perceptron_keeps_its_average():
    X, y = stream("classification")
    learner = rg.AveragedPerceptron()
    learner.learn_many(X, y)
    expected = F.average(L.perceptron(X, y).iterates)
    np.testing.assert_allclose(learner.average().weights, expected, rtol=0, atol=TOLERANCE * np.abs(expected).max())


def test_the_random_iterate_is_one_that_was_played():
    X, y = stream("classification")
    iterates = reference("Perceptron").iterates[:-1]
    chosen = set()
    for seed in range(8):
        learner = rg.Perceptron(keep=("random",), seed=seed)
        learner.learn_many(X, y)
        distance = np.abs(iterates - learner.random_iterate().weights).max(axis=1)
        assert distance.min() <= TOLERANCE * np.abs(iterates).max()
        chosen.add(int(distance.argmin()))
    assert len(chosen) > 4  # eight uniform draws of 2,000 rounds hardly ever meet


@pytest.mark.parametrize("weighted", [False, True])
def test_the_full_regularised_leader_for_the_squared_loss_is_ridge_regression(weighted):
    X, y = (part[:200] for part in stream("regression"))
    weights = example_weights()[:200] if weighted else None
    learner = rg.FollowTheRegularizedLeader(rg.Squared(), rg.Euclidean(), rg.Everywhere(), 0.1, exact=True)
    predictions = learner.learn_many(X, y, weights)
    run = F.ridge_leader(X, y, 0.1, weights)
    # The leader is the end of a minimisation: at a minimum an error in w shows squared in the objective, so a
    # solver that looks at values sees w to about the root of 2.2e-16; one that looks at gradients sees more.
    scale = np.abs(run.predictions).max()
    np.testing.assert_allclose(predictions, run.predictions, rtol=0, atol=1e-7 * scale)
    np.testing.assert_allclose(learner.weights, run.iterates[-1], rtol=0, atol=1e-7 * np.abs(run.iterates).max())


def scaled_adagrad(X, y, eta, domain):
    """w_i ← w_i − η g_i/(√H_i m_i), m_i² the mean of x_i² so far (of the rounds that have it), from its formula."""
    w, H, Q, N, paid = (np.zeros(X.shape[1]) for _ in range(5))
    paid = np.zeros(len(y))
    for t, (x, label) in enumerate(zip(X, y, strict=True)):
        paid[t] = w @ x
        g = -label / (1.0 + np.exp(label * paid[t])) * x
        there = x != 0.0
        H += g**2
        Q += x**2
        N += there
        w[there] -= (eta * g / (np.sqrt(H) * np.sqrt(Q / np.maximum(N, 1.0))))[there]
        w = domain.project(w)
    return paid, w


@pytest.mark.filterwarnings("ignore:invalid value")  # of coordinates that are not there yet
@pytest.mark.parametrize("domain", [rg.Everywhere(), rg.Box(-0.2, 0.3)])
def test_scaled_adagrad_follows_its_formula(domain):
    rng = np.random.default_rng(8)
    X = rng.normal(size=(2000, 6)) * (rng.random((2000, 6)) < 0.4) * [1.0, 1e3, 1e-3, 30.0, 1.0, 1e6]
    y = np.where(rng.normal(size=2000) + X[:, 0] > 0.0, 1.0, -1.0)
    learner = rg.AdaGrad(rg.Logistic(), 0.1, domain, n=6, scaled=True)
    rows = [(np.flatnonzero(x), x[np.flatnonzero(x)]) for x in X]
    paid = [learner.learn_one(x, label) for x, label in zip(rows, y, strict=True)]
    expected, w = scaled_adagrad(X, y, 0.1, domain)
    assert paid == pytest.approx(expected, rel=1e-11, abs=1e-11)
    assert learner.weights == pytest.approx(w, rel=1e-11, abs=1e-12)


@pytest.mark.parametrize("make", [
    lambda: rg.AdaGrad(rg.Logistic(), 0.1, scaled=True),
    lambda: rg.FollowTheRegularizedLeader(rg.Logistic(), rg.Diagonal(scaled=True), rg.Everywhere(), 0.1),
])  # fmt: skip
def test_scaled_adagrad_knows_no_units(make):
    rng = np.random.default_rng(9)
    X = rng.normal(size=(500, 4))
    y = np.where(X[:, 0] + rng.normal(size=500) > 0.0, 1.0, -1.0)
    units = 2.0 ** np.array([0, 20, -20, 3])  # powers of two: no rounding tells them apart
    assert make().learn_many(X * units, y).tolist() == make().learn_many(X, y).tolist()


def test_scaled_is_yes_or_no():
    with pytest.raises(TypeError, match="scaled is True or False, not 1"):
        rg.Diagonal(scaled=1)
