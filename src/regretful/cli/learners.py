"""The learners by name: what each takes, where it can be kept, and how it is made."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import regretful as rg
from regretful.cli import spelling
from regretful.cli.errors import Refused

Everywhere, Ball, L1Ball, Simplex, Box, Orthant = rg.Everywhere, rg.Ball, rg.L1Ball, rg.Simplex, rg.Box, rg.Orthant


@dataclass(frozen=True)
class Named:
    """A learner: its class, whether it takes a loss and a rate, the domains it can be kept in, its own numbers."""

    kind: type[Any]
    about: str
    loss: bool = False
    rate: bool = False
    domains: tuple[type[rg.Domain], ...] = ()
    own: tuple[str, ...] = ()
    defaults: tuple[tuple[str, float | bool], ...] = ()


LEARNERS = {
    "adagrad": Named(
        rg.AdaGrad, "a rate for each feature, the larger the rarer it is", True, True, (Everywhere, Box, Orthant)
    ),
    "adagrad-scaled": Named(
        rg.AdaGrad,
        "for columns of very different sizes: in any unit",
        True,
        True,
        (Everywhere, Box, Orthant),
        defaults=(("scaled", True),),
    ),
    "gradient": Named(
        rg.GradientDescent, "w − ηsx, projected", True, True, (Everywhere, Ball, L1Ball, Simplex, Box, Orthant)
    ),
    "ftrl-proximal": Named(
        rg.FTRLProximal, "adagrad's rates, l1 for true zeros, l2", True, own=("alpha", "beta", "l1", "l2")
    ),
    "perceptron": Named(rg.Perceptron, "adds yx after a mistake"),
    "averaged-perceptron": Named(rg.AveragedPerceptron, "and keeps the average"),
    "passive-aggressive": Named(rg.PassiveAggressive, "the smallest step that mends the example", own=("C",)),
    "pegasos": Named(rg.Pegasos, "the support vector machine's descent", own=("lam",), defaults=(("lam", 1e-4),)),
    "eg": Named(rg.ExponentiatedGradient, "multiplies weights: simplex, l1", True, True, (Simplex, L1Ball)),
    "winnow": Named(rg.Winnow, "multiplies weights after a mistake", False, True, (Simplex, L1Ball)),
    "pnorm": Named(rg.PNormDescent, "between gradient (p=2) and eg", True, True, own=("p",)),
    "widrow-hoff": Named(rg.WidrowHoff, "squared loss", own=("eta",), defaults=(("eta", 0.1),)),
}
DEFAULT = "adagrad"


@dataclass(frozen=True)
class Recipe:
    """What was asked for: a learner's name with its own numbers, and the loss, rate and domain if any were given."""

    name: str
    own: dict[str, float]
    loss: str | None
    rate: str | None
    domain: rg.Domain | None
    spelt: str = ""

    @property
    def named(self) -> Named:
        """The entry of the table."""
        return LEARNERS[self.name]

    def __str__(self) -> str:
        return self.spelt or self.name

    def make(self, features: rg.Hashing | None, intercept: bool, seed: int) -> Any:
        """The learner."""
        options: dict[str, Any] = {**dict(self.named.defaults), **self.own}
        if self.named.loss:
            options["loss"] = spelling.loss(self.loss or "logistic")
        if self.named.rate and self.rate is not None:
            options["rate"] = spelling.rate(self.rate)
        if self.domain is not None and isinstance(self.domain, self.named.domains):
            options["domain"] = self.domain
        try:
            return self.named.kind(**options, features=features, intercept=intercept, seed=seed)
        except (TypeError, ValueError) as error:
            raise Refused(f"--learner {self}: {error}") from None


def recipe(text: str, loss: str | None, rate: str | None, domain: rg.Domain | None, *, strict: bool = True) -> Recipe:
    """What `--learner` and its company ask for; a learner that does not take what was given says so (if `strict`)."""
    name, _, rest = text.strip().partition(":")
    if name not in LEARNERS:
        raise Refused(f"--learner {text}: there is no {name!r}; there are {', '.join(LEARNERS)}")
    found = LEARNERS[name]
    places, own = _own(rest, text)
    if "rate" in own:
        rate = own.pop("rate")
    numbers = {key: spelling.arguments(f"{key}={value}", "--learner", text)[1][key] for key, value in own.items()}
    numbers = {**dict(zip(found.own, places, strict=False)), **numbers}
    wrong = [key for key in numbers if key not in found.own]
    if wrong or len(places) > len(found.own):
        takes = ", ".join((*found.own, *(["rate"] if found.rate else []))) or "no numbers"
        raise Refused(f"--learner {text}: {name} takes {takes}")
    if strict and loss is not None and not found.loss:
        raise Refused(f"--learner {text}: {name} has a loss of its own: leave out --loss")
    if rate is not None and not found.rate:
        with_own = f"; its own numbers are {', '.join(found.own)}" if found.own else ""
        raise Refused(f"--learner {text}: {name} takes no --rate{with_own}")
    return Recipe(name, numbers, loss, rate, domain, text.strip())


def _own(text: str, whole: str) -> tuple[list[float], dict[str, str]]:
    places: list[float] = []
    names: dict[str, str] = {}
    for piece in filter(None, text.split(",")):
        key, equals, value = piece.partition("=")
        if equals:
            names[key.strip()] = value
        else:
            places += spelling.arguments(piece, "--learner", whole)[0]
    return places, names


def several(text: str) -> list[str]:
    """`a,b:x=1,y=2,c` is a list of three: what has an equals sign before any colon belongs to the one before."""
    found: list[str] = []
    for piece in filter(None, text.split(",")):
        if found and re.match(r"\w+=", piece):
            found[-1] += f",{piece}"
        else:
            found.append(piece.strip())
    return found
