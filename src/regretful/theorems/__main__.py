"""`python -m regretful.theorems`: every theorem of the notes, played, as a table. The work is in table.py."""

from __future__ import annotations

import argparse
import sys

from regretful.theorems.table import tell


def main(arguments: list[str] | None = None) -> int:
    """0: every verdict is the expected one. 1: one is not. 2: the options make no sense."""
    parser = argparse.ArgumentParser(prog="python -m regretful.theorems", description=__doc__)
    parser.add_argument("--only", action="append", default=[], metavar="ID", help="an id or row; again, or with commas")
    parser.add_argument("--rounds", type=int, metavar="N", help="of each game; by default each theorem's own")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--attack", action="store_true", help="let the adversaries play: the worst games found")
    parser.add_argument("--json", action="store_true", help="JSON instead of a table")
    parser.add_argument("--plot", metavar="DIR", help="one picture a theorem, both sides over rounds")
    parser.add_argument("--jobs", type=int, metavar="N", help="processes; by default at most two")
    given = parser.parse_args(arguments)
    try:
        return tell(
            given.only, given.rounds, given.seed,
            attack=given.attack, as_data=given.json, plot=given.plot, jobs=given.jobs,
        )  # fmt: skip
    except ValueError as error:
        parser.error(str(error))


if __name__ == "__main__":
    sys.exit(main())
