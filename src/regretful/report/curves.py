"""How the loss went over the rounds: the learner, the best in hindsight, the certificate, and what theory promised."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regretful.core.types import Vector
from regretful.game import Game
from regretful.report.chart import Chart, Line, axis, figure, rounds_axis
from regretful.report.compared import Compared


@dataclass(frozen=True)
class _Curves:
    """A round, at each stop; None where it is not known."""

    t: Vector
    loss: Vector
    since: Vector
    best: Vector | None
    certificate: Vector | None
    promised: Vector | None


def charts(game: Game, compared: Compared) -> list[Chart]:
    """Loss a round, and regret a round."""
    weight = game.curve["weight"]
    per = lambda total: None if total is None else total / weight  # noqa: E731
    curves = _Curves(
        game.curve["rounds"].astype(np.float64), game.curve["mean_loss"], game.curve["since_last"],
        per(compared.best), per(compared.certificate), per(compared.promised),
    )  # fmt: skip
    return [_loss(curves, game, compared), _regret(curves, compared)]


def _loss(curves: _Curves, game: Game, compared: Compared) -> Chart:
    t, loss = curves.t, curves.loss
    lines = [
        Line("since the last point", "faint", t, curves.since, width=1.0),
        Line(f"{game.name}, so far", "loss", t, loss, width=2.5),
    ]
    if curves.best is not None:
        lines.append(Line("best in hindsight of all rounds", "best", t, curves.best, "dash"))
        if curves.promised is not None:
            lines.append(Line("theory: at most", "theory", t, curves.best + curves.promised, "dashdot"))
    if curves.certificate is not None:
        lines.append(Line("certified: no fixed predictor lost less", "proof", t, loss - curves.certificate, "dot"))
    low, high = _window(curves)
    y = axis("loss a round", range=[low, high], tickformat="~g")
    summary = f"The mean loss so far goes from {loss[0]:.4g} after round {t[0]:,.0f} to {loss[-1]:.4g} at the end."
    return Chart("loss", "Loss a round", summary, figure([line.trace() for line in lines], rounds_axis(), y),
                 [line.key for line in lines], *_table(lines),
                 note="" if curves.best is not None else compared.no_best)  # fmt: skip


def _window(curves: _Curves) -> tuple[float, float]:
    """What of the losses to show: the first rounds may be far off, and a certificate proves little at first."""
    settled = curves.t >= curves.t[-1] ** 0.5
    shown = curves.loss[settled]
    size = max(float(np.ptp(shown)), 0.05 * abs(float(shown[-1])), 1e-12)
    ends = [shown.min(), shown.max()]
    if curves.best is not None:
        ends.append(float(np.clip(curves.best[-1], ends[0] - 3 * size, ends[1] + 3 * size)))
    if curves.certificate is not None:
        ends.append(float(np.clip((curves.loss - curves.certificate)[-1], ends[0] - 3 * size, ends[1] + 3 * size)))
    low, high = min(ends), max(ends)
    pad = 0.08 * (high - low)
    return float(low - pad), float(high + pad)


def _regret(curves: _Curves, compared: Compared) -> Chart:
    lines = []
    if curves.best is not None:
        lines.append(Line("to the best in hindsight of all rounds", "loss", *_above(curves.t, curves.loss - curves.best)))
    if curves.certificate is not None:
        lines.append(Line("certificate: at most", "proof", *_above(curves.t, curves.certificate), "dot"))
    if curves.promised is not None:
        lines.append(Line("theory: at most", "theory", *_above(curves.t, curves.promised), "dashdot"))
    title, why = "Regret a round", compared.no_theorem
    drawn = [line for line in lines if len(line.x)]
    if not drawn:
        nothing = "No regret is above 0 at any point: there is nothing to draw." if lines else compared.no_certificate
        return Chart("regret", title, nothing, None, note=nothing)
    end = next((line.y[-1] for line in reversed(drawn) if line.colour != "theory"), drawn[-1].y[-1])
    slope = Line("as 1/√t falls", "faint", curves.t, end * np.sqrt(curves.t[-1] / curves.t), width=1.0)
    last = ", ".join(f"{line.name} {line.y[-1]:.4g}" for line in drawn)
    return Chart("regret", title, f"Regret a round at the end: {last}.",
                 figure([line.trace() for line in [slope, *drawn]], rounds_axis(),
                        axis("regret a round", type="log", tickformat="~g", dtick=1)),
                 [line.key for line in [*drawn, slope]], *_table(drawn),
                 note=why)  # fmt: skip


def _above(t: Vector, y: Vector) -> tuple[Vector, Vector]:
    """What a logarithmic axis can show."""
    shown = np.isfinite(y) & (y > 0.0)
    return t[shown], y[shown]


def _table(lines: list[Line]) -> tuple[list[str], list[list[float | None]]]:
    """Rounds, and each line's number there."""
    at = sorted({t for line in lines for t in line.x.tolist()})
    known = [dict(zip(line.x.tolist(), line.y.tolist(), strict=True)) for line in lines]
    return ["round", *(line.name for line in lines)], [[int(t), *(one.get(t) for one in known)] for t in at]
