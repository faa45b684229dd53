"""`regretful predict`: what a saved learner says of a file, read as the log was that it learnt from."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from regretful.cli.grouped import grouped
from regretful.cli.options import File, O, R, Reading, among, option
from regretful.readers.files import FORMATS


def predict(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A saved learner.")],
    file: File,
    out: Annotated[
        str, option(O, metavar="CSV", help="Where the predictions go; - is standard output.")
    ] = "-",
    format: Annotated[  # noqa: A002  # the option is called so
        str | None,
        option(R, metavar="NAME", help="Of this file: libsvm, vw, csv, tsv, parquet, arrow or jsonl; by default as its "
               "name ends.", autocompletion=among(FORMATS)),
    ] = None,
    skip_bad: Annotated[
        bool, option(R, "--skip-bad", help="Count bad lines and leave them out, instead of stopping at the first.")
    ] = False,
    json: Annotated[
        bool, option(O, "--json", help="One JSON document on standard output, nothing else; asks for --out.")
    ] = False,
) -> None:  # fmt: skip
    """Predict with a saved learner. It learns nothing from the file.

    Columns are chosen, crossed and hashed as they were when it learnt. A label need not be there; where it is, the
    mean loss is told too.
    """
    from regretful.cli import models
    from regretful.cli.errors import Refused
    from regretful.cli.paper import Paper
    from regretful.cli.predictions import predictions
    from regretful.cli.source import opened
    from regretful.cli.words import count, number, skipped
    from regretful.core.reading import labels_of
    from regretful.game.tape import values

    if json and out == "-":
        raise Refused("--json and the predictions would both go to standard output: say where with --out")
    learner, before, _ = models.load(model)
    settings = models.merged(before, Reading(format=format, skip_bad=skip_bad).arguments(), model)
    source = opened(file, settings, models.hashing_seed(learner), labels="if there")
    rows, lost, weight = 0, 0.0, 0.0
    with predictions(out, learner.loss) as told:
        for batch in source:
            p = learner.predict_many(batch.X)
            told.add(p, batch.y)
            rows += len(p)
            if batch.y is not None:
                losses = values(learner.loss, p, labels_of(batch.y, learner.loss, len(p)))
                weights = np.ones(len(p)) if batch.weight is None else np.asarray(batch.weight)
                lost += float(losses @ weights)
                weight += float(weights.sum())
    found = {"file": file, "rows": rows, "mean_loss": lost / weight if weight else None, "predictions": out}
    Paper(json).document({**found, "bad_lines": source.bad.count})
    if not json:
        mean = f", mean loss {number(lost / weight)}" if weight else ""
        sys.stderr.write(f"{count(rows, 'row')} predicted{mean}{skipped(source.bad.count)}\n")


command = grouped(predict)
