"""What the fuzzers of all formats share: mutations, and playing many of them. No format is known here.

A format is what makes an input and what looks at it; `fuzz.py` has the list, and plays them in many processes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Protocol

import regretful as rg

HASHINGS = rg.Hashing(13), rg.Hashing(8), rg.Hashing(2, seed=7)  # of the narrow one, features share positions


@dataclass(frozen=True)
class Seen:
    """What came of an input: the rows that were read, and the lines that were bad (or the error that there was)."""

    rows: int
    bad: int


@dataclass(frozen=True)
class Format:
    """make: an input; check: reads it, and raises if all is not well, if told so beside a naive reader.

    held: one input of so many is, as naive readers are slow; 0: there is none. objects: what is parsed lies in Python's
    own objects, whose memory the address sanitizer must watch then.
    """

    make: Callable[[Random], bytes]
    check: Callable[[bytes, Random, bool], Seen]
    held: int
    objects: bool = False


@dataclass
class Tally:
    """Of how many inputs what came."""

    inputs: int = 0
    held: int = 0  # against a naive reader
    with_rows: int = 0
    with_errors: int = 0

    def __iadd__(self, other: "Tally") -> "Tally":
        self.inputs += other.inputs
        self.held += other.held
        self.with_rows += other.with_rows
        self.with_errors += other.with_errors
        return self


class Witness(Protocol):
    """Who is told of each input before it is read."""

    def note(self, data: bytes) -> None: ...


def play(chosen: Format, count: int, rng: Random, witness: Witness | None = None) -> Tally:
    """So many inputs; an error tells the input."""
    tally = Tally()
    for k in range(count):
        data = chosen.make(rng)
        if witness is not None:
            witness.note(data)
        held = chosen.held > 0 and k % chosen.held == 0
        try:
            seen = chosen.check(data, rng, held)
        except BaseException as error:
            error.add_note(f"input: {data!r}")
            raise
        tally += Tally(1, held, seen.rows > 0, seen.bad > 0)
    return tally


def mutations(seeds: tuple[bytes, ...], salt: tuple[bytes, ...], long: tuple[bytes, ...]) -> Callable[[Random], bytes]:
    """One of the seeds, or the halves of two, after a few small accidents.

    salt: what is fun to put in; long: what outgrows tables and buffers, and is put in now and then.
    """

    def mutated(rng: Random) -> bytes:
        data = bytearray(rng.choice(seeds))
        if rng.random() < 0.2:
            other = rng.choice(seeds)
            data = data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]
        for _ in range(rng.choice((1, 1, 2, 3, 5, 12))):
            at, what = rng.randrange(len(data) + 1), rng.random()
            if what < 0.3:
                data[at:at] = rng.choice(salt)
            elif what < 0.4:
                data[at : at + rng.choice((1, 5))] = rng.choice(salt)
            elif what < 0.53:
                data[at : at + 1] = bytes([rng.randrange(256)])
            elif what < 0.67:
                del data[at : at + rng.choice((1, 1, 2, 8, 40))]
            elif what < 0.81:
                data[at:at] = data[at : at + rng.choice((1, 4, 30))]
            elif what < 0.95 and at < len(data):
                data[at] ^= 1 << rng.randrange(8)
            elif what < 0.951:
                data[at:at] = rng.choice(long)
            elif what < 0.952:
                data[at:at] = data[at : at + rng.choice((4, 30))] * rng.choice((40, 200))
            elif what >= 0.97:
                del data[at:]
        return bytes(data)

    return mutated


def damages(seeds: tuple[bytes, ...], salt: tuple[bytes, ...]) -> Callable[[Random], bytes]:
    """One of the seeds, a few bytes of which are others, or were cut off: what follows stands where it stood."""

    def damaged(rng: Random) -> bytes:
        data = bytearray(rng.choice(seeds))
        for _ in range(rng.choice((1, 1, 2, 4))):
            at, what = rng.randrange(len(data) + 1), rng.random()
            if what < 0.5 and at < len(data):
                data[at] ^= 1 << rng.randrange(8)
            elif what < 0.7 and at < len(data):
                data[at] = rng.randrange(256)
            elif what < 0.95:
                new = rng.choice(salt)
                data[at : at + len(new)] = new
            else:
                del data[at:]
        return bytes(data)

    return damaged
