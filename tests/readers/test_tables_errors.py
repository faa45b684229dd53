"""Tables that are not as they should be: what is wrong, in which file and row and column, and what would work."""

import datetime as dt
import re
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from regretful.readers import read
from tests.readers.test_tables import csv, parquet, rows_of


def fails(source, *parts):
    """It raises an error that has all these parts."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # the parts say which
        list(source)
    for part in parts:
        assert part in str(caught.value), str(caught.value)
    return str(caught.value)


def skips(path, **options):
    """(rows, bad, first message) when bad rows are left out."""
    source = read(path, skip_bad=True, **options)
    rows = rows_of(source)
    assert source.rows == len(rows)
    return rows, source.bad.count, source.bad.messages[0] if source.bad.messages else ""


def test_a_label_that_is_not_there(tmp_path):
    path = csv(tmp_path, "city,clicks,age\nRome,1,2\n")
    fails(read(path, label="clicked"), "log.csv", "there is no column 'clicked' for the label",
          "did you mean 'clicks'?", "There are: city, clicks, age")  # fmt: skip
    fails(read(path, weight="x"), "there is no column 'x' for the weight. There are")
    fails(read(path, time="x"), "there is no column 'x' for the time")
    fails(read(path, only=["citi"]), "there is no column 'citi' for the features", "did you mean 'city'?")
    fails(read(path, cross=["city,ago"]), "there is no column 'ago' for the cross", "did you mean 'age'?")
    fails(read(path, cross=["city,age"], label="age"), "there is no column 'age' for the cross")
    fails(read(csv(tmp_path, '{"clicks": 1}\n', "log.jsonl"), label="clicked"), "log.jsonl, line 1",
          "the label is missing: expected a number or a boolean at the key 'clicked'; did you mean 'c")  # fmt: skip
    wide = csv(tmp_path, ",".join(f"c{k}" for k in range(30)) + "\n" + ",".join("1" * 30) + "\n")
    fails(read(wide, label="zzz"), "c0, c1", "c19 and 10 more")


def test_labels_that_are_texts(tmp_path):
    text = "x,y\n1,yes\n2,no\n"
    fails(read(csv(tmp_path, text), label="y"), "column 'y' is the label, and holds texts: expected numbers or "
          "booleans, such as 1 and 0 for yes and no")  # fmt: skip
    fails(read(parquet(tmp_path, x=[1], y=["no"]), label="y"), "column 'y' is the label, and holds texts")
    fails(read(parquet(tmp_path, x=[1], y=["no"]), weight="y"), "column 'y' is the weight, and holds texts")
    fails(read(csv(tmp_path, '{"y": "no"}\n', "log.jsonl"), label="y"), "line 1, column 7: key 'y': expected "
          "a number or a boolean for labels and weights")  # fmt: skip


@pytest.mark.parametrize(("row", "message"), [
    ("1,,1", "row 3, column 'y' (the label): there is no value"),
    ("1,abc,1", "row 3, column 'y' (the label): expected a number, not 'abc'"),
    ("1,inf,1", "row 3, column 'y' (the label): expected a number, not 'inf'"),
    ("1,1e400,1", "row 3, column 'y' (the label): '1e400' is not a number a learner can take"),
    ("1,0,-1", "row 3, column 'w' (the weight): a weight is at least 0, not '-1'"),
    ("1,0,", "row 3, column 'w' (the weight): there is no value"),
    ("nan,0,1", "row 3, column 'x': expected a number, not 'nan'"),
    ("1e200,0,1", "row 3, column 'x': '1e200' is not a number a learner can take: leave out what is missing, and"),
    ("one,0,1", "row 3, column 'x': expected a number, not 'one'; text='x' reads the column as texts"),
    ("1,0", "row 3: expected 3 columns, not 2: '1,0'"),
    ("1,0,1,1", "row 3: expected 3 columns, not 4: '1,0,1,1'"),
])  # fmt: skip
def test_bad_rows_of_csv(tmp_path, monkeypatch, row, message):
    monkeypatch.setattr("regretful.readers.csvfiles.HEAD", 12)  # what is wrong comes after what was looked at
    path = csv(tmp_path, f"x,y,w\n1,0,1\n{row}\n2,1,1\n")
    fails(read(path, label="y", weight="w"), f"{path}: {message}")
    rows, count, first = skips(path, label="y", weight="w")
    assert (rows, count) == ([{"x": 1}, {"x": 2}], 1)
    assert message in first


def test_bad_rows_of_csv_and_their_numbers(tmp_path, monkeypatch):
    monkeypatch.setattr("regretful.readers.csvfiles.HEAD", 8)
    text = "x,y\n1,0\n1\n2,1\n1,2,3\nab,1\n\n3,4\n-,0\n"
    rows, count, _ = skips(csv(tmp_path, text), label="y")
    assert (rows, count) == ([{"x": 1}, {"x": 2}, {"x": 3}], 4)
    source = read(csv(tmp_path, text), label="y", skip_bad=True)
    list(source)
    assert sorted(re.findall(r"row (\d+)", " ".join(source.bad.messages))) == [
        "3",
        "5",
        "6",
        "8",
    ]  # blank ones not counted
    source = read(csv(tmp_path, text), header=False, skip_bad=True)
    list(source)
    assert re.findall(r"row (\d+)", " ".join(source.bad.messages)) == ["3", "5"]


def test_many_bad_rows_are_counted_and_some_are_told(tmp_path):
    _, count, _ = skips(csv(tmp_path, "x,y\n" + "1\n" * 50 + "1,2\n"))
    source = read(csv(tmp_path, "x,y\n" + "1\n" * 50 + "1,2\n"), skip_bad=True)
    list(source)
    assert count == 50 == source.bad.count
    assert len(source.bad.messages) == 10


@pytest.mark.parametrize(("good", "bad", "kind"), [
    ("2024-05-01", "2024-13-01", "date32"), ("2024-05-01T10:00:00", "soon", "timestamp"),
    ("10:00:00", "25:00:00", "time"),
    ("2024-05-01T10:00:00Z", "2024-05-01T10:00:00", "timestamp"),
])  # fmt: skip
def test_bad_times_of_csv(tmp_path, monkeypatch, good, bad, kind):
    monkeypatch.setattr("regretful.readers.csvfiles.HEAD", 8 + len(good))
    path = csv(tmp_path, f"t,x\n{good},1\n{bad},2\n,3\n{good},4\n")
    fails(read(path), "row 3, column 't': expected a ", kind, bad)
    rows, count, _ = skips(path)
    assert [row["x"] for row in rows] == [1, 3, 4]
    assert count == 1
    rows, count, _ = skips(path, time="t")
    assert [row["x"] for row in rows] == [1, 4]
    assert count == 2


def test_text_that_is_not_utf8(tmp_path):
    path = csv(tmp_path, b"t,x\na,1\n\xff,2\nb,3\n")
    fails(read(path), "row 3, column 't': expected a text in UTF-8")
    assert skips(path)[:2] == ([{"t=a": 1, "x": 1}, {"t=b": 1, "x": 3}], 1)
    fails(read(csv(tmp_path, "x,y\n1,2\n".encode("utf-16"))), "the text is UTF-16: expected UTF-8")
    path = csv(tmp_path, b'{"a": "\xff"}\n{"b": 1}\n', "log.jsonl")
    fails(read(path), "line 1, column 8: expected text in UTF-8")


def test_a_boolean_that_is_none(tmp_path, monkeypatch):
    monkeypatch.setattr("regretful.readers.csvfiles.HEAD", 12)
    fails(read(csv(tmp_path, "x,y\ntrue,1\nmaybe,1\n")), "row 3, column 'x': expected a number, not 'maybe'; text='x'")


def test_values_of_parquet_that_no_learner_takes(tmp_path):
    for value, shown in ((np.nan, "nan"), (np.inf, "inf"), (1e200, "1e+200")):
        path = parquet(tmp_path, x=[1.0, value, 3.0], y=[0, 1, 0])
        fails(read(path, label="y"), f"row 2, column 'x': {shown} is not a number a learner can take")
        assert skips(path, label="y")[:2] == ([{"x": 1}, {"x": 3}], 1)
        fails(read(parquet(tmp_path, x=[1.0, 1.0], y=[0, value]), label="y"), "row 2, column 'y' (the label)")
    fails(
        read(parquet(tmp_path, x=[1.0], y=pa.array([None], pa.int8())), label="y"),
        "row 1, column 'y' (the label): there is no",
    )
    fails(
        read(parquet(tmp_path, x=[1e100], y=[1e100]), cross=["x,y"]),
        "row 1: the product of the crossed columns is too large",
    )


def test_rows_are_counted_over_batches(tmp_path, monkeypatch):
    monkeypatch.setattr("regretful.readers.tablerows.VALUES", 50)
    x = np.arange(1000.0)
    x[[0, 99, 500, 501, 999]] = np.nan
    path = tmp_path / "log.parquet"
    pq.write_table(pa.table({"x": x}), path, row_group_size=100)
    source = read(path, skip_bad=True)
    assert len(rows_of(source)) == 995
    assert re.findall(r"row (\d+)", " ".join(source.bad.messages)) == ["1", "100", "501", "502", "1000"]


def test_columns_that_have_no_features(tmp_path):
    path = parquet(tmp_path, x=[1], tags=pa.array([["a"]]))
    fails(read(path), "column 'tags' is of a type that has no features (a list, say): leave it out with ignore='tags'")
    assert rows_of(read(path, ignore=["tags"])) == [{"x": 1}]


def test_a_column_that_stands_there_twice(tmp_path):
    fails(read(csv(tmp_path, "a,b,a\n1,2,3\n"), header=True), "column 'a' stands there twice: rename one of them")
    table = pa.table([pa.array([1]), pa.array([2])], ["a", "a"])
    pq.write_table(table, tmp_path / "log.parquet")
    fails(read(tmp_path / "log.parquet"), "log.parquet: column 'a' stands there twice")
    nested = pa.table([pa.array([{"b": 1}]), pa.array([2])], ["a", "a.b"])
    pq.write_table(nested, tmp_path / "log.parquet")
    fails(read(tmp_path / "log.parquet"), "column 'a.b' stands there twice")
    fails(
        read(csv(tmp_path, '{"a": {"b": 1}, "a.b": 2}', "log.jsonl")), "line 1, column 17: key 'a.b' stands there twice"
    )


def test_files_whose_columns_differ(tmp_path):
    every = str(tmp_path / "log*.csv")
    csv(tmp_path, "a,b\n1,x\n", "log1.csv")
    csv(tmp_path, "a\n1\n", "log2.csv")
    fails(read(every), "log2.csv: column 'b' is missing, and", "log1.csv has it", "ignore='b'")
    assert len(rows_of(read(every, ignore=["b"]))) == 2
    csv(tmp_path, "a,b,c\n1,x,2\n", "log2.csv")
    fails(read(every), "log1.csv: column 'c' is missing, and")
    csv(tmp_path, "a,b\nz,x\n", "log2.csv")
    fails(
        read(every),
        "log2.csv: column 'a' holds texts, and in",
        "log1.csv it holds numbers: text='a' reads both as texts",
    )
    assert rows_of(read(every, text=["a"])) == [{"a=1": 1, "b=x": 1}, {"a=z": 1, "b=x": 1}]


def test_times_that_cannot_be_ordered(tmp_path):
    fails(
        read(parquet(tmp_path, t=["a"], x=[1]), time="t"),
        "column 't' is the time, and holds texts: expected timestamps",
    )
    fails(read(csv(tmp_path, "t,x\nsoon,1\n"), time="t"), "column 't' is the time, and holds texts")
    path = parquet(tmp_path, t=pa.array([2, None, 1]), x=[1, 2, 3])
    fails(read(path, time="t"), "row 2, column 't' (the time): there is no value")
    assert skips(path, time="t")[:2] == ([{"x": 3}, {"x": 1}], 1)
    fails(read(csv(tmp_path, '{"t": "soon"}', "log.jsonl"), time="t"), "line 1, column 7: key 't': expected a time")
    fails(read(csv(tmp_path, '{"x": 1}', "log.jsonl"), time="t"), "the time is missing")


@pytest.mark.parametrize(("line", "column", "message"), [
    ("[1]", 1, "expected a JSON object, {…}, on each line"),
    ("nonsense", 1, "expected a JSON object"),
    ("{a: 1}", 2, "expected a key in quotation marks"),
    ('{"a" 1}', 6, "expected a colon"),
    ('{"a": 1 "b": 2}', 9, "expected a comma or a closing brace"),
    ('{"a": [1 2]}', 10, "expected a comma or a closing bracket"),
    ('{"a": }', 7, "expected a value: a text in quotation marks"),
    ('{"a": nan}', 7, "expected a value"),
    ('{"a": NaN}', 7, "expected a value"),
    ('{"a": -Infinity}', 7, "expected a number as JSON writes them"),
    ('{"a": 01}', 7, "expected a number as JSON writes them"),
    ('{"a": 1.}', 7, "expected a number as JSON writes them"),
    ('{"a": 1.e5}', 7, "expected a number as JSON writes them"),
    ('{"a": 1e}', 7, "expected a number as JSON writes them"),
    ('{"a": -}', 7, "expected a number as JSON writes them"),
    ('{"a": 1.2.3}', 7, "expected a number as JSON writes them"),
    ('{"a": .5}', 7, "expected a value"),
    ('{"a": +5}', 7, "expected a value"),
    ('{"a": "\t"}', 8, "a control character within a text"),
    ('{"a": "\x00"}', 8, "a control character within a text"),
    ('{"a": "\\x"}', 8, "an escape that JSON does not have"),
    ('{"a": "\\u12g4"}', 8, "an escape that JSON does not have"),
    ('{"a": "\\ud800"}', 8, "half of a surrogate pair"),
    ('{"a": "\\udc00\\ud800"}', 8, "half of a surrogate pair"),
    ('{"a": "\\ud800\\u0041"}', 8, "half of a surrogate pair"),
    ('{"a": "b', 9, "the line ends in the middle of its object"),
    ('{"a": "b\\', 9, "the line ends in the middle of its object"),
    ('{"a": 1', 8, "the line ends in the middle of its object"),
    ('{"a": 1,', 9, "the line ends in the middle of its object"),
    ('{"a"', 5, "the line ends in the middle of its object"),
    ('{"a": {', 8, "the line ends in the middle of its object"),
    ('{"a": [', 8, "the line ends in the middle of its object"),
    ("{", 2, "the line ends in the middle of its object"),
    ('{"a": 1,}', 9, "expected a key in quotation marks"),
    ('{"a": 1} {"b": 2}', 10, "expected nothing after the object"),
    ('{"a": 1, "a": 2}', 10, "key 'a' stands there twice"),
    ('{"a": 1e400}', 7, "key 'a': the number is too large for a learner"),
    ('{"a": -1e151}', 7, "key 'a': the number is too large for a learner"),
    ('{"w": -1}', 7, "key 'w': a weight is at least 0"),
    ('{"w": "x"}', 7, "key 'w': expected a number or a boolean"),
    ('{"w": [1]}', 7, "key 'w': expected a number or a boolean"),
    ('{"a": ' + "[" * 101 + "]" * 101 + "}", 106, "nested more than 100 deep"),
])  # fmt: skip
def test_lines_that_are_not_json(tmp_path, line, column, message):
    good = '{"w": 1, "b": "x"}'
    path = csv(tmp_path, f"{good}\n\n{line}\n{good}\n", "log.jsonl")
    error = fails(read(path, weight="w"), f"{path}, line 3, column {column}: ", message)
    rows, count, first = skips(path, weight="w")
    assert (rows, count, first) == ([{"b=x": 1}, {"b=x": 1}], 1, error)


def test_more_lines_that_are_not_as_asked(tmp_path):
    path = csv(tmp_path, '{"a": 1}\n', "log.jsonl")
    fails(read(path, weight="w"), "line 1, column", "the weight is missing")
    path = csv(tmp_path, '{"y": null}\n', "log.jsonl")
    fails(read(path, label="y"), "the label is missing")
    path = csv(tmp_path, '{"a": 1}\n{"a": 1, "y": 1}\n', "log.jsonl")
    fails(read(path, label="y", labels="if there"), "line 2", "a label, and the lines before have none")
    path = csv(tmp_path, '{"a": 1, "y": 1}\n{"a": 1}\n', "log.jsonl")
    fails(read(path, label="y", labels="if there"), "line 2", "the label is missing")
    path = csv(tmp_path, '{"a": 1e100, "b": 1e100}\n', "log.jsonl")
    fails(read(path, cross=["a,b"]), "line 1", "the product of the crossed keys is too large")


@pytest.mark.parametrize("name", ["log.parquet", "log.arrow", "log.parquet.gz", "log.csv.gz", "log.jsonl.zst"])
@pytest.mark.parametrize("data", [b"PAR1 but not really, is it? PAR1", b"ARROW1\0\0no", b"\x1f\x8b\x08\0\0\0", b"x"])
def test_files_that_are_something_else(tmp_path, name, data):
    fails(read(csv(tmp_path, data, name)), name)


def test_empty_binary_files(tmp_path):
    fails(read(csv(tmp_path, b"", "log.parquet")), "log.parquet: expected a Parquet file")
    fails(read(csv(tmp_path, b"", "log.arrow")), "log.arrow: expected an Arrow file or stream")
    fails(read(csv(tmp_path, b"FEA1xxxx", "log.feather")), "version 1 of Feather: write it anew")


def test_a_gzip_that_was_cut_off(tmp_path):
    import gzip

    for name, text in (("log.csv.gz", "a,b\n1,2\n"), ("log.jsonl.gz", '{"a": 1}\n')):
        rng = np.random.default_rng(0)
        whole = gzip.compress(text.encode() + bytes(rng.integers(49, 57, 200_000, dtype=np.uint8)))
        fails(read(csv(tmp_path, whole[: len(whole) // 2], name)), name)


@pytest.mark.parametrize("cross", ["a", "a,", ",", "a,a", ""])
@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_crosses_that_are_none(tmp_path, format, cross):
    path = csv(tmp_path, "a,b\n1,2\n" if format == "csv" else "{}", f"log.{format}")
    fails(read(path, cross=[cross]), f"cross={cross!r}: expected two columns or more, such as 'site,device'")


def test_rows_longer_than_a_block(tmp_path, monkeypatch):
    monkeypatch.setattr("regretful.readers.csvfiles.HEAD", 100)
    monkeypatch.setattr("regretful.readers.csvfiles.BLOCK", 1000)
    path = csv(tmp_path, "a,b\n" + "1,2\n" * 100 + '1,"' + "x" * 5000 + "\n")
    fails(read(path), "log.csv: a row is longer than", "or a quotation mark is never closed")


FLIPS = """
import random, sys
from regretful.readers import read
path, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
data = open(path, "rb").read()
random.seed(seed)
good = bad = 0
for _ in range(count):
    broken = bytearray(data)
    if random.random() < 0.3:
        del broken[random.randrange(len(broken)):]
    for _ in range(random.randint(0, 3)):
        if broken:
            broken[random.randrange(len(broken))] ^= 1 << random.randrange(8)
    with open(path + ".broken", "wb") as file:
        file.write(broken)
    try:
        for batch in read(path + ".broken", format=sys.argv[4], skip_bad=random.random() < 0.5, bits=8):
            good += len(batch.X)
    except ValueError:
        bad += 1
print(good, bad)
"""


@pytest.mark.parametrize("format", ["parquet", "arrow", "ipc"])
def test_damaged_files_are_errors_not_crashes(tmp_path, format):
    """In a process of its own: where PyArrow itself crashes on a damaged file, the test says so."""
    from tests.readers import twin

    when = dt.datetime(2024, 5, 1)
    rows = [{"x": k / 2, "t": f"t{k % 3}", "b": k % 2 == 0, "d": when, "n": {"a": k}} for k in range(50)]
    types = {
        "x": pa.float64(),
        "t": pa.string(),
        "b": pa.bool_(),
        "d": pa.timestamp("us"),
        "n": pa.struct([("a", pa.int64())]),
    }
    path = twin.write(rows, list(types), format, tmp_path / "log", types)
    arguments = [str(path), "1", "300", "arrow" if format == "ipc" else format]
    done = subprocess.run([sys.executable, "-c", FLIPS, *arguments], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    good, bad = map(int, done.stdout.split())
    assert good > 0
    assert bad > 50
