"""Players: online convex optimisation without examples. They play points and pay for them; nothing predicts here.

A loss function f_t enters as its tangent at the point played, f_t(w_t) + ⟨g, w − w_t⟩: an example x = g with the loss
`Affine()`. So a player is a learner like any other, with its ledger, averages and file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from regretful.core.losses import Loss
from regretful.core.parts import number
from regretful.core.rules import FollowTheRegularizedLeader, MirrorDescent

if TYPE_CHECKING:
    from regretful.core.domains import Domain
    from regretful.core.geometry import Geometry
    from regretful.core.linear import Linear
    from regretful.core.rates import Rate
    from regretful.core.types import Example, Vector

    _Mixed: TypeAlias = Linear
else:
    _Mixed = object

Cost: TypeAlias = Callable[[Any], "tuple[float, Example]"]


class Affine(Loss):
    """l(y, p) = p + y: linear in the weights, with slope 1. What a `Player` pays.

    >>> import regretful as rg
    >>> rg.Affine().value(2.0, 0.5), rg.Affine().slope(2.0, 0.5)
    (2.5, 1.0)
    """

    def value(self, p: float, y: float) -> float:
        """It is p + y."""
        return p + y

    def slope(self, p: float, y: float) -> float:  # noqa: ARG002
        """Always 1."""
        return 1.0


class _Playing(_Mixed):
    """What both players do."""

    @property
    def point(self) -> Vector:
        """w_t, the point that plays next."""
        if self.n is None:
            raise ValueError("the number of coordinates is not known yet: make the player with n=…")
        return self.weights

    def pay(self, value: float, subgradient: Example) -> float:
        """Pay f_t(w_t) = value, of which `subgradient` is one at w_t, and move on. Returns the value."""
        value = number("value", value)
        self.learn_one(subgradient, value - self.predict_one(subgradient))
        return value

    def play(self, f: Cost) -> float:
        """Pay f(point), where f gives (value, subgradient), and move on. Returns the value."""
        said: object = f(self.point)
        if not (isinstance(said, tuple) and len(said) == 2):
            raise TypeError(f"a loss function gives (value, subgradient), not {said!r}")
        return self.pay(*said)


class Player(_Playing, MirrorDescent):
    """Mirror descent on loss functions f_t: pay f_t(w_t), then w ← the step along −η_t g_t, back into the domain.

    The ledger holds L = Σ f_t(w_t), A = Σ ⟨g_t, w_t⟩ and G = Σ g_t, and its certificate bounds the regret to every
    point of a domain; for linear f_t it is the regret.

    >>> import regretful as rg
    >>> player = rg.Player(rg.Box(-1.0, 1.0), rate=0.5, n=1)
    >>> for sign in (1.0, 1.0, -1.0):
    ...     _ = player.play(lambda w, sign=sign: (sign * w[0], [sign]))
    >>> player.point
    array([-0.5])
    >>> player.ledger.certificate(rg.Box(-1.0, 1.0)).regret_at_most
    1.5

    Reference: notes 004, Algorithm 3 (online convex optimisation); notes 001 and 002, projected gradient.
    """

    def __init__(
        self, domain: Domain | None = None, rate: Rate | float = 0.1, geometry: Geometry | None = None, **options: Any
    ) -> None:
        super().__init__(Affine(), geometry, domain, rate, **options)


class LazyPlayer(_Playing, FollowTheRegularizedLeader):
    """Follow the regularised leader on loss functions: w_{t+1} = argmin over the domain of ⟨Σ g, w⟩ + F(w)/η_t.

    With a rate so large that F counts nothing, such as 1e12, it is follow the leader, and among several leaders takes
    the one with the least F.

    >>> import regretful as rg
    >>> leader = rg.LazyPlayer(rg.Box(-1.0, 1.0), rate=1e12, n=1)
    >>> [leader.pay(g * leader.point[0], [g]) for g in (0.5, -1.0, 1.0, -1.0)]
    [0.0, 1.0, 1.0, 1.0]

    Reference: notes 000, §4 (A); notes 001, follow the leader.
    """

    def __init__(
        self, domain: Domain | None = None, rate: Rate | float = 0.1, geometry: Geometry | None = None, **options: Any
    ) -> None:
        super().__init__(Affine(), geometry, domain, rate, **options)
