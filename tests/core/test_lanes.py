"""The innermost loops: whichever instructions a row takes, it is added in the same four lanes, bit for bit."""

import numpy as np
import pytest
import scipy.sparse as sp

import regretful as rg

WIDTHS = range(1, 41)


def rows(width, count=5):
    rng = np.random.default_rng(width)
    return rng.normal(size=(count, width)) * 10.0 ** rng.integers(-8, 8, size=(count, width))


def lanes(terms):
    """The sum as the lanes take it: four side by side, what is left over in the first."""
    sums = [0.0] * 4
    whole = len(terms) // 4 * 4
    for j, term in enumerate(terms):
        sums[j % 4 if j < whole else 0] += term
    return (sums[0] + sums[1]) + (sums[2] + sums[3])


@pytest.mark.parametrize("make", [rg.GradientDescent, rg.AdaGrad])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("width", WIDTHS)
def test_dense_rows_sparse_rows_and_single_rows_are_one(width, intercept, make):
    X = rows(width)
    y = np.where(X[:, 0] > 0.0, 1.0, -1.0)
    learners = [make(rg.Logistic(), rate=0.1, intercept=intercept) for _ in range(3)]
    played = [
        learners[0].learn_many(X, y),
        learners[1].learn_many(sp.csr_matrix(X), y),
        np.array([learners[2].learn_one(x, label) for x, label in zip(X, y, strict=True)]),
    ]
    for learner, paid in zip(learners[1:], played[1:], strict=True):
        assert paid.tobytes() == played[0].tobytes()
        assert learner.weights.tobytes() == learners[0].weights.tobytes()
        assert learner.ledger.G.tobytes() == learners[0].ledger.G.tobytes()
        assert learner.ledger.max_norm2 == learners[0].ledger.max_norm2


@pytest.mark.parametrize("width", WIDTHS)
def test_predictions_and_norms_are_sums_in_four_lanes(width):
    x, z = rows(width, 2)
    for shape in (np.atleast_2d, lambda row: sp.csr_matrix(row[None, :])):
        learner = rg.GradientDescent(rg.Absolute(), rate=0.3)
        learner.learn_many(shape(x), [1.0])
        w = learner.weights
        assert learner.predict_many(shape(z))[0] == lanes(w * z)
        assert learner.ledger.max_norm2 == np.sqrt(lanes(x * x))
        assert learner.ledger.max_norm_inf == np.abs(x).max()


@pytest.mark.parametrize("size", [2, 3, 4, 5, 15, 16, 17, 18, 19, 20, 23, 31, 32])
def test_an_index_that_stands_twice_is_found_wherever_it_stands(size):
    for j in range(1, size):
        index = np.arange(size) * 2
        index[j] = index[j - 1]
        X = sp.csr_matrix((np.ones(size), index, [0, size]), shape=(1, 2 * size))
        with pytest.raises(ValueError, match=f"feature {index[j]} stands there more than once"):
            rg.GradientDescent(rg.Logistic()).learn_many(X, [1.0])


@pytest.mark.parametrize("wrong", [-1, 64, 2_000_000_000])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 18])
def test_an_index_out_of_range_is_never_followed_wherever_it_stands(size, wrong):
    for j in range(size):
        index = np.arange(size) * 2
        index[j] = wrong
        X = sp.csr_matrix((1, 64))
        X.data, X.indices, X.indptr = np.ones(size), index, np.array([0, size])
        for fresh in (True, False):  # with many coordinates rows are looked at before the game, else on the way
            learner = rg.GradientDescent(rg.Logistic(), n=64) if fresh else rg.GradientDescent(rg.Logistic())
            many = sp.vstack([sp.csr_matrix(np.ones((1 if fresh else 8, 64))), X]).tocsr()
            many.indices[len(many.indices) - size + j] = wrong
            with pytest.raises(ValueError, match=f"row {many.shape[0] - 1}: index {wrong} is out of range"):
                learner.learn_many(many, np.ones(many.shape[0]))
            assert learner.rounds == learner.ledger.rounds == 0
            with pytest.raises(ValueError, match=f"row 0: index {wrong} is out of range"):
                learner.predict_many(X)


@pytest.mark.parametrize("width", WIDTHS)
def test_adagrad_steps_are_its_formula_to_the_last_bit_and_leave_what_has_no_root(width):
    rng = np.random.default_rng(width)
    X = rng.normal(size=(200, width)) * np.where(np.arange(width) % 3 == 1, 1e-170, 1.0)
    y = rng.normal(size=200)
    learner, w, H = rg.AdaGrad(rg.Absolute(), rate=0.3), np.zeros(width), np.zeros(width)
    learner.learn_many(X, y)
    for x, label in zip(X, y, strict=True):
        g = np.sign(w @ x - label) * x
        with np.errstate(under="ignore"):
            H += g * g
        w -= np.divide(0.3 * g, np.sqrt(H), where=H > 0.0, out=np.zeros(width))
    assert (H[1::3] == 0.0).all()
    assert (H[::3] > 0.0).all()
    assert learner.weights.tolist() == w.tolist()


def test_rows_in_no_order_are_learnt_as_they_stand():
    rng = np.random.default_rng(5)
    index = np.array([rng.permutation(40)[:17] for _ in range(30)])
    values, y = rng.normal(size=(30, 17)), np.where(rng.random(30) < 0.5, 1.0, -1.0)
    X = sp.csr_matrix((values.ravel(), index.ravel(), np.arange(31) * 17), shape=(30, 40))
    X.has_sorted_indices = True  # so that nobody sorts them on the way
    many, single = rg.GradientDescent(rg.Logistic(), 0.1, n=40), rg.GradientDescent(rg.Logistic(), 0.1, n=40)
    paid = many.learn_many(X, y)
    expected = [single.learn_one((i, v), label) for i, v, label in zip(index, values, y, strict=True)]
    assert paid.tolist() == expected
    assert many.weights.tobytes() == single.weights.tobytes()


def test_a_bad_row_far_into_a_batch_leaves_no_trace():
    X = np.ones((3_000, 40))
    X[2_500, 7] = np.nan
    y = np.ones(3_000)
    for forms in (X, sp.csr_matrix(X)):
        learner = rg.GradientDescent(rg.Logistic())
        learner.learn_many(np.full((2, 40), 0.5), [1.0, -1.0])
        before = learner.weights
        with pytest.raises(ValueError, match="row 2500, feature 7: nan is not a finite number"):
            learner.learn_many(forms, y)
        assert learner.rounds == learner.ledger.rounds == 2
        assert learner.weights.tobytes() == before.tobytes()
