"""Rows 18, 19, 24: the search for the best weights against rivals, both sides by other ways, games of one's own."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import linprog

import regretful as rg
from regretful.theorems import Unmet, multiclass, structured
from regretful.theorems.rivals import Blocks, Listed, losses, penalised, within


def problem(rounds=60, labels=3, n=4, seed=0):
    """Blocks, and the same differences listed one by one."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(rounds, n)), rng.integers(labels, size=rounds)
    apart = np.zeros((rounds, labels, labels * n))
    for t, k in itertools.product(range(rounds), range(labels)):
        apart[t, k, y[t] * n : (y[t] + 1) * n] += X[t]
        apart[t, k, k * n : (k + 1) * n] -= X[t]
    blocks = Blocks(X, y, labels)
    return blocks, Listed(blocks.costs, apart), X, y


def test_blocks_are_the_differences_listed():
    blocks, listed, X, y = problem()
    rng = np.random.default_rng(1)
    w, a = rng.normal(size=blocks.n), rng.random((60, 3))
    np.testing.assert_allclose(blocks.leads(w), listed.leads(w), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(blocks.pull(a), listed.pull(a), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(blocks.first(7).leads(w), listed.leads(w)[:7], rtol=1e-12, atol=1e-12)
    loss = rg.MulticlassHinge()
    theirs = [loss.value(w.reshape(3, 4) @ x, label) for x, label in zip(X, y, strict=True)]
    np.testing.assert_allclose(losses(blocks, w), theirs, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("rho", [0.1, 2.0, 50.0])
def test_the_least_with_a_penalty_has_no_gap_and_no_neighbour_below(rho):
    blocks, listed, *_ = problem()
    found = penalised(blocks, rho, 1e-6)
    assert 0.0 <= found.value - found.lower <= 1e-6 * found.value
    assert found.value == pytest.approx(penalised(listed, rho, 1e-6).value, rel=2e-6)
    w = found.weights
    assert found.value == pytest.approx(losses(blocks, w).sum() + 0.5 * rho * w @ w, rel=1e-12)
    rng = np.random.default_rng(2)
    for size in (1e-3, 0.1, 1.0):
        for step in size * rng.normal(size=(200, len(w))):
            assert losses(blocks, w + step).sum() + 0.5 * rho * (w + step) @ (w + step) >= found.lower


def test_the_least_of_a_ball_is_the_linear_programs_where_the_ball_is_wide():
    """Without a penalty: min Σ ξ with ξ ≥ c_k − ⟨w, δ_k⟩; a ball that holds the program's w allows it as well."""
    _, listed, *_ = problem(rounds=25)
    T, K, n = 25, 3, 12
    A = np.hstack([-listed.apart.toarray(), -np.repeat(np.eye(T), K, axis=0)])
    best = linprog(
        np.append(np.zeros(n), np.ones(T)), A, -listed.costs.ravel(), bounds=[(-50, 50)] * n + [(0, None)] * T
    )
    w = best.x[:n]
    found = within(listed, 1.01 * float(np.linalg.norm(w)), 1e-4)
    assert found.lower <= best.fun * (1 + 1e-9)
    assert found.value <= best.fun * (1 + 1e-3) + 1e-6
    narrow = within(listed, 0.1, 1e-4)
    assert np.linalg.norm(narrow.weights) <= 0.1 * (1 + 1e-12)
    assert narrow.value - narrow.lower <= 1e-4 * narrow.value
    rng = np.random.default_rng(3)
    for u in rng.normal(size=(500, n)):
        assert losses(listed, 0.1 * u / np.linalg.norm(u)).sum() >= narrow.lower


def test_row_18_by_the_notes():
    """Algorithm 2 and both forms of the bound in NumPy, at some w, against `of`."""
    rng = np.random.default_rng(4)
    X, y = rng.normal(size=(80, 3)), rng.integers(3, size=80)
    game = rg.play(rg.MulticlassPerceptron(labels=range(3)), X, y, progress=False)
    W, mistakes, V = np.zeros((3, 3)), 0, 0.0
    for x, label in zip(X, y, strict=True):
        said = int(np.argmax(W @ x))
        if said != label:
            W[label] += x
            W[said] -= x
            mistakes += 1
            V += 2.0 * x @ x
    theorem, gamma = rg.theorems.get(18), 0.7
    for w in rng.normal(size=(20, 3, 3)):
        scores = X @ w.T
        right = scores[np.arange(80), y]
        scores[np.arange(80), y] = -np.inf
        hinge = np.maximum(0.0, 1.0 - (right - scores.max(axis=1)) / gamma).sum()
        widest = 2.0 * (X**2).sum(axis=1).max()
        sides = theorem.of(game, w, gamma)
        assert sides.left == mistakes
        assert sides.right == pytest.approx(2.0 * hinge + (w**2).sum() * widest / gamma**2, rel=1e-12)
        data = hinge + math.sqrt((w**2).sum() * V) / gamma
        assert sides.forms["data-dependent"] == pytest.approx(data, rel=1e-10)
        assert mistakes <= data <= sides.right
        assert theorem.of(game).right <= sides.right
    best = theorem.of(game)
    assert best.left <= best.forms["no w gives less than"] <= best.right <= 1.001 * best.forms["no w gives less than"]


def test_row_18_speaks_of_learners_that_know_all_labels():
    theorem, rng = rg.theorems.get(18), np.random.default_rng(5)
    X, y = rng.normal(size=(60, 2)), rng.integers(4, size=60)
    with pytest.raises(Unmet, match=r"multiclass-perceptron: speaks of MulticlassPerceptron\(\), not of"):
        theorem.of(rg.play(rg.MulticlassGradientDescent(labels=range(4)), X, y, progress=False))
    with pytest.raises(Unmet, match="needs the measured constants: make the learner with ledger=True"):
        theorem.of(rg.play(rg.MulticlassPerceptron(labels=range(4), ledger=False), X, y, progress=False))
    with pytest.raises(Unmet, match="needs all labels from the start: make the learner with labels="):
        theorem.of(rg.play(rg.MulticlassPerceptron(), X, y, progress=False))
    game = rg.play(rg.MulticlassPerceptron(labels=range(4)), X, y, progress=False)
    with pytest.raises(Unmet, match="needs γ > 0, not 0"):
        theorem.of(game, np.ones((4, 2)), 0.0)


def test_row_19s_risk_is_that_of_the_random_iterate():
    """The mean over the iterates against draws of the learner's own random iterate, of one sample."""
    theorem = rg.theorems.get(19)
    source = theorem.fair(40, 0)
    (risk,) = theorem.sample(source, np.array([40]), 7)
    drawn = np.random.default_rng(7).integers(len(source.y), size=40)
    shares = []
    for seed in range(800):
        learner = rg.MulticlassPerceptron(labels=range(source.labels), keep=("random",), seed=seed, n=source.X.shape[1])
        learner.learn_many(source.X[drawn], source.y[drawn])
        shares.append(np.mean(np.asarray(learner.random_iterate().predict_many(source.X)) != source.y))
    assert abs(np.mean(shares) - risk) < 4 * np.std(shares) / math.sqrt(len(shares))


def test_row_19s_bound_at_other_w_is_no_smaller():
    theorem = rg.theorems.get(19)
    source = theorem.fair(100, 1)
    best, blocks = theorem.right(source, 100), Blocks(source.X, source.y, source.labels)
    for u in np.random.default_rng(6).normal(size=(300, blocks.n)) * 0.5:
        hinge = float(losses(blocks, u).mean())
        assert theorem.bound(hinge=hinge, norm=float(np.linalg.norm(u)), widest=source.widest, T=100) >= best * (
            1 - 1e-4
        )


@pytest.mark.parametrize("row", [18, 24])
def test_the_adversary_attains_the_bound(row):
    assert rg.theorems.get(row).attack(200).attained > 0.999


def test_row_19s_adversary_attains_most_of_it():
    verdict = rg.theorems.get(19).attack(100)
    assert verdict.holds
    assert verdict.attained > 0.9


def test_row_24_does_not_ask_how_many_labels_there_are():
    eta = 1.0 / math.sqrt(300)
    theorem = rg.theorems.get(24)
    sides = [theorem.match(structured.in_turn(300, labels, eta, 1.0), eta, 1.0) for labels in (2, 30, 500)]
    assert len({round(one.left, 9) for one in sides}) == 1
    assert len({round(one.right, 9) for one in sides}) == 1


def test_row_24_in_numpy():
    """The structured SVM by the notes on codes, its loss, and the certificate's chain."""
    source, eta = structured.coded(120, 6, 3), 0.1
    sides = rg.theorems.get(24).measured(source, eta, 1.0)
    w, lost, squares, widest = np.zeros(10), 0.0, 0.0, 0.0
    for x, y in zip(source.X, source.y, strict=True):
        apart = x * (source.codes[y] - source.codes)
        values = source.costs[y] - apart @ w
        rival = int(np.argmax(values))
        lost += values[rival]
        widest = max(widest, float(np.linalg.norm(apart[rival])))
        squares += float(apart[rival] @ apart[rival])
        w = w + eta * apart[rival]
        w /= max(1.0, float(np.linalg.norm(w)))
    assert sides.right == pytest.approx(1 / (2 * eta) + eta * 120 * widest**2 / 2, rel=1e-9)
    assert sides.forms["data-dependent"] == pytest.approx(1 / (2 * eta) + eta * squares / 2, rel=1e-9)
    best = within(source.rivals(), 1.0)
    assert sides.forms["regret, at least"] == pytest.approx(lost - best.value, rel=1e-6)
    assert sides.forms["regret, at least"] <= sides.left <= sides.forms["certificate"] <= sides.forms["data-dependent"]


def test_row_24_takes_games_of_the_hinge_of_either_kind():
    theorem, rng = rg.theorems.get(24), np.random.default_rng(8)
    X, y = rng.normal(size=(50, 3)), rng.integers(3, size=50)
    descent = rg.MulticlassGradientDescent(rate=0.1, domain=rg.Ball(2.0))
    game = rg.play(descent, X, y, progress=False)
    verdict = theorem.of(game)
    assert verdict.holds
    widest = math.sqrt(2.0 * (X**2).sum(axis=1).max())
    assert verdict.right == pytest.approx(4 / 0.2 + 0.05 * 50 * widest**2, rel=1e-12)
    chain = rg.Sequences(["D", "N"])
    tagger = rg.StructuredSVM(chain.psi, chain.cost, chain.decode, rate=0.1, domain=rg.Ball(3.0))
    words = [list(rng.choice(["a", "b", "c", "d"], size=4)) for _ in range(40)]
    tags = [tuple("D" if word in "ab" else "N" for word in x) for x in words]
    assert theorem.of(rg.play(tagger, list(zip(words, tags, strict=True)), progress=False)).holds
    boxed = rg.MulticlassGradientDescent(rate=0.1, domain=rg.Box(-1.0, 1.0))
    rg.play(boxed, X, y, progress=False)
    assert theorem.constants(boxed, None)["D"] == pytest.approx(3.0)  # nine weights, each at most 1
    for learner, message in (
        (rg.MulticlassGradientDescent(rg.Softmax(), domain=rg.Ball(1.0)), "speaks of the structured SVM"),
        (rg.MulticlassPerceptron(), "speaks of the structured SVM"),
        (rg.MulticlassGradientDescent(), "needs a bounded domain"),
        (rg.MulticlassGradientDescent(rate=rg.InverseSqrt(1.0), domain=rg.Ball(1.0)), "needs Constant as the rate"),
    ):
        with pytest.raises(Unmet, match=f"structured-svm: {message}"):
            theorem.check(learner)


def test_a_sample_of_sources():
    source = multiclass.axes(5, 3, 0)
    assert source.widest == pytest.approx(math.sqrt(2))
    assert (source.y >= 1).all()
    assert str(source) == "5 orthonormal examples, 3 labels"
    noisy = multiclass.noisy(50, 4, 6, 0.0, 1)
    again = multiclass.noisy(50, 4, 6, 0.0, 1)
    assert (noisy.y == again.y).all()
    assert set(noisy.y) <= set(range(4))
