"""`regretful hindsight`: the best fixed predictor over a log, and how nearly it is the best."""

from __future__ import annotations

from typing import Annotated, Any

from regretful.cli.grouped import grouped
from regretful.cli.options import File, Json, L, Losing, O, Reading, option


def hindsight(
    file: File,
    reading: Reading,
    losing: Losing,
    tol: Annotated[float, option(L, metavar="GAP", min=0.0, help="The gap to reach, relative to the loss.")] = 1e-4,
    max_passes: Annotated[int, option(L, metavar="N", min=1, help="Passes over the file at most.")] = 1000,
    top: Annotated[int, option(O, metavar="N", min=0, help="How many of the largest weights to show.")] = 10,
    json: Json = False,
) -> None:
    """Find the best fixed predictor over a log: the one that would have lost least, had it been known beforehand.

    What it loses is told as an interval: this predictor loses the upper end, and no other of the domain loses less
    than the lower end. The file is read in passes.
    """
    from functools import partial

    import regretful as rg
    from regretful.cli import models, spelling
    from regretful.cli.paper import Paper
    from regretful.cli.source import again, labelled, opened
    from regretful.cli.words import count, number, spelt

    paper = Paper(json)
    loss = spelling.loss(losing.loss or "logistic")
    domain = spelling.domain(losing.domain or "everywhere")
    again(file, "hindsight reads the log in passes")
    source = opened(file, reading.arguments(), losing.seed)
    labelled(source, loss)
    found = rg.hindsight(
        loss, domain, partial(source.batches, loss), tol=tol, intercept=losing.intercept, max_passes=max_passes,
        features=source.features,
    )  # fmt: skip
    sentences = words(found, source.weight)
    for sentence in sentences:
        paper.say(sentence)
    weights = models.largest(found.named_weights(), top, source.name_of)
    if weights:
        paper.say("\nThe largest weights", "head")
        paper.table(["", ""], [[name, f"{value:+.4f}"] for name, value in weights])
    intercept = f", intercept {number(found.intercept)}" if losing.intercept else ""
    paper.say(f"\n{count(source.rows, 'round')}, {count(found.passes, 'pass', 'passes')}{intercept}", "faint")
    mean = {"mean_loss": found.loss / source.weight, "mean_lower": found.lower / source.weight}
    kept = ("loss", "lower", "gap", "radius", "attained", "passes", "note", "intercept")
    about = {name: getattr(found, name) for name in kept}
    paper.document({"file": file, "rounds": source.rows, **mean, **about, "domain": spelt(domain),
                    "answer": sentences, "weights": dict(weights)})  # fmt: skip


def words(found: Any, weight: float) -> list[str]:
    """What the best loses, as an interval a round."""
    from regretful.game.words import within

    upper, lower = found.loss / weight, found.lower / weight
    where = within(found.domain) + (f", within {found.radius:.4g} of 0" if found.radius is not None else "")
    return [
        f"The best fixed predictor {where} that was found loses {upper:.6g} a round.",
        f"No other of them loses less than {lower:.6g}: the gap is {found.gap:.1g} of the loss."
        + (f" {found.note[0].upper()}{found.note[1:]}." if found.note else ""),
    ]


command = grouped(hindsight)
