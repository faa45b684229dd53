from typing import final

from regretful.core.geometry import Geometry

@final
class FullMatrix(Geometry):
    def __init__(self, epsilon: float = 1.0) -> None: ...
    @property
    def epsilon(self) -> float: ...
