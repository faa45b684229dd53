"""Writes docs/cli.md from the program: commands and options. `make docs` runs it; a test tells when it is due."""

import re
from pathlib import Path
from typing import Any

import typer

from regretful.cli.app import LISTS, LOOKED_UP, app

HERE = Path(__file__).parent

HEADER = """\
# The command line

`regretful COMMAND --help` tells the same. This page is written by `docs/make_cli.py` from the program: change that,
then run `make docs`.

- What a command finds goes to standard output, plain where that is no terminal; `--json` makes it one JSON document.
  Errors are one line on standard error.
- It ends with 0; with 1 when something is wrong with a file; with 2 when something is wrong with what was typed; with
  130 after Ctrl-C, when what was played so far has been saved and told.
- A file is read by what its name ends in: `.svm` (libsvm), `.vw` (Vowpal Wabbit text), `.csv`, `.tsv`, `.parquet`,
  `.arrow` or `.jsonl`; `.gz` or `.zst` may follow. A pattern, in quotes, stands for all files that fit it, and `-` for
  standard input.
- `regretful --install-completion` teaches your shell to complete commands, options, and the names of learners and the
  like.
"""


def page() -> str:
    """The whole page."""
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]  # a group
    summary = ["| command | what it does |", "| --- | --- |"]
    summary += [f"| [`{name}`](#regretful-{name}) | {one.short_help} |" for name, one in commands.items()]
    parts = [HEADER, "\n".join(summary) + "\n"]
    parts += [_command(name, one) for name, one in commands.items()]
    parts += [_list(title) for title in LISTS]
    return "\n".join(parts)


def _command(name: str, command: Any) -> str:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option"]
    usage = " ".join(one.metavar if one.required else f"[{one.metavar}]" for one in arguments)
    lines = [
        f"## regretful {name}",
        "",
        f"    regretful {name} {usage + ' ' if usage else ''}[OPTIONS]",
        "",
        command.help,
        "",
    ]
    lines += ["| argument | what it is |", "| --- | --- |"] if arguments else []
    lines += [f"| `{one.metavar}` | {_cell(one.help)}{_default(one)} |" for one in arguments]
    groups: dict[str, list[Any]] = {}
    for one in options:
        groups.setdefault(getattr(one, "rich_help_panel", None) or "Options", []).append(one)
    for title in sorted(groups, key=["Reading", "Learning", "Output", "Options"].index):
        lines += ["", f"| {title.lower()} | |", "| --- | --- |"]
        lines += [f"| {_spelt(one)} | {_cell(one.help)}{_default(one)} |" for one in groups[title]]
    if LOOKED_UP[name]:
        links = ", ".join(f"[{title.lower()}](#{title.lower()})" for title in LOOKED_UP[name])
        lines += ["", f"What there is: {links}."]
    return "\n".join(lines) + "\n"


def _spelt(option: Any) -> str:
    names = [*option.opts, *option.secondary_opts]
    return ", ".join(f"`{name}`" for name in names) + (f" `{option.metavar}`" if option.metavar else "")


def _default(option: Any) -> str:
    value = option.default
    if isinstance(value, bool) and option.secondary_opts:
        return f" By default `{(option.opts if value else option.secondary_opts)[0]}`."
    if value is None or isinstance(value, bool) or value == ():
        return ""
    return f" By default `{value}`."


def _cell(text: str | None) -> str:
    """Without what would end a cell."""
    return re.sub(r"(?<!\\)\|", r"\\|", text or "")


def _list(title: str) -> str:
    lines = [f"## {title}", "", "| spelt | what it is |", "| --- | --- |"]
    for name, entry in LISTS[title].items():
        lines.append(f"| `{getattr(entry, 'spelt', name)}` | {_cell(entry.about)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (HERE / "cli.md").write_text(page())
