"""A label that the loss does not take is a bad line: named by file and place, or left out and counted."""

import numpy as np
import pytest

import regretful as rg
from regretful.readers import BadLine

ROWS = [(1, 2.0), (0, 1.0), (7, 3.0), (1, -2.0)]
FILES = {
    "log.libsvm": ("".join(f"{y} 1:{x}\n" for y, x in ROWS), "line 3, column 1"),
    "log.vw": ("".join(f"{y} | a:{x}\n" for y, x in ROWS), "line 3, column 1"),
    "log.csv": ("y,a\n" + "".join(f"{y},{x}\n" for y, x in ROWS), "row 4, column 'y' (the label)"),
    "log.jsonl": ("".join(f'{{"y": {y}, "a": {x}}}\n' for y, x in ROWS), "line 3, column 7: key 'y': expected"),
}
names = pytest.mark.parametrize("name", FILES)


def opened(folder, name, **how):
    path = folder / name
    path.write_text(FILES[name][0])
    return rg.read(path, **({} if name.endswith(("libsvm", "vw")) else {"label": "y"}), **how)


def learner(log, loss):
    return rg.GradientDescent(loss, 0.1, features=log.features)


@names
def test_it_is_named_by_file_and_place(tmp_path, name):
    log = opened(tmp_path, name)
    with pytest.raises(BadLine, match="expected a label that Logistic\\(\\) takes: -1 or \\+1") as caught:
        rg.play(learner(log, rg.Logistic()), log)
    assert f"{name}, {FILES[name][1]}" in str(caught.value) or f"{name}: {FILES[name][1]}" in str(caught.value)


@names
def test_it_is_left_out_and_counted(tmp_path, name):
    log = opened(tmp_path, name, skip_bad=True)
    played = learner(log, rg.Logistic())
    game = rg.play(played, log)
    assert (game.rounds, log.bad.count) == (3, 1)
    ((X, y, _),) = log
    expected = learner(log, rg.Logistic())
    for row in (0, 1, 3):
        expected.learn_one(X[row : row + 1], y[row])
    assert played.weights.tobytes() == expected.weights.tobytes()


@names
def test_another_loss_takes_it(tmp_path, name):
    """Each game says anew whose labels they are to be, and several learners agree or nobody says."""
    log = opened(tmp_path, name)
    with pytest.raises(BadLine):
        rg.play(learner(log, rg.Logistic()), log)
    assert rg.play(learner(log, rg.Squared()), log).rounds == 4
    told = rg.compare({"a": learner(log, rg.Squared()), "b": learner(log, rg.Absolute())}, log)
    assert [row["rounds"] for row in told.rows] == [4, 4]


def test_a_loss_of_ones_own_says_what_it_takes(tmp_path):
    class Signs(rg.Loss):
        classification = True

        def value(self, p, y):
            return max(0.0, -y * p)

        def slope(self, p, y):
            return -y if y * p <= 0.0 else 0.0

    log = opened(tmp_path, "log.vw", skip_bad=True)
    assert rg.play(learner(log, Signs()), log).rounds == 3
    assert np.isfinite(learner(log, Signs()).weights).all()


def test_learners_of_labels_take_any(tmp_path):
    path = tmp_path / "log.libsvm"
    path.write_text("".join(f"{k % 4} {k % 4 + 1}:1\n" for k in range(40)))
    makers = (
        lambda features: rg.MulticlassGradientDescent(rg.Softmax(), features=features),
        lambda features: rg.MulticlassPerceptron(features=features),
    )
    for make in makers:
        log = rg.read(path)
        assert rg.play(make(log.features), log).rounds == 40


def test_a_later_game_changes_nothing_about_an_earlier_one(tmp_path):
    path = tmp_path / "log.libsvm"
    path.write_text("".join(f"{(0, 1, 3)[k % 3]} 1:{k % 5 - 2}\n" for k in range(60)))
    log = rg.read(path, skip_bad=True)
    first = rg.play(learner(log, rg.Squared()), log)
    before = first.regret(rg.Ball(1.0))
    assert rg.play(learner(log, rg.Logistic()), log).rounds == 40
    assert first.regret(rg.Ball(1.0)) == before
    assert sum(len(batch.X) for batch in log) == 60


@pytest.mark.parametrize("blank", [" ", "\t "])
@pytest.mark.parametrize("kind", ["libsvm", "vw"])
def test_it_is_shown_after_blanks_too(tmp_path, kind, blank):
    path = tmp_path / "log"
    path.write_text(f"{blank}3 {'| a' if kind == 'vw' else '1'}:1\n")
    log = rg.read(path, format=kind)
    with pytest.raises(BadLine, match=f"line 1, column {1 + len(blank)}: expected a label .*, not '3'"):
        rg.play(learner(log, rg.Logistic()), log)
