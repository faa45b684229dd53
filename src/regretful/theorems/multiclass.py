"""More than two labels, and labels with structure (rows 18, 19, 24)."""

from __future__ import annotations

from regretful.theorems.theorem import Theorem

THEOREMS: tuple[Theorem, ...] = ()
