"""Chance: the NumPy generator a learner draws with, and its state as plain values.

What draws without the interpreter takes the same generator's C interface (bits.pxd).
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.random import Generator

Seed: TypeAlias = int | Generator

KINDS = ("PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")


def generator_of(seed: Seed) -> Generator:
    """The generator that was passed in, or one seeded with the number."""
    if isinstance(seed, Generator):
        return seed
    given: object = seed
    if isinstance(given, bool) or not isinstance(given, int | np.integer) or given < 0:
        raise TypeError(f"seed must be an integer of at least 0, or a numpy.random.Generator, not {given!r}")
    return np.random.default_rng(int(given))


def state_of(generator: Generator) -> dict[str, Any]:
    """Everything needed to go on drawing."""
    return dict(generator.bit_generator.state)


def resume(state: dict[str, Any], generator: Generator | None = None) -> Generator:
    """A generator that goes on from a state: the one that is there, if it is of that kind."""
    kind = state["bit_generator"]
    if kind not in KINDS:
        raise ValueError(f"the model draws with {kind!r}, which is none of {', '.join(KINDS)}")
    if generator is None or type(generator.bit_generator).__name__ != kind:
        generator = Generator(getattr(np.random, kind)())
    generator.bit_generator.state = state
    return generator
