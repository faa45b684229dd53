"""Hedge and the Gibbs distribution (rows 28 to 30)."""

from __future__ import annotations

from regretful.theorems.theorem import Theorem

THEOREMS: tuple[Theorem, ...] = ()
