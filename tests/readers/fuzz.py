"""Mutated inputs for the readers: an error that says what is wrong, or a parse; never a crash or a hang.

    python -m tests.readers.fuzz [format …] [--count N] [--seed S]

`make fuzz` runs it on the checked build, a million inputs a format. A format is a name, examples to begin from, and
what to do with an input; what a reader can be held against, it is held against. To add one: put it into FORMATS.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import regretful as rg
from tests.readers.scanning import naive, scan

WIDE, NARROW = rg.Hashing(12), rg.Hashing(2, seed=7)  # of the narrow one, features share positions
SAVOURY = [
    b"\n", b"\r\n", b"\r", b"\t", b" ", b"\0", b":", b"::", b"|", b"#", b"'", b"^", b"*", b",", b"\"", b"{", b"}", b"[",
    b"\xef\xbb\xbf", b"\xff", b"\xc3", b"\xc3\xa9", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf", b"\xe2\x80\x83",
    b"1e400", b"-1e400", b"1e-400", b"inf", b"nan", b"0x10", b"1_0", b"1.", b".5", b".", b"-", b"+", b"+1", b"e5",
    b"4.9e-324", b"2.4703282292062328e-324", b"1.7976931348623159e308", b"9007199254740993", b"1e22", b"1e23",
    b"0.1234567890123456789012345", b"179769313486231580793728971405303415079934132710037826936173778980444968292764"
    b"750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711"
    b"531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880904173814453"
    b"63", b"qid:", b"qid:3", b"03:1", b"7:1 7:2", b"|a:2", b"| ", b"1 |", b"'t|", b"1|", b"99999999999:1", b"1e160",
    b"0" * 40, b"7" * 70, b"x" * 300, b"|b y", b" 1:1" * 40,
]  # fmt: skip


@dataclass(frozen=True)
class Format:
    """What is fuzzed: inputs to begin from, and what to do with one (raises if all is not well)."""

    seeds: tuple[bytes, ...]
    check: Callable[[bytes, random.Random], None]


def _text(kind: str) -> Callable[[bytes, random.Random], None]:
    """The scanner, its text given piece by piece, finds what the reference finds."""

    def check(data: bytes, rng: random.Random) -> None:
        how = {"optional": rng.random() < 0.3}
        if kind == "vw" and rng.random() < 0.3:
            how |= {"used": lambda name: name != "b", "crosses": (("a", "b"), ("a", ""), ("b", "a"))}
        hashing = rng.choice((WIDE, NARROW))
        chunk, piece = rng.choice((1, 7, 64, 1 << 18)), rng.choice((1, 5, 1 << 30))
        found = scan(kind, data, hashing, chunk=chunk, piece=piece, narrow=rng.random() < 0.5, **how)
        assert found == naive(kind, data, hashing, **how)

    return check


FORMATS = {
    "libsvm": Format(
        (
            b"+1 3:1 11:0.5 # a comment\n-1 qid:4 2:-1e-3 7:12\n\n1 1:1\n",
            b"0.5 1:0.125 2:3.9656971e-02\r\n-2.25 100:1\r\n",
            b"1 440:0.0391576 1771:0.0881181 44781:0.100724 7:1 7:2\n-1\n",
            b"3:1 4:2\n5:1\n",
        ),
        _text("libsvm"),
    ),
    "vw": Format(
        (
            b"1 2.5 'tag |a x:2 y |b:0.5 z:3 x | plain\n0 | a b:1e-3\n",
            b"-1 |features 13:3.9656971e-02 24:3.4781646e-02 const:.01\r\n1 1 0 t|a x\n",
            b"| a b c\n'first |a x |b y\n|a \xc3\xa9:2 \xe2\x82\xac\n",
            b"1 |b x y\n-1 0 |a x:1 x:2 |a y\n",
        ),
        _text("vw"),
    ),
}


def mutated(seeds: tuple[bytes, ...], rng: random.Random) -> bytes:
    """One of the seeds, or the halves of two, after a few small accidents."""
    data = bytearray(rng.choice(seeds))
    if rng.random() < 0.2:
        other = rng.choice(seeds)
        data = data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]
    for _ in range(rng.choice((1, 1, 2, 3, 5, 12))):
        at = rng.randrange(len(data) + 1)
        what = rng.randrange(7)
        if what <= 1:
            data[at:at] = rng.choice(SAVOURY)
        elif what == 2:
            data[at : at + 1] = bytes([rng.randrange(256)])
        elif what == 3:
            del data[at : at + rng.choice((1, 1, 2, 8, 40))]
        elif what == 4:
            data[at:at] = data[at : at + rng.choice((1, 4, 30))]
        elif what == 5 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif what == 6 and rng.random() < 0.1:
            del data[at:]
    return bytes(data)


def fuzz(name: str, count: int, seed: int) -> None:
    """So many mutated inputs; an error tells the input."""
    chosen, rng = FORMATS[name], random.Random(seed)
    for _ in range(count):
        data = mutated(chosen.seeds, rng)
        try:
            chosen.check(data, rng)
        except BaseException as error:
            error.add_note(f"input: {data!r}")
            raise


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.readers.fuzz", description="mutated inputs for the readers")
    parser.add_argument("formats", nargs="*", metavar="format", help=f"{', '.join(FORMATS)} (default: all)")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    for name in chosen.formats or FORMATS:
        begin = time.perf_counter()
        fuzz(name, chosen.count, chosen.seed)
        taken = time.perf_counter() - begin
        print(f"{name}: {chosen.count:,} mutated inputs (seed {chosen.seed}) in {taken:.0f} s: all well")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
