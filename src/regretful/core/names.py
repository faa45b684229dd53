"""Names for what is counted: experts, arms, assets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

Name: TypeAlias = str | int


def names_of(what: str, given: int | Sequence[Name]) -> list[Name]:
    """The names that were given, or 0 … n−1 for a number n; `what` they are, for errors."""
    if isinstance(given, bool | str | bytes):
        raise TypeError(f"{what}s must be a number of them or a list of names, not {given!r}")
    if isinstance(given, int | np.integer):
        if given < 1:
            raise ValueError(f"there must be at least one {what}, not {given}")
        return list(range(int(given)))
    names: list[Name] = []
    for name in given:
        if isinstance(name, bool) or not isinstance(name, str | int | np.integer):
            raise TypeError(f"the name of an {what} is a string or an integer, not {name!r}")
        names.append(name if isinstance(name, str) else int(name))
    if not names:
        raise ValueError(f"there must be at least one {what}")
    if len(set(names)) < len(names):
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise ValueError(f"two {what}s are named {twice!r}")
    return names
