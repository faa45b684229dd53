"""compare, predict, hindsight, inspect, theorems, demo."""

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest

import regretful as rg
from tests.cli.running import ROUNDS


@pytest.fixture
def model(regretful, clicks, tmp_path):
    path = tmp_path / "m.rg"
    assert regretful("play", clicks, "--label", "clicked", "--ignore", "price", "--bits", 14, "--save", path).code == 0
    return path


def test_compare_puts_the_best_first(regretful, clicks):
    told = regretful(
        "compare", clicks, "--label", "clicked", "--ignore", "price,age", "--domain", "ball:3", "--json",
        "--learners", "adagrad,gradient:rate=0.01,ftrl-proximal:alpha=0.1,l1=1,perceptron",
    ).document  # fmt: skip
    losses = [row["mean_loss"] for row in told["learners"]]
    assert losses == sorted(losses)
    assert len(losses) == 4
    assert {row["rounds"] for row in told["learners"]} == {ROUNDS}
    table = pyarrow.parquet.read_table(clicks).drop_columns(["price", "age"])
    learner = rg.GradientDescent(rg.Logistic(), 0.01, rg.Ball(3.0), intercept=True, features=rg.Hashing(20))
    game = rg.play(learner, table, label="clicked", progress=False)
    found = next(row for row in told["learners"] if row["learner"] == "gradient:rate=0.01")
    assert found["mean_loss"] == pytest.approx(game.mean_loss)
    assert found["mean_regret_at_most"] == pytest.approx(game.certificate(rg.Ball(3.0)).regret_at_most / ROUNDS)


def test_compare_as_text(regretful, clicks):
    ended = regretful("compare", clicks, "--label", "clicked", "--passes", 2, "--learners", "adagrad,perceptron")
    lines = ended.out.splitlines()
    assert lines[0].split()[0] == "learner"
    assert {line.split()[0] for line in lines[1:3]} == {"adagrad", "perceptron"}
    assert "norm of the learner's own weights" in ended.out
    assert len(regretful("compare", clicks, "--label", "clicked", "-q").out.splitlines()) == 4


def test_predict_reads_as_the_learner_was_taught(regretful, clicks, model, tmp_path):
    out = tmp_path / "p.csv"
    told = regretful("predict", model, clicks, "--out", out, "--json").document
    rows = pyarrow.csv.read_csv(out)
    learner = rg.load(model)
    table = pyarrow.parquet.read_table(clicks)
    p = learner.predict_many(table.drop_columns(["price", "clicked"]))
    assert rows["prediction"].to_numpy() == pytest.approx(p)
    y = np.where(table["clicked"].to_numpy(), 1.0, -1.0)
    assert told["mean_loss"] == pytest.approx(np.logaddexp(0.0, -y * p).mean())
    assert told["rows"] == ROUNDS
    assert rg.load(model).rounds == ROUNDS


def test_predict_to_standard_output_without_labels(regretful, clicks, model, tmp_path):
    bare = tmp_path / "bare.csv"
    pyarrow.csv.write_csv(pyarrow.parquet.read_table(clicks).drop_columns(["clicked"]).slice(0, 20), bare)
    ended = regretful("predict", model, bare)
    assert ended.code == 0
    assert ended.out.splitlines()[0].replace('"', "") == "prediction,probability"
    assert len(ended.out.splitlines()) == 21
    assert ended.err == "20 rows predicted\n"
    assert regretful("predict", model, bare, "--json").code == 2
    renamed = bare.rename(tmp_path / "bare.txt")
    assert regretful("predict", model, renamed, "--format", "csv", "--skip-bad").out == ended.out


def test_hindsight_finds_the_best(regretful, numbers):
    asked = ("hindsight", numbers, "--label", "y", "--weight", "w", "--loss", "squared", "--domain", "ball:2",
             "--no-intercept", "--bits", 8, "--tol", 1e-8)  # fmt: skip
    told = regretful(*asked, "--top", 3, "--json").document
    table = pyarrow.csv.read_csv(numbers)
    X = np.column_stack([table[name].to_numpy() for name in "abc"])
    best = rg.hindsight(rg.Squared(), rg.Ball(2.0), X, table["y"].to_numpy(), weight=table["w"].to_numpy(), tol=1e-8)
    assert told["loss"] == pytest.approx(best.loss, rel=1e-6)
    assert told["lower"] <= best.loss * (1 + 1e-9)
    assert told["mean_loss"] == pytest.approx(best.loss / table["w"].to_numpy().sum(), rel=1e-6)
    assert sorted(map(abs, told["weights"].values())) == pytest.approx(sorted(map(abs, best.weights)), rel=1e-3)
    text = regretful(*asked, "--top", 2, "--max-passes", 50).out
    assert text.startswith("The best fixed predictor of norm at most 2 that was found loses")
    assert "The largest weights" in text


def test_hindsight_of_separable_examples_says_that_it_may_be_attained_nowhere(regretful, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,y\n1.0,1\n2.0,1\n-1.0,0\n-3.0,0\n")
    assert "is attained" in regretful("hindsight", path, "--label", "y").out


def test_inspect_shows_what_is_in_a_model(regretful, model):
    told = regretful("inspect", model, "--top", 5, "--domain", "ball:2", "--domain", "l1:3", "--json").document
    learner = rg.load(model)
    assert told["rounds"] == ROUNDS
    assert told["ledger"]["loss"] == learner.ledger.loss
    assert [one["domain"] for one in told["certificates"]] == ["Ball(2)", "L1Ball(3)"]
    regret = learner.ledger.certificate(rg.Ball(2.0)).regret_at_most / ROUNDS
    assert told["certificates"][0]["mean_regret_at_most"] == pytest.approx(regret)
    assert told["reading"]["ignore"] == ["price"]
    sizes = [abs(weight) for weight in told["weights"].values()]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == pytest.approx(np.abs(learner.weights).max())
    text = regretful("inspect", model).out
    assert text.startswith(f"AdaGrad after {ROUNDS:,} rounds")
    assert text.count("Ball(") == 5


def test_an_account_is_no_learner(regretful, tmp_path):
    learner = rg.Perceptron()
    learner.learn_one([1.0], 1)
    learner.ledger.save(tmp_path / "account.rg")
    ended = regretful("inspect", tmp_path / "account.rg")
    assert (ended.code, "not a learner" in ended.err) == (1, True)


def test_theorems_are_played(regretful, tmp_path):
    ended = regretful("theorems", "--only", "gd-regret", "--rounds", 100, "--seed", 1, "--jobs", 1, "--plot", tmp_path)
    assert ended.code == 0
    assert "gd-regret" in ended.out
    assert (tmp_path / "gd-regret.png").exists()
    (told,) = regretful("theorems", "--only", "gd-regret", "--attack", "--rounds", 50, "--json").document
    assert told["holds"] is True
    ended = regretful("theorems", "--only", "gd-regrets")
    assert ended.code == 1
    assert "gd-regrets" in ended.err


def test_demo_plays_a_log_that_it_made(regretful, tmp_path):
    ended = regretful("demo", tmp_path / "here", "--rounds", 3000, "--seed", 1)
    assert ended.code == 0
    assert "$ regretful play" in ended.out
    assert (tmp_path / "here" / "clicks.parquet").exists()
    assert rg.load(tmp_path / "here" / "clicks.rg").rounds == 3000
    told = regretful("demo", tmp_path / "there", "--rounds", 3000, "--seed", 1, "--json").document
    assert told["rounds"] == 3000
    one, other = ((tmp_path / name / "clicks.parquet").read_bytes() for name in ("here", "there"))
    assert one == other
