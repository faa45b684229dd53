"""That two contenders computed the same thing: else comparing their times would say nothing."""

import numpy as np
from numpy.typing import ArrayLike


def difference(ours: ArrayLike, theirs: ArrayLike, tolerance: float) -> float:
    """The largest difference of two weight vectors over the largest weight; ValueError beyond `tolerance`."""
    mine, other = np.asarray(ours, dtype=float).ravel(), np.asarray(theirs, dtype=float).ravel()
    found = float(np.max(np.abs(mine - other)) / np.max(np.abs(other)))
    if not found <= tolerance:
        raise ValueError(f"the contenders learnt different weights: they differ by {found:.1e} of the largest")
    return found
