"""Bounds on the squared loss that need no Lipschitz constant (rows 14, 15)."""

from __future__ import annotations

from regretful.theorems.theorem import Theorem

THEOREMS: tuple[Theorem, ...] = ()
