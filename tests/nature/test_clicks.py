"""The click log: the same for the same seed in whatever stretches, and clicked as its model says."""

import numpy as np
import pyarrow.parquet

import regretful as rg
from regretful.nature.clicks import BLOCK


def test_stretches_do_not_matter():
    log = rg.nature.ClickLog(seed=4)
    whole = log.table(0, BLOCK + 100)
    parts = rg.nature.ClickLog(seed=4)
    assert parts.table(BLOCK - 50, BLOCK + 50).to_pylist() == whole.slice(BLOCK - 50, 100).to_pylist()
    assert rg.nature.ClickLog(seed=5).table(0, 10).to_pylist() != whole.slice(0, 10).to_pylist()
    assert log.table(5, 5).num_rows == 0


def test_it_is_written_as_it_is(tmp_path):
    log = rg.nature.ClickLog(seed=4)
    log.write(tmp_path / "log.parquet", 1000)
    assert pyarrow.parquet.read_table(tmp_path / "log.parquet").to_pylist() == log.table(0, 1000).to_pylist()


def test_it_looks_like_a_click_log():
    table = rg.nature.ClickLog(seed=0).table(0, BLOCK)
    rate = np.mean(table["clicked"].to_numpy())
    assert 0.02 < rate < 0.12
    sites = table["site"].value_counts().to_pylist()
    counts = sorted((one["counts"] for one in sites), reverse=True)
    assert counts[0] > 20 * counts[50]  # a few show most of the advertisements
    top = table["position"].to_numpy() == "top"
    assert table["clicked"].to_numpy()[top].mean() > 1.3 * rate
