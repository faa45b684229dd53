"""Strongly convex losses: logarithmic and faster (rows 25, 26)."""

from __future__ import annotations

from regretful.theorems.theorem import Theorem

THEOREMS: tuple[Theorem, ...] = ()
