"""While a game is on: the table whose rounds double, and the bar under it."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

import regretful as rg
from regretful.cli.paper import Paper, console
from regretful.cli.words import count, described, number
from regretful.core.certificate import certify

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from regretful.core.types import Vector
    from regretful.game.tape import Tape
    from regretful.nature import Batch

HEADERS = (
    ("", "", "", "", "", "", "hindsight", "regret"),
    ("mean loss", "since last", "rounds", "label", "predicted", "features", "at least", "at most"),
)
WIDTHS = (9, 11, 12, 8, 10, 9, 10, 9)
NEVER_NEGATIVE = (
    rg.Logistic, rg.Squared, rg.Absolute, rg.Quantile, rg.Huber, rg.EpsilonInsensitive, rg.Hinge, rg.SquaredHinge,
)  # fmt: skip
PAUSE = 0.1  # seconds between two states of the bar
CURVE = sorted({round(2.0 ** (k / 4)) for k in range(4 * 40)})  # stock is taken at these rounds: 1, 2, 4, … and between


def radius(learner: Any) -> float:
    """The norm of the learner's weights, rounded up to three digits; 1 before there are any."""
    norm = math.hypot(float(np.linalg.norm(learner.weights)), learner.intercept)
    if not norm > 0.0 or not math.isfinite(norm):
        return 1.0
    unit = 10.0 ** (math.floor(math.log10(norm)) - 2)
    return float(f"{math.ceil(norm / unit) * unit:.12g}")


def domain_of(learner: Any, asked: rg.Domain | None) -> rg.Domain:
    """The domain asked for; else the learner's own if it is bounded; else the ball that its weights just fill."""
    if asked is not None:
        return asked
    own: rg.Domain = learner.domain
    return own if own.bounded else rg.Ball(radius(learner))


class Screen:
    """Watches a game: writes a line each time the rounds have doubled, and keeps it for programs."""

    def __init__(
        self, paper: Paper, learner: Any, asked: rg.Domain | None, bar: bool | None, name: str, title: str
    ) -> None:
        self.paper, self.learner, self.asked, self.name, self.title = paper, learner, asked, name, title
        self.floor = 0.0 if isinstance(learner.loss, NEVER_NEGATIVE) else -math.inf  # a bound below it says nothing
        self.lines: list[dict[str, Any]] = []
        self.source: Any = None
        self._bar = bar
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self._next = 0.0
        self._due = 1
        self._last: tuple[Batch, Vector] | None = None

    def head(self) -> None:
        """What stands above the table, once there is something to put in it: an error at the first row comes alone."""
        if self.title:
            self.paper.aside(self.title, "head")
            self.paper.aside(f"{described(self.learner)}\n")
        for header in HEADERS:
            self.paper.aside(_line(header), "faint")

    @contextlib.contextmanager
    def over(self, source: Any) -> Iterator[Screen]:
        """While this source is played."""
        self.source = source
        with self._shown():
            yield self

    def watch(self, batch: Batch, p: Vector, tape: Tape) -> None:
        """What `rg.play` tells."""
        self._last = batch, p
        if tape.t >= self._due:
            self._line(tape)
            while self._due <= tape.t:
                self._due *= 2
        now = time.monotonic()
        if self._progress is not None and self._task is not None and now >= self._next:
            self._next = now + PAUSE
            done, size = self.source.done, self.source.size
            self._progress.update(
                self._task, completed=done, total=size, rounds=count(tape.t, "round"), loss=number(tape.mean_loss)
            )

    def close(self, tape: Tape) -> None:
        """The last line, if the rounds did not end on a power of two."""
        if self._last is not None and (not self.lines or self.lines[-1]["rounds"] < tape.t):
            self._line(tape)

    def _line(self, tape: Tape) -> None:
        assert self._last is not None
        batch, p = self._last
        account = tape.account()
        before = self.lines[-1] if self.lines else {"loss": 0.0, "weight": 0.0}
        regret = certify(account, domain_of(self.learner, self.asked)).regret_at_most  # type: ignore[arg-type]  # sums
        weight = account.weight or math.nan
        since = account.weight - before["weight"]
        best = (account.loss - regret) / weight
        line = {
            "rounds": account.rounds,
            "weight": account.weight,
            "loss": account.loss,
            "mean_loss": account.loss / weight,
            "since_last": (account.loss - before["loss"]) / since if since else math.nan,
            "label": None if batch.y is None else float(np.asarray(batch.y)[-1]),
            "prediction": float(p[-1]),
            "features": features(batch.X),
            "best_at_least": best,
            "regret_at_most": regret / weight,
        }
        if not self.lines:
            self.head()
        self.lines.append(line)
        cells = [
            number(line["mean_loss"]),
            number(line["since_last"]),
            f"{line['rounds']:,}",
            "" if line["label"] is None else f"{line['label']:g}",
            number(line["prediction"]),
            f"{line['features']:,}",
            number(best if best > self.floor else None),
            number(line["regret_at_most"]),
        ]
        self.paper.aside(_line(cells))

    @contextlib.contextmanager
    def _shown(self) -> Iterator[None]:
        """A bar on the terminal that the table is on; where that is none, on standard error, if it is one."""
        where = self.paper.console if self.paper.terminal and not self.paper.as_json else console(stderr=True)
        wanted = self._bar if self._bar is not None else where.is_terminal and not self.paper.quiet
        if not wanted:
            yield
            return
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("{task.description}"),
            BarColumn(None),
            TextColumn("{task.percentage:3.0f}%"),
            TextColumn("{task.fields[rounds]}"),
            TextColumn("loss {task.fields[loss]}"),
            TimeRemainingColumn(compact=True),
        )
        with Progress(*columns, console=where, transient=True) as self._progress:
            self._task = self._progress.add_task(self.name, total=self.source.size, rounds="", loss="–")
            yield
        self._progress = None


def features(X: Any) -> int:
    """How many features the last row of a batch has."""
    for pointers in ("start", "indptr"):
        if hasattr(X, pointers):
            start = getattr(X, pointers)
            return int(start[-1] - start[-2])
    if hasattr(X, "num_columns"):
        return sum(column[-1].is_valid for column in X.columns)
    return len(X[-1])


def _line(cells: Any) -> str:
    return "".join(cell.rjust(width) for cell, width in zip(cells, WIDTHS, strict=True))
