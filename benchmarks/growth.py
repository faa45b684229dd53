"""A libsvm file ten times as long takes ten times as long to learn, and no more memory: 20 MB, 200 MB, 2 GB.

Each file is learnt in a process of its own: its peak of resident memory, and the processor time of its threads.
"""

import subprocess
import sys
from pathlib import Path
from time import process_time

from benchmarks import data
from benchmarks.memory import _peak
from benchmarks.results import Result
from benchmarks.text import FOLDER, LEARNERS
from regretful.readers import read

ROWS = 19_000  # 20 MB
TIME = 1.15  # times as long a byte, at most
MEMORY = 16.0  # MB more, at most: what the allocators of two threads keep goes up at first, and levels off


def run(quick: bool) -> list[Result]:
    small = data.write_text(FOLDER, ROWS)["libsvm"]
    paths = [_repeated(small, times) for times in ((1, 10) if quick else (1, 10, 100))]
    found = [_measured(path) for path in paths]
    results = []
    for path, (seconds, peak), before, (seconds_before, peak_before) in zip(
        paths[1:], found[1:], paths, found, strict=False
    ):
        size, size_before = path.stat().st_size / 1e6, before.stat().st_size / 1e6
        results += [
            Result(
                subject=f"growth, time at {size:,.0f} MB",
                ours=f"{seconds / size * 1e3:.2f} ms/MB",
                peer=f"{seconds_before / size_before * 1e3:.2f} ms/MB at {size_before:,.0f} MB",
                measured=seconds / size / (seconds_before / size_before),
                bar=TIME,
                sense="at most",
            ),
            Result(
                subject=f"growth, memory at {size:,.0f} MB",
                ours=f"{peak:.1f} MB",
                peer=f"{peak_before:.1f} MB at {size_before:,.0f} MB",
                measured=peak - peak_before,
                unit="MB",
                bar=MEMORY,
                sense="at most",
            ),
        ]
    if not quick:
        paths[-1].unlink()
    return results


def _repeated(path: Path, times: int) -> Path:
    if times == 1:
        return path
    longer = path.with_name(f"text-{ROWS}x{times}.libsvm")
    if not longer.exists():
        text = path.read_bytes()
        with longer.with_suffix(".part").open("wb") as file:
            for _ in range(times):
                file.write(text)
        longer.with_suffix(".part").rename(longer)
    return longer


def _measured(path: Path) -> tuple[float, float]:
    """The best of several processes."""
    command = [sys.executable, "-m", "benchmarks.growth", str(path)]
    runs = [
        tuple(map(float, subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()))
        for _ in range(2 if path.stat().st_size > 1e9 else 5)
    ]
    return min(seconds for seconds, _ in runs), min(peak for _, peak in runs)


def _child(path: str) -> None:
    begin = process_time()
    source = read(path, format="libsvm")
    learner = LEARNERS["gradient descent"](source.features)
    for X, y, weight in source:
        learner.learn_many(X, y, weight)
    print(process_time() - begin, _peak())


if __name__ == "__main__":
    _child(sys.argv[1])
