"""`regretful inspect`: what is in a saved learner."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from regretful.cli.options import Json


def inspect(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A saved learner.")],
    domain: Annotated[
        list[str] | None,
        typer.Option(metavar="DOMAIN", help="The fixed predictors to compare with, such as ball:10; again for more."),
    ] = None,
    top: Annotated[int, typer.Option(metavar="N", min=0, help="How many of the largest weights to show.")] = 20,
    json: Json = False,
) -> None:
    """Show a saved learner: how it was made, its account, what that proves, and its largest weights."""
    from regretful.cli import models, spelling
    from regretful.cli.paper import Paper
    from regretful.cli.words import number

    asked = [spelling.domain(text) for text in domain or ()]
    learner, before, names = models.load(model)
    paper = Paper(json)
    made = made_of(learner)
    paper.say(f"{type(learner).__name__} after {learner.rounds:,} rounds", "head")
    paper.table(["", ""], [[name, value] for name, value in made.items()])
    account = ledger_of(learner)
    if account:
        paper.say("\nThe account", "head")
        cells = [[name, f"{v:,.0f}" if float(v).is_integer() else number(v)] for name, v in account.items()]
        paper.table(["", ""], cells)
        paper.say("\nA round, against fixed predictors", "head")
    proved = [certified(learner, over) for over in asked or domains_of(learner)] if account else []
    if proved:
        rows = [[one["domain"], number(one["best_mean_loss_at_least"]), number(one["mean_regret_at_most"])]
                for one in proved]  # fmt: skip
        paper.table(["domain", "best lost at least", "regret at most"], rows)
    weights = models.largest(learner.named_weights(), top, names.get)
    if weights:
        paper.say("\nThe largest weights", "head")
        paper.table(["", ""], [[name, f"{value:+.4f}"] for name, value in weights])
    paper.document(
        {
            "model": model,
            "learner": type(learner).__name__,
            "rounds": learner.rounds,
            "made_of": made,
            "reading": before,
            "ledger": account,
            "certificates": proved,
            "weights": dict(weights),
        }
    )


def made_of(learner: Any) -> dict[str, str]:
    """The slots and options, in words."""
    from regretful.cli.words import spelt
    from regretful.core.parts import Part

    return {
        name: spelt(slot) if isinstance(slot, Part) else str(slot)
        for name, slot in learner._slots().items()
        if slot not in (None, (), False)
    }


def ledger_of(learner: Any) -> dict[str, Any]:
    """The sums of the account."""
    if learner.ledger is None:
        return {}
    kept = ("rounds", "weight", "loss", "mean_loss", "mistakes", "A", "max_slope", "max_norm2", "max_norm_inf")
    told = learner.ledger.as_dict()
    return {name: told[name] for name in kept}


def domains_of(learner: Any) -> list[Any]:
    """Balls about as large as the weights, when nobody asked for others."""
    import regretful as rg
    from regretful.cli.screen import radius

    if learner.domain.bounded:
        return [learner.domain]
    own = radius(learner)
    return [rg.Ball(float(f"{own * part:.3g}")) for part in (0.1, 0.5, 1.0, 2.0, 10.0)]


def certified(learner: Any, domain: Any) -> dict[str, Any]:
    """What the account proves over a domain, a round."""
    from regretful.cli.words import spelt

    certificate = learner.ledger.certificate(domain)
    weight = learner.ledger.weight or float("nan")
    return {
        "domain": spelt(domain),
        "best_mean_loss_at_least": certificate.best_loss_at_least / weight,
        "mean_regret_at_most": certificate.regret_at_most / weight,
    }
