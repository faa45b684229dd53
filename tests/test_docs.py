"""The documentation runs: every example in it, and what it says of every public name is what the code says."""

import doctest
import importlib
import os
import pkgutil
import re
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import regretful as rg
from tests.project.files import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
WRITTEN = ("reference.md", "cli.md")  # by a script
BLOCK = re.compile(r"^ *```(python|console)\n(.*?)^ *```", re.M | re.S)
COMMAND = re.compile(r"^ *\$ ((?:[^\n]*\\\n)*[^\n]*)\n((?:(?! *\$ )[^\n]*\n)*)", re.M)
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
PARTS = {name: thing for name in rg.__all__ if not isinstance(thing := getattr(rg, name), ModuleType)}


def blocks(page: Path):
    """(language, line, source) of each block that runs."""
    text = page.read_text()
    return [(found[1], text[: found.start(2)].count("\n") + 1, found[2]) for found in BLOCK.finditer(text)]


@pytest.fixture
def module(monkeypatch):
    """An empty module to run examples in; classes made in it can be pickled."""
    made = ModuleType("documented")
    monkeypatch.setitem(sys.modules, made.__name__, made)
    return made


def check(examples, name, namespace, filename, line=0):
    """Run a text's `>>>` examples in the namespace; fail with doctest's report."""
    test = doctest.DocTestParser().get_doctest(examples, {}, name, filename, line)
    test.globs = namespace
    report = []
    doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=report.append, clear_globs=False)
    assert not report, "".join(report)
    return len(test.examples)


@pytest.fixture
def shell(tmp_path_factory):
    """Run a command as a user would who has installed regretful: what it printed, on either stream."""
    folder = tmp_path_factory.mktemp("commands")
    for name, arguments in (("regretful", "-W error -m regretful"), ("python", "")):
        command = folder / name
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n')
        command.chmod(0o755)
    plain = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES", "FORCE_COLOR")}
    path = os.pathsep.join([str(folder), os.environ["PATH"]])
    env = {**plain, "PATH": path, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "TERM": "dumb"}

    def run(command):
        both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "stdin": subprocess.DEVNULL}
        done = subprocess.run(["bash", "-c", command], env=env, text=True, timeout=300, **both)
        assert done.returncode == 0, f"$ {command}\n{done.stdout}"
        return done.stdout

    return run


def console(source, shell, place):
    """Run a session: each `$ command` succeeds, and prints what stands under it, if anything does."""
    commands = COMMAND.findall(source)
    assert commands, f"{place}: a console block has lines that begin with $"
    for command, wanted in commands:
        got = shell(command)
        if wanted.strip():
            same = doctest.OutputChecker().check_output(wanted, got, OPTIONS)
            assert same, f"{place}: $ {command}\nexpected:\n{wanted}\ngot:\n{got}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_example_of_the_page_runs(page, module, shell, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for language, line, source in blocks(page):
        if language == "console":
            console(source, shell, f"{page.name}:{line}")
        elif source.lstrip().startswith(">>>"):
            assert check(source, page.name, vars(module), str(page), line)
        else:
            exec(compile("\n" * (line - 1) + source, str(page), "exec"), vars(module))


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in WRITTEN], ids=lambda page: page.name)
def test_the_links_of_the_page_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_a_session_that_goes_otherwise_fails(shell, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    console("$ echo one two  three\none two three\n$ echo x > y\n$ cat \\\n  y\nx\n", shell, "here")
    with pytest.raises(AssertionError, match=r"here: \$ echo four"):
        console("$ echo four\nfive\n", shell, "here")
    with pytest.raises(AssertionError, match=r"\$ false"):
        console("$ false\n", shell, "here")
    with pytest.raises(AssertionError, match="begin with"):
        console("echo\n", shell, "here")


def test_there_are_examples():
    """A page whose blocks are not found would pass every other test."""
    assert {page.name for page in PAGES if blocks(page)} >= {
        "README.md",
        "adding-a-learner.md",
        "adding-a-loss.md",
        "branch-prediction.md",
        "certificate.md",
        "click-rates.md",
        "delayed-labels.md",
        "demand.md",
        "getting-started.md",
        "reference.md",
        "spam.md",
    }


def test_every_python_page_names_a_language():
    """A block without one would not run, and nobody would know."""
    bare = [page.name for page in PAGES if re.search(r"^```\n(?=.)(?:>>>|import |from )", page.read_text(), re.M)]
    assert bare == []


@pytest.mark.parametrize("name", PARTS)
def test_every_public_name_is_documented(name):
    assert (PARTS[name].__doc__ or "").strip()
    assert f"### `{name}" in (ROOT / "docs/reference.md").read_text()


@pytest.mark.parametrize("name", [name for name, thing in PARTS.items() if isinstance(thing, type)])
def test_every_public_method_is_documented(name):
    members = {member: getattr(PARTS[name], member) for member in dir(PARTS[name]) if not member.startswith("_")}
    assert [member for member, thing in members.items() if callable(thing) and not thing.__doc__] == []


@pytest.mark.parametrize("name", [name for name, thing in PARTS.items() if hasattr(thing, "learn_one")])
def test_the_readme_names_every_learner(name):
    assert f"`{name}" in (ROOT / "README.md").read_text()


def test_the_reference_is_up_to_date():
    written = (ROOT / "docs/reference.md").read_text()
    assert runpy.run_path(str(ROOT / "docs/make_reference.py"))["page"]() == written, "make docs"


def test_the_page_of_the_command_line_is_up_to_date():
    written = (ROOT / "docs/cli.md").read_text()
    assert runpy.run_path(str(ROOT / "docs/make_cli.py"))["page"]() == written, "make docs"


def modules():
    """Every module of the package, by name."""
    return [found.name for found in pkgutil.walk_packages(rg.__path__, "regretful.")]


@pytest.mark.parametrize("name", ["regretful", *modules()])
def test_every_module_says_what_lives_there(name):
    assert (importlib.import_module(name).__doc__ or "").strip()


@pytest.mark.parametrize("name", modules())
def test_the_docstrings_run(name, module):
    for found in doctest.DocTestFinder().find(importlib.import_module(name), name):
        if found.examples:
            check(found.docstring, found.name, vars(module), found.filename or name, found.lineno or 0)


def test_docstrings_of_compiled_classes_are_among_them():
    losses = importlib.import_module("regretful.core.losses")
    assert [found for found in doctest.DocTestFinder().find(losses) if found.examples]


def test_every_named_learner_shows_an_example():
    bare = [name for name in importlib.import_module("regretful.learners").__all__ if ">>>" not in PARTS[name].__doc__]
    assert bare == []
