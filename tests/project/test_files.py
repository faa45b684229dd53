"""What must be so of the project's files, whatever is in them."""

import os
import re
import subprocess

import pytest

from tests.project.files import PROJECT, ROOMS, ROOT, project_files

# Written in two halves, so that this file passes its own test.
REGISTRIES = [
    "py" + "pi.org",
    "python" + "hosted.org",
    "npm" + "js.org",
    "npm" + "js.com",
    "deb.debian" + ".org",
]
PLACES = [
    "--index" + "-url",
    "--extra-index" + "-url",
    "--find" + "-links",
    "/opt/" + "pypi",
    "/opt/" + "wheels",
]


def test_no_file_names_a_registry():
    found = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in project_files()
        for word in REGISTRIES + PLACES
        if word.encode() in path.read_bytes()
    ]
    assert found == []


@pytest.mark.parametrize("name", ["dev", "bench"])
def test_every_pinned_requirement_has_a_hash(name):
    lock = (ROOT / f"requirements/{name}.txt").read_text().replace("\\\n", " ")
    lines = [line for line in lock.splitlines() if line and not line.lstrip().startswith("#")]
    assert lines
    assert [line for line in lines if "==" not in line or "--hash=sha256:" not in line] == []


@pytest.mark.parametrize("name", ["dev", "bench"])
def test_everything_asked_for_is_pinned(name):
    asked = [
        *PROJECT["project"]["dependencies"],
        *re.findall(r"^\w\S*", (ROOT / f"requirements/{name}.in").read_text(), re.M),
    ]
    names = {re.match(r"[\w-]+", line)[0].lower() for line in asked}
    pinned = set(re.findall(r"^([\w-]+)==", (ROOT / f"requirements/{name}.txt").read_text(), re.M))
    assert names - pinned == set(), "make lock"


def test_make_help_tells_of_every_command():
    commands = set(re.findall(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text(), re.M))
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.M))
    plain = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS"))}
    told = subprocess.run(["make", "help"], cwd=ROOT, check=True, capture_output=True, text=True, env=plain).stdout
    assert targets == commands
    assert targets == set(re.findall(r"^  make ([a-z-]+) +\S", told, re.M))
    assert targets >= {"demo", "test", "checked", "lint", "bench", "format", "clean"}


def test_the_changelog_has_an_entry_for_this_version():
    version = re.escape(PROJECT["project"]["version"])
    assert re.search(rf"^## \[?{version}\]?\b", (ROOT / "CHANGELOG.md").read_text(), re.M)


def test_the_core_imports_no_other_room():
    """import-linter reads Python only; what the compiled modules import, it cannot see."""
    upward = re.compile(rf"^\s*(?:from|cimport|import)\s+regretful\.(?:{'|'.join(sorted(ROOMS))})\b", re.M)
    core = [path for path in (ROOT / "src/regretful/core").rglob("*.p[yx]*") if path.suffix != ".pyc"]
    assert core
    assert [str(path.relative_to(ROOT)) for path in core if upward.search(path.read_text())] == []


def test_the_rooms_here_are_those_of_the_contract():
    floors = PROJECT["tool"]["importlinter"]["contracts"][0]["layers"]
    assert ROOMS | {"core"} == set(re.findall(r"\w+", " ".join(floors)))


@pytest.mark.parametrize("module", sorted((ROOT / "src/regretful").rglob("*.pyx")), ids=lambda path: path.stem)
def test_every_compiled_module_has_a_stub(module):
    """`make lint` holds the stubs against the modules, but only those that exist."""
    assert module.with_suffix(".pyi").exists()
