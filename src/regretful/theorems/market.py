"""Portfolios against the best constantly rebalanced one (row 32)."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from regretful.markets import EG, MarketGame, NewtonStep, Universal, play, tuned, variability
from regretful.markets.bounds import curvature
from regretful.theorems.theorem import Curve, Sides, Theorem, Verdict, checkpoints, require

if TYPE_CHECKING:
    from regretful.core.types import Vector

STOPS = 24  # rounds at which the best portfolio so far is sought
GAP = 1e-9  # within which its log-wealth is certified


class PortfolioRegret(Theorem):
    """Row 32. A fair game: two assets, a biased coin says which gains half and which loses a third.

    The row names no bounds, so each of the three has the one of its paper, with constants of this run; those of EG and
    the Newton step are sharpened to this loss. The sides are those of the portfolio that comes nearest to its bound;
    all three have to hold. The wealth of the best portfolio in hindsight is the most that its dual bound allows. EG and
    the Newton step are tuned to the r of the market. The adversary tries markets in which one asset always wins, or the
    two in turn and then only one, or by a coin, large steps and small ones.
    """

    id = "portfolio"
    row = 32
    source = "002, portfolio selection"
    statement = (
        "log-wealth is within ln n/η + ηT(1/r − 1)²/8 (EG), (n − 1) ln(T + 1) (universal) and "
        "(n/2β) ln(1 + G²T/(nε)) + βε/2 (online Newton step) of the best constantly rebalanced portfolio's"
    )
    latex = (
        r"\max_{u\in\Delta_n}\sum_t\ln\langle u,r_t\rangle - \sum_t\ln\langle p_t,r_t\rangle \le "
        r"\tfrac{\ln n}{\eta} + \tfrac{\eta T}{8}\bigl(\tfrac1r-1\bigr)^2\ (\mathrm{EG}),\quad "
        r"(n-1)\ln(T+1)\ (\mathrm{universal}),\quad "
        r"\tfrac{n}{2\beta}\ln\bigl(1+\tfrac{G^2T}{n\varepsilon}\bigr)+\tfrac{\beta\varepsilon}{2}\ (\mathrm{ONS})"
    )
    hypotheses: ClassVar[tuple[str, ...]] = (
        "price relatives above 0, min/max of a round at least r",
        "EG: a constant rate η, from the uniform portfolio",
        "universal: the integral over all portfolios, prior Dirichlet(1) or Dirichlet(½)",
        "online Newton step: β ≤ 2(D − ln(1 + D))/D², D the largest max x/⟨w, x⟩ − 1",
    )
    left_side = "regret in log-wealth"
    seconds = 1.0

    def bound(self, game: MarketGame, *, data: bool = False) -> float:
        """What regret in log-wealth is at most in a game of `regretful.markets.play`; `data`: from all its rounds."""
        found = game.bound
        if found is None:
            require(False, self, f"speaks of EG, Universal and NewtonStep, not of {game.portfolio!r}")
        else:
            require(not found.note, self, found.note)
        return math.inf if found is None else (found.data if data else found.stated)

    def of(self, game: MarketGame) -> Verdict:
        """The theorem on a game of yours, if it meets the hypotheses: else `Unmet` says which it does not."""
        start = time.perf_counter()
        sides = Sides(game.regret.at_most, self.bound(game), game.name, {"data-dependent": self.bound(game, data=True)})
        word = self.judge(sides)
        return Verdict(
            self.id, sides.left, sides.right, word, word == self.expected, sides.note, sides.forms, None, game.rounds,
            0, time.perf_counter() - start,
        )  # fmt: skip

    def game(self, rounds: int, seed: int) -> Sides:
        """With chance 0.7 the first asset gains half and the second loses a third, else the other way round."""
        return self._told({name: (one, "") for name, one in _three(_coin(rounds, 0.7, 0.5, seed)).items()}, "a coin")

    def hunt(self, rounds: int, seed: int) -> Sides:
        """For each of the three the worst of many markets."""
        worst: dict[str, tuple[MarketGame, str]] = {}
        for what, X in _markets(rounds, seed):
            for name, one in _three(X).items():
                if name not in worst or self._share(one) > self._share(worst[name][0]):
                    worst[name] = one, f", {what}"
        return self._told(worst, "the worst market found for each")

    def _share(self, game: MarketGame) -> float:
        return game.regret.at_most / self.bound(game)

    def _told(self, games: dict[str, tuple[MarketGame, str]], note: str) -> Sides:
        """The sides of the game that came nearest to its bound, or beyond it, and the figures of all."""
        shares = {name: self._share(one) for name, (one, _) in games.items()}
        nearest = max(shares, key=lambda name: shares[name])
        each = "; ".join(f"{name} used {share:.0%} of its bound{games[name][1]}" for name, share in shares.items())
        forms: dict[str, float] = {}
        for name, (one, _) in games.items():
            forms |= {f"{name}, regret": one.regret.at_most, f"{name}, bound": self.bound(one)}
            forms |= {f"{name}, data-dependent": self.bound(one, data=True)}
        lines = {name: self._curve(one) for name, (one, _) in games.items()}
        curve = Curve.of(*lines[nearest])
        for name, (_, left, right) in lines.items():
            if name != nearest:
                curve = curve.with_line(f"regret, {name}", left).with_line(f"bound, {name}", right)
        game = games[nearest][0]
        return Sides(
            game.regret.at_most, self.bound(game), f"{note}; the sides are those of {nearest}: {each}", forms, curve
        )

    def _curve(self, game: MarketGame) -> tuple[Vector, Vector, Vector]:
        """Both sides after some of the rounds, as if they had been all."""
        at = checkpoints(game.rounds, STOPS)
        parts = [game.until(int(t)) for t in at]
        return at, np.array([part.regret.at_most for part in parts]), np.array([self.bound(part) for part in parts])


def _three(X: Vector) -> dict[str, MarketGame]:
    """EG and the Newton step, tuned to the market's r, and the universal portfolio."""
    T, n = X.shape
    r = variability(X)
    beta = (1.0 - 1e-9) * curvature(1.0 / r - 1.0)  # whatever is held, no asset beats it by more than 1/r
    players: dict[str, Any] = {
        "EG": EG(n, tuned(n, T, r)), "universal": Universal(n), "Newton step": NewtonStep(n, beta)
    }  # fmt: skip
    return {name: play(one, X, tol=GAP, name=name) for name, one in players.items()}


def _coin(rounds: int, chance: float, gain: float, seed: int) -> Vector:
    """Of two assets one gains, the other loses as much: the first with this chance."""
    first = np.random.default_rng(seed).random(rounds) < chance
    return _between(first, 1.0 + gain, 1.0 / (1.0 + gain))


def _between(first: NDArray[np.bool_], up: float, down: float) -> Vector:
    return np.column_stack([np.where(first, up, down), np.where(first, down, up)])


def _markets(rounds: int, seed: int) -> Iterator[tuple[str, Vector]]:
    """The adversary's markets, and what they are."""
    t = np.arange(rounds)
    for down in (1.0 - 0.5 / math.sqrt(rounds + 1.0), 0.9, 0.7, 0.5, 0.1, 0.01):
        yield f"one asset always wins, the other is left with {down:.3g}", _between(t >= 0, 1.0, down)
        for last in (0.3, 0.6):
            won = (t % 2 == 0) | (t >= (1.0 - last) * rounds)
            yield f"in turn, then one alone for {last:.0%}, the other left with {down:.3g}", _between(won, 1.0, down)
    for chance in (0.5, 0.7, 0.9):
        for gain in (0.1, 0.5, 1.0):
            yield f"a coin of {chance:g}, gains of {gain:g}", _coin(rounds, chance, gain, seed)


THEOREMS: tuple[Theorem, ...] = (PortfolioRegret(),)
