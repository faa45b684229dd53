"""Losses with kinks, and users' own: an augmented Lagrangian in the predictions (Rockafellar 1976).

Each turn minimises the losses' envelopes, which are smooth, over the domain; the slopes at its solution are both the
next turn's multipliers and the dual point of the certificate.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from regretful.core.types import Vector
from regretful.hindsight.descent import Descent
from regretful.hindsight.examples import Point

TURNS = 60
STIFFEST = 1e8


def pursue(descent: Descent, w: Vector, a: Vector | None, note: Callable[[Point], float], tol: float) -> None:
    """Turns of the multipliers from w until `note`, which takes every turn's solution, says that the gap is closed."""
    examples = descent.examples
    start = examples.at(w)
    note(start)
    spread = float(np.abs(start.z).mean()) + examples.spread or 1.0
    multipliers = np.zeros(examples.rows) if a is None else a
    best, stuck = np.inf, 0
    for turn in range(TURNS):
        # A power of two: slopes at the ends of their range are then exact, and known as such by the curvature.
        stiff = 2.0 ** round(math.log2(min(10.0 ** (0.5 * turn), STIFFEST) / spread))
        descent.multipliers, descent.stiff = multipliers, stiff
        descent.model.forget()

        def enough(point: Point, stationarity: float) -> bool:
            complementarity = point.loss - point.tangent - point.work
            return stationarity <= max(0.2 * tol * max(1.0, abs(point.loss)), 0.3 * complementarity)

        point = descent.run(descent.at(w), enough)
        gap = note(point)
        if gap <= tol:
            return
        stuck = stuck + 1 if gap >= 0.9 * best else 0
        best = min(best, gap)
        if stuck >= 12:
            return
        w, multipliers = point.w, point.s
