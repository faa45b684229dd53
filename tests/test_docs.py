"""The documentation runs: every example in it, and what it says of every public name is what the code says."""

import doctest
import importlib
import pkgutil
import re
import runpy
import sys
from pathlib import Path
from types import ModuleType

import pytest

import regretful as rg
from tests.project.files import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^ *```python\n(.*?)^ *```", re.M | re.S)
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
PARTS = {name: thing for name in rg.__all__ if not isinstance(thing := getattr(rg, name), ModuleType)}


def blocks(page: Path):
    """(line, source) of each Python block."""
    text = page.read_text()
    return [(text[: found.start(1)].count("\n") + 1, found[1]) for found in BLOCK.finditer(text)]


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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_example_of_the_page_runs(page, module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for line, source in blocks(page):
        if source.lstrip().startswith(">>>"):
            assert check(source, page.name, vars(module), str(page), line)
        else:
            exec(compile("\n" * (line - 1) + source, str(page), "exec"), vars(module))


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "reference.md"], ids=lambda page: page.name)
def test_the_links_of_the_page_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_there_are_examples():
    """A page whose blocks are not found would pass every other test."""
    assert {page.name for page in PAGES if blocks(page)} >= {
        "README.md",
        "adding-a-learner.md",
        "adding-a-loss.md",
        "certificate.md",
        "delayed-labels.md",
        "getting-started.md",
        "reference.md",
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
