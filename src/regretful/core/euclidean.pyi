from typing import final

from regretful.core.geometry import Geometry

@final
class Euclidean(Geometry): ...
