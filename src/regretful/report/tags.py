"""HTML by hand, safely: text is escaped where it enters, and JSON cannot end the script that it lies in."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

# What no text should hold: controls, the halves of characters, and marks that turn the direction of what follows.
UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def text(value: object) -> str:
    """A value as text of the page."""
    return UNSEEN.sub("\ufffd", escape(str(value)))


def tag(name: str, *inside: str, **attributes: object) -> str:
    """An element around HTML; attributes are escaped, `_` is written `-`, and a trailing one falls away."""
    told = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{text(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    return f"<{name}{told}>{''.join(inside)}</{name}>"


def script_json(value: Any) -> str:
    """JSON that may stand in a script element."""
    plain = json.dumps(value, allow_nan=False, separators=(",", ":"))
    return plain.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]], caption: str, heads: bool = False) -> str:
    """A table in a frame that scrolls by itself and by the keyboard. heads: the first cell names its row."""
    whole_rows = list(rows)
    first = whole_rows[0] if whole_rows else ()
    right = [isinstance(value, int | float) and not (heads and not place) for place, value in enumerate(first)]
    right += [False] * (len(columns) - len(right))
    names = (tag("th", text(name), scope="col", class_="right" if over else None)
             for name, over in zip(columns, right, strict=False))  # fmt: skip
    head = tag("thead", tag("tr", *names)) if columns else ""
    body = "".join(
        tag("tr", *(_cell(value, heads and not place) for place, value in enumerate(row))) for row in whole_rows
    )
    name = tag("caption", text(caption), class_="unseen")
    whole = tag("table", name, head, tag("tbody", body))
    return tag("div", whole, class_="frame", role="region", tabindex="0", aria_label=caption)


def _cell(value: Any, head: bool) -> str:
    if head:
        return tag("th", text(value), scope="row")
    if isinstance(value, float):
        return tag("td", f"{value:.5g}" if math.isfinite(value) else "", class_="number")
    if isinstance(value, int):
        return tag("td", f"{value:,}", class_="number")
    return tag("td", "" if value is None else text(value))


def pairs(facts: Iterable[tuple[str, str]], **attributes: object) -> str:
    """Terms and what they are."""
    rows = "".join(tag("div", tag("dt", text(name)), tag("dd", text(value))) for name, value in facts)
    return tag("dl", rows, **attributes)
