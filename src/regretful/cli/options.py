"""The options that commands share, in three groups: how a file is read, how it is learnt from, what is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from regretful.cli import spelling
from regretful.cli.errors import Refused
from regretful.readers.files import FORMATS


def option(group: str, *names: str, **how: Any) -> Any:
    """An option, and the group that it is listed in."""
    return typer.Option(*names, rich_help_panel=group, **how)


def among(names: Iterable[str]) -> Callable[[str], list[str]]:
    """What the shell completes to: those of the names that begin so."""
    return lambda incomplete: [name for name in names if name.startswith(incomplete)]


File: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="The log: libsvm, Vowpal Wabbit text, CSV, TSV, Parquet, Arrow or JSON lines; .gz and .zst too; "
        "a pattern in quotes for several files; - for standard input.",
    ),
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="One JSON document on standard output, nothing else.")]

R, L, O = "Reading", "Learning", "Output"  # noqa: E741  # the three groups
LOSSES, DOMAINS = (", ".join(part.spelt for part in table.values()) for table in (spelling.LOSSES, spelling.DOMAINS))


@dataclass(frozen=True)
class Reading:
    """How the file is read."""

    label: Annotated[str | None, option(R, metavar="COLUMN", help="The column that holds the label.")] = None
    weight: Annotated[
        str | None,
        option(R, metavar="COLUMN", help="The column that says how often an example counts."),
    ] = None
    format: Annotated[
        str | None,
        option(R, metavar="NAME", help="libsvm, vw, csv, tsv, parquet, arrow or jsonl; by default as the name ends.",
               autocompletion=among(FORMATS)),
    ] = None  # fmt: skip
    only: Annotated[
        list[str] | None,
        option(R, metavar="NAMES", help="Columns to use, by name or pattern, with commas; again for more."),
    ] = None
    ignore: Annotated[
        list[str] | None,
        option(R, metavar="NAMES", help="Columns to leave out, by name or pattern, with commas; again for more."),
    ] = None
    text: Annotated[
        list[str] | None,
        option(R, metavar="NAMES", help="Columns to read as texts though they look like numbers, such as ids."),
    ] = None
    cross: Annotated[
        list[str] | None,
        option(R, metavar="A,B", help="A feature for each pair of values of two columns; again for more."),
    ] = None
    time: Annotated[str | None, option(R, metavar="COLUMN", help="The column to put the rounds in order by.")] = None
    header: Annotated[
        bool | None,
        option(R, help="Whether a CSV or TSV file begins with the names of its columns; by default it is looked at."),
    ] = None
    bits: Annotated[int, option(R, metavar="N", min=1, max=30, help="Features are hashed to 2^N places.")] = 20
    skip_bad: Annotated[
        bool, option(R, "--skip-bad", help="Count bad lines and leave them out, instead of stopping at the first.")
    ] = False

    def arguments(self) -> dict[str, Any]:
        """As `rg.read` takes them."""
        for names in self.cross or ():
            if len(names.split(",")) < 2 or not all(names.split(",")):
                raise Refused(f"--cross {names}: give two columns, as in --cross site,device")
        lists = {"only": self.only, "ignore": self.ignore, "text": self.text}
        return {
            "format": self.format,
            "label": self.label,
            "weight": self.weight,
            "time": self.time,
            "cross": list(self.cross or ()),
            **{name: spelling.items(given or ()) for name, given in lists.items()},
            "header": self.header,
            "bits": self.bits,
            "skip_bad": self.skip_bad,
        }


@dataclass(frozen=True)
class Losing:
    """What is lost, and who is compared with."""

    loss: Annotated[
        str | None,
        option(L, metavar="LOSS", help=f"What a prediction costs: {LOSSES}. By default logistic, or the learner's.",
               autocompletion=among(spelling.LOSSES)),
    ] = None  # fmt: skip
    domain: Annotated[
        str | None,
        option(L, metavar="DOMAIN", help=f"The fixed predictors to compare with: {DOMAINS}. The learner's weights stay "
               "there too, if it can be kept there.", autocompletion=among(spelling.DOMAINS)),
    ] = None  # fmt: skip
    intercept: Annotated[bool, option(L, help="Whether there is a feature that is always 1.")] = True
    seed: Annotated[int, option(L, metavar="N", min=0, help="Of all that is drawn at random, and of the hashing.")] = 0


@dataclass(frozen=True)
class Told:
    """What is shown while it runs, and how."""

    json: Annotated[bool, option(O, "--json", help="One JSON document on standard output, nothing else.")] = False
    quiet: Annotated[bool, option(O, "--quiet", "-q", help="The answer alone: no table, no bar.")] = False
    progress: Annotated[
        bool | None,
        option(O, help="Whether to show a progress bar; by default on a terminal only."),
    ] = None


@dataclass(frozen=True)
class Written:
    """The files that are written."""

    save: Annotated[Path | None, option(O, metavar="MODEL", help="Save the learner there.")] = None
    report: Annotated[
        Path | None, option(O, metavar="HTML", help="Write a report there: one page that works offline.")
    ] = None  # fmt: skip
    predictions: Annotated[
        Path | None, option(O, metavar="CSV", help="Write the predictions there, each made before its label was "
                             "seen.")
    ] = None  # fmt: skip
