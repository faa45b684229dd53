"""What `import regretful` brings along, and what only comes when it is asked for."""

import subprocess
import sys

import pytest

import regretful as rg

HEAVY = {"matplotlib", "pandas", "plotly", "polars", "pyarrow", "rich", "river", "scipy", "sklearn", "typer"}


def in_a_fresh_process(code):
    """What the code prints, after nothing else was imported."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_importing_brings_nothing_heavy():
    """It would cost what `make bench ARGS=import_time` allows the whole of it, and more."""
    code = "import sys, regretful; print(*{name.partition('.')[0] for name in sys.modules})"
    assert set(in_a_fresh_process(code).split()) & HEAVY == set()


def test_learning_from_events_and_arrays_brings_nothing_heavy_either():
    code = (
        "import sys, regretful as rg; learner = rg.Perceptron(); learner.learn_one({'a': 1.0, 'b': 'c'}, 1); "
        "rg.AdaGrad(rg.Logistic()).learn_many([[1.0, 2.0]], [1]); "
        "print(*{name.partition('.')[0] for name in sys.modules})"
    )
    assert set(in_a_fresh_process(code).split()) & HEAVY == set()


def test_rooms_open_when_they_are_asked_for():
    code = (
        "import sys, regretful as rg; rooms = ['regretful.' + room for room in rg._LATER]; "
        "print(*[room for room in rooms if room in sys.modules]); "
        "print(all(getattr(rg, name) is not None for name in rg.__all__)); "
        "print(*[room for room in rooms if room not in sys.modules])"
    )
    assert in_a_fresh_process(code).splitlines() == ["", "True", ""]


def test_every_public_name_is_there_however_it_is_asked_for():
    assert len(set(rg.__all__)) == len(rg.__all__)
    assert set(rg.__all__) <= set(dir(rg))
    assert rg.__version__ == __import__("importlib.metadata").metadata.version("regretful")
    names = {}
    exec("from regretful import *", names)
    assert set(rg.__all__) <= set(names)
    with pytest.raises(AttributeError, match="module 'regretful' has no attribute 'Perseptron'"):
        rg.Perseptron  # noqa: B018
    with pytest.raises(ImportError, match="Perseptron"):
        exec("from regretful import Perseptron")
