"""Games that more than one theorem is played on: examples whose best predictor, and margin, are known."""

from __future__ import annotations

from typing import Any

import numpy as np

from regretful.core.types import Vector


def sparse_votes(n: int, rounds: int, seed: int, voters: int = 3) -> tuple[Vector, Vector, Vector, float]:
    """(X, y, u, margin): x of random signs, y the majority of `voters` of them; u = 1/voters on these, in the simplex.

    So ‖u‖₁ = 1 and ‖x‖∞ = 1, and y⟨u, x⟩ is at least 1/voters.
    """
    if voters > n or not voters % 2:
        raise ValueError(f"an odd number of voters, at most n = {n}, not {voters}")
    rng = np.random.default_rng([seed, n])
    X = rng.choice([-1.0, 1.0], size=(rounds, n))
    u = np.zeros(n)
    u[rng.choice(n, voters, replace=False)] = 1.0 / voters
    return X, np.sign(X @ u), u, 1.0 / voters


def halvings(n: int) -> Vector:
    """⌊log₂ n⌋ examples ±1, each of which splits evenly every group that those before left together.

    Learners whose weights follow the groups predict 0 in each of these rounds.
    """
    bits = int(n).bit_length() - 1
    place = np.arange(n)
    return np.where((place[None, :] >> np.arange(bits)[:, None]) & 1, 1.0, -1.0)


def against(learner: Any, X: Vector) -> Vector:
    """Labels −1 and 1, each on the other side of what the learner predicts; it learns from them."""
    y = np.zeros(len(X))
    for t, x in enumerate(X):
        y[t] = -1.0 if learner.predict_one(x) > 0.0 else 1.0
        learner.learn_one(x, y[t])
    return y


def unit_rows(rounds: int, n: int, seed: int) -> Vector:
    """Examples from the sphere, all directions alike: ‖x‖ = 1 and E[x xᵀ] = I/n."""
    X = np.random.default_rng([seed, 0]).normal(size=(rounds, n))
    return np.asarray(X / np.linalg.norm(X, axis=1, keepdims=True))
