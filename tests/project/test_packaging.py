"""The package as a user gets it: built once, then installed from the sdist into a clean environment."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.project.files import PROJECT, ROOT

pytestmark = [pytest.mark.packaging, pytest.mark.xdist_group("packaging")]  # one process builds, once

VERSION = PROJECT["project"]["version"]
SOURCE = ROOT / "src"
PACKAGE = SOURCE / "regretful"
COMPILED = ("*.c", "*.so", "*.pyc", "*.html")
MODULES = sorted(".".join(path.relative_to(SOURCE).with_suffix("").parts) for path in PACKAGE.rglob("*.pyx"))


def run(*command, **environment):
    """Run it outside the project's folder; show what it printed if it fails."""
    plain = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHONPATH", "REGRETFUL_"))}
    done = subprocess.run(list(map(str, command)), cwd="/", env=plain | environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    """Built from a copy of the project, with compiled files strewn in.

    setuptools lays the files out in the project's own folder: two builds in one folder take away each other's files.
    """
    copy = tmp_path_factory.mktemp("project")
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns(*COMPILED, "__pycache__", "*.egg-info"))
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy(path, copy)
    for pattern in COMPILED:
        (copy / "src/regretful/core" / pattern.replace("*", "strewn")).touch()
    folder = tmp_path_factory.mktemp("sdist")
    run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", folder, copy)
    (path,) = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def wheel(sdist, tmp_path_factory):
    """Built from the sdist as pip builds it: with nothing but what [build-system] asks for.

    Not optimised: what is in it is asked here, not how fast it is, and that takes the compiler four times as long.
    """
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "-qq", "--no-deps", "--wheel-dir", folder, sdist, REGRETFUL_CFLAGS="-O0")
    (path,) = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def clean_python(wheel, tmp_path_factory):
    """A new environment with the wheel in it. It sees the dependencies of this one, not the project."""
    folder = tmp_path_factory.mktemp("clean")
    run(sys.executable, "-m", "venv", folder)
    python = folder / "bin/python"
    run(python, "-m", "pip", "install", "-qq", "--no-deps", "--no-index", wheel)
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))").strip()
    Path(site, "dependencies.pth").write_text(sysconfig.get_path("platlib") + "\n")
    return python


def test_the_sdist_holds_the_sources_and_nothing_compiled(sdist):
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for path in PACKAGE.rglob("*.p[yx]*"):
        if path.suffix != ".pyc":
            assert str(path.relative_to(ROOT)) in names
    assert {"LICENSE", "CHANGELOG.md", "README.md", "pyproject.toml", "setup.py"} <= names
    assert [name for name in names if Path(name).match("*strewn*")] == []
    assert [name for name in names if name.endswith((".c", ".so", ".pyc", ".html"))] == []


def test_the_wheel_holds_the_compiled_core_its_declarations_and_its_types(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in names if name.endswith((".c", ".pyx", ".pyc")) or "tests" in name] == []
    assert "regretful/py.typed" in names
    for module in MODULES:
        place = module.replace(".", "/")
        assert sum(name.startswith(f"{place}.") and name.endswith(".so") for name in names) == 1
    for path in [*PACKAGE.rglob("*.pxd"), *PACKAGE.rglob("*.pyi")]:
        assert str(path.relative_to(SOURCE)) in names


def test_the_wheel_tells_its_version_licence_and_dependencies(wheel):
    with zipfile.ZipFile(wheel) as archive:
        told = archive.read(f"regretful-{VERSION}.dist-info/METADATA").decode()
        licence = archive.read(f"regretful-{VERSION}.dist-info/licenses/LICENSE").decode()
    assert "License-Expression: BSD-3-Clause" in told
    assert all(f"Requires-Dist: {asked}" in told for asked in PROJECT["project"]["dependencies"])
    assert "The regretful authors" in licence


def test_what_was_installed_from_the_sdist_imports(clean_python):
    code = "import regretful, importlib.metadata as m; print(regretful.__file__, m.version('regretful'))"
    file, version = run(clean_python, "-W", "error", "-c", code).split()
    assert file.startswith(str(clean_python.parents[1]))
    assert version == VERSION


@pytest.mark.parametrize("module", MODULES)
def test_every_compiled_module_imports_by_itself_first(clean_python, module):
    run(clean_python, "-W", "error", "-c", f"import {module}")
