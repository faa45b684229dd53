"""A game in plain sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from regretful.core.domains import Domain
    from regretful.game.game import Game


def told(game: Game, domains: Sequence[Domain]) -> str:
    """How many rounds, what was lost, how that compares with fixed predictors."""
    if not game.rounds:
        return f"{game.name} played no rounds."
    rounds = "1 round" if game.rounds == 1 else f"{game.rounds:,} rounds"
    lines = [f"{game.name} played {rounds} and lost {game.loss:.6g}, {game.mean_loss:.6g} a round."]
    if game.wrong is not None:
        share = game.mistakes / game.rounds
        lines.append(f"It made {game.mistakes:,} mistake{'s' * (game.mistakes != 1)}, {share:.2%} of the rounds.")
    since = game.curve["since_last"][-1] if len(game.curve["rounds"]) > 1 else np.nan
    if np.isfinite(since):
        first = int(game.curve["rounds"][-2]) + 1
        lines.append(f"From round {first:,} on it lost {since:.6g} a round.")
    if game.interrupted:
        lines.append("It was interrupted: this is what was played so far.")
    if not domains:
        lines.append("No bounded domain was asked about: certificate(Ball(r)) tells how near it was to the best there.")
    lines += [_compared(game, domain) for domain in domains]
    return "\n".join(lines)


def _compared(game: Game, domain: Domain) -> str:
    certificate = game.certificate(domain)
    regret = certificate.regret_at_most / game.weight if game.weight else np.nan
    if not np.isfinite(regret):
        return str(certificate)
    best = certificate.best_loss_at_least / game.weight
    if regret < 0.0:
        return (
            f"It beat every fixed predictor in {domain!r}: the best of them lost at least {best:.6g} a round, "
            f"{-regret:.6g} more. The world is drifting, or bends."
        )
    return (
        f"No fixed predictor in {domain!r} could have lost less than {best:.6g} a round: the regret is at most "
        f"{regret:.6g} a round."
    )
