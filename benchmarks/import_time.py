"""`import regretful` beyond `import numpy`, each in a fresh process: at most 150 ms."""

import subprocess
import sys

from benchmarks.results import Result
from benchmarks.timing import Times

BAR = 150.0
CODE = "from time import perf_counter as now; start = now(); import {}; print(now() - start)"


def run(quick: bool) -> list[Result]:
    seconds: dict[str, list[float]] = {"regretful": [], "numpy": []}
    for _ in range(3 if quick else 10):
        for package, taken in seconds.items():
            taken.append(_import_seconds(package))
    times = {package: Times(tuple(taken)) for package, taken in seconds.items()}
    ours, numpy = (1e3 * times[package].best for package in ("regretful", "numpy"))
    return [
        Result(
            subject="import_time",
            ours=f"{ours:.0f} ms",
            peer=f"{numpy:.0f} ms (numpy alone)",
            measured=ours - numpy,
            unit="ms",
            bar=BAR,
            sense="at most",
            times=times,
        )
    ]


def _import_seconds(package: str) -> float:
    run = subprocess.run([sys.executable, "-c", CODE.format(package)], capture_output=True, text=True, check=True)
    return float(run.stdout)
