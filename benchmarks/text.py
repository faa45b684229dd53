"""libsvm and Vowpal Wabbit text, 200 MB, logistic loss and ledger: at least 5 times vowpalwabbit; 600 MB/s parsed.

End to end counts by the clock on the wall, as both work with two threads; what it cost in processor time, which
neighbours on the machine disturb less, is told beside it. Parsing alone (marks, numbers, names hashed, rows built)
counts in processor time of its one thread.
"""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import regretful as rg
from benchmarks import data
from benchmarks.results import Result
from benchmarks.timing import Prepare, Times, race
from regretful.readers import read
from regretful.readers.builder import Builder
from regretful.readers.errors import Bad
from regretful.readers.files import Files
from regretful.readers.settings import Settings
from regretful.readers.text import Text

FOLDER = Path("build/benchmarks")
BAR, PARSING = 5.0, 600.0  # times Vowpal Wabbit; MB/s

LEARNERS: dict[str, Callable[[rg.Hashing], rg.MirrorDescent]] = {
    "gradient descent": lambda features: rg.GradientDescent(rg.Logistic(), 0.5, features=features),
    "AdaGrad": lambda features: rg.AdaGrad(rg.Logistic(), 0.5, features=features),
}


def run(quick: bool) -> list[Result]:
    rows, repeats = (20_000, 3) if quick else (190_000, 15)
    paths = data.write_text(FOLDER, rows)
    peer = {"vowpalwabbit": _theirs(paths["vw"])}
    ours = {
        f"{kind}, {name}": _ours(path, kind, make) for kind, path in paths.items() for name, make in LEARNERS.items()
    }
    wall = race(peer | ours, repeats, perf_counter)
    processor = race(peer | ours, repeats)
    parsing = race({kind: _parsing(path, kind) for kind, path in paths.items()}, repeats)
    results = [_against(name, paths[name.split(",")[0]], paths["vw"], wall, "", BAR) for name in ours]
    results += [
        _against(name, paths[name.split(",")[0]], paths["vw"], processor, " (processor time)", None) for name in ours
    ]
    return results + [
        Result(
            subject=f"text, parsing {kind}",
            ours=f"{_megabytes(path):.0f} MB in {parsing[kind].best:.3f} s",
            peer="processor time",
            measured=_megabytes(path) / parsing[kind].best,
            unit="MB/s",
            bar=PARSING,
            times={kind: parsing[kind]},
        )
        for kind, path in paths.items()
    ]


def _megabytes(path: Path) -> float:
    return path.stat().st_size / 1e6


def _against(name: str, path: Path, other: Path, times: dict[str, Times], how: str, bar: float | None) -> Result:
    """Bytes a second, ours over theirs; the two files say the same."""
    ours, theirs = _megabytes(path) / times[name].best, _megabytes(other) / times["vowpalwabbit"].best
    return Result(
        subject=f"text, {name}{how}",
        ours=f"{ours:.0f} MB/s",
        peer=f"{theirs:.0f} MB/s (vowpalwabbit)",
        measured=ours / theirs,
        bar=bar,
        times={one: times[one] for one in (name, "vowpalwabbit")},
    )


def _ours(path: Path, kind: str, make: Callable[[rg.Hashing], rg.MirrorDescent]) -> Prepare:
    def learn() -> None:
        source = read(path, format=kind)
        learner = make(source.features)
        for X, y, weight in source:
            learner.learn_many(X, y, weight)
        if not 0.1 < learner.ledger.mean_loss < 0.69:
            raise RuntimeError(f"nothing was learnt: mean loss {learner.ledger.mean_loss}")

    return lambda: learn


def _theirs(path: Path) -> Prepare:
    from vowpalwabbit import Workspace

    return lambda: lambda: Workspace(f"-d {path} --quiet").finish()


def _parsing(path: Path, kind: str) -> Prepare:
    def parse() -> None:
        for _ in Text(kind, Settings()).batches(Files(path), Builder(rg.Hashing(20)), Bad()):
            pass

    return lambda: parse
