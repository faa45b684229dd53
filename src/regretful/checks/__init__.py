"""The conformance suite: what every learner, loss, domain, geometry and rate must satisfy, yours too.

Each function runs a list of small named checks and raises an AssertionError that says which promise was broken, with
which input, and what was seen. Nothing here learns; nothing else in the house imports it.

    >>> import regretful as rg
    >>> rg.checks.check_learner(lambda: rg.GradientDescent(rg.Logistic(), 0.1))
    >>> class Cubic(rg.Loss):
    ...     def value(self, p, y): return abs(p - y) ** 3
    ...     def slope(self, p, y): return 3 * (p - y)
    >>> rg.checks.check_loss(Cubic())  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    AssertionError: Cubic(): slope_is_a_slope: slope(-4, -1.5) = -7.5 is a slope of a convex loss; seen: ...
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from regretful.checks import account, inputs, labels, parts, playing, steps, structures
from regretful.checks.examples import KINDS, Case, kind_of
from regretful.checks.registry import learners
from regretful.core.structured import Structured
from regretful.learners import SelectiveSampling

__all__ = [
    "KINDS",
    "check_domain",
    "check_geometry",
    "check_learner",
    "check_loss",
    "check_rate",
    "learner_checks",
    "learners",
]

Check = Callable[[], None]


def check_learner(make: Any, *, kind: str | None = None) -> None:
    """Run every check on a learner: a function without arguments that makes one, or one that has not learnt yet.

    A structured learner is to take rows of six numbers for examples, and "ant", "bee" and "cow" for labels.

    `kind` names the stream it is to play, "regression", "classification", "counts", "wealth" or "labels"; by default
    the one that its loss is for.
    """
    for _, check in learner_checks({"": make}, kind=kind):
        check()


def learner_checks(makers: dict[str, Any] | None = None, *, kind: str | None = None) -> Iterator[tuple[str, Check]]:
    """(name, function) of every check on every learner, for pytest to parametrise; by default over `learners()`."""
    for name, make in (learners() if makers is None else makers).items():
        factory = make if not hasattr(make, "learn_one") or isinstance(make, type) else _copies(make)
        for check in _suite(factory(), kind):
            title = f"{name}: {check.__name__}" if name else check.__name__
            yield title, _learner_check(check, factory, kind, name)


def _suite(learner: Any, kind: str | None) -> Sequence[Callable[[Any], None]]:
    """The checks for learners of its sort."""
    if isinstance(learner, Structured):
        return structures.CHECKS
    if (kind or kind_of(learner.loss)) == "labels":
        return labels.CHECKS
    if isinstance(learner, SelectiveSampling) and learner.b < math.inf:
        # Its averages are of the rounds it learnt from; that those are right is its learner's check.
        return [*playing.CHECKS, *(c for c in account.CHECKS if c is not account.averages_are_right), *inputs.CHECKS]
    return [*playing.CHECKS, *account.CHECKS, *inputs.CHECKS]


def _copies(learner: Any) -> Callable[[], Any]:
    return lambda: copy.deepcopy(learner)


def _learner_check(check: Callable[[Any], None], make: Callable[[], Any], kind: str | None, name: str) -> Check:
    def run() -> None:
        case = structures.Structures(make) if isinstance(make(), Structured) else Case(make, kind)
        _run(check, name or repr(make()), case)

    return run


def _run(check: Callable[..., None], subject: str, *arguments: Any) -> None:
    try:
        check(*arguments)
    except AssertionError as error:
        raise AssertionError(f"{subject}: {check.__name__}: {error}") from None
    except Exception as error:
        raise AssertionError(f"{subject}: {check.__name__} met an error: {type(error).__name__}: {error}") from error


def check_loss(loss: Any) -> None:
    """Convexity, slopes, conjugate, implicit slope and constants of a loss; and that its settings make it again."""
    _run(parts.settings_make_it_again, repr(loss), loss)
    case = parts.LossCase(loss)
    for check in parts.LOSS:
        _run(check, repr(loss), case)


def check_domain(domain: Any, n: int = 5) -> None:
    """Projection, support function, membership and diameter of a domain, over vectors of n coordinates."""
    _run(parts.settings_make_it_again, repr(domain), domain)
    for check in parts.DOMAIN:
        _run(check, repr(domain), domain, n)


def check_geometry(geometry: Any) -> None:
    """Steps, mirror maps and state of a geometry, in the learners that take it."""
    _run(parts.settings_make_it_again, repr(geometry), geometry)
    for check in steps.GEOMETRY:
        _run(check, repr(geometry), geometry)


def check_rate(rate: Any) -> None:
    """Step sizes and state of a rate."""
    _run(parts.settings_make_it_again, repr(rate), rate)
    for check in steps.RATE:
        _run(check, repr(rate), rate)
