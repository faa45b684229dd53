"""Textbook learners of labels, one dense step at a time, straight from the notes (004, Algorithms 2 and 3, Example 9).

W has a row for each label; an example's weight multiplies its loss and its slope. A label that comes unannounced is
known from its round on, and was none of those that could be predicted in it.
"""

from typing import NamedTuple

import numpy as np


class Run(NamedTuple):
    """What a learner of labels did; the joint account of it, G and the iterates (labels × features)."""

    predictions: list
    losses: np.ndarray
    iterates: list
    A: float
    G: np.ndarray
    squares: float
    most: float
    labels: list


def hinge(margin):
    """max over k of [margin 1(k ≠ y) + s_k − s_y]; the slope takes the first k where it is attained."""

    def pay(s, y):
        augmented = s + margin * (np.arange(len(s)) != y)
        k = int(np.argmax(augmented))
        slope = np.zeros(len(s))
        slope[k] += 1.0
        slope[y] -= 1.0
        return augmented[k] - s[y], slope

    return pay


def softmax(s, y):
    """log Σ exp(s_k) − s_y."""
    top = s.max()
    p = np.exp(s - top)
    slope = p / p.sum()
    slope[y] -= 1.0
    return np.log(p.sum()) + top - s[y], slope


def play(X, y, pay, rate, project=lambda W: W, labels=(), weights=None, l2=0.0):
    """The protocol over the rows of X: predict, pay, W ← Π((1 − η l2) W − η Σ σ_k ψ(x, k)). `rate(t, g)` gives η."""
    known = list(labels)
    W = np.zeros((len(known), X.shape[1]))
    predictions, losses, iterates = [], [], [W]
    A = squares = most = 0.0
    G = np.zeros_like(W)
    for t, (x, label, weight) in enumerate(zip(X, y, np.ones(len(X)) if weights is None else weights, strict=True), 1):
        predictions.append(known[int(np.argmax(W @ x))] if known else None)
        if label not in known:
            known.append(label)
            W, G = (np.vstack([M, np.zeros((1, X.shape[1]))]) for M in (W, G))
        s = W @ x
        loss, slope = pay(s, known.index(label))
        g = weight * np.outer(slope, x)
        losses.append(loss)
        A += float((g * W).sum())
        G = G + g
        squares += float((g**2).sum())
        most = max(most, float(np.sqrt((np.outer(slope, x) ** 2).sum())))
        eta = rate(t, g)
        W = project((1.0 - eta * l2) * W - eta * g)
        iterates.append(W)
    return Run(predictions, np.array(losses), iterates, A, G, squares, most, known)


def ball(radius):
    """Nearest point with ‖W‖ ≤ radius, all labels together."""
    return lambda W: W * min(1.0, radius / max(np.linalg.norm(W), 1e-300))


def orthant(W):
    """No weight below 0."""
    return np.maximum(W, 0.0)


def constant(eta):
    """η."""
    return lambda t, g: eta


def inverse_sqrt(c):
    """c/√t."""
    return lambda t, g: c / np.sqrt(t)


def adaptive(D):
    """D/√Σ‖g‖²; made anew for each run."""
    total = 0.0

    def rate(t, g):
        nonlocal total
        total += float((g**2).sum())
        return D / np.sqrt(total) if total else 0.0

    return rate
