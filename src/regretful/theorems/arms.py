"""Arms to pull: Thompson sampling (row 31)."""

from __future__ import annotations

from regretful.theorems.theorem import Theorem

THEOREMS: tuple[Theorem, ...] = ()
