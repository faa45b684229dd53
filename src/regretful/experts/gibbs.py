"""Hedge over a class that need not be convex: a prior over parameters, a loss of your own, Gibbs draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from regretful.core.chance import Seed, generator_of
from regretful.core.parts import number
from regretful.core.rates import Rate
from regretful.core.types import State, Vector
from regretful.experts.hedge import Hedge

Cost: TypeAlias = Callable[[Any, Any], Any]
Sampler: TypeAlias = Callable[[Generator, int], ArrayLike]

STRETCH = 1 << 20  # losses held at once by learn_many


class GibbsHedge(Hedge):
    """Hedge over parameters w: each round plays a draw from p_t(w) ∝ p_0(w) exp(−η Σ ℓ(w, z)), convex in w or not.

    The class is a finite set of parameters, one a row of `particles`, with the weights `prior`; or `particles` is a
    function (rng, count) that draws `count` of them from a prior. The bound then is to mixtures of these particles,
    and count should be large enough for some of them to be near the best.

    loss: ℓ(w, z), with values in [0, M]; with `vectorised`, ℓ(particles, z) gives the losses of all at once. rate,
    M, rounds: as for `Hedge`. seed: what is drawn with, particles first. A file holds the loss by its name:
    `regretful.load(path, parts=(loss,))`.

    >>> import numpy as np
    >>> import regretful as rg
    >>> def miss(w, z):  # a step in w: neither convex nor smooth
    ...     return np.abs(w - z) > 0.1
    >>> hedge = rg.GibbsHedge(miss, np.linspace(0.0, 1.0, 11), rate=2.0, vectorised=True)
    >>> lost = hedge.learn_many([0.33] * 40)
    >>> float(hedge.play().round(1)) in (0.3, 0.4), hedge.ledger.best_loss
    (True, 0.0)

    Reference: notes 004, Algorithm 4 and Theorem 14.
    """

    def __init__(
        self,
        loss: Cost,
        particles: ArrayLike | Sampler,
        rate: Rate | float | None = None,
        *,
        count: int | None = None,
        prior: ArrayLike | None = None,
        M: float = 1.0,
        rounds: int | None = None,
        vectorised: bool = False,
        seed: Seed = 0,
    ) -> None:
        if not callable(loss):
            raise TypeError(f"loss must be a function of (w, z), not {loss!r}")
        rng = generator_of(seed)
        if callable(particles):
            if count is None or prior is not None:
                raise ValueError("particles drawn by a function need count=…, and are equally likely: no prior")
            particles = particles(rng, int(number("count", count, least=1.0)))
        elif count is not None:
            raise ValueError("count is for particles that a function draws")
        self.particles = np.array(particles, dtype=np.float64)
        self.particles.setflags(write=False)
        if self.particles.ndim == 0 or len(self.particles) == 0 or not np.isfinite(self.particles).all():
            raise ValueError("particles must be finite numbers, one parameter a row, at least one")
        self.loss, self.vectorised = loss, bool(vectorised)
        self._begin(list(range(len(self.particles))), rate, prior, M, rounds, True, rng)

    def play(self) -> Any:
        """The w that plays this round. Changes nothing."""
        return self.particles[self._kernel.drawn]

    def mean(self) -> Any:
        """Σ p_t(w) w: for losses that are convex in w, it loses no more than the draws do in expectation."""
        return np.tensordot(self.weights, self.particles, axes=1)

    def learn_one(self, z: Any) -> float:
        """Pay for the w that was drawn, and draw the next. Returns what it lost."""
        return float(self._learn(self._table(self._losses(z), 1))[0])

    def learn_many(self, Z: Any) -> Vector:
        """The loop of `learn_one` over the z of Z. An error in any of them leaves all as it was."""
        with self._turn:
            before, paid = self._state(), [np.zeros(0)]
            most = max(1, STRETCH // len(self.particles))
            try:
                rows: list[Vector] = []
                for t, z in enumerate(Z):
                    rows.append(self._row(z, t))
                    if len(rows) == most:
                        paid.append(self._learn(np.concatenate(rows)))
                        rows.clear()
                if rows:
                    paid.append(self._learn(np.concatenate(rows)))
            except BaseException:
                self._restore(before)
                raise
        return np.concatenate(paid)

    def _row(self, z: Any, t: int) -> Vector:
        try:
            return self._table(self._losses(z), 1)
        except (TypeError, ValueError) as error:
            raise type(error)(f"row {t}: {error}") from error

    def _losses(self, z: Any) -> Vector:
        """ℓ(w, z) for every particle."""
        if not self.vectorised:
            return np.array([float(self.loss(w, z)) for w in self.particles])
        losses = np.asarray(self.loss(self.particles, z), dtype=np.float64)
        if losses.shape != (len(self.particles),):
            raise ValueError(
                f"a vectorised loss gives {len(self.particles)} numbers, one a particle, not shape {losses.shape}"
            )
        return losses

    def _slots(self) -> State:
        return {
            "loss": self.loss, "particles": self.particles, "rate": self.rate, "prior": self.prior, "M": self.M,
            "vectorised": self.vectorised,
        }  # fmt: skip

    def _shown(self) -> State:
        return {"loss": self.loss, "particles": self.particles.shape, "rate": self.rate, "M": self.M}
