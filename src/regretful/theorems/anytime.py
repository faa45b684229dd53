"""Projected gradient with a rate for any horizon: the printed constant, the one that is proved (row 12)."""

from __future__ import annotations

from regretful.theorems.theorem import Theorem

THEOREMS: tuple[Theorem, ...] = ()
