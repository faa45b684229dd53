"""Delayed labels: a prediction that was asked for, and waits for its label."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Ticket:
    """What `ask` gave: the example, and the prediction that will be paid for when the label is told."""

    x: Any
    prediction: float
    told: bool = field(default=False)
    wanted: bool = True  # whether its label was asked for: not always, where labels are chosen (`SelectiveSampling`)


def issue(x: Any, prediction: float) -> Ticket:
    """A ticket with its own copy of the example, which its owner may go on to change."""
    return Ticket(copy.deepcopy(x), prediction)
