"""One figure a theorem: its left and right side over the rounds. Asks for the extra `plot` (matplotlib)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from regretful.theorems.theorem import Identity, Theorem, Verdict

LEFT, RIGHT, OTHERS = "#1b6ca8", "#c8452d", ("#7a7a7a", "#b58900", "#5b8c5a", "#8e6bbf")
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
    looks = [(LEFT, "-"), (RIGHT, "-"), *((colour, "--") for colour in OTHERS)]
    seen = []
    for (name, line), (colour, dash) in zip(lines.items(), looks, strict=False):
        shown = np.maximum(line, 1e-17) if isinstance(theorem, Identity) else line
        axes.plot(curve.rounds, shown, dash, color=colour, label=name, linewidth=1.6)
        seen.append(shown[np.isfinite(shown)])
    values = np.concatenate(seen)
    axes.set_xlabel(curve.x)
    if isinstance(theorem, Identity) or (values.min(initial=1.0) > 0.0 and np.ptp(np.log10(values)) > 2.5):
        axes.set_yscale("log")
    if curve.rounds[0] > 0.0 and curve.rounds[-1] > 30.0 * curve.rounds[0]:
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
