"""How parts are spelt on the command line: `logistic`, `quantile:0.9`, `sqrt:0.5`, `ball:10`.

One table a kind. A spelling is a name, then after a colon its numbers, in order or by name: `ball:10`,
`ball:radius=10`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import regretful as rg
from regretful.cli.errors import Refused


@dataclass(frozen=True)
class Part:
    """One entry of a table: what makes it, how it is spelt, and what it is."""

    make: Callable[..., Any]
    spelt: str
    about: str


LOSSES = {
    "logistic": Part(rg.Logistic, "logistic", "ln(1 + exp(−yp)); labels ±1, 0/1 or true/false"),
    "squared": Part(rg.Squared, "squared", "(p − y)²"),
    "absolute": Part(rg.Absolute, "absolute", "|p − y|"),
    "quantile": Part(rg.Quantile, "quantile:0.9", "the 0.9-quantile of the label"),
    "huber": Part(rg.Huber, "huber:1", "squared near the label, absolute beyond 1"),
    "epsilon": Part(rg.EpsilonInsensitive, "epsilon:0.1", "|p − y| beyond 0.1"),
    "hinge": Part(rg.Hinge, "hinge[:1]", "max(0, margin − yp)"),
    "squared-hinge": Part(rg.SquaredHinge, "squared-hinge", "max(0, 1 − yp)²"),
    "poisson": Part(rg.Poisson, "poisson", "exp(p) − yp, for counts"),
    "log-wealth": Part(rg.LogWealth, "log-wealth", "−ln p"),
}
RATES = {
    "constant": Part(rg.Constant, "0.1", "the same in every round"),
    "sqrt": Part(rg.InverseSqrt, "sqrt:0.5", "0.5/√t"),
    "time": Part(rg.InverseTime, "time:0.01", "1/(0.01 t)"),
    "weighted-time": Part(rg.WeightedInverseTime, "weighted-time:0.01", "2/(0.01 (t + 1))"),
    "adaptive": Part(rg.Adaptive, "adaptive:10", "10/√(sum of the squared slopes)"),
}
DOMAINS = {
    "everywhere": Part(rg.Everywhere, "everywhere", "all weights"),
    "ball": Part(rg.Ball, "ball:10", "of Euclidean norm at most 10"),
    "l1": Part(rg.L1Ball, "l1:5", "whose sizes add up to at most 5"),
    "simplex": Part(rg.Simplex, "simplex[:1]", "at least 0, adding up to 1"),
    "box": Part(rg.Box, "box:-1,1", "each between −1 and 1"),
    "orthant": Part(rg.Orthant, "orthant", "each at least 0"),
}


def part(text: str, table: dict[str, Part], option: str) -> Any:
    """The part that is spelt so."""
    name, _, rest = text.strip().partition(":")
    if name not in table:
        raise Refused(f"{option} {text}: there is no {name!r}; {choices(table)}")
    places, names = arguments(rest, option, text)
    try:
        return table[name].make(*places, **names)
    except (TypeError, ValueError) as error:
        told = f"{error}; " if isinstance(error, ValueError) else ""
        raise Refused(f"{option} {text}: {told}it is spelt like {table[name].spelt}") from None


def loss(text: str) -> rg.Loss:
    """One of the losses: `logistic`, `quantile:0.9`."""
    made: rg.Loss = part(text, LOSSES, "--loss")
    return made


def domain(text: str) -> rg.Domain:
    """One of the domains: `ball:10`, `box:-1,1`."""
    made: rg.Domain = part(text, DOMAINS, "--domain")
    return made


def rate(text: str) -> rg.Rate:
    """One of the rates: `0.1`, `sqrt:0.5`."""
    try:
        made: rg.Rate = part(f"constant:{float(text)!r}", RATES, "--rate")
    except ValueError:
        made = part(text, RATES, "--rate")
    return made


def arguments(text: str, option: str, whole: str) -> tuple[list[float], dict[str, float]]:
    """Numbers in order, and numbers by name."""
    places: list[float] = []
    names: dict[str, float] = {}
    for piece in filter(None, text.split(",")):
        name, equals, value = piece.rpartition("=")
        try:
            number = float(value)
        except ValueError:
            raise Refused(f"{option} {whole}: {value!r} is not a number") from None
        if equals:
            names[name.strip()] = number
        elif names:
            raise Refused(f"{option} {whole}: {value!r} comes after a number with a name; give it one too")
        else:
            places.append(number)
    return places, names


def choices(table: dict[str, Part]) -> str:
    """What there is, as it is spelt."""
    return f"there are {', '.join(entry.spelt for entry in table.values())}"


def items(texts: Iterable[str]) -> list[str]:
    """Names given one by one or with commas between them."""
    return [name for text in texts for name in text.split(",") if name]
