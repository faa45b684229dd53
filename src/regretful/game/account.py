"""The account of one game: what the learner's ledger holds after it, less what it held before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from regretful.core.ledger import spread
from regretful.core.types import Vector


@dataclass(frozen=True)
class Account:
    """The sums of the ledger that a certificate is made of. G is None where no ledger was kept."""

    rounds: int = 0
    weight: float = 0.0
    loss: float = 0.0
    mistakes: int = 0
    A: float = 0.0
    G: Vector | None = None
    labels: int = 1

    @classmethod
    def of(cls, ledger: Any, with_G: bool = True) -> Account:
        """A ledger as it stands."""
        G = ledger.G.copy() if with_G else None
        return cls(ledger.rounds, ledger.weight, ledger.loss, ledger.mistakes, ledger.A, G, ledger.labels)

    def since(self, earlier: Account) -> Account:
        """What came after `earlier`."""
        if not earlier.rounds:
            return self
        G = None
        if self.G is not None and earlier.G is not None:
            before = spread(earlier.G, earlier.labels, self.labels)
            G = self.G - np.append(before, np.zeros(len(self.G) - len(before)))
        return Account(
            self.rounds - earlier.rounds,
            self.weight - earlier.weight,
            self.loss - earlier.loss,
            self.mistakes - earlier.mistakes,
            self.A - earlier.A,
            G,
            self.labels,
        )
