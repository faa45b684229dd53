"""A small run of `make fuzz`, and whether it would notice: a wrong answer, a crash, a hang."""

import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretful as rg
from regretful.core.types import Batch
from tests.readers import fuzz, fuzz_arrow, fuzz_csv, fuzz_json, fuzz_text, sound
from tests.readers.fuzzing import Format, Seen, Tally, play

COUNTS = {
    "libsvm": 3000, "vw": 3000, "jsonl": 2000, "csv": 500, "tsv": 500, "parquet": 1000, "arrow": 2000, "tables": 500,
}  # fmt: skip


@pytest.mark.parametrize("name", fuzz.FORMATS)
def test_inputs_of_every_format(name):
    """Enough of them are read, and enough refused, for both to be put to the test."""
    tally = fuzz.shard(name, COUNTS[name], 20, 0)
    assert tally.inputs == COUNTS[name]
    assert tally.with_rows > tally.inputs / 10
    assert tally.with_errors > tally.inputs / 10


PARTS = {
    "libsvm": (*fuzz_text.LIBSVM, *fuzz_text.SAVOURY), "vw": (*fuzz_text.VW, *fuzz_text.SAVOURY),
    "csv": (*fuzz_csv.TABLES, *fuzz_csv.SALT), "jsonl": (*fuzz_json.LINES, *fuzz_json.SALT),
}  # fmt: skip


@pytest.mark.parametrize("name", PARTS)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_inputs_that_hypothesis_makes(name, data, seed):
    """The same check of what Hypothesis puts together of the same lines and words; it finds the shortest that fails."""
    words = sorted({word for part in PARTS[name] for line in part.splitlines(keepends=True) for word in (part, line)})
    made = data.draw(st.lists(st.sampled_from(words) | st.binary(max_size=4), max_size=12).map(b"".join))
    fuzz.FORMATS[name].check(made, Random(seed), True)


def test_the_same_seed_makes_the_same_inputs():
    for chosen in fuzz.FORMATS.values():
        first, again = Random(3), Random(3)
        assert [chosen.make(first) for _ in range(30)] == [chosen.make(again) for _ in range(30)]


def test_a_fault_tells_the_input():
    def check(data: bytes, rng: Random, held: bool) -> Seen:
        assert data != b"bad"
        return Seen(1, 0)

    inputs = iter([b"good", b"good", b"bad"])
    with pytest.raises(AssertionError) as caught:
        play(Format(lambda rng: next(inputs), check, held=1), 3, Random(1))
    assert caught.value.__notes__ == ["input: b'bad'"]


def test_one_input_of_so_many_is_held_against_the_naive_reader():
    held = []
    check = Format(lambda rng: b"", lambda data, rng, beside: held.append(beside) or Seen(1, 1), held=3)
    assert play(check, 7, Random(1)) == Tally(7, 3, 7, 7)
    assert held == [True, False, False, True, False, False, True]


BROKEN = """
import os, sys, time
from pathlib import Path
from tests.readers import fuzz
from tests.readers.fuzzing import Format
fuzz.PATIENCE = 0.5
what = {"crash": os.abort, "hang": lambda: time.sleep(60)}[sys.argv[1]]
fuzz.FORMATS["broken"] = Format(lambda rng: b"the input", lambda data, rng, held: what(), held=1)
fuzz.shard("broken", 10, 1, 0, Path(sys.argv[2]))
"""


@pytest.mark.parametrize(("what", "end"), [("crash", signal.SIGABRT), ("hang", signal.SIGALRM)])
def test_the_input_of_a_crash_or_a_hang_is_known(tmp_path, what, end):
    last = tmp_path / "last"
    done = subprocess.run([sys.executable, "-c", BROKEN, what, str(last)], capture_output=True, timeout=60)
    assert done.returncode == -end
    assert fuzz.Last.read(last) == b"the input"


def test_a_shard_that_dies_is_a_fault(monkeypatch, capsys):
    def run(command, **_):
        fuzz.Last(Path(command[-1])).note(b"the input")
        signal.setitimer(signal.ITIMER_REAL, 0)
        return subprocess.CompletedProcess(command, -6, "", "a report")

    monkeypatch.setattr(subprocess, "run", run)
    assert not fuzz.fuzz("vw", 250_000, 1, 1)
    printed = capsys.readouterr().out
    assert "3 faults" in printed
    assert "it ended with -6\na report\nlast input: b'the input'" in printed
    assert "again: python -m tests.readers.fuzz vw --count 50000 --seed 1 --shard 2" in printed


def test_shards_in_processes(capsys):
    assert fuzz.fuzz("libsvm", 500, 1, 2)
    assert "libsvm: 500 inputs (seed 1)" in capsys.readouterr().out


def test_what_python_reads_otherwise_is_a_fault(monkeypatch):
    """A line that Python's json takes and the reader does not, or the other way about."""
    rng = Random(1)
    fuzz_json.jsonl(b'{"a": 1}\n', rng, held=True)
    for naive in (lambda line: None, lambda line: {"a": 2.0}):
        monkeypatch.setattr(fuzz_json, "naive", naive)
        with pytest.raises(AssertionError):
            fuzz_json.jsonl(b'{"a": 1}\n', rng, held=True)


def test_rows_of_odd_tables_that_differ_are_a_fault(monkeypatch):
    table = fuzz_arrow.SMALL[0]
    fuzz_arrow.odd(fuzz_arrow.stream(table), Random(1), held=True)
    for wanted in (None, [{}, {}, {}], [{0: 1.0}, None, None]):
        monkeypatch.setattr(fuzz_arrow.odd_tables, "naive", lambda table, hashing, wanted=wanted: wanted)
        with pytest.raises(AssertionError):
            fuzz_arrow.odd(fuzz_arrow.stream(table), Random(1), held=True)


class Rows:
    """As much of HashedRows as is looked at."""

    def __init__(self, start, index, value):
        self.start, self.index, self.value = np.array(start), np.array(index), np.array(value)

    def __len__(self):
        return len(self.start) - 1


def test_what_is_no_batch_is_a_fault():
    def batch(start=(0, 2), index=(1, 2), value=(1.0, 1.0), y=(1.0,), weight=None):
        weight = None if weight is None else np.array(weight)
        return Batch(Rows(start, index, value), np.array(y), weight)

    sound.batch(batch(), rg.Hashing(2))
    for wrong in ({"index": (1, 4)}, {"index": (-1, 1)}, {"index": (1, 1)}, {"value": (1.0, np.nan)}, {"start": (0, 3)},
                  {"start": (1, 2)}, {"start": (0, 3, 2), "y": (1, 1)}, {"y": (np.inf,)}, {"y": (1, 2)},
                  {"weight": (-1.0,)}):  # fmt: skip
        with pytest.raises(AssertionError):
            sound.batch(batch(**wrong), rg.Hashing(2))
