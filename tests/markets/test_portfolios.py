"""Every portfolio: one is many, predictions change nothing, files and copies, names, shapes, refusals."""

import copy
import math
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import regretful as rg
from regretful import markets
from tests.references import markets as M

NAMES = ["oil", "tea", "tin", "zinc", "gold"]
MAKERS = {
    "EG": lambda: markets.EG(NAMES, 0.5),
    "EG, falling": lambda: markets.EG(NAMES, rg.InverseSqrt(0.5), keep=("average",)),
    "NewtonStep": lambda: markets.NewtonStep(NAMES),
    "LazyNewtonStep": lambda: markets.LazyNewtonStep(NAMES),
    "Universal": lambda: markets.Universal(NAMES, 300, seed=2),
    "Universal, three": lambda: markets.Universal(NAMES[:3], 100, alpha=0.5),
    "Universal, alone": lambda: markets.Universal(NAMES[:1]),
    "Rebalanced": lambda: markets.Rebalanced(NAMES),
    "BuyAndHold": lambda: markets.BuyAndHold(NAMES),
    "BuyAndHold, some": lambda: markets.BuyAndHold(NAMES, [0.5, 0.0, 0.25, 0.25, 0.0]),
}


@pytest.fixture(params=MAKERS)
def make(request):
    return MAKERS[request.param]


def market(made, rounds=150, seed=0):
    return np.exp(0.2 * np.random.default_rng(seed).normal(size=(rounds, len(made.assets))))


def same(one, other):
    assert one.weights.tolist() == other.weights.tolist()
    assert one.assets == other.assets
    assert str(one.ledger.as_dict()) == str(other.ledger.as_dict())


def test_many_is_the_loop_of_one(make):
    one, many = make(), make()
    X = market(one)
    paid = [one.learn_one(x) for x in X]
    assert many.learn_many(X[:70]).tolist() + many.learn_many(X[70:]).tolist() == paid
    same(one, many)
    assert one.wealth == pytest.approx(math.prod(paid), rel=1e-11)
    assert one.named_weights() == dict(zip(one.assets, one.weights.tolist(), strict=True))
    assert one.weights.sum() == pytest.approx(1.0, rel=1e-12)


def test_predictions_change_nothing(make):
    made, twin = make(), make()
    X = market(made)
    assert made.predict_one(X[0]) == pytest.approx(made.weights @ X[0], rel=1e-14)
    made.learn_many(X[:50])
    twin.learn_many(X[:50])
    assert made.predict_many(X).tolist() == [made.predict_one(x) for x in X]
    assert made.predict_one(X[50]) == twin.learn_one(X[50])
    made.learn_one(X[50])
    same(made, twin)


@pytest.mark.parametrize("way", ["file", "pickle", "copy", "deepcopy"])
def test_it_goes_on_bit_for_bit(make, way, tmp_path):
    whole, half = make(), make()
    X = market(whole)
    whole.learn_many(X)
    half.learn_many(X[:77])
    if way == "file":
        half.save(tmp_path / "half")
        again = rg.load(tmp_path / "half")
    else:
        again = {"pickle": lambda it: pickle.loads(pickle.dumps(it)), "copy": copy.copy, "deepcopy": copy.deepcopy}[
            way
        ](half)
    assert type(again) is type(half)
    again.learn_many(X[77:])
    same(again, whole)
    assert repr(again) == repr(whole) == f"{type(whole).__name__}({len(whole.assets)} assets) after 150 rounds"
    if isinstance(whole, markets.Universal):
        assert (again.alpha, again.exact_rounds, again.error) == (whole.alpha, whole.exact_rounds, whole.error)


def test_every_shape_is_the_same(make):
    X = market(make(), 20)
    names = make().assets
    back = names[::-1]
    frame = pd.DataFrame(X, columns=names)
    shapes = {
        "array": X,
        "lists": X.tolist(),
        "dicts": [dict(zip(names, row, strict=True)) for row in X],
        "pandas, another order": frame[back],
        "polars": pl.DataFrame(X, schema=list(names), orient="row"),
        "arrow": pa.table(frame[back]),
    }
    want = make()
    paid = want.learn_many(X).tolist()
    for shape in shapes.values():
        made = make()
        assert made.learn_many(shape).tolist() == paid
        same(made, want)
    made = make()
    assert [made.learn_one(dict(zip(back, row[::-1], strict=True))) for row in X] == paid
    same(made, want)


def test_a_table_for_assets_without_names():
    made = markets.EG(2)
    made.learn_many(pd.DataFrame({"a": [1.1, 1.2], "b": [0.9, 1.0]}))
    assert made.named_weights().keys() == {0, 1}
    tabled = markets.EG([10, 11])
    tabled.learn_many(pd.DataFrame([[1.1, 0.9]], columns=[7, 8]))
    assert tabled.rounds == 1


@pytest.mark.parametrize("wrong", [0.0, -1.0, math.nan, math.inf])
def test_a_bad_relative_is_refused_with_its_row_and_asset_and_leaves_no_trace(make, wrong):
    made, twin = make(), make()
    X = market(made, 12)
    made.learn_many(X[:2])
    twin.learn_many(X[:2])
    bad, last = X.copy(), made.assets[-1]
    bad[3, -1] = wrong
    for call in (made.learn_many, made.predict_many):
        with pytest.raises(
            ValueError, match=rf"row 3, (asset|feature) .*{last if math.isfinite(wrong) else ''}.*"
        ) as error:
            call(bad)
        assert repr(wrong) in str(error.value)
    for call in (made.learn_one, made.predict_one, made.ask):
        with pytest.raises(ValueError, match=repr(wrong)):
            call(bad[3])
    same(made, twin)
    made.learn_many(X[2:])
    twin.learn_many(X[2:])
    same(made, twin)


def test_messages():
    made = markets.EG(["oil", "tea"])
    for call, kind, message in [
        (
            lambda: made.learn_many([[1.0, 0.0]]),
            ValueError,
            r"row 0, asset 'tea': 0\.0 is no price relative: give the price",
        ),
        (lambda: made.learn_one([1.0, -2.0]), ValueError, r"^asset 'tea': -2\.0 is no price relative"),
        (lambda: made.learn_many([[1.0, 2.0, 3.0]]), ValueError, "there are 2 assets and 3 price relatives"),
        (lambda: made.learn_one([1.0]), ValueError, "there are 2 assets and 1 price relatives"),
        (lambda: made.learn_many([1.0, 2.0]), ValueError, "two dimensions, rounds × assets"),
        (lambda: made.learn_one([[1.0, 2.0]]), ValueError, "one number an asset, not of the shape"),
        (lambda: made.learn_one({"oil": 1.0}), ValueError, "the asset 'tea' is missing"),
        (lambda: made.learn_one({"oil": 1.0, "tea": 1.0, "tin": 1.0}), ValueError, "'tin' is none of the assets"),
        (lambda: made.learn_one({"oil": 1.0, "tea": "dear"}), TypeError, "price relatives are numbers"),
        (
            lambda: made.learn_many([{"oil": 1.0, "tea": 1.0}, {"oil": 1.0}]),
            ValueError,
            "row 1: the asset 'tea' is miss",
        ),
        (lambda: made.learn_many([{"oil": 1.0, "tea": 1.0}, 3]), TypeError, "row 1: price relatives by name are dicts"),
        (lambda: made.learn_many(pd.DataFrame({"oil": [1.0]})), ValueError, "the column 'tea' is missing"),
        (lambda: made.learn_many(pd.DataFrame({"oil": [1.0], "tea": ["x"]})), TypeError, "columns of price relatives"),
        (lambda: made.learn_many(pl.DataFrame({"oil": [1.0], "tea": [None]})), ValueError, "row 0, asset 'tea': nan"),
        (lambda: markets.EG([]), ValueError, "at least one asset"),
        (lambda: markets.EG(2, ledger=False).wealth, ValueError, "keeps no ledger: make it with ledger=True"),
        (lambda: markets.NewtonStep(2, beta=0.0), ValueError, "beta must be"),
        (lambda: markets.Universal(2, alpha=-1.0), ValueError, "alpha must be"),
    ]:
        with pytest.raises(kind, match=message):
            call()
    assert made.rounds == 0


def test_delayed_relatives():
    made = markets.EG(["oil", "tea"], 0.5)
    ticket = made.ask({"oil": 1.5, "tea": 0.5})
    assert ticket.prediction == 1.0
    assert made.tell(ticket) == 1.0
    assert made.weights[0] > 0.6


def test_steps_are_those_of_the_references():
    X = np.exp(0.3 * np.random.default_rng(5).normal(size=(100, 4)))
    for made, path in (
        (markets.EG(4, 0.3), M.exponentiated(X, 0.3)),
        (markets.NewtonStep(4, 0.4, 2.0), M.newton(X, 2.5, 2.0)),
        (markets.LazyNewtonStep(4), M.newton(X, 0.25, 1.0, lazy=True)),
    ):
        made.learn_many(X)
        np.testing.assert_allclose(made.weights, path[-1], atol=1e-10)
        assert made.wealth == pytest.approx(M.wealth(X, path), rel=1e-10)


def test_eg_is_the_exponentiated_gradient_of_the_house():
    X = np.exp(0.3 * np.random.default_rng(5).normal(size=(100, 4)))
    ours, house = markets.EG(4, 0.3), rg.ExponentiatedGradient(rg.LogWealth(), 0.3, n=4)
    assert ours.learn_many(X).tolist() == house.learn_many(X).tolist()
    assert ours.weights.tolist() == house.weights.tolist()
