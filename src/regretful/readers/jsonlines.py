"""JSON lines: files cut into blocks of whole lines, for the compiled parser; what the keys are; what is wrong where.

Keys may come and go, and hold a number here and a text there.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from regretful.core.types import Batch
from regretful.readers.builder import Builder
from regretful.readers.columns import crosses_of
from regretful.readers.errors import Bad, BadLine
from regretful.readers.files import Files
from regretful.readers.objects import (
    AS_TEXT,
    DROPPED,
    FEATURE,
    LABEL,
    NO_LABEL,
    REASONS,
    TIME,
    WEIGHT,
    Objects,
)
from regretful.readers.order import Timed
from regretful.readers.settings import Settings, matches

BLOCK = 1 << 20  # bytes
BOM = b"\xef\xbb\xbf"
KINDS = {1: "number", 2: "text", 4: "boolean"}


class JSONLines:
    """How JSON lines are read; `columns` is filled in with the keys and what they held."""

    def __init__(self, settings: Settings, columns: dict[str, str]) -> None:
        self.settings, self.columns = settings, columns

    def batches(self, files: Files, builder: Builder, bad: Bad) -> Iterator[Timed]:
        """All lines of all files, in order."""
        asked = self.settings
        required = WEIGHT * (asked.weight is not None) + TIME * (asked.time is not None)
        optional = asked.label is not None and asked.labels == "if there"
        required += LABEL * (asked.label is not None and not optional)
        objects = Objects(builder, self.role, crosses_of(asked), required, optional, moment)
        for path, stream in files.opened():
            line = 0
            try:
                for block in blocks(stream):
                    yield from self._rows(objects, block, path, line, bad)
                    line += objects.lines
            except OSError as error:
                raise BadLine(f"after line {line}: {error}", path) from None

    def _rows(self, objects: Objects, block: bytes, path: str, line: int, bad: Bad) -> Iterator[Timed]:
        objects.begin()
        at = 0
        while at < len(block):
            at, why, column = objects.parse(block, at)
            if why:
                bad.add(BadLine(self._explained(objects, why), path, line + objects.lines, column))
        if objects.news:
            for name, seen in objects.kinds().items():
                self.columns[name] = " or ".join(kind for bit, kind in KINDS.items() if seen & bit)
        y, weight, times = objects.take()
        if len(y):
            X: Any = objects.builder.take()
            has_weight = self.settings.weight is not None
            yield Batch(X, y if objects.labelled == 1 else None, weight if has_weight else None), times

    def role(self, name: str) -> int:
        """What a key is."""
        asked = self.settings
        found = DROPPED * matches(name, asked.ignore) + AS_TEXT * matches(name, asked.text)
        for what, whose in ((LABEL, asked.label), (WEIGHT, asked.weight), (TIME, asked.time)):
            found += what * (name == whose)
        return found + FEATURE * (asked.used(name) and name != asked.time)

    def _explained(self, objects: Objects, why: int) -> str:
        message = REASONS[why].format(name=repr(objects.name), wanted=objects.builder.wanted.decode())
        if why == NO_LABEL:
            names = list(objects.kinds())
            near = difflib.get_close_matches(str(self.settings.label), names, 1)
            message += f": expected a number or a boolean at the key {self.settings.label!r}"
            message += f"; did you mean {near[0]!r}?" if near and near[0] != self.settings.label else ""
        return message


def blocks(stream: Any) -> Iterator[bytes]:
    """The stream, cut after ends of lines."""
    parts: list[bytes] = []
    start = True
    while part := stream.read(BLOCK):
        if start:
            while len(part) < len(BOM) and (more := stream.read(BLOCK)):  # a pipe may give byte after byte
                part += more
            part, start = part.removeprefix(BOM), False
        end = part.rfind(b"\n") + 1
        if end:
            yield b"".join([*parts, part[:end]])
            parts = [part[end:]]
        else:
            parts.append(part)
    if rest := b"".join(parts):
        yield rest


def moment(text: str) -> float:
    """Seconds since 1970 of a time that is written as ISO 8601 says; without a zone it is taken as UTC."""
    time = datetime.fromisoformat(text)
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
