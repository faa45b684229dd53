"""The page: its sections in order, one file with its style, its charts and Plotly's script inside."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from regretful.report.chart import Chart
from regretful.report.facts import Facts
from regretful.report.tags import pairs, script_json, table, tag, text


@dataclass(frozen=True)
class Told:
    """All that stands on a page, as plain values."""

    title: str
    when: str
    version: str
    sentences: Sequence[str]
    figures: Facts
    loss: Sequence[Chart]
    labels: Sequence[Chart]
    weights: Chart
    data: Facts
    columns: Sequence[tuple[str, str]]
    learner: Facts
    unmet: Sequence[tuple[str, str, str]]
    ledger: Sequence[tuple[str, str, str]]
    command: str | None
    python: str


def page(told: Told, plotly: str) -> str:
    """The whole file."""
    style, ours = (files("regretful.report").joinpath(name).read_text("utf-8") for name in ("style.css", "script.js"))
    charts = [chart for chart in [*told.loss, *told.labels, told.weights] if chart.figure is not None]
    sections = [
        _section("loss", "Loss and regret", _charts(told.loss)),
        _section("labels", "Predictions", _charts(told.labels)) if told.labels else "",
        _section("weights", "Weights", _charts([told.weights])),
        _section("data", "Data as read", _data(told)),
        _section("learner", "Learner", _learner(told)),
        _section("again", "To have it again", _again(told)),
    ]
    links = "".join(
        tag("li", tag("a", name, href=f"#{id_}"))
        for id_, name in (("loss", "Loss"), ("labels", "Predictions"), ("weights", "Weights"), ("data", "Data"),
                          ("learner", "Learner"), ("again", "Again"))
        if id_ != "labels" or told.labels
    )  # fmt: skip
    head = [
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(plotly, ours)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f'<meta name="generator" content="regretful {text(told.version)}">',
        tag("title", text(told.title)),
        f"<style>{style}</style>",
    ]
    body = [
        tag("a", "Skip to the answer", class_="skip", href="#answer"),
        tag(
            "header",
            tag("p", "regretful", class_="brand"),
            tag("nav", tag("ul", links), aria_label="Sections"),
            tag("button", "Dark mode", type="button", id="theme", aria_pressed="false", hidden=True),
        ),
        tag("main", _answer(told), *sections),
        tag(
            "footer", tag("p", f"Written by regretful {text(told.version)} on {text(told.when)}. It needs no network.")
        ),
        f'<script type="application/json" id="figures">{script_json({one.id: one.figure for one in charts})}</script>',
        f"<script>{plotly}</script>",
        f"<script>{ours}</script>",
    ]
    inside = f"<head>{''.join(head)}</head><body>{''.join(body)}</body>"
    return f'<!doctype html>\n<html lang="en">{inside}</html>\n'


def _policy(*scripts: str) -> str:
    """Nothing is fetched, and no script runs but these: whatever the data holds."""
    sums = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{one}'" for one in sums)
    return f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; form-action 'none'"


def _answer(told: Told) -> str:
    return tag(
        "section",
        tag("h1", text(told.title), id="answer-title"),
        *(tag("p", text(sentence), class_="sentence") for sentence in told.sentences),
        pairs(told.figures, class_="figures"),
        id="answer",
        aria_labelledby="answer-title",
        tabindex="-1",
    )


def _section(id_: str, title: str, inside: str) -> str:
    return tag("section", tag("h2", title, id=f"{id_}-title"), inside, id=id_, aria_labelledby=f"{id_}-title")


def _charts(charts: Sequence[Chart]) -> str:
    return tag("div", *map(_chart, charts), class_="charts" if len(charts) > 1 else "charts one")


def _chart(chart: Chart) -> str:
    note = tag("p", text(chart.note), class_="note") if chart.note else ""
    title = tag("h3", text(chart.title), id=f"{chart.id}-name")
    if chart.figure is None:
        return tag("div", title, note, class_="card")
    key = "".join(
        tag("li", tag("span", class_=f"swatch {dash}", style=f"--swatch: var(--{colour})"), text(name))
        for name, colour, dash in chart.key
    )
    drawn = tag("div", class_="plot", id=f"plot-{chart.id}", data_chart=chart.id, role="img",
                style=chart.height and f"height: {chart.height}",
                aria_labelledby=f"{chart.id}-name", aria_describedby=f"{chart.id}-told")  # fmt: skip
    numbers = tag(
        "details",
        tag("summary", f"The numbers of “{text(chart.title)}”"),
        table(chart.columns, chart.rows, f"{chart.title}, in numbers"),
    )
    told = tag("figcaption", text(chart.summary), id=f"{chart.id}-told")
    keys = tag("ul", key, class_="key", aria_hidden="true")
    return tag("figure", title, drawn, keys, told, note, numbers, class_="card")


def _data(told: Told) -> str:
    columns = ""
    if told.columns:
        count = f"{len(told.columns):,} column{'s' * (len(told.columns) != 1)}"
        inside = table(["column", "type"], told.columns, "Columns and their types", heads=True)
        columns = tag("details", tag("summary", count), inside, open=len(told.columns) <= 12)
    return tag("div", pairs(told.data, class_="facts"), columns, class_="card")


def _learner(told: Told) -> str:
    unmet = ""
    if told.unmet:
        rows = table(["theorem", "where it stands", "why it says nothing of this game"], told.unmet,
                     "Theorems that do not apply, and why", heads=True)  # fmt: skip
        unmet = tag("details", tag("summary", "Theorems that do not apply, and why"), rows)
    account = table(["", "figure", "what it is"], told.ledger, "The ledger", heads=True) if told.ledger else ""
    ledger = tag("details", tag("summary", "The ledger, at the end"), account, open=True) if account else ""
    return tag("div", pairs(told.learner, class_="facts"), ledger, unmet, class_="card")


def _again(told: Told) -> str:
    command = [tag("h3", "On the command line"), _code(told.command, "The command")] if told.command else []
    return tag("div", *command, tag("h3", "In Python"), _code(told.python, "Python"), class_="card")


def _code(code: str, name: str) -> str:
    return tag("pre", tag("code", text(code)), tabindex="0", role="region", aria_label=name)
