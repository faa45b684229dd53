"""Names for what users hand over and get back: examples, labels, arrays.

Only types live here, for annotations and for the stubs of the compiled modules; nothing that computes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol, SupportsFloat, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Vector: TypeAlias = NDArray[np.float64]

# One number, and more than one: what goes in as the one comes out as the one.
Scalar: TypeAlias = float | np.floating[Any] | np.integer[Any] | np.bool_
Numbers: TypeAlias = NDArray[Any] | Sequence[float] | Sequence[Sequence[float]]

Label: TypeAlias = SupportsFloat | SupportsIndex
Event: TypeAlias = Mapping[str, Scalar | str]


class Sparse(Protocol):
    """A SciPy sparse matrix or array."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and columns."""

    def tocsr(self) -> Any:
        """The same, compressed by rows."""


class Series(Protocol):
    """A row of a pandas table: values by name."""

    @property
    def index(self) -> Any:
        """The names."""

    def to_dict(self) -> Any:
        """The values by name."""


class Table(Protocol):
    """A table with named columns: pandas, polars, Arrow."""

    @property
    def columns(self) -> Any:
        """The columns, or their names."""


Example: TypeAlias = Event | ArrayLike | tuple[ArrayLike, ArrayLike] | Sparse | Series
Events: TypeAlias = Sequence[Event] | Iterator[Event]
Matrix: TypeAlias = ArrayLike | Sparse | Table


class Batch(NamedTuple):
    """Some rounds: examples, labels (None where the loss takes none), weights (None for all 1)."""

    X: Events | Matrix
    y: ArrayLike | None
    weight: ArrayLike | None


Kept: TypeAlias = Literal["average", "weighted", "random"]
Mode: TypeAlias = Literal["name", "position"]
State: TypeAlias = dict[str, Any]
