"""Several learners over the same rounds: a table, and a picture."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from regretful.core.domains import Domain
from regretful.game.game import Game
from regretful.game.playing import play
from regretful.game.sources import as_nature, name_of
from regretful.nature import Oblivious, Pairs

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Comparison:
    """Games of several learners over the same rounds. games: by name. rows: a dict each, the least loss first."""

    def __init__(self, games: Mapping[str, Game], domain: Domain | None) -> None:
        self.games = dict(games)
        self.domain = domain
        self.rows = sorted((_row(name, game, domain) for name, game in games.items()), key=lambda row: row["loss"])

    @property
    def best(self) -> Game:
        """The game with the least loss."""
        return self.games[self.rows[0]["learner"]]

    def plot(self, axes: Any = None) -> tuple[Axes, Axes]:
        """Two matplotlib axes: cumulative loss, and mean loss. Asks for the extra `plot`."""
        from regretful.game.plots import draw_many

        return draw_many(self.games, axes)

    def table(self) -> str:
        """The rows as text."""
        columns = [name for name in self.rows[0] if any(row[name] is not None for row in self.rows)]
        cells = [columns, *([_cell(row[name]) for name in columns] for row in self.rows)]
        widths = [max(len(line[i]) for line in cells) for i in range(len(columns))]
        lines = [
            "  ".join(cell.ljust(width) if not i else cell.rjust(width) for i, (cell, width) in enumerate(pairs))
            for pairs in (list(zip(line, widths, strict=True)) for line in cells)
        ]
        return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"Comparison of {len(self.games)} games"


def _row(name: str, game: Game, domain: Domain | None) -> dict[str, Any]:
    ledger = domain is not None and getattr(game.learner, "ledger", None) is not None
    return {
        "learner": name,
        "rounds": game.rounds,
        "loss": game.loss,
        "mean_loss": game.mean_loss,
        "mistakes": game.mistakes if game.classification else None,
        "asked": game.asked,
        "regret_at_most": game.certificate(domain).regret_at_most if ledger and domain is not None else None,
        "seconds": game.seconds,
    }


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}"


def compare(
    learners: Sequence[Any] | Mapping[str, Any],
    X: Any,
    y: Any = None,
    *,
    weight: Any = None,
    label: str | None = None,
    rounds: int | None = None,
    curve: int | Iterable[int] = 100,
    domain: Domain | None = None,
    progress: bool | None = None,
) -> Comparison:
    """Play several learners over the same rounds, one after the other; what they are called are the keys of a dict.

    A nature that looks at the learner plays each afresh, so its rounds may differ. domain: for which the table tells
    the certificate of regret. Ctrl-C ends the game at hand, and with it the comparison. The rest is as in `rg.play`.

    >>> import regretful as rg
    >>> players = {"slow": rg.GradientDescent(rg.Squared(), 0.01), "fast": rg.GradientDescent(rg.Squared(), 0.2)}
    >>> told = rg.compare(players, rg.nature.LinearNoise(n=3), rounds=1000)
    >>> [row["learner"] for row in told.rows]
    ['fast', 'slow']
    """
    players = dict(learners) if isinstance(learners, Mapping) else _named(learners)
    if not players:
        raise ValueError("there are no learners to compare")
    nature = as_nature(X, y, weight, label, players.values())
    if isinstance(nature, Pairs) and hasattr(nature.pairs, "__next__"):
        nature = Pairs(list(nature.pairs))
    games: dict[str, Game] = {}
    for name, learner in players.items():
        mine = nature if isinstance(nature, Oblivious) else copy.deepcopy(nature)
        domains = None if domain is None else (domain,)
        games[name] = play(learner, mine, rounds=rounds, curve=curve, domains=domains, progress=progress)
        if games[name].interrupted:
            break
    return Comparison(games, domain)


def _named(learners: Sequence[Any]) -> dict[str, Any]:
    """By class; where there are several of one, numbered."""
    kinds = [name_of(learner) for learner in learners]
    if len({id(learner) for learner in learners}) < len(learners):
        raise ValueError("the same learner stands twice in the list: it would go on from where it ended")
    named: dict[str, Any] = {}
    for place, (kind, learner) in enumerate(zip(kinds, learners, strict=True)):
        named[kind if kinds.count(kind) == 1 else f"{kind} {kinds[: place + 1].count(kind)}"] = learner
    return named
