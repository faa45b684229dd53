"""Steps that look ahead, and steps of a general kind (rows 16, 22)."""

from __future__ import annotations

from regretful.theorems.theorem import Theorem

THEOREMS: tuple[Theorem, ...] = ()
