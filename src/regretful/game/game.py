"""What happened in a game, and what can be proved about it: account, certificate, regret, predictors, risk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from regretful import batch
from regretful.core.certificate import Certificate, certify
from regretful.core.domains import Ball, Box, Domain, Everywhere, L1Ball, Orthant
from regretful.core.parts import instance
from regretful.core.predictor import FixedPredictor
from regretful.core.types import Vector
from regretful.game.sources import gathered, name_of, replayed
from regretful.game.words import told
from regretful.hindsight import Comparator, hindsight
from regretful.learners.player import Affine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from matplotlib.axes import Axes

    from regretful.game.tape import Tape
    from regretful.nature import Oblivious

KEPT = {"average": "average", "weighted": "weighted_average", "random": "random_iterate"}
PADDED = (Ball, Box, Everywhere, L1Ball, Orthant)  # where weights of features that are never there cost nothing


class Interval(NamedTuple):
    """What a number surely lies between."""

    at_least: float
    at_most: float


class Game:
    """A game that was played. `rg.play` makes them.

    loss, mean_loss, mistakes, rounds, weight: of this game (losses times the examples' weights). losses: round by
    round, without weights (8 bytes each; None with record=False). classification: whether there are mistakes to make.
    wrong: whether there was one, round by round. predictions: round by round, if they were kept, else None. curve: a
    dict of columns, one entry each time stock was taken: rounds, weight, loss (so far), mean_loss, since_last (the mean
    since the last time), mistakes, a certificate for each domain asked for, and from the ledger A, norm (‖G‖₂) and the
    measured constants. tally: how predictions met their labels, counted in bins (None where there are no labels).
    asked: labels the learner asked for, where it chooses (`SelectiveSampling`), else None; the game is told all labels,
    and its losses, mistakes and certificates are of all rounds. least_loss: of a round. interrupted: whether Ctrl-C
    ended it. seconds: what playing took. learner: who played, which may have gone on since; `last()` and the averages
    are those of the game's end.
    """

    def __init__(
        self,
        learner: Any,
        tape: Tape,
        nature: Oblivious | None,
        rows: list[tuple[Any, Any, float]] | None,
        *,
        interrupted: bool = False,
        seconds: float = 0.0,
    ) -> None:
        self.learner, self.name = learner, name_of(learner)
        self.curve = tape.curve()
        self._account = tape.account()
        self.rounds = tape.t
        self.weight, self.loss, self.mistakes = self._account.weight, self._account.loss, self._account.mistakes
        self.losses, self.wrong, self.predictions = tape.losses(), tape.wrong(), tape.predictions()
        self.classification = bool(learner.loss.classification)
        self.tally, self.least_loss = tape.tally, tape.least
        self.of_labels = tape.of_labels
        self.asked = tape.asked
        self.earlier_rounds = tape.before.rounds
        self.domains = tape.domains
        self.interrupted, self.seconds = interrupted, seconds
        self._nature, self._rows = nature, rows
        self._best: dict[tuple[Domain, float], Comparator] = {}
        kept = ["last", *(KEPT[name] for name in getattr(learner, "keep", ()))]
        there = bool(self.rounds) and hasattr(learner, "last")
        self._predictors = {name: getattr(learner, name)() for name in kept} if there else {}

    @property
    def mean_loss(self) -> float:
        """The loss over the weight of the examples; NaN before the first."""
        return self.loss / self.weight if self.weight else float("nan")

    @property
    def nature(self) -> Oblivious | None:
        """What was played on, if it can be asked again."""
        return self._nature

    # Regret.

    def examples(self) -> tuple[Any, Any, Any]:
        """(X, y, weight), as they were played; for long samplers, X is a function that yields them in stretches."""
        if self._nature is not None:
            return replayed(self._nature, self.rounds)
        if self._rows is None:
            raise ValueError("the examples were not kept: play with record=True")
        return gathered(self._rows)

    def parts(self) -> Iterator[tuple[Any, Any, Any]]:
        """The same in stretches."""
        X, y, weight = self.examples()
        yield from X() if callable(X) else ((X, y, weight),)

    def certificate(self, domain: Domain) -> Certificate:
        """What the account proves: regret to every predictor of the domain is at most so much."""
        if self._account.G is None:
            raise ValueError(f"{self.name} kept no ledger in this game: make it with ledger=True")
        return certify(self._account, instance("domain", domain, Domain))  # type: ignore[arg-type]

    def hindsight(self, domain: Domain, tol: float = 1e-6) -> Comparator:
        """The best fixed predictor of the domain over what was played, and how nearly it is the best."""
        if self.of_labels:
            raise TypeError("hindsight searches for predictors of numbers; for one of labels ask certificate(domain)")
        if (domain, tol) not in self._best:
            X, y, weight = self.examples()
            player = getattr(self.learner, "learner", self.learner)  # where one plays by means of another, the other
            made = player._slots() if hasattr(player, "_slots") else {}
            self._best[domain, tol] = hindsight(
                self.learner.loss, domain, X, y, weight=weight, tol=tol,
                intercept=made.get("intercept", False), features=made.get("features"),
            )  # fmt: skip
        return self._best[domain, tol]

    def regret(self, domain: Domain, tol: float = 1e-6) -> Interval:
        """How much more was lost than by the best fixed predictor of the domain, to within what is proved.

        At least what a predictor found in hindsight did better; at most what its dual bound and the certificate allow.
        Over an unbounded domain that is regret to its predictors within `hindsight(domain).radius` of 0.
        Linear losses (`Affine()`) need no search: their certificate is the regret. Learners of labels have no search
        yet: the certificate alone.
        """
        proved = self.certificate(domain).regret_at_most if self._account.G is not None else np.inf
        if not self.weight:
            return Interval(0.0, 0.0)
        if type(self.learner.loss) is Affine and np.isfinite(proved):
            return Interval(proved, proved)
        if self.of_labels:
            return Interval(-np.inf, proved)
        best = self.hindsight(domain, tol)
        at_least, lower = self.loss - best.loss, best.lower
        shown = len(best.weights) + bool(getattr(self.learner, "intercept_kept", False))
        if self._account.G is not None and shown < len(self._account.G) and not isinstance(domain, PADDED):
            lower = -np.inf  # the learner knows features that the examples don't show, and the domain may use them
        return Interval(at_least, max(at_least, min(proved, self.loss - lower)))

    # Predictors, and their risk.

    def last(self) -> FixedPredictor:
        """The iterate at the game's end."""
        return self._predictor("last", "last")

    def average(self) -> FixedPredictor:
        """The average of the iterates; asks for a learner with keep=("average",)."""
        return self._predictor("average", "average")

    def weighted_average(self) -> FixedPredictor:
        """Their average, the later counting more; asks for a learner with keep=("weighted",)."""
        return self._predictor("weighted_average", "weighted")

    def random_iterate(self) -> FixedPredictor:
        """One of the iterates, drawn at random; asks for a learner with keep=("random",)."""
        return self._predictor("random_iterate", "random")

    def _predictor(self, name: str, keep: str) -> FixedPredictor:
        if name not in self._predictors:
            if not self.rounds:
                raise ValueError("no rounds were played: there are no iterates")
            raise ValueError(f'{self.name} keeps no {name.replace("_", " ")}: make it with keep=("{keep}",)')
        predictor: FixedPredictor = self._predictors[name]
        return predictor

    def risk(
        self, delta: float = 0.05, loss_range: tuple[float, float] | None = None, *, of: str = "loss"
    ) -> batch.Risk:
        """What the loss on new examples from the same source is at most, with confidence 1 − delta; no holdout.

        It holds when the examples were drawn independently, for an iterate drawn at random in expectation of the draw,
        and, for losses that lie in a stated `loss_range`, for the average of the iterates. See `regretful.batch`.
        of="mistakes": for how often it is wrong, y p ≤ 0, instead.
        """
        if of not in ("loss", "mistakes"):
            raise ValueError(f'of is "loss" or "mistakes", not {of!r}')
        if self.losses is None:
            raise ValueError("the losses were not kept: play with record=True")
        if of == "mistakes":
            if not self.classification:
                raise ValueError(f"{self.learner.loss!r} knows no mistakes")
            assert self.wrong is not None
            return batch.risk(self.wrong.astype(np.float64), delta, (0.0, 1.0), what="share of mistakes")
        if self.weight != self.rounds:
            raise ValueError("the examples had weights; a bound on new ones needs a game in which all weigh 1")
        return batch.risk(self.losses, delta, loss_range)

    # Words and pictures.

    def summary(self, domain: Domain | None = None) -> str:
        """What happened, in plain sentences; about this domain, else about those that were asked for in the game."""
        return told(self, self.domains if domain is None else (domain,))

    def plot(
        self, domain: Domain | None = None, *, bound: Callable[[Vector], Vector] | None = None, axes: Any = None
    ) -> tuple[Axes, Axes]:
        """Two matplotlib axes: cumulative loss against the best in hindsight, and the average regret against 1/√t.

        domain: of the comparators, by default the first that was asked for. bound: a theorem's, as a function of the
        rounds. axes: two to draw on. Asks for the extra `plot`.
        """
        from regretful.game.plots import draw

        return draw(self, domain, bound, axes)

    def __repr__(self) -> str:
        cut = ", interrupted" if self.interrupted else ""
        return f"Game of {self.name}: {self.rounds:,} rounds, mean loss {self.mean_loss:.6g}{cut}"
