"""Whether the infimum over an unbounded domain is attained: no direction in which the losses fall for ever."""

from __future__ import annotations

import numpy as np

from regretful.core import domains, losses
from regretful.core.passes import rows_of
from regretful.hindsight.examples import Examples, Point
from regretful.hindsight.program import LARGEST

# A convex function of straight and quadratic pieces that has a bound from below has a least value on a polyhedron.
PIECEWISE = (
    losses.Squared,
    losses.Absolute,
    losses.Quantile,
    losses.Huber,
    losses.EpsilonInsensitive,
    losses.Hinge,
    losses.SquaredHinge,
)
WALLED = (domains.Everywhere, domains.Orthant, domains.Box)


def attained(examples: Examples, domain: domains.Domain, point: Point) -> bool | None:
    """Whether some w has the least loss; None if that was not settled."""
    loss = examples.loss
    if not isinstance(domain, WALLED):
        return None
    if isinstance(loss, PIECEWISE):
        return True
    if isinstance(loss, losses.Logistic) and examples.source is None:
        part = examples.whole
        cone = not isinstance(domain, domains.Box)
        if cone and bool((part.y * point.z > 0.0)[part.c > 0.0].all()):
            return False
    if isinstance(loss, losses.Logistic | losses.Poisson):
        return _no_escape(examples, domain)
    return None


def _no_escape(examples: Examples, domain: domains.Domain) -> bool | None:
    """No direction d of the domain costs nothing in any row and lowers the loss of one, for ever (a linear program)."""
    if examples.source is not None:
        return None
    from scipy import sparse
    from scipy.optimize import linprog

    part = examples.whole
    data, index, start = rows_of(part.blocks)
    if len(data) > LARGEST:
        return None
    X = sparse.csr_array((data, index, start), shape=(examples.rows, examples.n))
    norms = np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())
    kept = np.flatnonzero((part.c > 0.0) & (norms > 0.0))
    X, y = X[kept], part.y[kept]
    X = sparse.diags_array(1.0 / norms[kept]) @ X
    if isinstance(examples.loss, losses.Logistic):
        falls, still = sparse.diags_array(-y) @ X, None  # y ⟨d, x⟩ ≥ 0
    else:
        falls, still = X[np.flatnonzero(y == 0.0)], X[np.flatnonzero(y > 0.0)]  # ⟨d, x⟩ ≤ 0, and = 0 where y > 0
    if not falls.shape[0]:
        return True
    low, high = _recession(domain, examples.n)
    found = linprog(
        np.asarray(falls.sum(axis=0)).ravel(),
        A_ub=falls,
        b_ub=np.zeros(falls.shape[0]),
        A_eq=still if still is not None and still.shape[0] else None,
        b_eq=np.zeros(still.shape[0]) if still is not None and still.shape[0] else None,
        bounds=np.column_stack([low, high]),
        method="highs",
    )
    if found.status != 0:
        return None
    return not float((-(falls @ found.x)).max()) > 1e-6


def _recession(domain: domains.Domain, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The bounds, within ±1, of directions in which the domain has no end."""
    if isinstance(domain, domains.Orthant):
        return np.zeros(n), np.ones(n)
    if isinstance(domain, domains.Box):
        low, high = np.broadcast_to(domain.low, n), np.broadcast_to(domain.high, n)
        return np.where(np.isinf(low), -1.0, 0.0), np.where(np.isinf(high), 1.0, 0.0)
    return -np.ones(n), np.ones(n)
