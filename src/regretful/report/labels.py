"""How far a regression's predictions were off: residuals, and what was predicted against what came."""

from __future__ import annotations

import itertools

import numpy as np

from regretful.core.types import Vector
from regretful.game.tally import BINS, Tally, edges
from regretful.report.chart import Chart, Line, axis, colour, figure, numbers
from regretful.report.classes import groups

BARS = 48
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)


def charts(tally: Tally) -> list[Chart]:
    """Predicted against actual, and residuals."""
    return [against(tally), residuals(tally)]


def quantiles(counts: Vector, shares: Vector) -> Vector:
    """Where these shares of what was counted lie below, to within a bin."""
    below = np.append(0.0, np.cumsum(counts)) / counts.sum()
    used = np.append(np.flatnonzero(counts), np.flatnonzero(counts)[-1] + 1)
    return np.asarray(np.interp(shares, below[used], edges()[used]))


def residuals(tally: Tally) -> Chart:
    """The label less the prediction."""
    counts = tally.residuals
    low, high = quantiles(counts, np.array([0.005, 0.995]))
    if not high > low:
        low, high = low - 0.5, high + 0.5
    ends = np.linspace(low, high, BARS + 1)
    below = np.interp(ends, edges(), np.append(0.0, np.cumsum(counts)))  # a bin is spread evenly over its width
    share = np.diff(below) / counts.sum()
    middle = 0.5 * (ends[1:] + ends[:-1])
    bars = {
        "type": "bar",
        "name": "rounds",
        "x": numbers(middle),
        "y": numbers(share),
        "marker": {"color": colour("loss")},
        "customdata": [[float(f"{a:.4g}"), float(f"{b:.4g}")] for a, b in itertools.pairwise(ends)],
        "hovertemplate": "%{y:.2%} of the rounds<br>%{customdata[0]} to %{customdata[1]}<extra></extra>",
    }
    told = [f"{value:.4g}" for value in quantiles(counts, np.array(SHARES))]
    under = counts[: BINS // 2].sum() / counts.sum()
    return Chart(
        "residuals", "Residuals",
        f"Label less prediction: half of the rounds lie from {told[1]} to {told[3]}, nine in ten from {told[0]} to "
        f"{told[4]}; the median is {told[2]}. The label was below the prediction in {under:.1%}.",
        figure([bars], axis("label less prediction (the middle 99% of the rounds)", tickformat="~g"),
               axis("share of the rounds", tickformat=".1~%"), hovermode="closest", bargap=0.06),
        [("share of the rounds", "loss", "solid")],
        ["from", "to", "share of the rounds"],
        list(zip(ends[:-1].tolist(), ends[1:].tolist(), share.tolist(), strict=True)),
    )  # fmt: skip


def against(tally: Tally) -> Chart:
    """A sample of rounds, and the mean label of groups alike in their prediction."""
    said, came = tally.sample()
    left, mean, weight = groups(tally)
    rounds = {
        "type": "scatter",
        "mode": "markers",
        "name": "a round",
        "x": numbers(said),
        "y": numbers(came),
        "opacity": 0.35,
        "marker": {"color": colour("faint"), "size": 4},
        "hovertemplate": "predicted %{x:.4~g}<br>came %{y:.4~g}<extra></extra>",
    }
    means = Line("mean label of rounds alike in their prediction", "loss", left, mean, width=2.5)
    ends = np.quantile(np.concatenate([said, came]), [0.002, 0.998])
    pad = 0.04 * max(float(np.ptp(ends)), 1e-9)
    view = [float(ends[0] - pad), float(ends[1] + pad)]
    perfect = Line("as it should be", "best", np.array(view), np.array(view), "dash", 1.2)
    off = float((weight * np.abs(left - mean)).sum() / weight.sum())
    hover = "predicted %{x:.4~g}<br>mean label %{y:.4~g}<extra></extra>"
    return Chart(
        "against", "Predicted and actual",
        f"The mean label of {len(left)} groups of rounds alike in their prediction is off by {off:.4g} on average; "
        f"{len(said):,} rounds, drawn at random, are shown one by one.",
        figure([rounds, perfect.silent(),
                {**means.trace(), "mode": "lines+markers", "hovertemplate": hover}],
               axis("predicted", range=view, tickformat="~g"), axis("actual", range=view, tickformat="~g"),
               hovermode="closest"),
        [("a round", "faint", "dot"), means.key, perfect.key],
        ["predicted", "mean label", "rounds"], list(zip(left.tolist(), mean.tolist(), weight.tolist(), strict=True)),
    )  # fmt: skip
