"""Labels: a pass over letters (15,000 x 16, 26 labels) against scikit-learn; structured rounds beside their decoder."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.linear_model import Perceptron

import regretful as rg
from benchmarks.agreement import difference
from benchmarks.data import Floats
from benchmarks.results import Result, cost, slower
from benchmarks.timing import Prepare, race

ROWS, FEATURES, LABELS = 15_000, 16, 26
WORDS, TAGS = [f"word{k}" for k in range(200)], ("D", "N", "V", "A", "P")
LENGTH = 8


def run(quick: bool) -> list[Result]:
    rows, repeats = (3_000, 5) if quick else (ROWS, 25)
    X, y = letters(rows)
    _check_agreement(X, y)
    makers: dict[str, Callable[[], Any]] = {
        "perceptron": lambda: rg.MulticlassPerceptron(labels=range(LABELS)),
        "hinge": lambda: rg.MulticlassGradientDescent(rate=0.01, labels=range(LABELS)),
        "softmax": lambda: rg.MulticlassGradientDescent(rg.Softmax(), rate=0.01, labels=range(LABELS)),
    }
    contenders: dict[str, Prepare] = {name: _ours(make, X, y) for name, make in makers.items()}
    times = race({**contenders, "Perceptron.partial_fit": _theirs(X, y)}, repeats)
    results = [slower("labels, perceptron", times, "perceptron", "Perceptron.partial_fit", rows, "row", 3.0)]
    for name in ("hinge", "softmax"):
        one = slower(f"labels, {name}", times, name, "Perceptron.partial_fit", rows, "row", 3.0)
        results.append(Result(one.subject, one.ours, one.peer, one.measured, times=one.times))
    return [*results, _structured(quick)]


def letters(rows: int, seed: int = 7) -> tuple[Floats, np.ndarray]:
    """Whole numbers 0 … 15 about a centre for each of 26 labels, as in the letter data, then scaled to at most 1."""
    rng = np.random.default_rng(seed)
    centres = rng.uniform(2.0, 13.0, size=(LABELS, FEATURES))
    y = rng.integers(LABELS, size=rows)
    X = np.clip(np.round(centres[y] + rng.normal(0.0, 2.0, size=(rows, FEATURES))), 0.0, 15.0) / 15.0
    return X, y


def _ours(make: Callable[[], Any], X: Floats, y: np.ndarray) -> Prepare:
    def prepare() -> Callable[[], object]:
        learner = make()
        return lambda: learner.learn_many(X, y)

    return prepare


def _theirs(X: Floats, y: np.ndarray) -> Prepare:
    """One perceptron for each label against the rest, as scikit-learn has it, in the order of the rows."""

    def prepare() -> Callable[[], object]:
        model = Perceptron(shuffle=False)
        return lambda: model.partial_fit(X, y, classes=np.arange(LABELS))

    return prepare


def _check_agreement(X: Floats, y: np.ndarray) -> None:
    """Our weights are those of Algorithm 2 in NumPy; scikit-learn's algorithm is another, so both errors are shown."""
    learner, model = rg.MulticlassPerceptron(labels=range(LABELS)), Perceptron(shuffle=False)
    learner.learn_many(X, y)
    model.partial_fit(X, y, classes=np.arange(LABELS))
    W = np.zeros((LABELS, FEATURES))
    for x, label in zip(X, y, strict=True):
        said = int(np.argmax(W @ x))
        if said != label:
            W[label] += x
            W[said] -= x
    found = difference(learner.weights, W, tolerance=1e-9)
    ours, theirs = (float((said != y).mean()) for said in (learner.predict_many(X), model.predict(X)))
    print(f"  the weights agree with NumPy's to {found:.0e}; after a pass {ours:.1%} are wrong, {theirs:.1%} of theirs")


def _structured(quick: bool) -> Result:
    """Rounds of a tagger with Viterbi's algorithm, less what its psi, decode and cost take when called alone."""
    count, repeats = (300, 3) if quick else (2_000, 9)
    rng = np.random.default_rng(8)
    X = [[WORDS[k] for k in rng.integers(len(WORDS), size=LENGTH)] for _ in range(count)]
    Y = [tuple(TAGS[WORDS.index(word) % len(TAGS)] for word in x) for x in X]
    chain = rg.Sequences(TAGS)
    calls: list[tuple[Any, tuple[Any, ...]]] = []

    def whole() -> Callable[[], object]:
        tagger = rg.StructuredSVM(chain.psi, chain.cost, chain.decode, rate=0.1)
        return lambda: tagger.learn_many(X, Y)

    def alone() -> Callable[[], object]:
        """The same calls, on the weights at the end: the same number of them, of the same arguments otherwise."""
        if not calls:
            calls.extend(_recorded(chain, X, Y))

        def again() -> None:
            for function, arguments in calls:
                function(*arguments)

        return again

    times = race({"rounds": whole, "decoder alone": alone}, repeats)
    beside = (times["rounds"].best - times["decoder alone"].best) / count
    return Result(
        subject="labels, a structured round beside its decoder",
        ours=cost(times["rounds"].best / count, "round"),
        peer=f"{cost(times['decoder alone'].best / count, 'round')} (psi, decode and cost)",
        measured=beside * 1e6,
        unit="µs",
        bar=20.0,
        sense="at most",
        times=times,
    )


def _recorded(chain: rg.Sequences, X: Any, Y: Any) -> list[tuple[Any, tuple[Any, ...]]]:
    """Every call that the learner makes of psi, decode and cost."""
    calls: list[tuple[Any, tuple[Any, ...]]] = []

    def noting(function: Any) -> Any:
        def noted(*arguments: Any) -> Any:
            calls.append((function, arguments))
            return function(*arguments)

        return noted

    tagger = rg.StructuredSVM(noting(chain.psi), noting(chain.cost), noting(chain.decode), rate=0.1)
    tagger.learn_many(X, Y)
    return calls
