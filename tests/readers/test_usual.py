"""Usual features (usual.h, wide.h): whichever registers read them, wherever they stand in a line, they are the same."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretful as rg
from regretful.readers.builder import Builder
from regretful.readers.libsvm import LibSVM
from regretful.readers.pieces import pieces
from tests.readers.scanning import naive, scan

WIDE = rg.Hashing(20)
both = pytest.mark.parametrize("narrow", [False, True])
kinds = pytest.mark.parametrize("kind", ["libsvm", "vw"])

NAMES = ["7", "42", "0", "123", "4096", "12345", "123456", "1234567", "12345678", "123456789", "1" * 16]
VALUES = [
    "1", "0", "-1", "-0", "12", "123456789", "12345678901234", "-1234567890123", "123456789012345", "1.", "-1.", ".5",
    "-.5", "0.5", "-0.5", "0.123456", "-0.0123456", "12.75", "3.14159265358979", "0.123456789012", "0.1234567890123",
    "-0.12345678901", "-0.123456789012", "99999999999.99", "9.99999999999", "0.0000000000001", "1e5", "-1.5e-3", "+1",
    "+0.5", "1E3", "00.50", "007",
]  # fmt: skip
ODD = [
    "", "-", ".", "-.", "--1", "1-", "1.2.3", "..1", "1..", "1.-2", "-1.-", "x", "1x", "0.12x456", "1,5", "0x10", "1_0",
    "1.2.", "/", "0.1/", "0.1:", ":", "1:2", "1|", "1\t", "1\x00", "\xe9", "1\xff", "0.12345678\xb05", "1e", "1e400",
]  # fmt: skip
ODD_NAMES = ["03", "00", "-3", "1x", "x1", "1234567x", "/", ":", "", "3\x80", "3.", "+3", "3#", "|3"]


def line(kind, features):
    """A line of features: index and value."""
    return ("1 | " if kind == "vw" else "1 ") + " ".join(f"{name}:{value}" for name, value in features) + "\n"


@both
@kinds
def test_each_name_and_each_value(kind, narrow):
    rows = [[(name, value)] for name in NAMES for value in VALUES]
    text = "".join(line(kind, row) for row in rows).encode()
    found = scan(kind, text, WIDE, narrow=narrow)
    assert found == naive(kind, text, WIDE)
    assert [list(row.values()) for row in found.rows] == [[float(value)] for ((_, value),) in rows]
    signs = np.signbit([next(iter(row.values())) for row in found.rows])
    assert signs.tolist() == [value.startswith("-") for ((_, value),) in rows]


@both
@kinds
def test_something_odd_at_each_place_of_a_line(kind, narrow):
    """The other features stay what they are, or the line is bad; the lines around it are read."""
    usual = [(str(k), f"0.{k}") for k in range(1, 20)]
    lines = []
    for place in range(19):
        lines += [[*usual[:place], ("7777", value), *usual[place + 1 :]] for value in VALUES + ODD]
        lines += [[*usual[:place], (name, "0.25"), *usual[place + 1 :]] for name in NAMES + ODD_NAMES]
    text = "".join(line(kind, usual) + line(kind, row) for row in lines).encode("latin-1")
    assert scan(kind, text, WIDE, narrow=narrow) == naive(kind, text, WIDE)


@both
@kinds
def test_lines_of_every_length(kind, narrow):
    """Also when what stands behind the last feature would do for one more."""
    rows = [[(str(k * 31 % 997), f"{k}.5") for k in range(size)] for size in [*range(40), 255, 256, 257, 511, 600]]
    text = "".join(line(kind, row) + line(kind, row[:3]).rstrip("\n") + " \n" for row in rows).encode()
    for hashing in (WIDE, rg.Hashing(6), rg.Hashing(1)):
        for chunk in (1 << 18, 100):
            assert scan(kind, text, hashing, chunk=chunk, narrow=narrow) == naive(kind, text, hashing)


@both
def test_first_names_are_kept(narrow):
    """At a position stands the name that came first, in the same line also."""
    hashing = rg.Hashing(5)
    builder = Builder(hashing)
    scanner = LibSVM(builder)
    if narrow:
        scanner.narrow()
    text = io.BytesIO(line("libsvm", [(str(k), "1") for k in range(100, 300)]).encode())
    scanner.take_up(next(pieces("it", text, [], narrow=narrow)))
    scanner.scan()
    first = {}
    for k in range(100, 300):
        first.setdefault(hashing.index(str(k)), str(k))
    assert {at: builder.name(at) for at in first} == first


@both
@kinds
@given(data=st.data())
def test_random_features(kind, narrow, data):
    names = st.sampled_from(NAMES) | st.integers(0, 10**9).map(str)
    values = st.sampled_from(VALUES) | st.floats(-1e4, 1e4).map("{:.6g}".format) | st.integers(-(10**9), 10**9).map(str)
    rows = data.draw(st.lists(st.lists(st.tuples(names, values), max_size=30), max_size=4))
    text = "".join(line(kind, row) for row in rows).encode()
    hashing = data.draw(st.sampled_from([WIDE, rg.Hashing(3)]))
    assert scan(kind, text, hashing, narrow=narrow) == naive(kind, text, hashing)


def test_what_is_twice_in_a_row_is_found_in_however_many_rows():
    """The table of positions is cleared every million values."""
    row = line("libsvm", [*((str(k), "1") for k in range(1, 700)), *((str(k), "2") for k in range(1, 700))]).encode()
    builder, stream = Builder(WIDE), io.BytesIO(row * 2000)
    scanner, rows = LibSVM(builder), 0
    for piece in pieces("it", stream, []):
        scanner.take_up(piece)
        while scanner.scan() or scanner.waiting:
            X = scanner.take().X
            rows += len(X)
            assert (np.diff(X.start) == len({WIDE.index(str(k)) for k in range(1, 700)})).all()
            assert X.value.sum() == len(X) * 699 * 3
    assert rows == 2000
