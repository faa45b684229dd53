"""Algorithms that are one another: the same trajectory, to the last bits (rows 3, 6, 8)."""

from __future__ import annotations

from regretful.theorems.theorem import Theorem

THEOREMS: tuple[Theorem, ...] = ()
