"""A click log: impressions of advertisements, as tables, and whether they were clicked, from a model that is known."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
from numpy.random import Generator

from regretful.core.types import Batch, Vector
from regretful.nature.nature import Oblivious

if TYPE_CHECKING:
    import pyarrow as pa

BLOCK = 65536  # rounds drawn from one generator
PERIOD = 400_000  # rounds in which an advertisement's appeal comes and goes
BASE = -2.3  # the log-odds of a click when nothing else speaks
DEVICES = {"phone": 0.4, "desktop": -0.2, "tablet": 0.0}
POSITIONS = {"side": -0.1, "top": 0.6, "bottom": -0.5}
COUNTRIES = ("IT", "FR", "DE", "ES", "PL", "NL", "SE", "PT", "GR", "AT", "DK", "FI")
SITES, ADS = 2000, 300
HOUR, AGE, PRICE, SEEN = 0.4, -0.02, -0.01, -0.2  # the evening peak; for a year, a euro, a time seen before


class ClickLog(Oblivious):
    """Events with texts (a few of each kind show up most of the time) and numbers, clicked or not: about 4% are.

    The log-odds of a click are linear in the features, and drift: each advertisement's appeal comes and goes.

    >>> import regretful as rg
    >>> log = rg.nature.ClickLog(seed=1)
    >>> log.examples(0, 1000).X.column_names
    ['hour', 'device', 'country', 'site', 'ad', 'position', 'age', 'price', 'seen']
    >>> rg.play(rg.AdaGrad(rg.Logistic()), log, rounds=1000).rounds
    1000
    """

    def __init__(self, *, seed: int = 0) -> None:
        self.seed = int(seed)
        rng = np.random.default_rng([self.seed, 1])
        self.countries, self.sites = rng.normal(0.0, 0.3, len(COUNTRIES)), rng.normal(0.0, 0.6, SITES)
        self.ads, self.phases = rng.normal(0.0, 0.6, ADS), rng.random(ADS)
        self._drawn: tuple[int, pa.Table] | None = None

    def table(self, first: int, last: int) -> pa.Table:
        """Rounds first to last − 1 as an Arrow table; whether it was clicked stands in the last column."""
        import pyarrow as pa

        blocks = [self._block(k) for k in range(first // BLOCK, max(first, last - 1) // BLOCK + 1)]
        begin = first // BLOCK * BLOCK
        return pa.concat_tables(blocks).slice(first - begin, last - first)

    def examples(self, first: int, last: int) -> Batch:
        """Rounds first to last − 1."""
        table = self.table(first, last)
        return Batch(table.drop_columns(["clicked"]), table.column("clicked").to_numpy(), None)

    def write(self, path: str | os.PathLike[str] | BinaryIO, rounds: int) -> None:
        """The first rounds as a Parquet file with the label `clicked`."""
        from pyarrow import parquet

        with parquet.ParquetWriter(path, self.table(0, 1).schema) as file:
            for first in range(0, rounds, BLOCK):
                file.write_table(self.table(first, min(rounds, first + BLOCK)))

    def _block(self, k: int) -> pa.Table:
        if self._drawn is None or self._drawn[0] != k:
            rng = np.random.default_rng([self.seed, 0, k])
            self._drawn = (k, self._draw(rng, np.arange(k * BLOCK, (k + 1.0) * BLOCK)))
        return self._drawn[1]

    def _draw(self, rng: Generator, t: Vector) -> pa.Table:
        import pyarrow as pa

        hour = rng.integers(0, 24, BLOCK)
        device = rng.choice(len(DEVICES), BLOCK, p=[0.6, 0.3, 0.1])
        position = rng.choice(len(POSITIONS), BLOCK, p=[0.5, 0.3, 0.2])
        country, site, ad = (_zipf(rng, n) for n in (len(COUNTRIES), SITES, ADS))
        age = np.clip(np.round(rng.normal(42.0, 14.0, BLOCK)), 16, 90)
        price = np.round(np.exp(rng.normal(3.0, 0.8, BLOCK)), 2)
        seen = rng.geometric(0.5, BLOCK) - 1
        log_odds = (
            BASE
            + HOUR * np.cos(2.0 * math.pi * (hour - 20) / 24)
            + np.array(list(DEVICES.values()))[device]
            + np.array(list(POSITIONS.values()))[position]
            + self.countries[country]
            + self.sites[site]
            + self.ads[ad]
            + 0.7 * np.sin(2.0 * math.pi * (t / PERIOD + self.phases[ad]))
            + AGE * (age - 42.0)
            + PRICE * price
            + SEEN * seen
        )
        clicked = rng.random(BLOCK) < 1.0 / (1.0 + np.exp(-log_odds))
        texts = {
            "hour": (hour, [f"{h:02d}" for h in range(24)]),
            "device": (device, list(DEVICES)),
            "country": (country, COUNTRIES),
            "site": (site, [f"site{k:04d}" for k in range(SITES)]),
            "ad": (ad, [f"ad{k:03d}" for k in range(ADS)]),
            "position": (position, list(POSITIONS)),
        }
        columns = {
            name: pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32)), pa.array(list(names)))
            for name, (codes, names) in texts.items()
        }
        return pa.table({**columns, "age": age, "price": price, "seen": seen.astype(np.int64), "clicked": clicked})

    def __repr__(self) -> str:
        return f"ClickLog(seed={self.seed})"


def _zipf(rng: Generator, n: int) -> np.ndarray:
    """BLOCK draws of 0 … n − 1, the k-th in proportion to 1/(k + 1)."""
    share = np.cumsum(1.0 / np.arange(1, n + 1))
    drawn = np.searchsorted(share, rng.random(BLOCK) * share[-1], side="right")
    return np.asarray(np.minimum(drawn, n - 1))
