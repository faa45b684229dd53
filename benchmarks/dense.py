"""Dense 100,000 x 100, one logistic pass: at least 2 times as fast as scikit-learn."""

from benchmarks import data, passes
from benchmarks.results import Result, slower
from benchmarks.timing import race


def run(quick: bool) -> list[Result]:
    rows, repeats = (20_000, 5) if quick else (100_000, 25)
    X, y = data.dense(rows)
    passes.check_agreement(X, y)
    times = race({"ours": passes.ours(X, y), "SGDClassifier": passes.theirs(X, y)}, repeats)
    return [slower("dense", times, "ours", "SGDClassifier", rows, "row", 2.0)]
