"""Three streams that nobody here made, with other libraries' answers (../shared/data/README.md)."""

from pathlib import Path

import numpy as np
import pytest

import regretful as rg
from tests.references import learners as L

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data"
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"no data with known answers: {FOLDER} is absent")


def libsvm(path):
    """Events and labels of a libsvm file."""
    lines = [line.split() for line in path.read_text().splitlines()]
    events = [{key: float(value) for key, value in (pair.split(":") for pair in line[1:])} for line in lines]
    return events, np.array([float(line[0]) for line in lines])


def test_a1a_gradient_descent_on_the_hinge():
    """SOL's answer: eta_t = 1/sqrt t, no bias, sign(0) = +1, file order: 1304 of 1605 right."""
    events, y = libsvm(FOLDER / "a1a")
    learner = rg.GradientDescent(rg.Hinge(), rg.InverseSqrt(1.0))
    predictions = np.asarray(learner.learn_many(events, y))
    assert len(y) == 1605
    assert (np.where(predictions >= 0, 1, -1) == y).sum() == 1304


@pytest.mark.parametrize(
    ("learner", "reference", "published"),
    [(rg.Perceptron, L.perceptron, 0.332), (rg.PassiveAggressive, L.passive_aggressive, 0.318)],
    ids=["perceptron", "passive-aggressive"],
)
def test_svmguide3_mean_mistake_rate_over_20_permutations(learner, reference, published):
    """LIBOL's answers, for permutations of its own; with these, the references make the same mistakes."""
    table = np.loadtxt(FOLDER / "svmguide3.csv", delimiter=",")
    assert table.shape == (1243, 22)
    rng = np.random.default_rng(0)
    rates = []
    for _ in range(20):
        X, y = np.hsplit(table[rng.permutation(len(table))], [1])[::-1]
        y = y.ravel()
        predictions = np.asarray(learner().learn_many(np.ascontiguousarray(X), y))
        mistakes = (y * predictions <= 0).sum()
        assert mistakes == (y * reference(X, y).predictions <= 0).sum()
        rates.append(mistakes / len(y))
    # The published mean and this one are both of 20 permutations: their difference has the standard error
    # sqrt(2/20) of one permutation's deviation, and the published one is rounded to 0.0005. Three errors.
    tolerance = 3 * np.sqrt(2 / 20) * np.std(rates, ddof=1) + 0.0005
    assert tolerance < 0.014
    assert np.mean(rates) == pytest.approx(published, abs=tolerance)


class ClippedSquared(rg.Loss):
    """Vowpal Wabbit's squared loss: p is clipped to the labels seen so far, this one included, and 0."""

    def __init__(self):
        self.low = self.high = 0.0

    def clip(self, p, y):
        """The prediction within the range of labels, which y widens first."""
        self.low, self.high = min(self.low, y), max(self.high, y)
        return min(max(p, self.low), self.high)

    def value(self, p, y):
        return (self.clip(p, y) - y) ** 2

    def slope(self, p, y):
        return 2 * (self.clip(p, y) - y)


def vw(path):
    """Events and labels of Vowpal Wabbit text with one namespace: `label |features name:value ...`."""
    events, labels = [], []
    for line in path.read_text().splitlines():
        label, _, features = line.partition("|")
        pairs = (feature.partition(":") for feature in features.split()[1:])
        events.append({name: float(value) if colon else 1.0 for name, colon, value in pairs})
        labels.append(float(label))
    return events, np.array(labels)


@pytest.mark.parametrize("one_by_one", [True, False], ids=["learn_one", "learn_many"])
def test_vw_0001_ftrl_proximal(one_by_one):
    """Vowpal Wabbit's --ftrl, alpha 0.01, beta 0, l1 2, with its constant feature: mean loss 0.379717."""
    events, y = vw(FOLDER / "vw-0001.dat")
    assert len(y) == 200
    learner = rg.FTRLProximal(0.01, 0.0, 2.0, 0.0, ClippedSquared(), intercept=True)
    if one_by_one:
        for event, label in zip(events, y, strict=True):
            learner.learn_one(event, label)
    else:
        learner.learn_many(events, y)
    assert learner.ledger.mean_loss == pytest.approx(0.379717, abs=5e-7)  # six printed digits
    weights = np.array(list(learner.named_weights().values()))
    assert 0 < (weights != 0).sum() < 100  # l1 leaves a few of the thousands of features
