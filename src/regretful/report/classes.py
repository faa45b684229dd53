"""How well a classifier's predictions met the labels: calibration, and the receiver operating characteristic (ROC)."""

from __future__ import annotations

import numpy as np

from regretful.core.losses import Logistic
from regretful.core.types import Vector
from regretful.game.tally import Tally
from regretful.report.chart import Chart, Line, axis, colour, figure, numbers

GROUPS = 15
POINTS = 120


def charts(tally: Tally) -> list[Chart]:
    """Calibration and ROC."""
    positive, weight = float(tally.came.sum()), float(tally.weight.sum())
    if not 0.0 < positive < weight:
        only = "positive" if positive else "negative"
        nothing = f"All labels were {only}: there is nothing to tell apart."
        return [Chart("roc", "Telling the classes apart", nothing, None, note=nothing)]
    return [calibration(tally), roc(tally)]


def groups(tally: Tally, count: int = GROUPS) -> tuple[Vector, Vector, Vector]:
    """(mean of what was said, mean of what came, weight) of about so many groups of rounds alike in prediction."""
    used = np.flatnonzero(tally.weight > 0.0)
    weight = tally.weight[used]
    middle = np.cumsum(weight) - 0.5 * weight
    group = np.unique(np.floor(count * middle / weight.sum()), return_inverse=True)[1]
    total: Vector = np.bincount(group, weight).astype(np.float64)
    return np.bincount(group, tally.said[used]) / total, np.bincount(group, tally.came[used]) / total, total


def calibration(tally: Tally) -> Chart:
    """Groups of rounds: the chance that was told, and how often it came true."""
    said, came, weight = groups(tally)
    spread = np.sqrt(np.maximum(came * (1.0 - came), 0.0) / weight)
    chances = isinstance(tally.loss, Logistic)
    bars = {
        "type": "data",
        "array": numbers(np.minimum(2.0 * spread, 1.0 - came)),
        "symmetric": False,
        "arrayminus": numbers(np.minimum(2.0 * spread, came)),
        "color": colour("faint"),
        "thickness": 1.2,
        "width": 0,
    }
    dots = {
        "type": "scatter",
        "mode": "lines+markers",
        "name": "came true",
        "x": numbers(said),
        "y": numbers(came),
        "error_y": bars,
        "line": {"color": colour("loss"), "width": 1.2},
        "marker": {"color": colour("loss"), "size": 8},
        "customdata": numbers(weight),
        "hovertemplate": "said %{x:.4~g}<br>came %{y:.4~g}<br>%{customdata:,.0f} rounds<extra></extra>",
    }
    rows = list(zip(said.tolist(), came.tolist(), (2.0 * spread).tolist(), weight.tolist(), strict=True))
    if not chances:
        return Chart(
            "calibration", "How often positive, by prediction",
            f"The share of positive labels goes from {came[0]:.2%} where p was lowest to {came[-1]:.2%} where it was "
            "highest.",
            figure([dots], axis("prediction p, mean of a group", tickformat="~g"),
                   axis("share of positive labels", tickformat=".0~%", rangemode="tozero"), hovermode="closest"),
            [("share of positive labels, ± 2 standard errors", "loss", "solid")],
            ["prediction p", "share positive", "± 2 standard errors", "rounds"], rows,
        )  # fmt: skip
    most = float(max(said.max(), came.max()))
    perfect = Line("as it should be", "faint", np.array([0.0, most]), np.array([0.0, most]), "dash", 1.2)
    off = float((weight * np.abs(said - came)).sum() / weight.sum())
    percent = {"tickformat": ".1~%" if most < 0.1 else ".0~%", "rangemode": "tozero"}
    return Chart(
        "calibration", "Calibration",
        f"On average, the chance that was told is off by {off:.2%} (in {len(said)} groups of rounds).",
        figure([perfect.silent(), dots], axis("chance told", **percent),
               axis("how often it came true", **percent), hovermode="closest"),
        [("came true, ± 2 standard errors", "loss", "solid"), perfect.key],
        ["chance told", "came true", "± 2 standard errors", "rounds"], rows,
    )  # fmt: skip


def curve(tally: Tally) -> tuple[Vector, Vector, float]:
    """(share of the negatives, share of the positives) above each threshold, from 0 to 1, and the area under it.

    Predictions that share a bin count as ties.
    """
    used = np.flatnonzero(tally.weight > 0.0)[::-1]
    hits = np.append(0.0, np.cumsum(tally.came[used]))
    alarms = np.append(0.0, np.cumsum((tally.weight - tally.came)[used]))
    hits, alarms = hits / hits[-1], alarms / alarms[-1]
    return alarms, hits, float(0.5 * np.diff(alarms) @ (hits[1:] + hits[:-1]))


def roc(tally: Tally) -> Chart:
    """The share of positives found against the share of false alarms."""
    alarms, hits, area = curve(tally)
    along = alarms + hits
    kept = np.unique(np.searchsorted(along, np.linspace(0.0, 2.0, POINTS), side="left").clip(0, len(along) - 1))
    alarms, hits = alarms[kept], hits[kept]
    chance = Line("by chance", "faint", np.array([0.0, 1.0]), np.array([0.0, 1.0]), "dash", 1.2)
    found = Line("found", "loss", alarms, hits, width=2.5)
    hover = "finds %{y:.1%} of the positives<br>at %{x:.1%} of the negatives<extra></extra>"
    percent = {"tickformat": ".0%", "range": [-0.02, 1.02], "dtick": 0.25}
    return Chart(
        "roc", "Telling the classes apart",
        f"The area under the ROC curve is {area:.4f}: so often, of two examples, the positive one was rated higher.",
        figure([chance.silent(), {**found.trace(), "hovertemplate": hover}],
               axis("negatives taken for positives", **percent), axis("positives found", **percent),
               hovermode="closest"),
        [("as the threshold falls", "loss", "solid"), chance.key],
        ["negatives taken for positives", "positives found"], list(zip(alarms.tolist(), hits.tolist(), strict=True)),
    )  # fmt: skip
