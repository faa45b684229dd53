"""Logs: rounds that come in pieces, once through, and again from the start."""

import numpy as np
import pytest

import regretful as rg
from regretful.core.rows import HashedRows
from regretful.core.types import Batch

HASHING = rg.Hashing(6)


class Pieces:
    """A source of 70 rounds in pieces of these sizes."""

    features = HASHING

    def __init__(self, sizes=(10, 0, 33, 1, 26), weighted=True):
        rng = np.random.default_rng(3)
        self.sizes, rows = sizes, sum(sizes)
        self.index = np.array([rng.choice(64, 4, replace=False) for _ in range(rows)], np.int32).ravel()
        self.value = rng.normal(size=4 * rows)
        self.y = rng.choice([-1.0, 1.0], rows)
        self.w = rng.integers(1, 4, rows) * 1.0 if weighted else None
        self.passes = self.closed = 0

    @property
    def X(self):
        return HashedRows(np.arange(0, len(self.index) + 1, 4), self.index, self.value, HASHING)

    def __iter__(self):
        self.passes += 1
        first = 0
        try:
            for size in self.sizes:
                rows = slice(first, first + size)
                yield Batch(self.X[rows], self.y[rows], None if self.w is None else self.w[rows])
                first += size
        finally:
            self.closed += 1


def learner():
    return rg.GradientDescent(rg.Logistic(), 0.3, rg.Ball(5.0), intercept=True, features=HASHING)


@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("curve", [100, 2, [7, 11, 69, 200]])
def test_a_log_is_played_as_if_it_lay_in_memory(weighted, curve):
    source = Pieces(weighted=weighted)
    game = rg.play(learner(), rg.nature.Log(source), curve=curve)
    one = learner()
    one.learn_many(source.X, source.y, source.w)
    assert game.rounds == 70
    assert game.learner.weights.tolist() == one.weights.tolist()
    assert game.loss == one.ledger.loss
    stops = game.curve["rounds"].tolist()
    assert stops[-1] == 70
    assert not isinstance(curve, list) or stops[:3] == [7, 11, 69]


def test_hindsight_reads_the_log_again():
    source = Pieces()
    game = rg.play(learner(), rg.nature.Log(source), domains=rg.Ball(5.0))
    best = rg.hindsight(rg.Logistic(), rg.Ball(5.0), source.X, source.y, weight=source.w, intercept=True,
                        features=HASHING)  # fmt: skip
    assert game.hindsight(rg.Ball(5.0)).loss == pytest.approx(best.loss, rel=1e-6)
    regret = game.regret(rg.Ball(5.0))
    assert regret.at_least <= game.certificate(rg.Ball(5.0)).regret_at_most + 1e-9
    assert source.passes > 2


def test_fewer_rounds_than_there_are():
    source = Pieces()
    nature = rg.nature.Log(source)
    game = rg.play(learner(), nature, rounds=40)
    assert game.rounds == 40
    assert not game.interrupted
    assert sum(len(X) for X, _, _ in game.parts()) == 40
    nature.close()
    assert source.closed == source.passes


def test_one_by_one_it_is_the_same():
    source = Pieces(weighted=False)
    nature = rg.nature.Log(source)
    nature.reset()
    rows = []
    while True:
        try:
            x = nature.reveal(None)
        except StopIteration:
            break
        rows.append((x, nature.label(None, x, 0.0)))
    assert len(rows) == 70
    one, many = learner(), learner()
    assert [one.learn_one(x, y) for x, y in rows] == many.learn_many(source.X, source.y).tolist()
    assert one.predict_one(rows[0][0]) == one.predict_many(source.X[:1])[0]
    with pytest.raises(ValueError, match="one example is one row, not 2"):
        one.predict_one(source.X[:2])
    assert [y for _, y in rows] == source.y.tolist()


def test_nothing_recorded_nothing_kept():
    game = rg.play(learner(), rg.nature.Log(Pieces()), record=False)
    assert game.losses is None
    assert game.wrong is None
    assert "mistake" in game.summary()
    with pytest.raises(ValueError, match="record=True"):
        game.risk(0.05)


def test_order_is_kept_to():
    nature = rg.nature.Log(Pieces())
    with pytest.raises(ValueError, match="round 0 comes next, not 5"):
        nature.examples(5, 6)


def test_a_log_that_shrank_is_noticed():
    source = Pieces()
    game = rg.play(learner(), rg.nature.Log(source))
    source.sizes = (10, 33)
    with pytest.raises(ValueError, match="gave 70 rounds when it was played, and only 43 now"):
        game.hindsight(rg.Ball(5.0))


def test_an_empty_log():
    game = rg.play(learner(), rg.nature.Log(Pieces(sizes=())))
    assert game.rounds == 0
