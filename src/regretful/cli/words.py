"""Numbers, parts and paces in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from regretful.core.parts import Part
    from regretful.game import Game


def number(value: float | None) -> str:
    """Four decimals for what is usual, none for what is large, else four digits; a dash for what is not known."""
    if value is None or not math.isfinite(value):
        return "–"
    size = abs(value)
    if 1e4 <= size < 1e9:
        return f"{value:,.0f}"
    return f"{value:.4f}" if size == 0.0 or 1e-3 <= size < 1e4 else f"{value:.4g}"


def count(things: int, one: str, many: str | None = None) -> str:
    """`1 round`, `2,000 rounds`."""
    return f"{things:,} {one if things == 1 else many or one + 's'}"


def spelt(part: Part) -> str:
    """A part's class and its settings: `Ball(10)`."""
    told = [
        name if value is True else f"{value:g}" if isinstance(value, float) else f"{value}"
        for name, value in part.settings().items()
        if value is not False
    ]
    settings = ", ".join(told)
    return f"{type(part).__name__}({settings})" if settings else type(part).__name__


def described(learner: Any) -> str:
    """`AdaGrad, rate 0.1, logistic loss`."""
    from regretful.game.words import called

    eta = getattr(learner.rate, "eta", None)
    rate = f"rate {eta:g}" if eta is not None else f"rate {spelt(learner.rate)}"
    where = f", kept in {spelt(learner.domain)}" if learner.domain.bounded else ""
    return f"{type(learner).__name__}, {rate}, {called(learner.loss)}{where}"


def pace(game: Game, bad: int) -> str:
    """Rounds and time, and lines that were left out."""
    speed = f", {game.rounds / game.seconds:,.0f} a second" if game.seconds > 0.0 else ""
    return f"{count(game.rounds, 'round')} in {game.seconds:.1f} s{speed}" + skipped(bad)


def skipped(bad: int) -> str:
    """What `--skip-bad` left out."""
    return f"; {count(bad, 'bad line')} left out" if bad else ""
