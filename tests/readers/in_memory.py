"""The readers of tables as functions of bytes; what they hand out is looked at."""

import io
from collections.abc import Iterator
from typing import Any

import regretful as rg
from regretful.readers import BadLine
from regretful.readers.builder import Builder
from regretful.readers.errors import Bad
from regretful.readers.settings import Settings
from regretful.readers.tables import Tables
from tests.readers import sound
from tests.readers.fuzzing import Seen

NAME = "-"  # of the file
MOST = 100_000  # rows: a damaged file may say that there are 2⁴⁰, of a column that has nothing


class Held:
    """Files that are one file, in memory, which gives at most so many bytes at a time."""

    def __init__(self, data: bytes, most: int = 1 << 30) -> None:
        self.data, self.most, self.done = data, most, 0

    def opened(self) -> Iterator[tuple[str, Any]]:
        yield NAME, Stream(self.data, self.most)


class Stream(io.BytesIO):
    """raw: as PyArrow's readers ask for it; they take what lies in memory from `read`."""

    raw = None

    def __init__(self, data: bytes, most: int) -> None:
        super().__init__(data)
        self.most = most

    def read(self, size: int | None = -1) -> bytes:
        return super().read(self.most if size is None or size < 0 else min(size, self.most))


def rows(
    kind: str, data: bytes, settings: Settings, hashing: rg.Hashing, most: int = 1 << 30, reader: type[Tables] = Tables
) -> tuple[list[Any], Bad, BadLine | None]:
    """The batches, the bad lines, and the error that ended it; each is looked at."""
    bad, found = Bad(settings.skip_bad), []
    lines = data.count(b"\n") + 1 if kind == "jsonl" else None
    try:
        builder = Builder(hashing)
        for batch in reader(kind, settings).batches(Held(data, most), builder, bad):  # type: ignore[arg-type]
            sound.batch(batch, hashing, builder.name)
            found.append(batch)
            if sum(len(one.X) for one in found) > MOST:
                break
    except ValueError as error:
        sound.error(error, NAME, lines)
        return found, bad, error.with_traceback(None)  # type: ignore[return-value]  # so says sound.error
    return found, bad, None


def seen(found: list[Any], bad: Bad, error: BadLine | None) -> Seen:
    return Seen(sum(len(batch.X) for batch in found), bad.count + (error is not None))
