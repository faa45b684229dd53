"""How many mistakes the perceptron of several labels makes (rows 18, 19)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from regretful.core.types import Vector
from regretful.learners import MulticlassPerceptron
from regretful.theorems.games import unit_rows
from regretful.theorems.rivals import Blocks, Places, losses, penalised
from regretful.theorems.sampled import InExpectation
from regretful.theorems.theorem import Curve, Sides, Theorem, checkpoints, require

if TYPE_CHECKING:
    from regretful.core.ledger import Ledger
    from regretful.game import Game

LEAST = "no w gives less than"
POINTS = 20  # rounds at which the curve is taken: each takes a search for the best w


@dataclass(frozen=True, eq=False)
class Labelled:
    """Examples with labels 0 … labels − 1; as a source of independent ones, all with the same chance."""

    X: Vector
    y: Places
    labels: int
    name: str

    def __str__(self) -> str:
        return self.name

    @property
    def widest(self) -> float:
        """The largest ‖ψ(x, y) − ψ(x, k)‖₂ = √2 ‖x‖₂."""
        return math.sqrt(2.0) * float(np.linalg.norm(self.X, axis=1).max())


def noisy(rounds: int, labels: int, n: int, noise: float, seed: int) -> Labelled:
    """Examples from the sphere; y of the largest of `labels` random linear scores, each with noise on it."""
    rng = np.random.default_rng([seed, labels, n])
    X = unit_rows(rounds, n, seed)
    scores = X @ rng.normal(size=(n, labels)) + noise * rng.normal(size=(rounds, labels))
    return Labelled(X, scores.argmax(axis=1), labels, f"unit examples of {labels} labels in {n} dimensions, noisy")


def axes(count: int, labels: int, seed: int) -> Labelled:
    """Orthonormal examples, none of them with the label that is predicted when all scores are 0."""
    y = np.random.default_rng([seed, labels]).integers(1, labels, size=count)
    return Labelled(np.eye(count), y, labels, f"{count} orthonormal examples, {labels} labels")


class MulticlassMistakes(Theorem):
    """Row 18. A fair game: noisy labels. The adversary: orthonormal examples, of which nothing can be known.

    With u = w/γ the right side is 2H + ‖u‖²B², H = Σ max(0, 1 − min over ℓ of ⟨u, ψ(X, Y) − ψ(X, ℓ)⟩): twice a support
    vector machine's objective; the u that is found counts, and no u gives less than the other form says. The proof
    gives more: M − H ≤ ⟨u, w_T⟩ ≤ ‖u‖√V with V = Σ ‖ψ_t‖² over the mistakes (data-dependent); as V ≤ MB²,
    ‖u‖B√M ≤ ½(‖u‖²B² + M) gives the form that is printed. T orthonormal examples of two labels attain the bound T.
    """

    id = "multiclass-perceptron"
    row = 18
    source = "004, Theorem 2"
    statement = (
        "multiclass perceptron: mistakes ≤ inf over γ > 0, w of Σ 2 max(0, 1 − min over ℓ of "
        "w·(ψ(X,Y) − ψ(X,ℓ))/γ) + ‖w‖² sup‖ψ(X,Y) − ψ(X,ℓ)‖²/γ²"
    )
    latex = (
        r"\sum_t \mathbf 1(\hat Y_t \ne Y_t) \le \inf_{\gamma>0,\,w}\Bigl[\sum_t 2\max\bigl(0, 1 - \gamma^{-1}"
        r"\min_{\ell\ne Y_t} w^\top[\psi(X_t,Y_t) - \psi(X_t,\ell)]\bigr) + "
        r"\tfrac{\|w\|_2^2\,\sup\|\psi(X_t,Y_t) - \psi(X_t,\ell)\|_2^2}{\gamma^2}\Bigr]"
    )
    hypotheses = ("the multiclass perceptron, from w = 0", "all labels known from the start")
    rounds = 400
    left_side = "mistakes"
    seconds = 0.5

    def bound(self, ledger: Ledger, *, hinge: float, norm: float, data: bool = False) -> float:
        """2H + ‖w‖²B²/γ², with hinge = H at w/γ, norm = ‖w‖/γ, B measured; or with `data` H + ‖w‖√V/γ."""
        return hinge + norm * math.sqrt(ledger.squares2) if data else 2.0 * hinge + (norm * ledger.max_norm2) ** 2

    def of(self, game: Game, w: Vector | None = None, margin: float = 1.0) -> Sides:
        """Both sides of a game of yours, for this w (a row for each label) and margin; or for the best there is."""
        learner = game.learner
        theirs = isinstance(learner, MulticlassPerceptron)
        require(theirs, self, f"speaks of MulticlassPerceptron(), not of {learner!r}")
        require(learner.ledger is not None, self, "needs the measured constants: make the learner with ledger=True")
        X, y = np.asarray(game.examples()[0], dtype=np.float64), list(game.examples()[1])
        said = MulticlassPerceptron(labels=learner.labels).learn_many(X, y)
        mistakes = sum(one != other for one, other in zip(said.tolist(), y, strict=True))
        require(mistakes == game.mistakes, self, "needs all labels from the start: make the learner with labels=…")
        places = {label: place for place, label in enumerate(learner.labels)}
        blocks = Blocks(X, np.array([places[label] for label in y]), len(places))
        if w is None:
            return self._sides(learner.ledger, blocks, "the best w")
        require(margin > 0.0, self, f"needs γ > 0, not {margin:g}")
        u = np.asarray(w, dtype=np.float64).ravel() / margin
        return self._at(learner.ledger, blocks, u, "your w")

    def _at(self, ledger: Ledger, blocks: Blocks, u: Vector, note: str) -> Sides:
        hinge, norm = float(losses(blocks, u).sum()), float(np.linalg.norm(u))
        stated, data = (self.bound(ledger, hinge=hinge, norm=norm, data=data) for data in (False, True))
        return Sides(ledger.mistakes, stated, note, {"data-dependent": data})

    def _sides(self, ledger: Ledger, blocks: Blocks, note: str) -> Sides:
        """At the best w/γ that is found, and what no w is below."""
        best = penalised(blocks, max(ledger.max_norm2, 1e-150) ** 2)
        sides = self._at(ledger, blocks, best.weights, note)
        return replace(sides, forms={**sides.forms, LEAST: 2.0 * best.lower})

    def played(self, source: Labelled) -> Sides:
        """Both sides along the way, each time with the best w."""
        learner = MulticlassPerceptron(labels=range(source.labels), n=source.X.shape[1])
        at = checkpoints(len(source.y), POINTS)
        along, blocks = [], Blocks(source.X, source.y, source.labels)
        for first, last in zip([0, *at[:-1].tolist()], at.tolist(), strict=True):
            learner.learn_many(source.X[first:last], source.y[first:last])
            assert learner.ledger is not None
            along.append(self._sides(learner.ledger, blocks.first(last), str(source)))
        data = [sides.forms["data-dependent"] for sides in along]
        curve = Curve.of(at, [s.left for s in along], [s.right for s in along]).with_line("data-dependent", data)
        return Sides(along[-1].left, along[-1].right, str(source), along[-1].forms, curve)

    def game(self, rounds: int, seed: int) -> Sides:
        """Five labels in ten dimensions."""
        return self.played(noisy(rounds, 5, 10, 0.2, seed))

    def hunt(self, rounds: int, seed: int) -> Sides:
        """Orthonormal examples of two labels, or of five."""
        found = [self.played(axes(rounds, labels, seed)) for labels in (2, 5)]
        return max(found, key=lambda sides: sides.left / sides.right)


class MulticlassBatch(InExpectation):
    """Row 19. E_s E_Z 1(ŷ(w_s) ≠ Y) is the mean over the iterates of the share of the support that each has wrong."""

    id = "multiclass-batch"
    row = 19
    source = "004, Proposition 3"
    statement = (
        "a random iterate w_s: E 1(ŷ(w_s) ≠ Y) ≤ inf over γ > 0, w of 2E max(0, 1 − min over ℓ of "
        "w·(ψ(X,Y) − ψ(X,ℓ))/γ) + ‖w‖² sup‖ψ(X,Y) − ψ(X,ℓ)‖²/(γ²T)"
    )
    latex = (
        r"\mathbb E_{S}\,\mathbb E_s\,\mathbb E_Z\,\mathbf 1(\hat y(w_s,X)\ne Y) \le \inf_{\gamma>0,\,w}\Bigl["
        r"2\,\mathbb E_Z\max\bigl(0, 1 - \gamma^{-1}\min_{\ell\ne Y} w^\top[\psi(X,Y) - \psi(X,\ell)]\bigr) + "
        r"\tfrac{\|w\|_2^2\,\sup\|\psi(X,Y) - \psi(X,\ell)\|_2^2}{\gamma^2T}\Bigr]"
    )
    hypotheses = ("independent examples of one source", "the multiclass perceptron, all labels known from the start")
    rounds = 300
    seconds = 1.0

    def fair(self, rounds: int, seed: int) -> Labelled:  # noqa: ARG002
        """Noisy labels on a support of 200 examples."""
        return noisy(200, 4, 6, 0.1, seed)

    def harder(self, rounds: int, seed: int) -> list[Labelled]:
        """Orthonormal examples, of which one not seen yet is one not known; and labels with more noise."""
        known = (axes(max(1, round(rounds * share)), labels, seed) for share, labels in ((0.3, 2), (0.5, 2), (0.3, 3)))
        return [*known, noisy(200, 4, 6, 1.0, seed)]

    def sample(self, source: Labelled, at: Vector, seed: int) -> Vector:
        """The mean share of the support that the iterates w_0 … w_{t−1} have wrong."""
        drawn = np.random.default_rng(seed).integers(len(source.y), size=int(at[-1]))
        X, y = source.X[drawn], source.y[drawn]
        said = np.asarray(MulticlassPerceptron(labels=range(source.labels), n=X.shape[1]).learn_many(X, y))
        wrong = said != y
        share = np.array([(source.y != scores.argmax(axis=1)).mean() for scores in iterates(source, X, y, said)])
        path = share[np.append(0, np.cumsum(wrong)[:-1])]
        return np.asarray((np.cumsum(path) / np.arange(1.0, len(path) + 1.0))[at - 1])

    def right(self, source: Labelled, t: int) -> float:
        """At the best w/γ: (2/N) times the least of Σ max(0, 1 − …) + ½(NB²/t)‖u‖² over the N examples."""
        N, blocks = len(source.y), Blocks(source.X, source.y, source.labels)
        u = penalised(blocks, N * source.widest**2 / t).weights
        hinge, norm = float(losses(blocks, u).mean()), float(np.linalg.norm(u))
        return self.bound(hinge=hinge, norm=norm, widest=source.widest, T=t)

    def bound(self, *, hinge: float, norm: float, widest: float, T: int) -> float:
        """2H + ‖w‖²B²/(γ²T), with hinge = H = E max(0, 1 − …) at w/γ, norm = ‖w‖/γ, widest = B."""
        return 2.0 * hinge + (norm * widest) ** 2 / T


def iterates(source: Labelled, X: Vector, y: Places, said: NDArray[Any]) -> Iterator[Vector]:
    """The scores that each iterate gives the support, one for each step taken, from w = 0 on."""
    scores = np.zeros((len(source.y), source.labels))
    yield scores
    for t in np.flatnonzero(said != y):
        step = source.X @ X[t]
        scores[:, y[t]] += step
        scores[:, said[t]] -= step
        yield scores


THEOREMS: tuple[Theorem, ...] = (MulticlassMistakes(), MulticlassBatch())
