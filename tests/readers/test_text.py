"""libsvm and Vowpal Wabbit text: what is read, what is refused and with what message, odd files, known answers."""

import gzip
import math
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretful as rg
from regretful.readers import BadLine, read
from regretful.readers.builder import Builder
from regretful.readers.errors import Bad
from regretful.readers.files import Files
from regretful.readers.settings import Settings
from regretful.readers.text import Text
from tests.readers.fuzz_text import SAVOURY
from tests.readers.scanning import naive, scan

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
known = pytest.mark.skipif(not DATA.is_dir(), reason=f"no data with known answers: {DATA} is absent")
SUFFIX = {"libsvm": "svm", "vw": "vw"}
WIDE = rg.Hashing(20)


@pytest.fixture
def log(tmp_path):
    """Writes a file of a format."""

    def write(kind, text, name="log"):
        path = tmp_path / f"{name}.{SUFFIX[kind]}"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def rows_of(path, **settings):
    """Rows by name, labels, weights."""
    source, rows, labels, weights = read(path, **settings), [], [], []
    for batch in source:
        X = batch.X
        for first, last in zip(X.start[:-1], X.start[1:], strict=True):
            names = [source.name_of(int(at)) for at in X.index[first:last]]
            rows.append(dict(zip(names, X.value[first:last].tolist(), strict=True)))
        labels += [None] * len(X) if batch.y is None else batch.y.tolist()
        weights += [1.0] * len(X) if batch.weight is None else batch.weight.tolist()
    return rows, labels, weights


def test_libsvm(log):
    text = "+1 3:1 4:.5 # a comment\n\n# a line of it\n-1 qid:2 3:2 3:4\t7:-1e-3 \r\n1.5e0 100000000:12\n2"
    rows, labels, weights = rows_of(log("libsvm", text))
    assert rows == [{"3": 1, "4": 0.5}, {"3": 6, "7": -0.001}, {"100000000": 12}, {}]
    assert labels == [1, -1, 1.5, 2]
    assert weights == [1, 1, 1, 1]


def test_vw(log):
    text = "1 'é |ns:2 a b:3 é:4 |c x| y z:.5\r\n\n0 2.5 tag| a a:2\n-1 1 0 t|\n"
    rows, labels, weights = rows_of(log("vw", text))
    assert rows == [{"ns^a": 2, "ns^b": 6, "ns^é": 8, "c^x": 1, "y": 1, "z": 0.5}, {"a": 3}, {}]
    assert labels == [1, 0, -1]
    assert weights == [1, 2.5, 1]


@given(st.text(st.characters(blacklist_characters=" :|#\t\r\n", min_codepoint=33, blacklist_categories=["Cs"]),
               min_size=1, max_size=20), st.integers(1, 30), st.integers(0, 2**64 - 1))  # fmt: skip
def test_names_are_hashed_as_events_are(name, bits, seed):
    hashing = rg.Hashing(min(bits, 16), seed)
    found = scan("vw", f"1 | {name}:2\n1 |n {name}".encode(), hashing)
    assert found.rows == [{hashing.index(name): 2.0}, {hashing.index(f"n^{name}"): 1.0}]


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**25), 10**25) | st.integers(-999, 999))
def test_numbers_are_rounded_as_python_rounds_them(value):
    for spec in (".17e", ".25g", ".3g", ".30f", "+.6g", ".17g", ".8f"):
        text = format(float(value), spec)
        read_so = [float(text)] if math.isfinite(float(text)) else []
        assert scan("libsvm", f"{text}\n".encode(), WIDE).labels == read_so, text
        if abs(float(text)) < 1e150:
            assert scan("vw", f"1 | x:{text}\n".encode(), WIDE).rows == [{WIDE.index("x"): float(text)}], text


@given(st.integers(1, 2**53), st.integers(-360, 300), st.booleans())
def test_halves_between_two_doubles(mantissa, power, up):
    """The hardest numbers to round: half-way, and a digit beside it."""
    from decimal import Decimal, localcontext

    with localcontext() as context:
        context.prec = 1200
        half = (2 * Decimal(mantissa) + 1) * Decimal(2) ** power
        for text in (f"{half:.1100e}", f"{half * (1 + Decimal(10) ** (-40 if up else -1000)):.1100e}"):
            assert scan("libsvm", f"{text}\n".encode(), WIDE).labels == [float(text)]


BAD = {
    "libsvm": [
        ("1 3:1\n1 03:1\n",
         "line 2, column 3: expected a feature as index:value, its index in digits alone, not '03:1'"),
        ("1 +3:1\n", "line 1, column 3: expected a feature as index:value, its index in digits alone, not '+3:1'"),
        ("1 a:1\n", "line 1, column 3: expected a feature as index:value, its index in digits alone, not 'a:1'"),
        ("1 3 4:1\n", "line 1, column 3: expected a feature as index:value, not '3'"),
        ("1 3:\n", "line 1, column 5: expected a number, and the line ends"),
        ("1 3:x\n", "line 1, column 5: expected a number, not 'x'"),
        ("1 3:1:2\n", "line 1, column 6: expected a blank, not ':'"),
        ("1 3:1e400\n", "line 1, column 5: expected a finite number, not '1e400'"),
        ("1 3:" + "9" * 400 + "\n", "line 1, column 5: expected a finite number, not '" + "9" * 40 + "…'"),
        ("1 3:nan\n", "line 1, column 5: expected a number, not 'nan'"),
        ("inf 3:1\n", "line 1, column 1: expected a number, not 'inf'"),
        ("1,2 3:1\n", "line 1, column 1: expected a number, not '1,2'"),
        ("3:1\n", "line 1: expected a label at the beginning of the line"),
        ("1 3:1e200\n", "line 1: expected values whose squares add up to a finite number (rescale them)"),
        ("1 3:1e308 3:1e308\n", "line 1: expected values whose squares add up to a finite number (rescale them)"),
        ("1\0 3:1\n", r"line 1, column 2: expected a blank, not '\x00'"),
        (b"# \xc3\xa9\n1 \xc3\xa9 \xff:4\n", "line 2, column 5: expected UTF-8, not '\ufffd'"),
    ],
    "vw": [
        ("1 2 3\n", "line 1, column 6: expected a | before the features, and the line ends"),
        ("x | a\n", "line 1, column 1: expected a number, not 'x'"),
        ("1| a\n",
         "line 1, column 1: expected a label and a blank before the | (without the blank it is a tag), not '1'"),
        ("| a\n", "line 1: expected a label at the beginning of the line"),
        ("1 2 3 | a\n", "line 1, column 5: expected no prediction to begin from other than 0 "
                        "(predictions begin at 0 here), not '3'"),
        ("1 2 0 4 | a\n", "line 1, column 7: expected a label, a weight and a tag at most before the |, not '4'"),
        ("1 2 0 4 5| a\n", "line 1, column 9: expected a label, a weight and a tag at most before the |, not '5'"),
        ("1 -2 | a\n", "line 1, column 3: expected a weight of at least 0, not '-2'"),
        ("1 | :3\n", "line 1, column 5: expected a name before the colon, not ':3'"),
        ("1 |é a:b\n", "line 1, column 8: expected a number, not 'b'"),
        ("1 |a:1:2 x\n", "line 1, column 7: expected a blank, not ':'"),
        ("1 |a\0 x\n", r"line 1, column 5: expected a blank, not '\x00'"),
        ("1\0|a x\n", r"line 1, column 2: expected a blank, not '\x00'"),
        ("1 |a:1e200 x:1e200\n", "line 1: expected values whose squares add up to a finite number (rescale them)"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "message"), [(kind, *case) for kind, cases in BAD.items() for case in cases])
def test_bad_lines(log, kind, text, message):
    path = log(kind, text)
    with pytest.raises(BadLine) as caught:
        rows_of(path)
    assert str(caught.value) == f"{path}, {message}"


def test_bad_lines_are_counted(log):
    source = read(log("libsvm", "1 3:1\nx\n2 3:2\n2 3:\n-1 4:1\n"), skip_bad=True)
    assert np.concatenate([batch.y for batch in source]).tolist() == [1, 2, -1]
    assert source.bad.count == 2
    assert [message.split(", ")[1] for message in source.bad.messages] == ["line 2", "line 4"]
    assert source.rows == 3


def test_labels_that_may_be_missing(log):
    for kind, text in (("libsvm", "3:1\n4:1\n"), ("vw", "| a\n'tag |b c\nt|\n")):
        rows, labels, _ = rows_of(log(kind, text), labels="if there")
        assert set(labels) == {None}
        assert len(rows) == text.count("\n")
    for text, word in (("1 3:1\n3:1\n", "a label, as there is one"), ("3:1\n1 3:1\n", "no label, as there is none")):
        with pytest.raises(BadLine, match=f"line 2: expected {word} before"):
            rows_of(log("libsvm", text), labels="if there")


def test_namespaces_are_chosen_and_crossed(log):
    path = log("vw", "1 |a x:2 y |b z:3 |c q\n")
    assert rows_of(path, ignore=["c"])[0] == [{"a^x": 2, "a^y": 1, "b^z": 3}]
    assert rows_of(path, only=["[bc]"])[0] == [{"b^z": 3, "c^q": 1}]
    crossed = {"a^x": 2, "a^y": 1, "b^z": 3, "c^q": 1, "a^x*b^z": 6, "a^y*b^z": 3}
    assert rows_of(path, cross=["a,b"])[0] == [crossed]
    many = "1 " + " ".join(f"|s{k} x" for k in range(200)) + "\n"
    assert len(rows_of(log("vw", many + many), ignore=["s1*"])[0][1]) == 200 - 111


def test_too_many_crossed_features(log):
    path = log("vw", "1 |a" + " x" * 4097 + " |b" + " y" * 4097)
    with pytest.raises(BadLine, match="line 1: expected at most 16 million crossed features in a line"):
        rows_of(path, cross=["a,b"])


@pytest.mark.parametrize(
    ("kind", "settings", "message"),
    [
        ("libsvm", {"label": "y"}, "label='y' makes no sense for libsvm: its lines begin with the label"),
        ("libsvm", {"weight": "w"}, "weight='w' makes no sense for libsvm: it has no columns"),
        ("vw", {"weight": "w"}, "weight='w' makes no sense for Vowpal Wabbit text: the weight stands after the label"),
        ("vw", {"time": "t"}, "time='t' makes no sense for Vowpal Wabbit text: its lines are taken in their order"),
        ("vw", {"text": ("a",)}, "text=… is for tables; Vowpal Wabbit text has no columns"),
        ("libsvm", {"header": True}, "header=… is for tables; libsvm has no columns"),
        ("libsvm", {"ignore": ("3",)}, "ignore=… makes no sense for libsvm, whose features are numbered"),
        ("vw", {"cross": ("a,a",)}, "cross='a,a': name two different namespaces, as a,b"),
        ("vw", {"cross": ("a",)}, "cross='a': name two different namespaces, as a,b"),
    ],
)
def test_what_makes_no_sense_is_refused(kind, settings, message):
    with pytest.raises(ValueError, match=r"\w") as caught:
        Text(kind, Settings(**settings))
    assert message in str(caught.value)


def test_too_many_crosses(log):
    with pytest.raises(ValueError, match="at most 64 crosses, not 65"):
        rows_of(log("vw", "1 | a\n"), cross=[f"a,b{k}" for k in range(65)])


@pytest.mark.parametrize("kind", ["libsvm", "vw"])
def test_odd_files(log, kind):
    line = b"1 | 3:1" if kind == "vw" else b"1 3:1"
    one = ([{"3": 1.0}], [1.0], [1.0])
    assert rows_of(log(kind, line)) == one  # no newline at the end
    assert rows_of(log(kind, b"\xef\xbb\xbf" + line + b"\n")) == one
    assert rows_of(log(kind, line + b"\r\n\r\n")) == one
    assert rows_of(log(kind, b"\n \n\t\r\n" + line + b"\n\n")) == one
    for nothing in (b"", b"\n", b"\xef\xbb\xbf", b"\r\n"):
        assert rows_of(log(kind, nothing)) == ([], [], [])
    for binary in (np.random.default_rng(1).bytes(100_000), b"\0" * 1000, gzip.compress(line * 100)):
        path = log(kind, binary)
        with pytest.raises(BadLine, match=r"line \d+"):
            rows_of(path)
        source = read(path, skip_bad=True)
        assert sum(len(batch.X) for batch in source) == 0 or kind == "vw"
        assert source.bad.count > 0
    three = rows_of([log(kind, line), log(kind, line, "two")])
    assert three == (one[0] * 2, one[1] * 2, one[2] * 2)


def test_a_truncated_gz_names_its_file(tmp_path):
    path = tmp_path / "log.svm.gz"
    whole = gzip.compress(b"".join(b"1 %d:1\n" % k for k in range(50_000)))
    path.write_bytes(whole)
    assert sum(len(batch.X) for batch in read(path)) == 50_000
    for cut in (whole[: len(whole) // 2], whole[:-4], whole[:20] + b"\xff\xff\xff" + whole[23:]):
        path.write_bytes(cut)
        with pytest.raises(BadLine, match=r"log\.svm\.gz: .*cut short or damaged"):
            list(read(path, skip_bad=True))


@pytest.mark.skipif(sys.maxsize < 2**32, reason="needs memory")
@pytest.mark.parametrize("kind", ["libsvm", "vw"])
def test_a_line_of_100_MB(log, kind):
    """It is read, and the rows beside it."""
    short = b"1 | 3:1\n" if kind == "vw" else b"1 3:1\n"
    feature = b" 7:0.25 12345:1.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    times = 100_000_000 // len(feature)
    path = log(kind, short + short.strip() + feature * times + b"\n" + short)
    rows = rows_of(path)[0]
    assert rows == [{"3": 1}, {"3": 1, "7": times / 4, "12345": times}, {"3": 1}]


def _until(over):
    while not over():
        pass


def test_lines_without_end_are_refused(monkeypatch, tmp_path):
    """A stream of zeros ends with an error before memory does."""
    from regretful.readers.pieces import pieces

    class Zeros:
        def readinto(self, room):
            return len(room)

    with pytest.raises(BadLine, match="zeros, line 1: this line has more than 1,073,741,824 bytes: is it a text file"):
        next(pieces("zeros", Zeros(), [], 1 << 28))


def test_long_rows_share_a_row_with_what_came_before():
    """More features in a row than the table has places at first, and each of them twice."""
    names = [f"f{k}" for k in range(5000)]
    line = "1 | " + " ".join(names) + " " + " ".join(f"{name}:2" for name in names) + "\n"
    for hashing in (WIDE, rg.Hashing(7)):
        expected = naive("vw", (line * 2 + "1 | f1\n").encode(), hashing)
        assert scan("vw", (line * 2 + "1 | f1\n").encode(), hashing) == expected


def test_batches_are_of_about_65536_values(tmp_path):
    path = tmp_path / "log.svm"
    path.write_text("1 " + " ".join(f"{k}:1" for k in range(1, 101)) + "\n")
    path.write_bytes(path.read_bytes() * 5000 + b"1\n" * 100_000)
    text, bad = Text("libsvm", Settings()), Bad()
    sizes = [(len(b.X), len(b.X.index)) for b in text.batches(Files(path), Builder(WIDE), bad)]
    assert sum(rows for rows, _ in sizes) == 105_000
    assert max(values for _, values in sizes) < 65_536 + 100
    assert max(rows for rows, _ in sizes) <= 32_768
    assert len(sizes) < 2 * (500_000 // 65_536 + 100_000 // 32_768)


def words(*common):
    return st.sampled_from(common) | st.sampled_from([piece.decode("utf-8", "replace") for piece in SAVOURY])


LIBSVM = st.lists(words("1", "-1", "3:1", "4:0.25", "12:-3e5", "qid:1", "#", "0:1", "3:2"), max_size=8).map(" ".join)
VOWPAL = st.lists(
    words("1", "2", "|", "|a", "|b:2", "x", "y:2", "z:-.5e1", "'t", "|a", "x:1", "0"), max_size=10
).map(" ".join)  # fmt: skip


@pytest.mark.parametrize(("kind", "lines"), [("libsvm", LIBSVM), ("vw", VOWPAL)])
@given(data=st.data())
def test_the_scanner_is_the_reference(kind, lines, data):
    """Random lines, their text given in random pieces."""
    text = data.draw(st.lists(lines, max_size=5).map("\n".join)).encode("utf-8", "surrogatepass")
    how = {"optional": data.draw(st.booleans())}
    if kind == "vw" and data.draw(st.booleans()):
        how |= {"used": lambda name: name != "b", "crosses": (("a", ""), ("", "a"))}
    hashing = data.draw(st.sampled_from([WIDE, rg.Hashing(2)]))
    chunk, piece = data.draw(st.sampled_from([1, 3, 64, 1 << 18])), data.draw(st.sampled_from([1, 10, 1 << 30]))
    found = scan(kind, text, hashing, chunk=chunk, piece=piece, narrow=data.draw(st.booleans()), **how)
    assert found == naive(kind, text, hashing, **how)


@known
def test_a1a_from_the_file():
    """SOL's answer: gradient descent on the hinge, eta_t = 1/sqrt t, file order, sign(0) = +1: 1304 of 1605 right."""
    source = read(DATA / "a1a", format="libsvm", bits=18)
    learner, right = rg.GradientDescent(rg.Hinge(), rg.InverseSqrt(1.0), features=source.features), 0
    for X, y, weight in source:
        right += (np.where(np.asarray(learner.learn_many(X, y, weight)) >= 0, 1, -1) == y).sum()
    assert (source.rows, right) == (1605, 1304)


@known
def test_vw_0001_from_the_file():
    """Vowpal Wabbit's --ftrl, alpha 0.01, beta 0, l1 2, with its constant feature: mean loss 0.379717."""
    from tests.data.test_known_answers import ClippedSquared

    source = read(DATA / "vw-0001.dat", format="vw", bits=24)
    learner = rg.FTRLProximal(0.01, 0.0, 2.0, 0.0, ClippedSquared(), intercept=True, features=source.features)
    for X, y, weight in source:
        learner.learn_many(X, y, weight)
    assert source.rows == 200
    assert learner.ledger.mean_loss == pytest.approx(0.379717, abs=5e-7)
