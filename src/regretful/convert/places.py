"""Where a converted file goes: its format by its name, compressed as its name says, whole before it has that name."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from regretful.core.files import replacing
from regretful.readers.files import COMPRESSED, FORMATS, STDIN, SUFFIXES


class Place:
    """`-` is standard output."""

    def __init__(self, path: str, to: str | None) -> None:
        self.path = path
        suffixes = [one.lower() for one in Path(path).suffixes[-2:]]
        self.compression = COMPRESSED.get(suffixes[-1]) if suffixes else None
        told = SUFFIXES.get((suffixes[:-1] if self.compression else suffixes)[-1]) if suffixes else None
        if to is not None and to not in FORMATS:
            raise ValueError(f"there is no format {to!r}; there are {', '.join(FORMATS)}")
        if to is None and told is None:
            where = "standard output has no name" if path == STDIN else f"{path}: its name does not tell the format"
            raise ValueError(f"{where}: say which with --to: {', '.join(FORMATS)}")
        self.format: str = to or told or ""
        if self.compression and self.format in ("parquet", "arrow"):
            raise ValueError(f"{path}: {self.format} files are not compressed as a whole: leave out {suffixes[-1]}")

    def refuse(self, paths: list[str]) -> None:
        """Refuse to write over what is read."""
        for path in paths:
            if path != STDIN and Path(self.path).exists() and Path(path).samefile(self.path):
                raise ValueError(f"{self.path} would be written over while it is read: give another name")

    @contextlib.contextmanager
    def opened(self) -> Iterator[Any]:
        """A stream of bytes."""
        import pyarrow as pa

        with contextlib.ExitStack() as stack:
            if self.path == STDIN:
                raw: Any = sys.stdout.buffer
            else:
                raw = stack.enter_context(replacing(self.path))
            if self.compression:
                raw = stack.enter_context(pa.CompressedOutputStream(pa.PythonFile(_Open(raw), "w"), self.compression))
            yield raw
        if self.path == STDIN:
            sys.stdout.buffer.flush()


class _Open:
    """A file that PyArrow may close without closing it for others."""

    closed = False

    def __init__(self, file: Any) -> None:
        self.write, self.flush = file.write, file.flush

    def close(self) -> None:
        """Not yet."""
