"""What a chart is: a Plotly figure as plain dicts, with colours by name, and the same numbers as a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

import numpy as np

from regretful.core.types import Vector

Figure = dict[str, Any]
DASHES: Final = ("solid", "dash", "dot", "dashdot")
LONGEST = 60  # characters of a name on a chart


@dataclass(frozen=True)
class Line:
    """One line of a chart, and how the key shows it."""

    name: str
    colour: str
    x: Vector
    y: Vector
    dash: str = "solid"
    width: float = 2.0

    def trace(self) -> Figure:
        """As Plotly has it."""
        return {
            "type": "scatter",
            "mode": "lines" if len(self.x) > 1 else "markers",
            "name": plain(self.name),
            "x": numbers(self.x),
            "y": numbers(self.y),
            "line": {"color": colour(self.colour), "dash": self.dash, "width": self.width},
            "marker": {"color": colour(self.colour)},
            "hovertemplate": "%{y:.4~g}",
        }

    def silent(self) -> Figure:
        """The same, not answering the pointer."""
        return {**self.trace(), "hoverinfo": "skip", "hovertemplate": None}

    @property
    def key(self) -> tuple[str, str, str]:
        """What the key says."""
        return self.name, self.colour, self.dash


@dataclass(frozen=True)
class Chart:
    """A chart of the report. key: (name, colour, dash) of what is in it. columns, rows: its numbers, as a table.

    summary: what it shows, for those who do not see it. figure None: there is nothing to draw, and `note` says why.
    """

    id: str
    title: str
    summary: str
    figure: Figure | None
    key: Sequence[tuple[str, str, str]] = ()
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[Any]] = ()
    note: str = ""
    height: str | None = None  # on the page, where it is not that of the others


def colour(name: str) -> dict[str, str]:
    """A colour by its name; the page says what it is, in the light and in the dark."""
    return {"colour": name}


def plain(text: str) -> str:
    """Text that Plotly shows as it is: it would read tags, and follow links."""
    short = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return escape(short, quote=False)


def numbers(values: Vector) -> list[float | None]:
    """For JSON, which knows no NaN: what cannot be drawn is left out; seven digits are more than a chart shows."""
    return [float(f"{value:.7g}") if math.isfinite(value) else None for value in np.asarray(values, float).tolist()]


def axis(title: str, **more: Any) -> Figure:
    """An axis in the style of the page."""
    return {
        "title": {"text": title, "standoff": 8, "font": {"size": 13}},
        "gridcolor": colour("grid"),
        "linecolor": colour("line"),
        "zerolinecolor": colour("line"),
        "zeroline": False,
        "fixedrange": True,
        "automargin": True,
        **more,
    }


def logarithmic(low: float, high: float) -> Figure:
    """A logarithmic axis: powers of ten, and 2 and 5 between them where there are few."""
    return {"type": "log", "dtick": 1 if high > 60.0 * low else "D2"}


def rounds_axis(first: float, last: float) -> Figure:
    """Rounds, on a logarithmic axis."""
    return axis("rounds", **logarithmic(first, last), tickformat="~s", hoverformat=",d")


def figure(data: Sequence[Figure], x: Figure, y: Figure, **more: Any) -> Figure:
    """Traces on two axes."""
    label = {"bgcolor": colour("panel"), "bordercolor": colour("line"), "font": {"color": colour("ink"), "size": 13}}
    layout = {
        "xaxis": x,
        "yaxis": y,
        "margin": {"l": 12, "r": 16, "t": 10, "b": 12},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif", "size": 13,
                 "color": colour("muted")},
        "hoverlabel": {**label, "align": "left", "namelength": -1},
        "hovermode": "x unified",
        "showlegend": False,
        "dragmode": False,
        **more,
    }  # fmt: skip
    return {"data": list(data), "layout": layout}
