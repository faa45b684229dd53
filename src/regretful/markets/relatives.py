"""Price relatives from whatever shape they come in, checked: T × n numbers above 0.

Here examples are read and refused; what is made of them is in the files beside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from regretful.core.names import Name
from regretful.core.rows import as_array, numbers_of
from regretful.core.tables import is_table
from regretful.core.types import Vector


def relatives_of(X: Any, assets: Sequence[Name]) -> Vector:
    """Rounds × assets. X: an array or lists, a table with a column for each asset, or a list of dicts by asset.

    A relative is what the price was multiplied by in a round, so it is finite and above 0. A price of 0 is refused: no
    logarithm, and no bound, would be finite for those who held nothing else. Write what is left of it, however little.
    """
    if is_table(X):
        table = _from_table(X, assets)
    elif isinstance(X, list) and X and isinstance(X[0], Mapping):
        table = np.array([_from_event(row, assets, f"row {t}: ") for t, row in enumerate(X)])
    else:
        table = np.asarray(numbers_of(as_array(X)), dtype=np.float64)
        if table.ndim != 2:
            raise ValueError(f"price relatives have two dimensions, rounds × assets, not the shape {table.shape}")
    return _checked(np.ascontiguousarray(table), assets, True)


def relatives_of_one(x: Any, assets: Sequence[Name]) -> Vector:
    """The same for one round: a number for each asset, or a dict by asset."""
    if isinstance(x, Mapping):
        row = np.array(_from_event(x, assets, ""))
    else:
        row = np.asarray(numbers_of(as_array(x)), dtype=np.float64)
        if row.ndim != 1:
            raise ValueError(f"the price relatives of a round are one number an asset, not of the shape {row.shape}")
    return np.asarray(_checked(row[None, :], assets, False)[0])


def _checked(table: Vector, assets: Sequence[Name], many: bool) -> Vector:
    if table.shape[1] != len(assets):
        raise ValueError(f"there are {len(assets)} assets and {table.shape[1]} price relatives in a round")
    with np.errstate(invalid="ignore"):
        wrong = np.argwhere(~((table > 0.0) & np.isfinite(table)))
    if len(wrong):
        row, place = wrong[0].tolist()
        where = f"row {row}, " if many else ""
        raise ValueError(
            f"{where}asset {assets[place]!r}: {float(table[row, place])!r} is no price relative: give the price after "
            "the round over that before it, finite and above 0"
        )
    return table


def _from_table(X: Any, assets: Sequence[Name]) -> Vector:
    names = [str(name) for name in (X.column_names if hasattr(X, "column_names") else X.columns)]
    wanted = names if all(isinstance(asset, int) for asset in assets) else [str(asset) for asset in assets]
    _same(set(names), set(wanted), "column")
    if hasattr(X, "iloc"):
        X = X.set_axis(names, axis=1)
    try:
        return np.column_stack([np.asarray(X[name], dtype=np.float64) for name in wanted])
    except (TypeError, ValueError) as error:
        raise TypeError(f"the columns of price relatives are numbers: {error}") from None


def _from_event(event: Any, assets: Sequence[Name], where: str) -> list[float]:
    if not isinstance(event, Mapping):
        raise TypeError(f"{where}price relatives by name are dicts, all of them, not {event!r}")
    try:
        _same(set(event), set(assets), "asset")
    except ValueError as error:
        raise ValueError(f"{where}{error}") from None
    try:
        return [float(event[asset]) for asset in assets]
    except (TypeError, ValueError) as error:
        raise TypeError(f"{where}price relatives are numbers: {error}") from None


def _same(given: set[Any], wanted: set[Any], what: str) -> None:
    """Whether all are there, and no others: an asset that is left out has no price relative."""
    for names, word in ((wanted - given, "is missing"), (given - wanted, "is none of the assets")):
        if names:
            raise ValueError(f"the {what} {min(names, key=str)!r} {word}")
