"""A small run of the fuzzers of tables; `python -m tests.readers.fuzz_tables jsonl 1000000` is a large one."""

import pytest

from tests.readers import fuzz_tables


@pytest.mark.parametrize(("kind", "count"), [("jsonl", 2000), ("csv", 500)])
def test_mutated_inputs(kind, count):
    fuzz_tables.play(kind, count, seed=1)


def test_the_fuzzer_would_notice(monkeypatch):
    """A line that Python's json takes and the reader does not, or the other way about, is a failure."""
    fuzz_tables.one_jsonl(b'{"a": 1}\n')
    monkeypatch.setattr(fuzz_tables, "naive", lambda line: None)
    with pytest.raises(AssertionError):
        fuzz_tables.one_jsonl(b'{"a": 1}\n')
    monkeypatch.setattr(fuzz_tables, "naive", lambda line: {"a": 2.0})
    with pytest.raises(AssertionError):
        fuzz_tables.one_jsonl(b'{"a": 1}\n')
