"""What a game is held against: a domain, the best of it in hindsight, the certificate, and the theorems that apply."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from regretful import theorems
from regretful.core.domains import Ball, Domain, L1Ball
from regretful.core.types import Vector
from regretful.game import Game
from regretful.game.replay import best_so_far
from regretful.game.tape import CONSTANTS
from regretful.game.words import within
from regretful.theorems.regret import RegretBound
from regretful.theorems.theorem import Unmet

FEW = 100_000  # rounds up to which hindsight is looked for unasked
TOL = 1e-4  # of its gap


@dataclass(frozen=True, eq=False)
class Compared:
    """Totals at each stop of the curve; None where there are none, and the `no_…` say why.

    best: what the best of all rounds had lost. certificate: regret is at most so much. promised: by the theorem named.
    unmet: (theorem, where it stands, why it says nothing of this game).
    """

    domain: Domain | None
    best: Vector | None
    certificate: Vector | None
    promised: Vector | None
    theorem: RegretBound | None
    unmet: tuple[tuple[str, str, str], ...]
    no_best: str = ""
    no_certificate: str = ""
    no_theorem: str = ""


def compare(game: Game, domain: Domain | None, hindsight: bool | None) -> Compared:
    """The whole of it. hindsight None: if there are few rounds."""
    domain = natural(game) if domain is None else domain
    certificate, no_certificate = _certificate(game, domain)
    best, no_best = _best(game, domain, hindsight)
    theorem, promised, unmet = _promised(game, domain)
    no_theorem = "" if theorem is not None else "None of the theorems speaks of this game; under Learner it says why."
    return Compared(domain, best, certificate, promised, theorem, unmet, no_best, no_certificate, no_theorem)


def natural(game: Game) -> Domain | None:
    """The domain of the game, or the learner's own, or the ball that its last weights just fill."""
    if game.domains:
        return game.domains[0]
    own: Domain | None = getattr(game.learner, "domain", None)
    if own is not None and own.bounded:
        return own
    if "norm" not in game.curve or not game.rounds:
        return None
    last = game.last()
    norm = math.hypot(float(np.linalg.norm(last.weights)), last.intercept)
    if not norm > 0.0 or not math.isfinite(norm):
        return Ball(1.0)
    unit = 10.0 ** (math.floor(math.log10(norm)) - 1)
    return Ball(float(f"{math.ceil(norm / unit) * unit:.12g}"))


def _certificate(game: Game, domain: Domain | None) -> tuple[Vector | None, str]:
    if "norm" not in game.curve:
        return None, f"{game.name} kept no ledger in this game, so nothing is certified: make it with ledger=True."
    name = f"certificate {domain!r}"
    if name in game.curve and np.isfinite(game.curve[name][-1]):
        return game.curve[name], ""
    if isinstance(domain, Ball):
        return game.curve["A"] + domain.radius * game.curve["norm"], ""
    return None, "Certificates along the way are there for balls, and for the domains= that were asked for in rg.play."


def _best(game: Game, domain: Domain | None, wanted: bool | None) -> tuple[Vector | None, str]:
    if domain is None or not game.rounds:
        return None, ""
    if wanted is None:
        wanted = game.rounds <= FEW
        if not wanted:
            return None, (
                f"The best in hindsight is not drawn: looking for it among {game.rounds:,} rounds takes a while. "
                "Ask for it with hindsight=True."
            )
    if not wanted:
        return None, ""
    try:
        return best_so_far(game, domain, TOL), ""
    except (ValueError, TypeError, AttributeError) as error:
        return None, f"The best in hindsight is not drawn: {error}."


def _promised(game: Game, domain: Domain | None) -> tuple[RegretBound | None, Vector | None, tuple[Any, ...]]:
    """The theorem that promises least regret, and what it promises along the way."""
    found: list[tuple[float, RegretBound, Vector]] = []
    unmet = []
    for theorem in theorems.all():
        if not isinstance(theorem, RegretBound):
            continue
        try:
            curve = _along(theorem, game, domain)
            found.append((float(curve[-1]), theorem, curve))
        except Unmet as error:
            unmet.append((theorem.id, theorem.source, str(error).removeprefix(f"{theorem.id}: ")))
    if not found:
        return None, None, tuple(unmet)
    _, theorem, curve = min(found, key=lambda one: one[0])
    return theorem, curve, tuple(unmet)


def _along(theorem: RegretBound, game: Game, domain: Domain | None) -> Vector:
    """What the theorem promises at each stop, from the constants measured until then."""
    if domain is None or "norm" not in game.curve:
        raise Unmet("there is no ledger, or no domain to compare over")
    if game.earlier_rounds or game.learner.rounds != game.rounds:
        raise Unmet("the learner played other rounds before this game, or after it")
    learner = game.learner
    theorem.check(learner)
    U = domain.radius if isinstance(domain, Ball | L1Ball) else None
    speaks = theorem.comparators(learner, U)
    if speaks != domain:
        raise Unmet(f"speaks of predictors {within(speaks)}, and the comparison is with those {within(domain)}")
    theorem.check_run(learner.ledger, learner, U)
    columns = {name: game.curve[name].tolist() for name in ("rounds", *CONSTANTS)}
    constants = theorem.constants(learner, U)
    stops = [SimpleNamespace(**dict(zip(columns, row, strict=True))) for row in zip(*columns.values(), strict=True)]
    try:
        return np.array([theorem.bound(stop, **constants) for stop in stops])
    except AttributeError as error:
        raise Unmet(f"needs {error.name}, which a game does not note along the way") from None
