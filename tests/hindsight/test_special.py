"""What is special: where the infimum is not attained, where nothing is feasible, bad input, sources, names."""

import math

import numpy as np
import pytest
from scipy import optimize

import regretful as rg
from regretful.hindsight import hindsight
from tests.hindsight.problems import LOSSES, name, problem

SEPARABLE = np.array([[1.0, 0.2], [2.0, -0.3], [-1.0, 0.1], [-3.0, 0.5]]), np.array([1.0, 1.0, -1.0, -1.0])
LEAST = math.log(3.0) + 2.0 * math.log(1.5)  # of ln(1 + exp(-w)) + 2 ln(1 + exp(w))


@pytest.mark.parametrize("domain", [rg.Everywhere(), rg.Orthant()])
def test_separable_logistic_is_attained_nowhere(domain):
    X, y = SEPARABLE
    best = hindsight(rg.Logistic(), domain, X, y)
    assert best.attained is False
    assert "attained nowhere" in best.note
    assert best.radius >= np.linalg.norm(best.weights)
    assert best.gap <= 1e-6
    assert 0.0 <= best.loss < 1e-5
    assert str(best).startswith("The best fixed predictor found in ")


def test_partly_separable_logistic_is_attained_nowhere():
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    y = np.array([1.0, 1.0, -1.0, 1.0])
    best = hindsight(rg.Logistic(), rg.Everywhere(), X, y)
    assert best.attained is False
    assert best.loss == pytest.approx(LEAST, abs=1e-5)
    assert best.lower <= LEAST


def test_poisson_without_counts_is_attained_nowhere():
    best = hindsight(rg.Poisson(), rg.Everywhere(), np.ones((3, 1)), np.zeros(3))
    assert best.attained is False
    assert best.loss < 1e-5
    assert hindsight(rg.Poisson(), rg.Everywhere(), np.ones((3, 1)), np.array([0.0, 1.0, 2.0])).attained is True


def test_everywhere_the_least_squares_are_found():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 5)), rng.normal(size=30)
    X[:, 4] = X[:, 0]
    best = hindsight(rg.Squared(), rg.Everywhere(), X, y)
    residual = y - X @ np.linalg.lstsq(X, y)[0]
    assert best.lower <= residual @ residual <= best.loss * (1.0 + 1e-12)
    assert best.attained is True
    assert best.radius >= np.linalg.norm(best.weights)


@pytest.mark.parametrize("domain", ["orthant", "half box", "box", "ball", "simplex", "everywhere"])
def test_features_of_very_different_sizes(domain):
    """From 1e-3 to 1e3, as they come before anybody scales them; where nothing bounds w the bound asks most."""
    rng = np.random.default_rng(1)
    n = 40
    X = rng.normal(size=(200, n)) * 10.0 ** rng.integers(-3, 4, size=n)
    y = X @ rng.normal(size=n) / np.sqrt(n) + rng.normal(size=200)
    low, high = np.where(rng.random(n) < 0.3, -np.inf, -1.0), np.where(rng.random(n) < 0.3, np.inf, 1.0)
    best = hindsight(
        rg.Squared(),
        {
            "orthant": rg.Orthant(),
            "half box": rg.Box(low, high),
            "box": rg.Box(-1.0, 1.0),
            "ball": rg.Ball(3.0),
            "simplex": rg.Simplex(),
            "everywhere": rg.Everywhere(),
        }[domain],
        X,
        y,
    )
    assert best.gap <= 1e-6
    assert best.passes <= 100
    if domain == "orthant":
        scale = np.linalg.norm(X, axis=0)
        assert best.loss == pytest.approx(optimize.nnls(X / scale, y)[1] ** 2, rel=1e-6)


def test_log_wealth_over_a_cone_has_no_bound():
    best = hindsight(rg.LogWealth(), rg.Orthant(), np.array([[1.0, 2.0], [3.0, 1.0]]))
    assert best.attained is False
    assert best.radius == 1.0
    assert "no lower bound" in best.note
    assert best.gap <= 1e-6


def test_log_wealth_finds_where_to_begin():
    X = np.array([[1.0, -3.0], [-0.9, 3.0], [0.2, 0.1]])
    best = hindsight(rg.LogWealth(), rg.Ball(1.0), X)
    assert best.gap <= 1e-6
    assert (X @ best.weights > 0.0).all()
    far = hindsight(rg.LogWealth(), rg.Box([-1.0, -1.0], [1.0, -0.2]), np.array([[1.0, 0.5], [1.0, -1.0]]))
    assert far.gap <= 1e-6
    with pytest.raises(ValueError, match="every row needs a positive feature"):
        hindsight(rg.LogWealth(), rg.Simplex(), np.array([[1.0, 1.0], [0.0, -1.0]]))


@pytest.mark.parametrize("loss", LOSSES, ids=name)
def test_a_source_is_replayed(loss):
    X, y, c = problem(loss)

    def source():
        for rows in (slice(0, 7), slice(7, 8), slice(8, 40)):
            yield X[rows], None if y is None else y[rows], c[rows]

    for domain in (rg.Ball(0.8), rg.Simplex(2.5)):
        replayed = hindsight(loss, domain, source)
        held = hindsight(loss, domain, X, y, weight=c)
        assert replayed.gap <= 1e-6
        assert replayed.loss == pytest.approx(held.loss, rel=3e-6, abs=3e-6)


def test_a_source_that_changes_is_found_out():
    X, y, _ = problem(rg.Squared())
    lengths = iter([40, 39])

    def source():
        rows = next(lengths)
        yield X[:rows], y[:rows]

    with pytest.raises(ValueError, match="the source changed: it gave 40 rows of 4 features at first"):
        hindsight(rg.Squared(), rg.Ball(1.0), source)
    with pytest.raises(TypeError, match="give no y or weight beside it"):
        hindsight(rg.Squared(), rg.Ball(1.0), lambda: iter([(X, y)]), y)
    with pytest.raises(TypeError, match="block 0: a source yields tuples"):
        hindsight(rg.Squared(), rg.Ball(1.0), lambda: [X])
    with pytest.raises(ValueError, match="block 1: row 2: label nan"):
        hindsight(rg.Squared(), rg.Ball(1.0), lambda: [(X, y), (X[:3], [1.0, 2.0, np.nan])])


def test_names():
    events = [{"city": "Rome", "age": 2.0}, {"city": "Oslo", "age": 1.0}, {"city": "Rome", "age": -1.0}]
    best = hindsight(rg.Squared(), rg.Ball(1.0), events, [1.0, 0.0, 0.5], intercept=True)
    assert set(best.named_weights()) == {"city=Rome", "age", "city=Oslo"}
    p = best.predict_many(events)
    assert np.sum((p - [1.0, 0.0, 0.5]) ** 2) == pytest.approx(best.loss)
    assert best.predict_one(events[0]) == p[0]
    assert best.predict_one({"nobody": 1.0}) == best.intercept
    table = pytest.importorskip("pandas").DataFrame({"a": [1.0, 2.0], "b": [0.0, 1.0]})
    assert set(hindsight(rg.Squared(), rg.Ball(1.0), table, [1.0, 0.0]).named_weights()) == {"a", "b"}
    hashed = hindsight(rg.Absolute(), rg.L1Ball(1.0), events, [1.0, 0.0, 0.5], features=rg.Hashing(bits=4))
    assert len(hashed.weights) == 16


def test_the_result_is_frozen():
    best = hindsight(rg.Squared(), rg.Ball(1.0), [[1.0]], [0.5])
    with pytest.raises(ValueError, match="read-only"):
        best.weights[0] = 1.0
    with pytest.raises(AttributeError):
        best.loss = 0.0
    assert best.named_weights() == {0: pytest.approx(0.5)}


def test_few_passes_give_an_honest_gap():
    X, y, _ = problem(rg.Logistic())
    for loss in (rg.Logistic(), rg.Hinge()):
        for passes in (1, 2, 3):
            best = hindsight(loss, rg.Ball(0.8), X, y, max_passes=passes, tol=1e-12)
            assert best.lower <= best.loss < np.inf
            assert "was not reached" in best.note


@pytest.mark.parametrize(
    ("X", "y", "more", "message"),
    [
        ([[1.0], [np.nan]], [1.0, 1.0], {}, "row 1, feature 0: nan is not a finite number"),
        ([[1.0], [2.0]], [1.0, np.inf], {}, "row 1: label inf"),
        ([[1.0], [2.0]], [1.0], {}, "X has 2 rows and y has 1"),
        (np.zeros((0, 2)), [], {}, "there are no examples"),
        ([], [], {}, "there are no examples"),
        (np.zeros((2, 0)), [0.0, 1.0], {}, "the examples have no features"),
        ([[1.0]], [1.0], {"weight": 0.0}, "the weights of the examples are all 0"),
        ([[1.0]], [1.0], {"weight": -1.0}, "row 0: weight -1.0 is not finite and at least 0"),
        ([[1.0]], [1.0], {"tol": 0.0}, "tol must be"),
    ],
)
def test_bad_input(X, y, more, message):
    with pytest.raises(ValueError, match=message):
        hindsight(rg.Squared(), rg.Ball(1.0), X, y, **more)


def test_bad_labels_and_parts():
    with pytest.raises(ValueError, match=r"row 1: label 2.0 is not one that Logistic\(\) takes"):
        hindsight(rg.Logistic(), rg.Ball(1.0), [[1.0], [2.0]], [1.0, 2.0])
    with pytest.raises(TypeError, match="needs labels"):
        hindsight(rg.Logistic(), rg.Ball(1.0), [[1.0]])
    with pytest.raises(TypeError, match="loss must be"):
        hindsight("logistic", rg.Ball(1.0), [[1.0]], [1.0])
    with pytest.raises(ValueError, match="this box has 2 coordinates"):
        hindsight(rg.Squared(), rg.Box([0.0, 0.0], [1.0, 1.0]), [[1.0]], [1.0])


def test_labels_0_and_1_mean_minus_and_plus():
    X, y = SEPARABLE
    ours = hindsight(rg.Hinge(), rg.Ball(0.1), X, y > 0)
    assert ours.loss == hindsight(rg.Hinge(), rg.Ball(0.1), X, y).loss
