"""`regretful theorems`: every theorem of the notes, played."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from regretful.cli.options import Json


def theorems(
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="These alone, by id or row; again, or with commas."),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Of each game; by default each theorem's own.")
    ] = None,
    attack: Annotated[bool, typer.Option("--attack", help="Let the adversaries play: the worst games found.")] = False,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of all that is drawn at random.")] = 0,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="One picture a theorem, both sides over rounds."),
    ] = None,
    jobs: Annotated[int | None, typer.Option(metavar="N", min=1, help="Processes; by default at most two.")] = None,
    json: Json = False,
) -> None:
    """Play every theorem of the notes and compare its two sides, measured. Ends with 1 if a verdict is unexpected."""
    from regretful.theorems.table import tell

    ended = tell(only or (), rounds, seed, attack=attack, as_data=json, plot=plot, jobs=jobs)
    raise typer.Exit(ended)
