"""How contenders are timed. Knows nothing of what is measured, nor of how it is shown."""

import gc
import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import process_time

Run = Callable[[], object]
Prepare = Callable[[], Run]


@dataclass(frozen=True)
class Times:
    """The seconds of every repetition of one contender."""

    seconds: tuple[float, ...]

    @property
    def best(self) -> float:
        """What the code costs when nobody disturbs it: on a shared machine noise only ever adds."""
        return min(self.seconds)

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def spread(self) -> float:
        """Median over best: near 1 on a quiet machine."""
        return self.median / self.best


def race(
    contenders: Mapping[str, Prepare], repeats: int, clock: Callable[[], float] = process_time
) -> dict[str, Times]:
    """Times the contenders in turns (A, B, A, B, ...), so that a slow spell of the machine meets them all.

    A contender is a function that prepares a fresh run, untimed, and returns what is to be timed. What counts
    is the processor time of all threads: by the clock on the wall, neighbours on the machine hurt a long
    contender more than a short one, which finds a gap between them. Another clock is for contenders whose threads
    work side by side. The garbage collector rests, as in `timeit`.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(repeats):
        for name, prepare in contenders.items():
            seconds[name].append(_timed(prepare(), clock))
    return {name: Times(tuple(taken)) for name, taken in seconds.items()}


def _timed(run: Run, clock: Callable[[], float]) -> float:
    gc.collect()
    gc.disable()
    try:
        start = clock()
        run()
        return clock() - start
    finally:
        gc.enable()
