"""How a command ends when it cannot go on: one line that says what, where, and what would work; and its exit code."""

from __future__ import annotations

DATA, USAGE, INTERRUPTED = 1, 2, 130  # exit codes: an error in the data, in what was typed; Ctrl-C


class Refused(Exception):
    """What was typed makes no sense."""

    code = USAGE


class Failed(Exception):
    """The data, or a file, is not as it should be."""

    code = DATA
