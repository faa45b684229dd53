"""`hindsight`: which solver for which problem, and the account of the best point and the best bound so far."""

from __future__ import annotations

import contextlib
import math

import numpy as np
from numpy.typing import ArrayLike

from regretful.core import domains, losses
from regretful.core.domains import Domain
from regretful.core.features import Features, Hashing
from regretful.core.losses import Loss
from regretful.core.parts import instance, number
from regretful.core.passes import dual_sum, rows_of
from regretful.core.solvers import CURVATURES
from regretful.core.types import Events, Matrix, Vector
from regretful.hindsight.attained import attained
from regretful.hindsight.beginning import Quadrant, beginning
from regretful.hindsight.comparator import Comparator, relative_gap
from regretful.hindsight.descent import Descent, Stop
from regretful.hindsight.examples import Examples, Point, Source
from regretful.hindsight.models import model
from regretful.hindsight.multipliers import pursue
from regretful.hindsight.program import program
from regretful.hindsight.region import Region

ROUNDING = 4.0 * float(np.finfo(np.float64).eps)


class Account:
    """The point that lost least, and the bound that proves most."""

    def __init__(self, examples: Examples, region: Region) -> None:
        self.examples, self.region = examples, region
        self.point: Point | None = None
        self.loss, self.lower, self.radius = math.inf, -math.inf, region.radius(np.zeros(0))

    def bound(self, tangent: float, mass: float, G: Vector, radius: float | None) -> float:
        """−Σ c ℓ*(s) − σ(−Σ c s x), less an estimate of its rounding."""
        support = self.region.support(-G, radius)
        lower = tangent - support - ROUNDING * (mass + abs(support))
        return lower if not math.isnan(lower) else -math.inf

    def note(self, point: Point) -> float:
        """Take a pass into account; what is left of the gap, absolute."""
        if self.point is None or point.loss < self.loss:
            self.point, self.loss = point, point.loss
        if self.region.bounded:
            self.lower = max(self.lower, self.bound(point.tangent, point.mass, point.G, None))
        elif np.isfinite(point.value):
            # A bound within another radius is another bound: the one that goes with the best point is asked for.
            radius = max(self.region.radius(self.point.w) or 0.0, self.region.radius(point.w) or 0.0)
            lower = self.bound(point.tangent, point.mass, point.G, radius)
            if self.radius is None or radius > self.radius or lower > self.lower:
                self.lower, self.radius = lower, radius
        return self.loss - self.lower

    def dual(self, s: Vector, G: Vector) -> None:
        """A bound from slopes that came from elsewhere."""
        part = self.examples.whole
        value, mass = dual_sum(self.examples.loss, s, part.y, part.c)
        self.lower = max(self.lower, self.bound(value, mass, G, self.radius))


def hindsight(
    loss: Loss,
    domain: Domain,
    X: Events | Matrix | Source,
    y: ArrayLike | None = None,
    *,
    weight: ArrayLike | None = None,
    tol: float = 1e-6,
    intercept: bool = False,
    features: Hashing | None = None,
    max_passes: int = 10_000,
) -> Comparator:
    """The best fixed predictor of the domain over the data, with a bound on what any other could gain.

    The search ends when the gap, (loss − lower)/max(1, |loss|), is at most `tol`, or nothing more can be gained, or
    after `max_passes` over the data; `note` says when the gap is larger than asked for.

    X is an array, a SciPy sparse matrix, a list of dicts, a table, or, for streams too large for memory, a log on disk
    (`rg.read`) or a function without arguments that returns an iterable of (X, y) or (X, y, weight), each time the
    same. With `intercept` the domain has one more coordinate, the first, whose feature is always 1. A log brings its
    hashing with it; for other names, `features` hashes them.

    >>> import regretful as rg
    >>> from regretful.hindsight import hindsight
    >>> best = hindsight(rg.Squared(), rg.Ball(1.0), [[1.0], [1.0]], [0.0, 0.5])
    >>> round(float(best.weights[0]), 6), round(best.loss, 6), best.gap <= 1e-6
    (0.25, 0.125, True)

    Squared, Huber, logistic, squared hinge, Poisson and log-wealth are minimised by proximal Newton steps (few
    features) or their limited-memory kin (Lee, Sun and Saunders 2014); the losses with kinks by a linear program where
    the domain has straight walls, else, as users' own losses, by an augmented Lagrangian.
    """
    instance("loss", loss, Loss)
    instance("domain", domain, Domain)
    tol = number("tol", tol, above=0.0)
    if features is None and callable(X):
        features = getattr(X, "features", None)  # a log on disk brings its hashing
    book = Features(None, features, bool(intercept))
    examples = Examples(loss, X, y, weight, book)
    region = Region(domain, examples.n)
    capped = isinstance(loss, losses.LogWealth) and not region.bounded
    if capped:
        region = Region(_capped(domain), examples.n)
    account = Account(examples, region)
    most = int(number("max_passes", max_passes, least=1.0))
    start = beginning(examples, region, most + examples.passes)
    with contextlib.suppress(Stop):
        _search(Descent(examples, region, model(examples), most), account, start, tol)
    return _comparator(account, domain, tol, capped)


def _capped(domain: Domain) -> Domain:
    """Where log-wealth, which has no bound over a cone, is sought instead."""
    if isinstance(domain, domains.Everywhere):
        return domains.Ball(1.0)
    if isinstance(domain, domains.Orthant):
        return Quadrant(1.0)
    raise ValueError(f"over {domain!r}, which is unbounded, log-wealth may grow for ever: give a bounded domain")


def _search(descent: Descent, account: Account, w: Vector, tol: float) -> None:
    """Until the account's gap is what was asked for, or nothing moves."""
    examples = descent.examples
    if type(examples.loss) in CURVATURES:

        def enough(point: Point, _stationarity: float) -> bool:
            return account.note(point) <= tol * max(1.0, abs(account.loss))

        descent.run(descent.at(w), enough)
        return
    multipliers = None
    solved = program(examples, descent.region.domain)
    if solved is not None:
        w, multipliers = descent.region.project(solved[0]), solved[1]
        account.note(examples.at(w))
        account.dual(multipliers, _pull(examples, multipliers))
        if account.loss - account.lower <= tol * max(1.0, abs(account.loss)):
            return

    def note(point: Point) -> float:
        # The envelope's point is not the loss's: both count.
        return account.note(point) / max(1.0, abs(account.loss))

    pursue(descent, w, multipliers, note, tol)


def _pull(examples: Examples, s: Vector) -> Vector:
    """G = Σ c s x."""
    from scipy import sparse

    part = examples.whole
    X = sparse.csr_array(rows_of(part.blocks), shape=(examples.rows, examples.n))
    return np.asarray(X.T @ (part.c * s))


def _comparator(account: Account, domain: Domain, tol: float, capped: bool) -> Comparator:
    examples, point = account.examples, account.point
    if point is None:  # the passes allowed were fewer than one
        point = examples.at(beginning(examples, account.region, examples.passes + 100))
        account.note(point)
    notes, reached = [], None
    gap = relative_gap(account.loss, account.lower)
    if capped:
        reached = False
        notes.append("the loss has no lower bound over the domain: weights twice as large lose ln 2 less in each row")
    elif account.region.bounded:
        reached = True
    else:
        reached = attained(examples, domain, point)
        if reached is False:
            notes.append("the infimum over the domain is attained nowhere: larger weights lose less for ever")
        elif reached is None:
            notes.append("whether the infimum over the domain is attained was not settled")
    if gap > tol:
        notes.append(f"the gap asked for, {tol:g}, was not reached")
    w = np.array(point.w)
    w.setflags(write=False)
    offset = examples.features.offset
    return Comparator(
        weights=w[offset:],
        intercept=float(w[0]) if offset else 0.0,
        loss=account.loss,
        lower=min(account.lower, account.loss),
        gap=gap,
        domain=domain,
        radius=1.0 if capped else account.radius,
        attained=reached,
        passes=examples.passes,
        note="; ".join(notes),
        features=examples.features.copy(),
    )
