"""`regretful play`: a learner through a log, and the account of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from regretful.cli import learners, spelling
from regretful.cli.grouped import grouped
from regretful.cli.options import File, L, Losing, Reading, Told, Written, among, option

if TYPE_CHECKING:
    import regretful as rg
    from regretful.cli.paper import Paper
    from regretful.game import Game

RATES = ", ".join(part.spelt for part in spelling.RATES.values())


@dataclass(frozen=True)
class Who:
    """Who plays."""

    learner: Annotated[
        str,
        option(
            L,
            metavar="NAME",
            help=f"Who plays: {', '.join(learners.LEARNERS)}; a learner's own numbers after a "
            "colon, as in pegasos:lam=0.001.",
            autocompletion=among(learners.LEARNERS),
        ),
    ] = learners.DEFAULT
    rate: Annotated[
        str | None,
        option(
            L,
            metavar="RATE",
            help=f"How far a step goes: {RATES}. By default 0.1, or the learner's own.",
            autocompletion=among(spelling.RATES),
        ),
    ] = None
    passes: Annotated[int, option(L, metavar="N", min=1, help="How often to play the log.")] = 1
    load: Annotated[
        Path | None,
        option(L, metavar="MODEL", help="Go on with a saved learner; the file is read as the one it learnt from."),
    ] = None  # fmt: skip


def play(file: File, reading: Reading, who: Who, losing: Losing, written: Written, told: Told) -> None:
    """Play a learner through a log: predict, see the label, pay, step; then say how that compares.

    On the way the table shows, at rounds 1, 2, 4, 8, …: the mean loss so far and since the last line, the label and
    the prediction of that round, and what no fixed predictor could have lost less than. Ctrl-C ends the game; what
    was played so far is saved and told.
    """
    import shlex
    import sys

    from regretful.cli.paper import Paper

    typed = shlex.join(["regretful", *sys.argv[1:]])
    game = play_file(file, reading, who, losing, written, Paper(told.json, told.quiet), told.progress, typed)
    if game.interrupted:
        raise typer.Exit(130)


command = grouped(play)


def play_file(
    file: str, reading: Reading, who: Who, losing: Losing, written: Written, paper: Paper, bar: bool | None, typed: str
) -> Game:
    """The whole of it; `typed` is the command that asks for it."""
    from regretful.cli.predictions import predictions
    from regretful.cli.source import labelled
    from regretful.cli.words import pace

    domain = None if losing.domain is None else spelling.domain(losing.domain)
    writable(written)
    learner, source, before = prepared(file, reading, who, losing, domain)
    labelled(source, learner.loss)
    with predictions(written.predictions, learner.loss) as out:
        game, over, lines = run(learner, source, domain, paper, bar, out.add, title=file)
    files = finish(game, source, written, before, over, typed)
    told = answered(game, over, chosen=domain is None)
    paper.aside()
    for sentence in told:
        paper.say(sentence)
    paper.aside(f"\n{pace(game, source.bad.count)}", "faint")
    for what, path in files.items():
        paper.aside(f"{what:<12} {path}")
    about = {"file": file, "bad_lines": source.bad.count, "answer": told, "files": files}
    paper.document({**about, **document(game, over), "curve": lines})
    return game


def writable(written: Written) -> None:
    """What could not be written in the end is said before the game."""
    from importlib.util import find_spec

    from regretful.cli.errors import Failed

    for path in (written.save, written.report, written.predictions):
        if path is not None and not path.parent.is_dir():
            raise Failed(f"there is no folder {str(path.parent)!r} to save {path.name!r} in")
        if path is not None and path.is_dir():
            raise Failed(f"{path} is a folder: name a file in it")
    if written.report is not None and find_spec("plotly") is None:
        raise Failed("--report draws with Plotly, which is not there: pip install 'regretful[report]'")


def prepared(file: str, reading: Reading, who: Who, losing: Losing, domain: rg.Domain | None) -> tuple[Any, Any, Any]:
    """The learner, made or loaded, the source, and the names that came with the learner."""
    from regretful.cli import models
    from regretful.cli.errors import Refused
    from regretful.cli.source import opened

    settings = reading.arguments()
    if who.load is None:
        recipe = learners.recipe(who.learner, losing.loss, who.rate, domain)
        recipe.make(None, losing.intercept, losing.seed)  # what makes no sense is said before the file is opened
        source = opened(file, settings, losing.seed, who.passes)
        return recipe.make(source.features, losing.intercept, losing.seed), source, {}
    asked = None if who.learner == learners.DEFAULT else who.learner
    for name, given in (("--learner", asked), ("--loss", losing.loss), ("--rate", who.rate)):
        if given is not None:
            raise Refused(f"{name} {given}: the learner of {who.load} brings its own; leave this out")
    learner, before, names = models.load(who.load)
    settings = models.merged(before, settings, who.load)
    return learner, opened(file, settings, models.hashing_seed(learner), who.passes), names


def run(
    learner: Any,
    source: Any,
    domain: rg.Domain | None,
    paper: Paper,
    bar: bool | None,
    add: Callable[..., None],
    name: str = "playing",
    title: str = "",
) -> tuple[Game, rg.Domain, list[dict[str, Any]]]:
    """Play it with the table on. The game, the domain to compare over, and the lines of the table."""
    import regretful as rg
    from regretful.cli.screen import CURVE, Screen, domain_of

    screen = Screen(paper, learner, domain, bar, name, title)
    tapes: list[Any] = []

    def watch(batch: Any, p: Any, tape: Any) -> None:
        tapes[:] = [tape]
        add(p, batch.y)
        screen.watch(batch, p, tape)

    asked = () if domain is None or not domain.bounded else (domain,)
    with screen.over(source):
        game = rg.play(learner, source, curve=CURVE, domains=asked, record=False, progress=False, watch=watch)
        for tape in tapes:
            screen.close(tape)
    return game, domain_of(learner, domain), screen.lines


def finish(
    game: Game, source: Any, written: Written, before: dict[int, str], over: rg.Domain, typed: str
) -> dict[str, Path]:
    """Write the files that were asked for."""
    from regretful.cli import models
    from regretful.cli.source import names

    files: dict[str, Path] = {}
    if written.save is not None:
        models.save(game.learner, written.save, source.settings(), names(game.learner, source, before))
        files["model"] = written.save
    if written.predictions is not None:
        files["predictions"] = written.predictions
    if written.report is not None:
        from regretful import report

        title = f"{game.name} on {source.files.paths[0]}"
        report.write(game, written.report, domain=over, title=title, command=typed, model=written.save, hindsight=False)
        files["report"] = written.report
    return files


def answered(game: Game, over: rg.Domain, *, chosen: bool) -> list[str]:
    """Two plain sentences; a third where the domain was nobody's wish."""
    import regretful as rg
    from regretful.game.words import answer

    sentences = list(answer(game, over))
    if game.rounds and chosen and isinstance(over, rg.Ball) and over != game.learner.domain:
        sentences.append(f"({over.radius:g} is the norm of the learner's own weights; --domain asks about others.)")
    return sentences


def document(game: Game, over: rg.Domain) -> dict[str, Any]:
    """What programs are told of a game."""
    from regretful.cli.words import spelt

    weight = game.weight or float("nan")
    certificate = game.certificate(over)
    return {
        "learner": {name: spelt(getattr(game.learner, name)) for name in ("loss", "geometry", "domain", "rate")},
        "name": game.name,
        "rounds": game.rounds,
        "weight": game.weight,
        "loss": game.loss,
        "mean_loss": game.mean_loss,
        "mistakes": game.mistakes if game.classification else None,
        "domain": spelt(over),
        "best_mean_loss_at_least": certificate.best_loss_at_least / weight,
        "mean_regret_at_most": certificate.regret_at_most / weight,
        "seconds": game.seconds,
        "interrupted": game.interrupted,
    }
