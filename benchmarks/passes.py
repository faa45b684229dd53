"""One logistic pass over many rows: gradient descent, and scikit-learn's SGDClassifier set to do the same."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.linear_model import SGDClassifier

import regretful as rg
from benchmarks.agreement import difference
from benchmarks.data import Floats
from benchmarks.timing import Prepare

ETA = 0.1
CLASSES = np.array([-1.0, 1.0])


def ours(X: Any, y: Floats, ledger: bool = True) -> Prepare:
    def prepare() -> Callable[[], object]:
        learner = _descent(ledger)
        return lambda: learner.learn_many(X, y)

    return prepare


def theirs(X: Any, y: Floats) -> Prepare:
    def prepare() -> Callable[[], object]:
        model = _classifier()
        return lambda: model.partial_fit(X, y, classes=CLASSES)

    return prepare


def check_agreement(X: Any, y: Floats) -> None:
    """Both learn the same weights from these rows, or ValueError; prints how near they are."""
    learner, model = _descent(), _classifier()
    learner.learn_many(X, y)
    model.partial_fit(X, y, classes=CLASSES)
    found = difference(learner.weights, model.coef_, tolerance=1e-6)
    print(f"  the weights agree with scikit-learn's to {found:.0e}; mean loss {learner.ledger.mean_loss:.4f}")


def _descent(ledger: bool = True) -> rg.GradientDescent:
    return rg.GradientDescent(rg.Logistic(), ETA, ledger=ledger)


def _classifier() -> Any:
    """In the order of the rows, no penalty, no intercept, a constant rate: as gradient descent."""
    return SGDClassifier(
        loss="log_loss", shuffle=False, penalty=None, learning_rate="constant", eta0=ETA, fit_intercept=False
    )
