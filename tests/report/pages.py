"""A report taken apart, with Python's own parser."""

import functools
import json
from html.parser import HTMLParser

import regretful as rg
from tests.report.games import GAMES

VOID = {"meta", "br", "img", "link", "input", "hr"}


class Page(HTMLParser):
    """Its elements in order: (name, attributes, the names around it, its text)."""

    def __init__(self, text):
        super().__init__()
        self.text, self.open, self.elements = text, [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, name, attributes):
        assert len({key for key, _ in attributes}) == len(attributes)
        element = {"name": name, "at": dict(attributes), "in": [one["name"] for one in self.open], "text": ""}
        self.elements.append(element)
        if name not in VOID:
            self.open.append(element)

    def handle_endtag(self, name):
        assert self.open.pop()["name"] == name

    def handle_data(self, data):
        for element in self.open:
            element["text"] += data

    def all(self, element, /, **attributes):
        wanted = {key.rstrip("_"): value for key, value in attributes.items()}
        return [
            one for one in self.elements
            if one["name"] == element and all(one["at"].get(key) == value for key, value in wanted.items())
        ]  # fmt: skip

    @functools.cached_property
    def figures(self):
        (script,) = self.all("script", id="figures")
        return json.loads(script["text"])

    @functools.cached_property
    def without_plotly(self):
        first = self.text.index("<script>")
        return self.text[:first] + self.text[self.text.index("</script>", first) :]


@functools.cache
def page(name):
    return Page(rg.report.html(GAMES[name](), command="regretful play x.csv --label 'a<b'", model="model.rg"))


def painted(thing):
    """The figure as the page hands it to Plotly, with some colour for each name."""
    if isinstance(thing, dict):
        return "#123456" if set(thing) == {"colour"} else {key: painted(value) for key, value in thing.items()}
    return [painted(one) for one in thing] if isinstance(thing, list) else thing
