"""The exact leader: the examples so far, and the weights that would have lost least on them."""

from __future__ import annotations

from typing import Any

import numpy as np


class Memory:
    """Every example seen, and the argmin of Σ c ℓ(y, ⟨w, x⟩) + F(w)/η over the domain (no F: follow the leader)."""

    def __init__(self, loss: Any, geometry: Any, domain: Any) -> None:
        self.loss, self.geometry, self.domain = loss, geometry, domain
        self.rows: list[Any] = []

    def add(self, index: list[int], value: list[float], y: float, weight: float) -> None:
        """One more example."""
        self.rows.append((index, value, y, weight))

    def leader(self, eta: float, w: np.ndarray) -> np.ndarray:
        """The leader, sought from w."""
        return w

    def state(self) -> dict[str, Any]:
        """Everything needed to go on."""
        return {}

    def restore(self, state: dict[str, Any]) -> None:
        """Take up what `state` gave."""
