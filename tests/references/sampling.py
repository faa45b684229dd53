"""Textbook selective sampling: the perceptron that asks with chance b/(b + |p|), and what bounds its errors.

Cesa-Bianchi, Gentile and Zaniboni (2006), figure 1 and Theorem 1. One uniform number a round, drawn before it.
"""

from typing import NamedTuple

import numpy as np


class Sampled(NamedTuple):
    """Predictions (T,), whether each label was asked for (T,), iterates (T + 1, n)."""

    predictions: np.ndarray
    asked: np.ndarray
    iterates: np.ndarray


def perceptron(X, y, b, coins):
    """p = <w, x>; ask if U < b/(b + |p|); if asked and y p <= 0: w <- w + y x."""
    w = np.zeros(X.shape[1])
    predictions, asked, iterates = [], [], [w]
    for x, label, coin in zip(X, y, coins, strict=True):
        p = w @ x
        ask = coin < b / (b + abs(p))
        if ask and label * p <= 0:
            w = w + label * x
        predictions.append(p)
        asked.append(ask)
        iterates.append(w)
    return Sampled(np.array(predictions), np.array(asked), np.array(iterates))


def slacks(X, y, u, margin):
    """max(0, gamma - y <u, x>) of each example."""
    return np.maximum(0.0, margin - y * (X @ u))


def most_mistakes(b, R, u, margin, slack):
    """(1 + R^2/(2b)) slack/gamma + |u|^2 (2b + R^2)^2/(8 b gamma^2), from the statement of the theorem."""
    return (1 + R**2 / (2 * b)) * slack / margin + (u @ u) * (2 * b + R**2) ** 2 / (8 * b * margin**2)
