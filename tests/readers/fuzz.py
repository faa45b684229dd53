"""Mutated inputs for all readers: an error that says what is wrong, or a parse; never a crash or a hang.

    python -m tests.readers.fuzz [format …] [--count N] [--seed S] [--jobs J]

`make fuzz` runs it on the checked build, a million inputs a format, in shards: a process each, on every core. Every
input is read, and what comes of it looked at (sound.py); naive readers are slow, and a format says how often its inputs
are held against one. The same seed makes the same inputs; `--shard K` plays one shard in this process. To add a format:
put it into FORMATS.
"""

import argparse
import json
import mmap
import os
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from random import Random

from tests.readers import fuzz_arrow, fuzz_csv, fuzz_json, fuzz_text
from tests.readers.fuzzing import Format, Tally, play

FORMATS: dict[str, Format] = fuzz_text.FORMATS | fuzz_csv.FORMATS | fuzz_json.FORMATS | fuzz_arrow.FORMATS
SHARD = 100_000  # inputs
LARGEST = 1 << 22  # bytes of an input
PATIENCE = 60  # seconds for an input, then it hangs
# The sanitizer keeps what was freed, and the way to each allocation: less of both is a third less time. No input may
# take 4 GB.
SANITIZER = "quarantine_size_mb=1:thread_local_quarantine_size_kb=16:malloc_context_size=1:hard_rss_limit_mb=4096"


class Last:
    """Writes down the input that is read, for who looks when this process died of it; ends it if it hangs."""

    def __init__(self, path: Path) -> None:
        path.write_bytes(bytes(8 + LARGEST))
        with path.open("r+b") as file:
            self._room = mmap.mmap(file.fileno(), 0)

    def note(self, data: bytes) -> None:
        self._room[: 8 + len(data)] = len(data).to_bytes(8, "little") + data
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)

    @staticmethod
    def read(path: Path) -> bytes:
        data = path.read_bytes() if path.exists() else b""  # it ended before the first
        return data[8 : 8 + int.from_bytes(data[:8], "little")]


def shard(name: str, count: int, seed: int, k: int, last: Path | None = None) -> Tally:
    """One shard, here."""
    return play(FORMATS[name], count, Random(f"{name} {seed} {k}"), None if last is None else Last(last))


def elsewhere(name: str, count: int, seed: int, k: int, last: Path) -> Tally | str:
    """One shard in a process of its own: what came of it, or what is wrong."""
    arguments = [name, "--count", str(count), "--seed", str(seed), "--shard", str(k)]
    options = os.environ | {"ASAN_OPTIONS": f"{os.environ.get('ASAN_OPTIONS', '')}:{SANITIZER}"}
    if not FORMATS[name].objects:
        options.pop("PYTHONMALLOC", None)  # Python's own allocator is quicker
    done = subprocess.run([sys.executable, "-m", "tests.readers.fuzz", *arguments, "--last", str(last)],
                          env=options, capture_output=True, text=True)  # fmt: skip
    if done.returncode == 0:
        return Tally(**json.loads(done.stdout))
    what = "it took too long" if done.returncode == -signal.SIGALRM else f"it ended with {done.returncode}"
    again = f"python -m tests.readers.fuzz {' '.join(arguments)}"
    return f"{name}: {what}\n{done.stderr[-8000:]}\nlast input: {Last.read(last)!r}\nagain: {again}"


def fuzz(name: str, count: int, seed: int, jobs: int) -> bool:
    """So many inputs of a format, in shards; whether all was well, which is printed."""
    begin, tally, faults = time.perf_counter(), Tally(), []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        parts = [(name, min(SHARD, count - first), seed, k, Path(folder, f"{k}.input"))
                 for k, first in enumerate(range(0, count, SHARD))]  # fmt: skip
        for found in pool.map(lambda part: elsewhere(*part), parts):
            if isinstance(found, Tally):
                tally += found
            else:
                faults.append(found)
    taken = time.perf_counter() - begin
    print(
        f"{name}: {tally.inputs:,} inputs (seed {seed}) in {taken:.0f} s, {tally.inputs / taken:,.0f} a second: "
        f"{tally.with_rows:,} had rows, {tally.with_errors:,} errors; "
        f"{tally.held:,} were held against the naive reader; {len(faults) or 'no'} faults"
    )
    print(*faults[:3], sep="\n\n", end="\n" * bool(faults))
    sys.stdout.flush()
    return not faults


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.readers.fuzz", description="mutated inputs for the readers")
    parser.add_argument("formats", nargs="*", metavar="format", help=f"{', '.join(FORMATS)} (default: all)")
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--shard", type=int, help="play one shard of --count inputs, here")
    parser.add_argument("--last", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    names = chosen.formats or list(FORMATS)
    if chosen.shard is not None:
        for name in names:
            print(json.dumps(asdict(shard(name, chosen.count, chosen.seed, chosen.shard, chosen.last))))
    elif sum(not fuzz(name, chosen.count, chosen.seed, chosen.jobs) for name in names):
        sys.exit(1)


if __name__ == "__main__":
    main()
