"""From online to batch: statements in expectation, or with confidence (rows 17, 20, 23, 27)."""

from __future__ import annotations

from regretful.theorems.theorem import Theorem

THEOREMS: tuple[Theorem, ...] = ()
