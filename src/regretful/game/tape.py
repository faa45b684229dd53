"""The tape: what a game writes down while it is played, and at which rounds it takes stock."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from regretful.core.certificate import certify
from regretful.core.domains import Domain
from regretful.core.labels import label_of, many_labels, same
from regretful.core.losses import Loss
from regretful.core.reading import labels_of
from regretful.core.score_losses import MulticlassLoss
from regretful.core.types import Vector
from regretful.game.account import Account
from regretful.game.tally import Tally

CONSTANTS = ("max_slope", "max_norm2", "max_norm_inf", "squares2", "squares_inf")  # what the ledger measures
UNKNOWN = 1_000_000  # the rounds that stops are spaced for when their number is not known


def stops(curve: int | Iterable[int], rounds: int | None) -> Iterator[int]:
    """The rounds at which stock is taken: about so many at equal ratios, or those named; and always the last."""
    if not isinstance(curve, int | np.integer):
        yield from sorted({int(t) for t in curve if t > 0})
        return
    if curve < 2:
        return
    ratio = (rounds or UNKNOWN) ** (1.0 / max(1, curve - 1))
    t, place = 0, 1.0
    while rounds is None or t < rounds:
        t = max(t + 1, math.floor(place + 0.5))
        place = max(place * ratio, 1.0 * t)
        yield t if rounds is None else min(t, rounds)


class Tape:
    """Losses (and predictions, if wanted) round by round, and the curve."""

    def __init__(
        self, learner: Any, curve: Iterator[int], domains: Sequence[Domain], keep_predictions: bool, record: bool = True
    ) -> None:
        self.learner, self.loss = learner, learner.loss
        self.of_labels = isinstance(learner.loss, MulticlassLoss)  # it predicts labels, and tells its losses itself
        self.ledger = getattr(learner, "ledger", None)
        self.before = Account() if self.ledger is None else Account.of(self.ledger)
        self.domains = tuple(domains) if self.ledger is not None else ()
        self.keep, self.record = keep_predictions, record
        self.t = 0
        self._stops = curve
        self.next = next(curve, None)
        self._weight = self._total = 0.0
        self.least = math.inf
        self._mistakes = 0
        self._losses: list[Vector] = []
        self._wrong: list[np.ndarray] = []
        self._predictions: list[Vector] = []
        self._rows: list[tuple[float, ...]] = []
        self.asked_before = getattr(learner, "asked", None)  # labels, by a learner that asks for them
        self.tally = Tally(self.loss) if self.loss.labelled and not self.of_labels else None

    def check(self, y: Any, rounds: int) -> None:
        """Raise an error if there are not so many labels, or one of them is none that the learner takes."""
        if not self.of_labels:
            labels_of(y, self.loss, rounds)
            return
        for row, label in enumerate(many_labels(y, rounds)):
            try:
                label_of(label)
            except (TypeError, ValueError) as error:
                raise type(error)(f"row {row}: {error}") from None

    def paid(self) -> Vector | None:
        """The losses of the rounds that were played last, where predictions do not tell them."""
        return self.learner.last_losses if self.of_labels else None

    def add(self, p: np.ndarray, y: Any, weight: ArrayLike | None, paid: Vector | None = None) -> None:
        """Some rounds: what was predicted, and what turned out; `paid`, the losses, for learners of labels."""
        if paid is None:
            labels = labels_of(y, self.loss, len(p))
            losses = values(self.loss, p, labels)
            wrong = labels * p <= 0.0 if self.loss.classification else None
        else:
            losses = paid
            wrong = np.array([not same(said, label) for said, label in zip(p, y, strict=True)], dtype=bool)
        weights = None if weight is None else np.asarray(weight, dtype=np.float64)
        self.t += len(p)
        self.least = min(self.least, float(losses.min(initial=math.inf)))
        self._total += float(losses.sum() if weights is None else losses @ weights)
        self._weight += len(p) if weights is None else float(weights.sum())
        if wrong is not None:
            self._mistakes += int(np.count_nonzero(wrong))
        if self.record:
            self._losses.append(losses)
            if wrong is not None:
                self._wrong.append(wrong)
        if self.keep:
            self._predictions.append(p)
        if self.tally is not None:
            self.tally.add(p, labels, weights)
        if self.next is not None and self.t >= self.next:
            self.mark()

    def mark(self) -> None:
        """Take stock."""
        account = self.account()
        measured: list[float] = []
        if self.ledger is not None:
            norm = float(np.linalg.norm(self.ledger.G if account.G is None else account.G))
            measured = [account.A, norm, *(getattr(self.ledger, one) for one in CONSTANTS)]
        if self.asked is not None:
            measured.append(self.asked)
        certificates = [certify(account, domain).regret_at_most for domain in self.domains]  # type: ignore[arg-type]
        self._rows.append((account.rounds, account.weight, account.loss, account.mistakes, *certificates, *measured))
        while self.next is not None and self.next <= self.t:
            self.next = next(self._stops, None)

    def account(self, with_G: bool = True) -> Account:
        """The game's account so far: from the ledger, or where there is none, from the losses."""
        if self.ledger is None:
            return Account(self.t, self._weight, self._total, self._mistakes)
        return Account.of(self.ledger, with_G).since(self.before)

    @property
    def asked(self) -> int | None:
        """Labels asked for so far; None where the learner sees all."""
        return None if self.asked_before is None else self.learner.asked - self.asked_before

    @property
    def mean_loss(self) -> float:
        """So far."""
        return self._total / self._weight if self._weight else math.nan

    def curve(self) -> dict[str, Vector]:
        """The stock takings, a column each."""
        if self.t and (not self._rows or self._rows[-1][0] < self.t):
            self.mark()
        measured: tuple[str, ...] = () if self.ledger is None else ("A", "norm", *CONSTANTS)
        measured += () if self.asked is None else ("asked",)
        names = ("rounds", "weight", "loss", "mistakes", *(f"certificate {domain!r}" for domain in self.domains))
        table = np.array(self._rows, dtype=np.float64).reshape(len(self._rows), len(names) + len(measured))
        rounds, weight, loss, mistakes = table[:, :4].T
        with np.errstate(invalid="ignore", divide="ignore"):
            columns = {
                "rounds": rounds.astype(np.int64),
                "weight": weight,
                "loss": loss,
                "mean_loss": loss / weight,
                "since_last": np.diff(loss, prepend=0.0) / np.diff(weight, prepend=0.0),
                "mistakes": mistakes.astype(np.int64),
            }
        return columns | dict(zip((*names[4:], *measured), table[:, 4:].T, strict=True))

    def losses(self) -> Vector | None:
        """ℓ(y, p), round by round, without the weights of the examples; None if nothing was recorded."""
        return _joined(self._losses) if self.record else None

    def wrong(self) -> np.ndarray | None:
        """Whether y p ≤ 0, or the label another, round by round; None where there are no mistakes to make."""
        return _joined(self._wrong, bool) if self.loss.classification and self.record else None

    def predictions(self) -> Vector | None:
        """p, round by round, if they were to be kept."""
        return _joined(self._predictions) if self.keep else None


def values(loss: Loss, p: Vector, y: Vector) -> Vector:
    """ℓ(y, p), at once for the losses that are built in, one by one for others."""
    if type(loss).__module__ == Loss.__module__:
        return np.asarray(loss.value(p, y))  # type: ignore[arg-type]
    return np.array([loss.value(one, label) for one, label in zip(p.tolist(), y.tolist(), strict=True)], np.float64)


def _joined(parts: list[Any], kind: type = float) -> np.ndarray:
    return np.concatenate(parts) if parts else np.zeros(0, kind)
