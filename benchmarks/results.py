"""What a subject found: both figures, what follows, the bar and the verdict; the table and the JSON."""

import json
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

from benchmarks.timing import Times

PACKAGES = ("regretful", "numpy", "scipy", "scikit-learn", "river")


@dataclass(frozen=True)
class Result:
    """One line of the table. `measured` is the figure that `bar` speaks about; no bar: for information."""

    subject: str
    ours: str
    peer: str
    measured: float
    unit: str = "x"
    bar: float | None = None
    sense: Literal["at least", "at most"] = "at least"
    times: dict[str, Times] | None = None

    @property
    def reached(self) -> bool | None:
        if self.bar is None:
            return None
        return self.measured >= self.bar if self.sense == "at least" else self.measured <= self.bar

    @property
    def verdict(self) -> str:
        return {None: "", True: "reached", False: "MISSED"}[self.reached]

    def cells(self) -> tuple[str, ...]:
        bar = "" if self.bar is None else f"{self.sense} {self.bar:.4g}{_suffix(self.unit)}"
        return (
            self.subject,
            self.ours,
            self.peer,
            f"{self.measured:.2f}{_suffix(self.unit)}",
            bar,
            self.verdict,
        )

    def noise(self) -> str:
        """How far the repetitions lay apart, for whoever doubts a figure."""
        if not self.times:
            return ""
        return "; ".join(
            f"{name}: best {cost(times.best, 'run')}, median {times.spread:.2f} of it"
            for name, times in self.times.items()
        )


def slower(subject: str, times: dict[str, Times], ours: str, peer: str, per: float, unit: str, bar: float) -> Result:
    """The kind of result that says "the peer takes at least `bar` times as long"; figures a unit of work."""
    return Result(
        subject=subject,
        ours=cost(times[ours].best / per, unit),
        peer=f"{cost(times[peer].best / per, unit)} ({peer})",
        measured=times[peer].best / times[ours].best,
        bar=bar,
        times={name: times[name] for name in (ours, peer)},
    )


def cost(seconds: float, unit: str) -> str:
    """Seconds in the unit a person would choose: `1.23 µs/event`."""
    for size, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{seconds / size:.3g} {name}/{unit}"
    return f"{seconds * 1e9:.3g} ns/{unit}"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns aligned, the first to the left and the others to the right."""
    lines = [tuple(header), *map(tuple, rows)]
    widths = [max(len(line[k]) for line in lines) for k in range(len(header))]
    lines.insert(1, tuple("-" * width for width in widths))
    formats = [f"{{:{'>' if k else '<'}{width}}}" for k, width in enumerate(widths)]
    return "\n".join("  ".join(formats).format(*line).rstrip() for line in lines)


def summary(results: Sequence[Result]) -> str:
    header = ("subject", "ours", "peer", "measured", "bar", "verdict")
    return table(header, [result.cells() for result in results])


def write_json(path: Path, results: Sequence[Result], failures: dict[str, str], quick: bool) -> None:
    found: list[dict[str, Any]] = [asdict(result) | {"reached": result.reached} for result in results]
    report = {"machine": machine(), "quick": quick, "results": found, "failures": failures}
    path.write_text(json.dumps(report, indent=2) + "\n")


def machine() -> dict[str, object]:
    """What the figures depend on."""
    return {
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "processors": os.cpu_count(),
        "load": os.getloadavg() if hasattr(os, "getloadavg") else None,
        "packages": {name: _version(name) for name in PACKAGES},
    }


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def _suffix(unit: str) -> str:
    return unit if unit == "x" else f" {unit}"
