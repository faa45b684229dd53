"""The program: help, version, exit codes, Ctrl-C, pipes that break, terminals."""

import os
import pty
import re
import resource
import signal
import subprocess
import sys
import time

import pytest
import typer

import regretful as rg
from regretful.cli.app import app
from tests.cli.running import environment, process

COMMANDS = ("play", "compare", "predict", "hindsight", "inspect", "convert", "theorems", "demo")


def test_it_tells_its_version():
    ended = process("--version")
    assert (ended.code, ended.out, ended.err) == (0, f"regretful {rg.__version__}\n", "")


def test_help_names_every_command(regretful):
    ended = regretful("--help")
    assert ended.code == 0
    assert [name for name in COMMANDS if not re.search(rf"^\W*{name}\b", ended.out, re.M)] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(regretful, command):
    ended = regretful(command, "--help")
    assert ended.code == 0
    assert "--help" in ended.out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["fly"], "fly"),
        (["play"], "FILE"),
        (["play", "x.csv", "--lable", "y"], "--label"),
        (["play", "x.csv", "--bits", "99"], "--bits"),
        (["play", "x.csv", "--loss", "lost"], "--loss lost: there is no 'lost'"),
        (["play", "x.csv", "--cross", "a"], "--cross a"),
        (["compare", "-", "--label", "y"], "standard input"),
        (["hindsight", "-", "--label", "y"], "standard input"),
    ],
)
def test_what_is_mistyped_ends_with_2_and_one_line(regretful, arguments, words):
    ended = regretful(*arguments)
    assert ended.code == 2
    assert ended.out == ""
    assert words in ended.err
    assert ended.err.count("\n") == 1


def test_nothing_typed_shows_help(regretful):
    ended = regretful()
    assert "play" in ended.out


@pytest.mark.parametrize(
    "arguments",
    [["play", "nowhere.csv", "--label", "y"], ["inspect", "nowhere.rg"], ["predict", "nowhere.rg", "x.csv"]],
)
def test_a_file_that_is_not_there_ends_with_1_and_one_line(regretful, arguments):
    ended = regretful(*arguments)
    assert ended.code == 1
    assert "nowhere" in ended.err
    assert ended.err.count("\n") == 1


def test_a_model_that_is_none(regretful, numbers):
    ended = regretful("inspect", numbers)
    assert ended.code == 1
    assert "not a model" in ended.err


def test_what_cannot_be_written_is_said_before_the_game(regretful, numbers, tmp_path, monkeypatch):
    for option in ("--save", "--predictions", "--report"):
        ended = regretful("play", numbers, "--label", "y", "--loss", "squared", option, tmp_path / "no" / "file")
        assert (ended.code, ended.out) == (1, "")
        assert "there is no folder" in ended.err
    ended = regretful("play", numbers, "--label", "y", "--loss", "squared", "--save", tmp_path)
    assert (ended.code, "is a folder" in ended.err) == (1, True)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    ended = regretful("play", numbers, "--label", "y", "--loss", "squared", "--report", tmp_path / "x.html")
    assert (ended.code, ended.out) == (1, "")
    assert "pip install 'regretful[report]'" in ended.err


def test_a_label_the_loss_does_not_take(regretful, numbers):
    ended = regretful("play", numbers, "--label", "y")
    assert ended.code == 1
    assert "label" in ended.err
    assert ended.err.count("\n") == 1


def test_ctrl_c_leaves_a_model_and_a_summary(clicks, tmp_path):
    model, out = tmp_path / "m.rg", tmp_path / "p.csv"
    command = [sys.executable, "-m", "regretful", "play", clicks, "--label", "clicked", "--passes", 2000]
    command += ["--save", model, "--predictions", out, "--bits", 10]
    playing = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=environment(PYTHONUNBUFFERED="1"))  # fmt: skip
    for line in playing.stdout:
        if "1,024" in line:
            break
    playing.send_signal(signal.SIGINT)
    told, err = playing.communicate(timeout=60)
    assert playing.returncode == 130
    assert "before it was interrupted" in told
    assert err == ""
    rounds = rg.load(model).rounds
    assert 1024 <= rounds < 2000 * 2000
    assert len(out.read_text().splitlines()) == rounds + 1


def test_ctrl_c_while_converting_leaves_nothing(tmp_path):
    log = tmp_path / "log.vw"
    log.write_text("1 | a:1 b:2.5 c\n" * 2_000_000)
    command = [sys.executable, "-m", "regretful", "convert", str(log), str(tmp_path / "log.jsonl.gz")]
    converting = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment())
    until = time.monotonic() + 30
    while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    converting.send_signal(signal.SIGINT)
    _, err = converting.communicate(timeout=60)
    assert (converting.returncode, err) == (130, "")
    assert [path.name for path in tmp_path.iterdir()] == ["log.vw"]


def test_ctrl_c_in_a_large_file(tmp_path):
    """Text, read ahead in a thread of its own; a report is written too."""
    log, model, page = tmp_path / "log.vw", tmp_path / "m.rg", tmp_path / "r.html"
    log.write_text("1 | a:1 b:2.5 c\n-1 | d:1 b:-2.5 e\n" * 2_000_000)
    command = [sys.executable, "-m", "regretful", "play", log, "--bits", 10, "--save", model, "--report", page]
    playing = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=environment(PYTHONUNBUFFERED="1"))  # fmt: skip
    for line in playing.stdout:
        if "1,024" in line:
            break
    playing.send_signal(signal.SIGINT)
    told, err = playing.communicate(timeout=60)
    assert (playing.returncode, err) == (130, "")
    assert "before it was interrupted" in told
    assert 1024 <= rg.load(model).rounds < 4_000_000
    assert "before it was interrupted" in page.read_text()


def test_a_pipe_that_breaks_is_no_trouble(clicks):
    command = [sys.executable, "-m", "regretful", "play", str(clicks), "--label", "clicked", "--passes", "3"]
    playing = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=environment(PYTHONUNBUFFERED="1"))  # fmt: skip
    playing.stdout.readline()
    playing.stdout.close()
    err = playing.stderr.read()
    playing.stderr.close()
    assert playing.wait(60) == 0
    assert err == ""


def on_a_terminal(*arguments, columns=80):
    """What a terminal of so many columns shows, with its colours."""
    parent, child = pty.openpty()
    env = environment(COLUMNS=str(columns), LINES="40")
    playing = subprocess.Popen([sys.executable, "-m", "regretful", *map(str, arguments)], stdin=child, stdout=child,
                               stderr=child, env=env, close_fds=True)  # fmt: skip
    os.close(child)
    shown = b""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            part = os.read(parent, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(parent)
    assert playing.wait(10) == 0
    return shown.decode()


def test_a_terminal_gets_a_bar_and_colours(clicks):
    shown = on_a_terminal("play", clicks, "--label", "clicked")
    assert "\x1b[" in shown
    assert "playing" in shown
    lines = re.split(r"[\r\n]+", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown))
    assert max(map(len, lines)) <= 80
    without = on_a_terminal("play", clicks, "--label", "clicked", "--no-progress")
    assert "playing" not in without


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("regretful pl", {"play"}),
        ("regretful play --lab", {"--label"}),
        ("regretful play --learner p", {"perceptron", "passive-aggressive", "pegasos", "pnorm"}),
        ("regretful convert a b --to j", {"jsonl"}),
        ("regretful hindsight --domain b", {"ball", "box"}),
    ],
)
def test_the_shell_completes(typed, offered):
    asked = environment(_REGRETFUL_COMPLETE="complete_bash", COMP_WORDS=typed, COMP_CWORD=str(len(typed.split()) - 1))
    done = subprocess.run([sys.executable, "-m", "regretful"], capture_output=True, text=True, env=asked, timeout=60)
    assert set(done.stdout.split()) == offered
    told = environment(_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")  # the tests' own parents may be no shell
    command = [sys.executable, "-m", "regretful", "--show-completion", "bash"]
    shown = subprocess.run(command, capture_output=True, text=True, env=told, timeout=60)
    assert "_REGRETFUL_COMPLETE" in shown.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_says_what_it_is(command):
    for one in typer.main.get_command(app).commands[command].params:
        assert (one.help or "").strip().endswith("."), one.name


@pytest.mark.skipif("REGRETFUL_CHECKS" in os.environ, reason="the checked build is many times slower")
def test_help_comes_soon():
    """In seconds of the processor, as others may be using it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert process("--help").code == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.6
