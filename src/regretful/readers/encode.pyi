from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regretful.core.types import Vector
from regretful.readers.builder import Builder

PLAIN: int
DIGITS: int
WORDS: int
FILLED: int
UNREAD: int

REASONS: dict[int, str]

class Encoder:
    def __init__(
        self,
        builder: Builder,
        names: Sequence[str],
        features: Sequence[bool],
        crosses: Sequence[tuple[str, ...]],
        label: int,
        weight: int,
        needed: int,
    ) -> None: ...
    @property
    def builder(self) -> Builder: ...
    @property
    def kept(self) -> int: ...
    def load(self, arrays: Sequence[Any], modes: Sequence[int], rows: int) -> None: ...
    def begin(self, room: int) -> None: ...
    def run(self, first: int, last: int) -> tuple[int, int, int]: ...
    def take(self) -> tuple[Vector, Vector, NDArray[np.int64]]: ...
