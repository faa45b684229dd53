from collections.abc import Iterator
from typing import Protocol, type_check_only

CHUNK: int

@type_check_only
class Stream(Protocol):
    def readinto(self, room: memoryview, /) -> int: ...

class Piece: ...

def pieces(
    file: str, stream: Stream, spare: list[Piece], chunk: int = ..., narrow: bool = False
) -> Iterator[Piece]: ...
