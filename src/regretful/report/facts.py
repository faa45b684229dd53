"""What the report says in tables: the figures on top, the data as read, the learner and its settings, the ledger."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from regretful.core.losses import Logistic
from regretful.core.tables import is_table
from regretful.game import Game
from regretful.game.words import within
from regretful.report.classes import curve
from regretful.report.compared import Compared

Facts = list[tuple[str, str]]
LEDGER = (
    ("L", "loss", "Σ ℓ(y, p): the cumulative loss"),
    ("T", "rounds", "rounds"),
    ("W", "weight", "Σ of the examples' weights"),
    ("A", "A", "Σ s·p, the slopes times the predictions"),
    ("‖G‖₂", "norm", "the Euclidean norm of G = Σ s·x, the slopes times the examples"),
    ("Z", "max_slope", "max |s|, the steepest slope"),
    ("R₂", "max_norm2", "max ‖x‖₂, the longest example"),
    ("R∞", "max_norm_inf", "max ‖x‖∞, the largest feature"),
    ("V₂", "squares2", "Σ s²‖x‖₂²"),
    ("V∞", "squares_inf", "Σ s²‖x‖∞²"),
)

SPELT = {"size": "bytes", "bad": "bad lines left out", "names": "names of features"}  # what readers call them


def figures(game: Game, compared: Compared) -> Facts:
    """The few that stand on top."""
    if not game.rounds:
        return [("rounds", "0")]
    found = [("rounds", f"{game.rounds:,}"), ("loss a round", number(game.mean_loss))]
    if compared.domain is not None and compared.certificate is not None:
        regret = float(compared.certificate[-1])
        found.append(("regret a round, at most", number(regret / game.weight)))
    if game.learner.loss.classification:
        found.append(("mistakes", f"{game.mistakes / game.rounds:.2%}"))
    if game.asked is not None:
        found.append(("labels asked for", f"{game.asked / game.rounds:.2%}"))
    tally = game.tally
    if tally is not None and tally.loss.classification and 0.0 < tally.came.sum() < tally.weight.sum():
        rate = float(tally.came.sum() / tally.weight.sum())
        found.append(("positive labels", f"{rate:.2%}"))
        found.append(("area under the ROC", f"{curve(tally)[2]:.4f}"))
        if isinstance(tally.loss, Logistic):
            constant = -(rate * np.log(rate) + (1.0 - rate) * np.log1p(-rate))
            found.append(("loss of always telling that share", number(float(constant))))
    if game.seconds > 0.0:
        found.append(("rounds a second", f"{game.rounds / game.seconds:,.0f}"))
    return found


def learner(game: Game, compared: Compared) -> Facts:
    """Who played, with which settings, and what it was held against."""
    found = [("learner", game.name)]
    slots = game.learner._slots() if hasattr(game.learner, "_slots") else {"loss": game.learner.loss}
    found += [(name, _setting(value)) for name, value in slots.items() if value not in (None, (), False, 0.0)]
    if compared.domain is not None:
        found.append(("held against", f"every fixed predictor {within(compared.domain)}: {compared.domain!r}"))
    if compared.theorem is not None:
        found.append(("theorem", f"{compared.theorem.statement} ({compared.theorem.source})"))
    return found


def _setting(value: Any) -> str:
    return "yes" if value is True else repr(value)


def ledger(game: Game) -> list[tuple[str, str, str]]:
    """(letter, figure, what it is) at the end of the game."""
    last = {name: column[-1] for name, column in game.curve.items() if len(column)}
    return [(letter, number(last[name]), told) for letter, name, told in LEDGER if name in last]


def data(game: Game, source: Any) -> tuple[Facts, list[tuple[str, str]]]:
    """(what was read, its columns and their types): as the source tells, else as the examples show."""
    found: Facts = []
    columns: list[tuple[str, str]] = []
    told: Any = getattr(game.nature, "source", None) if source is None else source
    if hasattr(told, "describe"):
        told = told.describe()
    if isinstance(told, Mapping):
        given = dict(told)
        listed = given.pop("columns", ())
        columns = [(str(name), str(kind)) for name, kind in (listed.items() if isinstance(listed, Mapping) else listed)]
        found = [
            (SPELT.get(str(name), str(name)), _listed(value)) for name, value in given.items() if value is not None
        ]
    elif told is not None:
        found.append(("source", os.fspath(told) if isinstance(told, os.PathLike) else str(told)))
    if "rows" not in dict(found):
        found.append(("rounds played", f"{game.rounds:,}" + (", then interrupted" if game.interrupted else "")))
    if game.weight != game.rounds:
        found.append(("weight of the examples", number(game.weight)))
    if not columns and told is None and game.nature is not None:
        X = getattr(game.nature, "X", None)
        shown, columns = ([("nature", repr(game.nature))], []) if X is None else _examples(X)
        found += shown
    return found, columns


def _listed(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else number(value)


def _examples(X: Any) -> tuple[Facts, list[tuple[str, str]]]:
    """What X is."""
    if is_table(X):
        if hasattr(X, "schema") and hasattr(X.schema, "types"):
            return [], list(zip(X.schema.names, map(str, X.schema.types), strict=True))
        if hasattr(X, "dtypes") and hasattr(X, "iloc"):
            return [], [(str(name), str(kind)) for name, kind in X.dtypes.items()]
        return [], [(str(name), str(kind)) for name, kind in X.schema.items()]
    if hasattr(X, "indptr"):
        full = X.shape[0] * X.shape[1]
        filled = f", {len(X.data) / full:.3%} of them filled" if full else ""
        return [("examples", f"a sparse matrix, {X.shape[0]:,} × {X.shape[1]:,}{filled}")], []
    if hasattr(X, "shape"):
        return [("examples", f"an array, {X.shape[0]:,} × {X.shape[1]:,}, {X.dtype}")], []
    kinds: dict[str, set[str]] = {}
    for event in X[:1000]:
        for name, value in event.items():
            kinds.setdefault(str(name), set()).add(type(value).__name__)
    return [("examples", f"{len(X):,} events")], [(name, " or ".join(sorted(kind))) for name, kind in kinds.items()]


def number(value: Any) -> str:
    """A count with its thousands apart; another number to four digits."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        return str(value)
    whole = float(value)
    if np.isfinite(whole) and whole == round(whole) and abs(whole) < 1e15:
        return f"{int(whole):,}"
    return f"{whole:,.0f}" if 1e4 <= abs(whole) < 1e15 else f"{whole:.4g}"
