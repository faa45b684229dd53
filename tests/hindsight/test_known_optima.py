"""Optima of real data, certified (../shared/data/README.md)."""

from pathlib import Path

import numpy as np
import pytest

import regretful as rg
from regretful.hindsight import finite, hindsight

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"no data with known answers: {FOLDER} is absent")


# OLPS's answer for the NYSE, 250.5909, is below the optimum: the weights found here make 250.5971, which anybody can
# multiply out, and the bound says that none makes more. Its tolerance is what the two differ by.
@pytest.mark.parametrize(
    ("file", "shape", "wealth", "known"),
    [("nyse-o.csv", (5651, 36), 250.59707, 250.5909), ("sp500.csv", (1276, 25), 4.06863, 4.0686)],
)
def test_the_best_constantly_rebalanced_portfolio(file, shape, wealth, known):
    X = np.loadtxt(FOLDER / file, delimiter=",")
    assert X.shape == shape
    best = hindsight(rg.LogWealth(), rg.Simplex(), X, tol=1e-9)
    assert best.gap <= 1e-9
    assert best.weights.min() >= 0.0
    assert best.weights.sum() == pytest.approx(1.0, abs=1e-12)
    made = float(np.prod(X @ best.weights))
    assert made == pytest.approx(np.exp(-best.loss), rel=1e-9)
    assert made == pytest.approx(wealth, rel=1e-6)
    assert np.exp(-best.lower) == pytest.approx(wealth, rel=1e-6)
    assert made == pytest.approx(known, rel=5e-5)
    assert made > known - 1e-4


def test_the_electric_load():
    experts = np.loadtxt(FOLDER / "opera/experts.csv", delimiter=",", skiprows=1)
    load = np.loadtxt(FOLDER / "opera/targets.csv", delimiter=",", skiprows=1)
    assert experts.shape == (112, 3)
    convex = hindsight(rg.Squared(), rg.Simplex(), experts, load)
    assert convex.gap <= 1e-6
    assert np.sqrt(convex.loss / 112) == pytest.approx(1442.43, abs=0.005)
    np.testing.assert_allclose(convex.weights, [0.719, 0.201, 0.080], atol=5e-4)
    linear = hindsight(rg.Squared(), rg.Everywhere(), experts, load)
    assert linear.gap <= 1e-6
    assert np.sqrt(linear.loss / 112) == pytest.approx(1395.35, abs=0.005)
    best = finite(experts, load, rg.Squared(), names=["gam", "ar", "gbm"])
    assert np.sqrt(best.loss / 112) == pytest.approx(1479.80, abs=0.005)


def test_a_real_stream_of_names():
    lines = [line.split() for line in (FOLDER / "a1a").read_text().splitlines()]
    events = [{key: float(value) for key, value in (pair.split(":") for pair in line[1:])} for line in lines]
    y = [float(line[0]) for line in lines]
    for loss in (rg.Logistic(), rg.Hinge()):
        best = hindsight(loss, rg.Ball(5.0), events, y, intercept=True)
        assert best.gap <= 1e-6
        assert len(best.named_weights()) == len({name for event in events for name in event})
