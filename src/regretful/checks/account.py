"""What must hold of a learner's account of its rounds: ledger, certificate, domain, averages; each checked afresh."""

from __future__ import annotations

from typing import Any

import numpy as np

from regretful.checks.examples import Case, demand

CLOSE = 1e-9


def _paid(case: Case) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray]:
    """A learner after the stream, with the losses and slopes of its rounds and the rows as it saw them."""
    learner = case.make()
    form = case.forms()[0]
    paid = learner.learn_many(case.many(form), case.y, case.weight)
    loss = np.array([float(learner.loss.value(float(p), float(y))) for p, y in zip(paid, case.y, strict=True)])
    slope = np.array([float(learner.loss.slope(float(p), float(y))) for p, y in zip(paid, case.y, strict=True)])
    seen = np.pad(case.X, ((0, 0), (0, case.width - case.known)))
    rows = np.column_stack([np.ones(len(seen)), seen]) if learner.intercept_kept else seen
    return learner, loss, case.weight * slope, rows


def ledger_is_right(case: Case) -> None:
    """The ledger's sums are those that NumPy makes of the predictions paid for."""
    learner, loss, slopes, rows = _paid(case)
    if learner.ledger is None:
        return
    form = case.forms()[0]
    paid = case.make().learn_many(case.many(form), case.y, case.weight)
    squares, peaks = (rows**2).sum(axis=1), np.abs(rows).max(axis=1)
    expected = {
        "rounds": len(paid), "weight": case.weight.sum(), "loss": case.weight @ loss,
        "mean_loss": case.weight @ loss / case.weight.sum(), "A": slopes @ paid, "G": slopes @ rows,
        "mistakes": int((case.y * paid <= 0).sum()) if learner.loss.classification else 0,
        "max_slope": np.abs(slopes).max(), "max_norm2": np.sqrt(squares.max()), "max_norm_inf": peaks.max(),
        "squares2": slopes**2 @ squares, "squares_inf": slopes**2 @ peaks**2,
    }  # fmt: skip
    account: dict[str, Any] = {**learner.ledger.as_dict()}
    for p, (most, total) in account.pop("norms").items():
        sizes = (np.abs(rows) ** p).sum(axis=1) ** (1.0 / p)
        near = np.allclose([most, total], [sizes.max(), slopes**2 @ sizes**2], rtol=CLOSE, atol=CLOSE)
        demand(bool(near), f"the ledger's {p}-norms are right", f"{most!r}, {total!r}")
    demand(account.keys() == expected.keys(), "the ledger's names", f"{sorted(account)}")
    for name, value in expected.items():
        near = np.allclose(account[name], value, rtol=CLOSE, atol=CLOSE)
        demand(bool(near), f"the ledger's {name} is right", f"{account[name]!r}, not {value!r}")
        near = np.array_equal(getattr(learner.ledger, name), account[name])
        demand(bool(near), f"as_dict() tells the ledger's {name}", f"{account[name]!r}")


def certificate_holds(case: Case) -> None:
    """L - Σ ℓ(y, ⟨u, x⟩) ≤ A - ⟨u, G⟩ for every u: the regret is never above its certificate."""
    learner, _, _, rows = _paid(case)
    ledger = learner.ledger
    if ledger is None:
        return
    rng = np.random.default_rng(1)
    for scale in (0.1, 1.0, 10.0):
        for _ in range(5):
            u = np.asarray(learner.domain.project(scale * rng.normal(size=rows.shape[1])))
            losses = [float(learner.loss.value(float(p), float(y))) for p, y in zip(rows @ u, case.y, strict=True)]
            if not np.isfinite(losses).all():
                continue
            best = float(case.weight @ losses)
            regret, certificate = ledger.loss - best, ledger.A - float(u @ ledger.G)
            slack = CLOSE * (1.0 + abs(best) + abs(ledger.loss) + abs(certificate))
            demand(
                regret <= certificate + slack,
                "the regret is at most its certificate A - ⟨u, G⟩", f"{regret!r} > {certificate!r} for u = {u}",
            )  # fmt: skip


def weights_stay_in_the_domain(case: Case) -> None:
    """After every round the weights, the intercept's among them, lie in the domain."""
    form = case.forms()[0]
    learner = case.make()
    for t, x in enumerate(case.ones(form)):
        learner.learn_one(x, case.y[t], case.weight[t])
        w = np.concatenate([[learner.intercept], learner.weights]) if learner.intercept_kept else learner.weights
        demand(learner.domain.contains(w), f"the weights lie in {learner.domain!r}", f"{w} after round {t}")


def averages_are_right(case: Case) -> None:
    """average() and weighted_average() are the means of w_1 … w_T, weighted 1/T and 2(t+1)/(T(T+3))."""
    learner = case.make()
    kept = {"average": "average", "weighted": "weighted_average", "random": "random_iterate"}
    for name, method in kept.items():
        if name not in learner.keep:
            try:
                getattr(learner, method)()
            except ValueError as error:
                demand(f'keep=("{name}",)' in str(error), f"{method}() says how to keep it", f"{error}")
            else:
                demand(False, f"{method}() is refused where it is not kept", "an answer")
    if not learner.keep:
        return
    form, iterates = case.forms()[0], []
    for t, x in enumerate(case.ones(form)):
        iterates.append(case.iterate(learner))
        learner.learn_one(x, case.y[t], case.weight[t])
        W, T = np.array(iterates), t + 1
        size = 1.0 + float(np.max(np.abs(W)))
        shares = {"average": np.full(T, 1.0 / T), "weighted": 2.0 * np.arange(2, T + 2) / (T * (T + 3))}
        for name in learner.keep:
            gave = case.iterate(getattr(learner, kept[name])())
            if name == "random":
                off = float(np.min(np.max(np.abs(W - gave), axis=1)))
                promise = "the random iterate is one of those that played"
            else:
                off = float(np.max(np.abs(shares[name] @ W - gave)))
                promise = f"{kept[name]}() is the mean of the iterates that played"
            demand(off <= CLOSE * size, promise, f"off by {off:.3g} after {T} rounds: {gave}")


CHECKS = [ledger_is_right, certificate_holds, weights_stay_in_the_domain, averages_are_right]
