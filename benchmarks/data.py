"""Generated data, the same for the same seed, in the shapes of the real data each subject stands for."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Floats = NDArray[np.float64]
Event = dict[str, float | str]

CITIES = ("Rome", "Oslo", "Lima", "Pune", "Baku", "Kyiv", "Cork", "Bari")
DEVICES = ("phone", "tablet", "desktop")


def number_events(count: int, seed: int = 1) -> tuple[list[Event], list[bool]]:
    """Events of 10 numeric features, and labels from a noisy linear model."""
    rng = np.random.default_rng(seed)
    X, y = _dense(count, 10, rng)
    names = [f"feature_{k}" for k in range(10)]
    return [dict(zip(names, row, strict=True)) for row in X.tolist()], (y > 0).tolist()


def mixed_events(count: int, seed: int = 2) -> tuple[list[Event], list[bool]]:
    """Events of 7 numbers and 3 strings."""
    rng = np.random.default_rng(seed)
    X, y = _dense(count, 7, rng)
    names = [f"feature_{k}" for k in range(7)]
    cities = rng.choice(CITIES, count).tolist()
    devices = rng.choice(DEVICES, count).tolist()
    sites = [f"site{k}" for k in np.minimum(rng.zipf(1.5, count), 1000).tolist()]
    events: list[Event] = [
        {**dict(zip(names, row, strict=True)), "city": city, "device": device, "site": site}
        for row, city, device, site in zip(X.tolist(), cities, devices, sites, strict=True)
    ]
    return events, (y > 0).tolist()


def text_like(rows: int, features: int = 47_000, nonzeros: int = 68, seed: int = 3) -> tuple[sparse.csr_matrix, Floats]:
    """A CSR matrix like rcv1: a few features in a third of the rows, most in hardly any; norm 1; labels ±1.

    Rows have about `nonzeros` entries each, in sorted columns that don't repeat; float64 values, int32
    indices. Frequent features lie anywhere among the columns, as words do in an alphabet.
    """
    rng = np.random.default_rng(seed)
    frequency = 1.0 / (np.arange(features) + 30.0)  # Zipf's law, flat at the top: stop words are removed
    cumulative = np.cumsum(frequency / frequency.sum())
    # A word drawn twice is one entry; 4 % of the draws repeat.
    lengths = 1 + rng.negative_binomial(4, 4 / (3 + 1.045 * nonzeros), rows)
    words = np.searchsorted(cumulative, rng.random(int(lengths.sum())) * cumulative[-1])
    columns = rng.permutation(features)[words]
    row_of = np.repeat(np.arange(rows, dtype=np.int64), lengths)
    entries = np.sort(row_of * features + columns)
    entries = entries[np.diff(entries, prepend=-1) > 0]  # np.unique, but ten times as fast
    row_of, columns = entries // features, entries % features

    counts = np.bincount(row_of, minlength=rows)
    indptr = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
    values = rng.lognormal(0.0, 0.6, len(entries))
    values /= np.sqrt(np.bincount(row_of, values**2, minlength=rows))[row_of]
    X = sparse.csr_matrix((values, columns.astype(np.int32), indptr), shape=(rows, features))

    truth = rng.normal(0.0, 5.0, features) * (rng.random(features) < 0.1)
    return X, _signs(X @ truth + rng.normal(0.0, 0.5, rows))


def write_text(folder: Path, rows: int) -> dict[str, Path]:
    """`text_like` as libsvm and as Vowpal Wabbit text, values in six digits; written once and kept in the folder."""
    paths = {kind: folder / f"text-{rows}.{kind}" for kind in ("libsvm", "vw")}
    if not all(path.exists() for path in paths.values()):
        folder.mkdir(parents=True, exist_ok=True)
        X, y = text_like(rows)
        indices, values, starts = X.indices.tolist(), X.data.tolist(), X.indptr.tolist()
        fresh = {kind: path.with_suffix(".part") for kind, path in paths.items()}
        with fresh["libsvm"].open("w") as libsvm:
            for label, first, last in zip(y, starts, starts[1:], strict=False):
                row = " ".join(map("%d:%.6g".__mod__, zip(indices[first:last], values[first:last], strict=True)))
                libsvm.write(f"{label:g} {row}\n")
        fresh["libsvm"].rename(paths["libsvm"])
        with paths["libsvm"].open() as libsvm, fresh["vw"].open("w") as vw:
            vw.writelines(line.replace(" ", " | ", 1) for line in libsvm)
        fresh["vw"].rename(paths["vw"])
    return paths


def dense(rows: int, features: int = 100, seed: int = 4) -> tuple[Floats, Floats]:
    """A C-ordered array of normal numbers, and labels ±1 from a noisy linear model."""
    return _dense(rows, features, np.random.default_rng(seed))


def strided_rows(rows: int, features: int, nonzeros: int, seed: int = 5) -> tuple[sparse.csr_matrix, Floats]:
    """Rows of exactly `nonzeros` entries, uniformly random: one in each of that many equal stretches."""
    rng = np.random.default_rng(seed)
    width = features // nonzeros
    columns = np.arange(nonzeros) * width + rng.integers(0, width, (rows, nonzeros))
    values = rng.normal(0.0, nonzeros**-0.5, rows * nonzeros)
    indptr = np.arange(rows + 1, dtype=np.int32) * nonzeros
    X = sparse.csr_matrix((values, columns.ravel().astype(np.int32), indptr), shape=(rows, features))
    return X, _signs(rng.normal(size=rows))


def endless_events(rounds: int, seed: int = 6) -> Iterator[tuple[Event, bool]]:
    """Events made one by one and kept nowhere: for measuring memory."""
    rng = np.random.default_rng(seed)
    for _ in range(rounds):
        age, hour, u, v, label = rng.random(5).tolist()
        city, device = CITIES[int(u * len(CITIES))], DEVICES[int(v * len(DEVICES))]
        yield {"age": age, "hour": hour, "city": city, "device": device}, label < age


def _dense(rows: int, features: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    X = rng.normal(size=(rows, features))
    truth = rng.normal(size=features)
    return X, _signs(X @ truth + rng.normal(size=rows))


def _signs(scores: Floats) -> Floats:
    return np.where(scores > 0, 1.0, -1.0)
