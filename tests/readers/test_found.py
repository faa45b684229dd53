"""What the fuzzers found once, a fault each."""

import io
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from regretful.readers import BadLine, csvfiles, read
from regretful.readers.jsonlines import blocks


@pytest.fixture
def log(tmp_path):
    def write(data, name):
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return write


def test_a_byte_order_mark_that_comes_byte_by_byte():
    class Slow(io.BytesIO):
        def read(self, size=-1):
            return super().read(min(size, 1))

    assert b"".join(blocks(Slow(b"\xef\xbb\xbf{}\n{}"))) == b"{}\n{}"
    assert list(blocks(Slow(b"\xef\xbb"))) == [b"\xef\xbb"]
    text = csvfiles.UTF8(Slow("a,b\n".encode("utf-16")))
    list(iter(text.read, b""))
    assert text.start == b"\xff\xfe"


def test_an_error_does_not_wait(log, monkeypatch):
    """PyArrow's threads are waited for; an error on its way must not hold what they are to let go of."""
    monkeypatch.setattr(csvfiles, "PATIENCE", 60.0)
    begin = time.perf_counter()
    for data in (b"a,b\n1,2,3\n", b'a,b\n"1,2\n'):
        with pytest.raises(BadLine):
            list(read(log(data, "log.csv")))
    assert time.perf_counter() - begin < 30


def test_a_column_name_that_is_not_utf8(log):
    """A file that was damaged: its name is told, as for all others."""
    sink = io.BytesIO()
    pq.write_table(pa.table({"name": [1.0]}), sink, store_schema=False)
    stream = io.BytesIO()
    with pa.ipc.new_stream(stream, pa.schema([("name", pa.float64())])) as writer:
        writer.write_table(pa.table({"name": [1.0]}))
    for name, data in (("log.parquet", sink.getvalue()), ("log.arrow", stream.getvalue())):
        with pytest.raises(BadLine, match=rf"{name}: expected "):
            list(read(log(data.replace(b"name", b"na\xffe"), name)))


def test_a_table_of_no_columns(log):
    """Which may have any number of rows."""
    batch, sink = pa.RecordBatch.from_struct_array(pa.array([{}] * 3, pa.struct([]))), io.BytesIO()
    with pa.ipc.new_file(sink, batch.schema) as writer:
        writer.write_batch(batch)
    with pytest.raises(BadLine, match=r"log\.arrow: there are no columns"):
        list(read(log(sink.getvalue(), "log.arrow")))


@pytest.mark.parametrize("tables", [
    pa.table([pa.array([{"b": 1}]), pa.array([2])], ["a", "a"]),
    pa.table([pa.array([2]), pa.array([{"b": 1}])], ["a", "a"]),
    pa.table([pa.array([{"b": 1}]), pa.array([{"c": 1}])], ["a", "a"]),
])  # fmt: skip
def test_a_nested_column_with_the_name_of_another(log, tables):
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, tables.schema) as writer:
        writer.write_table(tables)
    with pytest.raises(BadLine, match=r"log\.arrow: column 'a' stands there twice"):
        list(read(log(sink.getvalue(), "log.arrow")))


@pytest.mark.parametrize(
    "kind", [pa.binary(), pa.large_binary(), pa.binary_view(), pa.dictionary(pa.int8(), pa.binary())]
)
def test_bytes_that_are_no_text(log, kind):
    """A bad row, not a bad file."""
    sink, table = (
        io.BytesIO(),
        pa.table({"t": pa.array([b"a", b"\xff", None, b"", b"\xc3\xa9"], pa.binary()).cast(kind)}),
    )
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    path = log(sink.getvalue(), "log.arrow")
    with pytest.raises(BadLine, match=r"log\.arrow: row 2, column 't': expected a text in UTF-8, not b'\\xff'"):
        list(read(path))
    source = read(path, skip_bad=True)
    names = [source.name_of(int(at)) for batch in source for at in batch.X.index]
    assert (names, source.rows, source.bad.count) == (["t=a", "t=", "t=é"], 4, 1)


def test_a_key_in_an_object_whose_own_key_is_empty(log):
    """It is named with the dot, like every nested key: it is not the outer one again."""
    source = read(log(b'{"": {"": [5.0], "a": 2.0}, "b": {"": 3.0}}\n', "log.jsonl"))
    ((X, _, _),) = source
    assert [source.name_of(int(at)) for at in X.index] == ["..0", ".a", "b."]
    assert X.value.tolist() == [5.0, 2.0, 3.0]
