"""`regretful demo`: a click log is generated, written to Parquet and played, as a user would."""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from typing import Annotated

import typer

from regretful.cli.options import Json

LEGEND = """
A learner plays it: it predicts each event before it sees whether it was clicked, pays the logistic loss, and learns
from it. A line of the table stands for the rounds up to there:

  mean loss, since last   what a round cost so far, and since the line above
  rounds                  events so far
  label, predicted        of the last of them: 1 clicked, 0 not; and the log-odds of a click that were predicted
  features                how many it has
  hindsight at least      no fixed predictor with weights as large as these could have lost less, a round so far
  regret at most          so much more than the best of them was lost, at most
"""


def demo(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Where the log, the model and the report go.")
    ] = Path("regretful-demo"),
    rounds: Annotated[int, typer.Option(metavar="N", min=1, help="How many events the log has.")] = 1_000_000,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="The same seed gives the same log.")] = 0,
    json: Json = False,
) -> None:
    """Generate a click log and play it: the main job from a file to an answer.

    The log has texts and numbers of each impression of an advertisement, and whether it was clicked. The model behind
    it is linear but drifts. What is played is the command that the demo shows: run it again with other options.
    """
    from regretful.cli.options import Losing, Reading, Written
    from regretful.cli.paper import Paper
    from regretful.cli.play import Who, play_file
    from regretful.core.files import replacing
    from regretful.nature.clicks import ClickLog

    paper = Paper(json)
    folder.mkdir(parents=True, exist_ok=True)
    log, model, page = (folder / name for name in ("clicks.parquet", "clicks.rg", "report.html"))
    start = time.perf_counter()
    with replacing(log) as file:
        ClickLog(seed=seed).write(file, rounds)
    paper.say(f"A click log of {rounds:,} events, written to {log} in {time.perf_counter() - start:.1f} s.", "faint")
    typed = shlex.join(
        ["regretful", "play", str(log), "--label", "clicked", "--save", str(model), "--report", str(page)]
    )
    paper.say(LEGEND)
    paper.say(f"$ {typed}\n", "mark")
    written = Written(save=model, report=page)
    play_file(str(log), Reading(label="clicked"), Who(), Losing(), written, paper, None, typed)
