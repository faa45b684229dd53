"""docs/theorems.md is what the objects say now, and what they measured last; nothing long is played again here."""

import json
import re
import runpy

import pytest

import regretful as rg
from tests.project.files import ROOT

PAGE, FOLDER = ROOT / "docs/theorems.md", ROOT / "docs/theorems"
DUE = "the page is out of date: make docs, or make docs ARGS='--texts', or ARGS='--only ID'"
QUICK = ["gd-regret", "ftl-fails", "perceptron-margin", "perceptron-noise", "ogd-constant", "hedge-finite", "weighted"]


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(ROOT / "docs/make_theorems.py"))


@pytest.fixture(scope="module")
def measured():
    return json.loads((FOLDER / "measured.json").read_text())


def test_every_theorem_was_played_and_no_other(measured):
    assert list(measured) == [theorem.id for theorem in rg.theorems.all()], DUE


def test_the_page_is_what_the_objects_say(script):
    assert script["page"]() == PAGE.read_text(), DUE


def test_the_verdicts_on_the_page_are_the_expected_ones(measured):
    for theorem in rg.theorems.all():
        for kind in ("game", "attack"):
            found = measured[theorem.id][kind]
            assert (found["word"], found["holds"]) == (theorem.expected, True)
            assert found["rounds"] == max(theorem.rounds, theorem.least), f"{theorem.id}: {DUE}"


@pytest.mark.parametrize("name", QUICK)
def test_what_the_page_says_was_measured_is_measured_again(name, measured):
    verdict, found = rg.theorems.get(name).play(), measured[name]["game"]
    assert verdict.left == pytest.approx(found["left"], rel=1e-6), DUE
    assert verdict.right == pytest.approx(found["right"], rel=1e-6), DUE
    assert verdict.note == found["note"], DUE


def test_the_figures_are_there_and_small():
    figures = {path.stem: path for path in FOLDER.glob("*.svg")}
    assert set(figures) == {theorem.id for theorem in rg.theorems.all()}, DUE
    assert sum(path.stat().st_size for path in figures.values()) < 2_000_000
    for name, path in figures.items():
        theorem, drawn = rg.theorems.get(name), path.read_text()
        assert f"{theorem.row}. {name}: {theorem.expected}" in drawn, DUE
        assert "<dc:date>" not in drawn


def test_each_claim_has_its_formula_figure_and_both_games():
    sections = re.split(r"^## (?=\d+\. )", PAGE.read_text(), flags=re.M)[1:]
    assert len(sections) == len(rg.theorems.all())
    for theorem, section in zip(rg.theorems.all(), sections, strict=True):
        assert section.startswith(f"{theorem.row}. {theorem.id}\n")
        assert f"$$\n{theorem.latex}\n$$" in section
        assert f"](theorems/{theorem.id}.svg)" in section
        assert "| the game |" in section
        assert "| the adversary |" in section


def test_a_theorem_that_was_not_played_is_missed(script, measured):
    some = {name: found for name, found in measured.items() if name != "gd-regret"}
    with pytest.raises(SystemExit, match="not played yet: make docs ARGS='--only gd-regret'"):
        script["page"](some)
