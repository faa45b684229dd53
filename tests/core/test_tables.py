"""Tables: pandas, polars and Arrow give what the same rows as events give."""

import datetime as dt

import numpy as np
import pyarrow as pa
import pytest

import regretful as rg
from regretful.checks.examples import fingerprint

ROWS = 40
RNG = np.random.default_rng(0)
COLUMNS = {
    "age": [
        float(value) if keep else None
        for value, keep in zip(RNG.normal(size=ROWS), RNG.random(ROWS) < 0.8, strict=True)
    ],
    "city": [["Rome", "Oslo", "", "a=b", None][k] for k in RNG.integers(0, 5, ROWS)],
    "member": [[True, False, None][k] for k in RNG.integers(0, 3, ROWS)],
    "visits": [int(k) for k in RNG.integers(0, 9, ROWS)],
    "nothing": [None] * ROWS,
}  # fmt: skip
Y = RNG.normal(size=ROWS)


def events(columns=None):
    columns = columns or COLUMNS
    rows = (dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True))
    return [{name: value for name, value in row.items() if value is not None} for row in rows]


def pandas_table(columns):
    pd = pytest.importorskip("pandas")
    types = {"age": "Float64", "z": "Float64", "member": "boolean", "visits": "int32"}
    return pd.DataFrame({name: pd.Series(values, dtype=types.get(name)) for name, values in columns.items()})


def pandas_categories(columns):
    return pandas_table(columns).astype({"city": "category"})


def pandas_objects(columns):
    pd = pytest.importorskip("pandas")
    return pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in columns.items()})


def polars_table(columns):
    return pytest.importorskip("polars").DataFrame(columns, strict=False)


def polars_categories(columns):
    pl = pytest.importorskip("polars")
    return polars_table(columns).with_columns(pl.col("city").cast(pl.Categorical), pl.col("age").cast(pl.Float64))


def arrow_dictionary(columns):
    table = pa.table(columns)
    return table.set_column(1, "city", table.column("city").dictionary_encode())


def arrow_batch(columns):
    return pa.table(columns).combine_chunks().to_batches()[0]


def arrow_chunks(columns):
    table = pa.table(columns)
    return pa.concat_tables([table.slice(0, 3), table.slice(3, 0), table.slice(3, 20), table.slice(23)])


def arrow_types(columns):
    kinds = {"age": pa.float64(), "city": pa.large_string(), "visits": pa.uint8()}
    return pa.table({name: pa.array(values, kinds.get(name)) for name, values in columns.items()})


TABLES = {
    "arrow": pa.table, "arrow dictionary": arrow_dictionary, "arrow batch": arrow_batch, "arrow chunks": arrow_chunks,
    "arrow types": arrow_types, "pandas": pandas_table, "pandas categories": pandas_categories,
    "pandas objects": pandas_objects, "polars": polars_table, "polars categories": polars_categories,
}  # fmt: skip
LEARNERS = {
    "plain": lambda: rg.GradientDescent(rg.Squared(), 0.01),
    "intercept": lambda: rg.GradientDescent(rg.Squared(), 0.01, intercept=True, keep=("average",)),
    "hashing": lambda: rg.GradientDescent(rg.Squared(), 0.01, features=rg.Hashing(3)),
}


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("table", TABLES)
def test_a_table_is_the_list_of_its_rows(table, learner):
    by_rows, by_table, X = LEARNERS[learner](), LEARNERS[learner](), TABLES[table](COLUMNS)
    p = by_rows.learn_many(events(), Y)
    np.testing.assert_array_equal(by_table.learn_many(X, Y), p)
    assert by_table.named_weights() == by_rows.named_weights()
    assert list(by_table.named_weights()) == list(by_rows.named_weights())
    assert fingerprint(by_table) == fingerprint(by_rows)
    before = fingerprint(by_table)
    np.testing.assert_array_equal(by_table.predict_many(X), by_rows.predict_many(events()))
    assert fingerprint(by_table) == before


@pytest.mark.parametrize("table", ["arrow", "arrow chunks", "pandas", "polars"])
def test_a_table_of_more_rows_than_a_block(table):
    rows = 40_000
    columns = {
        "x": RNG.normal(size=rows).tolist(),
        "k": [f"k{i // 100}" for i in range(rows)],
        "z": [None if i % 3 else 1.0 for i in range(rows)],
    }
    by_rows, by_table = rg.GradientDescent(rg.Squared(), 0.01), rg.GradientDescent(rg.Squared(), 0.01)
    y = np.sin(np.arange(rows))
    paid = by_table.learn_many(TABLES[table](columns), y)
    np.testing.assert_array_equal(paid, by_rows.learn_many(events(columns), y))
    assert by_table.n == 402
    assert fingerprint(by_table) == fingerprint(by_rows)


@pytest.mark.parametrize("table", ["arrow", "pandas plain", "polars"])
def test_nan_is_refused_with_row_and_column_and_nothing_is_learnt(table):
    rows = 30_000
    ages = np.ones(rows)
    ages[20_007] = np.nan
    columns = {"new": ["a"] * rows, "one": np.ones(rows), "age": ages}
    if table == "pandas plain":
        X = pytest.importorskip("pandas").DataFrame(columns)
    else:
        X = pa.table(columns) if table == "arrow" else pytest.importorskip("polars").DataFrame(columns)
    learner = rg.GradientDescent(rg.Squared(), 0.01)
    for ask in (lambda: learner.learn_many(X, np.ones(rows)), lambda: learner.predict_many(X)):
        with pytest.raises(ValueError, match="row 20007, feature 'age': nan is not a finite number; leave out"):
            ask()
        assert fingerprint(learner) == fingerprint(rg.GradientDescent(rg.Squared(), 0.01))


def test_categories_never_seen_have_the_weight_of_a_start():
    for learner, start in [
        (rg.Perceptron(), 0.0),
        (rg.GradientDescent(rg.Squared(), 0.1, rg.Box(0.5, 2.0)), 0.5),
    ]:
        learner.learn_many(pa.table({"city": ["Rome", "Oslo"]}), [1.0, 1.0])
        X = pa.table({"city": ["Paris", "Rome", "Bonn", "Paris"], "new": [2.0, None, None, None]})
        before = fingerprint(learner)
        p = learner.predict_many(X)
        rows = [{k: v for k, v in event.items() if v is not None} for event in X.to_pylist()]
        np.testing.assert_array_equal(p, [learner.predict_one(event) for event in rows])
        assert p[0] == start * 3
        assert p[3] == start
        assert fingerprint(learner) == before


def test_predicting_before_anything_was_learnt():
    learner = rg.GradientDescent(rg.Squared(), 0.1, rg.Box(0.5, 2.0))
    assert learner.predict_many(pa.table({"a": [1.0, 2.0], "c": ["x", None]})).tolist() == [1.0, 1.0]
    learner.learn_one([1.0, 2.0], 1.0)  # it goes by neither names nor positions yet: both may come first
    assert learner.n == 2


def test_a_name_and_a_category_of_the_same_spelling_share_a_weight():
    columns = {"a": ["b", None, "c=d"], "a=b": [1.0, 2.0, None], "a=c": [None, "x", "d"]}
    by_rows, by_table = rg.Perceptron(), rg.Perceptron()
    by_rows.learn_many(events(columns), [1, 1, 1])
    by_table.learn_many(pa.table(columns), [1, 1, 1])
    assert fingerprint(by_table) == fingerprint(by_rows)
    assert by_table.named_weights() == {"a=b": 2.0, "a=c=x": 0.0, "a=c=d": 2.0}
    assert by_table.ledger.max_norm2 == np.sqrt(5.0)


@pytest.mark.parametrize(
    ("X", "words"),
    [
        (pa.table([[1.0], [2.0]], names=["a", "a"]), "column 'a' stands twice"),
        (pa.table({"when": [dt.datetime(2020, 1, 1)]}), "column 'when' is of type timestamp"),
        (pa.table({"list": [[1.0]]}), "column 'list' is of type list"),
        (pa.table({"c": pa.array([3]).dictionary_encode()}), "column 'c' holds categories that are not strings.*3"),
        (pa.table({"big": [1e200]}), "row 0, feature 'big': 1e[+]200 is too large to square"),
    ],
)
def test_columns_that_make_no_sense(X, words):
    learner = rg.Perceptron()
    with pytest.raises((TypeError, ValueError), match=words):
        learner.learn_many(X, [1] * X.num_rows)
    assert fingerprint(learner) == fingerprint(rg.Perceptron())


def test_columns_of_pandas_that_make_no_sense():
    pd = pytest.importorskip("pandas")
    for X, words in [
        (pd.DataFrame(np.ones((2, 2))), "column names are strings, not 0; for features by position give a 2-D array"),
        (pd.DataFrame([[1.0, 2.0]], columns=["a", "a"]), "column 'a' stands twice"),
        (pd.DataFrame({"m": [1.0, "red"]}), "column 'm' is of mixed types"),
        (pd.DataFrame({"t": pd.to_datetime(["2020-01-01"])}), "column 't' is of type timestamp"),
        (pd.DataFrame({"inf": [1.0, np.inf]}), "row 1, feature 'inf': inf"),
    ]:
        with pytest.raises((TypeError, ValueError), match=words):
            rg.Perceptron().learn_many(X, [1] * len(X))


def test_one_row_of_a_pandas_table_is_an_event():
    pd = pytest.importorskip("pandas")
    learner = rg.Perceptron()
    learner.learn_one(pd.DataFrame({"a": [1.0], "city": ["Rome"]}).iloc[0], 1)
    assert learner.named_weights() == {"a": 1.0, "city=Rome": 1.0}


def test_tables_and_arrays_do_not_mix():
    learner = rg.Perceptron()
    learner.learn_many(pa.table({"a": [1.0]}), [1])
    for ask in (learner.predict_many, lambda X: learner.learn_many(X, [1])):
        with pytest.raises(TypeError, match="by name, and this example gives them by position"):
            ask(np.ones((1, 1)))


def test_an_empty_table():
    learner = rg.Perceptron()
    assert learner.learn_many(pa.table({"a": pa.array([], pa.float64())}), []).tolist() == []
    assert learner.rounds == 0
    assert learner.predict_many(pa.table({"a": pa.array([], pa.float64())})).tolist() == []


@pytest.mark.parametrize("options", [{}, {"n": 9}, {"intercept": True}], ids=["growing", "n=9", "intercept"])
def test_the_rows_after_one_that_failed_leave_no_names(options):
    """The loss of row 3 overflows: the categories of the rows after it are not known, as if they had not been read."""
    columns = {"a": [1.0, 1.0, 1e6, 1.0, 1.0], "c": ["x", "y", "z", "w", "v"], "new": [None, None, None, 1.0, None]}
    expected = rg.GradientDescent(rg.Poisson(), 1.0, **options)
    expected.learn_many(events(columns)[:3], [1, 1, 500])
    for X in (pa.table(columns), events(columns)):
        learner = rg.GradientDescent(rg.Poisson(), 1.0, **options)
        with pytest.raises(ValueError, match=r"row 3: .*the rows before it were learnt"):
            learner.learn_many(X, [1, 1, 500, 1, 1])
        assert fingerprint(learner) == fingerprint(expected)
        assert list(learner.named_weights()) == ["a", "c=x", "c=y", "c=z"]
