"""Random streams through random learners: the loop and the batch, domains, rejected examples, averages."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regretful as rg
from regretful.checks.examples import fingerprint

KEEP = ("average", "weighted", "random")
NAMES = st.sampled_from(["a", "b", "a=b", "=", "", "\x00"]) | st.text(max_size=6)
NUMBERS = st.floats(-1e3, 1e3, allow_subnormal=False) | st.integers(-5, 5) | st.booleans()
EVENTS = st.dictionaries(NAMES, NUMBERS | NAMES, max_size=5)
LABELS = st.sampled_from([-1, 1, 0, True, False, 1.0])
ROUNDS = st.lists(st.tuples(EVENTS, LABELS, st.floats(0, 3)), min_size=1, max_size=12)

RATES = st.sampled_from([0.1, rg.InverseSqrt(0.5), rg.InverseTime(2.0), rg.WeightedInverseTime(1.0), rg.Adaptive(0.7)])
# Of bounded slope: no stream makes them diverge.
LOSSES = st.sampled_from([rg.Logistic(), rg.Hinge(), rg.Hinge(0.0), rg.Quantile(0.2), rg.Absolute(), rg.Huber()])
PLACES = [  # geometries with the domains they take
    *((rg.Euclidean(), domain) for domain in [rg.Everywhere(), rg.Ball(0.5), rg.L1Ball(0.7), rg.Box(-0.2, 0.3)]),
    *((rg.Euclidean(), domain) for domain in [rg.Box(0.1, 0.5), rg.Orthant(), rg.Simplex(2.0)]),
    *((rg.Diagonal(), domain) for domain in [rg.Everywhere(), rg.Box(-0.2, 0.3), rg.Box(0.1, 0.5), rg.Orthant()]),
    *((rg.PNorm(p), rg.Everywhere()) for p in (2.0, 3.0, 8.0)),
    *((rg.Entropy(), domain) for domain in [rg.Simplex(), rg.L1Ball(0.7)]),
]


@st.composite
def learners(draw, kept=((), KEEP)):
    """A factory of learners that may take new names at any time, or hash them."""
    loss, rate, (geometry, domain) = draw(LOSSES), draw(RATES), draw(st.sampled_from(PLACES))
    rule = draw(st.sampled_from([rg.MirrorDescent, rg.FollowTheRegularizedLeader]))
    options = {"keep": draw(st.sampled_from(kept)), "intercept": draw(st.booleans())}
    if isinstance(domain, rg.Simplex) or isinstance(geometry, rg.Entropy) or draw(st.booleans()):
        options["features"] = rg.Hashing(draw(st.sampled_from([1, 3, 6])))
    if rule is rg.MirrorDescent and loss.classification:
        options["conservative"] = draw(st.booleans())
    if rule is rg.MirrorDescent and not isinstance(geometry, rg.Diagonal):
        options["implicit"] = draw(st.booleans())

    def make():
        return rule(loss, geometry, domain, rate, **options)

    return make


def play(learner, rounds):
    """One by one; the predictions paid for."""
    return [learner.learn_one(x, y, weight) for x, y, weight in rounds]


@settings(max_examples=150)
@given(learners(), ROUNDS)
def test_learn_many_is_the_loop_of_learn_one(make, rounds):
    one, many = make(), make()
    events, labels, weights = zip(*rounds, strict=True)
    p = play(one, rounds)
    q = many.learn_many(list(events), [float(label) for label in labels], list(weights))
    assert np.array(p).tobytes() == q.tobytes()
    assert fingerprint(one) == fingerprint(many)
    r = one.predict_many(list(events))
    assert r.tobytes() == np.array([many.predict_one(event) for event in events]).tobytes()
    assert fingerprint(one) == fingerprint(many)


@settings(max_examples=100)
@given(learners(), ROUNDS)
def test_the_weights_stay_in_the_domain(make, rounds):
    learner = make()
    for x, y, weight in rounds:
        learner.learn_one(x, y, weight)
        w = [learner.intercept, *learner.weights] if learner.intercept_kept else learner.weights
        assert np.isfinite(w).all()
        assert learner.domain.contains(w)


BAD = st.sampled_from([math.nan, math.inf, -math.inf, None, [1.0], b"x", 1j, 1e200, 10**400])


@settings(max_examples=150)
@given(learners(), ROUNDS, EVENTS, BAD, st.data())
def test_a_rejected_example_leaves_no_trace(make, rounds, event, wrong, data):
    learner, spared = make(), make()
    at = data.draw(st.integers(0, len(rounds) - 1))
    batch, labels = [x for x, _, _ in rounds], [float(y) for _, y, _ in rounds]
    batch[at] = {**event, "wrong": wrong}
    for x, y, weight in rounds:
        with pytest.raises((TypeError, ValueError)):
            learner.learn_one({**event, "wrong": wrong, "z": 1.0}, y)
        with pytest.raises((TypeError, ValueError)):
            learner.learn_one(event, y, -1.0)
        with pytest.raises((TypeError, ValueError)):
            learner.predict_one({**event, "wrong": wrong})
        with pytest.raises((TypeError, ValueError), match=f"row {at}|large"):
            learner.learn_many(batch, labels)
        assert learner.learn_one(x, y, weight) == spared.learn_one(x, y, weight)
    assert fingerprint(learner) == fingerprint(spared)


@settings(max_examples=100)
@given(learners((KEEP,)), ROUNDS, st.integers(1, 40))
def test_averages_are_those_of_the_iterates(make, rounds, times):
    learner, iterates = make(), []
    rounds = rounds * times
    probes = [{}] + [{name: 1.0} for x, _, _ in rounds[:12] for name in x] + [x for x, _, _ in rounds[:12]]
    for x, y, weight in rounds:
        iterates.append(learner.predict_many(probes))
        learner.learn_one(x, y, weight)
    P, T = np.array(iterates), len(rounds)
    size = 1.0 + np.abs(P).max()
    shares = np.arange(2, T + 2) * 2 / (T * (T + 3))
    np.testing.assert_allclose(learner.average().predict_many(probes), P.mean(axis=0), rtol=0, atol=1e-9 * size)
    np.testing.assert_allclose(learner.weighted_average().predict_many(probes), shares @ P, rtol=0, atol=1e-9 * size)
    kept = learner.random_iterate().predict_many(probes)
    assert np.abs(P - kept).max(axis=1).min() <= 1e-9 * size


@settings(max_examples=60)
@given(ROUNDS)
def test_the_ledger_is_the_sum_of_the_rounds(rounds):
    learner = rg.GradientDescent(rg.Logistic(), 0.1)
    paid = np.array(play(learner, rounds))
    y = np.array([1.0 if label in (1, True) else -1.0 for _, label, _ in rounds])
    weights = np.array([weight for _, _, weight in rounds])
    loss, slope = learner.loss.value(paid, y), learner.loss.slope(paid, y)
    assert learner.ledger.loss == pytest.approx(weights @ loss, rel=1e-12, abs=1e-12)
    assert math.isclose(learner.ledger.A, (weights * slope) @ paid, rel_tol=1e-9, abs_tol=1e-6)
    assert learner.ledger.mistakes == (y * paid <= 0).sum()
    # w_T = -η Σ s x: from the weights the account can be read.
    np.testing.assert_allclose(learner.weights, -0.1 * learner.ledger.G, rtol=1e-9, atol=1e-9)


@settings(max_examples=60)
@given(st.lists(st.tuples(EVENTS, LABELS), max_size=8), st.integers(0, 8))
def test_any_text_survives_a_file(tmp_path_factory, rounds, cut):
    path = tmp_path_factory.getbasetemp() / "learner"
    learner, whole = rg.AdaGrad(rg.Logistic(), 0.1, keep=KEEP), rg.AdaGrad(rg.Logistic(), 0.1, keep=KEEP)
    for x, y in rounds[:cut]:
        learner.learn_one(x, y)
    learner.save(path)
    learner = rg.load(path)
    for x, y in rounds[cut:]:
        learner.learn_one(x, y)
    for x, y in rounds:
        whole.learn_one(x, y)
    assert fingerprint(learner) == fingerprint(whole)
