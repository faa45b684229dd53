"""The best fixed predictor in hindsight, with a proof of how nearly it is the best.

Here live the solvers of the batch problem and what they hand back. What plays rounds is in other rooms.
"""

from regretful.hindsight.comparator import Comparator, FiniteComparator
from regretful.hindsight.finite import finite
from regretful.hindsight.solve import hindsight

__all__ = ["Comparator", "FiniteComparator", "finite", "hindsight"]
