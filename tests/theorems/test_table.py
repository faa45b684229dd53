"""The table of the theorems: who is asked for, what is printed, the exit code, JSON, pictures, two processes."""

import json
import subprocess
import sys

import pytest

import regretful as rg
from regretful.theorems import table
from regretful.theorems.__main__ import main


def lying(monkeypatch):
    """Make row 1 claim half of its bound."""
    theorem = rg.theorems.get(1)
    honest = type(theorem).bound
    halved = lambda self, *args, **constants: 0.5 * honest(self, *args, **constants)  # noqa: E731
    monkeypatch.setattr(type(theorem), "bound", halved)


def test_theorems_are_named_by_id_or_row():
    assert rg.theorems.get("gd-regret") is rg.theorems.get(1) is rg.theorems.get("1")
    assert [theorem.row for theorem in rg.theorems.chosen(["1,gd-regret", 1])] == [1]
    assert rg.theorems.chosen() == rg.theorems.all()
    with pytest.raises(ValueError, match=r"no theorem 'gd-regrt'; did you mean 'gd-regret'\?"):
        rg.theorems.get("gd-regrt")
    with pytest.raises(ValueError, match="no theorem '99'; there are gd-regret"):
        rg.theorems.chosen(["99"])
    with pytest.raises(ValueError, match="no theorem was named"):
        rg.theorems.chosen([","])


def test_the_table_and_the_exit_code(capsys, monkeypatch):
    assert main(["--only", "1", "--rounds", "200"]) == 0
    printed = capsys.readouterr()
    assert "gd-regret" in printed.out
    assert "✓ holds" in printed.out
    assert "slopes of random sign" in printed.out.lower()
    assert printed.err == ""
    lying(monkeypatch)
    assert main(["--only", "1", "--rounds", "200"]) == 1
    assert "✗ does not hold (not: holds)" in capsys.readouterr().out


def test_json(capsys):
    assert main(["--only", "gd-regret", "--rounds", "200", "--attack", "--json", "--seed", "3"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    verdict = rg.theorems.get("gd-regret").attack(200, seed=3)
    assert (row["row"], row["seed"], row["rounds"], row["expected"]) == (1, 3, 200, "holds")
    assert row["left"] == verdict.left
    assert row["slack"] == verdict.slack
    assert row["forms"] == verdict.forms


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--only", "nothing"], "no theorem 'nothing'"), (["--rounds", "0"], "at least one round, not 0")],
)
def test_options_that_make_no_sense(arguments, message, capsys):
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("attack", [False, True])
def test_pictures(attack, tmp_path, capsys):
    assert table.tell([1], 100, attack=attack, plot=tmp_path / "new" / "folder") == 0
    (picture,) = (tmp_path / "new" / "folder").iterdir()
    assert picture.name == "gd-regret.png"
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_bar_is_on_standard_error_and_goes_away(capsys):
    table.run([1], 50, progress=True)
    printed = capsys.readouterr()
    assert printed.out == ""


def test_as_a_command():
    done = subprocess.run(
        [sys.executable, "-m", "regretful.theorems", "--only", "gd-regret", "--rounds", "50"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "gd-regret" in done.stdout
