"""Writing a report: what is told is gathered here, put on the page, and the file put in its place in one stroke."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from regretful.core.domains import Domain
from regretful.core.files import replacing
from regretful.game import Game
from regretful.game.sources import name_of
from regretful.game.words import answer
from regretful.report import classes, curves, facts, labels, weights
from regretful.report.compared import compare
from regretful.report.page import Told, page


def write(
    game: Game,
    path: str | os.PathLike[str],
    *,
    domain: Domain | None = None,
    title: str | None = None,
    source: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    command: str | None = None,
    model: str | os.PathLike[str] | None = None,
    hindsight: bool | None = None,
) -> Path:
    """Write the report of a game to `path`: one HTML file that needs nothing beside it. Asks for the extra `report`.

    It tells the answer in two sentences, draws loss, hindsight, certificate and the bound of a theorem over the rounds,
    calibration and ROC or residuals, the largest weights, and lists the data, the learner and its ledger.

    domain: of the predictors that the game is held against; by default the first that was asked for in the game, or
    the learner's own, or the ball that its weights just fill. source: what was read, as text or by name
    (`{"file": …, "rows": …, "bad lines": …, "columns": {name: type}}`). command: that would do it again. model: where
    the learner was saved. hindsight: whether to look for the best in hindsight; by default up to 100,000 rounds.
    """
    text = html(game, domain=domain, title=title, source=source, command=command, model=model, hindsight=hindsight)
    with replacing(path) as file:
        file.write(text.encode("utf-8", "replace"))
    return Path(path)


def html(
    game: Game,
    *,
    domain: Domain | None = None,
    title: str | None = None,
    source: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    command: str | None = None,
    model: str | os.PathLike[str] | None = None,
    hindsight: bool | None = None,
) -> str:
    """The report as text; the arguments are those of `write`."""
    script = _plotly()
    compared = compare(game, domain, hindsight)
    promised = None if compared.promised is None else float(compared.promised[-1])
    over = compared.domain if compared.certificate is not None else None
    read, columns = facts.data(game, source)
    told = Told(
        title=title or f"A game of {game.name}",
        when=dt.datetime.now().astimezone().strftime("%-d %B %Y, %H:%M %Z"),
        version=_version(),
        sentences=answer(game, over, promised),
        figures=facts.figures(game, compared),
        loss=curves.charts(game, compared) if game.rounds else [],
        labels=_labels(game),
        weights=weights.chart(game),
        data=read,
        columns=columns,
        learner=facts.learner(game, compared),
        unmet=compared.unmet,
        ledger=facts.ledger(game),
        command=command,
        python=_python(game, model),
    )
    return page(told, script)


def _labels(game: Game) -> list[Any]:
    if game.tally is None or not game.rounds:
        return []
    return classes.charts(game.tally) if game.tally.loss.classification else labels.charts(game.tally)


def _python(game: Game, model: str | os.PathLike[str] | None) -> str:
    """What takes up the learner again, or makes its like."""
    if model is not None:
        return f"import regretful as rg\n\nlearner = rg.load({os.fspath(model)!r})\nlearner.predict_one(x)"
    return f"import regretful as rg\n\nlearner = {_maker(game.learner)}\ngame = rg.play(learner, X, y)"


def _maker(learner: Any, margin: str = "") -> str:
    """The call that makes its like; where it plays by means of another learner, with that one's inside."""
    slots = learner._slots() if hasattr(learner, "_slots") else {}
    rule = learner._rule().__name__ if hasattr(learner, "_rule") else name_of(learner)
    plain = {"conservative": False, "implicit": False, "l2": 0.0, "intercept": False, "n": None, "features": None,
             "keep": (), "seed": 0, "ledger": True}  # fmt: skip
    inner = f"{margin}    "
    given = [
        f"{name}={_maker(value, inner) if hasattr(value, '_slots') else _made(value)}"
        for name, value in slots.items() if name not in plain or plain[name] != value
    ]  # fmt: skip
    made = "".join(f"{inner}{one},\n" for one in given)
    return f"rg.{rule}(\n{made}{margin})"


def _made(value: Any) -> str:
    return f"rg.{value!r}" if hasattr(value, "settings") else repr(value)


def _plotly() -> str:
    """Plotly's script, as its package brings it."""
    try:
        from plotly.offline import get_plotlyjs
    except ImportError as error:
        raise ImportError("reports need plotly: pip install 'regretful[report]'") from error
    return str(get_plotlyjs())


def _version() -> str:
    from importlib.metadata import version

    return version("regretful")
