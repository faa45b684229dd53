"""How the loss went over the rounds: the learner, the best in hindsight, the certificate, and what theory promised."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from regretful.core.types import Vector
from regretful.game import Game
from regretful.report.chart import Chart, Line, axis, figure, logarithmic, rounds_axis
from regretful.report.compared import Compared


@dataclass(frozen=True)
class _Curves:
    """A round, at each stop; None where it is not known."""

    t: Vector
    loss: Vector
    lately: Vector
    best: Vector | None
    certificate: Vector | None
    promised: Vector | None


def charts(game: Game, compared: Compared) -> list[Chart]:
    """Loss a round, and regret a round."""
    weight = game.curve["weight"]

    def per(total: Vector | None) -> Vector | None:
        return None if total is None else total / weight

    curves = _Curves(
        game.curve["rounds"].astype(np.float64), game.curve["mean_loss"], _lately(game),
        per(compared.best), per(compared.certificate), per(compared.promised),
    )  # fmt: skip
    return [_loss(curves, game, compared), _regret(curves, compared)]


def _lately(game: Game) -> Vector:
    """The mean loss over the last half of the rounds, at each stop that has one."""
    t, loss, weight = (game.curve[name] for name in ("rounds", "loss", "weight"))
    half = np.searchsorted(t, t // 2, side="right") - 1
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = (loss - loss[half]) / (weight - weight[half])
    return np.asarray(np.where((half >= 0) & (t >= 2), mean, np.nan))


def _loss(curves: _Curves, game: Game, compared: Compared) -> Chart:
    t, loss = curves.t, curves.loss
    lines = [Line(f"{game.name}, so far", "loss", t, loss, width=2.5)]
    if curves.best is not None:
        lines.append(Line("best in hindsight of all rounds", "best", t, curves.best, "dash"))
    if curves.certificate is not None:
        lines.append(Line("certified: no fixed predictor lost less", "proof", t, loss - curves.certificate, "dot"))
    first, low, high = _window(curves)
    if curves.best is not None and curves.promised is not None and (curves.best + curves.promised)[-1] < high:
        lines.append(Line("theory: at most", "theory", t, curves.best + curves.promised, "dashdot"))
    lines.append(Line("over the last half of the rounds", "faint", t, curves.lately, width=1.2))
    y = axis("loss a round", range=[low, high], tickformat="~g")
    x = {**rounds_axis(first, t[-1]), "range": [np.log10(first), np.log10(t[-1]) + 0.03]}
    summary = f"The mean loss so far goes from {loss[0]:.4g} after round {t[0]:,.0f} to {loss[-1]:.4g} at the end."
    return Chart("loss", "Loss a round", summary, figure([line.trace() for line in reversed(lines)], x, y),
                 [line.key for line in lines], *_table(lines),
                 note="" if curves.best is not None else compared.no_best)  # fmt: skip


def _window(curves: _Curves) -> tuple[float, float, float]:
    """(first round, lowest loss, highest) to show: the first rounds are far off, and certify little."""
    first = float(curves.t[curves.t >= min(2.0 * curves.t[-1] ** 0.5, 0.5 * curves.t[-1])][0])
    shown = curves.loss[curves.t >= first]
    least, most = float(shown.min()), float(shown.max())
    reach = 1.5 * max(most - least, 0.05 * abs(most), 1e-12)
    for line in (curves.best, None if curves.certificate is None else curves.loss - curves.certificate):
        if line is not None:
            seen = np.clip(line[curves.t >= 0.2 * curves.t[-1]], shown.min() - reach, shown.max() + reach)
            least, most = min(least, float(seen.min())), max(most, float(seen.max()))
    pad = 0.06 * max(most - least, 1e-9)
    return first, least - pad, most + pad


def _regret(curves: _Curves, compared: Compared) -> Chart:
    lines = []
    if curves.best is not None:
        lines.append(
            Line("to the best in hindsight of all rounds", "loss", *_above(curves.t, curves.loss - curves.best))
        )
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
                 figure([line.trace() for line in [slope, *drawn]], rounds_axis(curves.t[0], curves.t[-1]),
                        axis("regret a round", **logarithmic(min(line.y.min() for line in drawn),
                                                             max(line.y.max() for line in drawn)), tickformat="~g")),
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
