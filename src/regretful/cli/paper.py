"""What is written on: standard output, as a terminal shows it or plain for a pipe; nothing else is decided here."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

STYLES = {"head": "bold", "faint": "dim", "mark": "cyan", "good": "green", "bad": "red"}


def console(stderr: bool = False) -> Console:
    """A console that wraps on a terminal only, and whose broken pipe is for others to handle."""
    from rich.console import Console
    from rich.theme import Theme

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    made = Plain(stderr=stderr, highlight=False, markup=False, emoji=False, theme=Theme(STYLES))
    made.soft_wrap = not made.is_terminal
    return made


class Paper:
    """Standard output. `quiet` keeps to the answer, `json` to one document."""

    def __init__(self, as_json: bool = False, quiet: bool = False) -> None:
        self.as_json, self.quiet = as_json, quiet
        self.console = console()

    @property
    def terminal(self) -> bool:
        """Whether somebody looks at it."""
        return self.console.is_terminal

    def say(self, text: RenderableType = "", style: str | None = None) -> None:
        """A line, or something of Rich's, unless a program reads."""
        if not self.as_json:
            self.console.print(text, style=style)

    def aside(self, text: RenderableType = "", style: str | None = None) -> None:
        """What is left out when it is to be quiet."""
        if not self.quiet:
            self.say(text, style)

    def table(self, header: list[str], rows: Iterable[list[str]]) -> None:
        """Columns as wide as they need to be: words to the left, numbers to the right. No header if it is empty."""
        body = list(rows)
        lines = [header, *body] if any(header) else body
        columns = range(len(header))
        widths = [max(len(line[k]) for line in lines) for k in columns]
        words = [k == 0 or any(line[k][:1].isalpha() for line in body) for k in columns]
        for place, line in enumerate(lines):
            cells = [line[k].ljust(widths[k]) if words[k] else line[k].rjust(widths[k]) for k in columns]
            self.say("  ".join(cells).rstrip(), "faint" if line is header and not place else None)

    def document(self, told: dict[str, Any]) -> None:
        """One JSON document, if a program reads. What is not a finite number is null."""
        if self.as_json:
            sys.stdout.write(json.dumps(finite(told), indent=2, ensure_ascii=False) + "\n")
            sys.stdout.flush()


def finite(thing: Any) -> Any:
    """The same without NaN and infinities, which JSON does not know, and with NumPy's numbers as Python's."""
    if isinstance(thing, dict):
        return {str(key): finite(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [finite(value) for value in thing]
    if hasattr(thing, "tolist"):
        return finite(thing.tolist())
    if isinstance(thing, os.PathLike):
        return os.fspath(thing)
    return None if isinstance(thing, float) and not math.isfinite(thing) else thing
