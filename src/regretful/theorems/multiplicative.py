"""Exponentiated gradient and the p-norm family (rows 4, 5, 9)."""

from __future__ import annotations

from regretful.theorems.theorem import Theorem

THEOREMS: tuple[Theorem, ...] = ()
