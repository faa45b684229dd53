"""Hedge over a class that need not be convex: draws, bounds in expectation, samplers, saving, errors."""

import math
import pickle

import numpy as np
import pytest

import regretful as rg


def bumpy(w, z):
    """Many valleys: no convexity anywhere."""
    return 0.5 + 0.5 * np.sin(9.0 * w + z) * np.cos(4.0 * w * z)


def flat(w, z):
    """One number for a parameter of two coordinates."""
    return min(1.0, abs(w[0] - z) * abs(w[1]))


GRID = np.linspace(-2.0, 2.0, 81)


def test_it_is_hedge_over_the_particles():
    Z = np.random.default_rng(0).normal(size=50)
    gibbs = rg.GibbsHedge(bumpy, GRID, 0.8, vectorised=True, seed=3)
    hedge = rg.Hedge(81, 0.8, sampling=True, seed=3)
    for z in Z:
        assert gibbs.play() == GRID[hedge.play()]
        assert gibbs.learn_one(z) == hedge.learn_one(bumpy(GRID, z)) == pytest.approx(0.5, abs=0.5)
    assert gibbs.weights.tolist() == hedge.weights.tolist()
    assert gibbs.mean() == pytest.approx(float(hedge.weights @ GRID), rel=1e-13)


def test_many_is_the_loop_of_one_and_vectorising_changes_nothing():
    Z = np.random.default_rng(1).normal(size=40)
    one, many, slow = (rg.GibbsHedge(bumpy, GRID, 0.8, vectorised=v, seed=1) for v in (True, True, False))
    paid = [one.learn_one(z) for z in Z]
    assert many.learn_many(iter(Z)).tolist() == paid
    assert many.learn_many([]).tolist() == []
    assert slow.learn_many(Z) == pytest.approx(paid, rel=1e-12)
    assert one.ledger.as_dict()["bound"] == many.ledger.bound


def test_the_mean_loss_of_the_draws_over_500_seeds_is_that_of_the_mixture():
    """E over the draws of Σ ℓ(w_{t−1}) is the mixture's loss, and that is within Theorem 14: 4 standard errors."""
    Z = np.random.default_rng(2).normal(size=60)
    runs = [rg.GibbsHedge(bumpy, GRID, 0.5, vectorised=True, seed=seed) for seed in range(500)]
    totals = np.array([run.learn_many(Z).sum() for run in runs])
    ledger = runs[0].ledger
    error = totals.std(ddof=1) / math.sqrt(len(totals))
    assert totals.mean() == pytest.approx(ledger.loss, abs=4 * error)
    assert ledger.loss <= ledger.bound


def test_a_sampled_class_is_drawn_once_from_the_prior():
    def gauss(rng, count):
        return rng.normal(size=(count, 2))

    made = [rg.GibbsHedge(flat, gauss, count=30, seed=seed) for seed in (4, 4, 5)]
    assert made[0].particles.tolist() == made[1].particles.tolist() != made[2].particles.tolist()
    assert np.array_equal(made[0].particles, np.random.default_rng(4).normal(size=(30, 2)))
    assert made[0].play().shape == made[0].mean().shape == (2,)
    with pytest.raises(ValueError, match="read-only"):
        made[0].particles[0] = 1.0


def test_it_finds_the_valley_of_a_class_without_slopes():
    def step(w, z):
        return (np.abs(w - z) > 0.15).astype(float)

    rng = np.random.default_rng(3)
    hedge = rg.GibbsHedge(step, np.linspace(0, 1, 101), rounds=2000, vectorised=True)
    hedge.learn_many(0.62 + 0.1 * rng.uniform(-1, 1, 2000))
    assert hedge.ledger.best_loss == 0.0
    assert hedge.ledger.sampled_regret <= 1.2 * hedge.ledger.regret_bound
    assert abs(hedge.play() - 0.62) <= 0.15


def test_saved_by_the_name_of_its_loss(tmp_path):
    path, Z = tmp_path / "gibbs.bin", np.random.default_rng(5).normal(size=20)
    hedge = rg.GibbsHedge(bumpy, GRID, 0.5, prior=np.arange(1.0, 82.0), vectorised=True, seed=1)
    hedge.learn_many(Z)
    hedge.save(path)
    twin, pickled = rg.load(path, parts=(bumpy,)), pickle.loads(pickle.dumps(hedge))
    expected = hedge.learn_many(Z).tolist()
    assert twin.learn_many(Z).tolist() == pickled.learn_many(Z).tolist() == expected
    assert repr(twin) == repr(hedge)
    with pytest.raises(ValueError, match=r"made of bumpy, which regretful does not know: load\(path, parts=\(bumpy,\)"):
        rg.load(path)
    with pytest.raises(TypeError, match="give it a name with def"):
        rg.GibbsHedge(lambda w, z: 0.0, [0.0]).save(path)


def test_an_error_on_the_way_leaves_all_as_it_was():
    def fragile(w, z):
        if z == 3:
            raise ValueError("no loss for 3")
        return np.full(len(w), 5.0 if z == 4 else 0.5)

    rng = np.random.default_rng(0)
    hedge = rg.GibbsHedge(fragile, [[0.0], [1.0]], vectorised=True, seed=rng)
    hedge.learn_one(0)
    before = pickle.dumps(hedge._state())
    with pytest.raises(ValueError, match="row 2: no loss for 3"):
        hedge.learn_many([1, 2, 3])
    with pytest.raises(ValueError, match=r"row 1: expert 0: 5.0 is not in \[0, 1\]"):
        hedge.learn_many([1, 4])
    assert pickle.dumps(hedge._state()) == before
    assert hedge._kernel.generator is rng  # the generator that was passed in is still the one it draws with


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rg.GibbsHedge("loss", [0.0]), "loss must be a function"),
        (lambda: rg.GibbsHedge(flat, []), "particles must be finite numbers"),
        (lambda: rg.GibbsHedge(flat, [math.nan]), "particles must be finite numbers"),
        (lambda: rg.GibbsHedge(flat, [0.0], count=3), "count is for particles that a function draws"),
        (lambda: rg.GibbsHedge(flat, lambda rng, count: rng.random(count)), "need count"),
        (lambda: rg.GibbsHedge(lambda w, z: 0.5, [0.0, 1.0], vectorised=True).learn_one(0), "gives 2 numbers"),
    ],
)
def test_what_makes_no_sense_is_refused(make, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make()
