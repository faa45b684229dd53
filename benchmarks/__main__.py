"""`python -m benchmarks [name ...] [--quick] [--json FILE]`: runs subjects, prints the table of verdicts.

The exit status is 1 if a bar was missed or a subject could not be measured.
"""

import argparse
import importlib
import sys
import traceback
from pathlib import Path

from benchmarks.results import Result, machine, summary, write_json

SUBJECTS = (
    "events",
    "csr",
    "dense",
    "python_loss",
    "scaling",
    "import_time",
    "memory",
    "hindsight",
    "bandits",
    "markets",
    "labels",
    "text",
    "growth",
    "parquet",
)


def main() -> int:
    chosen = _arguments()
    print("  ".join(f"{name} {value}" for name, value in machine().items() if name != "packages"))
    results: list[Result] = []
    failures: dict[str, str] = {}
    for name in chosen.names or SUBJECTS:
        try:
            results += _run(name, chosen.quick)
        except Exception as problem:  # one subject's trouble must not hide the others' verdicts
            traceback.print_exc()
            failures[name] = f"{type(problem).__name__}: {problem}"

    print("\n" + summary(results) if results else "")
    for name, reason in failures.items():
        print(f"{name}: NOT MEASURED, {reason}")
    missed = [result.subject for result in results if result.reached is False]
    print("\n" + _conclusion(results, missed, failures, chosen.quick))
    if chosen.json:
        write_json(chosen.json, results, failures, chosen.quick)
    return 1 if missed or failures else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="regretful against its peers")
    parser.add_argument("names", nargs="*", metavar="name", help=f"{', '.join(SUBJECTS)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="smaller sizes, fewer repetitions: only a look")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures, every repetition, to FILE")
    chosen = parser.parse_args()
    unknown = [name for name in chosen.names if name not in SUBJECTS]
    if unknown:
        parser.error(f"no subject {', '.join(unknown)}; there are {', '.join(SUBJECTS)}")
    return chosen


def _run(name: str, quick: bool) -> list[Result]:
    module = importlib.import_module(f"benchmarks.{name}")
    print(f"\n{name}: {(module.__doc__ or '').splitlines()[0]}", flush=True)
    results: list[Result] = module.run(quick)
    for result in results:
        _, ours, peer, measured, bar, verdict = result.cells()
        print(f"  {result.subject}: {ours}, {peer}: {measured}" + (f" ({bar}: {verdict})" if bar else ""))
        if result.noise():
            print(f"    {result.noise()}")
    sys.stdout.flush()
    return results


def _conclusion(results: list[Result], missed: list[str], failures: dict[str, str], quick: bool) -> str:
    asked = sum(result.bar is not None for result in results)
    said = f"{asked - len(missed)} of {asked} bars reached"
    if missed:
        said += f"; missed: {', '.join(missed)}"
    if failures:
        said += f"; not measured: {', '.join(failures)}"
    return said + (". A quick run: the bars are meant for the full sizes." if quick else ".")


if __name__ == "__main__":
    sys.exit(main())
