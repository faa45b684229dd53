"""`regretful play`: what it tells is what a game tells, on a terminal, in a pipe and to programs."""

import json
import math
import re

import numpy as np
import pyarrow.csv
import pyarrow.parquet
import pytest

import regretful as rg
from tests.cli.running import ROUNDS


def twin(path, learner=None, label="clicked"):
    """The same game in Python."""
    table = pyarrow.parquet.read_table(path)
    learner = learner or rg.AdaGrad(rg.Logistic(), 0.1, intercept=True, features=rg.Hashing(20))
    return rg.play(learner, table, label=label, progress=False)


def test_the_answer_is_the_games(regretful, clicks):
    game = twin(clicks)
    ended = regretful("play", clicks, "--label", "clicked", "--json")
    assert ended.code == 0
    told = ended.document
    assert told["rounds"] == ROUNDS
    assert told["loss"] == pytest.approx(game.loss, rel=1e-9)
    assert told["mistakes"] == game.mistakes
    norm = math.hypot(np.linalg.norm(game.learner.weights), game.learner.intercept)
    radius = float(re.fullmatch(r"Ball\((.+)\)", told["domain"])[1])
    assert norm <= radius <= 1.01 * norm
    certificate = game.certificate(rg.Ball(radius))
    assert told["mean_regret_at_most"] == pytest.approx(certificate.regret_at_most / ROUNDS, rel=1e-9)
    assert told["best_mean_loss_at_least"] == pytest.approx(certificate.best_loss_at_least / ROUNDS, rel=1e-9)
    assert f"fixed predictor of norm at most {radius:g}" in told["answer"][1]
    assert told["answer"][0].startswith(f"AdaGrad lost {game.mean_loss:.4g} a round over {ROUNDS:,} rounds")


def test_the_table_doubles(regretful, clicks):
    told = regretful("play", clicks, "--label", "clicked", "--json").document
    rounds = [line["rounds"] for line in told["curve"]]
    assert rounds == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, ROUNDS]
    game = twin(clicks)
    losses = np.cumsum(game.losses)
    for before, line in zip([None, *told["curve"]], told["curve"], strict=False):
        t = line["rounds"]
        first = 0 if before is None else before["rounds"]
        assert line["mean_loss"] == pytest.approx(losses[t - 1] / t, rel=1e-9)
        assert line["since_last"] == pytest.approx(game.losses[first:t].mean(), rel=1e-9)
        assert line["features"] == 9
        assert line["best_at_least"] + line["regret_at_most"] == pytest.approx(line["mean_loss"])
    table = pyarrow.parquet.read_table(clicks)
    assert [line["label"] for line in told["curve"]] == [float(table["clicked"][t - 1].as_py()) for t in rounds]
    assert told["curve"][-1]["regret_at_most"] == pytest.approx(told["mean_regret_at_most"])


def test_a_pipe_gets_plain_text(regretful, clicks):
    ended = regretful("play", clicks, "--label", "clicked")
    assert ended.code == 0
    assert "\x1b" not in ended.out + ended.err
    assert ended.err == ""
    lines = ended.out.splitlines()
    table = [line.split() for line in lines if re.match(r" *\d+\.\d+ +\S+ +[\d,]+ +[01] ", line)]
    assert [line[2] for line in table][-1] == f"{ROUNDS:,}"
    assert max(map(len, lines[: lines.index("", 3)])) <= 80
    assert any(line.startswith("AdaGrad lost ") for line in lines)


def test_quiet_tells_the_answer_alone(regretful, clicks):
    ended = regretful("play", clicks, "--label", "clicked", "--quiet")
    loud = regretful("play", clicks, "--label", "clicked")
    assert ended.out.startswith("AdaGrad lost ")
    assert ended.out in loud.out
    assert len(ended.out.splitlines()) == 3
    assert regretful("play", clicks, "--label", "clicked", "-q").out == ended.out


def test_predictions_are_those_that_were_paid_for(regretful, clicks, tmp_path):
    out = tmp_path / "out.csv"
    told = regretful("play", clicks, "--label", "clicked", "--predictions", out, "--json").document
    assert told["files"] == {"predictions": str(out)}
    rows = pyarrow.csv.read_csv(out)
    assert rows.column_names == ["label", "prediction", "probability"]
    y = np.where(rows["label"].to_numpy(), 1.0, -1.0)
    p = rows["prediction"].to_numpy()
    assert rows["probability"].to_numpy() == pytest.approx(1.0 / (1.0 + np.exp(-p)))
    assert np.logaddexp(0.0, -y * p).sum() == pytest.approx(told["loss"])
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_domains_and_learners_are_spelt(regretful, numbers):
    told = regretful(
        "play", numbers, "--label", "y", "--weight", "w", "--loss", "squared", "--learner", "gradient",
        "--rate", "sqrt:0.05", "--domain", "ball:2.5", "--no-intercept", "--bits", 6, "--seed", 2, "--json",
    ).document  # fmt: skip
    table = pyarrow.csv.read_csv(numbers)
    learner = rg.GradientDescent(rg.Squared(), rg.InverseSqrt(0.05), rg.Ball(2.5), features=rg.Hashing(6, 2))
    game = rg.play(learner, table, label="y", weight="w", progress=False)
    assert told["learner"] == {
        "loss": "Squared", "geometry": "Euclidean", "domain": "Ball(2.5)", "rate": "InverseSqrt(0.05)",
    }  # fmt: skip
    assert told["loss"] == pytest.approx(game.loss)
    assert told["weight"] == game.weight
    assert told["domain"] == "Ball(2.5)"
    assert told["mistakes"] is None
    certificate = game.certificate(rg.Ball(2.5))
    assert told["mean_regret_at_most"] == pytest.approx(certificate.regret_at_most / game.weight)


def test_a_domain_the_learner_cannot_be_kept_in_is_still_compared_with(regretful, clicks):
    told = regretful("play", clicks, "--label", "clicked", "--domain", "l1:5", "--json").document
    assert told["learner"]["domain"] == "Everywhere"
    assert told["domain"] == "L1Ball(5)"
    assert len(told["answer"]) == 2


def test_an_unbounded_domain_says_what_would_work(regretful, clicks):
    ended = regretful("play", clicks, "--label", "clicked", "--domain", "everywhere")
    assert ended.code == 0
    assert "Ball(r)" in ended.out
    told = json.loads(regretful("play", clicks, "--label", "clicked", "--domain", "everywhere", "--json").out)
    assert told["mean_regret_at_most"] is None


def test_columns_are_chosen_by_name_and_pattern(regretful, clicks, tmp_path):
    model = tmp_path / "m.rg"
    regretful("play", clicks, "--label", "clicked", "--only", "ad,p*", "--ignore", "price", "--save", model)
    table = pyarrow.parquet.read_table(clicks).select(["ad", "position", "clicked"])
    learner = rg.AdaGrad(rg.Logistic(), intercept=True, features=rg.Hashing(20))
    rg.play(learner, table, label="clicked", progress=False)
    assert rg.load(model).weights == pytest.approx(learner.weights, rel=1e-12, abs=1e-12)


def test_a_second_game_goes_on_where_the_first_ended(regretful, clicks, tmp_path):
    one, two, both = (tmp_path / name for name in ("one.rg", "two.rg", "both.rg"))
    told = ("--label", "clicked", "--ignore", "site")
    regretful("play", clicks, *told, "--bits", 12, "--save", one)
    again = regretful("play", clicks, "--load", one, "--save", two, "--json")
    assert again.code == 0
    assert again.document["rounds"] == ROUNDS
    passes = regretful("play", clicks, *told, "--bits", 12, "--passes", 2, "--save", both, "--json").document
    assert passes["rounds"] == 2 * ROUNDS
    assert (rg.load(two).weights == rg.load(both).weights).all()
    assert rg.load(two).rounds == rg.load(both).rounds


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--learner", "perceptron"], "--learner perceptron"),
        (["--rate", "0.3"], "--rate 0.3"),
        (["--loss", "hinge"], "--loss hinge"),
        (["--bits", "10"], "--bits"),
        (["--cross", "site,ad"], "--cross"),
    ],
)
def test_what_a_saved_learner_brings_is_not_said_again(regretful, clicks, tmp_path, options, words):
    model = tmp_path / "m.rg"
    regretful("play", clicks, "--label", "clicked", "--save", model)
    ended = regretful("play", clicks, "--load", model, *options)
    assert ended.code == 2
    assert words in ended.err
    assert "leave" in ended.err
