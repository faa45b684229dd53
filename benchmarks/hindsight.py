"""Logistic loss over a ball, 200,000 x ~68 of 47,000, to a relative gap of 1e-4: less time than sklearn's lbfgs."""

import warnings

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

import regretful as rg
from benchmarks import data
from benchmarks.results import Result, cost
from benchmarks.timing import race
from regretful.hindsight import Comparator, hindsight

GAP = 1e-4
C = 1.0  # scikit-learn's own default: it minimises C · loss + ‖w‖²/2
Floats = np.ndarray


def run(quick: bool) -> list[Result]:
    rows, repeats = (20_000, 1) if quick else (200_000, 3)
    X, y = data.text_like(rows)
    radius = float(np.linalg.norm(theirs(X, y, 1000, 1e-9)))
    found = ours(X, y, radius)
    assert found.gap <= GAP, found

    # The minimum over the ball of that radius is the minimum of the penalised loss too. How many iterations does
    # scikit-learn need until its own objective is as low as at the weights found here?
    aim = objective(X, y, found.weights)
    few, enough = 0, 5
    while objective(X, y, theirs(X, y, enough)) > aim:
        few, enough = enough, 2 * enough
    while enough - few > 1:
        middle = (few + enough) // 2
        if objective(X, y, theirs(X, y, middle)) > aim:
            few = middle
        else:
            enough = middle
    print(f"  radius {radius:.1f}: {found.passes} passes for a gap of {found.gap:.1e}; lbfgs: {enough} iterations")
    times = race(
        {
            "hindsight": lambda: lambda: ours(X, y, radius),
            "lbfgs": lambda: lambda: theirs(X, y, enough),
        },
        repeats,
    )
    return [
        Result(
            subject="hindsight, logistic over a ball",
            ours=cost(times["hindsight"].best, "problem"),
            peer=f"{cost(times['lbfgs'].best, 'problem')} (LogisticRegression, lbfgs)",
            measured=times["lbfgs"].best / times["hindsight"].best,
            bar=1.0,
            times=times,
        )
    ]


def ours(X: sparse.csr_matrix, y: Floats, radius: float) -> Comparator:
    return hindsight(rg.Logistic(), rg.Ball(radius), X, y, tol=GAP)


def theirs(X: sparse.csr_matrix, y: Floats, iterations: int, tol: float = 1e-12) -> Floats:
    model = LogisticRegression(C=C, fit_intercept=False, max_iter=iterations, tol=tol)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y).coef_.ravel()


def objective(X: sparse.csr_matrix, y: Floats, w: Floats) -> float:
    return float(C * np.logaddexp(0.0, -y * (X @ w)).sum() + 0.5 * w @ w)
