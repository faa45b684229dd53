"""Writes docs/theorems.md and its figures from the theorem objects. `make docs` runs it; a test says when it is due.

What the games measured is kept in docs/theorems/measured.json, so that the page can be written again without playing
them: `--texts` does only that; `--only ID` plays those alone, and keeps what is there of the others.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import regretful as rg
from regretful.theorems import Identity, Theorem, table
from regretful.theorems.figures import save

HERE = Path(__file__).parent
FIGURES = HERE / "theorems"
MEASURED = FIGURES / "measured.json"
KINDS = {"game": "the game", "attack": "the adversary"}
LEFT_OUT = ("theorem", "seconds", "slack")
Measured = dict[str, dict[str, Any]]


def number(value: float | None) -> str:
    """As the table has it, with fewer digits."""
    return "–" if value is None else f"{value:.4g}"


def row(kind: str, theorem: Theorem, found: dict[str, Any]) -> str:
    """One line of a theorem's table."""
    share = "" if isinstance(theorem, Identity) else f"{found['attained']:.0%}"
    return f"| {kind} | {number(found['left'])} | {number(found['right'])} | {share} | {found['word']} |"


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}" if text else ""


def told(kind: str, found: dict[str, Any]) -> str:
    """What was played, and the forms of the right side, or other figures, that belong to it."""
    forms = "; ".join(f"{name} {number(value)}" for name, value in found["forms"].items())
    note = sentence(found["note"])
    return f"- **{kind.capitalize()}**, {found['rounds']:,} rounds. {note}{f' Beside it: {forms}.' if forms else ''}"


def section(theorem: Theorem, measured: dict[str, Any]) -> str:
    """One theorem: claim, source, hypotheses, what was measured, the figure."""
    game = measured["game"]
    far = not isinstance(theorem, Identity) and game["attained"] < table.LITTLE
    lines = [
        f"## {theorem.row}. {theorem.id}",
        "",
        sentence(theorem.statement),
        "",
        f"$$\n{theorem.latex}\n$$",
        "",
        f"Notes {theorem.source}. Needs: {'; '.join(theorem.hypotheses)}. Expected: *{theorem.expected}*.",
        "",
        f"| | {theorem.left_side} | {theorem.right_side} | attained | verdict |",
        "| --- | --- | --- | --- | --- |",
        *(row(kind, theorem, measured[name]) for name, kind in KINDS.items()),
        "",
        *(told(kind, measured[name]) for name, kind in KINDS.items()),
        *([f"- **Far from its bound**: {theorem.loose}."] if far and theorem.loose else []),
        "",
        f"![{theorem.id}: both sides over the rounds](theorems/{theorem.id}.svg)",
        "",
    ]
    return "\n".join(lines)


def summary(measured: Measured) -> str:
    """All theorems, a line each."""
    lines = ["| | theorem | source | verdict | the game attained | the adversary attained |", "| --- " * 6 + "|"]
    for theorem in rg.theorems.all():
        found = measured[theorem.id]
        shares = ("identity",) * 2
        if not isinstance(theorem, Identity):
            shares = tuple(f"{found[name]['attained']:.0%}" for name in KINDS)  # type: ignore[assignment]
        name = f"[{theorem.id}](#{theorem.row}-{theorem.id})"
        cells = (str(theorem.row), name, theorem.source.replace("|", r"\|"), found["game"]["word"], *shares)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def page(measured: Measured | None = None) -> str:
    """The whole page, from the objects and from what was measured last."""
    found = json.loads(MEASURED.read_text()) if measured is None else measured
    missing = [theorem.id for theorem in rg.theorems.all() if theorem.id not in found]
    if missing:
        raise SystemExit(f"not played yet: make docs ARGS='--only {','.join(missing)}'")
    intro = (HERE / "theorems" / "introduction.md").read_text()
    parts = [intro, summary(found), *(section(theorem, found[theorem.id]) for theorem in rg.theorems.all())]
    return "\n".join(parts)


def play(only: list[str]) -> Measured:
    """Play them, draw the figures, and keep what was measured."""
    wanted = [theorem.id for theorem in rg.theorems.chosen(only)]
    found: Measured = json.loads(MEASURED.read_text()) if MEASURED.exists() else {}
    for name in KINDS:
        for verdict in table.run(wanted, attack=name == "attack", jobs=2, progress=None):
            kept = {key: value for key, value in verdict.as_dict().items() if key not in LEFT_OUT}
            found.setdefault(verdict.theorem, {})[name] = kept
            if name == "game":
                save(rg.theorems.get(verdict.theorem), verdict, FIGURES / f"{verdict.theorem}.svg")
    ordered = {theorem.id: found[theorem.id] for theorem in rg.theorems.all() if theorem.id in found}
    MEASURED.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n")
    return ordered


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", action="store_true", help="play nothing: write the page from what was measured last")
    parser.add_argument("--only", action="append", default=[], metavar="ID", help="play these alone, by id or row")
    given = parser.parse_args()
    FIGURES.mkdir(exist_ok=True)
    (HERE / "theorems.md").write_text(page(None if given.texts else play(given.only)))
