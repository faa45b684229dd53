"""Portfolios against the best constantly rebalanced one (row 32)."""

from __future__ import annotations

from regretful.theorems.theorem import Theorem

THEOREMS: tuple[Theorem, ...] = ()
