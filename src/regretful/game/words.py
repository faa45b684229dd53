"""A game in plain sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from regretful.core.domains import Ball, Box, Domain, Everywhere, L1Ball, Orthant, Simplex
from regretful.learners.player import Affine

if TYPE_CHECKING:
    from regretful.core.losses import Loss
    from regretful.game.game import Game

SURNAMES = ("Huber", "Poisson")


def answer(game: Game, domain: Domain | None = None, promised: float | None = None) -> tuple[str, str]:
    """The answer in two plain sentences: what was lost, and how near that was to the best fixed predictor.

    domain: of the predictors it is held against. promised: what a theorem said the regret would be at most, over all
    rounds.

    >>> import regretful as rg
    >>> from regretful.game.words import answer
    >>> game = rg.play(rg.GradientDescent(rg.Absolute(), 0.5, rg.Ball(1.0)), [[1.0]] * 4, [1.0, 1.0, 0.0, 0.0])
    >>> for sentence in answer(game, rg.Ball(1.0)): print(sentence)
    GradientDescent lost 0.75 a round over 4 rounds (absolute loss).
    No fixed predictor of norm at most 1 could have lost less than 0.5 a round: it was within 0.25 of the best of them.
    """
    if not game.rounds:
        return f"{game.name} played no rounds.", "There is nothing to compare."
    if not game.weight:
        return told(game, ()), "There is nothing to compare."
    first = f"{game.name} lost {game.mean_loss:.4g} a round over {_rounds(game)} ({called(game.learner.loss)})"
    if game.learner.loss.classification:
        first += f", and was wrong in {game.mistakes / game.rounds:.2%} of them"
    cut = " before it was interrupted" if game.interrupted else ""
    return f"{first}{cut}.", _compared(game, domain, promised)


def told(game: Game, domains: Sequence[Domain]) -> str:
    """How many rounds, what was lost, how that compares with fixed predictors."""
    if not game.rounds:
        return f"{game.name} played no rounds."
    if not game.weight:
        return f"{game.name} played {_rounds(game)}, and the weights of their examples are all 0."
    lines = [f"{game.name} played {_rounds(game)} and lost {game.loss:.6g}, {game.mean_loss:.6g} a round."]
    if game.classification:
        share = game.mistakes / game.rounds
        lines.append(f"It made {game.mistakes:,} mistake{'s' * (game.mistakes != 1)}, {share:.2%} of the rounds.")
    if game.asked is not None:
        share = game.asked / game.rounds
        lines.append(f"It asked for {game.asked:,} label{'s' * (game.asked != 1)}, {share:.2%} of them.")
    since = game.curve["since_last"][-1] if len(game.curve["rounds"]) > 1 else np.nan
    if np.isfinite(since):
        first = int(game.curve["rounds"][-2]) + 1
        lines.append(f"From round {first:,} on it lost {since:.6g} a round.")
    if game.interrupted:
        lines.append("It was interrupted: this is what was played so far.")
    lines += [_compared(game, domain) for domain in domains or (None,)]
    return "\n".join(lines)


def _compared(game: Game, domain: Domain | None, promised: float | None = None) -> str:
    if domain is None:
        return "No bounded domain was asked about: certificate(Ball(r)) tells how near it was to the best there."
    certificate = game.certificate(domain)
    regret = certificate.regret_at_most / game.weight if game.weight else np.nan
    if not np.isfinite(regret):
        return str(certificate)
    best, those = certificate.best_loss_at_least / game.weight, f"fixed predictor {within(domain)}"
    if regret < 0.0:
        return (
            f"It beat every {those}: the best of them lost at least {best:.4g} a round, {-regret:.4g} more, "
            "so the world is drifting, or bends."
        )
    theory = "" if promised is None else f", and theory had promised {promised / game.weight:.4g}"
    if best <= 0.0 <= game.least_loss and not isinstance(game.learner.loss, Affine):  # whose losses may be below 0
        return (
            f"What the best {those} lost is not told apart from 0 yet: the certificate says that it was within "
            f"{regret:.4g} a round of it{theory}."
        )
    lower = f"No {those} could have lost less than {best:.4g} a round"
    return f"{lower}: it was within {regret:.4g} of the best of them{theory}."


def within(domain: Domain) -> str:
    """Which predictors a domain holds, in words.

    >>> import regretful as rg
    >>> rg.game.words.within(rg.Ball(10.0))
    'of norm at most 10'
    """
    match domain:
        case Everywhere():
            return "whatever its weights"
        case Ball():
            return f"of norm at most {domain.radius:g}"
        case L1Ball():
            return f"whose weights add up to at most {domain.radius:g}, signs aside"
        case Simplex():
            return f"of weights from 0 on that add up to {domain.scale:g}"
        case Orthant():
            return "of weights from 0 on"
        case Box() if np.ndim(domain.low) == np.ndim(domain.high) == 0:
            return f"of weights from {domain.low:g} to {domain.high:g}"
        case _:
            return f"in {domain!r}"


def called(loss: Loss) -> str:
    """A loss in words, such as "squared hinge loss"."""
    name = type(loss).__name__
    words = name if name in SURNAMES else re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()
    inside = ", ".join(f"{name} {value:g}" for name, value in loss.settings().items() if isinstance(value, float))
    return f"{words} loss{', ' * bool(inside)}{inside}"


def _rounds(game: Game) -> str:
    return "1 round" if game.rounds == 1 else f"{game.rounds:,} rounds"
