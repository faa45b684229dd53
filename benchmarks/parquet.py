"""Parquet of 26 texts and 13 numbers, 1,000,000 rows, learnt: 400,000 rows a second on two cores, memory flat."""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

import regretful as rg
from benchmarks.results import Result
from regretful.readers import read

BAR = 400_000  # rows a second, by the clock on the wall
FLAT = 1.1  # the peak at 4,000,000 rows, over that at 1,000,000
REPEATS = 5
# How many texts each column has, roughly as in Criteo's data.
DISTINCT = (1460, 580, 300_000, 200_000, 305, 24, 12_500, 630, 3, 90_000, 5600, 250_000, 3200, 27, 14_900, 200_000, 10,
            5600, 2100, 4, 250_000, 18, 15, 90_000, 100, 60_000)  # fmt: skip


def run(quick: bool) -> list[Result]:
    rows = 100_000 if quick else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        table = clicks(rows)
        path, long = Path(folder, "log.parquet"), Path(folder, "long.parquet")
        pq.write_table(table, path)
        with pq.ParquetWriter(long, table.schema) as writer:
            for _ in range(4):
                writer.write_table(table)
        texts = _texts(table.slice(0, rows // 5), Path(folder))
        del table
        found = [_speed(path, rows)]
        once, four = (_child(name)["peak"] for name in (path, long))
        found.append(Result(
            subject="parquet, memory", ours=f"{four:.0f} MB at {4 * rows:,} rows",
            peer=f"{once:.0f} MB at {rows:,} rows",
            measured=four / once, bar=FLAT, sense="at most",
        ))  # fmt: skip
        return found + [_text_speed(name) for name in texts]


def clicks(rows: int, seed: int = 0) -> pa.Table:
    """A click log in Criteo's shape: a tenth of the numbers and a twentieth of the texts are missing."""
    rng = np.random.default_rng(seed)
    columns: dict[str, pa.Array] = {"label": pa.array((rng.random(rows) < 0.3).astype(np.int8))}
    for k in range(13):
        values = rng.lognormal(0, 1, rows).round(3) if k % 2 else rng.poisson(20, rows)
        columns[f"I{k + 1}"] = pa.array(values, mask=rng.random(rows) < 0.1)
    for k, distinct in enumerate(DISTINCT):
        texts = pa.array([f"{code:08x}" for code in rng.integers(0, 1 << 32, distinct).tolist()])
        codes = np.minimum((rng.pareto(0.8, rows) * 3).astype(np.int64), distinct - 1).astype(np.int32)
        which = pa.array(codes, mask=rng.random(rows) < 0.05)
        columns[f"C{k + 1}"] = pa.DictionaryArray.from_arrays(which, texts).dictionary_decode()
    return pa.table(columns)


def _texts(table: pa.Table, folder: Path) -> list[Path]:
    """The same rows as CSV and as JSON lines."""
    csv, lines = folder / "log.csv", folder / "log.jsonl"
    pa.csv.write_csv(table, csv)
    with lines.open("w") as file:
        for batch in table.to_batches(20_000):
            for row in batch.to_pylist():
                file.write(json.dumps({name: value for name, value in row.items() if value is not None}) + "\n")
    return [csv, lines]


def learn(path: Path) -> tuple[int, float]:
    """(rows, seconds by the clock) of one pass, from opening the file on."""
    start = time.perf_counter()
    source = read(path, label="label")
    learner = rg.AdaGrad(rg.Logistic(), features=source.features)
    for X, y, weight in source:
        learner.learn_many(X, y, weight)
    taken = time.perf_counter() - start
    if not (source.rows == learner.rounds == learner.ledger.rounds and np.isfinite(learner.ledger.loss)):
        raise RuntimeError(f"{learner.rounds} rounds of {source.rows} rows, or a loss that is not finite")
    return source.rows, taken


def _speed(path: Path, rows: int) -> Result:
    runs = [_child(path) for _ in range(REPEATS)]
    best = min(runs, key=lambda run: run["seconds"])
    if best["rows"] != rows:
        raise RuntimeError(f"{best['rows']} rows instead of {rows}")
    return Result(
        subject="parquet, learnt", ours=f"{rows / best['seconds']:,.0f} rows/s",
        peer=f"{rows / best['processor']:,.0f} rows/s of one processor's time", measured=rows / best["seconds"] / 1000,
        unit="k rows/s", bar=BAR / 1000,
    )  # fmt: skip


def _text_speed(path: Path) -> Result:
    size = path.stat().st_size / 1e6
    best = min((_child(path) for _ in range(3)), key=lambda run: run["seconds"])
    return Result(
        subject=f"{path.suffix[1:]}, learnt", ours=f"{best['rows'] / best['seconds']:,.0f} rows/s",
        peer=f"{size / best['processor']:,.0f} MB/s of one processor's time",
        measured=size / best["seconds"], unit="MB/s",
    )  # fmt: skip


def _child(path: Path) -> dict[str, float]:
    """One pass in a fresh process: rows, seconds by the clock, processor time, the peak of its memory in MB."""
    command = [sys.executable, "-m", "benchmarks.parquet", str(path)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


if __name__ == "__main__":
    before = time.process_time()
    count, seconds = learn(Path(sys.argv[1]))
    status = Path("/proc/self/status")
    if status.exists():
        peak = next(int(line.split()[1]) / 1024 for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    else:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    print(json.dumps({"rows": count, "seconds": seconds, "processor": time.process_time() - before, "peak": peak}))
