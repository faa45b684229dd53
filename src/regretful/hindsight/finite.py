"""The best of a finite class: experts, constants. No solver is needed, and the sums are exact."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from regretful.core.losses import Loss
from regretful.core.parts import instance
from regretful.core.reading import labels_of, weights_of
from regretful.core.rows import as_array, numbers_of
from regretful.hindsight.comparator import FiniteComparator


def finite(
    table: ArrayLike,
    y: ArrayLike | None = None,
    loss: Loss | None = None,
    *,
    weight: ArrayLike | None = None,
    names: Sequence[str] | None = None,
) -> FiniteComparator:
    """The best of finitely many predictors: of those that lose the same, the first.

    `table` holds what each (a column) lost in each round (a row). With `loss` it holds predictions instead, which are
    charged against the labels y; a table of one dimension then are constants. The losses are summed without rounding
    until the end (math.fsum).

    >>> import regretful as rg
    >>> from regretful.hindsight import finite
    >>> finite([[1.0, 0.5], [0.0, 0.25]]).loss
    0.75
    >>> finite([0.0, 1.0, 2.0], [1.0, 1.0, 2.0], rg.Absolute()).best
    1
    """
    numbers = np.asarray(numbers_of(as_array(table)), dtype=np.float64)
    if loss is not None:
        numbers = _charged(instance("loss", loss, Loss), numbers, y)
    elif y is not None:
        raise TypeError("labels are for predictions: give the loss too; a table of losses needs none")
    if numbers.ndim != 2:
        raise ValueError(f"the table must have two dimensions (rounds × predictors), not {numbers.ndim}")
    rounds, count = numbers.shape
    if not rounds or not count:
        raise ValueError(f"the table is empty: it has {rounds} rounds and {count} predictors")
    if names is not None and len(names) != count:
        raise ValueError(f"there are {count} predictors and {len(names)} names")
    wrong = np.argwhere(np.isnan(numbers) | (numbers == -np.inf))
    if len(wrong):
        row, column = wrong[0]
        raise ValueError(f"row {row}, predictor {column}: {float(numbers[row, column])!r} is not a loss")
    if weight is not None:
        each = weights_of(weight, rounds)[:, None]
        numbers = np.where(each > 0.0, numbers, 0.0) * each
    losses = np.array([_total(column) for column in numbers.T])
    best = int(np.argmin(losses))
    return FiniteComparator(best, best if names is None else names[best], float(losses[best]), losses, rounds)


def _total(losses: np.ndarray) -> float:
    """Their sum, rounded once; infinite past the largest double."""
    try:
        return math.fsum(losses)
    except OverflowError:
        halves = math.fsum(losses / 2.0**60)  # the last bits of what is so large are no matter
        return halves * 2.0**60


def _charged(loss: Loss, predictions: np.ndarray, y: ArrayLike | None) -> np.ndarray:
    """What the predictions cost."""
    constants = predictions.ndim == 1
    if constants and y is None:
        raise TypeError("constants need the labels y, which tell the number of rounds")
    labels = labels_of(y, loss, len(np.asarray(y)) if constants else len(predictions))
    if constants:
        predictions = np.broadcast_to(predictions, (len(labels), len(predictions)))
    wrong = np.argwhere(~np.isfinite(predictions))
    if len(wrong):
        row, column = wrong[0]
        raise ValueError(f"row {row}, predictor {column}: {float(predictions[row, column])!r} is not a finite number")
    rounds = zip(predictions.tolist(), labels.tolist(), strict=True)
    each = [[loss.value(p, label) for p in row] for row, label in rounds]
    return np.array(each, dtype=np.float64).reshape(predictions.shape)
