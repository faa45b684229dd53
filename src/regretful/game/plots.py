"""Pictures of games, with matplotlib, which is imported only here and only when asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from regretful.core.types import Vector
from regretful.game.replay import best_so_far

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from regretful.core.domains import Domain
    from regretful.game.game import Game


def _axes(axes: Any, count: int) -> Any:
    if axes is not None:
        return axes
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install 'regretful[plot]'") from error
    return plt.subplots(1, count, figsize=(5.5 * count, 4.0), layout="constrained")[1]


def draw(game: Game, domain: Domain | None, bound: Callable[[Vector], Vector] | None, axes: Any) -> tuple[Axes, Axes]:
    """Cumulative loss on the left; on the right the average regret, on logarithmic axes."""
    if not game.rounds:
        raise ValueError("no rounds were played: there is nothing to draw")
    if domain is None and game.domains:
        domain = game.domains[0]
    left, right = _axes(axes, 2)
    t, loss = game.curve["rounds"], game.curve["loss"]
    left.plot(t, loss, label=f"{game.name}")
    if domain is None:
        right.plot(t, game.curve["mean_loss"], label="average loss")
    else:
        if not game.of_labels:
            best = best_so_far(game, domain)
            left.plot(t, best, "--", color="C1", label=f"best in {domain!r}")
            _positive(right, t, (loss - best) / t, "average regret to the best of all rounds", "C0-")
        name = f"certificate {domain!r}"
        if name in game.curve:
            left.plot(t, loss - game.curve[name], ":", color="C2", label="certified: none so far lost less")
            _positive(right, t, game.curve[name] / t, "certificate", "C2:")
    if bound is not None:
        promised = np.asarray([bound(np.asarray(rounds, dtype=np.float64)) for rounds in t], dtype=np.float64)
        if domain is not None and not game.of_labels:
            left.plot(t, best + promised, "-.", color="C3", label="best + bound")
        _positive(right, t, promised / t, "bound", "C3-.")
    start = next((line.get_ydata()[-1] * t[-1] ** 0.5 for line in right.lines if len(line.get_ydata())), 1.0)
    right.plot(t, start / np.sqrt(t), color="0.7", linewidth=1.0, label="1/√t")
    left.set(xlabel="rounds", ylabel="cumulative loss", title=f"{game.rounds:,} rounds")
    right.set(xlabel="rounds", ylabel="a round", xscale="log", yscale="log", title="Average regret" if domain else "")
    left.locator_params(axis="x", nbins=5)
    left.legend()
    right.legend()
    return left, right


def _positive(axes: Any, t: Vector, y: Vector, label: str, style: str) -> None:
    """What a logarithmic axis can show."""
    shown = y > 0.0
    if shown.any():
        axes.plot(t[shown], y[shown], style, label=label)


def draw_many(games: Mapping[str, Game], axes: Any) -> tuple[Axes, Axes]:
    """Several games: cumulative loss, and mean loss."""
    left, right = _axes(axes, 2)
    for name, game in games.items():
        left.plot(game.curve["rounds"], game.curve["loss"], label=name)
        right.plot(game.curve["rounds"], game.curve["mean_loss"], label=name)
    left.set(xlabel="rounds", ylabel="cumulative loss")
    right.set(xlabel="rounds", ylabel="mean loss", xscale="log")
    left.legend()
    right.legend()
    return left, right
