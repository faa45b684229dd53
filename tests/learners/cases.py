"""Every learner of the contract beside its textbook reference: one `Case` a combination of slots.

Rates are small enough that no trajectory explodes: no learner may amplify a rounding error.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle

import numpy as np

import regretful as rg
from tests.references import followers as F
from tests.references import learners as L
from tests.references import losses as S
from tests.references import projections as P


@dataclass(frozen=True)
class Case:
    """A learner (called with the common keywords) and its reference (called with X, y and weights)."""

    name: str
    kind: str
    learner: Callable
    reference: Callable
    needs_n: bool = False
    columns_matter: bool = False  # n is in a parameter: not for an extra column, nor for columns in any order


LOSSES = {  # name: (kind of stream, library's, reference's)
    "squared": ("regression", rg.Squared(), S.squared()),
    "absolute": ("regression", rg.Absolute(), S.absolute()),
    "quantile": ("regression", rg.Quantile(0.8), S.quantile(0.8)),
    "huber": ("regression", rg.Huber(0.5), S.huber(0.5)),
    "insensitive": ("regression", rg.EpsilonInsensitive(0.2), S.epsilon_insensitive(0.2)),
    "logistic": ("classification", rg.Logistic(), S.logistic()),
    "hinge": ("classification", rg.Hinge(), S.hinge()),
    "hinge0": ("classification", rg.Hinge(0.0), S.hinge(0.0)),
    "squaredhinge": ("classification", rg.SquaredHinge(), S.squared_hinge()),
    "poisson": ("counts", rg.Poisson(), S.poisson()),
}
RATES = {  # name: (library's, reference's in the norm dual to the geometry)
    "number": (0.02, lambda norm: L.constant(0.02)),
    "constant": (rg.Constant(0.01), lambda norm: L.constant(0.01)),
    "inversesqrt": (rg.InverseSqrt(0.05), lambda norm: L.inverse_sqrt(0.05)),
    "inversetime": (rg.InverseTime(5.0), lambda norm: L.inverse_time(5.0)),
    "weighted": (rg.WeightedInverseTime(5.0), lambda norm: L.weighted_inverse_time(5.0)),
    "adaptive": (rg.Adaptive(0.5), lambda norm: L.adaptive(0.5, norm)),
}
LOW, HIGH = -np.linspace(0.05, 0.6, 12), np.linspace(0.4, 0.1, 12)
DOMAINS = {  # name: (library's, the projection); small enough to bind on most of these runs
    "everywhere": (rg.Everywhere(), P.everywhere()),
    "ball": (rg.Ball(0.25), P.ball(0.25)),
    "l1ball": (rg.L1Ball(0.6), P.l1_ball(0.6)),
    "simplex": (rg.Simplex(), P.simplex()),
    "scaledsimplex": (rg.Simplex(2.5), P.simplex(2.5)),
    "box": (rg.Box(-0.1, 0.15), P.box(-0.1, 0.15)),
    "boxes": (rg.Box(LOW, HIGH), P.box(LOW, HIGH)),
    "orthant": (rg.Orthant(), P.orthant()),
}


def rules(name, kind, loss, geometry, domain, rate, *, eager=None, lazy=None, **flags):
    """The mirror-descent and the follow-the-regularised-leader case of one combination of slots."""
    if eager:
        yield Case(
            f"md-{name}",
            kind,
            lambda **common: rg.MirrorDescent(loss, geometry, domain, rate, **common),
            eager,
            **flags,
        )
    if lazy:
        yield Case(
            f"ftrl-{name}",
            kind,
            lambda **common: rg.FollowTheRegularizedLeader(loss, geometry, domain, rate, **common),
            lazy,
            **flags,
        )


def euclidean():
    """Every domain with every rate; the losses take turns."""
    losses = cycle(name for name in LOSSES if name != "poisson")
    for domain_name, (domain, project) in DOMAINS.items():
        for rate_name, (rate, eta_in) in RATES.items():
            loss_name = next(losses)
            kind, loss, plain = LOSSES[loss_name]
            leader, eta = F.euclidean_leader(project), eta_in(2)
            yield from rules(
                f"euclidean-{loss_name}-{domain_name}-{rate_name}",
                kind,
                loss,
                rg.Euclidean(),
                domain,
                rate,
                eager=lambda X, y, w, a=plain, e=eta, q=project: L.gradient_descent(X, y, a, e, q, w),
                lazy=lambda X, y, w, a=plain, e=eta, f=leader: F.lazy(X, y, a, e, f, w),
                needs_n="simplex" in domain_name or domain_name == "boxes",
                columns_matter=domain_name == "boxes",
            )


def entropy():
    """The simplex, a scaled one and the L1 ball (EG+-), with every rate; the losses take turns."""
    losses = cycle(name for name in LOSSES if name != "poisson")
    domains = {
        "simplex": (rg.Simplex(), L.exponentiated_gradient, 1.0, F.entropy_leader(1.0)),
        "scaledsimplex": (rg.Simplex(2.5), L.exponentiated_gradient, 2.5, F.entropy_leader(2.5)),
        "l1ball": (rg.L1Ball(1.5), L.eg_plus_minus, 1.5, F.signed_entropy_leader(1.5)),
    }
    for domain_name, (domain, descend, size, leader) in domains.items():
        for rate_name, (rate, eta_in) in RATES.items():
            loss_name = next(losses)
            kind, loss, plain = LOSSES[loss_name]
            eta = eta_in(np.inf)
            yield from rules(
                f"entropy-{loss_name}-{domain_name}-{rate_name}",
                kind,
                loss,
                rg.Entropy(),
                domain,
                rate,
                eager=lambda X, y, w, a=plain, e=eta, d=descend, u=size: d(X, y, a, e, u, w),
                lazy=lambda X, y, w, a=plain, e=eta, f=leader: F.lazy(X, y, a, e, f, w),
                needs_n=True,
            )


def p_norms():
    """p = 2, 3 and "log", with every rate; the losses take turns."""
    losses = cycle(name for name in LOSSES if name != "poisson")
    for p_name, p in {"2": 2.0, "3": 3.0, "log": L.log_p(12)}.items():
        for rate_name, (rate, eta_in) in RATES.items():
            loss_name = next(losses)
            kind, loss, plain = LOSSES[loss_name]
            eta = eta_in(p)
            geometry = rg.PNorm("log") if p_name == "log" else rg.PNorm(p)
            yield from rules(
                f"p{p_name}-{loss_name}-{rate_name}",
                kind,
                loss,
                geometry,
                rg.Everywhere(),
                rate,
                eager=lambda X, y, w, a=plain, e=eta, p=p: L.p_norm(X, y, a, e, p, w),
                lazy=lambda X, y, w, a=plain, e=eta, p=p: F.lazy(X, y, a, e, F.p_norm_leader(p), w),
                needs_n=p_name == "log",
                columns_matter=p_name == "log",
            )


def diagonal():
    """Everywhere, a box and the orthant, where projecting in AdaGrad's norm goes coordinate by coordinate."""
    bounds = {"everywhere": (-np.inf, np.inf), "box": (-0.1, 0.15), "orthant": (0.0, np.inf)}
    losses = cycle(name for name in LOSSES if name != "poisson")
    for domain_name, (low, high) in bounds.items():
        for rate_name in ("number", "inversesqrt"):
            loss_name = next(losses)
            kind, loss, plain = LOSSES[loss_name]
            rate, eta = RATES[rate_name][0], RATES[rate_name][1](2)
            leader = F.diagonal_leader(low, high)
            yield from rules(
                f"diagonal-{loss_name}-{domain_name}-{rate_name}",
                kind,
                loss,
                rg.Diagonal(),
                DOMAINS[domain_name][0],
                rate,
                eager=lambda X, y, w, a=plain, e=eta, lo=low, hi=high: F.adagrad(X, y, a, e, lo, hi, w),
                lazy=lambda X, y, w, a=plain, e=eta, f=leader: F.lazy(X, y, a, e, f, w),
            )


RULE_CASES = [*euclidean(), *entropy(), *p_norms(), *diagonal()]
