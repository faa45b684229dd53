"""The largest weights, by name."""

from __future__ import annotations

import heapq
from typing import Any

from regretful.game import Game
from regretful.report.chart import Chart, axis, colour, figure, plain

MOST = 20
SHORT = 28  # characters of a name beside its bar


def chart(game: Game) -> Chart:
    """Bars, the largest on top."""
    title = "The largest weights"
    if not game.rounds or not hasattr(game.learner, "last"):
        return Chart("weights", title, "This learner has no weights.", None, note="This learner has no weights.")
    last: Any = game.last()
    named = last.named_weights()
    apart = bool(named) and all(isinstance(weights, dict) for weights in named.values())
    if apart:  # a weight for each feature and label
        named = {f"{label}: {name}": weight for label, weights in named.items() for name, weight in weights.items()}
    first = heapq.nlargest(MOST, named.items(), key=lambda item: abs(item[1]))
    name_of = getattr(getattr(game.nature, "source", None), "name_of", lambda _: None)  # a log knows what it hashed
    largest = [
        (key if isinstance(key, str) else name_of(key) or f"feature {key}", weight) for key, weight in first if weight
    ]
    if not largest:
        return Chart("weights", title, "All weights are 0.", None, note="All weights are 0.")
    names = [name for name, _ in reversed(largest)]
    values = [weight for _, weight in reversed(largest)]
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": list(range(len(names))),
        "x": [float(f"{value:.7g}") for value in values],
        "marker": {"color": [colour("loss" if value > 0.0 else "proof") for value in values]},
        "customdata": [plain(name) for name in names],
        "hovertemplate": "%{customdata}<br>%{x:.4~g}<extra></extra>",
    }
    ticks = [plain(name if len(name) <= SHORT else name[: SHORT - 1] + "…") for name in names]
    places = axis("", tickmode="array", tickvals=list(range(len(names))), ticktext=ticks, showgrid=False)
    layout = figure([bars], axis("weight", tickformat="~g", zeroline=True), places, hovermode="closest", bargap=0.3)
    name, weight = largest[0]
    intercept = f" The intercept is {last.intercept:.4g}." if not apart and last.intercept else ""
    return Chart(
        "weights", title,
        f"{len(largest)} of {len(named):,} weights; the largest is that of {name}, {weight:.4g}.{intercept}",
        layout, [("above 0", "loss", "solid"), ("below 0", "proof", "solid")],
        ["feature", "weight"], [list(pair) for pair in largest], height=f"{4.5 + 1.35 * len(largest):g}rem",
    )  # fmt: skip
