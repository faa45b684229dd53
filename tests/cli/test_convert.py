"""`regretful convert`: what it tells, where it writes, how it ends. What is written is tried in tests/convert."""

import json
import subprocess
import sys

import pytest

from tests.cli.running import ROUNDS, environment, process


def test_it_tells_rows_and_how_to_read_them(regretful, clicks, tmp_path):
    ended = regretful("convert", clicks, tmp_path / "log.csv.gz")
    assert (ended.code, ended.out) == (0, "")
    first, second = ended.err.splitlines()
    assert first.startswith(f"{ROUNDS:,} rows to {tmp_path}")
    assert second == "texts in it look like numbers: read it with --text hour"
    told = regretful("convert", clicks, tmp_path / "log.jsonl", "--json").document
    assert (told["rows"], told["bad_lines"], told["notes"]) == (ROUNDS, 0, [])
    assert regretful("convert", clicks, tmp_path / "log.tsv", "-q").err == ""


def test_the_game_is_the_same(regretful, clicks, tmp_path):
    before = regretful("play", clicks, "--label", "clicked", "--json").document["loss"]
    regretful("convert", clicks, tmp_path / "log.vw", "--label", "clicked")
    after = regretful("play", tmp_path / "log.vw", "--json").document["loss"]
    assert after == pytest.approx(before, rel=1e-12)


@pytest.mark.parametrize(
    ("file", "out", "options", "words"),
    [
        ("log.csv", "log.txt", [], "log.txt: its name does not tell the format: say which with --to"),
        ("log.csv", "-", [], "standard output has no name"),
        ("log.csv", "out", ["--to", "xml"], "there is no format 'xml'"),
        ("log.csv", "log.parquet.gz", [], "leave out .gz"),
        ("log.csv", "log.csv", [], "would be written over"),
        ("log.csv", "-", ["--to", "vw", "--json"], "--json"),
    ],
)
def test_what_makes_no_sense_is_refused(regretful, tmp_path, monkeypatch, file, out, options, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.csv").write_text("a,y\n1,2\n")
    ended = regretful("convert", file, out, *options)
    assert ended.code == 2
    assert words in ended.err
    assert (tmp_path / "log.csv").read_text() == "a,y\n1,2\n"


def test_what_is_wrong_with_a_file_ends_with_1(regretful, tmp_path):
    (tmp_path / "log.csv").write_text("a b,y\n1,2\n")
    assert regretful("convert", tmp_path / "nowhere.csv", tmp_path / "x.jsonl").code == 1
    ended = regretful("convert", tmp_path / "log.csv", tmp_path / "x.vw", "--label", "y")
    assert ended.code == 1
    assert "'a b'" in ended.err
    ended = regretful("convert", tmp_path / "log.csv", tmp_path / "x.jsonl", "--label", "z")
    assert ended.code == 1
    assert "no column 'z'" in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["log.csv"]


def test_bad_lines_are_counted(regretful, tmp_path):
    (tmp_path / "log.jsonl").write_text('{"a": 1, "y": 1}\n{"a": \n{"a": 2, "y": 0}\n')
    assert regretful("convert", tmp_path / "log.jsonl", tmp_path / "x.vw", "--label", "y").code == 1
    ended = regretful("convert", tmp_path / "log.jsonl", tmp_path / "x.vw", "--label", "y", "--skip-bad")
    assert "2 rows" in ended.err
    assert "1 bad line left out" in ended.err
    assert (tmp_path / "x.vw").read_text() == "1 | a\n0 | a:2\n"


def test_through_a_pipe(tmp_path):
    command = [sys.executable, "-m", "regretful", "convert", "-", "-", "--format", "libsvm", "--to", "jsonl"]
    done = subprocess.run(command, input=b"1 1:2\n-1 3:4\n", capture_output=True, timeout=60, env=environment())
    assert [json.loads(line) for line in done.stdout.splitlines()] == [{"label": 1, "1": 2}, {"label": -1, "3": 4}]
    ended = process("convert", "-", tmp_path / "x.csv", "--format", "libsvm", input="1 1:2\n")
    assert ended.code == 2
    assert "standard input comes once" in ended.err
