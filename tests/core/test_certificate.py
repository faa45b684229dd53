"""The certificate: true for every u of the domain, tight where it must be, and said in words that are right."""

import math

import numpy as np
import pytest

import regretful as rg

DOMAINS = {
    "ball": rg.Ball(3.0),
    "l1": rg.L1Ball(2.0),
    "simplex": rg.Simplex(1.5),
    "box": rg.Box(-1.0, 2.0),
}


def stream(rounds=400, n=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, n))
    return X, np.where(X @ rng.normal(size=n) + rng.normal(size=rounds) > 0, 1.0, -1.0)


@pytest.mark.parametrize("domain", DOMAINS.values(), ids=DOMAINS)
@pytest.mark.parametrize("loss", [rg.Logistic(), rg.Hinge(), rg.Squared(), rg.Absolute()], ids=repr)
def test_no_point_of_the_domain_does_better_than_it_says(loss, domain):
    X, y = stream()
    learner = rg.GradientDescent(loss, 0.02)
    learner.learn_many(X, y)
    certificate = learner.ledger.certificate(domain)
    assert certificate.best_loss_at_least == learner.ledger.loss - certificate.regret_at_most
    rng = np.random.default_rng(1)
    for _ in range(300):
        u = domain.project(rng.normal(size=5) * rng.choice([0.1, 1.0, 5.0]))
        assert loss.value(X @ u, y).sum() >= certificate.best_loss_at_least - 1e-9


def test_for_linear_losses_it_is_the_regret_itself():
    """ℓ(y, p) = s p is its own linearisation, so A + σ(−G) is the regret exactly."""

    class Linear(rg.Loss):
        def value(self, p, y):
            return p * y

        def slope(self, p, y):
            return y

    X, y = stream(200, 3)
    learner = rg.GradientDescent(Linear(), 0.05, rg.Ball(1.0))
    learner.learn_many(X, y)
    best = -np.linalg.norm(X.T @ y)  # over the unit ball
    certificate = learner.ledger.certificate(rg.Ball(1.0))
    assert certificate.regret_at_most == pytest.approx(learner.ledger.loss - best, rel=1e-12)


def test_the_chain_certificate_below_theorem_with_measured_constants_below_theorem_as_stated():
    """Notes 000, Thm 2.1 for GD(η) from 0 over everywhere: both its data-dependent and its stated form."""
    X, y = stream(2000)
    eta, U = 0.05, 4.0
    learner = rg.GradientDescent(rg.Logistic(), eta)
    learner.learn_many(X, y)
    ledger = learner.ledger
    certificate = ledger.certificate(rg.Ball(U)).regret_at_most
    measured = 0.5 * (U**2 / eta + eta * ledger.squares2)
    stated = 0.5 * (U**2 / eta + eta * ledger.max_norm2**2 * ledger.max_slope**2 * ledger.rounds)
    assert certificate <= measured <= stated


def test_a_negative_certificate_says_the_learner_won():
    """Against predictors of norm at most 0.1, a learner that may go further wins, and the account proves it."""
    X, y = stream()
    learner = rg.GradientDescent(rg.Logistic(), 0.1)
    learner.learn_many(X, y)
    certificate = learner.ledger.certificate(rg.Ball(0.1))
    assert certificate.regret_at_most < 0
    assert certificate.best_loss_at_least > learner.ledger.loss
    assert "beat every fixed predictor" in str(certificate)


def test_over_an_unbounded_domain_it_is_infinite_and_says_what_would_be_finite():
    X, y = stream(50)
    learner = rg.GradientDescent(rg.Logistic(), 0.1)
    learner.learn_many(X, y)
    certificate = learner.ledger.certificate(rg.Everywhere())
    assert certificate.regret_at_most == math.inf
    assert certificate.best_loss_at_least == -math.inf
    ledger = learner.ledger
    assert f"{ledger.A:.6g} + {np.linalg.norm(ledger.G):.6g} r" in str(certificate)
    ball = ledger.certificate(rg.Ball(7.0)).regret_at_most
    assert ball == pytest.approx(ledger.A + 7.0 * np.linalg.norm(ledger.G), rel=1e-14)


def test_before_the_first_round_there_is_nothing_to_certify():
    certificate = rg.GradientDescent(rg.Logistic(), 0.1).ledger.certificate(rg.Simplex())
    assert certificate.regret_at_most == certificate.best_loss_at_least == 0.0
    assert "nothing to certify" in str(certificate)


def test_the_words_hold_the_numbers_a_round():
    X, y = stream(100)
    learner = rg.AdaGrad(rg.Logistic(), 0.1)
    learner.learn_many(X, y)
    certificate = learner.ledger.certificate(rg.Ball(1.0))
    text = str(certificate)
    assert f"You lost {learner.ledger.loss / 100:.6g} a round" in text
    assert f"less than {certificate.best_loss_at_least / 100:.6g}" in text


def test_of_weighted_examples_the_words_are_those_of_the_weighted_mean():
    X, y = stream(100)
    learner = rg.GradientDescent(rg.Logistic(), 0.1)
    learner.learn_many(X, y, np.arange(100.0))
    certificate = learner.ledger.certificate(rg.Ball(1.0))
    assert certificate.weight == 4950.0
    text = str(certificate)
    assert f"You lost {learner.ledger.mean_loss:.6g} for each unit of the examples' weight" in text
    assert f"less than {certificate.best_loss_at_least / 4950:.6g}: " in text
    assert f"at most {certificate.regret_at_most / 4950:.6g} for each" in text
    nobody = rg.GradientDescent(rg.Logistic(), 0.1)
    nobody.learn_many(X, y, np.zeros(100))
    certificate = nobody.ledger.certificate(rg.Ball(1.0))
    assert (certificate.regret_at_most, certificate.best_loss_at_least) == (0.0, 0.0)
    assert "all 0" in str(certificate)


def test_sums_that_overflow_prove_nothing_and_say_so():
    learner = rg.GradientDescent(rg.Absolute(), 1e-300)
    learner.learn_many(np.ones((3, 1)), np.full(3, 1.7e308))
    assert learner.ledger.loss == learner.ledger.mean_loss == math.inf
    domains = [*DOMAINS.values(), rg.Everywhere()]
    for domain in domains:
        certificate = learner.ledger.certificate(domain)
        assert (certificate.regret_at_most, certificate.best_loss_at_least) == (math.inf, -math.inf)
        assert "overflowed" in str(certificate)
    ledger = learner.ledger + learner.ledger
    assert (ledger.rounds, ledger.loss) == (6, math.inf)
    assert "overflowed" in str(ledger.certificate(rg.Ball(1.0)))
    # The squares overflow long before the slopes do; the certificate is not made of them.
    player = rg.Player(rg.Ball(1.0), 1e-300, n=1)
    for _ in range(3):
        player.pay(0.0, [1.2e154])
    assert player.ledger.squares2 == (player.ledger + player.ledger).squares2 == math.inf
    assert player.ledger.certificate(rg.Ball(1.0)).regret_at_most == pytest.approx(3.6e154)


@pytest.mark.parametrize("size", [1e-200, 1e150])
def test_slopes_of_any_size_are_certified(size):
    """‖G‖ is no sum of squares that vanish or overflow."""
    player = rg.Player(rg.Ball(1.0), 1e-320, n=2)
    for _ in range(1000):
        player.pay(0.0, [0.3 * size, -0.4 * size])
    assert player.ledger.certificate(rg.Ball(2.0)).regret_at_most == pytest.approx(1000.0 * size, rel=1e-12)
    assert rg.Ball(2.0).support(np.array([3.0, -4.0]) * size) == pytest.approx(10.0 * size, rel=1e-15)
