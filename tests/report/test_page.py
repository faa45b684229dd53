"""The page: well-formed, in order, self-contained, and deaf to what names and commands would have it do."""

import base64
import builtins
import hashlib
import itertools
import re
from pathlib import Path

import plotly.graph_objects as go
import pytest

import regretful as rg
from regretful.game.words import answer
from regretful.report.tags import script_json, tag, text
from tests.report.games import EVIL, GAMES, clicks, demand, evil, wealth
from tests.report.pages import Page, page, painted


@pytest.mark.parametrize("name", GAMES)
def test_it_is_well_formed_and_in_order(name):
    found = page(name)
    ids = [one["at"]["id"] for one in found.elements if "id" in one["at"]]
    assert len(set(ids)) == len(ids)
    assert found.all("html")[0]["at"]["lang"] == "en"
    for one in ("h1", "main", "header", "nav", "footer", "title"):
        assert len(found.all(one)) == 1
    levels = [int(one["name"][1]) for one in found.elements if re.fullmatch(r"h\d", one["name"])]
    assert levels[0] == 1
    assert max(b - a for a, b in itertools.pairwise(levels)) == 1
    assert found.all("meta", name="viewport")[0]["at"]["content"] == "width=device-width, initial-scale=1"
    for one in found.elements:
        for key in ("aria-labelledby", "aria-describedby"):
            assert set(one["at"].get(key, "").split()) <= set(ids)
    for link in found.all("a"):
        assert link["at"]["href"][0] == "#"
        assert link["at"]["href"][1:] in ids


@pytest.mark.parametrize("name", GAMES)
def test_every_chart_has_a_name_a_summary_and_a_table(name):
    found = page(name)
    drawn = [one for one in found.elements if "data-chart" in one["at"]]
    assert {one["at"]["data-chart"] for one in drawn} == set(found.figures)
    for one in drawn:
        assert one["at"]["role"] == "img"
        for key in ("aria-labelledby", "aria-describedby"):
            (told,) = [two for two in found.elements if two["at"].get("id") == one["at"][key]]
            assert told["text"].strip()
    assert len(found.all("figure")) == len(found.all("figcaption")) == len(drawn)
    tables = [one for one in found.all("table") if "figure" in one["in"]]
    assert len(tables) == len(drawn)
    for one in found.all("table"):
        assert one["text"].strip()
    assert len(found.all("caption")) == len(found.all("table"))
    frames = found.all("div", role="region")
    assert all(one["at"]["tabindex"] == "0" and one["at"]["aria-label"] for one in frames)


@pytest.mark.parametrize("name", GAMES)
def test_plotly_knows_all_that_is_in_the_figures(name):
    for figure in page(name).figures.values():
        go.Figure(painted(figure))  # it refuses what it does not know
        assert sum(len(trace["x"]) for trace in figure["data"]) <= 3000
    with pytest.raises(ValueError, match="colour"):
        go.Figure({"layout": {"colour": 1}})


@pytest.mark.parametrize("name", GAMES)
def test_nothing_outside_is_asked_for(name):
    found = page(name)
    (policy,) = found.all("meta", **{"http-equiv": "Content-Security-Policy"})
    assert policy["at"]["content"].startswith("default-src 'none'; script-src 'sha256-")
    assert "http" not in found.without_plotly.replace("http-equiv", "")
    assert [one for one in found.elements if {"src", "srcset", "action"} & set(one["at"])] == []
    assert found.all("link") == []
    scripts = [one["text"] for one in found.all("script") if "type" not in one["at"]]
    sums = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    assert re.findall(r"'sha256-([^']+)'", policy["at"]["content"]) == sums


def test_without_plotlys_script_it_is_small():
    assert all(len(page(name).without_plotly) < 150_000 for name in GAMES)


def test_names_titles_and_commands_are_text():
    made = rg.report.html(evil(), title=EVIL, command=EVIL, source={"file": EVIL, "columns": {EVIL: EVIL}}, model=EVIL)
    found = Page(made)
    assert found.all("img") == []
    assert len(found.all("script")) == 3
    assert EVIL not in found.without_plotly
    assert found.all("title")[0]["text"] == EVIL
    assert found.all("h1")[0]["text"] == EVIL
    assert EVIL in [one["text"] for one in found.all("code")]
    cells = [one["text"] for one in found.all("td")]
    assert {EVIL, f"a={EVIL}", "$price", "%{x}", "\ufffdabc\ufffd"} <= set(cells)
    bars = found.figures["weights"]["data"][0]
    assert all(
        "<" not in name for name in [*bars["customdata"], *found.figures["weights"]["layout"]["yaxis"]["ticktext"]]
    )
    made.encode("utf-8", "strict")


def test_tags_escape():
    assert tag("p", text('<&">'), title='"x"', hidden=True, lang=None) == (
        '<p title="&quot;x&quot;" hidden>&lt;&amp;&quot;&gt;</p>'
    )
    assert script_json({"a": "</script><!--\u2028&"}) == '{"a":"\\u003c/script\\u003e\\u003c!--\\u2028\\u0026"}'
    assert text("a\x00b\u202ec\ud800") == "a\ufffdb\ufffdc\ufffd"


def test_it_tells_the_answer_the_data_the_learner_and_how_to_have_it_again():
    found = page("demand")
    sentences = [one["text"] for one in found.all("p", class_="sentence")]
    promised = rg.theorems.get("ogd-sqrt").of(demand()).right
    assert sentences == list(answer(demand(), rg.Ball(3.0), promised))
    assert found.all("pre")[0]["text"] == "regretful play x.csv --label 'a<b'"
    assert "rg.load('model.rg')" in found.all("pre")[1]["text"]
    told = found.all("section", id="learner")[0]["text"]
    assert "InverseSqrt(c=0.5)" in told
    assert "of norm at most 3" in told
    assert rg.__version__ in found.all("footer")[0]["text"]


@pytest.mark.parametrize("make", [clicks, demand, wealth])
def test_the_python_it_shows_makes_the_learner_again(make):
    found = Page(rg.report.html(make()))
    (code,) = [one["text"] for one in found.all("pre")]
    made = {}
    exec(code[: code.index("game =")], made)
    again, learner = made["learner"]._slots(), make().learner._slots()
    assert again == learner


def test_losses_without_labels_have_no_predictions_to_show():
    found = page("wealth")
    assert found.all("section", id="labels") == []
    assert "#labels" not in [one["at"]["href"] for one in found.all("a")]
    assert set(found.figures) == {"loss", "regret", "weights"}


def test_a_game_without_rounds_has_a_report_too():
    game = rg.play(rg.Perceptron(), [[1.0]], [1], rounds=0)
    found = Page(rg.report.html(game))
    assert "played no rounds" in found.all("main")[0]["text"]
    one = rg.play(rg.Perceptron(), [[1.0]], [1])
    assert "1 round" in Page(rg.report.html(one)).all("main")[0]["text"]


def test_a_negative_regret_is_not_drawn_but_told():
    nature = rg.nature.Drifting(3, noise=0.0, speed=0.02)
    learner = rg.GradientDescent(rg.Squared(), 1.0, rg.Ball(1.0))
    game = rg.play(learner, nature, rounds=500, curve=0, domains=rg.L1Ball(0.5))
    found = Page(rg.report.html(game))
    assert "beat every fixed predictor" in found.all("main")[0]["text"]
    assert "there is nothing to draw" in found.all("section", id="loss")[0]["text"]
    assert "regret" not in found.figures


def test_it_is_written_in_one_stroke(tmp_path, monkeypatch):
    path = tmp_path / "report.html"
    path.write_text("before")
    assert rg.report.write(clicks(), path, title="One") == path
    assert "<title>One</title>" in path.read_text()

    def full(*arguments):
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="no space left"):
        rg.report.write(clicks(), path, title="Two")
    assert "<title>One</title>" in path.read_text()
    assert [one.name for one in tmp_path.iterdir()] == ["report.html"]
    with pytest.raises(FileNotFoundError, match=r"there is no folder .* to save 'report.html' in"):
        rg.report.write(clicks(), tmp_path / "nowhere" / "report.html")


def test_without_plotly_the_extra_is_named(monkeypatch):
    real = builtins.__import__

    def refuse(name, *rest):
        if name.startswith("plotly"):
            raise ImportError(name)
        return real(name, *rest)

    game = clicks()
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ImportError, match=r"pip install 'regretful\[report\]'"):
        rg.report.html(game)


def test_plotly_is_asked_for_only_when_a_report_is_made():
    room = Path(rg.report.__file__).parent
    named = [one.name for one in room.glob("*.py") if re.search(r"^\s*(?:from|import) plotly", one.read_text(), re.M)]
    assert named == ["writing.py"]
    assert not re.search(r"^(?:from|import) plotly", (room / "writing.py").read_text(), re.M)
