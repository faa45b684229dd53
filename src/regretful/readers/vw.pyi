from collections.abc import Callable, Sequence

from regretful.readers.builder import Builder
from regretful.readers.scanner import Scanner

class VW(Scanner):
    def __init__(
        self,
        builder: Builder,
        optional: bool = False,
        used: Callable[[str], bool] | None = None,
        crosses: Sequence[Sequence[str]] = (),
    ) -> None: ...
