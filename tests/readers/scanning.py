"""The compiled scanners as functions of bytes, and what they found in the shape of the reference's answer."""

import io
import re
from collections.abc import Callable

import numpy as np

import regretful as rg
from regretful.readers.builder import Builder
from regretful.readers.libsvm import LibSVM
from regretful.readers.vw import VW
from tests.references import readers as R


class Pieces(io.RawIOBase):
    """A stream that gives so many bytes at a time."""

    def __init__(self, data: bytes, most: int) -> None:
        self.data, self.most, self.at = data, most, 0

    def readinto(self, room):
        size = min(len(room), self.most, len(self.data) - self.at)
        room[:size] = self.data[self.at : self.at + size]
        self.at += size
        return size


def scan(
    kind: str, data: bytes, hashing: rg.Hashing, *, optional: bool = False, chunk: int = 1 << 18, piece: int = 1 << 30,
    used: Callable[[str], bool] | None = None, crosses: tuple = (), narrow: bool = False,
) -> R.Read:  # fmt: skip
    """What the compiled scanner reads; narrow: as on a processor without wide registers."""
    builder = Builder(hashing)
    scanner = (
        LibSVM(builder, optional, chunk) if kind == "libsvm" else VW(builder, optional, used, crosses, chunk=chunk)
    )
    if narrow:
        scanner.narrow()
    scanner.open("it")
    found, stream, more = R.Read(), Pieces(data, piece), True

    def take():
        batch = scanner.take()
        X, rows = batch.X, len(batch.X)
        assert len(X.index) == len(X.value) == X.start[-1]
        assert np.isfinite(X.value).all()
        for first, last in zip(X.start[:-1], X.start[1:], strict=True):
            assert len(set(X.index[first:last].tolist())) == last - first  # each position once
            found.rows.append(dict(zip(X.index[first:last].tolist(), X.value[first:last].tolist(), strict=True)))
        found.labels += [None] * rows if batch.y is None else batch.y.tolist()
        found.weights += [1.0] * rows if batch.weight is None else batch.weight.tolist()

    while more:
        more = scanner.fill(stream)
        while scanner.scan():
            problem = scanner.problem()
            if problem is None:
                take()
            else:
                assert re.fullmatch(r"it, line \d+(, column \d+)?: expected .+", str(problem), re.DOTALL), problem
                found.bad.append(problem.line)
    take()
    return found


def naive(kind: str, data: bytes, hashing: rg.Hashing, *, optional=False, used=None, crosses=()) -> R.Read:
    """What the reference reads."""
    if kind == "libsvm":
        return R.read(data, R.libsvm_line, hashing, optional)
    return R.read(data, lambda line: R.vw_line(line, used or (lambda _: True), crosses), hashing, optional)
