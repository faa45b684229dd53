"""Plots and comparisons."""

import builtins

import matplotlib as mpl
import numpy as np
import pytest

import regretful as rg
from regretful.game import compare, play
from regretful.nature import Contrary, Drifting, LogisticNoise
from tests.game.streams import examples

mpl.use("Agg")


@pytest.fixture(autouse=True)
def _closed():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def test_a_plot_shows_loss_hindsight_certificate_and_bound():
    game = play(rg.GradientDescent(rg.Logistic(), 0.5, rg.Ball(3.0)), LogisticNoise(4), rounds=2000)
    left, right = game.plot(bound=lambda t: 3 * np.sqrt(t))
    lines = {line.get_label(): line for line in left.lines}
    assert (lines["GradientDescent"].get_ydata() == game.curve["loss"]).all()
    best = lines["best in Ball(radius=3.0)"].get_ydata()
    assert best[-1] == pytest.approx(game.hindsight(rg.Ball(3.0)).loss)
    assert len(left.lines) == 4
    labels = [line.get_label() for line in right.lines]
    assert labels == ["average regret to the best of all rounds", "certificate", "bound", "1/√t"]
    assert right.get_xscale() == right.get_yscale() == "log"
    left.figure.canvas.draw()


def test_a_plot_without_a_domain_and_on_given_axes():
    import matplotlib.pyplot as plt

    X, y, _ = examples()
    axes = plt.subplots(2)[1]
    assert tuple(play(rg.Perceptron(), X, y).plot(axes=axes)) == tuple(axes)
    play(rg.Perceptron(), zip(X, y, strict=True)).plot(rg.Ball(1.0))[0].figure.canvas.draw()


def test_the_averages_of_weighted_examples_are_by_weight():
    X, y, weight = examples(300)
    game = play(rg.GradientDescent(rg.Logistic(), 0.5, rg.Ball(1.0)), X, y, weight=100.0 * weight)
    right = game.plot()[1]
    lines = {line.get_label(): line.get_ydata() for line in right.lines}
    regret = (game.loss - game.hindsight(rg.Ball(1.0)).loss) / game.weight
    assert lines["average regret to the best of all rounds"][-1] == pytest.approx(regret, rel=1e-9)
    assert lines["certificate"][-1] == pytest.approx(game.certificate(rg.Ball(1.0)).regret_at_most / game.weight)
    assert lines["1/√t"][-1] == pytest.approx(regret, rel=1e-9)
    assert right.get_ylabel() == "for each unit of weight"


def test_a_regret_below_0_is_told_since_logarithmic_axes_cannot_show_it():
    nature = Drifting(3, noise=0.0, speed=0.02)
    game = play(rg.AdaGrad(rg.Squared(), 0.1), nature, rounds=2000, domains=[rg.Ball(1.0)])
    right = game.plot()[1]
    regret = (game.loss - game.hindsight(rg.Ball(1.0)).loss) / 2000
    assert regret < 0.0
    assert right.get_title() == f"Average regret: {regret:.3g} at the end"
    lines = {line.get_label(): line.get_ydata() for line in right.lines}
    assert np.isnan(lines["average regret to the best of all rounds"][-1])  # a gap, not the last that was positive
    assert lines["1/√t"][-1] == pytest.approx(lines["certificate"][-1])


def test_a_single_point_is_seen_and_long_names_are_cut():
    X, y, _ = examples()
    box = rg.Box(-np.ones(3), np.ones(3))
    left, right = play(rg.GradientDescent(rg.Logistic(), 0.1, box), X[:1], y[:1]).plot()
    assert {line.get_marker() for line in (*left.lines, *right.lines[:-1])} == {"o"}
    assert "best in Box(…)" in [line.get_label() for line in left.lines]
    assert left.get_title() == "1 round"
    left.figure.canvas.draw()
    for axes in (left, right):
        inside, legend = axes.get_window_extent(), axes.get_legend().get_window_extent()
        assert not inside.overlaps(legend)


def test_without_matplotlib_the_extra_is_named(monkeypatch):
    real = builtins.__import__

    def refuse(name, *rest):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest)

    X, y, _ = examples()
    game = play(rg.Perceptron(), X, y)
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ImportError, match=r"pip install 'regretful\[plot\]'"):
        game.plot()


def test_a_comparison_is_over_the_same_rounds():
    X, y, weight = examples(300)
    players = [
        rg.GradientDescent(rg.Logistic(), 0.01),
        rg.GradientDescent(rg.Logistic(), 0.5),
        rg.AdaGrad(rg.Logistic()),
    ]
    comparison = compare(players, X, y, weight=weight, domain=rg.Ball(2.0))
    assert set(comparison.games) == {"GradientDescent 1", "GradientDescent 2", "AdaGrad"}
    losses = [row["loss"] for row in comparison.rows]
    assert losses == sorted(losses)
    assert comparison.best.loss == losses[0]
    alone = play(rg.GradientDescent(rg.Logistic(), 0.5), X, y, weight=weight)
    assert comparison.games["GradientDescent 2"].loss == alone.loss
    row = next(row for row in comparison.rows if row["learner"] == "GradientDescent 2")
    assert row["regret_at_most"] == alone.certificate(rg.Ball(2.0)).regret_at_most
    lines = str(comparison).splitlines()
    assert lines[0].split() == ["learner", "rounds", "loss", "mean_loss", "mistakes", "regret_at_most", "seconds"]
    assert len({len(line) for line in lines}) == 1
    left, right = comparison.plot()
    assert len(left.lines) == len(right.lines) == 3


def test_comparisons_of_iterators_and_adversaries():
    X, y, _ = examples()
    players = {"one": rg.Perceptron(), "two": rg.Perceptron()}
    games = compare(players, zip(X, y, strict=True)).games
    assert games["one"].loss == games["two"].loss
    assert games["two"].rounds == 60
    games = compare([rg.Perceptron(), rg.PassiveAggressive()], Contrary(X)).games
    assert [game.mistakes for game in games.values()] == [60, 60]


def test_what_a_comparison_refuses():
    with pytest.raises(ValueError, match="no learners"):
        compare([], [[1.0]], [1.0])
    one = rg.Perceptron()
    with pytest.raises(ValueError, match="stands twice"):
        compare([one, one], [[1.0]], [1.0])
