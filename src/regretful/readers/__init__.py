"""From files to rounds: `read(path, …)` is a source of batches that learners, games and hindsight take.

Nothing here learns. Formats have a file each; what they share (opening, hashing, reading ahead) is beside them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from regretful.core.parts import number
from regretful.readers.errors import Bad, BadLine
from regretful.readers.files import FORMATS
from regretful.readers.settings import Labels, Settings
from regretful.readers.source import Source

__all__ = ["FORMATS", "Bad", "BadLine", "Source", "read"]


def read(
    path: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    format: str | None = None,  # noqa: A002  # the option is called so
    label: str | None = None,
    weight: str | None = None,
    time: str | None = None,
    only: Sequence[str] = (),
    ignore: Sequence[str] = (),
    text: Sequence[str] = (),
    cross: Sequence[str] = (),
    header: bool | None = None,
    bits: int = 20,
    seed: int = 0,
    skip_bad: bool = False,
    labels: Labels = "asked",
    passes: int = 1,
) -> Source:
    r"""A log on disk as a source of rounds: libsvm, Vowpal Wabbit text, CSV, TSV, Parquet, Arrow or JSON lines.

    path: of a file, a pattern such as `logs/*.csv.gz`, several of them, or `-` for standard input; .gz and .zst are
    decompressed. format: `libsvm`, `vw`, `csv`, `tsv`, `parquet`, `arrow` or `jsonl`; by default as the name ends.

    Columns become features as the entries of an event do: numbers are values, booleans 0 or 1, strings one-hot, what is
    missing is absent. label, weight: the columns that hold them. time: the column to put the rounds in order by.
    only, ignore: the columns to use or to leave out, by name or pattern. text: columns to read as strings though they
    look like numbers. cross: pairs of columns, `"site,device"`, each pair of values a feature of its own. header:
    whether CSV files begin with names; by default they are looked at. bits, seed: names are hashed to 2^bits positions.
    skip_bad: leave out bad lines and count them, instead of an error at the first. labels: `"if there"` where the
    column of labels may be missing. passes: how often to go through it.

    >>> import regretful as rg, tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "log.csv"
    >>> _ = path.write_text("city,age,clicked\nRome,31,1\nOslo,27,0\n")
    >>> log = rg.read(path, label="clicked")
    >>> game = rg.play(rg.AdaGrad(rg.Logistic(), features=log.features), log)
    >>> game.rounds
    2
    """
    passes = int(number("passes", passes, least=1.0))
    settings = Settings(format, label, weight, time, tuple(only), tuple(ignore), tuple(text), tuple(cross), header,
                        bits, seed, skip_bad, labels)  # fmt: skip
    return Source(path, settings, passes)
