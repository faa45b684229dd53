"""The playing of a game: a learner meets a nature until its rounds are over, or somebody presses Ctrl-C."""

from __future__ import annotations

import copy
import re
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from regretful.core.domains import Domain
from regretful.core.labels import as_objects
from regretful.core.parts import instance
from regretful.core.types import Vector
from regretful.game.game import Game
from regretful.game.progress import Interruption, Progress
from regretful.game.sources import as_nature, name_of
from regretful.game.tape import Tape, stops
from regretful.nature import Batch, Nature, Oblivious, Stream
from regretful.nature.nature import length

Watch: TypeAlias = Callable[[Batch, Vector, Tape], None]

STRETCH = 0.1  # seconds of play between two looks at the clock, about
MOST = 65536  # rounds in a stretch


def play(
    learner: Any,
    X: Any,
    y: Any = None,
    *,
    weight: Any = None,
    label: str | None = None,
    rounds: int | None = None,
    curve: int | Iterable[int] = 100,
    domains: Domain | Sequence[Domain] | None = None,
    keep_predictions: bool = False,
    record: bool = True,
    progress: bool | None = None,
    watch: Watch | None = None,
) -> Game:
    """Play the learner through the rounds of X: predict, reveal, pay, step, record; what happened is the `Game`.

    X: an array, CSR matrix, list of events or table, with labels y (or `label`, the name of the column or entry that
    holds them); an iterable of (x, y) pairs; a log on disk (`rg.read`); or a nature. The learner is the one that
    plays, not a copy: it has learnt afterwards. Playing row by row or at once is the same, bit for bit.

    weight: of the examples, or the name of their column. rounds: how many to play at most; needed where a nature has
    no end. curve: at how many rounds to take stock, at equal ratios 1, …, T (for streams of unknown length, as if for
    a million), or those rounds themselves: `range(1000, 100_001, 1000)`. domains: whose certificates go into the
    curve; by default the learner's own, if bounded. keep_predictions: keep p of each round. record: keep the examples
    that cannot be had again (pairs, and natures that look at the learner), for hindsight, and the losses of all rounds;
    without, memory does not grow with the rounds. progress: a line on
    standard error; None: on a terminal, once it has taken two seconds. watch: called after each stretch of rounds, and
    where stock is taken, with the stretch, what was predicted in it, and the game's tape so far.

    A row that is not as it should be raises an error that names it; the learner has then learnt the rounds before.
    Ctrl-C ends the game with what was played so far, `interrupted`.

    >>> import regretful as rg
    >>> game = rg.play(rg.GradientDescent(rg.Absolute(), 0.5, rg.Ball(1.0)), [[1.0], [1.0], [1.0]], [1.0, 1.0, 1.0])
    >>> game.loss, game.regret(rg.Ball(1.0))
    (1.5, Interval(at_least=1.5, at_most=1.5))
    """
    nature = as_nature(X, y, weight, label, [learner])
    last = _last(nature, rounds)
    tape = Tape(learner, stops(curve, last), _asked(learner, domains), keep_predictions, record)
    line = Progress(progress, last, name_of(learner))
    rows: list[tuple[Any, Any, float]] | None = [] if record and not isinstance(nature, Oblivious) else None
    nature.reset()
    start = time.perf_counter()
    with Interruption() as interruption:
        if isinstance(nature, Oblivious):
            _at_once(learner, nature, last, tape, line, interruption, watch)
        else:
            _one_by_one(learner, nature, last, tape, line, interruption, rows, watch)
    seconds = time.perf_counter() - start
    line.close(tape.t, tape.mean_loss)
    source = nature if isinstance(nature, Oblivious) else None
    return Game(learner, tape, source, rows, interrupted=interruption.asked and tape.t != last, seconds=seconds)


def _last(nature: Nature, rounds: int | None) -> int | None:
    if rounds is not None and not isinstance(rounds, int | np.integer):
        raise TypeError(f"rounds must be a whole number, not {rounds!r}")
    if rounds is not None and rounds < 0:
        raise ValueError(f"rounds must be at least 0, not {rounds}")
    if rounds is None and nature.rounds is None and isinstance(nature, Oblivious) and not nature.ends:
        raise ValueError(f"{nature!r} has no end: say how many rounds to play, rounds=…")
    return nature.rounds if rounds is None else rounds if nature.rounds is None else min(rounds, nature.rounds)


def _asked(learner: Any, domains: Domain | Sequence[Domain] | None) -> Sequence[Domain]:
    if domains is None:
        own = getattr(learner, "domain", None)
        return (own,) if own is not None and own.bounded else ()
    asked = domains if isinstance(domains, list | tuple) else (domains,)
    return [instance("every one of the domains", domain, Domain) for domain in asked]


def _at_once(
    learner: Any,
    nature: Oblivious,
    last: int | None,
    tape: Tape,
    line: Progress,
    interruption: Interruption,
    watch: Watch | None,
) -> None:
    """Stretch by stretch; a stretch ends where stock is to be taken, or sooner, where the nature likes."""
    if isinstance(nature, Stream):
        tape.check(nature.y, nature.rounds)  # all of them, before the first is played
    size, t = 256, 0
    while (last is None or t < last) and not interruption.asked:
        end = min(stop for stop in (t + size, last, tape.next) if stop is not None)
        clock = time.monotonic()
        batch = nature.examples(t, end)
        if hasattr(batch.X, "__next__"):
            batch = batch._replace(X=list(batch.X))  # type: ignore[arg-type]  # of events
        rows = length(batch.X)
        if rows > end - t or (rows < end - t and not nature.ends):
            raise ValueError(f"{nature!r} gave {rows} rounds where {end - t} were asked for, examples({t}, {end})")
        if not rows:
            break
        try:
            p = learner.learn_many(batch.X, batch.y, batch.weight)
        except (TypeError, ValueError) as error:
            raise _placed(error, t) from None
        tape.add(p, batch.y, batch.weight, tape.paid())
        if watch is not None:
            watch(batch, p, tape)
        if len(p) == size and time.monotonic() - clock < 0.5 * STRETCH:
            size = min(2 * size, MOST)
        t += len(p)
        line.update(t, tape.mean_loss)


def _placed(error: Exception, first: int) -> Exception:
    """The error with its row counted from the start of the game."""
    text = re.sub(r"\brow (\d+)\b", lambda found: f"row {int(found[1]) + first}", str(error), count=1)
    before = f" (the {first:,} rounds before row {first} were learnt)" if first and "were learnt" not in text else ""
    return type(error)(text + before)


def _one_by_one(
    learner: Any,
    nature: Nature,
    last: int | None,
    tape: Tape,
    line: Progress,
    interruption: Interruption,
    rows: list[tuple[Any, Any, float]] | None,
    watch: Watch | None,
) -> None:
    """Round by round, for natures that may look; what is written down is handed to the tape at its stops."""
    xs: list[Any] = []
    ps: list[Any] = []
    paid: list[float] = []
    ys: list[Any] = []
    weights: list[float] = []
    t = 0

    def hand_over() -> None:
        if ps:
            y, weight = None if ys[0] is None else ys[:], weights[:] if set(weights) != {1.0} else None
            said = as_objects(ps) if tape.of_labels else np.array(ps)
            tape.add(said, y, weight, np.array(paid) if tape.of_labels else None)
            if watch is not None:
                watch(Batch(xs[:], y, weight), said, tape)
        paid.clear()
        xs.clear()
        ps.clear()
        ys.clear()
        weights.clear()

    while (last is None or t < last) and not interruption.asked:
        interruption.waiting = True
        try:
            x = nature.reveal(learner)
            y = nature.label(learner, x, learner.predict_one(x) if nature.looks else 0.0)
        except StopIteration:
            break
        except KeyboardInterrupt:
            interruption.asked = True
            break
        finally:
            interruption.waiting = False
        weight = nature.weight
        try:
            ps.append(learner.learn_one(x, y, weight))
        except (TypeError, ValueError) as error:
            raise type(error)(f"round {t + 1}: {error}") from None
        if tape.of_labels:
            paid.append(learner.last_losses[0])
        ys.append(y)
        weights.append(weight)
        if rows is not None:
            rows.append((_own(x), y, weight))
        if watch is not None:
            xs.append(_own(x))
        t += 1
        if t == tape.next or len(ps) == 4096:
            hand_over()
            line.update(t, tape.mean_loss)
    hand_over()


def _own(x: Any) -> Any:
    """The example as it was, should its owner go on to change it."""
    return copy.copy(x) if isinstance(x, dict | np.ndarray | list) else x
