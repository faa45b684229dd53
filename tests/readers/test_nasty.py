"""What files hold that they should not, in every format: each is read, or refused with an error that says where."""

import functools
import gzip
import json
import os
import subprocess
import sys
import time

import numpy as np
import pyarrow as pa
import pytest

from regretful.readers import BadLine, read
from tests.readers import sound

# Two rows with the label 1, of a feature that has a Unicode name where the format has names.
TWO = {
    "libsvm": b"1 3:2\n1 3:4\n",
    "vw": "1 |é €:2\n1 |é €:4\n".encode(),
    "csv": "y,😀\n1,2\n1,4\n".encode(),
    "tsv": "y\t😀\n1\t2\n1\t4\n".encode(),
    "jsonl": '{"y": 1, "é😀": 2}\n{"y": 1, "\\u00e9\\ud83d\\ude00": 4}\n'.encode(),
}
NAMES = {"libsvm": "3", "vw": "é^€", "csv": "😀", "tsv": "😀", "jsonl": "é😀"}
LABEL = {kind: {"label": "y"} if kind in ("csv", "tsv", "jsonl") else {} for kind in TWO}
every = pytest.mark.parametrize("kind", TWO)


def rows_of(path, kind, **settings):
    """Rows as {name: value}, and the source."""
    source = read(path, format=kind, bits=12, **LABEL[kind] | settings)
    found = []
    for batch in source:
        sound.batch(batch, source.features)
        assert set(batch.y.tolist()) == {1.0}
        for first, last in zip(batch.X.start[:-1], batch.X.start[1:], strict=True):
            names = map(source.name_of, batch.X.index[first:last].tolist())
            found.append(dict(zip(names, batch.X.value[first:last].tolist(), strict=True)))
    return found, source


@pytest.fixture
def log(tmp_path):
    def write(data, name="log"):
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return write


@every
def test_names_of_any_letters_bom_and_crlf(log, kind):
    wanted = [{NAMES[kind]: 2.0}, {NAMES[kind]: 4.0}]
    plain = TWO[kind]
    for data in (plain, b"\xef\xbb\xbf" + plain, plain.replace(b"\n", b"\r\n"), plain.rstrip(b"\n"),
                 b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n\r\n")):  # fmt: skip
        assert rows_of(log(data), kind)[0] == wanted, data


@every
def test_a_file_that_was_cut_off(log, kind):
    """Wherever that was: an error that says where, or the rows before."""
    data = TWO[kind]
    for cut in range(len(data)):
        try:
            found, source = rows_of(log(data[:cut]), kind, skip_bad=True)
        except BadLine as error:
            sound.error(error, str(log(data[:cut])))
        else:
            assert len(found) + source.bad.count <= 2


@every
@pytest.mark.parametrize("packed", ["gz", "zst"])
def test_compressed_files_that_were_cut_off(log, kind, packed):
    pack = gzip.compress if packed == "gz" else functools.partial(pa.compress, codec="zstd", asbytes=True)
    first, _, line = TWO[kind].partition(b"\n")
    row = b"1\t%d\n" if kind == "tsv" else b"1,%d\n"
    rng = np.random.default_rng(1)
    lines = [row % k if kind in ("csv", "tsv") else line.replace(b"4", b"%d" % k)
             for k in rng.integers(10**17, size=20_000)]  # fmt: skip
    whole = pack(first + b"\n" + b"".join(lines))
    assert len(rows_of(log(whole, f"log.{packed}"), kind)[0]) >= 20_000
    for cut in (len(whole) // 2, len(whole) - 3, 20, 3):
        with pytest.raises(BadLine, match=rf"log\.{packed}.*cut short or damaged"):
            rows_of(log(whole[:cut], f"log.{packed}"), kind, skip_bad=True)


@every
@pytest.mark.parametrize("what", ["random", "zeros", "elf", "gzip", "utf-16"])
def test_binary_files(log, kind, what):
    data = {
        "random": np.random.default_rng(2).bytes(50_000), "zeros": b"\0" * 5000, "gzip": gzip.compress(TWO[kind] * 9),
        "elf": b"\x7fELF\2\1\1" + bytes(range(256)) * 20, "utf-16": TWO[kind].decode().encode("utf-16"),
    }[what]  # fmt: skip
    path = log(data)
    with pytest.raises(BadLine) as caught:
        rows_of(path, kind)
    sound.error(caught.value, str(path))
    try:
        rows, source = rows_of(path, kind, skip_bad=True)
    except BadLine as error:
        sound.error(error, str(path))
    else:
        assert source.bad.count > 0
        assert not rows


@every
def test_zero_bytes(log, kind):
    """Within a text, where it is refused by formats that know what a control character is; never where text ends."""
    data = {
        "libsvm": b"1 3:2\0\n1 3:4\n", "vw": b"1 |a b\0c:2\n1 |a b:4\n",
        "csv": b"y,a\n1,2\0\n1,4\n", "tsv": b"y\ta\n1\t2\0\n1\t4\n",
        "jsonl": b'{"y": 1, "a\0b": 2}\n{"y": 1, "a": 4}\n',
    }[kind]  # fmt: skip
    if kind in ("csv", "tsv"):
        assert [len(row) for row in rows_of(log(data), kind)[0]] == [1, 1]
        return
    with pytest.raises(BadLine, match="line 1, column"):
        rows_of(log(data), kind)
    assert len(rows_of(log(data), kind, skip_bad=True)[0]) == 1


@every
def test_numbers_beyond_all_doubles(log, kind):
    for number in (b"1e400", b"-1e400", b"9" * 400):
        if kind in ("csv", "tsv"):  # so that the column holds numbers when it comes
            data = TWO[kind].replace(b"1,4", b"1," + number).replace(b"1\t4", b"1\t" + number)
        else:
            data = TWO[kind].replace(b"4\n", number + b"\n").replace(b"4}\n", number + b"}\n")
        with pytest.raises(BadLine, match=r"(line|row) [23].*(finite|too large|learner)") as caught:
            rows_of(log(data), kind)
        sound.error(caught.value, caught.value.file)
        assert rows_of(log(data), kind, skip_bad=True)[0] == [{NAMES[kind]: 2.0}]


@every
def test_features_that_stand_there_twice(log, kind):
    """They add up where a row is a list of features; a table has no two columns of a name."""
    if kind in ("libsvm", "vw"):
        data = {"libsvm": b"1 3:2 3:0.5 3:1\n", "vw": "1 |é €:2 €:.5 |é €\n".encode()}[kind]
        assert rows_of(log(data), kind)[0] == [{NAMES[kind]: 3.5}]
        return
    data = {"csv": b"y,a,a\n1,2,3\n", "tsv": b"y\ta\ta\n1\t2\t3\n", "jsonl": b'{"y": 1, "a": 2, "a": 3}\n'}[kind]
    with pytest.raises(BadLine, match="'a' stands there twice"):
        rows_of(log(data), kind, **{} if kind == "jsonl" else {"header": True})


# ------------------------------------------------------------------------------------ a line of 100 MB

LINE = """
import json, resource, sys
from regretful.readers import BadLine, read
path, kind = sys.argv[1:]
start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
source, rows, error = read(path, format=kind, bits=12, skip_bad=True), 0, None
try:
    for batch in source:
        rows += len(batch.X)
except BadLine as wrong:
    error = str(wrong)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([rows, source.bad.count, error, (peak - start) / 1024]))
"""
SIZE = 100_000_000
LONG = {  # a line before and after; the line, piece by piece; the rows that are read, and the bad ones
    "libsvm": (b"1 3:1\n", b"1", b" 7:0.25 12345:1e-5", b"\n", 3, 0),
    "vw": (b"1 |a x\n", b"1 |a", b" x:0.25 another:1e-5", b"\n", 3, 0),
    "jsonl": (b'{"a": "x"}\n', b'{"a": "', b"0123456789", b'"}\n', 3, 0),
    "no colon": (b"1 3:1\n", b"1 ", b"0123456789", b"\n", 2, 1),
    "no bar": (b"1 |a x\n", b"", b"0123456789 ", b"\n", 2, 1),
    "no quotes": (b'{"a": "x"}\n', b"{", b"0123456789", b"\n", 2, 1),
    "csv": (b"1,x\n", b"2,", b"0123456789", b"\n", None, 0),
    "tsv": (b"1\tx\n", b'2\t"', b"01\n3456789", b"\n", None, 0),
}
KINDS = {"no colon": "libsvm", "no bar": "vw", "no quotes": "jsonl"}


@pytest.mark.skipif("REGRETFUL_CHECKS" in os.environ, reason="time and memory are of another build")
@pytest.mark.parametrize("what", LONG)
def test_lines_of_100_MB(tmp_path, what):
    """It is read or refused, in the time of reading and in the memory of a few such lines."""
    beside, begin, piece, end, rows, bad = LONG[what]
    path = tmp_path / "log"
    with path.open("wb") as file:
        file.write(beside + begin)
        for _ in range(100):
            file.write(piece * (SIZE // 100 // len(piece)))
        file.write(end + beside)
    start = time.perf_counter()
    command = [sys.executable, "-c", LINE, str(path), KINDS.get(what, what)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    taken = time.perf_counter() - start
    assert done.returncode == 0, done.stderr
    found, skipped, error, megabytes = json.loads(done.stdout)
    if rows is None:  # PyArrow takes no row that is so much longer than those before
        assert "a row is longer than" in error
    else:
        assert (found, skipped, error) == (rows, bad, None)
    assert megabytes < 700
    assert taken < 60
