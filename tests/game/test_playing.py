"""A game is the loop of `learn_one`, whatever it is played on; what it tells is what NumPy makes of its rounds."""

import numpy as np
import pytest

import regretful as rg
from regretful.game import play
from regretful.nature import LogisticNoise, Nature, Pairs, Stream
from tests.game.streams import FORMS, examples, table


def learner(**options):
    return rg.GradientDescent(rg.Logistic(), rg.InverseSqrt(1.0), rg.Ball(2.0), n=None, **options)


@pytest.mark.parametrize("form", FORMS)
def test_a_game_is_the_loop_of_learn_one(form):
    X, y, _ = examples()
    twin = learner()
    paid = [twin.learn_one(x, label) for x, label in zip(X, y, strict=True)]
    game = play(learner(), *FORMS[form](X, y), keep_predictions=True)
    assert game.rounds == 60
    np.testing.assert_allclose(game.predictions, paid, rtol=1e-13, atol=1e-15)
    if "events" not in form and form not in ("pandas", "polars", "arrow"):
        assert game.predictions.tolist() == paid
        assert (game.learner.weights == twin.weights).all()
    assert game.loss == game.learner.ledger.loss == pytest.approx(twin.ledger.loss, rel=1e-13)
    losses = np.log1p(np.exp(-y * game.predictions))
    np.testing.assert_allclose(game.losses, losses, rtol=1e-12)
    assert game.mistakes == game.wrong.sum() == (y * game.predictions <= 0).sum()
    assert game.mean_loss == pytest.approx(losses.mean())
    assert game.regret(rg.Ball(1.0)).at_most == pytest.approx(play(learner(), X, y).regret(rg.Ball(1.0)).at_most)


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "events"])
def test_labels_and_weights_may_be_columns(kind):
    X, y, weight = examples()
    twin = learner()
    twin.learn_many(X, y, weight)
    game = play(learner(), table(kind, X, y, weight), label="label", weight="w")
    assert game.loss == pytest.approx(twin.ledger.loss, rel=1e-12)
    assert game.weight == weight.sum()
    assert sorted(game.learner.named_weights()) == ["a", "b", "c"]
    with pytest.raises(ValueError, match="'nobody'"):
        play(learner(), table(kind, X, y, weight), label="nobody")


def test_weights_of_pairs_and_arrays():
    X, y, weight = examples()
    one = play(learner(), X, y, weight=weight)
    other = play(learner(), zip(X, y, weight, strict=True))
    assert one.loss == other.loss == pytest.approx(weight @ one.losses)
    assert one.regret(rg.Ball(1.0)) == pytest.approx(other.regret(rg.Ball(1.0)), rel=1e-6)


def test_the_curve_takes_stock():
    X, y, weight = examples(1000)
    game = play(learner(), X, y, weight=weight, domains=[rg.Ball(2.0), rg.Simplex()])
    t = game.curve["rounds"]
    assert 60 < len(t) <= 101
    assert (np.diff(t) > 0).all()
    assert (t[0], t[-1]) == (1, 1000)
    totals = np.cumsum(weight * game.losses)
    np.testing.assert_allclose(game.curve["loss"], totals[t - 1], rtol=1e-12)
    np.testing.assert_allclose(game.curve["mean_loss"], totals[t - 1] / np.cumsum(weight)[t - 1], rtol=1e-12)
    since = np.diff(totals[t - 1], prepend=0) / np.diff(np.cumsum(weight)[t - 1], prepend=0)
    np.testing.assert_allclose(game.curve["since_last"], since, rtol=1e-9)
    assert (game.curve["mistakes"] == np.cumsum(game.wrong)[t - 1]).all()
    for domain in (rg.Ball(2.0), rg.Simplex()):
        assert game.curve[f"certificate {domain!r}"][-1] == game.certificate(domain).regret_at_most
        halfway = play(learner(), X[: t[40]], y[: t[40]], weight=weight[: t[40]])
        assert game.curve[f"certificate {domain!r}"][40] == halfway.certificate(domain).regret_at_most


@pytest.mark.parametrize(
    ("curve", "stops"), [(range(10, 61, 10), [10, 20, 30, 40, 50, 60]), ([7, 3, 99], [3, 7, 60]), (0, [60]), (1, [60])]
)
def test_the_curve_stops_where_it_is_told_and_at_the_end(curve, stops):
    X, y, _ = examples()
    assert play(learner(), X, y, curve=curve).curve["rounds"].tolist() == stops
    assert play(learner(), zip(X, y, strict=True), curve=curve).curve["rounds"].tolist() == stops


def test_rounds_bound_the_game():
    X, y, _ = examples()
    for given in ((X, y), (zip(X, y, strict=True),), (Stream(X, y),), (Pairs(list(zip(X, y, strict=True))),)):
        game = play(learner(), *given, rounds=17)
        assert game.rounds == game.learner.rounds == 17
        assert len(np.asarray(game.examples()[1])) == 17
    assert play(learner(), X, y, rounds=1000).rounds == 60
    with pytest.raises(ValueError, match="say how many rounds"):
        play(learner(), LogisticNoise(3))
    with pytest.raises(ValueError, match="rounds must be at least 0"):
        play(learner(), X, y, rounds=-1)


def test_the_stretches_make_no_difference():
    nature = LogisticNoise(4, seed=2)
    X, y, _ = nature.examples(0, 3000)
    one, other = play(learner(), nature, rounds=3000), play(learner(), X, y, curve=0)
    assert (one.learner.weights == other.learner.weights).all()
    assert one.loss == other.loss
    assert (one.losses == other.losses).all()


def test_a_nature_that_looks_is_played_round_by_round():
    class Looks(Nature):
        rounds = 5
        seen = ()

        def reveal(self, learner):
            self.seen = (*self.seen, learner.rounds)
            return [1.0]

        def label(self, learner, x, p):
            assert p == learner.predict_one(x)
            return -1 if p > 0 else 1

    nature = Looks()
    game = play(rg.Perceptron(), nature)
    assert nature.seen == (0, 1, 2, 3, 4)
    assert game.mistakes == 5


def test_losses_without_labels_and_losses_of_ones_own():
    class Cubic(rg.Loss):
        def value(self, p, y):
            return abs(p - y) ** 3

        def slope(self, p, y):
            return 3 * (p - y) * abs(p - y)

    X, y, _ = examples()
    game = play(rg.GradientDescent(Cubic(), 0.001), X, y, keep_predictions=True)
    np.testing.assert_allclose(game.losses, np.abs(game.predictions - y) ** 3)
    assert game.wrong is None
    wealth = np.exp(0.1 * np.random.default_rng(0).normal(size=(50, 3)))
    game = play(rg.ExponentiatedGradient(rg.LogWealth(), 0.1), wealth)
    assert game.loss == game.learner.ledger.loss
    assert game.regret(rg.Simplex()).at_most <= np.log(3) / 0.1 + 0.1 * 50 * 2


def test_a_learner_without_a_ledger_plays_too():
    X, y, weight = examples()
    one, other = play(learner(ledger=False), X, y, weight=weight), play(learner(), X, y, weight=weight)
    assert one.loss == pytest.approx(other.loss, rel=1e-12)
    assert (one.mistakes, one.weight) == (other.mistakes, other.weight)
    with pytest.raises(ValueError, match="kept no ledger"):
        one.certificate(rg.Ball(1.0))
    assert one.regret(rg.Ball(2.0)).at_least == pytest.approx(other.regret(rg.Ball(2.0)).at_least)


def test_bad_rows_are_named_from_the_start_of_the_game():
    X, y, _ = examples(2000)
    X[1500, 1] = np.nan
    student = learner()
    with pytest.raises(ValueError, match=r"row 1500, feature 1: nan is not a finite number \(the [\d,]+ rounds before"):
        play(student, X, y)
    assert 0 < student.rounds <= 1500
    with pytest.raises(ValueError, match="round 1501: feature 1: nan"):
        play(learner(), zip(X, y, strict=True))
    labels = y.copy()
    labels[1900] = 3.0
    student = learner()
    with pytest.raises(ValueError, match=r"row 1900: label 3\.0"):
        play(student, X, labels)
    assert student.rounds == 0


def test_other_bad_input():
    X, y, _ = examples()
    with pytest.raises(ValueError, match="X has 60 rows, and there are 59 labels"):
        play(learner(), X, y[1:])
    with pytest.raises(TypeError, match="needs labels"):
        play(learner(), X)
    with pytest.raises(TypeError, match="not both"):
        play(learner(), X, y, label="y")
    with pytest.raises(TypeError, match="name columns of a table"):
        play(learner(), X, label="y")
    with pytest.raises(TypeError, match="expected pairs"):
        play(learner(), iter([1.0, 2.0]))
    with pytest.raises(TypeError, match="a nature reveals labels"):
        play(learner(), LogisticNoise(3), y)
    with pytest.raises(TypeError, match="pairs bring their weights"):
        play(learner(), zip(X, y, strict=True), weight=1.0)


def test_what_is_no_game_is_refused_in_words():
    X, y, _ = examples()
    student = learner()
    for nothing in (5, None):
        with pytest.raises(TypeError, match=f"X must hold the examples, .* not {nothing}"):
            play(student, nothing, y)
    for rounds in ("5", 2.5):
        with pytest.raises(TypeError, match="rounds must be a whole number, not"):
            play(student, X, y, rounds=rounds)
    for domains in ("ball", ["ball"], rg.Ball, (rg.Ball(1.0), 3.0)):
        with pytest.raises(TypeError, match="every one of the domains must be"):
            play(student, X, y, domains=domains)
    assert student.rounds == 0
    game = play(student, X, y)
    for wrong in ("ball", 3.0):
        for ask in (game.certificate, game.hindsight, game.regret, student.ledger.certificate, rg.Ledger().certificate):
            with pytest.raises(TypeError, match=f"domain must be a domain, not {wrong!r}"):
                ask(wrong)


def test_labels_may_be_an_entry_of_events_that_come_from_any_iterable():
    class Events:
        def __iter__(self):
            return iter([{"a": 1.0, "y": 1.0}, {"a": -1.0, "y": -1.0}])

    assert play(learner(), Events(), label="y").loss == play(learner(), list(Events()), label="y").loss
    for wrong in ("abc", {"a": 1.0}, np.ones((2, 2)), 3):
        with pytest.raises(TypeError, match="name columns of a table or entries of events"):
            play(learner(), wrong, label="y")


def test_a_nature_that_gives_other_rounds_than_were_asked_for():
    """It once made a game go on for ever."""

    class Short(LogisticNoise):
        def examples(self, first, last):
            return super().examples(first, min(last, 300) if first < 300 else last + 1)

    student = learner()
    with pytest.raises(ValueError, match=r"gave 44 rounds where \d+ were asked for, examples\(256, \d+\)"):
        play(student, Short(3), rounds=1000, curve=[256])
    assert student.rounds == 256


def test_a_game_whose_examples_weigh_nothing():
    X, y, _ = examples()
    game = play(learner(), X, y, weight=np.zeros(60))
    assert game.regret(rg.Ball(1.0)) == (0.0, 0.0)
    assert game.certificate(rg.Ball(1.0)).regret_at_most == game.loss == 0.0
    assert game.summary() == "GradientDescent played 60 rounds, and the weights of their examples are all 0."
    assert rg.game.words.answer(game)[1] == "There is nothing to compare."
    with pytest.raises(ValueError, match="weights of the examples are all 0"):
        game.hindsight(rg.Ball(1.0))


@pytest.mark.parametrize("form", FORMS)
def test_who_watches_sees_every_round_once(form):
    X, y, _ = examples()
    seen = []
    game = play(
        learner(),
        *FORMS[form](X, y),
        curve=[1, 2, 4, 8, 16, 32],
        keep_predictions=True,
        watch=lambda batch, p, tape: seen.append((len(batch.y), p, tape.t, tape.account(False).loss)),
    )
    assert [p.size for _, p, _, _ in seen] == [labels for labels, _, _, _ in seen]
    assert np.concatenate([p for _, p, _, _ in seen]).tolist() == game.predictions.tolist()
    ends = [t for _, _, t, _ in seen]
    assert set(ends) >= {1, 2, 4, 8, 16, 32, 60}
    assert seen[-1][3] == game.loss


def test_who_watches_sees_pairs_and_their_weights():
    X, y, weight = examples()
    seen = []
    play(learner(), zip(X, y, weight, strict=True), watch=lambda batch, p, tape: seen.append(batch))
    assert np.concatenate([batch.X for batch in seen]).tolist() == X.tolist()
    weights = [np.ones(len(batch.y)) if batch.weight is None else batch.weight for batch in seen]
    assert np.concatenate(weights).tolist() == weight.tolist()
