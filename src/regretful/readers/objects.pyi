from collections.abc import Callable, Sequence

from regretful.core.types import Vector
from regretful.readers.builder import Builder

FEATURE: int
LABEL: int
WEIGHT: int
TIME: int
AS_TEXT: int
DROPPED: int
REASONS: dict[int, str]
NO_LABEL: int
NO_NUMBER: int

class Objects:
    def __init__(
        self,
        builder: Builder,
        role_of: Callable[[str], int],
        crosses: Sequence[tuple[str, ...]],
        required: int,
        optional: bool,
        moment: Callable[[str], float],
        keys: int = 65536,
    ) -> None: ...
    @property
    def kept(self) -> int: ...
    @property
    def lines(self) -> int: ...
    @property
    def builder(self) -> Builder: ...
    @property
    def labelled(self) -> int: ...
    @property
    def news(self) -> bool: ...
    def begin(self) -> None: ...
    def parse(self, data: bytes, first: int) -> tuple[int, int, int]: ...
    def take(self) -> tuple[Vector, Vector, Vector]: ...
    @property
    def name(self) -> str: ...
    def kinds(self) -> dict[str, int]: ...
