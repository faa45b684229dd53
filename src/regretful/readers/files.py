"""Files as streams of bytes: a path, a pattern, several of them, standard input; plain, .gz or .zst. No format is read.

PyArrow opens and decompresses: its streams are in C, and let go of the interpreter while they work.
"""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from regretful.readers.errors import BadLine

SUFFIXES = {
    ".svm": "libsvm", ".libsvm": "libsvm", ".svmlight": "libsvm", ".vw": "vw", ".csv": "csv", ".tsv": "tsv",
    ".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow",
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl",
}  # fmt: skip
COMPRESSED = {".gz": "gzip", ".zst": "zstd"}
FORMATS = tuple(dict.fromkeys(SUFFIXES.values()))
STDIN = "-"


class Files:
    """The files that a path means. size: their bytes on disk (None for standard input); done: read so far."""

    def __init__(self, path: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> None:
        given = [path] if isinstance(path, str | os.PathLike) else list(path)
        self.paths = [name for one in given for name in _found(os.fspath(one))]
        if not self.paths:
            raise ValueError("no file was named")
        self.done = 0
        self.size = None if STDIN in self.paths else sum(Path(name).stat().st_size for name in self.paths)
        self._opened = False

    @property
    def replayable(self) -> bool:
        """Whether they can be read again."""
        return STDIN not in self.paths

    def kind(self, asked: str | None) -> str:
        """The format: as asked, or as the first file's name tells."""
        if asked is not None:
            if asked not in FORMATS:
                raise ValueError(f"there is no format {asked!r}; there are {', '.join(FORMATS)}")
            return asked
        first = Path(self.paths[0])
        suffix = first.with_suffix("").suffix if first.suffix.lower() in COMPRESSED else first.suffix
        if suffix.lower() not in SUFFIXES:
            raise ValueError(f"{first}: its name does not tell the format; say which: {', '.join(FORMATS)}")
        return SUFFIXES[suffix.lower()]

    def opened(self) -> Iterator[tuple[str, Any]]:
        """(path, stream) one after the other, from the start; a stream has read(n)."""
        if self._opened and not self.replayable:
            raise ValueError("standard input comes once, and it was read already: give a file to read it again")
        self._opened = True
        self.done = 0
        for name in self.paths:
            before = self.done
            with _Counted(name, self) as stream:
                yield name, stream
            if name != STDIN:
                self.done = before + Path(name).stat().st_size


def _found(name: str) -> list[str]:
    if name == STDIN or Path(name).exists():
        if Path(name).is_dir():
            raise IsADirectoryError(f"{name} is a folder; name its files, with a pattern such as {name}/*")
        return [name]
    if glob.has_magic(name):
        found = sorted(path for path in glob.glob(name, recursive=True) if Path(path).is_file())  # noqa: PTH207  # any pattern
        if found:
            return found
        raise FileNotFoundError(f"{name}: no file fits this pattern")
    raise FileNotFoundError(f"{name}: there is no such file")


def _stdin() -> BinaryIO:
    """Standard input without Python's buffer, of which PyArrow's threads would hold a lock at the end."""
    try:
        return open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)
    except (OSError, ValueError):  # what stands in for it has no number
        return sys.stdin.buffer


class _Counted:
    """One file, decompressed; it tells how many of its bytes on disk were read."""

    def __init__(self, name: str, files: Files) -> None:
        import pyarrow as pa

        self._name, self._files, self._before = name, files, files.done
        self._raw = pa.PythonFile(_stdin(), "r") if name == STDIN else pa.OSFile(name, "rb")
        kind = COMPRESSED.get(Path(name).suffix.lower())
        self._stream = pa.CompressedInputStream(self._raw, kind) if kind else self._raw

    def read(self, size: int = -1) -> bytes:
        """The next bytes; none at the end."""
        found: bytes = self._told(self._stream.read, size)
        self._count()
        return found

    def readinto(self, room: memoryview) -> int:
        """The next bytes, into memory that is there; 0 at the end."""
        found: int = self._told(self._stream.readinto, room)
        self._count()
        return found

    def _count(self) -> None:
        if self._files.size is not None:  # a pipe cannot tell
            self._files.done = self._before + self._raw.tell()

    def _told(self, read: Callable[[Any], Any], what: Any) -> Any:
        """An error names the file."""
        try:
            return read(what)
        except OSError as error:
            if self._stream is self._raw:
                raise OSError(f"{self._name}: {error}") from error
            raise BadLine(f"its compressed data is cut short or damaged ({error})", self._name) from error

    @property
    def raw(self) -> Any:
        """As PyArrow's readers take it."""
        return self._stream

    def __enter__(self) -> _Counted:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()
