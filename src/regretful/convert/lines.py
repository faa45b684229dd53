"""Rows written as lines of text: libsvm, Vowpal Wabbit text, JSON lines. Nothing is read here."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from regretful.convert.numbers import spelt
from regretful.convert.places import Place
from regretful.convert.rows import Piece, Rows

if TYPE_CHECKING:
    from regretful.core.types import Vector

INDEX = re.compile(r"0|[1-9][0-9]*")
UNWRITABLE = re.compile(r"[ \t\r\n|:]")


def write_lines(rows: Rows, place: Place, watch: Callable[..., None]) -> dict[str, Any]:
    """One line a row."""
    writer = LINES[place.format](rows)
    with place.opened() as file:
        for piece in rows:
            file.write("".join(writer.lines(piece)).encode())
            watch(rows.count + len(piece), rows.files.done, rows.files.size)
    return {"rows": rows.count, "bad_lines": rows.bad.count, "notes": writer.notes}


class Lines:
    """What writers of lines share: names are looked at once each, when they first come."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.notes: list[str] = []
        self._spelt: list[str] = [""]

    def lines(self, piece: Piece) -> Iterator[str]:
        """Their lines."""
        labels = self._labels(piece)
        texts = self._values(self._known(piece), piece.index.tolist(), piece.value.tolist())
        starts = piece.start.tolist()
        for row, label in enumerate(labels):
            yield self._line(label, texts[starts[row] : starts[row + 1]])

    def _known(self, piece: Piece) -> list[str]:
        names = self.rows.names
        for place in range(len(self._spelt), len(names)):
            why = self._unwritable(names[place])
            if why:
                at = np.flatnonzero(piece.index == place)
                row = self.rows.count + int(np.searchsorted(piece.start, at[0], "right")) - 1
                raise self.rows.wrong(row, why)
            self._spelt.append(self._name(names[place]))
        return self._spelt

    def _unwritable(self, name: str) -> str:
        """Why this name cannot be written, if it cannot."""
        raise NotImplementedError

    def _name(self, name: str) -> str:
        """The name as it is written."""
        return name

    def _labels(self, piece: Piece) -> list[str]:
        """The beginnings of lines."""
        raise NotImplementedError

    def _values(self, names: list[str], index: list[int], value: list[float]) -> list[str]:
        """What stands for each value."""
        raise NotImplementedError

    def _line(self, label: str, texts: list[str]) -> str:
        """The line."""
        raise NotImplementedError


class LibSVM(Lines):
    """`label index:value …`."""

    def _unwritable(self, name: str) -> str:
        if INDEX.fullmatch(name):
            return ""
        return f"libsvm numbers its features, and this one is called {name!r}; vw and jsonl take names"

    def _labels(self, piece: Piece) -> list[str]:
        if piece.y is None:
            raise self.rows.wrong(self.rows.count, "libsvm lines begin with a label, and there is none; name its "
                                  "column with --label, or write vw or jsonl")  # fmt: skip
        if piece.weight is not None and (piece.weight != 1.0).any():
            row = self.rows.count + int(np.argmax(piece.weight != 1.0))
            raise self.rows.wrong(row, "libsvm has no weights, and this one's is not 1; vw and jsonl take them")
        return [spelt(y) for y in piece.y.tolist()]

    def _values(self, names: list[str], index: list[int], value: list[float]) -> list[str]:
        return [f"{names[i]}:{spelt(v)}" for i, v in zip(index, value, strict=True)]

    def _line(self, label: str, texts: list[str]) -> str:
        return " ".join([label, *texts]) + "\n"


class VW(Lines):
    """`label weight |namespace name:value …`; `ns^name` is the feature `name` of the namespace `ns`."""

    def _unwritable(self, name: str) -> str:
        if name and not UNWRITABLE.search(name):
            return ""
        what = "is empty" if not name else "has a blank, a colon, a bar or a line's end in it"
        return f"the name {name!r} {what}, and Vowpal Wabbit text has no way to write that; jsonl takes any name"

    def _name(self, name: str) -> str:
        space, _, own = name.partition("^")
        return f"|{space} {own}" if space and own else f"| {name}"

    def _labels(self, piece: Piece) -> list[str]:
        if piece.y is None:
            if piece.weight is not None and (piece.weight != 1.0).any():
                row = self.rows.count + int(np.argmax(piece.weight != 1.0))
                raise self.rows.wrong(row, "Vowpal Wabbit text has weights after labels only, and there is no label; "
                                      "jsonl takes it")  # fmt: skip
            return [""] * len(piece)
        labels = [spelt(y) for y in piece.y.tolist()]
        if piece.weight is None:
            return labels
        return [y if w == 1.0 else f"{y} {spelt(w)}" for y, w in zip(labels, piece.weight.tolist(), strict=True)]

    def _values(self, names: list[str], index: list[int], value: list[float]) -> list[str]:
        return [names[i] if v == 1.0 else f"{names[i]}:{spelt(v)}" for i, v in zip(index, value, strict=True)]

    def _line(self, label: str, texts: list[str]) -> str:
        before, parts = None, []
        for text in texts:  # a namespace is named when it begins
            space, _, own = text.partition(" ")
            parts.append(own if space == before else text)
            before = space
        return " ".join(filter(None, [label, *parts])) + (" |\n" if not parts else "\n")


class JSONLines(Lines):
    """`{"label": 1, "name": value, …}`."""

    def __init__(self, rows: Rows) -> None:
        super().__init__(rows)
        self._weighted = rows.weighted()
        self.notes = [f"read it with --label {rows.label}" + (f" --weight {rows.weight}" if self._weighted else "")]

    def _unwritable(self, name: str) -> str:
        taken = [self.rows.label, *([self.rows.weight] if self._weighted else [])]
        if name not in taken:
            return ""
        return f"a feature is called {name!r}, as the {'label' if name == self.rows.label else 'weight'} would be"

    def _name(self, name: str) -> str:
        return json.dumps(name, ensure_ascii=False)

    def _labels(self, piece: Piece) -> list[str]:
        if piece.y is None:
            self.notes = [f"read it with --weight {self.rows.weight}"] if self._weighted else []
        found = self._column(self.rows.label, piece.y, len(piece))
        if not self._weighted:
            return found
        weights = np.ones(len(piece)) if piece.weight is None else piece.weight
        return [f"{y}{', ' if y else ''}{w}"
                for y, w in zip(found, self._column(self.rows.weight, weights, len(piece)), strict=True)]  # fmt: skip

    def _column(self, name: str, column: Vector | None, rows: int) -> list[str]:
        if column is None:
            return [""] * rows
        return [f"{self._name(name)}: {spelt(value)}" for value in column.tolist()]

    def _values(self, names: list[str], index: list[int], value: list[float]) -> list[str]:
        return [f"{names[i]}: {spelt(v)}" for i, v in zip(index, value, strict=True)]

    def _line(self, label: str, texts: list[str]) -> str:
        return "{" + ", ".join(filter(None, [label, *texts])) + "}\n"


LINES: dict[str, type[Lines]] = {"libsvm": LibSVM, "vw": VW, "jsonl": JSONLines}
