"""The compiled scanners as functions of bytes, and what they found in the shape of the reference's answer."""

import io
import re
from collections.abc import Callable, Iterator
from typing import Any

import regretful as rg
from regretful.core.types import Batch
from regretful.readers import BadLine
from regretful.readers.builder import Builder
from regretful.readers.libsvm import LibSVM
from regretful.readers.pieces import pieces as whole_lines
from regretful.readers.vw import VW
from tests.readers import sound
from tests.references import readers as R

MESSAGE = re.compile(r"it, line \d+(, column \d+)?: expected .+", re.DOTALL)


class Pieces(io.RawIOBase):
    """A stream that gives so many bytes at a time."""

    def __init__(self, data: bytes, most: int) -> None:
        self.data, self.most, self.at = data, most, 0

    def readinto(self, room):
        at = self.at
        found = self.data[at : at + min(len(room), self.most)]
        room[: len(found)] = found
        self.at = at + len(found)
        return len(found)


def pieces(
    kind: str, data: bytes, hashing: rg.Hashing, *, optional: bool = False, chunk: int = 1 << 18, piece: int = 1 << 30,
    used: Callable[[str], bool] | None = None, crosses: tuple = (), narrow: bool = False,
) -> Iterator[Any]:  # fmt: skip
    """The batches and the errors that the compiled scanner finds, one after the other, each looked at.

    narrow: as on a processor without wide registers.
    """
    builder = Builder(hashing)
    scanner = LibSVM(builder, optional) if kind == "libsvm" else VW(builder, optional, used, crosses)
    if narrow:
        scanner.narrow()
    spare, lines = [], data.count(b"\n") + 1
    for one in whole_lines("it", Pieces(data, piece), spare, chunk, narrow):
        scanner.take_up(one)
        while scanner.scan():
            problem = scanner.problem()
            if problem is None:
                yield _looked_at(scanner.take(), builder)
            else:
                sound.error(problem, "it", lines)
                assert MESSAGE.fullmatch(str(problem)), problem
                yield problem
        spare.append(one)
    yield _looked_at(scanner.take(), builder)


def _looked_at(batch: Batch, builder: Builder) -> Batch:
    sound.batch(batch, builder.hashing, builder.name)
    return batch


def scan(kind: str, data: bytes, hashing: rg.Hashing, **how: Any) -> R.Read:
    """What the compiled scanner reads."""
    found = R.Read()
    for one in pieces(kind, data, hashing, **how):
        if isinstance(one, BadLine):
            found.bad.append(one.line)
            continue
        X: Any = one.X
        for first, last in zip(X.start[:-1], X.start[1:], strict=True):
            found.rows.append(dict(zip(X.index[first:last].tolist(), X.value[first:last].tolist(), strict=True)))
        found.labels += [None] * len(X) if one.y is None else one.y.tolist()
        found.weights += [1.0] * len(X) if one.weight is None else one.weight.tolist()
    return found


def naive(kind: str, data: bytes, hashing: rg.Hashing, *, optional=False, used=None, crosses=()) -> R.Read:
    """What the reference reads."""
    if kind == "libsvm":
        return R.read(data, R.libsvm_line, hashing, optional)
    return R.read(data, lambda line: R.vw_line(line, used or (lambda _: True), crosses), hashing, optional)
