"""What every portfolio is: a linear learner of −ln⟨w, x⟩ whose features are assets with names."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from numpy.typing import ArrayLike

from regretful.core.names import Name
from regretful.core.types import State, Vector
from regretful.markets.bounds import Bound
from regretful.markets.relatives import relatives_of, relatives_of_one

if TYPE_CHECKING:
    from regretful.core.linear import Linear
    from regretful.core.tickets import Ticket

    _Mixed: TypeAlias = Linear
else:
    _Mixed = object


class Portfolio(_Mixed):
    """What every portfolio is: a linear learner of −ln⟨w, x⟩, x the price relatives, with names for its assets.

    A round: `weights` is held, the market shows x, and the wealth is multiplied by ⟨w, x⟩, which `learn_one` returns.
    """

    assets: list[Name]
    _kept: ClassVar[tuple[str, ...]] = ("assets",)  # what a file holds besides what the rule learns

    def learn_one(self, x: Any, y: Any = None, weight: float = 1.0) -> float:
        """Hold, see the price relatives, move; returns ⟨w, x⟩, what the wealth was multiplied by."""
        return super().learn_one(relatives_of_one(x, self.assets), y, weight)

    def learn_many(self, X: Any, y: Any = None, weight: ArrayLike | None = None) -> Vector:
        """The loop of `learn_one` over the rows of X. A bad row anywhere raises an error, and nothing is learnt."""
        return super().learn_many(relatives_of(X, self.assets), y, weight)

    def predict_one(self, x: Any) -> float:
        """What the wealth would be multiplied by: ⟨w, x⟩. Changes nothing."""
        return super().predict_one(relatives_of_one(x, self.assets))

    def predict_many(self, X: Any) -> Vector:
        """The same for every row. Changes nothing."""
        return super().predict_many(relatives_of(X, self.assets))

    def ask(self, x: Any) -> Ticket:
        """The same as a ticket for `tell`."""
        return super().ask(relatives_of_one(x, self.assets))

    @property
    def wealth(self) -> float:
        """What 1 has become: the product of ⟨w, x⟩ so far."""
        if self.ledger is None:
            raise ValueError("this portfolio keeps no ledger: make it with ledger=True to know its wealth")
        return math.exp(-self.ledger.loss)

    def named_weights(self) -> dict[Name, float]:
        """What is held in this round, by asset."""
        return dict(zip(self.assets, self.weights.tolist(), strict=True))

    def bound(self, X: Vector, paid: Vector) -> Bound | None:  # noqa: ARG002
        """What theory promises of the regret in log-wealth on these relatives and this ⟨w, x⟩; None: nothing."""
        return None

    def _state(self, names: bool = True) -> State:
        return {**super()._state(names), **{name: getattr(self, name) for name in self._kept}}

    def _restore(self, state: State) -> None:
        super()._restore(state)
        for name in self._kept:
            setattr(self, name, state[name])

    def __reduce__(self) -> tuple[Any, ...]:
        make, (kind, rule, slots, state, attributes) = super().__reduce__()
        others = {name: value for name, value in (attributes or {}).items() if name not in self._kept}
        return make, (kind, rule, slots, state, others or None)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.assets)} assets) after {self.rounds:,} rounds"
