"""CSR, 200,000 x ~68 of 47,000, one pass: at least 3 times scikit-learn, at most 2.5 sums of the arrays."""

import numpy as np

from benchmarks import bare, data, passes
from benchmarks.results import Result, cost, slower
from benchmarks.timing import Times, race

BARE = "a bare loop in C"


def run(quick: bool) -> list[Result]:
    rows, repeats = (20_000, 5) if quick else (200_000, 25)
    X, y = data.text_like(rows)
    print(f"  {rows:,} x {X.nnz / rows:.1f} non-zeros of {X.shape[1]:,}; {np.mean(y > 0):.0%} positive")
    passes.check_agreement(X, y)

    contenders = {
        "ledger on": passes.ours(X, y),
        "SGDClassifier": passes.theirs(X, y),
        "summing the arrays": lambda: lambda: X.data.sum() + X.indices.sum(),
        "ledger off": passes.ours(X, y, ledger=False),
    }
    loop = bare.loop(X, y, passes.ETA)
    if loop is not None:
        contenders[BARE] = loop
    times = race(contenders, repeats)
    on, off, arrays = (times[name] for name in ("ledger on", "ledger off", "summing the arrays"))
    return [
        slower("csr", times, "ledger on", "SGDClassifier", rows, "row", 3.0),
        Result(
            subject="csr, against reading once",
            ours=cost(on.best, "pass"),
            peer=f"{cost(arrays.best, 'pass')} (summing the arrays)",
            measured=on.best / arrays.best,
            bar=2.5,
            sense="at most",
            times={"ledger on": on, "summing the arrays": arrays},
        ),
        Result(
            subject="csr, the ledger's share",
            ours=cost(on.best / rows, "row"),
            peer=f"{cost(off.best / rows, 'row')} (ledger off)",
            measured=on.best / off.best,
            bar=1.35,
            sense="at most",
            times={"ledger on": on, "ledger off": off},
        ),
        *_beside_bare(times, rows),
    ]


def _beside_bare(times: dict[str, Times], rows: int) -> list[Result]:
    """Where the limit of this machine is: the peer, and we, against a bare loop in C."""
    if BARE not in times:
        return []
    return [
        Result(
            subject=f"csr, a bare loop in C against {name}",
            ours=cost(times[BARE].best / rows, "row"),
            peer=f"{cost(times[name].best / rows, 'row')} ({name})",
            measured=times[name].best / times[BARE].best,
            times={name: times[name], BARE: times[BARE]},
        )
        for name in ("SGDClassifier", "ledger on")
    ]
