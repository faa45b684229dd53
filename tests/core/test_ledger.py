"""The ledger: sums of shards add up, further norms, saving, and sums that stay right when they are long."""

import math
from fractions import Fraction

import numpy as np
import pytest

import regretful as rg


def played(rounds=300, seed=0, **options):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, 4))
    y = np.where(X @ [1.0, -2.0, 0.5, 0.0] + 0.5 * rng.normal(size=rounds) > 0, 1.0, -1.0)
    learner = rg.GradientDescent(rg.Logistic(), 0.1, **options)
    return learner, X, y, learner.learn_many(X, y)


def test_the_accounts_of_shards_add_up_to_the_account_of_the_whole():
    learner, X, y, _ = played(ledger=(1,))
    # One learner that plays all, and the same run cut in two: the second half's ledger is the difference.
    half = rg.GradientDescent(rg.Logistic(), 0.1, ledger=(1,))
    half.learn_many(X[:100], y[:100])
    first = half.ledger
    rest = rg.GradientDescent(rg.Logistic(), 0.1, ledger=(1,))
    rest.learn_many(X[100:], y[100:])
    both = first + rest.ledger
    assert (both.rounds, both.mistakes) == (300, first.mistakes + rest.ledger.mistakes)
    for name in ("loss", "A", "squares2", "squares_inf", "weight"):
        assert getattr(both, name) == pytest.approx(getattr(first, name) + getattr(rest.ledger, name), rel=1e-15)
    np.testing.assert_allclose(both.G, first.G + rest.ledger.G, rtol=0, atol=1e-13)
    assert both.max_norm(1) == learner.ledger.max_norm(1) == np.abs(X).sum(axis=1).max()
    assert both.max_norm2 == learner.ledger.max_norm2
    assert sum([first, rest.ledger]).as_dict()["loss"] == both.loss
    domain = rg.Ball(2.0)
    total = both.certificate(domain).regret_at_most
    assert total <= first.certificate(domain).regret_at_most + rest.ledger.certificate(domain).regret_at_most + 1e-12
    with pytest.raises(TypeError):
        first + 1


def test_shards_of_different_widths_add_up():
    a, b = rg.GradientDescent(rg.Squared(), 0.1), rg.GradientDescent(rg.Squared(), 0.1)
    a.learn_one(([0], [1.0]), 1.0)
    b.learn_one(([2], [2.0]), 1.0)
    np.testing.assert_array_equal((a.ledger + b.ledger).G, [-2.0, 0.0, -4.0])


def test_further_norms_are_kept_when_asked_for():
    learner, X, *_ = played(ledger=(1, 3, 2, math.inf))
    assert learner.ledger.norms == (1.0, 3.0)  # the 2- and the ∞-norm are always there
    for p in (1, 2, 3, math.inf):
        assert learner.ledger.max_norm(p) == pytest.approx(np.linalg.norm(X, p, axis=1).max(), rel=1e-14)
    assert learner.ledger.squares(3) > 0
    assert learner.ledger.squares(2) == learner.ledger.squares2
    with pytest.raises(ValueError, match="ledger=\\(5,\\)"):
        learner.ledger.max_norm(5)
    with pytest.raises(ValueError, match="at least 1"):
        rg.Ledger(norms=(0.5,))
    with pytest.raises(ValueError, match="at most 4"):
        rg.Ledger(norms=(1, 3, 4, 5, 6))


def test_a_p_norm_learner_keeps_its_own_norm():
    learner = rg.PNormDescent(rg.Squared(), 0.01, p="log")
    X = np.random.default_rng(0).normal(size=(50, 20))
    learner.learn_many(X, X[:, 0])
    p = 2 * math.log(20)
    assert learner.ledger.norms == (pytest.approx(p),)
    assert learner.ledger.max_norm(learner.ledger.norms[0]) == pytest.approx(
        np.linalg.norm(X, p, axis=1).max(), rel=1e-13
    )


def test_saved_and_loaded_and_read_as_a_dict(tmp_path):
    learner, *_ = played(ledger=(1,))
    learner.ledger.save(tmp_path / "account.rg")
    again = rg.load(tmp_path / "account.rg")
    assert isinstance(again, rg.Ledger)
    mine, its = learner.ledger.as_dict(), again.as_dict()
    assert mine.keys() == its.keys()
    for name, value in mine.items():
        assert np.array_equal(value, its[name]) if name == "G" else value == its[name], name


def test_long_sums_stay_right():
    """10⁶ rounds with losses of 0.1 after one of 10⁹: a plain sum would be off in its ninth digit."""
    learner = rg.GradientDescent(rg.Absolute(), 1e-300)
    learner.learn_one([1.0], 1e9)
    X, y = np.ones((100_000, 1)), np.full(100_000, 0.1)
    for _ in range(10):
        learner.learn_many(X, y)
    assert learner.ledger.loss == pytest.approx(1e9 + 1e6 * 0.1, rel=1e-15)
    assert learner.ledger.G[0] == -1_000_001.0


def test_the_account_of_a_learner_of_labels_is_saved_too(tmp_path):
    learner = rg.MulticlassPerceptron()
    for t, x in enumerate(np.random.default_rng(0).normal(size=(50, 3))):
        learner.learn_one(x, "abcd"[t % 4])
    learner.ledger.save(tmp_path / "account")
    again = rg.load(tmp_path / "account")
    assert again.labels == 4
    np.testing.assert_array_equal(again.G, learner.ledger.G)
    np.testing.assert_array_equal((again + learner.ledger).G, 2.0 * learner.ledger.G)
    assert again.certificate(rg.Ball(1.0)) == learner.ledger.certificate(rg.Ball(1.0))


@pytest.mark.xdist_group("long")
def test_sums_stay_right_over_a_hundred_million_rounds():
    """10⁸ rounds, against fractions: L, A, V and the weights to the last bit or two, G to eleven digits.

    Every part of G is a sum of sums of 2¹⁸; a plain sum of 10⁸ equal parts is off in its eighth digit.
    """
    rounds, each, x, y, weight = 10**8, 10**6, 0.1, 1 / 3, 0.7
    learner = rg.GradientDescent(rg.Absolute(), 1e-320, ledger=(1,))  # it stands still: |p| < 1e-300
    X, labels, weights = np.full((each, 1), x), np.full(each, y), np.full(each, weight)
    for _ in range(rounds // each):
        learner.learn_many(X, labels, weights)
    ledger = learner.ledger
    square = (weight * x) * (weight * x)
    exact = {"weight": weight, "loss": weight * y, "squares2": weight * weight * (x * x)}
    assert ledger.rounds == rounds
    for name, term in exact.items():
        assert abs(getattr(ledger, name) / float(rounds * Fraction(term)) - 1.0) <= 4.5e-16, name
    assert ledger.squares(1) == pytest.approx(rounds * square, rel=1e-15)
    assert ledger.G[0] == pytest.approx(-float(rounds * Fraction(weight * x)), rel=1e-11)
    certificate = ledger.certificate(rg.Ball(3.0))
    assert certificate.best_loss_at_least == pytest.approx(rounds * weight * (y - 3.0 * x), rel=1e-10)


def test_an_empty_account_takes_no_norms_away():
    learner, *_ = played(ledger=(1, 3))
    for both in (rg.Ledger() + learner.ledger, sum([learner.ledger], rg.Ledger()), rg.Ledger((1,)) + learner.ledger):
        assert both.norms == (1.0, 3.0)
        assert both.max_norm(3) == learner.ledger.max_norm(3)
        assert both.squares(1) == learner.ledger.squares(1)
    other, *_ = played(ledger=(3,))
    assert (learner.ledger + other.ledger).norms == (3.0,)  # what one of them did not measure, nobody knows


def test_without_a_ledger_there_is_none():
    learner, *_ = played(ledger=False)
    assert learner.ledger is None
