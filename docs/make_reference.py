"""Writes docs/reference.md from the docstrings, slot by slot. `make docs` runs it; a test says when it is due."""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import regretful as rg

HERE = Path(__file__).parent
SOURCES = HERE.parent / "src"
INSIDE = {"bind", "begin", "columns", "refill", "copy_settings", "settings", "state", "restore", "local", "lazy"}
INSIDE |= {"size", "intercept_kept"}  # for those who read the core; not for those who use it

HEADER = """\
# Reference

Every public name of `regretful`, imported as `rg`. This page is written by `docs/make_reference.py` from the
docstrings: change those, then run `make docs`.
"""

LABELS = "Learners of labels"
BARE = {"Weights", "Portfolio", "MarketGame"}  # not made by hand
OF_LABELS = (rg.Multiclass, rg.FixedMulticlass, rg.Structured, rg.FixedStructured, rg.Weights, rg.Sequences)
ROOMS = {"Experts": "experts", "Arms": "bandits", "Markets": "markets"}  # rooms with a section of their own

COMMON = """\
Options that each takes, by keyword:

- `intercept=False`: whether there is a feature that is always 1. Its weight is `intercept`, not among `weights`.
- `n=None`: the number of features, when it is to be fixed, or when the start depends on it and events come by name.
- `features=None`: `Hashing(bits=…)` to bound memory.
- `keep=()`: which averages to keep, of `"average"`, `"weighted"` and `"random"`.
- `seed=0`: what the random iterate is drawn with.
- `ledger=True`: whether to keep the account.

What can be asked of each, whatever fills its slots:
"""


def public() -> dict[str, Any]:
    """What `regretful` offers, by name; rooms of the house are not among it."""
    found = {name: getattr(rg, name) for name in rg.__all__}
    return {name: thing for name, thing in found.items() if not isinstance(thing, ModuleType)}


def groups() -> dict[str, list[str]]:
    """The public names by slot, bases first, each group in alphabetical order."""
    kinds = {"Losses": rg.Loss, "Domains": rg.Domain, "Geometries": rg.Geometry, "Rates": rg.Rate}
    found: dict[str, list[str]] = {
        "Learners with names": [],
        LABELS: [],
        "Rules": [],
        **{title: [] for title in kinds},
        "The rest": [],
    }
    for name, thing in sorted(public().items(), key=lambda item: item[0].lower()):
        if thing.__module__.startswith(tuple(f"regretful.{room}" for room in ROOMS.values())):
            continue
        title = next((t for t, kind in kinds.items() if inspect.isclass(thing) and issubclass(thing, kind)), None)
        if inspect.isclass(thing) and issubclass(thing, OF_LABELS):
            title = LABELS
        if title is None and hasattr(thing, "learn_one"):
            title = "Rules" if thing.__module__ == "regretful.core.rules" else "Learners with names"
        found[title or "The rest"].append(name)
    for title, kind in {**kinds, LABELS: rg.Multiclass}.items():
        found[title].sort(key=lambda name: getattr(rg, name) is not kind)
    return {title: names for title, names in found.items() if names}


def signature(thing: Any) -> str:
    """The arguments: Python tells them, but for compiled classes, whose source does."""
    try:
        arguments = inspect.signature(thing)
    except ValueError:
        return _compiled_signature(thing)
    plain = [p.replace(annotation=inspect.Parameter.empty) for p in arguments.parameters.values() if p.name != "self"]
    return str(arguments.replace(parameters=plain, return_annotation=inspect.Signature.empty))


def _compiled_signature(kind: type) -> str:
    kind = next(base for base in kind.__mro__ if _source(base).exists())  # who defines __init__ may be a base
    source = _source(kind).read_text()
    body = re.search(rf"^cdef class {kind.__name__}\b.*?(?=^\S|\Z)", source, re.M | re.S)
    made = re.search(r"def __init__\(\s*self,?\s*(.*?),?\s*\):", body[0], re.S) if body else None
    arguments = " ".join(made[1].split()) if made else ""
    plain = re.sub(r"\b(?:bint|double|int) ", "", arguments)
    return f"({plain})"


def _source(kind: type) -> Path:
    return (SOURCES / kind.__module__.replace(".", "/")).with_suffix(".pyx")


def members(kind: type, base: type | None) -> Iterator[tuple[str, str, str]]:
    """(name, arguments, first line) of what a class adds to its base, or says in other words."""
    for name in sorted(dir(kind), key=str.lower):
        thing = getattr(kind, name)
        document = inspect.getdoc(thing) or ""
        known = base is not None and hasattr(base, name)
        plain = isinstance(thing, str | int | float)  # a default, whose docstring is its type's
        if name.startswith("_") or plain or name in INSIDE or not document or (known and document == _doc(base, name)):
            continue
        yield name, signature(thing) if callable(thing) else "", document.partition("\n\n")[0].replace("\n", " ")


def _doc(kind: type | None, name: str) -> str:
    return inspect.getdoc(getattr(kind, name)) or ""


def entry(name: str, base: type | None, room: ModuleType = rg) -> str:
    """A heading, the docstring, and what can be asked of it."""
    thing = getattr(room, name)
    bare = base is thing or name.endswith("Ledger") or name.startswith("Fixed") or name in BARE
    title = name if getattr(rg, name, None) is thing else f"{room.__name__.removeprefix('regretful.')}.{name}"
    lines = [f"### `{title}{'' if bare else signature(thing)}`", "", document(thing)]
    if inspect.isclass(thing) and issubclass(thing, tuple):
        return "\n".join(lines)
    if inspect.isclass(thing):
        of_all = rg.MirrorDescent.__base__ if room is not rg else None  # in rooms: not again what every learner has
        own = [m for m in members(thing, None if base is thing else base) if not _shared(thing, m[0], of_all)]
        about = [f"- `{n}{a}`: {d}" for n, a, d in own]
        lines += ["", *about] if about else []
    return "\n".join(lines)


def _shared(kind: type, name: str, base: type | None) -> bool:
    """Whether a class takes a member from this base as it is."""
    known = base is not None and issubclass(kind, base) and hasattr(base, name)
    return known and _doc(kind, name) == _doc(base, name)


def _kin(thing: Any, room: ModuleType) -> type | None:
    """The nearest base that has an entry of its own, whose members need not be told again."""
    known = {*rg.__all__, *room.__all__}
    bases = thing.__mro__[1:] if inspect.isclass(thing) else ()
    return next((kind for kind in bases if kind.__name__ in known), None)


def document(thing: Any) -> str:
    """The docstring, its examples fenced (some stand indented)."""
    text = "\n\n".join(map(dedent, (inspect.getdoc(thing) or "").split("\n\n")))
    return re.sub(r"^>>> .*?(?=\n\n|\Z)", lambda found: f"```python\n{found[0]}\n```", text, flags=re.M | re.S)


def page() -> str:
    """The whole page."""
    bases = {"Losses": rg.Loss, "Domains": rg.Domain, "Geometries": rg.Geometry, "Rates": rg.Rate}
    parts = [HEADER]
    for title, names in groups().items():
        if title == "Learners with names":
            about = "\n".join(f"- `{n}{a}`: {d}" for n, a, d in members(rg.MirrorDescent.__base__, None))
            parts.append(f"## Every learner\n\n{COMMON}\n{about}\n")
        learner = rg.MirrorDescent.__base__
        parts.append(f"## {title}\n")
        for name in names:
            base = bases.get(title) or (rg.MirrorDescent if title == "Learners with names" else learner)
            if title == LABELS:
                base = _kin(getattr(rg, name), rg)
            parts.append(entry(name, base if title != "The rest" else None) + "\n")
    for title, place in ROOMS.items():
        room = getattr(rg, place)
        parts.append(f"## {title}\n\n{document(room)}\n")
        names = sorted(room.__all__, key=str.lower)
        parts += [entry(name, _kin(getattr(room, name), room), room) + "\n" for name in names]
    for title, room in (("Reports", rg.report), ("Checks", rg.checks)):
        parts.append(f"## {title}\n\n{document(room)}\n")
        for name in sorted(name for name in room.__all__ if callable(getattr(room, name))):
            thing = getattr(room, name)
            place = room.__name__.removeprefix("regretful.")
            parts.append(f"### `{place}.{name}{signature(thing)}`\n\n{document(thing)}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    (HERE / "reference.md").write_text(page())
