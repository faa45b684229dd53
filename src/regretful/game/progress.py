"""While a game is on: a line that says how far it is, and Ctrl-C, which ends it with what was played so far."""

from __future__ import annotations

import signal
import sys
import threading
import time
from types import FrameType
from typing import Any, Self

PATIENCE = 2.0  # seconds before a line is shown unasked
PAUSE = 0.2  # seconds between two states of the line


class Progress:
    """A line on standard error. None: on a terminal, once the game has taken two seconds."""

    def __init__(self, wanted: bool | None, rounds: int | None, name: str) -> None:
        self.rounds, self.name = rounds, name
        self.wanted = sys.stderr.isatty() if wanted is None else wanted
        self.start = time.monotonic()
        self.next = self.start + (PATIENCE if wanted is None else 0.0)
        self.shown = 0

    def update(self, t: int, mean_loss: float) -> None:
        """Rounds played, and what they cost on average."""
        if self.wanted and time.monotonic() >= self.next:
            self._show(t, mean_loss)
            self.next = time.monotonic() + PAUSE

    def close(self, t: int, mean_loss: float) -> None:
        """The last state, and a new line."""
        if self.wanted and (self.shown or self.next <= time.monotonic()):
            self._show(t, mean_loss)
            sys.stderr.write("\n")
            sys.stderr.flush()

    def _show(self, t: int, mean_loss: float) -> None:
        seconds = max(1e-9, time.monotonic() - self.start)
        done = f"{t / self.rounds:4.0%} " if self.rounds else ""
        line = f"{self.name}: {done}{t:,} rounds, {t / seconds:,.0f} a second, mean loss {mean_loss:.6g}"
        sys.stderr.write("\r" + line.ljust(self.shown))
        sys.stderr.flush()
        self.shown = len(line)


class Interruption:
    """Ctrl-C asks the game to stop after the rounds at hand; only who waits for a nature is torn away from it.

    Within the main thread alone, and where Ctrl-C does what it does by default; elsewhere it stays as it is.
    """

    def __init__(self) -> None:
        self.asked = False
        self.waiting = False
        self._before: Any = None

    def __enter__(self) -> Self:
        ours = threading.current_thread() is threading.main_thread()
        if ours and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._ask)
        return self

    def __exit__(self, *error: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _ask(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        if self.asked or self.waiting:
            self.asked = True
            raise KeyboardInterrupt
        self.asked = True
