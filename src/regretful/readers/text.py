"""libsvm and Vowpal Wabbit text as batches. Here is what the settings mean for them; how lines are read is compiled."""

from __future__ import annotations

from collections.abc import Iterator

from regretful.core.types import Batch
from regretful.readers.ahead import ahead
from regretful.readers.builder import Builder
from regretful.readers.errors import Bad
from regretful.readers.files import Files
from regretful.readers.libsvm import LibSVM
from regretful.readers.pieces import Piece, pieces
from regretful.readers.scanner import Scanner
from regretful.readers.settings import Settings
from regretful.readers.vw import VW


class Text:
    """How libsvm (`label index:value …`) or Vowpal Wabbit text is read."""

    def __init__(self, kind: str, settings: Settings) -> None:
        self.kind, self.settings = kind, settings
        self.columns: dict[str, str] = {}
        _refuse(kind, settings)

    def scanner(self, builder: Builder) -> Scanner:
        """What reads the lines, into the builder."""
        optional = self.settings.labels == "if there"
        if self.kind == "libsvm":
            return LibSVM(builder, optional)
        return VW(builder, optional, self.settings.used if self.settings.only or self.settings.ignore else None,
                  self.settings.crosses())  # fmt: skip

    def batches(self, files: Files, builder: Builder, bad: Bad) -> Iterator[Batch]:
        """All rows of all files, in order, a piece that fits the cache at a time.

        The text is read, decompressed and marked in a thread of its own.
        """
        scanner, spare = self.scanner(builder), list[Piece]()
        for piece in ahead(piece for file, stream in files.opened() for piece in pieces(file, stream, spare)):
            scanner.take_up(piece)
            while scanner.scan():
                problem = scanner.problem()
                if problem is None:
                    yield scanner.take()
                else:
                    bad.add(problem)
            spare.append(piece)
        if scanner.waiting:
            yield scanner.take()


def _refuse(kind: str, settings: Settings) -> None:
    """An error for what these formats have no place for."""
    what = {"libsvm": "libsvm", "vw": "Vowpal Wabbit text"}[kind]
    for name in ("label", "weight", "time"):
        column = getattr(settings, name)
        if column is not None:
            where = {"label": "its lines begin with the label", "time": "its lines are taken in their order"}.get(
                name, "it has no columns" if kind == "libsvm" else "the weight stands after the label"
            )
            raise ValueError(f"{name}={column!r} makes no sense for {what}: {where}")
    if settings.text or settings.header is not None:
        raise ValueError(f"{'text' if settings.text else 'header'}=… is for tables; {what} has no columns")
    if kind == "libsvm" and (settings.only or settings.ignore or settings.cross):
        name = next(name for name in ("only", "ignore", "cross") if getattr(settings, name))
        raise ValueError(f"{name}=… makes no sense for libsvm, whose features are numbered and not in columns")
    for names in settings.crosses():
        if len(set(names)) != 2 or len(names) != 2:
            raise ValueError(f"cross={','.join(names)!r}: name two different namespaces, as a,b")
