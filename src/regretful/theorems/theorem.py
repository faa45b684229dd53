"""What a theorem object is: a statement, its hypotheses, its bound, a game that tests it, and what came of it.

Only the shape lives here; each theorem is in the file of its kind, and plays with what the rooms below have.
"""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import ArrayLike

from regretful.core.types import Vector

HOLDS, IDENTITY, FAILS, REFUTED = "holds", "identity holds", "fails as predicted", "refuted"
BROKEN = "does not hold"
ROUNDING = 1e-9  # of the larger side, for what sums of doubles lose
SAME = 1e-12  # of two trajectories that are one


class Unmet(ValueError):
    """A run that does not meet a theorem's hypotheses: which one, and what would."""


def require(met: bool, theorem: Theorem, message: str) -> None:
    """Raise `Unmet` with the theorem's name before the message."""
    if not met:
        raise Unmet(f"{theorem.id}: {message}")


@dataclass(frozen=True, eq=False)
class Curve:
    """Both sides at some rounds of the game, for the figure. `extra`: more lines by name, such as a printed bound."""

    rounds: Vector
    left: Vector
    right: Vector
    extra: Mapping[str, Vector] = field(default_factory=dict)
    x: str = "rounds"

    @classmethod
    def of(cls, rounds: ArrayLike, left: ArrayLike, right: ArrayLike, x: str = "rounds", **extra: ArrayLike) -> Curve:
        """From whatever becomes arrays."""
        lines = {name.replace("_", " "): np.asarray(line, dtype=np.float64) for name, line in extra.items()}
        one, two, three = (np.asarray(line, dtype=np.float64) for line in (rounds, left, right))
        return cls(one, two, three, lines, x)

    def with_line(self, name: str, line: ArrayLike) -> Curve:
        """The same with one more line."""
        return replace(self, extra={**self.extra, name: np.asarray(line, dtype=np.float64)})


@dataclass(frozen=True, eq=False)
class Sides:
    """What a game measured: the theorem says left ≤ right. `forms`: the right side in its other forms, by name."""

    left: float
    right: float
    note: str = ""
    forms: Mapping[str, float] = field(default_factory=dict)
    curve: Curve | None = None


@dataclass(frozen=True, eq=False)
class Verdict:
    """What came of a theorem in a game. `holds`: whether the word is the one expected of this theorem.

    left, right: the two sides, from what this run measured; slack = right − left; attained = left/right, how much of
    the bound the game used up. forms: other forms of the right side, such as the data-dependent one, or the one that
    is printed where it differs.
    """

    theorem: str
    left: float
    right: float
    word: str
    holds: bool
    note: str
    forms: Mapping[str, float]
    curve: Curve | None
    rounds: int
    seed: int
    seconds: float

    @property
    def slack(self) -> float:
        """What is left of the right side."""
        return self.right - self.left

    @property
    def attained(self) -> float:
        """The left side over the right."""
        return self.left / self.right if self.right else math.nan

    def as_dict(self) -> dict[str, Any]:
        """Plain numbers and words, without the curve."""
        names = ("theorem", "left", "right", "slack", "attained", "word", "holds", "note", "rounds", "seed", "seconds")
        return {**{name: getattr(self, name) for name in names}, "forms": dict(self.forms)}

    def __str__(self) -> str:
        also = "".join(f"; {name} {value:.6g}" for name, value in self.forms.items())
        note = f". {self.note[0].upper()}{self.note[1:]}" if self.note else ""
        return f"{self.theorem} {self.word}: {self.left:.6g} against {self.right:.6g}{also}{note}"


class Theorem(ABC):
    """One claim of the notes. Subclass it with the texts, `bound`, `game` (a fair game) and `hunt` (an adversary).

    id, row: its name and its row in the list of theorems. source: where it stands. statement: in plain text; latex:
    as a formula. hypotheses: what a run must meet. expected: the verdict it should get. rounds: how long it plays
    unless told otherwise. loose: why its game attains less than a tenth of its bound, where it does. least:
    the fewest rounds in which its game shows anything; fewer are raised to it. seconds: what its game takes, about.
    """

    id: ClassVar[str]
    row: ClassVar[int]
    source: ClassVar[str]
    statement: ClassVar[str]
    latex: ClassVar[str]
    hypotheses: ClassVar[tuple[str, ...]]
    expected: ClassVar[str] = HOLDS
    rounds: ClassVar[int] = 1000
    least: ClassVar[int] = 1
    loose: ClassVar[str] = ""
    seconds: ClassVar[float] = 0.1
    left_side: ClassVar[str] = "regret"  # what the two sides are called, in figures and pages
    right_side: ClassVar[str] = "bound"

    @abstractmethod
    def bound(self, *args: Any, **constants: Any) -> float:
        """The right side from measured constants; each theorem says which. Where it can, it takes a ledger first."""

    @abstractmethod
    def game(self, rounds: int, seed: int) -> Sides:
        """Play the game that tests it."""

    @abstractmethod
    def hunt(self, rounds: int, seed: int) -> Sides:
        """Look for the game in which the left side comes nearest to the right, or beyond it."""

    def judge(self, sides: Sides) -> str:
        """The word for these sides."""
        return HOLDS if below(sides.left, sides.right) else BROKEN

    @final
    def play(self, rounds: int | None = None, seed: int = 0) -> Verdict:
        """Play the theorem's game and compare the two sides."""
        return self._verdict(self.game, rounds, seed)

    @final
    def attack(self, rounds: int | None = None, seed: int = 0) -> Verdict:
        """Let an adversary play against it: the worst game that was found."""
        return self._verdict(self.hunt, rounds, seed)

    def _verdict(self, playing: Any, rounds: int | None, seed: int) -> Verdict:
        rounds = self.rounds if rounds is None else rounds
        if rounds < 1:
            raise ValueError(f"{self.id}: a game has at least one round, not {rounds}")
        rounds = max(rounds, self.least)
        start = time.perf_counter()
        sides: Sides = playing(rounds, seed)
        word = self.judge(sides)
        return Verdict(
            theorem=self.id,
            left=float(sides.left),
            right=float(sides.right),
            word=word,
            holds=word == self.expected,
            note=sides.note,
            forms={name: float(value) for name, value in sides.forms.items()},
            curve=sides.curve,
            rounds=rounds,
            seed=seed,
            seconds=time.perf_counter() - start,
        )

    def __repr__(self) -> str:
        return f"<theorem {self.row}, {self.id}: {self.statement}>"


class Identity(Theorem):
    """Two trajectories that are one: left is their largest relative difference, right 1e-12."""

    expected: ClassVar[str] = IDENTITY
    left_side: ClassVar[str] = "largest relative difference"
    right_side: ClassVar[str] = "rounding"

    def bound(self, *args: Any, **constants: Any) -> float:  # noqa: ARG002
        """What rounding may cost."""
        return SAME

    def judge(self, sides: Sides) -> str:
        """One trajectory, or two."""
        return IDENTITY if sides.left <= sides.right else BROKEN


class Refuted(Theorem):
    """A claim that a game refutes as it is printed (`forms["printed"]`); the right side is what its proof gives."""

    expected: ClassVar[str] = REFUTED
    right_side: ClassVar[str] = "proved bound"

    def judge(self, sides: Sides) -> str:
        """Refuted where the printed bound is passed and the proved one is not."""
        if not below(sides.left, sides.right):
            return BROKEN
        return REFUTED if sides.left > sides.forms["printed"] * (1.0 + ROUNDING) else HOLDS


def below(left: float, right: float) -> bool:
    """Whether left ≤ right, up to the rounding of sums."""
    return bool(left <= right + ROUNDING * max(abs(left), abs(right), 1e-300))


def difference(ours: ArrayLike, theirs: ArrayLike) -> float:
    """The largest difference between two trajectories, relative to the largest number in them."""
    one, two = np.asarray(ours, dtype=np.float64), np.asarray(theirs, dtype=np.float64)
    size = max(float(np.abs(one).max(initial=0.0)), float(np.abs(two).max(initial=0.0)))
    return float(np.abs(one - two).max(initial=0.0)) / size if size else 0.0


def checkpoints(rounds: int, count: int = 60) -> np.ndarray:
    """Rounds at which a curve is taken, from 1 on to the last: half at about equal ratios, half at equal distances."""
    half = max(2, count // 2)
    at = np.concatenate([np.geomspace(1, rounds, half), np.linspace(1, rounds, half)])
    return np.unique(np.round(at).astype(np.int64))
