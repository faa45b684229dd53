"""How many mistakes a perceptron makes (rows 10, 11)."""

from __future__ import annotations

from regretful.theorems.theorem import Theorem

THEOREMS: tuple[Theorem, ...] = ()
