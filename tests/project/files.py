"""Where the project's own files are."""

import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
ROOMS = {
    *("cli", "report", "adapters", "theorems", "hindsight", "checks"),
    *("experts", "bandits", "markets"),
    *("batch", "game", "nature", "learners", "convert", "readers"),
}


def project_files() -> list[Path]:
    """Every file that is committed, or would be by `git add .`; skips outside a git work tree."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git work tree")
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]
