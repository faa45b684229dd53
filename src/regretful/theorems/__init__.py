"""Every theorem of the notes as something that runs: `all()`, `get(id)`, `play()`, `attack()`.

Here is the register; `python -m regretful.theorems` prints the table. Each kind of theorem has a file of its own.

    >>> import regretful as rg
    >>> theorem = rg.theorems.get("gd-regret")
    >>> verdict = theorem.play(rounds=500)
    >>> verdict.word, verdict.left <= verdict.right
    ('holds', True)
"""

from __future__ import annotations

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
)
from regretful.theorems.theorem import Curve, Identity, Refuted, Sides, Theorem, Unmet, Verdict

__all__ = ["Curve", "Identity", "Refuted", "Sides", "Theorem", "Unmet", "Verdict", "all", "get"]

FILES = (
    anytime, arms, conversion, descent, gibbs, identities, leader, market, mistakes, multiclass, multiplicative,
    squared, steps, strongly,
)  # fmt: skip
_ALL: tuple[Theorem, ...] = tuple(
    sorted((theorem for file in FILES for theorem in file.THEOREMS), key=lambda theorem: theorem.row)
)


def all() -> tuple[Theorem, ...]:  # noqa: A001
    """Every theorem, in the order of the list."""
    return _ALL


def get(id: str) -> Theorem:  # noqa: A002
    """The theorem of this id."""
    for theorem in _ALL:
        if theorem.id == id:
            return theorem
    raise KeyError(f"there is no theorem {id!r}; there are {', '.join(theorem.id for theorem in _ALL)}")
