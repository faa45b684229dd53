from typing import Literal, final

from regretful.core.geometry import Geometry

@final
class PNorm(Geometry):
    def __init__(self, p: float | Literal["log"] = "log") -> None: ...
    @property
    def p(self) -> float | Literal["log"]: ...
    def norm(self) -> float | None: ...
