"""All theorems at once: played, two at a time, and told as a table, as JSON, as pictures, and as an exit code.

`tell` is the whole command; `python -m regretful.theorems` and `regretful theorems` only hand it their options.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from regretful.theorems import chosen, get
from regretful.theorems.theorem import Identity, Theorem, Verdict

WIDE = 160  # columns of the table where nobody looks, in files and pipes
LITTLE = 0.1  # of a bound attained, below which it is said why
SINGLE = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
Job = tuple[str, int | None, int, bool]


def run(
    only: Iterable[str | int] = (),
    rounds: int | None = None,
    seed: int = 0,
    *,
    attack: bool = False,
    jobs: int = 1,
    progress: bool | None = False,
) -> list[Verdict]:
    """Play theorems (all, or those of these ids or rows), or let the adversaries attack them.

    rounds: of each game, None for each theorem's own. jobs: how many processes. progress: a bar on standard error;
    None: if that is a terminal.

    >>> from regretful.theorems.table import run
    >>> [verdict.word for verdict in run(["gd-regret"], rounds=100)]
    ['holds']
    """
    wanted = chosen(only)
    if rounds is not None and rounds < 1:
        raise ValueError(f"a game has at least one round, not {rounds}")
    tasks: list[Job] = [(theorem.id, rounds, seed, attack) for theorem in wanted]
    found: dict[str, Verdict] = {}
    with _bar(progress, len(tasks)) as step:
        played = map(_one, tasks) if min(jobs, len(tasks)) < 2 else _together(tasks, jobs)
        for verdict in played:
            found[verdict.theorem] = verdict
            step(verdict.theorem)
    return [found[theorem.id] for theorem in wanted]


def _one(job: Job) -> Verdict:
    name, rounds, seed, attack = job
    theorem = get(name)
    return theorem.attack(rounds, seed) if attack else theorem.play(rounds, seed)


def _together(tasks: list[Job], jobs: int) -> Iterator[Verdict]:
    """As they are done. The long ones start first; processes are spawned, as forks of a threaded one may hang."""
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
    try:
        order = sorted(tasks, key=lambda job: -get(job[0]).seconds)
        with _single():
            given = [pool.submit(_one, job) for job in order]
        for done in as_completed(given):
            yield done.result()
    except BaseException:
        for process in list(pool._processes.values()):  # nothing public ends a task that runs (until Python 3.14)
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _single() -> Iterator[None]:
    """Processes that start here do their linear algebra in one thread: theirs are as many as there are processors."""
    ours = {name: "1" for name in SINGLE if name not in os.environ}
    os.environ.update(ours)
    try:
        yield
    finally:
        for name in ours:
            del os.environ[name]


@contextmanager
def _bar(wanted: bool | None, total: int) -> Iterator[Any]:
    """A function to call with the name of what was done."""
    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    off = not (console.is_terminal if wanted is None else wanted)
    with Progress(*columns, console=console, transient=True, disable=off) as bar:
        task = bar.add_task("theorems", total=total)
        yield lambda name: bar.update(task, advance=1, description=name)


def table(verdicts: Iterable[Verdict]) -> Table:
    """Row, id, claim, both sides, what is left between them, how much was attained, the verdict."""
    made = Table(header_style="bold", pad_edge=False)
    for name in ("", "id"):
        made.add_column(name, no_wrap=True)
    made.add_column("claim", ratio=1)
    for name in ("left", "right", "slack", "attained"):
        made.add_column(name, justify="right", no_wrap=True)
    made.add_column("verdict", no_wrap=True)
    for verdict in verdicts:
        theorem = get(verdict.theorem)
        numbers = (f"{value:.6g}" for value in (verdict.left, verdict.right, verdict.slack))
        share = "" if isinstance(theorem, Identity) else f"{verdict.attained:.0%}"
        words = (
            f"[green]✓[/] {verdict.word}" if verdict.holds else f"[red]✗ {verdict.word}[/] (not: {theorem.expected})"
        )
        made.add_row(str(theorem.row), theorem.id, escape(theorem.statement), *numbers, share, words)
    return made


def remarks(verdicts: Iterable[Verdict], every: bool = False) -> list[str]:
    """A line for each verdict that needs one: not as expected, or far from its bound, and why; or for every one."""
    lines = []
    for verdict in verdicts:
        theorem = get(verdict.theorem)
        far = not isinstance(theorem, Identity) and verdict.attained < LITTLE
        if every or far or not verdict.holds:
            lines.append(f"{verdict}{f'. Far from its bound: {theorem.loose}' if far and theorem.loose else ''}.")
    return lines


def as_json(verdicts: Iterable[Verdict]) -> str:
    """A list of objects: the verdict, and whose it is; numbers that are none are null."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain(inner) for key, inner in value.items()}
        return None if isinstance(value, float) and not math.isfinite(value) else value

    rows = []
    for verdict in verdicts:
        theorem: Theorem = get(verdict.theorem)
        about = {"row": theorem.row, "source": theorem.source, "statement": theorem.statement}
        rows.append(plain({**about, "expected": theorem.expected, **verdict.as_dict()}))
    return json.dumps(rows, indent=2, ensure_ascii=False)


def tell(
    only: Iterable[str | int] = (),
    rounds: int | None = None,
    seed: int = 0,
    *,
    attack: bool = False,
    as_data: bool = False,
    plot: str | Path | None = None,
    jobs: int | None = None,
    progress: bool | None = None,
) -> int:
    """Run them and print the table on standard output, or JSON (`as_data`); 1 if a verdict is not the expected one.

    plot: a folder for one picture a theorem. jobs: processes, by default one for each processor, at most two.
    progress: as for `run`. What cannot be run, such as an unknown id, raises ValueError.
    """
    only = list(only)
    if jobs is None:
        jobs = min(2, os.cpu_count() or 1)
    verdicts = run(only, rounds, seed, attack=attack, jobs=jobs, progress=progress)
    if plot is not None:
        from regretful.theorems.figures import save

        Path(plot).mkdir(parents=True, exist_ok=True)
        for verdict in verdicts:
            save(get(verdict.theorem), verdict, Path(plot) / f"{verdict.theorem}.png")
    if as_data:
        sys.stdout.write(as_json(verdicts) + "\n")
    else:
        console = Console(highlight=False)
        if not console.is_terminal:
            console = Console(highlight=False, width=WIDE)
        console.print(table(verdicts))
        for line in remarks(verdicts, every=bool(only) or attack):
            console.print(line, markup=False)
    return int(not all(verdict.holds for verdict in verdicts))
