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
    return plt.subplots(1, count, figsize=(5.5 * count, 4.6), layout="constrained")[1]


def draw(game: Game, domain: Domain | None, bound: Callable[[Vector], Vector] | None, axes: Any) -> tuple[Axes, Axes]:
    """Cumulative loss on the left; on the right the average regret, on logarithmic axes."""
    if not game.rounds:
        raise ValueError("no rounds were played: there is nothing to draw")
    if domain is None and game.domains:
        domain = game.domains[0]
    left, right = _axes(axes, 2)
    t, loss, weight = game.curve["rounds"], game.curve["loss"], game.curve["weight"]
    dot = "o" if len(t) == 1 else ""  # a line of one point is not to be seen
    left.plot(t, loss, f"C0{dot}-", label=f"{game.name}")
    title = "Average loss"
    if domain is None:
        _positive(right, t, game.curve["mean_loss"], "average loss", f"C0{dot}-")
    else:
        title = "Average regret"
        if not game.of_labels:
            best = best_so_far(game, domain)
            left.plot(t, best, f"C1{dot}--", label=f"best in {_short(domain)}")
            regret = _each(loss - best, weight)
            _positive(right, t, regret, "average regret to the best of all rounds", f"C0{dot}-")
            if regret[-1] <= 0.0:  # which logarithmic axes cannot show
                title += f": {regret[-1]:.3g} at the end"
        name = f"certificate {domain!r}"
        if name in game.curve:
            left.plot(t, loss - game.curve[name], f"C2{dot}:", label="certified: none so far lost less")
            _positive(right, t, _each(game.curve[name], weight), "certificate", f"C2{dot}:")
    if bound is not None:
        promised = np.asarray([bound(np.asarray(rounds, dtype=np.float64)) for rounds in t], dtype=np.float64)
        if domain is not None and not game.of_labels:
            left.plot(t, best + promised, f"C3{dot}-.", label="best + bound")
        _positive(right, t, _each(promised, weight), "bound", f"C3{dot}-.")
    ends = [float(line.get_ydata()[-1]) for line in right.lines]
    start = next((end for end in ends if np.isfinite(end)), 1.0) * t[-1] ** 0.5
    right.plot(t, start / np.sqrt(t), color="0.7", linewidth=1.0, label="1/√t")
    left.set(xlabel="rounds", ylabel="cumulative loss", title=_rounds(game))
    right.set(xlabel="rounds", ylabel=_unit(game), xscale="log", yscale="log", title=title)
    left.locator_params(axis="x", nbins=5)
    _legends(axes is None, left, right)
    return left, right


def _each(total: Vector, weight: Vector) -> Vector:
    """The average; NaN, which is not drawn, before the first example of weight."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(weight > 0.0, total / weight, np.nan))


def _positive(axes: Any, t: Vector, y: Vector, label: str, style: str) -> None:
    """What a logarithmic axis can show; where there is nothing to show a gap."""
    shown = y > 0.0
    if shown.any():
        axes.plot(t, np.where(shown, y, np.nan), style, label=label)


def _short(domain: Domain) -> str:
    """The domain as a legend has room for it."""
    told = repr(domain)
    return told if len(told) <= 30 else f"{type(domain).__name__}(…)"


def _rounds(game: Game) -> str:
    return "1 round" if game.rounds == 1 else f"{game.rounds:,} rounds"


def _unit(game: Game) -> str:
    return "a round" if game.weight == game.rounds else "for each unit of weight"


def _legends(ours: bool, *axes: Any) -> None:
    """Below axes of ours, where they hide no line; others may have no room there."""
    below: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.16), "ncols": 2, "frameon": False}
    for each in axes:
        each.legend(fontsize="small", **(below if ours else {}))


def draw_many(games: Mapping[str, Game], axes: Any) -> tuple[Axes, Axes]:
    """Several games: cumulative loss, and mean loss."""
    left, right = _axes(axes, 2)
    for name, game in games.items():
        dot = "o-" if len(game.curve["rounds"]) == 1 else "-"
        left.plot(game.curve["rounds"], game.curve["loss"], dot, label=name)
        right.plot(game.curve["rounds"], game.curve["mean_loss"], dot, label=name)
    most = max(games.values(), key=lambda game: game.rounds)
    left.set(xlabel="rounds", ylabel="cumulative loss", title=_rounds(most))
    right.set(xlabel="rounds", ylabel="mean loss", xscale="log", title="Average loss")
    left.locator_params(axis="x", nbins=5)
    _legends(axes is None, left, right)
    return left, right
