"""Textbook portfolios, one dense round at a time (notes 002). Each returns the portfolios w_1..w_{T+1}."""

from itertools import combinations

import numpy as np


def exponentiated(X, eta):
    """Helmbold et al. (1998): w_i <- w_i exp(eta x_i / <w, x>) / Z."""
    w = np.full(X.shape[1], 1.0 / X.shape[1])
    path = [w]
    for x in X:
        w = w * np.exp(eta * x / (w @ x))
        w = w / w.sum()
        path.append(w)
    return np.array(path)


def newton(X, eta, epsilon, lazy=False):
    """Hazan et al. (2007): w <- nearest in A's norm to w - eta A^-1 g; lazy (Agarwal 2006), to -eta A^-1 sum g."""
    n = X.shape[1]
    w, A, total = np.full(n, 1.0 / n), epsilon * np.eye(n), np.zeros(n)
    path = [w]
    for x in X:
        g = -x / (w @ x)
        A = A + np.outer(g, g)
        total = total + g
        v = -eta * np.linalg.solve(A, total) if lazy else w - eta * np.linalg.solve(A, g)
        w = nearest(v, A)
        path.append(w)
    return np.array(path)


def nearest(v, A):
    """argmin over the simplex of (u - v)'A(u - v): the best over every set of non-zero coordinates, each by KKT."""
    n = len(v)
    best, least = None, np.inf
    for size in range(1, n + 1):
        for support in combinations(range(n), size):
            F = list(support)
            # A_FF u_F = (A v)_F + level 1, sum u_F = 1
            K = np.block([[A[np.ix_(F, F)], -np.ones((size, 1))], [np.ones((1, size)), np.zeros((1, 1))]])
            u = np.zeros(n)
            u[F] = np.linalg.solve(K, np.append((A @ v)[F], 1.0))[:-1]
            if u.min() >= -1e-13:
                far = (u - v) @ A @ (u - v)
                if far < least:
                    best, least = np.maximum(u, 0.0), far
    return best / best.sum()


def mixture(X, portfolios, prior):
    """Cover (1991) over finitely many: the portfolios weighed by what they are worth."""
    worth = np.array(prior, dtype=float)
    path = [worth @ portfolios / worth.sum()]
    for x in X:
        worth = worth * (portfolios @ x)
        path.append(worth @ portfolios / worth.sum())
    return np.array(path)


def universal_of_two(X):
    """The universal portfolio of two assets, uniform prior: the wealth of (b, 1 - b) is a polynomial in b."""
    worth = np.polynomial.Polynomial([1.0])
    share = np.polynomial.Polynomial([0.0, 1.0])
    path = []
    for x in [*X, None]:
        whole, first = worth.integ()(1.0), (worth * share).integ()(1.0)
        path.append([first / whole, 1.0 - first / whole])
        if x is not None:
            worth = worth * np.polynomial.Polynomial([x[1], x[0] - x[1]])
    return np.array(path)


def wealth(X, path):
    """The product of <w_t, x_t>."""
    return np.prod((X * path[: len(X)]).sum(axis=1))
