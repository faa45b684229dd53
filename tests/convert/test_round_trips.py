"""Converted there and back, examples are the same: names, values to the last bit, labels, weights; else an error."""

import json
import string

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from regretful.convert import convert
from regretful.convert.rows import Rows
from regretful.readers.errors import BadLine
from regretful.readers.files import Files
from regretful.readers.settings import Settings

FORMATS = ("libsvm", "vw", "csv", "tsv", "parquet", "arrow", "jsonl")
ENDINGS = {"libsvm": ".svm", **{name: f".{name}" for name in FORMATS[1:]}}
COLUMNS = {"csv", "tsv", "parquet", "arrow", "jsonl"}  # where label and weight are columns
PLAIN = string.ascii_letters + string.digits + "_-.=*é"
ODD = PLAIN + " :|,\"'^#\\\t"

values = st.floats(-1e100, 1e100, allow_nan=False, allow_infinity=False).filter(lambda v: v == 0 or abs(v) > 1e-100)
numbered = st.integers(1, 40).map(str)
plain = st.text(PLAIN, min_size=1, max_size=8).filter(lambda name: name not in ("label", "weight"))
odd = st.text(ODD, min_size=1, max_size=8).filter(lambda name: name.strip() and name not in ("label", "weight"))


def rows_of(names, weights):
    """Some rows: features by name, a label, a weight."""
    features = st.dictionaries(names, values, max_size=6)
    return st.lists(st.tuples(features, st.sampled_from([-1.0, 1.0, 0.5, 1e-9]), weights), min_size=1, max_size=8)


def write_jsonl(path, rows):
    """As Python's json writes them."""
    path.write_text("".join(json.dumps({"label": y, "weight": w, **x}) + "\n" for x, y, w in rows))


def asked(kind, weighted=True):
    """How a file of this format is read."""
    if kind not in COLUMNS:
        return Settings(labels="if there")
    return Settings(label="label", weight="weight" if weighted else None)


def exact(path, kind, how=None):
    """The rows of a file as sorted (name, value) with label and weight."""
    rows = Rows(Files(path), kind, how or asked(kind))
    found = []
    for piece in rows:
        for r in range(len(piece)):
            part = slice(piece.start[r], piece.start[r + 1])
            x = [(rows.names[i], v.hex()) for i, v in zip(piece.index[part], piece.value[part].tolist(), strict=True)]
            y = None if piece.y is None else float(piece.y[r])
            found.append((sorted(x), y, 1.0 if piece.weight is None else float(piece.weight[r])))
    return found


def told(rows):
    """The same of what was meant."""
    return [(sorted((name, v.hex()) for name, v in x.items()), y, w) for x, y, w in rows]


def there_and_back(folder, rows, first, second):
    """Through two formats; a weight column is there if a weight is not 1, or the last format has them."""
    source = folder / "0.jsonl"
    write_jsonl(source, rows)
    one, two, last = folder / f"1{ENDINGS[first]}", folder / f"2{ENDINGS[second]}", folder / "3.jsonl"
    weighted = True
    convert(source, str(one), asked("jsonl"))
    weighted = first in COLUMNS or (first == "vw" and any(w != 1 for _, _, w in rows))
    convert(one, str(two), asked(first, weighted))
    if second in COLUMNS:
        weighted = weighted and first != "libsvm"
    else:
        weighted = second == "vw" and any(w != 1 for _, _, w in rows)
    how = asked(second, weighted if second in COLUMNS else True)
    convert(two, str(last), how)
    again = [exact(one, first, asked(first, first in COLUMNS)), exact(two, second, how)]
    return [*again, exact(last, "jsonl", asked("jsonl", weighted))]


relaxed = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
ones = st.just(1.0)
weights = st.sampled_from([1.0, 2.0, 0.25])


@pytest.mark.parametrize("second", FORMATS)
@pytest.mark.parametrize("first", FORMATS)
@relaxed
@given(data=st.data())
def test_there_and_back_the_examples_are_the_same(tmp_path_factory, first, second, data):
    both = {first, second}
    names = numbered if "libsvm" in both else plain if "vw" in both else odd
    rows = data.draw(rows_of(names, ones if "libsvm" in both else weights))
    for found in there_and_back(tmp_path_factory.mktemp("trip"), rows, first, second):
        assert found == told(rows)


@pytest.mark.parametrize("ending", [".svm.gz", ".vw.zst", ".csv.gz", ".tsv.zst", ".jsonl.gz", ".jsonl.zst"])
def test_compressed(tmp_path, ending):
    rows = [({"1": 2.5, "3": -1.0}, 1.0, 1.0), ({}, -1.0, 1.0), ({"2": 1e-300}, 1.0, 1.0)]
    write_jsonl(tmp_path / "0.jsonl", rows)
    out = tmp_path / f"1{ending}"
    convert(tmp_path / "0.jsonl", str(out), asked("jsonl"))
    kind = {".svm": "libsvm"}.get(f".{ending.split('.')[1]}", ending.split(".")[1])
    assert out.read_bytes()[:2] in (b"\x1f\x8b", b"\x28\xb5")
    assert exact(out, kind) == told(rows)


TABLE = pa.table(
    {
        "text": pa.array(["a b", None, "c|d:e", 'q"u,o\nte', "é"]),
        "coded": pa.array(["x", "y", None, "x", "x"]).dictionary_encode(),
        "whole": pa.array([1, None, -3, 2**40, 0]),
        "real": pa.array([0.1, 1e-300, None, -0.0, 1e100]),
        "small": pa.array([0.1, None, 2.0, 3.0, 4.0], pa.float32()),
        "yes": pa.array([True, False, None, True, False]),
        "label": pa.array([True, False, True, False, True]),
        "weight": pa.array([1.0, 2.0, 0.5, 1.0, 1.0]),
    }
)
TIMED = TABLE.append_column(
    "when", pa.array([0, 1_600_000_000_000_000, None, 86_400_000_000, 1_700_000_123_456_789], pa.timestamp("us"))
).append_column("day", pa.array([0, None, 18_000, 1, 2], pa.date32()))


@pytest.mark.parametrize("table", [TABLE, TIMED], ids=["plain", "timed"])
@pytest.mark.parametrize("second", sorted(COLUMNS))
@pytest.mark.parametrize("first", sorted(COLUMNS))
def test_tables_of_all_types(tmp_path, first, second, table):
    source, one, two = tmp_path / "0.parquet", tmp_path / f"1.{first}", tmp_path / f"2.{second}"
    pa.parquet.write_table(table, source)
    whole = exact(source, "parquet")
    assert len(whole) == 5
    convert(source, str(one), asked("parquet"))
    convert(one, str(two), asked(first))
    assert exact(one, first) == whole
    assert exact(two, second) == whole


def test_a_table_keeps_its_columns_and_types(tmp_path):
    pa.parquet.write_table(TIMED, tmp_path / "0.parquet")
    convert(tmp_path / "0.parquet", str(tmp_path / "1.arrow"), Settings())
    convert(tmp_path / "1.arrow", str(tmp_path / "2.parquet"), Settings())
    again = pa.parquet.read_table(tmp_path / "2.parquet")
    plain = TIMED.set_column(1, "coded", TIMED["coded"].cast(pa.string()))
    assert again.equals(plain)


def test_only_what_is_read_is_written(tmp_path):
    pa.parquet.write_table(TABLE, tmp_path / "0.parquet")
    how = Settings(label="label", ignore=("t*", "weight"), cross=("coded,yes",))
    convert(tmp_path / "0.parquet", str(tmp_path / "1.jsonl"), how)
    assert exact(tmp_path / "1.jsonl", "jsonl", Settings(label="label")) == exact(
        tmp_path / "0.parquet", "parquet", how
    )
    assert "coded=x*yes" in (tmp_path / "1.jsonl").read_text()
    convert(tmp_path / "0.parquet", str(tmp_path / "2.csv"), Settings(only=("r*", "whole"), label="label"))
    assert (tmp_path / "2.csv").read_text().splitlines()[0] == '"whole","real","label"'


def test_rows_are_put_in_order_by_time(tmp_path):
    pa.parquet.write_table(pa.table({"t": [3, 1, 2], "a": ["x", "y", "z"]}), tmp_path / "0.parquet")
    convert(tmp_path / "0.parquet", str(tmp_path / "1.jsonl"), Settings(time="t"))
    assert [json.loads(line)["a"] for line in (tmp_path / "1.jsonl").read_text().splitlines()] == ["y", "z", "x"]


@pytest.mark.parametrize(
    ("row", "ending", "words"),
    [
        ({"a": 1.0}, ".svm", ["row 1", "'a'", "vw and jsonl take names"]),
        ({"a b": 1.0}, ".vw", ["row 1", "'a b'", "jsonl takes any name"]),
        ({"a:b": 1.0}, ".vw", ["row 1", "'a:b'", "colon"]),
        ({f"f{k}": 1.0 for k in range(5000)}, ".csv", ["4,096", "jsonl"]),
    ],
)
def test_what_cannot_be_written_is_refused(tmp_path, row, ending, words):
    write_jsonl(tmp_path / "0.jsonl", [(row, 1.0, 1.0)])
    with pytest.raises(BadLine) as caught:
        convert(tmp_path / "0.jsonl", str(tmp_path / f"1{ending}"), asked("jsonl"))
    assert [word for word in [*words, "0.jsonl"] if word not in str(caught.value)] == []
    assert [path.name for path in tmp_path.iterdir()] == ["0.jsonl"]


def test_the_row_that_cannot_be_written_is_named(tmp_path):
    write_jsonl(tmp_path / "0.jsonl", [({"1": 1.0}, 1.0, 1.0)] * 3 + [({"1": 1.0, "x": 2.0}, 1.0, 1.0)])
    with pytest.raises(BadLine, match=r"row 4: .*'x'"):
        convert(tmp_path / "0.jsonl", str(tmp_path / "1.svm"), asked("jsonl"))


def test_weights_and_labels_that_have_no_place_are_refused(tmp_path):
    write_jsonl(tmp_path / "0.jsonl", [({"1": 1.0}, 1.0, 1.0), ({"1": 1.0}, 1.0, 2.0)])
    with pytest.raises(BadLine, match="row 2: libsvm has no weights"):
        convert(tmp_path / "0.jsonl", str(tmp_path / "1.svm"), asked("jsonl"))
    unlabelled = Settings(weight="weight", ignore=("label",))
    with pytest.raises(BadLine, match=r"row 1: libsvm lines begin with a label"):
        convert(tmp_path / "0.jsonl", str(tmp_path / "1.svm"), unlabelled)
    with pytest.raises(BadLine, match=r"row 2: Vowpal Wabbit text has weights after labels only"):
        convert(tmp_path / "0.jsonl", str(tmp_path / "1.vw"), unlabelled)


@pytest.mark.parametrize("ending", [".jsonl", ".csv"])
def test_a_feature_that_is_called_as_the_label(tmp_path, ending):
    (tmp_path / "0.vw").write_text("1 | label:3\n")
    with pytest.raises(BadLine, match="a feature is called 'label', as the label would be"):
        convert(tmp_path / "0.vw", str(tmp_path / f"1{ending}"), Settings())


def test_an_empty_text_is_not_a_missing_one(tmp_path):
    pa.parquet.write_table(pa.table({"a": ["x", None, ""], "label": [1, 0, 1]}), tmp_path / "0.parquet")
    with pytest.raises(BadLine, match="row 3, column 'a': csv cannot tell an empty text from a missing one"):
        convert(tmp_path / "0.parquet", str(tmp_path / "1.csv"), asked("parquet", False))
    convert(tmp_path / "0.parquet", str(tmp_path / "1.jsonl"), asked("parquet", False))
    how = asked("jsonl", False)
    assert exact(tmp_path / "1.jsonl", "jsonl", how) == exact(tmp_path / "0.parquet", "parquet", how)


def test_texts_that_look_like_numbers_are_told(tmp_path):
    pa.parquet.write_table(pa.table({"zip": ["00501", "10001"], "label": [1, 0]}), tmp_path / "0.parquet")
    done = convert(tmp_path / "0.parquet", str(tmp_path / "1.csv"), asked("parquet", False))
    assert done["notes"] == ["texts in it look like numbers: read it with --text zip"]
    how = Settings(label="label", text=("zip",))
    assert exact(tmp_path / "1.csv", "csv", how) == exact(tmp_path / "0.parquet", "parquet", how)


def test_numbers_that_json_has_not_are_refused(tmp_path):
    pa.parquet.write_table(pa.table({"a": [1.0, float("nan")], "label": [1, 0]}), tmp_path / "0.parquet")
    with pytest.raises(BadLine, match="column 'a' holds nan"):
        convert(tmp_path / "0.parquet", str(tmp_path / "1.jsonl"), asked("parquet", False))


def test_many_names_keep_apart(tmp_path):
    """So many that a hash table grows, several times over, and that 2^20 positions would not keep them apart."""
    n = 5000
    with (tmp_path / "0.vw").open("w") as file:
        for r in range(40):
            file.write(f"1 |n {' '.join(f'{k}x:{k + r}' for k in range(r * n // 4, r * n // 4 + n))}\n")
    rows = exact(tmp_path / "0.vw", "vw")
    for r, (x, _, _) in enumerate(rows):
        wanted = {f"n^{k}x": float(k + r).hex() for k in range(r * n // 4, r * n // 4 + n)}
        assert dict(x) == wanted
        assert len(x) == n


def test_a_name_that_comes_again_in_a_row_adds_up(tmp_path):
    (tmp_path / "0.vw").write_text("1 | a:1 b a:2\n")
    assert exact(tmp_path / "0.vw", "vw") == [([("a", (3.0).hex()), ("b", (1.0).hex())], 1.0, 1.0)]


def test_long_names_are_kept_whole(tmp_path):
    long = "x" * 5000
    (tmp_path / "0.vw").write_text(f"1 | {long}1 {long}2\n")
    assert [name for name, _ in exact(tmp_path / "0.vw", "vw")[0][0]] == [f"{long}1", f"{long}2"]
