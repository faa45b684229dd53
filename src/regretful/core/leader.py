"""The exact leader: the examples so far, and the weights that would have lost least on them.

Here the examples are kept and the problem is set up; how it is solved is in solvers.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from regretful.core import domains, losses
from regretful.core.entropy import Entropy
from regretful.core.euclidean import Euclidean
from regretful.core.pnorm import PNorm

FAR = 1e6  # how far is sought where nothing bounds the weights, in units of the largest label and feature


class Memory:
    """Every example seen, and the argmin of Σ c ℓ(y, ⟨w, x⟩) + F(w)/η over the domain (no F: follow the leader).

    The objective is within about 1e-11 of its least value, relative to its size; the squared loss with ½‖w‖² (or no
    F) everywhere is solved in closed form. Without F, and among several leaders, it is the one nearest to the last
    iterate, as far as the solver tells. Where the least value is attained nowhere (logistic loss, separable labels),
    the weights go so far that about 1e-11 is left to be gained, or to |w_i| = 1e6 max(1, |y|)/max |x|.

    Time is O(T n²) a Newton step and memory O(T n): for small games.
    """

    def __init__(self, loss: Any, geometry: Any, domain: Any) -> None:
        if geometry is not None and type(geometry) not in (Euclidean, Entropy, PNorm):
            raise ValueError(
                f"exact=True needs a regulariser that stays the same: Euclidean(), Entropy() or PNorm(p), "
                f"not {geometry!r}; with exact=False it works"
            )
        self.loss, self.geometry, self.domain = loss, geometry, domain
        self.count = 0
        self.X, self.y, self.c = np.zeros((0, 0)), np.zeros(0), np.zeros(0)
        self.slopes = np.zeros(0)  # what the solver starts from: the losses' multipliers,
        self.push: np.ndarray = np.zeros(0)  # those of the domain's walls,
        self.theta: np.ndarray = np.zeros(0)  # and ∇F(w), where it is not w

    def add(self, index: list[int], value: list[float], y: float, weight: float) -> None:
        """One more example."""
        t, width = self.count, max([self.X.shape[1], *(i + 1 for i in index)])
        if t == len(self.y) or width > self.X.shape[1]:
            room = max(16, 2 * t) if t == len(self.y) else len(self.y)
            X, (yy, c) = np.zeros((room, width)), np.zeros((2, room))
            X[:t, : self.X.shape[1]], yy[:t], c[:t] = self.X[:t], self.y[:t], self.c[:t]
            self.X, self.y, self.c = X, yy, c
        self.X[t] = 0.0
        np.add.at(self.X[t], index, value)
        self.y[t], self.c[t] = y, weight
        self.count += 1

    def leader(self, eta: float, w: np.ndarray) -> np.ndarray:
        """The argmin, sought from w. Rates 0 (nothing but F counts) and inf (F counts nothing) have their meaning."""
        from regretful.core.solvers import Bill, Search

        n, t = len(w), self.count
        slopes = np.append(self.slopes, np.zeros(t - len(self.slopes)))
        X = np.zeros((t, n))
        X[:, : self.X.shape[1]] = self.X[:t]
        y, c, seen = self.y[:t], self.c[:t], self.c[:t] > 0.0
        if eta == 0.0 or not seen.any() or n == 0:
            self.slopes = slopes
            return w
        free = self.geometry is None or eta == np.inf
        everywhere = type(self.domain) is domains.Everywhere
        if type(self.loss) is losses.Squared and everywhere and (free or type(self.geometry) is Euclidean):
            return _least_squares(X[seen], y[seen], c[seen], None if free else eta, w)
        far = FAR * max(1.0, np.abs(y).max()) / (np.abs(X).max(initial=0.0) or 1.0)
        mirror, fence = self._space(n, free, far)
        native = type(mirror).__name__ != "Euclid"
        theta = np.append(self.theta, np.zeros(n - len(self.theta))) if native else w
        push = np.append(self.push, np.zeros(n - len(self.push)))
        bill = Bill(self.loss, X[seen], y[seen], c[seen])
        search = Search(bill, mirror, None if free else 1.0 / eta, fence, slopes[seen], push)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            theta = search.run(theta)
        slopes[seen] = search.slopes
        self.slopes, self.push = slopes, search.push
        if native:
            self.theta = theta
        return np.array(mirror.primal(theta))

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
        t = self.count
        return {
            "X": self.X[:t],
            "y": self.y[:t],
            "c": self.c[:t],
            "slopes": self.slopes,
            "push": self.push,
            "theta": self.theta,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Take up what `state` gave."""
        for name, array in state.items():
            setattr(self, name, np.array(array))
        self.count = len(self.y)


def _least_squares(X: np.ndarray, y: np.ndarray, c: np.ndarray, eta: float | None, w: np.ndarray) -> np.ndarray:
    """The argmin of Σ c (⟨w, x⟩ − y)² + ‖w‖²/(2 η), or without F the one nearest to w."""
    root = np.sqrt(c)
    if eta is None:
        nearest: np.ndarray = w + np.linalg.lstsq(X * root[:, None], root * (y - X @ w))[0]
        return nearest
    rows = np.vstack([X * root[:, None], np.eye(len(w)) * np.sqrt(0.5 / eta)])
    Q, R = np.linalg.qr(rows)
    solution: np.ndarray = np.linalg.solve(R, Q.T @ np.append(root * y, np.zeros(len(w))))
    return solution
