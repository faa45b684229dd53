"""The adversary that searches: the sequence of linear losses with the largest regret that a beam can find.

Many games are played side by side, against a player that does not draw lots. A game is known by where its player
stands and by its regret so far; of games that stand in the same small cell only the one with most regret goes on.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from regretful.core.domains import Ball, Box, Domain, Everywhere
from regretful.core.rates import Rate, as_rate
from regretful.core.types import Vector
from regretful.nature.adversaries import Moves

Places = NDArray[np.intp]
FAR = 1e9


class Games(Protocol):
    """Players of many games at once."""

    @property
    def points(self) -> Vector:
        """Where they stand, one a row."""

    def branch(self, parents: Places, moves: Vector) -> Self:
        """Their successors: player parents[i] after it paid for the loss moves[i]."""

    def pick(self, chosen: Places) -> Self:
        """Some of them."""


@dataclass(frozen=True)
class Descents:
    """Projected gradient descents side by side, as arrays: w ← Π(w − η_t g)."""

    domain: Domain
    rate: Rate
    points: Vector
    rounds: int = 0

    @classmethod
    def start(cls, domain: Domain, rate: Rate | float, n: int = 1) -> Descents:
        """One descent, from where a learner begins."""
        return cls(domain, as_rate(rate), domain.start(n)[None, :])

    def branch(self, parents: Places, moves: Vector) -> Descents:
        """A step of each."""
        moved = self.points[parents] - self.rate.at(self.rounds + 1) * moves
        return Descents(self.domain, self.rate, _projected(self.domain, moved), self.rounds + 1)

    def pick(self, chosen: Places) -> Descents:
        """Some of them."""
        return Descents(self.domain, self.rate, self.points[chosen], self.rounds)


@dataclass(frozen=True)
class Copies:
    """Copies of any player that has `point` and `pay`, one a game; slower, and for every kind."""

    players: list[Any]

    @property
    def points(self) -> Vector:
        """Where they stand."""
        return np.array([player.point for player in self.players])

    def branch(self, parents: Places, moves: Vector) -> Copies:
        """A copy for each, which then pays."""
        grown = []
        for parent, move in zip(parents, moves, strict=True):
            player = copy.deepcopy(self.players[parent])
            player.pay(float(player.point @ move), move)
            grown.append(player)
        return Copies(grown)

    def pick(self, chosen: Places) -> Copies:
        """Some of them."""
        return Copies([self.players[i] for i in chosen])


@dataclass(frozen=True)
class Worst:
    """What was found: the moves, one a row, and the regret that they cause."""

    moves: Vector
    regret: float

    def nature(self) -> Moves:
        """A nature that plays them."""
        return Moves(self.moves)


def beam_search(
    player: Games | Callable[[], Any],
    moves: ArrayLike,
    rounds: int,
    domain: Domain,
    *,
    width: int | None = 1000,
    comparators: ArrayLike | None = None,
) -> Worst:
    """The sequence of `rounds` of the `moves` that leaves the player with the largest regret to the domain.

    player: `Descents.start(…)`, or a function that makes a `Player`. moves: the subgradients to choose from, one a
    row. width: how many games go on from round to round; None: all of them, which is exhaustion. comparators: towards
    which points of the domain regret is sought, one beam each; by default those farthest along the axes.

    >>> import regretful as rg
    >>> descent = rg.nature.Descents.start(rg.Box(-1.0, 1.0), rg.InverseSqrt(1.0))
    >>> found = rg.nature.beam_search(descent, [[1.0], [-1.0]], 20, rg.Box(-1.0, 1.0), width=None)
    >>> round(found.regret / 20**0.5, 2)
    1.89
    """
    choices = np.asarray(moves, dtype=np.float64)
    if choices.ndim != 2 or not len(choices):
        raise ValueError(f"moves are subgradients, one a row, not an array of the shape {choices.shape}")
    if rounds < 1 or (width is not None and width < 1):
        raise ValueError("rounds and width must be at least 1")
    games: Games = Copies([player()]) if callable(player) else player
    n = choices.shape[1]
    against = _ends(domain, n) if comparators is None else np.atleast_2d(np.asarray(comparators, dtype=np.float64))
    if width is None:
        return _search(games, choices, rounds, domain, None, against, against)
    found = [_search(games, choices, rounds, domain, width, u[None, :], against) for u in against]
    return max(found, key=lambda worst: worst.regret)


def _search(
    games: Games, choices: Vector, rounds: int, domain: Domain, width: int | None, towards: Vector, ends: Vector
) -> Worst:
    """One beam. Kept a game: the regret towards each of `towards`; the way back: its parent and its move, a round."""
    regret = np.zeros((1, len(towards)))
    steps: list[tuple[Places, Places]] = []
    cell = np.ptp(ends, axis=0) / max(2, int((width or 1) ** (1.0 / ends.shape[1])))
    for _ in range(rounds):
        alive = len(regret)
        parents = np.tile(np.arange(alive), len(choices))
        taken = np.repeat(np.arange(len(choices)), alive)
        g = choices[taken]
        paid = np.einsum("ij,ij->i", games.points[parents], g)
        regret = regret[parents] + paid[:, None] - g @ towards.T
        games = games.branch(parents, g)
        if width is not None and len(regret) > width:
            chosen = _best_in_each(games.points / np.where(cell > 0.0, cell, 1.0), regret[:, 0], width)
            games, regret, parents, taken = games.pick(chosen), regret[chosen], parents[chosen], taken[chosen]
        steps.append((parents, taken))
    best = int(np.argmax(regret.max(axis=1)))
    moves = choices[_way_back(best, steps)]
    G = moves.sum(axis=0)
    paid_in_all = regret[best, 0] + float(G @ towards[0])
    return Worst(moves, float(paid_in_all + domain.support(-G)))


def _best_in_each(points: Vector, score: Vector, width: int) -> Places:
    """The best game of each cell, and of these the `width` best."""
    cells = np.round(points).astype(np.int64)
    order = np.lexsort((-score, *cells.T))
    sorted_cells = cells[order]
    first = np.append(True, (sorted_cells[1:] != sorted_cells[:-1]).any(axis=1))
    best = order[first]
    return np.asarray(best[np.argsort(-score[best], kind="stable")[:width]])


def _way_back(game: int, steps: list[tuple[Places, Places]]) -> list[int]:
    """The moves of a game, by number, from the first round on."""
    way: list[int] = []
    for parents, taken in reversed(steps):
        way.append(int(taken[game]))
        game = int(parents[game])
    return way[::-1]


def _ends(domain: Domain, n: int) -> Vector:
    """The points of the domain that lie farthest along the axes."""
    far = FAR * np.concatenate([np.eye(n), -np.eye(n)])
    ends = np.unique([domain.project(v) for v in far], axis=0)
    if np.abs(ends).max() >= FAR:
        raise ValueError(f"{domain!r} is unbounded: regret to all of it has no limit; give a bounded domain")
    return ends


def _projected(domain: Domain, points: Vector) -> Vector:
    """Each row brought into the domain; all at once where that is a formula."""
    if isinstance(domain, Everywhere):
        return points
    if isinstance(domain, Box):
        return np.asarray(np.clip(points, domain.low, domain.high))
    if isinstance(domain, Ball):
        norms = np.linalg.norm(points, axis=1)
        return np.asarray(points * np.minimum(1.0, domain.radius / np.maximum(norms, 1e-300))[:, None])
    return np.array([domain.project(point) for point in points])
