"""Every named learner and rule in a few guises: what the project's own suite of checks runs over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from regretful.core.diagonal import Diagonal
from regretful.core.domains import Ball, Box, Everywhere, L1Ball, Orthant, Simplex
from regretful.core.entropy import Entropy
from regretful.core.euclidean import Euclidean
from regretful.core.features import Hashing
from regretful.core.fullmatrix import FullMatrix
from regretful.core.losses import Absolute, Hinge, Logistic, LogWealth, Poisson, Squared
from regretful.core.multiclass import Multiclass
from regretful.core.pnorm import PNorm
from regretful.core.rates import Adaptive, Constant, InverseSqrt, InverseTime, WeightedInverseTime
from regretful.core.rules import FollowTheLeader, FollowTheRegularizedLeader, MirrorDescent
from regretful.core.score_losses import MulticlassHinge, Softmax
from regretful.core.structured import Structured, Weights
from regretful.learners import (
    AdaGrad,
    AveragedPerceptron,
    ExponentiatedGradient,
    FTRLProximal,
    GradientDescent,
    LazyPlayer,
    MulticlassGradientDescent,
    MulticlassPerceptron,
    PassiveAggressive,
    Pegasos,
    Perceptron,
    Player,
    PNormDescent,
    SelectiveSampling,
    StructuredPerceptron,
    StructuredSVM,
    WidrowHoff,
    Winnow,
)
from regretful.markets import Mixture

KEEP = ("average", "weighted", "random")
FTRL = FollowTheRegularizedLeader

ANIMALS = ("ant", "bee", "cow")
SHARES = [[1.0 / 6.0] * 6, *([float(i == j) for j in range(6)] for i in range(6))]  # of six assets


def blocks(x: Any, k: str) -> dict[str, float]:
    """A feature map: x at the weights of label k."""
    return {f"{k} {i}": float(value) for i, value in enumerate(x) if value}


def search(w: Weights, x: Any, y: str | None = None) -> str:
    """A decoder: one label after the other."""
    return max(ANIMALS, key=lambda k: w.dot(blocks(x, k)) + (0.0 if y is None else apart(y, k)))


def apart(y: str, k: str) -> float:
    """A cost: how far from each other two labels are."""
    return abs(ANIMALS.index(y) - ANIMALS.index(k))


def selective(kind: Any, b: float, *arguments: Any, **options: Any) -> SelectiveSampling:
    """A learner that is shown the labels it asks for."""
    return SelectiveSampling(kind(*arguments, **options), b)


# name: (class, arguments, options). Each is also made with all averages kept.
GUISES: dict[str, tuple[Any, tuple[Any, ...], dict[str, Any]]] = {
    "GradientDescent": (GradientDescent, (Logistic(), 0.1), {}),
    "GradientDescent, intercept": (GradientDescent, (Squared(), InverseSqrt(0.1)), {"intercept": True}),
    "GradientDescent, ball": (GradientDescent, (Squared(), Adaptive(0.5), Ball(0.4)), {}),
    "GradientDescent, L1 ball": (GradientDescent, (Absolute(), 0.1, L1Ball(0.5)), {}),
    "GradientDescent, simplex": (GradientDescent, (Squared(), 0.05, Simplex()), {}),
    "GradientDescent, box": (GradientDescent, (Squared(), 0.1, Box(0.05, 0.3)), {}),
    "GradientDescent, boxes": (GradientDescent, (Absolute(), 0.1, Box([-0.1] * 6, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])), {}),
    "GradientDescent, orthant": (GradientDescent, (Logistic(), 0.1, Orthant()), {}),
    "GradientDescent, l2": (GradientDescent, (Squared(), WeightedInverseTime(2.0)), {"l2": 0.1}),
    "GradientDescent, implicit": (GradientDescent, (Squared(), 1.0), {"implicit": True}),
    "GradientDescent, hashing": (GradientDescent, (Logistic(), 0.1), {"features": Hashing(bits=5)}),
    "GradientDescent, n": (GradientDescent, (Logistic(), 0.1), {"n": 6}),
    "GradientDescent, counts": (GradientDescent, (Poisson(), InverseTime(5.0)), {}),
    "GradientDescent, no ledger": (GradientDescent, (Logistic(), 0.1), {"ledger": False}),
    "ExponentiatedGradient": (ExponentiatedGradient, (Squared(), 0.1), {}),
    "ExponentiatedGradient, n": (ExponentiatedGradient, (Squared(), 0.1), {"n": 6}),
    "ExponentiatedGradient, hashing": (ExponentiatedGradient, (Logistic(), 0.1), {"features": Hashing(bits=4)}),
    "ExponentiatedGradient, L1 ball": (ExponentiatedGradient, (Squared(), 0.1, L1Ball(2.0)), {"n": 6}),
    "ExponentiatedGradient, wealth": (ExponentiatedGradient, (LogWealth(), 0.1), {"n": 6}),
    "ExponentiatedGradient, implicit": (ExponentiatedGradient, (Squared(), 1.0), {"implicit": True, "n": 6}),
    "MirrorDescent, full matrix": (MirrorDescent, (LogWealth(), FullMatrix(), Simplex(), 2.0), {"n": 6}),
    "MirrorDescent, full matrix, squared": (MirrorDescent, (Squared(), FullMatrix(0.1), Simplex(2.0)), {"n": 6}),
    "FollowTheRegularizedLeader, full matrix": (FTRL, (LogWealth(), FullMatrix(), Simplex(), 0.25), {"n": 6}),
    "Mixture": (Mixture, (SHARES,), {}),
    "Mixture, prior": (Mixture, (SHARES, range(1, 8)), {}),
    "Winnow": (Winnow, (0.2,), {"n": 6}),
    "PNormDescent": (PNormDescent, (Absolute(), 0.1), {}),
    "PNormDescent, 3": (PNormDescent, (Hinge(), Adaptive(0.5), 3.0), {"intercept": True}),
    "Perceptron": (Perceptron, (), {}),
    "AveragedPerceptron": (AveragedPerceptron, (), {}),
    "WidrowHoff": (WidrowHoff, (0.1,), {}),
    "Pegasos": (Pegasos, (0.1,), {}),
    "PassiveAggressive": (PassiveAggressive, (1.0,), {}),
    "PassiveAggressive, hard": (PassiveAggressive, (float("inf"),), {}),
    "AdaGrad": (AdaGrad, (Logistic(), 0.1), {}),
    "AdaGrad, box": (AdaGrad, (Squared(), 0.1, Box(-0.1, 0.2)), {"intercept": True}),
    "FTRLProximal": (FTRLProximal, (0.1, 1.0, 0.5, 0.1), {}),
    "MirrorDescent": (MirrorDescent, (Logistic(), Euclidean(), Everywhere(), Constant(0.1)), {"conservative": True}),
    "FollowTheRegularizedLeader": (FTRL, (Logistic(), Euclidean(), Ball(1.0), InverseSqrt(0.3)), {}),
    "FollowTheRegularizedLeader, orthant": (FTRL, (Squared(), Euclidean(), Orthant(), 0.02), {}),
    "FollowTheRegularizedLeader, box": (FTRL, (Squared(), Euclidean(), Box(-0.1, 0.2), Adaptive(0.5)), {}),
    "FollowTheRegularizedLeader, entropy": (FTRL, (Absolute(), Entropy(), Simplex(2.0), InverseSqrt(0.3)), {"n": 6}),
    "FollowTheRegularizedLeader, L1 ball": (FTRL, (Logistic(), Entropy(), L1Ball(1.0), Adaptive(0.5)), {}),
    "FollowTheRegularizedLeader, p-norm": (FTRL, (Squared(), PNorm(3.0), Everywhere(), InverseSqrt(0.05)), {}),
    "FollowTheRegularizedLeader, diagonal": (FTRL, (Squared(), Diagonal(), Everywhere(), InverseSqrt(0.1)), {}),
    "FollowTheRegularizedLeader, diagonal box": (FTRL, (Squared(), Diagonal(), Box(-0.1, 0.2), InverseSqrt(0.1)), {}),
    "FollowTheRegularizedLeader, exact": (FTRL, (Squared(), Euclidean(), Everywhere(), 0.1), {"exact": True}),
    "FollowTheLeader": (FollowTheLeader, (Squared(), Ball(1.0)), {}),
    "Player": (Player, (Ball(1.0), 0.1), {}),
    "Player, entropy": (Player, (Simplex(), InverseSqrt(0.3), Entropy()), {"n": 6}),
    "LazyPlayer": (LazyPlayer, (Box(-1.0, 1.0), 0.1), {}),
    "SelectiveSampling": (selective, (Perceptron, 0.5), {}),
    "SelectiveSampling, all": (selective, (AveragedPerceptron, float("inf")), {}),
    "SelectiveSampling, logistic": (
        selective, (GradientDescent, 0.3, Logistic(), InverseSqrt(0.5), Ball(1.0)), {"intercept": True},
    ),
    "SelectiveSampling, aggressive": (selective, (PassiveAggressive, 0.2), {"features": Hashing(bits=5)}),
    "SelectiveSampling, winnow": (selective, (Winnow, 0.1, 0.2), {"n": 6}),
    "SelectiveSampling, p-norm": (selective, (PNormDescent, 0.1, Hinge(), 0.1), {}),
    "SelectiveSampling, no ledger": (selective, (Perceptron, 0.5), {"ledger": False}),
    "MulticlassPerceptron": (MulticlassPerceptron, (), {}),
    "MulticlassPerceptron, labels": (MulticlassPerceptron, (), {"labels": ("cow", "ant"), "intercept": True}),
    "MulticlassGradientDescent": (MulticlassGradientDescent, (), {}),
    "MulticlassGradientDescent, ball": (MulticlassGradientDescent, (Softmax(), Adaptive(0.5), Ball(0.4)), {}),
    "MulticlassGradientDescent, L1 ball": (MulticlassGradientDescent, (MulticlassHinge(), 0.1, L1Ball(0.5)), {}),
    "MulticlassGradientDescent, orthant": (MulticlassGradientDescent, (Softmax(), 0.1, Orthant()), {}),
    "MulticlassGradientDescent, hashing": (MulticlassGradientDescent, (Softmax(),), {"features": Hashing(bits=5)}),
    "Multiclass": (Multiclass, (Softmax(), Box(-0.1, 0.2), InverseSqrt(0.3)), {"n": 6, "intercept": True}),
    "Multiclass, l2": (Multiclass, (Softmax(),), {"l2": 0.1}),
    "StructuredPerceptron": (StructuredPerceptron, (blocks, ANIMALS), {}),
    "StructuredPerceptron, decoder": (StructuredPerceptron, (blocks,), {"decode": search}),
    "StructuredSVM": (StructuredSVM, (blocks,), {"labels": ANIMALS}),
    "StructuredSVM, decoder": (StructuredSVM, (blocks, apart, search), {"domain": Ball(0.4), "rate": Adaptive(0.5)}),
    "StructuredSVM, hashing": (StructuredSVM, (blocks,), {"labels": ANIMALS, "features": Hashing(bits=5)}),
    "Structured": (Structured, (blocks, ANIMALS), {"cost": apart, "l2": 0.1, "rate": InverseSqrt(0.3)}),
    "Structured, no ledger": (Structured, (blocks, ANIMALS), {"ledger": False, "domain": L1Ball(0.5)}),
    "Multiclass, no ledger": (Multiclass, (MulticlassHinge(),), {"ledger": False}),
}  # fmt: skip


def learners() -> dict[str, Callable[[], Any]]:
    """A factory for every guise, and for each again with all averages kept."""
    made: dict[str, Callable[[], Any]] = {}
    for name, (kind, arguments, options) in GUISES.items():
        made[name] = _factory(kind, arguments, options)
        made[f"{name}, averages"] = _factory(kind, arguments, {**options, "keep": KEEP})
    return made


def _factory(kind: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> Callable[[], Any]:
    return lambda: kind(*arguments, **options)
