"""Every loss, geometry, domain and rule together: it plays and stays in its domain, or is refused when it is made."""

import itertools

import numpy as np
import pytest

import regretful as rg

LOSSES = [
    rg.Squared(), rg.Absolute(), rg.Quantile(0.3), rg.Huber(1.0), rg.EpsilonInsensitive(0.1), rg.Logistic(), rg.Hinge(),
    rg.SquaredHinge(), rg.Poisson(), rg.LogWealth(),
]  # fmt: skip
GEOMETRIES = [rg.Euclidean(), rg.Entropy(), rg.PNorm(3.0), rg.PNorm("log"), rg.Diagonal()]
DOMAINS = [
    rg.Everywhere(), rg.Ball(1.0), rg.L1Ball(1.0), rg.Simplex(), rg.Box(-0.5, 0.5), rg.Box(0.1, 0.5), rg.Orthant(),
]  # fmt: skip
RATES = [0.05, rg.InverseSqrt(0.05), rg.InverseTime(20.0), rg.WeightedInverseTime(20.0), rg.Adaptive(0.1)]
RULES = [
    (rg.MirrorDescent, {}), (rg.MirrorDescent, {"conservative": True}), (rg.MirrorDescent, {"implicit": True}),
    (rg.MirrorDescent, {"l2": 0.1}), (rg.MirrorDescent, {"intercept": True}), (rg.FollowTheRegularizedLeader, {}),
]  # fmt: skip
X = 0.5 * np.abs(np.random.default_rng(0).normal(size=(30, 4))) + 0.1
WORKS = ("take ", "instead", "works over", "lives on", "Euclidean geometry only", "implicit steps work with", "not in")


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_what_can_be_made_can_play_and_what_cannot_says_what_would(loss):
    made, refused = 0, []
    y = None
    if loss.labelled:
        y = np.where(X[:, 0] > 0.5, 1.0, -1.0) if loss.classification else np.round(X[:, 1])
    for geometry, domain, rate, (rule, options) in itertools.product(GEOMETRIES, DOMAINS, RATES, RULES):
        try:
            learner = rule(loss, geometry, domain, rate, n=4, **options)
        except ValueError as error:
            refused.append(str(error))
            continue
        made += 1
        if not loss.labelled and not learner.weights.any():
            with pytest.raises(ValueError, match="not finite there"):  # -ln p: a start at 0 cannot pay
                learner.learn_many(X, y)
            continue
        p = learner.learn_many(X, y)
        assert np.isfinite(p).all()
        assert np.isfinite(learner.weights).all()
        w = [learner.intercept, *learner.weights] if learner.intercept_kept else learner.weights
        assert learner.domain.contains(w), learner
    assert made > 50
    assert len(refused) > 300
    assert [message for message in refused if not any(words in message for words in WORKS)] == []
