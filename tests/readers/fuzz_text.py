"""Mutated libsvm and Vowpal Wabbit text: each line a row or an error that says where, as the naive reader has it."""

from collections.abc import Callable
from random import Random

from regretful.readers import BadLine
from tests.readers.fuzzing import HASHINGS, Format, Seen, mutations
from tests.readers.scanning import naive, pieces, scan

SAVOURY = (
    b"\n", b"\r\n", b"\r", b"\t", b" ", b"\0", b":", b"::", b"|", b"#", b"'", b"^", b"*", b",", b"\"", b"{", b"}", b"[",
    b"\xef\xbb\xbf", b"\xff", b"\xc3", b"\xc3\xa9", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf", b"\xe2\x80\x83",
    b"1e400", b"-1e400", b"1e-400", b"inf", b"nan", b"0x10", b"1_0", b"1.", b".5", b".", b"-", b"+", b"+1", b"e5",
    b"4.9e-324", b"2.4703282292062328e-324", b"1.7976931348623159e308", b"9007199254740993", b"1e22", b"1e23",
    b"0.1234567890123456789012345", b"179769313486231580793728971405303415079934132710037826936173778980444968292764"
    b"750946649017977587207096330286416692887910946555547851840402630657488671505820681908902000708383676273854845817711"
    b"531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880904173814453"
    b"63", b"qid:", b"qid:3", b"03:1", b"7:1 7:2", b"|a:2", b"| ", b"1 |", b"'t|", b"1|", b"99999999999:1", b"1e160",
    b"0" * 40, b"7" * 70, b"x" * 300, b"|b y", b" 1:1" * 40,
)  # fmt: skip
LONG = (
    b" ".join(b"%d:%d" % (k, k) for k in range(1, 700)),
    b" ".join(b"|s%d x:2" % k for k in range(100)),
    b"1 7:1 |a 7:1\n" * 100,
    b" 1:1" * 2100,
    b" " * 4500,
    b"\n1 1:1 2:1 3:1 4:1 5:1 6:1 7:1 " * 700,
    b"\n1 |a 1:1 2:1 3:1 4:1 5:1 6:1 7:1 " * 700,
    b"\n1" * 1100,
    b"\n1 |" * 1100,
    b" ".join(b"%d%s:1" % (k, b"x" * 300) for k in range(250)),
)
LIBSVM = (
    b"+1 3:1 11:0.5 # a comment\n-1 qid:4 2:-1e-3 7:12\n\n1 1:1\n",
    b"0.5 1:0.125 2:3.9656971e-02\r\n-2.25 100:1\r\n",
    b"1 440:0.0391576 1771:0.0881181 44781:0.100724 7:1 7:2\n-1\n",
    b"3:1 4:2\n5:1\n",
)
VW = (
    b"1 2.5 'tag |a x:2 y |b:0.5 z:3 x | plain\n0 | a b:1e-3\n",
    b"-1 |features 13:3.9656971e-02 24:3.4781646e-02 const:.01\r\n1 1 0 t|a x\n",
    b"| a b c\n'first |a x |b y\n|a \xc3\xa9:2 \xe2\x82\xac\n",
    b"1 |b x y\n-1 0 |a x:1 x:2 |a y\n",
)


def text(kind: str) -> Callable[[bytes, Random, bool], Seen]:
    """The scanner, its text given piece by piece, finds what the reference finds."""

    def check(data: bytes, rng: Random, held: bool) -> Seen:
        how = {"optional": rng.random() < 0.3}
        if kind == "vw" and rng.random() < 0.3:
            how |= {"used": lambda name: name != "b", "crosses": (("a", "b"), ("a", ""), ("b", "a"))}
        hashing = rng.choice(HASHINGS)
        # Mostly a buffer no larger than need be: a read beyond it is seen.
        chunk, piece = rng.choice((1, 7, 64, len(data), len(data) + 1)), rng.choice((1, 5, 1 << 30, 1 << 30))
        narrow = rng.random() < 0.5
        if held:
            found = scan(kind, data, hashing, chunk=chunk, piece=piece, narrow=narrow, **how)
            assert found == naive(kind, data, hashing, **how)
            return Seen(len(found.rows), len(found.bad))
        rows = bad = 0
        for one in pieces(kind, data, hashing, chunk=chunk, piece=piece, narrow=narrow, **how):
            if isinstance(one, BadLine):
                bad += 1
            else:
                rows += len(one.X)
        return Seen(rows, bad)

    return check


FORMATS = {
    "libsvm": Format(mutations(LIBSVM, SAVOURY, LONG), text("libsvm"), held=1),
    "vw": Format(mutations(VW, SAVOURY, LONG), text("vw"), held=1),
}
