"""Tables: which columns are used and how, what files may look like, in which order rows come."""

import datetime as dt
import decimal
import gzip
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import regretful as rg
from regretful.readers import order, read
from tests.readers import twin

LOG = "city,age,clicked\nRome,31,1\nOslo,27,0\nRome,,1\n"


def rows_of(source):
    """The rows as {name: value}."""
    found = []
    for batch in source:
        X = batch.X
        for r in range(len(X)):
            places = range(X.start[r], X.start[r + 1])
            found.append({source.name_of(X.index[j]): float(X.value[j]) for j in places})
    return found


def labels_of(source):
    return np.concatenate([batch.y for batch in source]).tolist()


def csv(tmp_path, text, name="log.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def parquet(tmp_path, name="log.parquet", **columns):
    path = tmp_path / name
    pq.write_table(pa.table(columns), path)
    return path


def test_columns_become_features(tmp_path):
    source = read(csv(tmp_path, LOG), label="clicked")
    assert rows_of(source) == [{"city=Rome": 1, "age": 31}, {"city=Oslo": 1, "age": 27}, {"city=Rome": 1}]
    assert labels_of(source) == [1, 0, 1]
    assert source.columns == {"city": "text", "age": "number", "clicked": "number"}
    assert source.rows == 3


@pytest.mark.parametrize("text", [
    "\ufeff" + LOG, LOG.replace("\n", "\r\n"), LOG.rstrip("\n"), "\n\n" + LOG, LOG.replace(",", "\t"),
    LOG.replace("Rome", '"Rome"'),
], ids=["BOM", "CRLF", "no end of line", "blank lines first", "tabs", "quoted"])  # fmt: skip
def test_ways_to_write_it(tmp_path, text):
    path = csv(tmp_path, text, "log.tsv" if "\t" in text else "log.csv")
    assert rows_of(read(path, label="clicked")) == rows_of(read(csv(tmp_path, LOG, "plain.csv"), label="clicked"))


def test_fields_of_several_lines(tmp_path):
    source = read(csv(tmp_path, 'a,b\n"x\ny","1"\n"say ""hi"", x",2\n'))
    assert rows_of(source) == [{"a=x\ny": 1, "b": 1}, {'a=say "hi", x': 1, "b": 2}]


@pytest.mark.parametrize(("text", "header", "names"), [
    ("a,b\n1,2\n", None, ["a", "b"]),
    ("3,4\n1,2\n", None, ["0", "1"]),
    ("Rome,4\nOslo,2\n", None, ["0", "1"]),
    ("Rome,red\nOslo,blue\n", None, ["Rome", "red"]),
    ("Rome,red\nOslo,blue\n", False, ["0", "1"]),
    ("2023,2024\n1,2\n", True, ["2023", "2024"]),
    (",b\n1,2\n", None, ["", "b"]),
    (",\n1,2\n", None, ["0", "1"]),
])  # fmt: skip
def test_the_header_is_looked_for_or_told(tmp_path, text, header, names):
    source = read(csv(tmp_path, text), header=header)
    assert len(rows_of(source)) == (2 if names[0] == "0" else 1)
    assert list(source.columns) == names


def test_a_name_that_is_asked_for_makes_a_header(tmp_path):
    source = read(csv(tmp_path, "2023,2024\n1,2\n"), label="2024")
    assert rows_of(source) == [{"2023": 1}]


@pytest.mark.parametrize("format", ["csv", "tsv", "jsonl"])
@pytest.mark.parametrize("data", [b"", b"\n", b"\r\n\n"])
def test_nothing_is_no_rows(tmp_path, format, data):
    assert rows_of(read(csv(tmp_path, data, f"log.{format}"), label="x", weight="w")) == []


def test_a_header_alone(tmp_path):
    source = read(csv(tmp_path, "a,b\n"), label="a")
    assert rows_of(source) == []
    assert source.columns == {"a": "empty", "b": "empty"}
    assert rows_of(read(csv(tmp_path, "a,b"), label="a")) == []
    with pytest.raises(ValueError, match="there is no column 'c' for the label"):
        list(read(csv(tmp_path, "a,b\n"), label="c"))


def test_tables_without_rows(tmp_path):
    assert rows_of(read(parquet(tmp_path, x=pa.array([], pa.int8())), label="x")) == []


def test_one_column(tmp_path):
    assert rows_of(read(csv(tmp_path, "a\n1\n2\n"))) == [{"a": 1}, {"a": 2}]
    source = read(csv(tmp_path, "a\n1\n0\n"), label="a")
    assert rows_of(source) == [{}, {}]
    assert labels_of(source) == [1, 0]


@pytest.mark.parametrize("format", ["csv", "parquet", "arrow", "jsonl"])
def test_ten_thousand_columns(tmp_path, format):
    rows = [{f"c{k}": k + r for k in range(10_000)} for r in range(3)]
    path = twin.write(rows, list(rows[0]), format, tmp_path / f"log.{format}", dict.fromkeys(rows[0], pa.int64()))
    source = read(path, ignore=["c99*"], bits=24)
    found = [batch.X for batch in source]
    assert sum(map(len, found)) == 3
    assert sum(X.value.sum() for X in found) == sum(
        k + r for k in range(10_000) for r in range(3) if not f"{k}".startswith("99")
    )


def test_choosing_columns(tmp_path):
    path = csv(tmp_path, "user.id,user.age,site,clicked\n7,31,a,1\n")
    assert rows_of(read(path, label="clicked", only=["user.*"])) == [{"user.id": 7, "user.age": 31}]
    assert rows_of(read(path, label="clicked", ignore=["user.*"])) == [{"site=a": 1}]
    assert rows_of(read(path, label="clicked", only=["user.*"], ignore=["*.age"])) == [{"user.id": 7}]
    assert rows_of(read(path, label="clicked", only=["user.*"], text=["*.id"])) == [{"user.id=7": 1, "user.age": 31}]
    assert rows_of(read(path, label="clicked", only=["nothing*"])) == [{}]


@pytest.mark.parametrize("format", ["csv", "parquet", "jsonl"])
def test_texts_that_look_like_numbers(tmp_path, format):
    rows = [{"zip": 1234, "x": 1.5, "b": True}, {"zip": 0, "x": 2.0, "b": False}]
    types = {"zip": pa.int32(), "x": pa.float64(), "b": pa.bool_()}
    path = twin.write(rows, list(types), format, tmp_path / f"log.{format}", types)
    assert rows_of(read(path, text=["zip", "b"])) == [
        {"zip=1234": 1, "x": 1.5, "b=true": 1},
        {"zip=0": 1, "x": 2, "b=false": 1},
    ]


@pytest.mark.parametrize("format", ["csv", "parquet", "arrow", "jsonl"])
def test_crosses(tmp_path, format):
    rows = [{"site": "a", "device": "phone", "price": 2.0}, {"site": "b", "price": 3.0}, {"site": "a", "device": "tv"}]
    types = {"site": pa.string(), "device": pa.string(), "price": pa.float64()}
    path = twin.write(rows, list(types), format, tmp_path / f"log.{format}", types)
    crosses = ("site,device", "site,price", "site,device,price")
    source = read(path, cross=crosses, ignore=["device"])
    assert rows_of(source) == [
        {"site=a": 1, "price": 2, "site=a*device=phone": 1, "site=a*price": 2, "site=a*device=phone*price": 2},
        {"site=b": 1, "price": 3, "site=b*price": 3},
        {"site=a": 1, "site=a*device=tv": 1},
    ]


@pytest.mark.parametrize("format", ["csv", "parquet", "arrow", "ipc", "jsonl"])
def test_rows_without_features(tmp_path, format):
    rows = [{"x": k, "y": k % 2} for k in range(20)]
    path = twin.write(rows, ["x", "y"], format, tmp_path / "log", {"x": pa.int8(), "y": pa.int8()})
    kind = "arrow" if format == "ipc" else format
    assert rows_of(read(path, format=kind, only=["nothing*"])) == [{}] * 20
    source = read(path, format=kind, label="y", ignore=["x"])
    assert rows_of(source) == [{}] * 20
    assert labels_of(source) == [k % 2 for k in range(20)]


def test_crosses_with_the_hour(tmp_path):
    path = csv(tmp_path, "when,site\n2024-05-01T13:30:00,a\n2024-05-05 07:00:00,b\n")
    assert rows_of(read(path, cross=["when.hour,site"], only=["site"])) == [
        {"site=a": 1, "when.hour=13*site=a": 1},
        {"site=b": 1, "when.hour=7*site=b": 1},
    ]


def test_every_type_of_column(tmp_path):
    when = dt.datetime(2024, 5, 1, 13, 30)
    path = parquet(
        tmp_path,
        whole=pa.array([-5], pa.int8()), large=pa.array([2**64 - 1], pa.uint64()), half=pa.array([np.float16(0.5)]),
        yes=pa.array([True]), price=pa.array([decimal.Decimal("1.25")]), took=pa.array([1500], pa.duration("ms")),
        city=pa.array(["Rome"]), big=pa.array(["x"], pa.large_string()), raw=pa.array([b"y"]),
        kind=pa.array(["k"]).dictionary_encode(), code=pa.array([7]).dictionary_encode(),
        when=pa.array([when]), zoned=pa.array([when], pa.timestamp("ms", "Asia/Tokyo")),
        day=pa.array([when.date()]), at=pa.array([when.time()]), nothing=pa.nulls(1),
        user=pa.array([{"age": 31, "home": {"city": "Oslo"}}]),
    )  # fmt: skip
    wanted = {
        "whole": -5, "large": 2.0**64, "half": 0.5, "yes": 1, "price": 1.25, "took": 1.5, "city=Rome": 1, "big=x": 1,
        "raw=y": 1, "kind=k": 1, "code": 7, "when.hour=13": 1, "when.weekday=2": 1, "zoned.hour=22": 1,
        "zoned.weekday=2": 1, "day.weekday=2": 1, "at.hour=13": 1, "user.age": 31, "user.home.city=Oslo": 1,
    }  # fmt: skip
    assert rows_of(read(path)) == [wanted]
    table = pq.read_table(path).append_column("view", pa.array(["v"], pa.string_view()))
    with pa.ipc.new_file(tmp_path / "log.arrow", table.schema) as sink:
        sink.write(table)
    assert rows_of(read(tmp_path / "log.arrow")) == [wanted | {"view=v": 1}]


def test_what_is_missing_is_absent(tmp_path):
    none = pa.array([None, {"b": None}, {"b": 2}], pa.struct([("b", pa.int64())]))
    path = parquet(tmp_path, x=pa.array([None, 1.0, None]), t=pa.array(["a", None, ""]), n=none)
    assert rows_of(read(path)) == [{"t=a": 1}, {"x": 1}, {"t=": 1, "n.b": 2}]
    text = "x,t,b,d\n,a,true,2024-05-01\n1,,NA,N/A\nNA,NA,,\nnull,b,false,null\n"
    assert rows_of(read(csv(tmp_path, text))) == [
        {"t=a": 1, "b": 1, "d.weekday=2": 1}, {"x": 1}, {"t=NA": 1}, {"t=b": 1, "b": 0},
    ]  # fmt: skip


def test_slices_and_many_dictionaries(tmp_path):
    """Offsets, bitmaps that begin in the middle of a byte, dictionaries that change from batch to batch."""
    rng = np.random.default_rng(0)
    names = ["x", "t", "d", "b"]
    rows = [
        {"x": float(rng.integers(5)) if rng.random() < 0.7 else None,
         "t": f"t{rng.integers(4)}" if rng.random() < 0.7 else None,
         "d": f"d{k // 10}" if rng.random() < 0.7 else None, "b": bool(rng.random() < 0.5)} for k in range(100)
    ]  # fmt: skip
    types = [pa.float64(), pa.string(), pa.dictionary(pa.int8(), pa.large_string()), pa.bool_()]
    table = pa.table(
        [pa.array([row[name] for row in rows], kind) for name, kind in zip(names, types, strict=True)], names
    )
    with pa.ipc.new_stream(tmp_path / "log.arrow", table.schema) as sink:
        for low in range(0, 100, 13):
            sink.write_batch(table.slice(low, 13).combine_chunks().to_batches()[0])
    wanted = [{f"{k}={v}" if isinstance(v, str) else k: float(1 if isinstance(v, str) else v) for k, v in row.items()
               if v is not None} for row in rows]  # fmt: skip
    assert rows_of(read(tmp_path / "log.arrow")) == wanted
    unified = table.set_column(2, "d", table["d"].combine_chunks())
    for low in (0, 1, 5, 64):
        pq.write_table(unified.slice(low), tmp_path / "log.parquet", row_group_size=9, data_page_size=64)
        assert rows_of(read(tmp_path / "log.parquet")) == wanted[low:]


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
@pytest.mark.parametrize("format", ["csv", "parquet", "arrow", "ipc", "jsonl"])
def test_compressed_files(tmp_path, format, suffix):
    rows = [{"city": f"c{k % 7}", "n": k} for k in range(500)]
    types = {"city": pa.string(), "n": pa.int32()}
    path = twin.write(rows, list(types), format, tmp_path / f"log.{format}", types)
    packed = tmp_path / f"log.{format}{suffix}"
    packed.write_bytes(pa.compress(path.read_bytes(), "zstd", asbytes=True) if suffix == ".zst"
                       else gzip.compress(path.read_bytes()))  # fmt: skip
    source = read(packed)
    assert rows_of(source) == rows_of(read(path))
    assert source.done == source.size


@pytest.mark.parametrize("format", ["csv", "parquet", "arrow", "ipc", "jsonl"])
def test_standard_input(tmp_path, format):
    rows = [{"city": f"c{k % 7}", "n": k} for k in range(500)]
    types = {"city": pa.string(), "n": pa.int32()}
    path = twin.write(rows, list(types), format, tmp_path / "log", types)
    name = "arrow" if format == "ipc" else format
    code = (
        f"import regretful.readers as r; s = r.read('-', format='{name}', label='n', labels='if there');"
        "print(sum(b.y.sum() for b in s), s.rows)"
    )
    with path.open("rb") as file:
        done = subprocess.run([sys.executable, "-c", code], stdin=file, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(float(sum(range(500)))), "500"]


def test_labels_if_there(tmp_path):
    for path in (csv(tmp_path, "x\n1\n"), csv(tmp_path, '{"x": 1}\n', "log.jsonl"), parquet(tmp_path, x=[1])):
        (batch,) = read(path, label="y", labels="if there")
        assert batch.y is None
    for path in (
        csv(tmp_path, "x,y\n1,0\n"),
        csv(tmp_path, '{"x": 1, "y": false}\n', "log.jsonl"),
        parquet(tmp_path, x=[1], y=[0]),
    ):
        (batch,) = read(path, label="y", labels="if there")
        assert batch.y.tolist() == [0.0]


def test_labels_and_weights_of_every_type(tmp_path):
    for labels in (pa.array([True, False]), pa.array([1, 0], pa.int8()),
                   pa.array([decimal.Decimal(1), decimal.Decimal(0)]),
                   pa.array([1.0, 0.0], pa.float32()), pa.array([1, 0]).dictionary_encode()):  # fmt: skip
        (batch,) = read(parquet(tmp_path, x=[1, 2], y=labels, w=[2, 0]), label="y", weight="w")
        assert batch.y.tolist() == [1.0, 0.0]
        assert batch.weight.tolist() == [2.0, 0.0]
    (batch,) = read(csv(tmp_path, "x,y\n1,true\n2,False\n"), label="y")
    assert batch.y.tolist() == [1.0, 0.0]


def test_a_column_that_is_empty_at_first(tmp_path, monkeypatch):
    monkeypatch.setattr("regretful.readers.csvfiles.HEAD", 400)
    monkeypatch.setattr("regretful.readers.csvfiles.BLOCK", 100)
    text = "a,b,c\n" + "1,,\n" * 300 + "2,7,x\n" * 30 + "3,8,9\n"
    source = read(csv(tmp_path, text))
    found = rows_of(source)
    assert found[299:301] == [{"a": 1}, {"a": 2, "b": 7, "c=x": 1}]
    assert found[-1] == {"a": 3, "b": 8, "c=9": 1}
    assert source.columns == {"a": "number", "b": "number", "c": "text"}


@pytest.mark.parametrize("format", ["csv", "parquet", "jsonl"])
def test_rows_in_the_order_of_their_time(tmp_path, format):
    rng = np.random.default_rng(0)
    times = rng.permutation(9000)
    rows = [{"when": int(t), "x": float(t), "y": int(t) % 2, "w": 1.0 + t % 3} for t in times]
    types = dict.fromkeys(["when", "x", "y", "w"], pa.float64())
    path = twin.write(rows, list(types), format, tmp_path / f"log.{format}", types)
    source = read(path, time="when", label="y", weight="w")
    found = rows_of(source)
    assert found == [{"x": float(t)} for t in range(9000)]  # a number that is a time is no feature
    assert labels_of(source) == [t % 2 for t in range(9000)]
    assert np.concatenate([batch.weight for batch in source]).tolist() == [1.0 + t % 3 for t in range(9000)]


def test_times_of_every_kind(tmp_path):
    texts = ["2024-05-02T01:00:00", "2024-05-01T13:00:00", "2024-05-01T12:00:00"]
    path = csv(tmp_path, "when,x\n" + "".join(f"{text},{k}\n" for k, text in enumerate(texts)))
    found = rows_of(read(path, time="when"))
    assert [row["x"] for row in found] == [2, 1, 0]
    assert found[0] == {"x": 2, "when.hour=12": 1, "when.weekday=2": 1}  # a clock is: by its hour and weekday
    lines = "".join(
        f'{{"when": "{text}", "x": {k}}}\n' for k, text in enumerate([*texts[:2], "2024-05-01T14:00:00+09:00"])
    )
    assert [row["x"] for row in rows_of(read(csv(tmp_path, lines, "log.jsonl"), time="when"))] == [2, 1, 0]
    for kind in (pa.timestamp("ns"), pa.timestamp("s", "UTC"), pa.date64(), pa.date32(), pa.int64(), pa.uint64(),
                 pa.float32(),
                 pa.time32("s"), pa.duration("s")):  # fmt: skip
        unit = 86_400_000 if kind == pa.date64() else 1
        whole = pa.int32() if kind.bit_width == 32 else pa.int64()
        column = pa.array([3 * unit, unit, 2 * unit], whole).cast(kind)
        path = parquet(tmp_path, t=column, x=[3, 1, 2])
        assert [row["x"] for row in rows_of(read(path, time="t"))] == [1, 2, 3]


def test_equal_times_stay_as_they_come(tmp_path):
    path = csv(tmp_path, "t,x\n2,0\n1,1\n2,2\n1,3\n")
    assert [row["x"] for row in rows_of(read(path, time="t"))] == [1, 3, 0, 2]


def test_what_is_in_order_passes_whatever_its_size():
    hashing = rg.Hashing(4)

    def batches(times):
        for low in range(0, len(times), 10):
            part = times[low : low + 10]
            X = rg.core.rows.HashedRows(np.arange(11), np.zeros(10, np.int32), part.astype(float), hashing)
            yield rg.core.types.Batch(X, part.astype(float), None), part

    times = np.arange(1000)
    seen = [batch.y for batch in order.ordered(batches(times), "t", held=2000)]
    assert np.concatenate(seen).tolist() == times.tolist()
    times[700], times[701] = times[701], times[700]
    with pytest.raises(ValueError, match=r"row 702 of those read is earlier .* put the file in order first"):
        list(order.ordered(batches(times), "t", held=2000))
    with pytest.raises(ValueError, match=r"^rows that are not in the order of 't' .* more than 0 MB"):
        list(order.ordered(batches(times[::-1]), "t", held=2000))
    assert np.concatenate([b.y for b in order.ordered(batches(times[::-1]), "t")]).tolist() == list(range(1000))


def test_how_far_it_is_is_told_while_it_is_read(tmp_path):
    rng = np.random.default_rng(0)
    table = {f"c{k}": rng.random(60_000) for k in range(4)}
    for path in (parquet(tmp_path, **table), tmp_path / "log.arrow"):
        if path.suffix == ".arrow":
            with pa.ipc.new_file(path, pa.table(table).schema) as sink:
                sink.write_table(pa.table(table), 10_000)
        source = read(path)
        told = [source.done for _ in source]
        assert told == sorted(told)
        assert told[-1] == source.size
        assert len(told) > 1


def test_passes_and_reading_again(tmp_path):
    path = csv(tmp_path, LOG)
    source = read(path, label="clicked", passes=2)
    assert labels_of(source) == [1, 0, 1, 1, 0, 1] == labels_of(source)


def test_several_files(tmp_path):
    for k in range(3):
        csv(tmp_path, f"city,age,clicked\nRome,{k},1\n", f"log{k}.csv")
    (tmp_path / "log1.csv").write_text("")  # an hour in which nothing happened
    csv(tmp_path, "clicked,age,city\n0,,Oslo\n", "log3.csv")  # in another order, and a column without anything
    source = read(str(tmp_path / "log*.csv"), label="clicked")
    assert rows_of(source) == [{"city=Rome": 1, "age": 0}, {"city=Rome": 1, "age": 2}, {"city=Oslo": 1}]


def test_numbers_of_any_width_are_numbers(tmp_path):
    parquet(tmp_path, "a.parquet", x=pa.array([1], pa.int8()), t=pa.array(["a"]))
    parquet(tmp_path, "b.parquet", x=pa.array([1.5], pa.float32()), t=pa.array(["b"]).dictionary_encode())
    assert rows_of(read(str(tmp_path / "*.parquet"))) == [{"x": 1, "t=a": 1}, {"x": 1.5, "t=b": 1}]


def test_a_game_and_hindsight_from_a_file(tmp_path):
    rng = np.random.default_rng(1)
    lines = [f"c{rng.integers(5)},{rng.random():.3f},{int(rng.random() < 0.4)}" for _ in range(500)]
    source = read(csv(tmp_path, "city,x,y\n" + "\n".join(lines)), label="y", bits=8)
    learner = rg.AdaGrad(rg.Logistic(), features=source.features)
    for X, y, w in source:
        learner.learn_many(X, y, w)
    assert learner.rounds == 500


def test_quoted_numbers_and_spaces(tmp_path):
    assert rows_of(read(csv(tmp_path, 'a,b\n"1", 2\n 3 ,"4"\n'))) == [{"a": 1, "b": 2}, {"a": 3, "b": 4}]


def test_long_rows(tmp_path):
    text = "x" * 5_000_000
    assert rows_of(read(csv(tmp_path, f"a,b\n1,{text}\n2,y\n"), only=["a"])) == [{"a": 1}, {"a": 2}]
    path = tmp_path / "log.jsonl"
    path.write_text(f'{{"a": 1, "b": "{text}"}}\n{{"a": 2}}')
    assert rows_of(read(path, only=["a"])) == [{"a": 1}, {"a": 2}]


def test_a_column_of_the_time_may_be_weights_too(tmp_path):
    (batch,) = read(csv(tmp_path, "t,x\n2,0\n1,1\n"), time="t", weight="t")
    assert batch.weight.tolist() == [1, 2]
