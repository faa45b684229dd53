import numpy as np
from numpy.typing import NDArray

from regretful.core.losses import Loss
from regretful.core.rows import Block
from regretful.core.types import Vector

def charge(
    loss: Loss,
    blocks: list[Block],
    y: Vector,
    c: Vector,
    w: Vector,
    G: Vector,
    slopes: Vector,
    points: Vector,
    multipliers: Vector | None = None,
    stiff: float = 0.0,
) -> tuple[float, float, float, float]: ...
def dual_sum(loss: Loss, s: Vector, y: Vector, c: Vector) -> tuple[float, float]: ...
def rows_of(blocks: list[Block]) -> tuple[Vector, NDArray[np.int64], NDArray[np.int64]]: ...
