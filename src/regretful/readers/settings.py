"""How a file is read: the arguments of `read`, as one thing that every format looks into. Nothing is read here."""

from __future__ import annotations

import fnmatch
from dataclasses import asdict, dataclass
from typing import Any, Literal

Labels = Literal["asked", "if there"]


@dataclass(frozen=True)
class Settings:
    """label, weight, time: names of columns. only, ignore: names or patterns of columns to use, or to leave out.

    text: columns to read as texts though they look like numbers. cross: pairs of columns, as `a,b`. header: whether CSV
    files begin with names (None: look). bits, seed: of the hashing. skip_bad: count bad lines instead of stopping at
    the first. labels: whether the label column must be there.
    """

    format: str | None = None
    label: str | None = None
    weight: str | None = None
    time: str | None = None
    only: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    cross: tuple[str, ...] = ()
    header: bool | None = None
    bits: int = 20
    seed: int = 0
    skip_bad: bool = False
    labels: Labels = "asked"

    def used(self, name: str) -> bool:
        """Whether the column of this name is a feature."""
        if name in (self.label, self.weight) or matches(name, self.ignore):
            return False
        return not self.only or matches(name, self.only)

    def crosses(self) -> list[tuple[str, ...]]:
        """The columns to cross, pair by pair."""
        return [tuple(names.split(",")) for names in self.cross]

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for files."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def matches(name: str, patterns: tuple[str, ...]) -> bool:
    """Whether one of the patterns (`*`, `?`, `[…]`) fits the whole name."""
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)
