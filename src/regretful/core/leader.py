"""The exact leader: the examples so far, and the weights that would have lost least on them.

Here the examples are kept and the problem is set up; how it is solved is in solvers.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from regretful.core import domains, losses
from regretful.core.entropy import Entropy
from regretful.core.euclidean import Euclidean
from regretful.core.pnorm import PNorm

if TYPE_CHECKING:
    from regretful.core.squares import Squares

FAR = 1e6  # how far is sought where nothing bounds the weights, in units of the largest label and feature


class Memory:
    """Every example seen, and the argmin of Σ c ℓ(y, ⟨w, x⟩) + F(w)/η over the domain (no F: follow the leader).

    The objective is within about 1e-11 of its least value, relative to its size; the squared loss with ½‖w‖² (or no
    F) everywhere is solved in closed form. Without F, and among several leaders, it is the one nearest to the last
    iterate, as far as the solver tells. Where the least value is attained nowhere (logistic loss, separable labels),
    the weights go so far that about 1e-9 is left to be gained, or to |w_i| = 1e6 max(1, |y|)/max |x|.

    Of the squared loss a triangle is kept, n + 1 examples that stand for all (recursive least squares): time and memory
    do not grow with the rounds. For other losses they do, O(T n²) a Newton step and O(T n): for small games.
    """

    def __init__(self, loss: Any, geometry: Any, domain: Any) -> None:
        if geometry is not None and type(geometry) not in (Euclidean, Entropy, PNorm):
            raise ValueError(
                f"exact=True needs a regulariser that stays the same: Euclidean(), Entropy() or PNorm(p), "
                f"not {geometry!r}; with exact=False it works"
            )
        self.loss, self.geometry, self.domain = loss, geometry, domain
        self.count, self.feature, self.label = 0, 0.0, 0.0  # examples of a weight, the largest |x| and |y|
        self.squares: Squares | None = None
        if type(loss) is losses.Squared:
            from regretful.core.squares import Squares  # SciPy, for those who need it

            self.squares = Squares()
        self.X, self.y, self.c = np.zeros((0, 0)), np.zeros(0), np.zeros(0)
        self.slopes = np.zeros(0)  # what the solver starts from: the losses' multipliers,
        self.push: np.ndarray = np.zeros(0)  # those of the domain's walls,
        self.theta: np.ndarray = np.zeros(0)  # and ∇F(w), where it is not w

    def add(self, index: list[int], value: list[float], y: float, weight: float) -> None:
        """One more example."""
        if weight == 0.0:
            return
        width = max([self.X.shape[1], *(i + 1 for i in index)])
        self.feature, self.label = max(self.feature, *map(abs, value), 0.0), max(self.label, abs(y))
        self.count += 1
        if self.squares is not None:
            self.squares.add(index, value, y, weight)
            return
        t = self.count - 1
        if t == len(self.y) or width > self.X.shape[1]:
            room = max(16, 2 * t) if t == len(self.y) else len(self.y)
            X, (yy, c) = np.zeros((room, width)), np.zeros((2, room))
            X[:t, : self.X.shape[1]], yy[:t], c[:t] = self.X[:t], self.y[:t], self.c[:t]
            self.X, self.y, self.c = X, yy, c
        self.X[t] = 0.0
        self.X[t, index] = value
        self.y[t], self.c[t] = y, weight

    def leader(self, eta: float, w: np.ndarray) -> np.ndarray:
        """The argmin, sought from w. Rates 0 (nothing but F counts) and inf (F counts nothing) have their meaning."""
        from regretful.core.solvers import Bill, Search

        n = len(w)
        if eta == 0.0 or not self.count or n == 0:
            return w
        free = self.geometry is None or eta == np.inf
        everywhere = type(self.domain) is domains.Everywhere
        if self.squares is not None and everywhere and (free or type(self.geometry) is Euclidean):
            return self.squares.nearest(w) if free else self.squares.ridge(eta, n)
        far = FAR * max(1.0, self.label) / (self.feature or 1.0)
        mirror, fence = self._space(n, free, far)
        native = type(mirror).__name__ != "Euclid"
        theta = np.append(self.theta, np.zeros(n - len(self.theta))) if native else w
        push = np.append(self.push, np.zeros(n - len(self.push)))
        X, y, c = self._examples(n)
        slopes = np.append(self.slopes, np.zeros(len(y) - len(self.slopes)))
        search = Search(Bill(self.loss, X, y, c), mirror, None if free else 1.0 / eta, fence, slopes, push)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            theta = search.run(theta)
        self.slopes, self.push = search.slopes, search.push
        if native:
            self.theta = theta
        return np.array(mirror.primal(theta))

    def _examples(self, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The rows, labels and weights that the leader is to fit: all, or those that stand for all."""
        if self.squares is not None:
            return self.squares.examples(n)
        X = self.X[: self.count]
        wide = X if X.shape[1] == n else np.hstack([X, np.zeros((self.count, n - X.shape[1]))])
        return wide, self.y[: self.count], self.c[: self.count]

    def _space(self, n: int, free: bool, far: float) -> tuple[Any, Any]:
        """The mirror map, and the domain if the map does not stay in it by itself."""
        from regretful.core.solvers import Euclid, Power, Simplicial

        domain = self.domain
        if not free and type(self.geometry) is Entropy:
            paired = type(domain) is domains.L1Ball
            return Simplicial(domain.radius if paired else domain.scale, paired), None
        if not free and type(self.geometry) is PNorm:
            p = self.geometry.p
            return Power(max(2.0, 2.0 * float(np.log(n))) if p == "log" else p), None
        if not free:
            return Euclid(), None if type(domain) is domains.Everywhere else domain
        if type(domain) is domains.Everywhere:
            return Euclid(), domains.Box(-far, far)
        if type(domain) is domains.Orthant:
            return Euclid(), domains.Box(0.0, far)
        if type(domain) is domains.Box and not np.isfinite(domain.support(np.ones(n)) + domain.support(-np.ones(n))):
            low, high = np.broadcast_arrays(domain.low, domain.high)
            return Euclid(), domains.Box(
                np.where(np.isfinite(low), low, np.minimum(high, 0.0) - far),
                np.where(np.isfinite(high), high, np.maximum(low, 0.0) + far),
            )
        return Euclid(), domain

    def state(self) -> dict[str, Any]:
        """Everything needed to go on: the examples, and where the solver starts (rows once written stay)."""
        t = self.count if self.squares is None else 0
        return {
            "X": self.X[:t],
            "y": self.y[:t],
            "c": self.c[:t],
            "slopes": self.slopes,
            "push": self.push,
            "theta": self.theta,
            "seen": [self.count, self.feature, self.label],
            "squares": None if self.squares is None else self.squares.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Take up what `state` gave."""
        for name in ("X", "y", "c", "slopes", "push", "theta"):
            setattr(self, name, np.array(state[name]))
        self.count, self.feature, self.label = state["seen"]
        if self.squares is not None:
            self.squares.restore(state["squares"])
