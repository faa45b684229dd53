"""One figure a theorem: its left and right side over the rounds. Asks for the extra `plot` (matplotlib)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from regretful.theorems.theorem import Identity, Theorem, Verdict

LEFT, RIGHT, OTHERS = "#1b6ca8", "#c8452d", ("#7a7a7a", "#b58900", "#5b8c5a", "#8e6bbf")
FEW = 10  # points of a curve, below which they are marked
DECADES = 2.0  # of values, beyond which the axis is logarithmic
FLOOR = 1e-17  # where a difference of 0 stands on such an axis
STYLE: Any = {
    "svg.fonttype": "none", "svg.hashsalt": "regretful", "font.size": 9, "axes.spines.top": False,
    "axes.spines.right": False, "axes.grid": True, "grid.alpha": 0.25, "legend.frameon": False,
}  # fmt: skip


def draw(theorem: Theorem, verdict: Verdict, axes: Any) -> None:
    """Both sides on matplotlib's axes: lines over the rounds; bars where there is only the end of a game."""
    curve = verdict.curve
    axes.set_title(f"{theorem.row}. {theorem.id}: {verdict.word}", fontsize=10, loc="left")
    if curve is None or len(curve.rounds) < 2:
        names, sides = [theorem.left_side, theorem.right_side], [verdict.left, verdict.right]
        axes.barh(names, sides, color=[LEFT, RIGHT])
        axes.invert_yaxis()
        return
    lines = {theorem.left_side: curve.left, theorem.right_side: curve.right, **curve.extra}
    looks = [(LEFT, "-"), (RIGHT, "-"), *((colour, (0, (3.0, 3.0))) for colour in OTHERS)]
    few = len(curve.rounds) < FEW
    seen = []
    for (name, line), (colour, dash) in zip(lines.items(), looks, strict=False):
        shown, label = line, name
        if isinstance(theorem, Identity):
            shown = np.maximum(line, FLOOR)
            label = name if line.any() else f"{name}: 0"
        width = 1.7 if dash == "-" else 1.3
        axes.plot(curve.rounds, shown, linestyle=dash, color=colour, label=label, linewidth=width,
                  marker="o" if few else "", markersize=3.5)  # fmt: skip
        seen.append(shown[np.isfinite(shown)])
    values = np.concatenate(seen)
    positive = values.min(initial=1.0) > 0.0
    logarithmic = isinstance(theorem, Identity) or (positive and np.ptp(np.log10(values)) > DECADES)
    falling = curve.right[-1] < 0.2 * curve.right.max()
    axes.set_xlabel(curve.x)
    if logarithmic:
        axes.set_yscale("log")
    if (few or logarithmic or falling) and curve.rounds[0] > 0.0 and curve.rounds[-1] > 10.0 * curve.rounds[0]:
        axes.set_xscale("log")
    axes.legend(loc="best", fontsize=8)


def save(theorem: Theorem, verdict: Verdict, path: str | Path) -> None:
    """The figure as a file, of the kind that the path's ending says."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("figures need matplotlib: pip install 'regretful[plot]'") from None

    with rc_context(STYLE):
        figure = Figure(figsize=(6.0, 3.4), layout="constrained")
        draw(theorem, verdict, figure.subplots())
        plain = {"metadata": {"Date": None}} if str(path).endswith(".svg") else {"dpi": 110}
        figure.savefig(path, **plain)
