"""One data set in every format: the progressive loss is the same, plain or compressed, in parts, or from a pipe."""

import gzip
import json
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import regretful as rg
from tests.cli.running import environment

ROUNDS = 500
rng = np.random.default_rng(11)
CITY = rng.choice(["Rome", "Oslo", "Brno", "Nîmes"], ROUNDS)
PLAN = rng.choice(["free", "paid"], ROUNDS)
AGE = np.round(rng.normal(4.0, 1.5, ROUNDS), 3)
SIZE = rng.normal(size=ROUNDS)
CLICKED = (rng.random(ROUNDS) < 1 / (1 + np.exp(1 - AGE / 4 - (CITY == "Rome")))).astype(int)
TABLE = pa.table({"city": CITY, "plan": PLAN, "age": AGE, "size": SIZE, "clicked": CLICKED})
EVENTS = [{**row, "clicked": row["clicked"]} for row in TABLE.to_pylist()]
LINES = {  # by Python alone
    "vw": [f"{e['clicked']} | city={e['city']} plan={e['plan']} age:{e['age']!r} size:{e['size']!r}" for e in EVENTS],
    "jsonl": [json.dumps(e) for e in EVENTS],
    "csv": ["city,plan,age,size,clicked"]
    + [f"{e['city']},{e['plan']},{e['age']!r},{e['size']!r},{e['clicked']}" for e in EVENTS],
}
LINES["tsv"] = [line.replace(",", "\t") for line in LINES["csv"]]
TEXT = {name: "\n".join(lines) + "\n" for name, lines in LINES.items()}


def asked(name):
    return () if name in ("vw", "libsvm") else ("--label", "clicked")


@pytest.fixture(scope="module")
def loss():
    """What the game loses in Python, on dicts."""
    learner = rg.AdaGrad(rg.Logistic(), 0.1, intercept=True, features=rg.Hashing(20))
    for event in EVENTS:
        learner.learn_one({k: v for k, v in event.items() if k != "clicked"}, event["clicked"])
    return learner.ledger.mean_loss


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
@pytest.mark.parametrize("name", TEXT)
def test_texts(regretful, tmp_path, loss, name, ending):
    path = tmp_path / f"log.{name}{ending}"
    data = TEXT[name].encode()
    packed = gzip.compress(data) if ending == ".gz" else pa.compress(data, "zstd", asbytes=True) if ending else data
    path.write_bytes(packed)
    told = regretful("play", path, *asked(name), "--json").document
    assert told["mean_loss"] == pytest.approx(loss, rel=1e-12)
    assert told["rounds"] == ROUNDS


@pytest.mark.parametrize("name", ["parquet", "arrow", "feather", "stream.arrow"])
def test_binary_tables(regretful, tmp_path, loss, name):
    path = tmp_path / f"log.{name}"
    if name == "parquet":
        pa.parquet.write_table(TABLE, path, row_group_size=70)
    else:
        with (pa.ipc.new_stream if "stream" in name else pa.ipc.new_file)(str(path), TABLE.schema) as file:
            file.write_table(TABLE, 64)
    told = regretful("play", path, "--label", "clicked", "--json").document
    assert told["mean_loss"] == pytest.approx(loss, rel=1e-12)


@pytest.mark.parametrize("name", TEXT)
def test_a_pattern_of_parts(regretful, tmp_path, loss, name):
    head, lines = (LINES[name][:1], LINES[name][1:]) if name in ("csv", "tsv") else ([], LINES[name])
    for k in range(3):
        (tmp_path / f"part-{k}.{name}").write_text("\n".join(head + lines[k * 200 : (k + 1) * 200]) + "\n")
    told = regretful("play", tmp_path / f"part-*.{name}", *asked(name), "--json").document
    assert told["mean_loss"] == pytest.approx(loss, rel=1e-12)


@pytest.mark.parametrize("name", [*TEXT, "parquet"])
def test_a_pipe(tmp_path, loss, name):
    data = TEXT.get(name, "").encode()
    if name == "parquet":
        pa.parquet.write_table(TABLE, tmp_path / "log")
        data = (tmp_path / "log").read_bytes()
    command = [sys.executable, "-m", "regretful", "play", "-", "--format", name, *asked(name), "--json"]
    done = subprocess.run(command, input=data, capture_output=True, timeout=120, env=environment(), check=True)
    assert json.loads(done.stdout)["mean_loss"] == pytest.approx(loss, rel=1e-12)


def test_libsvm_is_a_table_of_numbered_columns(regretful, tmp_path):
    lines = [f"{e['clicked']} 1:{e['age']!r} 2:{e['size']!r}" for e in EVENTS]
    (tmp_path / "log.svm").write_text("\n".join(lines) + "\n")
    pa.csv.write_csv(pa.table({"1": AGE, "2": SIZE, "y": CLICKED}), tmp_path / "log.csv")
    told = regretful("play", tmp_path / "log.svm", "--json").document
    table = regretful("play", tmp_path / "log.csv", "--label", "y", "--json").document
    assert told["mean_loss"] == pytest.approx(table["mean_loss"], rel=1e-12)
    assert told["rounds"] == ROUNDS


def test_a_missing_label_is_asked_for(regretful, tmp_path):
    (tmp_path / "log.csv").write_text(TEXT["csv"])
    for command in ("play", "compare", "hindsight"):
        ended = regretful(command, tmp_path / "log.csv")
        assert ended.code == 2
        assert "--label; there are city, plan, age, size, clicked" in ended.err
        assert ended.out == ""


def test_an_error_at_the_first_row_comes_alone(regretful, tmp_path):
    (tmp_path / "log.csv").write_text("a,y\nx,7\n")
    ended = regretful("play", tmp_path / "log.csv", "--label", "y")
    assert (ended.code, ended.out) == (1, "")
    assert "row 2, column 'y' (the label): expected a label that Logistic() takes" in ended.err
