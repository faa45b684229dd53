"""The program: its commands, its exit codes, and how an error is told."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from regretful.cli import compare, convert, demo, hindsight, inspect, learners, play, predict, spelling, theorems
from regretful.cli.errors import DATA, INTERRUPTED, Failed, Refused

app = typer.Typer(
    name="regretful",
    help="Online learning that keeps account of its regret.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
LISTS: dict[str, dict[str, Any]] = {
    "Learners": learners.LEARNERS,
    "Losses": spelling.LOSSES,
    "Domains": spelling.DOMAINS,
    "Rates": spelling.RATES,
}
LOOKED_UP: dict[str, tuple[str, ...]] = {}  # the lists that the help of a command ends with


def _described(titles: tuple[str, ...]) -> str | None:
    """The members of these lists, one a line."""
    lists = {title: [(getattr(entry, "spelt", name), entry.about) for name, entry in LISTS[title].items()]
             for title in titles}  # fmt: skip
    wide = max((len(spelt) for entries in lists.values() for spelt, _ in entries), default=0)
    blocks = ["\n".join([title, *(f"  {spelt:<{wide}}  {about}" for spelt, about in entries)])
              for title, entries in lists.items()]  # fmt: skip
    return "\n\n".join(blocks) or None


def _add(name: str, command: Callable[..., None], *lists: str) -> None:
    """A command: its docstring is its help, the first paragraph stands in the list of commands."""
    LOOKED_UP[name] = lists
    paragraphs = [" ".join(text.split()) for text in (command.__doc__ or "").split("\n\n")]
    app.command(name, help="\n\n".join(paragraphs), short_help=paragraphs[0], epilog=_described(lists))(command)


_add("play", play.command, *LISTS)
_add("compare", compare.command, *LISTS)
_add("predict", predict.command)
_add("hindsight", hindsight.command, "Losses", "Domains")
_add("inspect", inspect.inspect, "Domains")
_add("convert", convert.command)
_add("theorems", theorems.theorems)
_add("demo", demo.demo)


def _version(wanted: bool) -> None:
    if wanted:
        import regretful as rg

        typer.echo(f"regretful {rg.__version__}")
        raise typer.Exit


@app.callback()
def program(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="The version, and nothing else.")
    ] = False,
) -> None:
    """Online learning that keeps account of its regret."""


def main(arguments: list[str] | None = None) -> None:
    """Run the program; it ends with 0, 1 (an error in the data), 2 (in what was typed) or 130 (Ctrl-C)."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """The exit code."""
    try:
        ended = typer.main.get_command(app).main(arguments, prog_name="regretful", standalone_mode=False)
        sys.stdout.flush()
        return int(ended or 0)
    except BrokenPipeError:
        # Who read has gone; what Python would still flush has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (Refused, Failed) as error:
        return _told(str(error), error.code)
    except (KeyboardInterrupt, typer.Abort):
        return _told("interrupted", INTERRUPTED)
    except (OSError, ValueError, TypeError) as error:
        return _told(str(error), DATA)
    except Exception as error:
        if not hasattr(error, "format_message"):  # Typer's own, for what was typed
            raise
        command = getattr(getattr(error, "ctx", None), "command_path", "regretful")
        return _told(f"{error.format_message()} ({command} --help tells more)", getattr(error, "exit_code", 2))


def _told(message: str, code: int) -> int:
    """One line on standard error."""
    line = " ".join(message.split())
    with_colour = sys.stderr.isatty() and "NO_COLOR" not in os.environ
    name = "\033[31mregretful:\033[0m" if with_colour else "regretful:"
    sys.stderr.write(f"{name} {line}\n")
    return code
