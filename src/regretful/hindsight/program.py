"""Losses of straight pieces over domains of straight walls: a linear program (HiGHS), whose dual values are the slopes.

With p + u − v + e = target, u, v ≥ 0 and |e| ≤ epsilon, the loss is the least under·u + over·v.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from regretful.core import domains, losses
from regretful.core.passes import rows_of
from regretful.core.types import Vector
from regretful.hindsight.examples import Examples

LARGEST = 300_000  # values in the rows
POLYHEDRAL = (domains.Everywhere, domains.L1Ball, domains.Simplex, domains.Box, domains.Orthant)


class Pieces(NamedTuple):
    """The loss as a linear program has it."""

    target: Vector
    under: Vector
    over: Vector
    epsilon: float


def pieces(loss: Any, y: Vector) -> Pieces | None:
    """The loss at each label, None if it is not of straight pieces."""
    one, zero = np.ones(len(y)), np.zeros(len(y))
    if isinstance(loss, losses.Absolute):
        return Pieces(y, one, one, 0.0)
    if isinstance(loss, losses.Quantile):
        return Pieces(y, loss.tau * one, (1.0 - loss.tau) * one, 0.0)
    if isinstance(loss, losses.EpsilonInsensitive):
        return Pieces(y, one, one, loss.epsilon)
    if isinstance(loss, losses.Hinge):
        return Pieces(loss.margin * y, np.where(y > 0.0, one, zero), np.where(y < 0.0, one, zero), 0.0)
    return None


def program(examples: Examples, domain: Any) -> tuple[Vector, Vector] | None:
    """(weights, slopes), None if this is no linear program, or too large for one, or HiGHS gives up."""
    if examples.source is not None or not isinstance(domain, POLYHEDRAL):
        return None
    part = examples.whole
    straight = pieces(examples.loss, part.y)
    if straight is None:
        return None
    from scipy import sparse
    from scipy.optimize import linprog

    data, index, start = rows_of(part.blocks)
    if len(data) > LARGEST:
        return None
    n, paid = examples.n, part.c > 0.0
    X = sparse.csr_array((data, index, start), shape=(examples.rows, n))[np.flatnonzero(paid)]
    target, under, over, c = straight.target[paid], straight.under[paid], straight.over[paid], part.c[paid]
    T = len(c)
    scale = float(c.mean())
    eye = sparse.eye_array(T, format="csr")
    halves = isinstance(domain, domains.L1Ball)
    columns = [X, -X, eye, -eye] if halves else [X, eye, -eye]
    weights, total, sense = _walls(domain, n)
    bounds = [*weights, *[(0.0, None)] * (2 * T)]
    if straight.epsilon:
        columns.append(eye)
        bounds += [(-straight.epsilon, straight.epsilon)] * T
    width = len(weights)
    cost = np.zeros(len(bounds))
    cost[width : width + T], cost[width + T : width + 2 * T] = c / scale * under, c / scale * over
    A, b = sparse.hstack(columns, format="csr"), target
    more: dict[str, Any] = {}
    if total is not None:
        row = sparse.csr_array((np.ones(width), (np.zeros(width, int), np.arange(width))), shape=(1, len(bounds)))
        if sense == "eq":
            A, b = sparse.vstack([A, row], format="csr"), np.append(b, total)
        else:
            more = {"A_ub": row, "b_ub": [total]}
    precise = {"primal_feasibility_tolerance": 1e-9, "dual_feasibility_tolerance": 1e-9}
    found = linprog(cost, A_eq=A, b_eq=b, bounds=bounds, method="highs", options=precise, **more)
    if found.status != 0:
        return None
    w = found.x[:n] - found.x[n : 2 * n] if halves else found.x[:n]
    # To ask for a larger target is to predict less: the value's derivative is −c s.
    s = np.zeros(examples.rows)
    s[paid] = np.clip(-found.eqlin.marginals[:T] * scale / c, -under, over)
    return w, s


def _walls(domain: Any, n: int) -> tuple[list[tuple[float | None, float | None]], float | None, str]:
    """(bounds of the weights, the bound of their sum if there is one, its sense)."""
    if isinstance(domain, domains.Simplex):
        return [(0.0, None)] * n, domain.scale, "eq"
    if isinstance(domain, domains.L1Ball):
        return [(0.0, None)] * (2 * n), domain.radius, "ub"
    if isinstance(domain, domains.Orthant):
        return [(0.0, None)] * n, None, ""
    if isinstance(domain, domains.Box):
        low, high = np.broadcast_to(domain.low, n).tolist(), np.broadcast_to(domain.high, n).tolist()
        return list(zip(low, high, strict=True)), None, ""
    return [(None, None)] * n, None, ""
