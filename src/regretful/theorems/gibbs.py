"""Hedge and the Gibbs distribution (rows 28 to 30)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from regretful.experts import GibbsHedge, Hedge
from regretful.theorems.theorem import Curve, Identity, Sides, Theorem, checkpoints, require

if TYPE_CHECKING:
    from regretful.core.types import Vector
    from regretful.experts import ExpertLedger

SEEDS = 500  # runs over which draws are averaged
SAMPLES = 64  # experts or particles of the games


class _HedgeBound(Theorem):
    """What rows 28 and 29 share: losses in [0, M] that do not look, the mixture exactly, draws over 500 seeds."""

    def told(self, learner: Any, left: float, losses: Vector, curve: Curve | None, note: str, base: float) -> Sides:
        """The sides, with the mean over many runs of draws beside the expectation that the mixture has exactly."""
        drawn = draws(learner, losses) - base
        error = drawn.std(ddof=1) / math.sqrt(len(drawn))
        also = f"{note}; draws, mean of {len(drawn)} seeds: {drawn.mean():.4g} ± {error:.2g}"
        right = self.bound(learner.ledger, learner=learner)
        return Sides(left, right, also, {"draws, mean": float(drawn.mean())}, curve)


class HedgePrior(_HedgeBound):
    """Row 28. A fair game: valleys that move about, and a prior that is not flat. The adversary: equal halves.

    The left side is what the expected loss of the draws is above inf over p of [E_p loss + KL(p‖p₀)/η], which the
    Gibbs identity gives exactly; it is what the theorem bounds by ηTM²/8.
    """

    id = "hedge-prior"
    row = 28
    source = "004, Algorithm 4 and Theorem 14"
    statement = "Gibbs draws: expected loss ≤ inf over p of [E_p loss + KL(p‖p₀)/η] + ηTM²/8, whatever the losses"
    latex = (
        r"\sum_t \mathbf E_{w\sim p_{t-1}}\ell_t(w) \le \inf_p\Bigl[\mathbf E_p\sum_t\ell_t(w)"
        r" + \tfrac1\eta\mathrm{KL}(p\|p_0)\Bigr] + \tfrac{\eta TM^2}{8}"
    )
    hypotheses = ("sup ℓ_t − inf ℓ_t ≤ M in every round", "a constant rate η", "draws from p ∝ p₀ exp(−η Σ ℓ)")
    left_side = "loss − inf [E_p loss + KL/η]"
    seconds = 1.0

    def bound(self, ledger: ExpertLedger, *, learner: Hedge, data: bool = False) -> float:
        """ηTM²/8, or with `data` (η/8) Σ (sup ℓ_t − inf ℓ_t)²."""
        require(learner.rate.constant, self, f"needs a constant rate, not {learner.rate!r}")
        if data:
            return ledger.bound - self.infimum(learner)
        return learner.rate.at(1) * ledger.rounds * learner.M**2 / 8.0

    def infimum(self, learner: Hedge) -> float:
        """Inf over p of [E_p loss + KL(p‖p₀)/η] = −(1/η) ln E_{p₀} exp(−η loss) (row 30)."""
        eta, losses = learner.rate.at(1), learner.ledger.losses
        best = losses.min()
        return float(best - math.log(float(learner.prior @ np.exp(-eta * (losses - best)))) / eta)

    def game(self, rounds: int, seed: int) -> Sides:
        """ℓ(w, z) = ½ + ½ sin(9w + z): valleys in w that z moves about. The prior favours the middle of the grid."""
        grid = np.linspace(-2.0, 2.0, SAMPLES)
        Z = np.random.default_rng(seed).uniform(0.0, 2.0 * math.pi, size=rounds)
        eta = math.sqrt(8.0 * math.log(SAMPLES) / rounds)
        learner = GibbsHedge(_valleys, grid, eta, prior=np.exp(-0.5 * grid**2), vectorised=True, seed=seed)
        losses = np.stack([_valleys(grid, z) for z in Z])
        return self._played(learner, losses, "valleys that move about, a normal prior")

    def hunt(self, rounds: int, seed: int) -> Sides:
        """In every round a set of half the weight loses M and the rest nothing: the most that a round can cost."""
        rng = np.random.default_rng(seed)
        prior = rng.dirichlet(np.ones(SAMPLES)) + 1e-3
        learner = Hedge(SAMPLES, math.sqrt(8.0 / rounds), prior=prior, sampling=True)
        losses = np.empty((rounds, SAMPLES))
        for row in losses:
            row[:] = _half(learner.weights, rng)
            learner.learn_one(row)
        return self._played(Hedge(SAMPLES, learner.rate, prior=prior, sampling=True), losses, "half the weight loses M")

    def _played(self, learner: Hedge, losses: Vector, note: str) -> Sides:
        rounds, left, right = checkpoints(len(losses)), [], []
        for first, last in zip([0, *rounds[:-1].tolist()], rounds.tolist(), strict=True):
            Hedge.learn_many(learner, losses[first:last])
            left.append(learner.ledger.loss - self.infimum(learner))
            right.append(self.bound(learner.ledger, learner=learner))
        curve = Curve.of(rounds, left, right)
        sides = self.told(learner, left[-1], losses, curve, note, self.infimum(learner))
        data = {"data-dependent": self.bound(learner.ledger, learner=learner, data=True)}
        return Sides(sides.left, sides.right, sides.note, {**sides.forms, **data}, curve)


class HedgeFinite(_HedgeBound):
    """Row 29. A fair game: coins. The adversary: all experts alike until the last, then all but one lose."""

    id = "hedge-finite"
    row = 29
    source = "004, example after Theorem 14"
    statement = "N experts, η = √(8 ln N/(TM²)): regret ≤ M√(T ln N/2)"
    latex = r"\sum_t \mathbf E\,\ell_t(w_{t-1}) \le \min_w\sum_t\ell_t(w) + M\sqrt{\tfrac{T\ln N}{2}}"
    hypotheses = ("losses in [0, M]", "the uniform prior over N experts", "η = √(8 ln N/(TM²))")
    seconds = 1.0

    def bound(self, ledger: ExpertLedger, *, learner: Hedge) -> float:
        """M√(T ln N/2)."""
        N = len(learner.experts)
        require(float(np.ptp(learner.prior)) == 0.0, self, "needs the uniform prior")
        tuned = math.sqrt(8.0 * math.log(N) / ledger.rounds) / learner.M
        fits = learner.rate.constant and math.isclose(learner.rate.at(1), tuned, rel_tol=1e-9)
        require(fits, self, f"needs η = √(8 ln N/(TM²)) = {tuned:.6g}, not {learner.rate!r}")
        return learner.M * math.sqrt(ledger.rounds * math.log(N) / 2.0)

    def game(self, rounds: int, seed: int) -> Sides:
        """Every expert loses 0 or 1, by a coin."""
        losses = np.random.default_rng(seed).integers(0, 2, (rounds, SAMPLES)).astype(np.float64)
        return self._played(losses, "coins")

    def hunt(self, rounds: int, seed: int) -> Sides:
        """Halves lose in turn, which keeps the weights level at the greatest price; then all but one expert do."""
        rng = np.random.default_rng(seed)
        half = rng.permutation(np.arange(SAMPLES) % 2).astype(np.float64)
        losses = np.where(np.arange(rounds)[:, None] % 2 == 0, half, 1.0 - half)
        last = math.ceil((math.log(SAMPLES) + 3.0) / math.sqrt(8.0 * math.log(SAMPLES) / rounds))
        losses[max(0, rounds - last) :] = 1.0
        losses[max(0, rounds - last) :, int(rng.integers(SAMPLES))] = 0.0
        return self._played(losses, "halves in turn, at last all but one")

    def _played(self, losses: Vector, note: str) -> Sides:
        learner = Hedge(SAMPLES, rounds=len(losses), sampling=True)
        rounds, left = checkpoints(len(losses)), []
        for first, last in zip([0, *rounds[:-1].tolist()], rounds.tolist(), strict=True):
            learner.learn_many(losses[first:last])
            left.append(learner.ledger.regret)
        # On the way, with the rate of the whole, the bound is ln N/η + ηt/8.
        eta = learner.rate.at(1)
        curve = Curve.of(rounds, left, math.log(SAMPLES) / eta + eta * rounds / 8.0)
        return self.told(learner, left[-1], losses, curve, note, learner.ledger.best_loss)


class GibbsIdentity(Identity):
    """Row 30. Prior, U and the size of both at random; the adversary looks for a p that does better than Gibbs."""

    id = "gibbs"
    row = 30
    source = "004, Proposition 15"
    statement = "min over p of [E_p U + KL(p‖p₀)] = −ln E_{p₀} exp(−U), attained by q ∝ p₀ exp(−U)"
    latex = r"\min_p\,[\mathbf E_pU + \mathrm{KL}(p\|p_0)] = -\ln\mathbf E_{p_0}e^{-U},\quad q\propto p_0e^{-U}"
    hypotheses = ("a function U on a finite set", "a prior p₀ on it")
    rounds = 200

    def game(self, rounds: int, seed: int) -> Sides:
        """`rounds` problems, of 2 to 1000 points and U up to 100 in size: Hedge's weights after the losses U."""
        rng = np.random.default_rng(seed)
        worst = [self._once(rng)[0] for _ in range(rounds)]
        curve = Curve.of(np.arange(1, rounds + 1), np.maximum.accumulate(worst), np.full(rounds, self.bound()))
        return Sides(max(worst), self.bound(), f"{rounds} priors and functions at random", {}, curve)

    def hunt(self, rounds: int, seed: int) -> Sides:
        """A thousand p for each of twenty, near the Gibbs distribution and far from it: how much lower one comes."""
        from scipy import special

        rng, worst = np.random.default_rng(seed), 0.0
        for _ in range(min(rounds, 20)):
            least, U, prior, q = self._once(rng)[1:]
            mixed = rng.dirichlet(np.ones(len(U)), size=500)
            share = rng.random((500, 1)) ** 4
            each = np.vstack([mixed, (1.0 - share) * q + share * mixed])
            values = each @ U + special.rel_entr(each, prior).sum(axis=1)
            worst = max(worst, float((least - values).max()) / max(1.0, float(np.abs(U).max())))
        return Sides(worst, self.bound(), "a thousand mixtures a problem beside the Gibbs distribution")

    def _once(self, rng: np.random.Generator) -> tuple[float, float, Vector, Vector, Vector]:
        """The relative difference of the two sides, the right side, U, p₀ and q."""
        N = int(rng.integers(2, 1000))
        prior = rng.dirichlet(np.ones(N)) + 1e-9
        prior /= prior.sum()
        U = rng.normal(size=N) * 10.0 ** rng.uniform(-2.0, 2.0)
        learner = Hedge(N, 1.0, prior=prior, M=math.inf)
        learner.learn_one(U)
        q, low = learner.weights, U.min()
        right = float(low) - math.log(math.fsum(prior * np.exp(low - U)))
        size = max(1.0, float(np.abs(U).max()))
        return abs(_value(q, U, prior) - right) / size, right, U, prior, q


def draws(learner: Hedge, losses: Vector) -> Vector:
    """What the draws lost in all, over many seeds, on the same losses."""
    runs = (Hedge(len(learner.prior), learner.rate, prior=learner.prior, sampling=True, seed=s) for s in range(SEEDS))
    return np.array([run.learn_many(losses).sum() for run in runs])


def _valleys(w: Vector, z: float) -> Vector:
    return np.asarray(0.5 + 0.5 * np.sin(9.0 * w + z))


def _half(p: Vector, rng: np.random.Generator) -> Vector:
    """1 for a set of about half the weight, 0 for the rest: the heaviest first, each to the lighter side."""
    losses, sides = np.zeros(len(p)), [0.0, 0.0]
    flip = int(rng.integers(2))
    for i in np.argsort(-p):
        side = int(sides[0] > sides[1])
        losses[i] = float(side == flip)
        sides[side] += p[i]
    return losses


def _value(p: Vector, U: Vector, prior: Vector) -> float:
    """E_p U + KL(p‖p₀)."""
    kept = p > 0.0
    return math.fsum(p[kept] * (U[kept] + np.log(p[kept] / prior[kept])))


THEOREMS: tuple[Theorem, ...] = (HedgePrior(), HedgeFinite(), GibbsIdentity())
