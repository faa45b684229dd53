"""Tables in every format against the naive twin: the same predictions as the same rows given as dicts."""

import datetime as dt
import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.readers import twin

FORMATS = ("csv", "tsv", "parquet", "arrow", "ipc", "jsonl")
CLOSE = {"rtol": 1e-12, "atol": 1e-12}
LETTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\r")
NUMBERS = st.one_of(st.integers(-(10**6), 10**6), st.floats(-1e6, 1e6).filter(lambda x: x == 0 or abs(x) > 1e-6))
VALUES = {
    "number": NUMBERS.map(float),
    "whole": st.integers(-(2**53), 2**53).map(lambda n: n % 1000),
    "boolean": st.booleans(),
    "text": st.text(LETTERS, max_size=6).map(lambda text: f"t{text}"),
    "timestamp": st.datetimes(dt.datetime(1970, 1, 1), dt.datetime(2100, 1, 1)).map(
        lambda time: time.replace(microsecond=0)
    ),
    "date": st.dates(dt.date(1970, 1, 1), dt.date(2100, 1, 1)),
}
TYPES = {
    "number": pa.float64(),
    "whole": pa.int16(),
    "boolean": pa.bool_(),
    "text": pa.string(),
    "timestamp": pa.timestamp("us"),
    "date": pa.date32(),
}
NAMES = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Nd"], exclude_characters=","), min_size=1, max_size=4
).map(lambda name: f"n{name}")


@st.composite
def tables(draw):
    """(kinds, rows, labels, weights)."""
    names = draw(st.lists(NAMES, min_size=1, max_size=6, unique=True))
    kinds = {name: draw(st.sampled_from(sorted(VALUES))) for name in names}
    size = draw(st.integers(1, 20))
    rows = [{name: draw(st.none() | VALUES[kind]) for name, kind in kinds.items()} for _ in range(size)]
    labels = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    return kinds, rows, labels, draw(st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=size, max_size=size))


@pytest.mark.parametrize("format", FORMATS)
@settings(max_examples=40)
@given(table=tables(), bits=st.sampled_from([3, 12]))
def test_a_table_is_what_its_rows_are_as_dicts(tmp_path_factory, format, table, bits):
    kinds, rows, labels, weights = table
    if format == "jsonl":
        rows = [{k: v for k, v in row.items() if kinds[k] not in ("timestamp", "date")} for row in rows]
    whole = [row | {"label": int(y), "w": w} for row, y, w in zip(rows, labels, weights, strict=True)]
    types = {name: TYPES[kind] for name, kind in kinds.items()} | {"label": pa.int8(), "w": pa.float32()}
    path = twin.write(whole, [*kinds, "label", "w"], format, tmp_path_factory.mktemp("t") / f"log.{format}", types)
    plain = [name for name, kind in kinds.items() if kind not in ("timestamp", "date")]
    cross = (f"{plain[0]},{plain[-1]}",) if len(plain) > 1 else ()
    found = twin.predictions(path, bits, label="label", weight="w", cross=cross)
    wanted = twin.naive([twin.event(row, cross) for row in rows], labels, bits, weights)
    np.testing.assert_allclose(found, wanted, **CLOSE)


@settings(max_examples=40)
@given(table=tables())
def test_what_the_standard_library_reads_is_what_is_read(tmp_path_factory, table):
    kinds, rows, labels, _ = table
    kinds = kinds | {"label": "number"}
    whole = [row | {"label": int(y)} for row, y in zip(rows, labels, strict=True)]
    folder = tmp_path_factory.mktemp("t")
    path = twin.write(whole, [*kinds], "csv", folder / "log.csv", {})
    as_kinds = {name: "number" if kind == "whole" else kind for name, kind in kinds.items()}
    again = twin.read_csv(path, as_kinds)
    y = [row.pop("label") for row in again]
    np.testing.assert_allclose(
        twin.predictions(path, label="label"), twin.naive([twin.event(row) for row in again], y), **CLOSE
    )


JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(LETTERS, max_size=4), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150)
@given(rows=st.lists(st.dictionaries(st.text(LETTERS, max_size=4), JSON, max_size=5), min_size=1, max_size=8),
       plain=st.booleans())  # fmt: skip
def test_json_of_any_shape(tmp_path_factory, rows, plain):
    import json

    path = tmp_path_factory.mktemp("t") / "log.jsonl"
    rows = [row | {"the label": place % 2} for place, row in enumerate(rows)]
    path.write_text("\n".join(json.dumps(row, ensure_ascii=plain) for row in rows), "utf-8")
    dotted = [[name for name, _ in twin.flat(row)] for row in rows]
    if any(len(set(names)) < len(names) or any("." in part or not part for part in names) for names in dotted):
        return  # a key with a dot may be the same as a nested one, which is an error of its own
    again = twin.read_json(path) if plain else [dict(twin.flat(row)) for row in rows]
    y = [row.pop("the label") for row in again]
    found = twin.predictions(path, label="the label")
    np.testing.assert_allclose(found, twin.naive([twin.event(row) for row in again], y), **CLOSE)


@settings(max_examples=300)
@given(
    st.one_of(
        st.floats(allow_nan=False, allow_infinity=False, min_value=-1e149, max_value=1e149).map(repr),
        st.from_regex(r"-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,2})?", fullmatch=True),
    )
)
def test_numbers_are_rounded_as_python_rounds_them(tmp_path_factory, text):
    from regretful.readers import read

    path = tmp_path_factory.mktemp("t") / "log.jsonl"
    path.write_text(f'{{"x": {text}}}\n')
    (batch,) = read(path)
    assert batch.X.value.tolist() == [float(text)]
    assert math.copysign(1, batch.X.value[0]) == math.copysign(1, float(text))


def test_every_way_of_rounding_numbers(tmp_path):
    """Short, of up to 19 digits (by a long double), and long (by Python): many at once."""
    from regretful.readers import read

    rng = np.random.default_rng(0)
    texts = [repr(x) for x in (rng.normal(size=5000) * 10.0 ** rng.integers(-40, 40, 5000)).tolist()]
    texts += [f"{a}.{b}" for a, b in rng.integers(0, 10**9, (2000, 2)).tolist()]
    texts += [
        f"{a}e{b}"
        for a, b in zip(rng.integers(10**17, 10**18, 5000).tolist(), rng.integers(-40, 30, 5000).tolist(), strict=True)
    ]
    texts += [f"{2**53 + 1 + 2 * k}" for k in range(50)] + [f"{2**54 + 2 + 4 * k}.0" for k in range(50)]
    texts += [f"{2**60 + 128 + 256 * k}" for k in range(50)] + ["9007199254740993.000000000000000001", "0e999", "-0.0"]
    path = tmp_path / "log.jsonl"
    path.write_text("".join(f'{{"x": {text}}}\n' for text in texts))
    found = np.concatenate([batch.X.value for batch in read(path)])
    assert found.tolist() == [float(text) for text in texts]
    (tmp_path / "log.csv").write_text("x,y\n" + "".join(f"{text},\n" for text in texts))
    assert np.concatenate([batch.X.value for batch in read(tmp_path / "log.csv")]).tolist() == found.tolist()
