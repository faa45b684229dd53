"""Long runs, large and tiny numbers: no overflow, no underflow, no drift; the faults of the field's libraries."""

import copy

import numpy as np
import pytest
import scipy.sparse as sp

import regretful as rg
from regretful.checks.examples import fingerprint


def log_domain(X, y, eta, repeats):
    """EG on the absolute loss, replayed in logarithms with the normalisation done anew in each round."""
    u = np.zeros(X.shape[1])
    for _ in range(repeats):
        for x, label in zip(X, y, strict=True):
            w = np.exp(u - u.max())
            w /= w.sum()
            u -= eta * np.sign(w @ x - label) * x
    w = np.exp(u - u.max())
    return w / w.sum()


@pytest.mark.parametrize("domain", [rg.Simplex(), rg.L1Ball(1.0)], ids=repr)
def test_ten_million_rounds_of_exponentiated_gradient(domain):
    """Losses are linear (the label is out of reach), so that the end is known: u = -eta · sum of the slopes."""
    rng = np.random.default_rng(2)
    X = np.tile(np.round(rng.normal(size=(500, 4)), 2), (200, 1))
    y = np.full(len(X), 1e3)
    learner = rg.ExponentiatedGradient(rg.Absolute(), 1e-3, domain)
    for _ in range(100):
        learner.learn_many(X, y)
        w = learner.weights
        if isinstance(domain, rg.Simplex):
            assert abs(w.sum() - 1.0) <= 1e-12
            assert (w >= 0).all()
        assert np.abs(w).sum() <= 1.0 + 1e-12
    assert learner.rounds == 10_000_000
    # np.sum is pairwise: the sum of one chunk is right to the last digits, and the chunks are all the same.
    total = 100 * X.sum(axis=0)
    u = 1e-3 * total
    both = np.concatenate([u, -u]) if isinstance(domain, rg.L1Ball) else u
    v = np.exp(both - both.max())
    v /= v.sum()
    expected = v[:4] - v[4:] if isinstance(domain, rg.L1Ball) else v
    np.testing.assert_allclose(learner.weights, expected, rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(learner.ledger.G, -total, rtol=1e-12)


def test_exponentiated_gradient_against_its_logarithms():
    """Signs change, experts fall and rise again: 20,000 rounds beside a run in logarithms."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(2000, 5))
    y = np.concatenate([X[:1000, 0], X[1000:, 1]])  # the first expert is right, then the second
    learner = rg.ExponentiatedGradient(rg.Absolute(), 0.2)
    for _ in range(10):
        learner.learn_many(X, y)
        assert abs(learner.weights.sum() - 1.0) <= 1e-12
    np.testing.assert_allclose(learner.weights, log_domain(X, y, 0.2, 10), rtol=1e-6, atol=1e-12)


def test_an_expert_that_is_always_wrong_may_be_right_again():
    """Its weight underflows, and comes back when the others fail: the logarithm is what is kept."""
    learner = rg.ExponentiatedGradient(rg.Absolute(), 1.0)
    wrong_first = np.tile([0.0, 1.0], (5000, 1))
    learner.learn_many(wrong_first, np.ones(5000))
    assert learner.weights[0] < 0.5
    learner.learn_many(np.tile([-1.0, 1.0], (3000, 1)), np.full(3000, 2.0))
    assert learner.weights[0] == 0.0 or learner.weights[0] < 1e-300
    assert learner.weights.sum() == pytest.approx(1.0, abs=1e-12)
    learner.learn_many(np.tile([1.0, -1.0], (50_000, 1)), np.full(50_000, 2.0))
    assert learner.weights[0] == pytest.approx(1.0, abs=1e-12)


def test_weights_that_would_overflow_after_twenty_thousand_rounds():
    """e^(0.1 · 20,000) is beyond all doubles, as EXP3's weights are in a well-known library."""
    learner = rg.ExponentiatedGradient(rg.Absolute(), 0.1, rg.Simplex(3.0))
    learner.learn_many(np.tile([1.0, 0.0, 0.5], (40_000, 1)), np.full(40_000, 10.0))
    assert learner.weights == pytest.approx([3.0, 0.0, 0.0], abs=1e-12)
    signed = rg.ExponentiatedGradient(rg.Absolute(), 0.1, rg.L1Ball(3.0))
    signed.learn_many(np.tile([-1.0, 0.0, 0.5], (40_000, 1)), np.full(40_000, 10.0))
    assert signed.weights == pytest.approx([-3.0, 0.0, 0.0], abs=1e-12)


def test_the_weights_sum_to_one_before_the_first_update():
    assert rg.ExponentiatedGradient(rg.Absolute(), 0.1, n=7).weights.sum() == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("scale", [1e-6, 1e6, 1e-150, 1e150])
@pytest.mark.parametrize(
    "make",
    [
        lambda: rg.AdaGrad(rg.Hinge(0.0), 0.1, conservative=True),
        lambda: rg.PassiveAggressive(np.inf),
        lambda: rg.Perceptron(),
        lambda: rg.PNormDescent(rg.Hinge(0.0), 1.0, 4.0, conservative=True),
        lambda: rg.GradientDescent(rg.Hinge(0.0), rg.Adaptive(1.0), conservative=True),
    ],
)
def test_the_scale_of_the_features_is_nothing_to_some(make, scale):
    """Learners whose signs and mistakes do not change when all features are multiplied by a number."""
    rng = np.random.default_rng(4)
    X = rng.normal(size=(300, 4))
    y = np.sign(X @ [1.0, -1.0, 0.5, 0.2])
    plain, scaled = make(), make()
    p, q = plain.learn_many(X, y), scaled.learn_many(scale * X, y)
    assert np.isfinite(scaled.weights).all()
    np.testing.assert_array_equal(np.sign(p), np.sign(q))
    assert plain.ledger.mistakes == scaled.ledger.mistakes > 0


def test_gradient_descent_on_unscaled_data_ends_in_an_error_not_in_nonsense():
    rng = np.random.default_rng(5)
    X = 1e6 * rng.normal(size=(1000, 3))
    learner = rg.GradientDescent(rg.Squared(), 0.1)
    with pytest.raises(ValueError, match=r"row \d+: .*is not finite there.*the rows before it were learnt.*rescale"):
        learner.learn_many(X, X @ np.ones(3))
    assert np.isfinite(learner.weights).all()
    assert np.isfinite(learner.ledger.loss)
    assert 0 < learner.rounds < 100
    bounded = rg.GradientDescent(rg.Squared(), 0.1, rg.Ball(2.0))
    bounded.learn_many(X, X @ np.ones(3))
    assert np.linalg.norm(bounded.weights) <= 2.0 * (1 + 1e-12)


def test_what_would_overflow_the_account_or_the_rate_is_refused():
    """The square of the slope must be finite too: an adaptive rate would be 0 for ever after."""
    for learner in (rg.GradientDescent(rg.Absolute(), rg.Adaptive(1.0)), rg.GradientDescent(rg.Absolute(), 0.1)):
        learner.learn_one([1.0], 1.0)
        before = fingerprint(learner)
        with pytest.raises(ValueError, match="nothing was learnt from it"):
            learner.learn_one([1.0], 5.0, 1e200)
        assert fingerprint(learner) == before
    wild = rg.GradientDescent(rg.Absolute(), 1e200, rg.Ball(1.0))
    with pytest.raises(ValueError, match="smaller rate"):
        wild.learn_one([1.0], 1.0)
    assert wild.predict_one([1.0]) == 0.0


@pytest.mark.parametrize("rate", [3.0, 1e3, 1e50, 1e150])
def test_a_ball_that_each_step_leaves_far_behind(rate):
    """Rescaling divides w's scale by ten and more each round: once it ran away to 1e-154, and the ball was left."""
    rng = np.random.default_rng(9)
    X, y = rng.normal(size=(2000, 3)), 10 * rng.normal(size=2000)
    learner = rg.GradientDescent(rg.Absolute(), rate, rg.Ball(0.5))
    w = np.zeros(3)
    for x, label in zip(X, y, strict=True):
        learner.learn_one(x, label)
        w = w - rate * np.sign(w @ x - label) * x
        w *= 0.5 / max(0.5, np.linalg.norm(w))
        np.testing.assert_allclose(learner.weights, w, rtol=0, atol=1e-12)


@pytest.mark.parametrize("shape", [np.asarray, sp.csr_matrix])
def test_a_small_ball_over_many_renewals_of_its_scale(shape):
    # Each step shrinks the scale by about a ninth: 30,000 rounds fall by more decades than ten doubles hold.
    rng = np.random.default_rng(7)
    X, y = rng.normal(size=(30_000, 6)), np.where(rng.random(30_000) < 0.5, 1.0, -1.0)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    learner, w = rg.GradientDescent(rg.Hinge(), 0.1, rg.Ball(0.01)), np.zeros(6)
    for first in range(0, 30_000, 10_000):
        learner.learn_many(shape(X[first : first + 10_000]), y[first : first + 10_000])
        learner = copy.deepcopy(learner)
        for x, label in zip(X[first : first + 10_000], y[first : first + 10_000], strict=True):
            w = w + 0.1 * label * x if label * (w @ x) < 1.0 else w
            w = w * min(1.0, 0.01 / np.linalg.norm(w))
        np.testing.assert_allclose(learner.weights, w, rtol=1e-11)
        assert np.linalg.norm(learner.weights) <= 0.01 * (1.0 + 1e-12)


@pytest.mark.parametrize("factor", [1e50, 1e-50, 1e-100])
def test_shrinking_weights_of_any_size_keep_their_digits(factor):
    """l2 alone takes the scale down by a tenth each round: v is made afresh again and again."""
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(14_000, 3)), rng.normal(size=14_000)
    plain, scaled = (rg.GradientDescent(rg.Squared(), 0.05, l2=2.0) for _ in range(2))
    found = [plain.learn_many(X, y), scaled.learn_many(X, y * factor) / factor]
    np.testing.assert_allclose(found[1], found[0], rtol=0, atol=1e-12)


@pytest.mark.parametrize("radius", [1e-12, 1e6, 1e12])
@pytest.mark.parametrize("rate", [1.0, 1e60, 1e150])
def test_balls_of_any_size_and_steps_of_any_length_are_never_left(radius, rate):
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(3000, 5)) * 1e-6, np.where(rng.random(3000) < 0.5, 1.0, -1.0)
    learner = rg.GradientDescent(rg.Logistic(), rate, rg.Ball(radius), l2=(1.0 - 2.0**-50) / rate)
    assert np.isfinite(learner.learn_many(X, y)).all()
    assert np.linalg.norm(learner.weights) <= radius * (1.0 + 1e-12)


def test_a_norm_bound_holds_for_all_weights_not_only_for_those_of_the_row():
    learner = rg.GradientDescent(rg.Absolute(), 1.0, rg.Ball(1.0))
    for i in range(50):
        learner.learn_one(([i], [1.0]), 100.0)
        assert np.linalg.norm(learner.weights) <= 1.0 + 1e-12
    assert np.count_nonzero(learner.weights) == 50


def test_a_ball_over_many_rounds_keeps_its_norm():
    """‖v‖² is kept incrementally: here it grows and shrinks a hundred thousand times."""
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(100_000, 8)), rng.normal(size=100_000) * 10
    learner = rg.GradientDescent(rg.Absolute(), 3.0, rg.Ball(0.5))
    for part in range(0, len(X), 5000):
        learner.learn_many(X[part : part + 5000], y[part : part + 5000])
        assert np.linalg.norm(learner.weights) == pytest.approx(0.5, rel=1e-12)


def test_ftrl_proximal_leaves_true_zeros():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(2000, 50))
    y = np.sign(X[:, 0] - X[:, 1])
    learner = rg.FTRLProximal(alpha=0.1, l1=30.0)
    learner.learn_many(X, y)
    assert (learner.weights[2:] == 0.0).sum() >= 40
    assert learner.weights[0] > 0.1
    assert learner.weights[1] < -0.1


def test_adagrad_with_slopes_too_small_to_square():
    """g² underflows to 0: the weight waits rather than dividing 0 by 0."""
    learner = rg.AdaGrad(rg.Hinge(), 0.1)
    learner.learn_many([[5e-324, 1e-200, 1.0], [1e-310, 1e-200, 1.0]], [1, 1])
    assert np.isfinite(learner.weights).all()
    assert learner.weights[2] > 0
    assert learner.ledger.max_norm_inf == 1.0
    tiny = rg.AdaGrad(rg.Hinge(), 0.1)
    tiny.learn_one([1e-200], 1)
    assert tiny.ledger.max_norm_inf == 1e-200


def test_pegasos_for_a_million_rounds():
    """The scale falls as 1/t, and the first step of rate 1/λ wipes out the start."""
    rng = np.random.default_rng(8)
    X = rng.normal(size=(10_000, 3))
    y = np.sign(X[:, 0] + 0.1 * rng.normal(size=10_000))
    learner = rg.Pegasos(1e-2)
    for _ in range(100):
        learner.learn_many(X, y)
    assert np.linalg.norm(learner.weights) <= 10.0 + 1e-9
    assert np.mean(np.sign(X @ learner.weights) == y) > 0.95
    shrinking = rg.GradientDescent(rg.Hinge(), 0.5, l2=1.0)  # halves the scale each round: 2^-1000 and below
    shrinking.learn_one([1.0], 1)
    shrinking.learn_many(np.zeros((5000, 1)), np.ones(5000))
    assert shrinking.weights[0] == 0.0
    shrinking.learn_one([1.0], 1)
    assert shrinking.weights[0] == 0.5


def test_the_random_iterate_is_uniform():
    """Over 2,000 seeds the round whose iterate is kept is uniform on 1 … 8 (chi-square, 7 degrees, p = 1e-6)."""
    counts = np.zeros(8)
    for seed in range(2000):
        learner = rg.GradientDescent(rg.Absolute(), 1.0, keep=("random",), seed=seed)
        learner.learn_many(np.ones((8, 1)), np.full(8, 100.0))  # w_t = t - 1
        counts[int(learner.random_iterate().weights[0])] += 1
    assert ((counts - 250) ** 2 / 250).sum() < 41.0
