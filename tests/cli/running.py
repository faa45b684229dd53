"""The program as the tests run it: in this process, or as a process of its own."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass

import pytest

import regretful as rg
from regretful.cli.app import run

ROUNDS = 2000


@dataclass
class Ended:
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def document(self):
        return json.loads(self.out)


@pytest.fixture
def regretful(capfdbinary):
    """Run a command in this process."""

    def call(*arguments):
        code = run([str(argument) for argument in arguments])
        out, err = capfdbinary.readouterr()
        return Ended(code, out.decode(), err.decode())

    return call


def process(*arguments, **how):
    """Run it as a process of its own."""
    command = [sys.executable, "-W", "error", "-m", "regretful", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment(), **how)
    return Ended(done.returncode, done.stdout, done.stderr)


def environment(**more):
    """This one's, with no terminal's."""
    plain = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "FORCE_COLOR")}
    return {**plain, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "TERM": "xterm", **more}


@pytest.fixture(scope="session")
def clicks(tmp_path_factory):
    """A click log as a Parquet file, with the label `clicked`."""
    path = tmp_path_factory.mktemp("clicks") / "clicks.parquet"
    rg.nature.ClickLog(seed=3).write(path, ROUNDS)
    return path


@pytest.fixture(scope="session")
def numbers(tmp_path_factory):
    """A CSV of a number to predict."""
    import numpy as np

    rng = np.random.default_rng(5)
    X = rng.normal(size=(300, 3))
    y = X @ [1.0, -2.0, 0.5] + rng.normal(size=300) * 0.1
    w = rng.integers(1, 4, 300)
    path = tmp_path_factory.mktemp("numbers") / "numbers.csv"
    lines = [
        "a,b,c,y,w",
        *(",".join(map(repr, [*map(float, x), float(t), int(v)])) for x, t, v in zip(X, y, w, strict=True)),
    ]
    path.write_text("\n".join(lines) + "\n")
    return path
