"""Follow the leader, and how it fails (row 7)."""

from __future__ import annotations

from regretful.theorems.theorem import Theorem

THEOREMS: tuple[Theorem, ...] = ()
