"""Random problems for every pair of loss and domain."""

import numpy as np

import regretful as rg


class Cubic(rg.Loss):
    def value(self, p, y):
        return abs(p - y) ** 3

    def slope(self, p, y):
        return 3.0 * (p - y) * abs(p - y)


class Lopsided(rg.Loss):
    """A kink, in Python."""

    def value(self, p, y):
        return max(3.0 * (p - y), y - p)

    def slope(self, p, y):
        return 3.0 if p > y else -1.0


class Disc(rg.Domain):
    """A ball, in Python."""

    def project(self, w):
        norm = np.linalg.norm(w)
        return w * (0.8 / norm) if norm > 0.8 else np.array(w)

    def support(self, v):
        return 0.8 * float(np.linalg.norm(v))


LOSSES = [
    rg.Squared(),
    rg.Absolute(),
    rg.Quantile(0.3),
    rg.Huber(0.5),
    rg.EpsilonInsensitive(0.2),
    rg.Logistic(),
    rg.Hinge(),
    rg.Hinge(0.0),
    rg.SquaredHinge(),
    rg.Poisson(),
    rg.LogWealth(),
    Cubic(),
    Lopsided(),
]
DOMAINS = [
    rg.Everywhere(),
    rg.Ball(0.8),
    rg.L1Ball(0.9),
    rg.Simplex(),
    rg.Simplex(2.5),
    rg.Box(-0.3, 0.4),
    rg.Box([-1.0, 0.0, -np.inf, 0.1], [1.0, 0.2, np.inf, 0.3]),
    rg.Orthant(),
    Disc(),
]


def problem(loss, seed=0, rows=40, n=4):
    """X, y and weights that the loss takes; labels with noise, so that nothing is separable."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, n)) * (rng.random((rows, n)) < 0.7)
    scores = X @ rng.normal(size=n) + rng.normal(size=rows)
    c = rng.integers(0, 4, rows).astype(float)
    c[0] = 1.0
    if isinstance(loss, rg.LogWealth):
        return np.exp(0.1 * X), None, c
    if loss.classification:
        return X, np.where(scores > 0.0, 1.0, -1.0), c
    return X, np.round(np.exp(0.5 * scores)) if isinstance(loss, rg.Poisson) else scores, c


def cost(loss, X, y, c, w):
    """Σ c ℓ(y, ⟨w, x⟩), the slow way."""
    labels = np.zeros(len(X)) if y is None else y
    pairs = zip(c.tolist(), (X @ w).tolist(), labels.tolist(), strict=True)
    return sum(weight * loss.value(p, label) for weight, p, label in pairs if weight)


def impossible(loss, domain):
    """Log-wealth over a box that has no end: an error says so."""
    return isinstance(loss, rg.LogWealth) and domain == DOMAINS[6]


def name(part):
    return f"{type(part).__name__}-{'-'.join(f'{v}' for v in part.settings().values())}"[:40]
