"""Every theorem of the notes as something that runs: `all()`, `get(id)`, `play()`, `attack()`.

Here is the register; `python -m regretful.theorems` prints the table. Each kind of theorem has a file of its own.

    >>> import regretful as rg
    >>> theorem = rg.theorems.get("gd-regret")
    >>> verdict = theorem.play(rounds=500)
    >>> verdict.word, verdict.left <= verdict.right
    ('holds', True)
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from regretful.theorems import (
    anytime,
    arms,
    conversion,
    descent,
    gibbs,
    identities,
    leader,
    market,
    mistakes,
    multiclass,
    multiplicative,
    squared,
    steps,
    strongly,
    structured,
)
from regretful.theorems.theorem import Curve, Identity, Refuted, Sides, Theorem, Unmet, Verdict

__all__ = ["Curve", "Identity", "Refuted", "Sides", "Theorem", "Unmet", "Verdict", "all", "chosen", "get"]

FILES = (
    anytime, arms, conversion, descent, gibbs, identities, leader, market, mistakes, multiclass, multiplicative,
    squared, steps, strongly, structured,
)  # fmt: skip
_ALL: tuple[Theorem, ...] = tuple(
    sorted((theorem for file in FILES for theorem in file.THEOREMS), key=lambda theorem: theorem.row)
)


def all() -> tuple[Theorem, ...]:  # noqa: A001
    """Every theorem, in the order of the list."""
    return _ALL


def get(id: str | int) -> Theorem:  # noqa: A002
    """The theorem of this id, or of this row of the list."""
    for theorem in _ALL:
        if str(id) in (theorem.id, str(theorem.row)):
            return theorem
    near = get_close_matches(str(id), [theorem.id for theorem in _ALL], 1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(theorem.id for theorem in _ALL)}"
    raise ValueError(f"there is no theorem {id!r}; {hint}")


def chosen(only: Iterable[str | int] = ()) -> tuple[Theorem, ...]:
    """Those of these ids or rows, in the order of the list; several may stand in one string, with commas.

    Without any, all of them.

    >>> import regretful as rg
    >>> [theorem.row for theorem in rg.theorems.chosen(["gd-regret"])]
    [1]
    """
    names = [name.strip() for part in only for name in str(part).split(",")]
    wanted = {get(name).id for name in names if name}
    if names and not wanted:
        raise ValueError("no theorem was named: give ids or rows")
    return tuple(theorem for theorem in _ALL if not names or theorem.id in wanted)
