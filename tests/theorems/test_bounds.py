"""Bounds against numbers worked out by hand, from ledgers and from constants; and games of one's own."""

import math

import numpy as np
import pytest

import regretful as rg
from regretful.batch import relative

X = np.array([[3.0, 4.0], [0.0, 1.0], [1.0, 0.0]])
Y = np.array([1.0, -1.0, 1.0])


def ledger():
    """Three rounds with R₂ = 5, R∞ = 4; slopes of the absolute loss are 1 in size, so Z = 1 and V₂ = 27, V∞ = 18."""
    learner = rg.GradientDescent(rg.Absolute(), 0.1, n=2)
    learner.learn_many(X, [10.0, -10.0, 10.0])
    return learner.ledger


def test_the_ledger_is_the_one_that_was_worked_out():
    found = ledger()
    assert (found.rounds, found.max_norm2, found.max_norm_inf, found.max_slope) == (3, 5.0, 4.0, 1.0)
    assert (found.squares2, found.squares_inf) == (27.0, 18.0)


@pytest.mark.parametrize(
    ("row", "constants", "stated", "data"),
    [
        (1, {"eta": 0.1, "U": 2.0}, 0.5 * (4 / 0.1 + 0.1 * 75), 0.5 * (4 / 0.1 + 0.1 * 27)),
        (4, {"eta": 0.1, "n": 2}, math.log(2) / 0.1 + 0.05 * 48, math.log(2) / 0.1 + 0.05 * 18),
        (13, {"c": 0.5, "D": 2.0}, 4 * math.sqrt(3) + 12.5 * math.sqrt(3),
         4 * math.sqrt(3) + 12.5 * 0.5 * (1 + 2**-0.5 + 3**-0.5)),
        (21, {"eta": 0.1, "D": 2.0}, 4 / 0.2 + 0.05 * 75, 4 / 0.2 + 0.05 * 27),
        (24, {"eta": 0.1, "D": 2.0}, 4 / 0.2 + 0.05 * 75, 4 / 0.2 + 0.05 * 27),
        (12, {"L": 5.0, "R": 2.0}, 30 * math.sqrt(3),
         20 * math.sqrt(3) + 0.4 * 25 * 0.5 * (1 + 2**-0.5 + 3**-0.5)),
    ],
)  # fmt: skip
def test_bounds_from_a_ledger(row, constants, stated, data):
    theorem = rg.theorems.get(row)
    assert theorem.bound(ledger(), **constants) == pytest.approx(stated, rel=1e-14)
    assert theorem.bound(ledger(), data=True, **constants) == pytest.approx(data, rel=1e-14)


def test_the_p_norm_bound_from_a_ledger_that_kept_the_norm():
    learner = rg.PNormDescent(rg.Absolute(), p=3.0, rate=0.1, n=2)
    learner.learn_many(X, [10.0, -10.0, 10.0])
    R = (27.0 + 64.0) ** (1 / 3)
    expected = 4 / 0.2 + 0.05 * 2.0 * 3 * R**2
    assert rg.theorems.get(9).bound(learner.ledger, eta=0.1, p=3.0, U=2.0) == pytest.approx(expected, rel=1e-12)


def test_bounds_from_constants():
    get = rg.theorems.get
    assert get(7).bound(ledger()) == 2.5
    assert get(10).bound(ledger(), norm=2.0, margin=0.5) == 400.0
    assert get(11).bound(margin=0.5, slack=3.0) == 16.0
    assert get(11).bound(margin=0.5, slack=3.0, printed=True) == 10.0
    assert get(25).bound(G=2.0, T=10, lam=0.5) == pytest.approx((1 + math.log(10)) * 4, rel=1e-15)
    assert get(26).bound(G=2.0, T=10, lam=0.5) == pytest.approx(16 / 13, rel=1e-15)
    assert get(27).bound(G=1.0, d=2.0, lam=0.5, T=10) == pytest.approx((1 + math.log(10)) * 4 / 10, rel=1e-15)
    assert get(27).bound(G=1.0, d=2.0, lam=0.5, T=10, weighted=True) == pytest.approx(8 / 6.5, rel=1e-15)
    printed, proved = (get(23).bound(best=0.1, eta=0.2, square=s, M=3.0, T=50, delta=0.05) for s in (4.0, 16.0))
    assert proved - printed == pytest.approx(0.1 * 12.0, rel=1e-12)
    assert printed == pytest.approx(0.1 + 0.4 + 3 * math.sqrt(2 * math.log(40) / 50), rel=1e-15)
    assert get(22).bound(surrogate=1.0, distance=2.0, eta=0.5, G=3.0, steps=4) == 1 + 4 + 9.0
    assert get(15).bound(10.0, R=2.0, c=1.0, N=8) == pytest.approx(15 + 6 * math.log(8), rel=1e-15)
    assert get(18).bound(ledger(), hinge=1.5, norm=0.2) == pytest.approx(4.0, rel=1e-15)
    assert get(18).bound(ledger(), hinge=1.5, norm=0.2, data=True) == pytest.approx(1.5 + 0.2 * 27**0.5, rel=1e-15)
    assert get(19).bound(hinge=0.25, norm=2.0, widest=3.0, T=100) == pytest.approx(0.86, rel=1e-15)
    assert get(24).bound(ledger(), eta=0.1, D=2.0, B=7.0) == pytest.approx(20 + 0.15 * 49, rel=1e-15)


def test_row_14_is_the_least_over_u():
    theorem = rg.theorems.get(14)
    rng = np.random.default_rng(0)
    A, y = rng.normal(size=(30, 3)) / 4, rng.normal(size=30)
    least = theorem.bound(A, y, eta=0.3)
    for u in rng.normal(size=(2000, 3)):
        assert least <= ((A @ u - y) ** 2).sum() / 0.7 + u @ u / 0.3
    assert least <= (y**2).sum() / 0.7


def test_row_17_is_the_least_over_the_length_of_u():
    theorem = rg.theorems.get(17)
    found = theorem.bound(n=5, size=1.0, noise=0.3, eta=0.3, m=100)
    lengths = np.linspace(0.0, 1.0, 100_001)
    values = ((1.0 - lengths) ** 2 / 5 + 0.09) / 0.7 + lengths**2 / 30
    assert found == pytest.approx(values.min(), rel=1e-9)


def test_row_20_is_the_least_over_lambda():
    found = rg.theorems.get(20).bound(mistakes=40.0, T=300, delta=0.05)
    assert found == pytest.approx(
        min(relative(40.0, 300, 0.05, lam) for lam in np.geomspace(1e-3, 30, 20_000)), rel=1e-4
    )


def test_the_chain_of_a_game_of_ones_own():
    log = rg.nature.LogisticNoise(n=5, norm=3.0, seed=2)
    game = rg.play(rg.GradientDescent(rg.Logistic(), 0.05), log, rounds=500, progress=False)
    verdict = rg.theorems.get(1).of(game, U=3.0)
    forms = verdict.forms
    assert verdict.left <= forms["certificate"] + 1e-9 <= forms["data-dependent"] + 2e-9 <= verdict.right + 3e-9
    ours = game.learner.ledger
    assert verdict.right == pytest.approx(0.5 * (9 / 0.05 + 0.05 * (ours.max_norm2 * ours.max_slope) ** 2 * 500))
    tuned = rg.theorems.get(2)
    with pytest.raises(rg.theorems.Unmet, match=r"gd-tuned: needs the rate U/\(R₂ Z √T\), here"):
        tuned.of(game, U=3.0)


@pytest.mark.parametrize("row", [21, 13])
def test_bounds_over_a_domain_know_how_far_it_reaches(row):
    log = rg.nature.LogisticNoise(n=4, norm=2.0, seed=3)
    rate = 0.1 if row == 21 else rg.InverseSqrt(1.0)
    for domain, reach, diameter in (
        (rg.Ball(2.0), 2.0, 4.0), (rg.Box(-1.0, 1.0), 2.0, math.inf), (rg.L1Ball(3.0), 3.0, 6.0),
    ):  # fmt: skip
        game = rg.play(rg.GradientDescent(rg.Logistic(), rate, domain, n=4), log, rounds=200, progress=False)
        theorem = rg.theorems.get(row)
        if row == 21:
            assert theorem.constants(game.learner, None)["D"] == pytest.approx(reach)
        elif math.isfinite(diameter):
            assert theorem.constants(game.learner, None)["D"] == pytest.approx(diameter)
        if row == 21 or math.isfinite(diameter):
            assert theorem.of(game).word == "holds"


def test_the_constant_feature_counts_in_a_box():
    game = rg.play(
        rg.GradientDescent(rg.Logistic(), 0.1, rg.Box(-1.0, 1.0), intercept=True), X, Y, progress=False
    )  # fmt: skip
    assert rg.theorems.get(21).constants(game.learner, None)["D"] == pytest.approx(math.sqrt(3))


def test_mistake_bounds_of_games_of_ones_own():
    nature = rg.nature.Separable(5, margin=0.2, seed=0)
    game = rg.play(rg.Perceptron(), nature, rounds=300, progress=False)
    sides = rg.theorems.get(10).of(game, nature.target())
    assert sides.left == game.mistakes <= sides.right
    noisy = rg.theorems.get(11).of(game, nature.target() / np.linalg.norm(nature.target()), 0.3)
    assert noisy.left <= noisy.right
