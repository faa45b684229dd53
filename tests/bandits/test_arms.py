"""Thompson sampling and UCB1: references, whole runs against the loop, saving, errors."""

import copy
import math
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import PCG64, Generator, SeedSequence

import regretful as rg
from regretful.bandits import simulate

MEANS = [0.3, 0.5, 0.45]


def loop(bandit, means, rounds, rng):
    """Pulls of each arm, one round after the other, the reward drawn after the arm."""
    counts = np.zeros(len(means))
    for _ in range(rounds):
        arm = bandit.pull()
        bandit.update(arm, rng.random() < means[arm])
        counts[arm] += 1
    return counts


def thompson_reference(means, rounds, rng):
    """As notes 001 write it: sample, take the largest, update (α, β) ← (α, β) + (r, 1 − r)."""
    a, b, regret = np.ones(len(means)), np.ones(len(means)), 0.0
    for _ in range(rounds):
        k = rng.beta(a, b).argmax()
        r = float(rng.random() < means[k])
        a[k], b[k] = a[k] + r, b[k] + 1 - r
        regret += max(means) - means[k]
    return regret


def ucb1_reference(rewards):
    """Auer et al., Figure 1, on a table of rewards (rounds × arms); the arms in their order."""
    n, total, chosen = np.zeros(rewards.shape[1]), np.zeros(rewards.shape[1]), []
    for t, row in enumerate(rewards):
        with np.errstate(divide="ignore", invalid="ignore"):
            index = total / n + np.sqrt(2 * math.log(t or 1) / n)
        k = int(np.argmin(n)) if t < len(row) else int(np.argmax(index))
        n[k], total[k] = n[k] + 1, total[k] + row[k]
        chosen.append(k)
    return chosen


def test_ucb1_pulls_what_the_paper_says():
    rewards = np.random.default_rng(0).random((2000, 4)) * [0.9, 1.0, 0.5, 0.95]
    bandit, chosen = rg.UCB1(4), []
    for row in rewards:
        chosen.append(bandit.pull())
        bandit.update(chosen[-1], row[chosen[-1]])
    assert chosen == ucb1_reference(rewards)


def test_ucb1_is_within_its_theorem():
    gap, rounds = np.array([0.2, 0.0, 0.3]), 3000
    found = simulate(rg.UCB1(3), 0.6 - gap, rounds, runs=100)
    positive = gap[gap > 0]
    assert found.regret[-1] <= (8 * math.log(rounds) / positive + (1 + math.pi**2 / 3) * positive).sum()


def test_thompson_regret_is_that_of_the_reference():
    """Mean regret of 300 runs of each, 300 rounds: within 4 standard errors of the difference."""
    rng = np.random.default_rng(1)
    theirs = np.array([thompson_reference(MEANS, 300, rng) for _ in range(300)])
    ours = simulate(rg.ThompsonSampling(3), MEANS, 300, runs=300, seed=2)
    error = math.hypot(ours.error[-1], theirs.std(ddof=1) / math.sqrt(300))
    assert abs(ours.regret[-1] - theirs.mean()) < 4 * error


@pytest.mark.parametrize("make", [lambda seed: rg.ThompsonSampling(3, (0.5, 1.0), seed=seed), lambda seed: rg.UCB1(3)])
def test_a_simulation_is_bit_for_bit_the_loop(make):
    found = simulate(make(0), MEANS, 400, runs=3, seed=5, at=[100, 400])
    for which, seeds in enumerate(SeedSequence(5).spawn(3)):
        rng = Generator(PCG64(seeds))
        bandit = make(rng)
        assert loop(bandit, MEANS, 100, rng).tolist() == found.pulls[which, 0].tolist()
        loop(bandit, MEANS, 300, rng)
        assert bandit.ledger.pulls.tolist() == found.pulls[which, 1].tolist()
        assert bandit.ledger.regret(MEANS) == found.regrets[which, 1]


def test_a_simulation_depends_on_its_seed_alone():
    bandit = rg.ThompsonSampling(3)
    before = pickle.dumps(bandit)
    one = simulate(bandit, MEANS, 500, runs=20, seed=1, threads=1)
    many = simulate(bandit, MEANS, 500, runs=40, seed=1, threads=4)
    assert np.array_equal(one.pulls, many.pulls[:20])
    assert not np.array_equal(one.pulls, simulate(bandit, MEANS, 500, runs=20, seed=2).pulls)
    drawn = [simulate(bandit, MEANS, 50, runs=2, seed=np.random.default_rng(9)).pulls for _ in range(2)]
    assert np.array_equal(*drawn)
    assert pickle.dumps(bandit) == before
    assert (one.pulls.sum(axis=2) == one.rounds).all()
    assert one.rounds[-1] == 500
    assert str(one).startswith("20 runs of 500 rounds over 3 arms: regret ")
    assert math.isnan(simulate(bandit, MEANS, 10, runs=1).error[-1])


def test_a_simulation_starts_where_the_bandit_is():
    bandit = rg.ThompsonSampling(2)
    for _ in range(2000):
        bandit.update(0, 0)
        bandit.update(1, 1)
    assert simulate(bandit, [0.5, 0.5], 100, runs=5).pulls[:, -1, 1].min() == 100


@given(st.lists(st.tuples(st.integers(0, 2), st.booleans()), max_size=40))
def test_the_posterior_counts_what_was_paid(told):
    bandit = rg.ThompsonSampling(["x", "y", "z"], [(1, 1), (2, 3), (0.5, 0.5)])
    for arm, paid in told:
        bandit.update("xyz"[arm], paid)
    a, b = bandit.posterior()
    wins = [sum(paid for k, paid in told if k == arm) for arm in range(3)]
    counts = [sum(k == arm for k, _ in told) for arm in range(3)]
    assert (a - [1, 2, 0.5]).tolist() == wins
    assert (b - [1, 3, 0.5] + wins).tolist() == counts
    ledger = bandit.ledger
    assert (ledger.rounds, ledger.reward) == (len(told), sum(wins))
    assert ledger.pulls.tolist() == counts
    assert bandit.pull() in ("x", "y", "z")


def test_rewards_between_0_and_1_are_coins_in_the_posterior_and_themselves_in_the_account():
    bandit = rg.ThompsonSampling(1, seed=3)
    for _ in range(10_000):
        bandit.update(0, 0.3)
    (a,), (b,) = bandit.posterior()
    assert a + b == 10_002
    assert abs(a - 1 - 3000) < 4 * math.sqrt(10_000 * 0.21)
    assert bandit.ledger.reward == pytest.approx(3000.0, rel=1e-12)


@pytest.mark.parametrize("how", ["save", "pickle", "deepcopy"])
@pytest.mark.parametrize(
    "make",
    [lambda: rg.ThompsonSampling(["a", "b"], (2.0, 0.5), seed=np.random.Generator(np.random.SFC64(1))),
     lambda: rg.UCB1(["a", "b"])],
    ids=["Thompson", "UCB1"],
)  # fmt: skip
def test_a_copy_goes_on_bit_for_bit(tmp_path, make, how):
    def play(bandit):
        arms = []
        for t in range(200):
            arms.append(bandit.pull())
            bandit.update(arms[-1], t % 3 / 2)
        return arms

    bandit = make()
    play(bandit)
    if how == "save":
        bandit.save(tmp_path / "bandit.bin")
        twin = rg.load(tmp_path / "bandit.bin")
    else:
        twin = pickle.loads(pickle.dumps(bandit)) if how == "pickle" else copy.deepcopy(bandit)
    assert repr(twin) == repr(bandit)
    assert play(twin) == play(bandit)
    assert str(twin.ledger.as_dict()) == str(bandit.ledger.as_dict())


@pytest.mark.parametrize(
    ("arm", "reward", "message"),
    [
        ("c", 1, "there is no arm 'c'; there are 'a', 'b'"),
        ([], 1, r"there is no arm \[\]"),
        ("a", math.nan, "a reward must be"),
        ("a", 1.5, "a reward must be finite and at least 0 and at most 1, not 1.5"),
        ("a", -0.5, "a reward must be"),
        ("a", "much", "a reward must be a number, not 'much'"),
    ],
)
def test_bad_updates_are_refused_and_change_nothing(arm, reward, message):
    bandit = rg.ThompsonSampling(["a", "b"])
    before = pickle.dumps(bandit)
    with pytest.raises((TypeError, ValueError), match=message):
        bandit.update(arm, reward)
    assert pickle.dumps(bandit) == before


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rg.UCB1(0), "at least one arm"),
        (lambda: rg.UCB1(["a", "a"]), "two arms are named 'a'"),
        (lambda: rg.ThompsonSampling(2, (1.0,)), "a pair"),
        (lambda: rg.ThompsonSampling(3, [(1, 1), (1, 1)]), "or 3 of them"),
        (lambda: rg.ThompsonSampling(2, (0.0, 1.0)), "finite and above 0"),
        (lambda: simulate(rg.UCB1(2), [0.5], 10), "means must be 2 numbers"),
        (lambda: simulate(rg.UCB1(2), [0.5, 1.5], 10), r"arm 1: a mean must be in \[0, 1\], not 1.5"),
        (lambda: simulate(rg.UCB1(2), [0.5, 0.5], 0), "rounds must be"),
        (lambda: simulate(rg.UCB1(2), [0.5, 0.5], 10, at=[11]), "at must be rounds between 1 and 10"),
        (lambda: simulate(rg.UCB1(2), [0.5, 0.5], 10, seed="x"), "seed must be"),
        (lambda: rg.UCB1(2).ledger.regret([0.5]), "means must be 2 numbers"),
    ],
)
def test_what_makes_no_sense_is_refused(make, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make()


def test_threads_take_turns_and_many_arms_may_be_out_at_once():
    bandit = rg.ThompsonSampling(5)

    def play(_):
        for _ in range(500):
            out = [bandit.pull() for _ in range(3)]
            for arm in out:
                bandit.update(arm, arm == 2)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(play, range(4)))
    assert bandit.rounds == bandit.ledger.pulls.sum() == 6000
    assert bandit.ledger.best == 2


def test_a_bandit_that_has_seen_nothing_says_so():
    ledger = rg.UCB1(2).ledger
    assert ledger.best is None
    assert np.isnan(ledger.means).all()
    assert repr(ledger) == "BanditLedger(rounds=0, reward=0, best=None)"
