"""The named learners, and the flags of the rules (implicit, conservative, l2), beside their references."""

import numpy as np

import regretful as rg
from tests.references import followers as F
from tests.references import learners as L
from tests.references import losses as S
from tests.references import projections as P

from .cases import LOSSES, Case

C, R = "classification", "regression"
EVERYWHERE = P.everywhere()


def named():
    """One case or more a named learner."""
    yield Case(
        "GradientDescent",
        C,
        lambda **k: rg.GradientDescent(rg.Logistic(), 0.05, **k),
        lambda X, y, w: L.gradient_descent(X, y, S.logistic(), L.constant(0.05), EVERYWHERE, w),
    )
    yield Case(
        "GradientDescent-ball",
        R,
        lambda **k: rg.GradientDescent(rg.Squared(), rg.InverseSqrt(0.05), rg.Ball(0.5), **k),
        lambda X, y, w: L.gradient_descent(X, y, S.squared(), L.inverse_sqrt(0.05), P.ball(0.5), w),
    )
    yield Case(
        "ExponentiatedGradient",
        R,
        lambda **k: rg.ExponentiatedGradient(rg.Squared(), 0.02, **k),
        lambda X, y, w: L.exponentiated_gradient(X, y, S.squared(), L.constant(0.02), 1.0, w),
        needs_n=True,
    )
    yield Case(
        "ExponentiatedGradient-pm",
        R,
        lambda **k: rg.ExponentiatedGradient(rg.Squared(), 0.02, rg.L1Ball(1.5), **k),
        lambda X, y, w: L.eg_plus_minus(X, y, S.squared(), L.constant(0.02), 1.5, w),
        needs_n=True,
    )
    yield Case(
        "ExponentiatedGradient-wealth",
        "wealth",
        lambda **k: rg.ExponentiatedGradient(rg.LogWealth(), 0.05, **k),
        lambda X, y, w: L.exponentiated_gradient(X, y, S.log_wealth(), L.constant(0.05), 1.0, w),
        needs_n=True,
    )
    yield Case(
        "PNormDescent",
        R,
        lambda **k: rg.PNormDescent(rg.Squared(), 0.01, **k),
        lambda X, y, w: L.p_norm(X, y, S.squared(), L.constant(0.01), L.log_p(12), w),
        needs_n=True,
        columns_matter=True,
    )
    yield Case(
        "PNormDescent-4",
        C,
        lambda **k: rg.PNormDescent(rg.Hinge(), 0.02, 4.0, **k),
        lambda X, y, w: L.p_norm(X, y, S.hinge(), L.constant(0.02), 4.0, w),
    )
    yield Case("Perceptron", C, lambda **k: rg.Perceptron(**k), L.perceptron)
    yield Case("AveragedPerceptron", C, lambda **k: rg.AveragedPerceptron(**k), L.perceptron)
    yield Case("Winnow", C, lambda **k: rg.Winnow(0.05, **k), lambda X, y, w: L.winnow(X, y, 0.05, w), needs_n=True)
    yield Case("WidrowHoff", R, lambda **k: rg.WidrowHoff(0.03, **k), lambda X, y, w: L.widrow_hoff(X, y, 0.03, w))
    yield Case("Pegasos", C, lambda **k: rg.Pegasos(0.1, **k), lambda X, y, w: L.pegasos(X, y, 0.1, w))
    for bound in (0.05, 1.0, np.inf):
        yield Case(
            f"PassiveAggressive-{bound}",
            C,
            lambda bound=bound, **k: rg.PassiveAggressive(bound, **k),
            lambda X, y, w, bound=bound: L.passive_aggressive(X, y, bound, w),
        )
    yield Case(
        "AdaGrad",
        C,
        lambda **k: rg.AdaGrad(rg.Logistic(), 0.1, **k),
        lambda X, y, w: F.adagrad(X, y, S.logistic(), L.constant(0.1), weights=w),
    )
    for beta, l1, l2 in [(1.0, 0.0, 0.0), (1.0, 5.0, 0.1), (0.0, 20.0, 0.0)]:
        yield Case(
            f"FTRLProximal-{beta}-{l1}-{l2}",
            C,
            lambda beta=beta, l1=l1, l2=l2, **k: rg.FTRLProximal(0.1, beta, l1, l2, **k),
            lambda X, y, w, beta=beta, l1=l1, l2=l2: F.ftrl_proximal(X, y, S.logistic(), 0.1, beta, l1, l2, w),
        )
    yield Case(
        "FTRLProximal-squared",
        R,
        lambda **k: rg.FTRLProximal(0.05, 1.0, 2.0, 0.5, rg.Squared(), **k),
        lambda X, y, w: F.ftrl_proximal(X, y, S.squared(), 0.05, 1.0, 2.0, 0.5, w),
    )


def flagged():
    """Every loss explicit and implicit; implicit steps of the other geometries; conservative steps; l2."""
    for name, (kind, loss, plain) in LOSSES.items():
        for implicit in (False,) if name == "hinge0" else (False, True):  # an implicit perceptron never moves
            eta = 0.2 if implicit and name != "poisson" else 0.005  # a long implicit step does not explode
            yield Case(
                f"GradientDescent-{name}{'-implicit' if implicit else ''}",
                kind,
                lambda loss=loss, eta=eta, implicit=implicit, **k: rg.GradientDescent(
                    loss, eta, implicit=implicit, **k
                ),
                lambda X, y, w, plain=plain, eta=eta, implicit=implicit: L.gradient_descent(
                    X, y, plain, L.constant(eta), EVERYWHERE, w, implicit=implicit
                ),
            )
    yield Case(
        "GradientDescent-implicit-ball",
        C,
        lambda **k: rg.GradientDescent(rg.Logistic(), rg.InverseSqrt(0.5), rg.Ball(0.6), implicit=True, **k),
        lambda X, y, w: L.gradient_descent(X, y, S.logistic(), L.inverse_sqrt(0.5), P.ball(0.6), w, implicit=True),
    )
    for name in ("squared", "logistic", "hinge"):
        kind, loss, plain = LOSSES[name]
        yield Case(
            f"EG-{name}-implicit",
            kind,
            lambda loss=loss, **k: rg.ExponentiatedGradient(loss, 0.1, implicit=True, **k),
            lambda X, y, w, plain=plain: L.exponentiated_gradient(X, y, plain, L.constant(0.1), 1.0, w, implicit=True),
            needs_n=True,
        )
        yield Case(
            f"EGpm-{name}-implicit",
            kind,
            lambda loss=loss, **k: rg.ExponentiatedGradient(loss, 0.1, rg.L1Ball(1.5), implicit=True, **k),
            lambda X, y, w, plain=plain: L.eg_plus_minus(X, y, plain, L.constant(0.1), 1.5, w, implicit=True),
            needs_n=True,
        )
        yield Case(
            f"PNorm-{name}-implicit",
            kind,
            lambda loss=loss, **k: rg.PNormDescent(loss, 0.1, 3.0, implicit=True, **k),
            lambda X, y, w, plain=plain: L.p_norm(X, y, plain, L.constant(0.1), 3.0, w, implicit=True),
        )
    for name in ("logistic", "hinge", "squaredhinge"):
        _, loss, plain = LOSSES[name]
        yield Case(
            f"GradientDescent-{name}-conservative",
            C,
            lambda loss=loss, **k: rg.GradientDescent(loss, rg.InverseSqrt(0.5), conservative=True, **k),
            lambda X, y, w, plain=plain: L.gradient_descent(
                X, y, plain, L.inverse_sqrt(0.5), EVERYWHERE, w, conservative=True
            ),
        )
    for name in ("logistic", "squared"):
        kind, loss, plain = LOSSES[name]
        yield Case(
            f"GradientDescent-{name}-l2",
            kind,
            lambda loss=loss, **k: rg.GradientDescent(loss, 0.02, l2=0.1, **k),
            lambda X, y, w, plain=plain: L.gradient_descent(X, y, plain, L.constant(0.02), EVERYWHERE, w, l2=0.1),
        )


NAMED_CASES = [*named(), *flagged()]
