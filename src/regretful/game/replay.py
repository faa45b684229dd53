"""A game's rounds again: what the best predictor in hindsight had lost when stock was taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from regretful.core.domains import Domain
from regretful.core.reading import labels_of
from regretful.core.types import Vector
from regretful.game.tape import values

if TYPE_CHECKING:
    from regretful.game.game import Game


def best_so_far(game: Game, domain: Domain, tol: float = 1e-6) -> Vector:
    """What the best of all rounds had lost at each stop of the curve; the rounds are gone through in stretches."""
    best = game.hindsight(domain, tol)
    stops = game.curve["rounds"]
    lost = np.zeros(len(stops))
    first, total = 0, 0.0
    for X, y, weight in game.parts():
        p = best.predict_many(X)
        losses = values(game.learner.loss, p, labels_of(y, game.learner.loss, len(p)))
        so_far = total + np.cumsum(losses if weight is None else losses * np.asarray(weight))
        here = (stops > first) & (stops <= first + len(p))
        lost[here] = so_far[stops[here] - first - 1]
        first, total = first + len(p), float(so_far[-1]) if len(p) else total
    return lost
