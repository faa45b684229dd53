"""`regretful compare`: several learners through the same log."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from regretful.cli.grouped import grouped
from regretful.cli.learners import LEARNERS
from regretful.cli.options import File, L, Losing, Reading, Told, option


def compare(
    file: File,
    reading: Reading,
    losing: Losing,
    told: Told,
    learners: Annotated[
        str,
        option(L, metavar="NAMES", help=f"Who plays, with commas, of {', '.join(LEARNERS)}. A learner's rate and its "
               "own numbers come after a colon, as in adagrad:rate=0.3,ftrl-proximal:alpha=0.1,l1=1."),
    ] = "adagrad,gradient,perceptron",
    passes: Annotated[int, option(L, metavar="N", min=1, help="How often to play the log.")] = 1,
) -> None:  # fmt: skip
    """Play several learners through the same log, and put the best first.

    Each reads the file from its start. The regret is to the fixed predictors of --domain; without it, to those no
    larger than the weights of the best learner.
    """
    from regretful.cli import play, spelling
    from regretful.cli.learners import recipe, several
    from regretful.cli.paper import Paper
    from regretful.cli.screen import domain_of
    from regretful.cli.source import again, labelled, opened
    from regretful.cli.words import spelt

    paper, silent = Paper(told.json), Paper(told.json, quiet=True)
    domain = None if losing.domain is None else spelling.domain(losing.domain)
    recipes = [recipe(text, losing.loss, None, domain, strict=False) for text in several(learners)]
    again(file, "compare plays the log once for each learner")
    for one in recipes:
        one.make(None, losing.intercept, losing.seed)
    games: list[tuple[str, Any]] = []
    for one in recipes:
        source = opened(file, reading.arguments(), losing.seed, passes)
        learner = one.make(source.features, losing.intercept, losing.seed)
        labelled(source, learner.loss)
        bar = False if told.quiet and told.progress is None else told.progress
        game, _, _ = play.run(learner, source, domain, silent, bar, lambda *_: None, str(one))
        games.append((str(one), game))
        if game.interrupted:
            break
    games.sort(key=lambda pair: pair[1].mean_loss)
    best = games[0][1]
    over = domain_of(best.learner, domain)
    rows = [row(name, played, over) for name, played in games]
    paper.table(["learner", "loss", "loss a round", "wrong", "regret at most", "rounds a second"], map(_cells, rows))
    sentences = play.answered(best, over, chosen=domain is None)
    if not told.quiet:
        paper.say()
        for sentence in sentences:
            paper.say(sentence)
    paper.document({"file": file, "domain": spelt(over), "answer": sentences, "learners": rows,
                    "interrupted": game.interrupted})  # fmt: skip
    if game.interrupted:
        raise typer.Exit(130)


command = grouped(compare)


def row(name: str, game: Any, domain: Any) -> dict[str, Any]:
    """One learner's line."""
    from regretful.cli.words import spelt

    return {
        "learner": name,
        "loss": spelt(game.learner.loss),
        "rounds": game.rounds,
        "mean_loss": game.mean_loss,
        "mistakes": game.mistakes if game.classification else None,
        "mean_regret_at_most": game.certificate(domain).regret_at_most / game.weight if game.weight else None,
        "seconds": game.seconds,
    }


def _cells(found: dict[str, Any]) -> list[str]:
    from regretful.cli.words import number

    wrong, regret, seconds = found["mistakes"], found["mean_regret_at_most"], found["seconds"]
    return [
        found["learner"],
        found["loss"],
        number(found["mean_loss"]),
        "" if wrong is None or not found["rounds"] else f"{wrong / found['rounds']:.2%}",
        "" if regret is None else number(regret),
        f"{found['rounds'] / seconds:,.0f}" if seconds else "",
    ]
