"""Hedge against the formula of the notes, its bound, its draws, its extremes and its errors."""

import copy
import math
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretful as rg


def reference(losses, eta, prior):
    """Notes 004, (9): p_{t−1} ∝ p_0 exp(−η Σ_{s<t} ℓ_s), as it stands there; the weights of every round and after."""
    L = np.vstack([np.zeros(losses.shape[1]), np.cumsum(losses, axis=0)])
    rates = np.array([eta(t) for t in range(1, len(L) + 1)])
    p = prior * np.exp(-rates[:, None] * L)
    return p / p.sum(axis=1, keepdims=True)


def table(rounds, n, seed=0, M=1.0):
    return np.random.default_rng(seed).random((rounds, n)) * M


@pytest.mark.parametrize("prior", [None, [0.5, 0.2, 0.2, 0.1]])
@pytest.mark.parametrize(
    ("rate", "eta"),
    [
        (0.3, lambda t: 0.3),
        (rg.InverseSqrt(0.7), lambda t: 0.7 / math.sqrt(t)),
        (rg.InverseTime(2.0), lambda t: 0.5 / t),
    ],
    ids=["constant", "inverse sqrt", "inverse time"],
)
def test_the_weights_are_those_of_the_notes(prior, rate, eta):
    losses = table(200, 4)
    p = reference(losses, eta, np.full(4, 0.25) if prior is None else np.array(prior))
    hedge = rg.Hedge(4, rate, prior=prior)
    for t, row in enumerate(losses):
        np.testing.assert_allclose(hedge.play(), p[t], rtol=1e-12)
        assert hedge.learn_one(row) == pytest.approx(p[t] @ row, rel=1e-13)
    np.testing.assert_allclose(hedge.weights, p[-1], rtol=1e-12)
    np.testing.assert_allclose(hedge.log_weights, np.log(p[-1]), rtol=1e-11)
    ledger = hedge.ledger
    assert ledger.loss == pytest.approx((p[:-1] * losses).sum(), rel=1e-13)
    np.testing.assert_allclose(ledger.losses, losses.sum(axis=0), rtol=1e-13)
    assert ledger.best == losses.sum(axis=0).argmin()
    assert ledger.regret == pytest.approx(ledger.loss - losses.sum(axis=0).min(), rel=1e-12)
    # The right side of Theorem 14 at its minimum, by the Gibbs identity, and at mixtures of one's own.
    last, spreads = eta(200), np.ptp(losses, axis=1)
    price = sum(eta(t + 1) * spread**2 for t, spread in enumerate(spreads)) / 8
    prior = np.full(4, 0.25) if prior is None else np.array(prior)
    energy = -np.log((prior * np.exp(-last * losses.sum(axis=0))).sum()) / last
    assert ledger.bound == pytest.approx(energy + price, rel=1e-12)
    q = np.array([0.0, 0.3, 0.6, 0.1])
    divergence = sum(a * math.log(a / b) for a, b in zip(q, prior, strict=True) if a)
    assert ledger.bound_to(q) == pytest.approx(q @ losses.sum(axis=0) + divergence / last + price, rel=1e-12)
    gibbs = prior * np.exp(-last * (losses.sum(axis=0) - losses.sum(axis=0).min()))
    assert ledger.bound_to(gibbs / gibbs.sum()) == pytest.approx(ledger.bound, rel=1e-12)


@pytest.mark.parametrize("sampling", [False, True])
def test_many_is_the_loop_of_one(sampling):
    losses = table(5000, 7)
    one, many = (rg.Hedge(7, rounds=5000, sampling=sampling, seed=3) for _ in range(2))
    paid = [one.learn_one(row) for row in losses]
    assert many.learn_many(losses).tolist() == paid
    assert one.weights.tolist() == many.weights.tolist()
    assert str(one.ledger.as_dict()) == str(many.ledger.as_dict())
    assert np.array_equal(one.play(), many.play())


def test_tuned_and_anytime_rates():
    assert rg.Hedge(10, rounds=1000, M=2.0).rate == rg.Constant(math.sqrt(8 * math.log(10) / 4000))
    assert rg.Hedge(10, M=2.0).rate == rg.InverseSqrt(math.sqrt(8 * math.log(10)) / 2)
    assert rg.Hedge(2, prior=[3.0, 1.0], rounds=8).rate.eta == pytest.approx(math.sqrt(math.log(4)), rel=1e-14)
    alone = rg.Hedge(1)
    assert alone.learn_many([[1.0], [0.5]]).tolist() == [1.0, 0.5]
    assert alone.ledger.regret == 0.0


@given(
    st.lists(st.lists(st.floats(0.0, 1.0), min_size=3, max_size=3), min_size=1, max_size=60),
    st.floats(1e-3, 1e3),
    st.booleans(),
)
def test_the_weights_stay_on_the_simplex_and_the_bound_holds(losses, rate, falling):
    hedge = rg.Hedge(3, rg.InverseSqrt(rate) if falling else rate, prior=[1.0, 2.0, 5.0])
    for row in losses:
        paid = hedge.learn_one(row)
        assert min(row) - 1e-12 <= paid <= max(row) + 1e-12
        assert (hedge.weights >= 0.0).all()
        assert hedge.weights.sum() == pytest.approx(1.0, rel=1e-14)
    ledger = hedge.ledger
    assert ledger.loss <= ledger.bound + 1e-9 * max(1.0, ledger.bound)
    assert ledger.bound <= ledger.best_loss + ledger.regret_bound + 1e-9


def test_regret_of_the_tuned_rate_is_within_the_stated_bound_and_near_it_for_coins():
    rounds, n = 20_000, 8
    losses = np.random.default_rng(1).integers(0, 2, (rounds, n)).astype(float)
    hedge = rg.Hedge(n, rounds=rounds)
    hedge.learn_many(losses)
    assert hedge.ledger.regret_bound == pytest.approx(math.sqrt(rounds * math.log(n) / 2), rel=1e-12)
    assert 0.3 * hedge.ledger.regret_bound < hedge.ledger.regret < hedge.ledger.regret_bound


def test_losses_of_a_million_and_a_million_rounds_and_an_expert_that_is_always_wrong():
    losses = np.zeros((1_000_000, 3))
    losses[:, 0] = 1e6
    losses[::2, 1] = 1e6
    losses[1::2, 2] = 1e6
    hedge = rg.Hedge(3, 1.0, M=1e6)
    with np.errstate(all="raise"):
        hedge.learn_many(losses)
        assert hedge.weights.tolist() == [0.0, 0.5, 0.5]
        assert np.isfinite(hedge.log_weights).all()
        assert hedge.log_weights[0] == pytest.approx(-5e11 - math.log(2), rel=1e-15)
        assert hedge.ledger.losses.tolist() == [1e12, 5e11, 5e11]
    # An expert that was hopeless comes back when the others fail as much.
    hedge.learn_many(np.tile([0.0, 1e6, 1e6], (500_001, 1)))
    assert hedge.weights.tolist() == [1.0, 0.0, 0.0]


def test_small_losses_after_large_ones_still_count():
    """10¹² behind them, a difference of 10⁻³ is there to the last bits: L is kept to twice a double's digits."""
    hedge = rg.Hedge(2, 1.0, M=1e12)
    hedge.learn_one([1e12, 1e12])
    hedge.learn_many([[1e-3, 0.0]] * 1000)
    assert hedge.weights[1] / hedge.weights[0] == pytest.approx(math.e, rel=1e-9)


def test_draws_come_from_the_weights():
    """With losses that keep p where it is, 20,000 draws: a χ² of 3 degrees below its 0.9999 quantile."""
    hedge = rg.Hedge(4, 1.0, prior=[0.4, 0.3, 0.2, 0.1], sampling=True, seed=5)
    rounds, counts = 20_000, np.zeros(4)
    for _ in range(rounds):
        counts[hedge.play()] += 1
        hedge.learn_one([0.5] * 4)
    expected = rounds * hedge.prior
    assert ((counts - expected) ** 2 / expected).sum() < 21.1


def test_what_is_paid_when_sampling_is_the_loss_of_the_one_that_was_played():
    hedge = rg.Hedge(["a", "b", "c"], 0.1, sampling=True, seed=2)
    losses, total = table(300, 3), 0.0
    for row in losses:
        played = hedge.play()
        assert hedge.play() == played  # asking twice changes nothing
        paid = hedge.learn_one(row)
        assert paid == row["abc".index(played)]
        total += paid
    assert hedge.ledger.sampled_loss == pytest.approx(total, rel=1e-13)
    assert hedge.ledger.sampled_regret == pytest.approx(total - losses.sum(axis=0).min(), rel=1e-12)


def test_seeds_and_generators():
    losses = table(100, 5)

    def played(seed):
        hedge = rg.Hedge(5, 0.1, sampling=True, seed=seed)
        return hedge.learn_many(losses).tolist()

    assert played(1) == played(1) == played(np.random.default_rng(1)) != played(2)
    assert played(np.random.Generator(np.random.Philox(7))) == played(np.random.Generator(np.random.Philox(7)))


@pytest.mark.parametrize("sampling", [False, True])
@pytest.mark.parametrize("how", ["save", "pickle", "copy", "deepcopy"])
def test_a_copy_goes_on_bit_for_bit(tmp_path, sampling, how):
    losses = table(60, 3)
    seed = np.random.Generator(np.random.MT19937(4))
    hedge = rg.Hedge(["a", "b", "c"], rg.InverseSqrt(2.0), prior=[1, 2, 3], M=2.0, sampling=sampling, seed=seed)
    hedge.learn_many(losses[:30])
    if how == "save":
        hedge.save(tmp_path / "hedge.bin")
        twin = rg.load(tmp_path / "hedge.bin")
    else:
        twin = pickle.loads(pickle.dumps(hedge)) if how == "pickle" else getattr(copy, how)(hedge)
    assert repr(twin) == repr(hedge)
    assert np.array_equal(twin.play(), hedge.play())
    assert twin.learn_many(losses[30:]).tolist() == hedge.learn_many(losses[30:]).tolist()
    assert str(twin.ledger.as_dict()) == str(hedge.ledger.as_dict())


@pytest.mark.parametrize(
    ("losses", "message"),
    [
        ([0.5, math.nan, 0.5], "expert 'b': nan is no loss"),
        ([0.5, 0.5, math.inf], "expert 'c': inf is no loss"),
        ([0.5, -0.5, 0.5], r"expert 'b': -0.5 is not in \[0, 1\]: rescale it, or state another M"),
        ([0.5, 1.5, 0.5], r"expert 'b': 1.5 is not in \[0, 1\]"),
        ([0.5, 0.5], "there are 3 experts and 2 losses"),
        (0.5, "the losses must have 1 dimension"),
    ],
)
def test_bad_losses_are_refused_and_change_nothing(losses, message):
    hedge = rg.Hedge(["a", "b", "c"], 0.5, sampling=True)
    hedge.learn_one([0.1, 0.2, 0.3])
    before = pickle.dumps(hedge)
    with pytest.raises(ValueError, match=message):
        hedge.learn_one(losses)
    rows = [[0.1, 0.2, 0.3], losses] if np.size(losses) == 3 else [losses]
    with pytest.raises(ValueError, match=r"row 1, expert|experts and|2 dimensions"):
        hedge.learn_many(rows)
    assert pickle.dumps(hedge) == before


def test_losses_that_are_no_numbers_are_refused():
    with pytest.raises((TypeError, ValueError), match="number"):
        rg.Hedge(2).learn_one(["a", "b"])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rg.Hedge(0), "at least one expert"),
        (lambda: rg.Hedge([]), "at least one expert"),
        (lambda: rg.Hedge("ab"), "experts must be a number of them or a list of names"),
        (lambda: rg.Hedge(["a", "a"]), "two experts are named 'a'"),
        (lambda: rg.Hedge(["a", 1.5]), "the name of an expert is a string or an integer, not 1.5"),
        (lambda: rg.Hedge(2, prior=[1.0]), "the prior must be 2 numbers"),
        (lambda: rg.Hedge(2, prior=[1.0, 0.0]), "above 0 for every expert"),
        (lambda: rg.Hedge(2, M=0.0), "M must be"),
        (lambda: rg.Hedge(2, M=math.inf), "give a rate, or M"),
        (lambda: rg.Hedge(2, 0.1, rounds=10), "give one of the two"),
        (lambda: rg.Hedge(2, rounds=0), "rounds must be"),
        (lambda: rg.Hedge(2, rg.Adaptive()), "follows gradients"),
        (lambda: rg.Hedge(2, -1.0), "rate must be"),
        (lambda: rg.Hedge(2, sampling=True, seed=-1), "seed must be an integer"),
    ],
)
def test_settings_that_make_no_sense_are_refused(make, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make()


def test_the_ledger_refuses_what_it_cannot_say():
    hedge = rg.Hedge(2)
    with pytest.raises(ValueError, match="sampling=True"):
        hedge.ledger.sampled_loss  # noqa: B018
    with pytest.raises(ValueError, match="q must be 2 numbers"):
        hedge.ledger.bound_to([0.5, 0.4])
    assert math.isnan(hedge.ledger.mean_loss)
    assert repr(hedge.ledger) == "ExpertLedger(rounds=0)"


class Rising(rg.Rate):
    """A rate no bound allows."""

    def at(self, t):
        return 0.1 * t


class Breaks(rg.Rate):
    """A rate that fails in round 3."""

    def at(self, t):
        if t == 4:
            raise ZeroDivisionError("no rate")
        return 0.5


def test_a_rate_of_ones_own_that_rises_has_no_bound_and_one_that_breaks_stops_before_its_round():
    hedge = rg.Hedge(2, Rising())
    hedge.learn_many([[0.0, 1.0]] * 3)
    assert hedge.ledger.bound == hedge.ledger.regret_bound == math.inf
    hedge = rg.Hedge(2, Breaks())
    with pytest.raises(ZeroDivisionError):
        hedge.learn_many([[0.0, 1.0]] * 5)
    assert hedge.rounds == 2
    assert hedge.ledger.losses.tolist() == [0.0, 2.0]


def test_threads_take_turns():
    hedge = rg.Hedge(4, rounds=4000, sampling=True)
    rows = table(500, 4)

    def learn(_):
        for row in rows[:100]:
            hedge.learn_one(row)
        hedge.learn_many(rows[100:])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(learn, range(4)))
    assert hedge.rounds == 2000
    np.testing.assert_allclose(hedge.ledger.losses, 4 * rows.sum(axis=0), rtol=1e-12)
