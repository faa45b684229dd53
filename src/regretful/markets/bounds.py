"""What theory promises about portfolios: their log-wealth against that of the best constantly rebalanced one.

Only formulas live here; who plays, and what was measured, is elsewhere. T rounds, n assets, x_t the price relatives,
w_t what was held and p_t = ⟨w_t, x_t⟩.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from regretful.core.types import Vector


@dataclass(frozen=True)
class Bound:
    """What regret in log-wealth is at most: from the constants of a run, and tighter from all of its rounds.

    constants: what was measured. note: what the run does not meet, where the bound says nothing (inf).
    """

    stated: float
    data: float
    constants: dict[str, float]
    note: str = ""


def variability(X: Vector) -> float:
    """The r of a market: the least of min_i x_i/max_i x_i over the rounds; 1 where all assets move alike."""
    return float((X.min(axis=1) / X.max(axis=1)).min(initial=1.0))


def tuned(n: int, rounds: int, r: float) -> float:
    """The η that is best for EG's bound: √(8 ln n/T) r/(1 − r)."""
    if not 0.0 < r < 1.0:
        raise ValueError(
            f"r = {r!r}: the rate is tuned to a market whose least relative is between 0 and 1 of the best"
        )
    return math.sqrt(8.0 * math.log(n) / rounds) * r / (1.0 - r)


def exponentiated(X: Vector, paid: Vector, eta: float) -> Bound:
    """EG(η): ln n/η + η T (1/r − 1)²/8, and with the data ln n/η + (η/8) Σ ((max x_t − min x_t)/p_t)².

    The slope of −ln⟨w, x⟩ in w_i is −x_i/p; those of a round lie within (max x − min x)/p ≤ 1/r − 1 of each other, and
    exponential weights pay η/8 for the square of that (Helmbold, Schapire, Singer and Warmuth 1998, who have 1/r).
    """
    T, n = X.shape
    r = variability(X)
    spreads = (X.max(axis=1) - X.min(axis=1)) / paid
    start = math.log(n) / eta
    return Bound(
        start + eta * T * (1.0 / r - 1.0) ** 2 / 8.0, start + eta * float(spreads @ spreads) / 8.0, {"r": r, "eta": eta}
    )


def universal(T: int, n: int, alpha: float) -> Bound:
    """The universal portfolio: (n − 1) ln(T + 1) for the uniform prior, ((n − 1)/2) ln(T + 1) + ln 2 for Dirichlet(½).

    With the data (that is, T and n exactly): ln C(T + n − 1, n − 1) for the uniform prior (Cover 1991; Cover and
    Ordentlich 1996; Blum and Kalai 1999). Other priors have none here.
    """
    if alpha == 1.0:
        stated = (n - 1) * math.log(T + 1.0)
        return Bound(stated, math.fsum(math.log((T + i) / i) for i in range(1, n)), {"n": n, "T": T})
    if alpha == 0.5:
        half = 0.5 * (n - 1) * math.log(T + 1.0) + math.log(2.0)
        return Bound(half, half, {"n": n, "T": T})
    return Bound(math.inf, math.inf, {"n": n, "T": T}, f"no bound is known here for Dirichlet({alpha:g})")


def curvature(D: float) -> float:
    """The largest β with −ln(1 − z) ≥ z + βz²/2 for −D ≤ z < 1: 2(D − ln(1 + D))/D².

    Here z = 1 − ⟨u, x⟩/⟨w, x⟩ = ⟨∇, u − w⟩, and D is the most by which a portfolio u may beat w in one round.
    """
    if D < 1e-4:
        return 1.0 - 2.0 * D / 3.0
    return 2.0 * (D - math.log1p(D)) / (D * D)


def newton(X: Vector, paid: Vector, beta: float, epsilon: float) -> Bound:
    """The online Newton step: (n/2β) ln(1 + G²T/(nε)) + e with e = βε(1 − 1/n)/2; with the data ln det(A/ε)/(2β) + e.

    G is the largest ‖x‖₂/p, A = ε I + Σ x xᵀ/p². It holds if β is at most `curvature`(D), D the largest max x/p − 1:
    then −ln⟨u, x⟩ ≥ −ln p + ⟨∇, u − w⟩ + (β/2)⟨∇, u − w⟩², and the terms of second order cancel those by which the norm
    of A grows (Hazan, Agarwal and Kale 2007, Theorem 2, with the constants of this loss).
    """
    T, n = X.shape
    slopes = X / paid[:, None]
    D = float(slopes.max(initial=1.0) - 1.0)
    most = curvature(max(D, 0.0))
    constants = {"beta": beta, "beta at most": most, "G": float(np.sqrt((slopes**2).sum(axis=1).max(initial=0.0)))}
    if beta > most * (1.0 + 1e-12):
        note = f"the bound asks for β of at most {most:.4g}: an asset gained {1.0 + D:.4g} times what the portfolio did"
        return Bound(math.inf, math.inf, constants, note)
    start = 0.5 * beta * epsilon * (1.0 - 1.0 / n)
    stated = n / (2.0 * beta) * math.log1p(constants["G"] ** 2 * T / (n * epsilon)) + start
    volume = float(np.linalg.slogdet(np.eye(n) + slopes.T @ slopes / epsilon)[1])
    return Bound(stated, volume / (2.0 * beta) + start, constants)
