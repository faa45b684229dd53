"""`regretful convert`: the same examples in another format."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from regretful.cli.grouped import grouped
from regretful.cli.options import File, O, Reading, Told, among, option
from regretful.readers.files import FORMATS


def convert(
    file: File,
    out: Annotated[
        str, typer.Argument(metavar="OUT", help="The file to write; its name tells the format, .gz and .zst compress.")
    ],
    reading: Reading,
    told: Told,
    to: Annotated[
        str | None,
        option(O, metavar="NAME", help="The format of OUT, if its name does not tell it; - is standard output.",
               autocompletion=among(FORMATS)),
    ] = None,
) -> None:  # fmt: skip
    """Write the examples of a file in another format; read again, they are the same to the last bit.

    A table written as a table keeps its columns and types. Otherwise each feature is written by its name with its
    value, as a learner would see it: strings one-hot, crosses among them. libsvm takes numbered features only, Vowpal
    Wabbit text no names with blanks, colons or bars, and a table at most 4,096 features; what cannot be written is an
    error that says where, and which format would do. OUT takes its name when it is whole.
    """
    from regretful.cli.errors import Failed, Refused
    from regretful.cli.paper import Paper
    from regretful.cli.words import count, skipped
    from regretful.convert import convert as write
    from regretful.readers.errors import BadLine
    from regretful.readers.settings import Settings

    if told.json and out == "-":
        raise Refused("--json and the examples would both go to standard output: give a file")
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in reading.arguments().items()
    }
    settings = Settings(**given, labels="if there" if reading.label is None else "asked")
    start = time.perf_counter()
    try:
        with _bar(told) as watch:
            done = write(file, out, settings, to, watch)
    except BrokenPipeError:  # who read has gone
        raise
    except (BadLine, OSError) as error:
        raise Failed(str(error)) from None
    except ValueError as error:
        raise Refused(str(error)) from None
    seconds = time.perf_counter() - start
    Paper(told.json).document({"file": file, "out": out, **done, "seconds": seconds})
    if not (told.json or told.quiet):
        sys.stderr.write(f"{count(done['rows'], 'row')} to {out} in {seconds:.1f} s{skipped(done['bad_lines'])}\n")
        sys.stderr.writelines(f"{note}\n" for note in done["notes"])


command = grouped(convert)


@contextmanager
def _bar(told: Told) -> Iterator[Callable[[int, int, int | None], None]]:
    """A progress bar on standard error, if it is a terminal."""
    from regretful.cli.paper import console

    where = console(stderr=True)
    wanted = told.progress if told.progress is not None else where.is_terminal and not (told.quiet or told.json)
    if not wanted:
        yield lambda *_: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("converting"),
        BarColumn(None),
        TextColumn("{task.percentage:3.0f}%"),
        TextColumn("{task.fields[rows]:,} rows"),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=where, transient=True) as progress:
        task = progress.add_task("converting", total=None, rows=0)
        yield lambda rows, done, size: progress.update(task, completed=done, total=size, rows=rows)
