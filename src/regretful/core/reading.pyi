from numpy.typing import ArrayLike

from regretful.core.losses import Loss
from regretful.core.types import Vector

def labels_of(y: ArrayLike | None, loss: Loss, rows: int) -> Vector: ...
def weights_of(weight: ArrayLike, rows: int) -> Vector: ...
