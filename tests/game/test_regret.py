"""What a game proves: the interval holds the regret, the certificate is above it; empty and earlier games."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regretful as rg
from regretful.game import play
from regretful.game.words import answer, within
from regretful.nature import Contrary, Drifting, LeaderBreaker, LinearNoise, LogisticNoise, RandomSigns
from tests.game.streams import examples

DOMAINS = [rg.Ball(2.0), rg.L1Ball(1.5), rg.Simplex(2.0), rg.Box(-1.0, 0.5)]
LOSSES = [rg.Squared(), rg.Absolute(), rg.Logistic(), rg.Hinge(), rg.Huber(0.5), rg.Quantile(0.3)]


@settings(max_examples=150)
@given(st.sampled_from(LOSSES), st.sampled_from(DOMAINS), st.integers(0, 10**6), st.integers(1, 40), st.booleans())
def test_the_interval_holds_the_regret_and_the_certificate_is_above_it(loss, domain, seed, rounds, contrary):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, 3))
    nature = Contrary(X) if contrary else RandomSigns(3, labels=True, seed=seed)
    game = play(rg.GradientDescent(loss, rg.InverseSqrt(0.5), domain), nature, rounds=rounds)
    X, y, _ = game.examples()
    regret = game.regret(domain, tol=1e-4)
    assert regret.at_least <= regret.at_most <= game.certificate(domain).regret_at_most + 1e-9 * (1 + abs(game.loss))
    for _ in range(20):
        u = domain.project(3.0 * rng.normal(size=3))
        assert game.loss - np.sum(loss.value(X @ u, np.asarray(y))) <= regret.at_most + 1e-7 * (1 + abs(game.loss))


def test_the_interval_is_narrow():
    game = play(rg.GradientDescent(rg.Logistic(), 0.5, rg.Ball(3.0)), LogisticNoise(5), rounds=3000)
    regret = game.regret(rg.Ball(3.0))
    assert 0 <= regret.at_most - regret.at_least <= 1e-6 * game.loss * 1.01
    assert game.hindsight(rg.Ball(3.0)) is game.hindsight(rg.Ball(3.0))
    assert game.certificate(rg.Everywhere()).regret_at_most == np.inf
    assert np.isfinite(game.regret(rg.Everywhere()).at_most)


def test_long_samplers_are_replayed_from_their_source(monkeypatch):
    nature = LinearNoise(3)
    game = play(rg.GradientDescent(rg.Squared(), 0.1), nature, rounds=5000)
    whole = game.regret(rg.Ball(1.0))
    monkeypatch.setattr("regretful.game.sources.STRETCH", 1000)
    again = play(rg.GradientDescent(rg.Squared(), 0.1), nature, rounds=5000)
    assert callable(again.examples()[0])
    assert again.regret(rg.Ball(1.0)) == pytest.approx(whole, abs=1e-3)
    assert sum(len(part[1]) for part in again.parts()) == 5000


def test_a_drifting_world_is_told():
    nature = Drifting(3, noise=0.0, speed=0.02)
    game = play(rg.GradientDescent(rg.Squared(), 1.0, rg.Ball(1.0)), nature, rounds=2000)
    assert game.regret(rg.Ball(1.0)).at_most < 0
    assert game.certificate(rg.Ball(0.5)).regret_at_most < 0
    assert "beat every fixed predictor of norm at most 0.5" in game.summary(rg.Ball(0.5))


def test_a_game_counts_only_its_own_rounds():
    X, y, weight = examples(200)
    learner = rg.GradientDescent(rg.Logistic(), 0.1, rg.Ball(2.0))
    first = play(learner, X[:80], y[:80], weight=weight[:80])
    second = play(learner, X[80:], y[80:], weight=weight[80:])
    assert (first.rounds, second.rounds, second.earlier_rounds) == (80, 120, 80)
    assert first.loss + second.loss == pytest.approx(learner.ledger.loss)
    assert first.mistakes + second.mistakes == learner.ledger.mistakes
    assert second.loss == pytest.approx(weight[80:] @ second.losses)
    assert second.curve["rounds"][-1] == 120
    assert second.regret(rg.Ball(2.0)).at_most <= second.certificate(rg.Ball(2.0)).regret_at_most + 1e-9
    before = first.certificate(rg.Ball(2.0)).regret_at_most
    assert before == play(rg.GradientDescent(rg.Logistic(), 0.1, rg.Ball(2.0)), X[:80], y[:80], weight=weight[:80])\
        .certificate(rg.Ball(2.0)).regret_at_most  # fmt: skip


def test_an_empty_game():
    game = play(rg.GradientDescent(rg.Logistic(), 0.1), np.zeros((0, 3)), [])
    assert (game.rounds, game.loss, game.mistakes) == (0, 0.0, 0)
    assert np.isnan(game.mean_loss)
    assert game.regret(rg.Ball(1.0)) == (0.0, 0.0)
    assert "no rounds" in game.summary()
    assert len(game.curve["rounds"]) == 0
    for what in (game.last, game.risk, game.plot):
        with pytest.raises(ValueError, match="no rounds"):
            what()
    with pytest.raises(ValueError, match="no examples"):
        game.hindsight(rg.Ball(1.0))


def test_examples_that_were_not_kept_are_missed_only_by_hindsight():
    X, y, _ = examples()
    game = play(rg.Perceptron(), zip(X, y, strict=True), record=False)
    assert np.isfinite(game.certificate(rg.Ball(1.0)).regret_at_most)
    with pytest.raises(ValueError, match="record=True"):
        game.hindsight(rg.Ball(1.0))


def test_an_intercept_is_part_of_the_comparator():
    X, y, _ = examples()
    game = play(rg.GradientDescent(rg.Squared(), 0.05, intercept=True), X, y + 3.0)
    best = game.hindsight(rg.Ball(5.0))
    assert best.intercept > 1.0
    assert game.regret(rg.Ball(5.0)).at_most <= game.certificate(rg.Ball(5.0)).regret_at_most + 1e-9


def test_predictors_are_those_of_the_end_of_the_game():
    X, y, _ = examples()
    learner = rg.GradientDescent(rg.Logistic(), 0.5, keep=("average", "weighted", "random"))
    game = play(learner, X, y)
    kept = {
        "last": learner.weights,
        "average": learner.average().weights,
        "weighted_average": learner.weighted_average().weights,
        "random_iterate": learner.random_iterate().weights,
    }
    learner.learn_many(X, -y)
    for name, weights in kept.items():
        assert (getattr(game, name)().weights == weights).all()
    assert (game.last().weights != learner.weights).any()
    with pytest.raises(ValueError, match='keep=\\("average",\\)'):
        play(rg.Perceptron(), X, y).average()


def test_the_summary_is_in_plain_sentences():
    X, y, _ = examples()
    text = play(rg.Perceptron(), X, y).summary()
    assert "Perceptron played 60 rounds" in text
    assert "mistakes" in text
    assert "No bounded domain was asked about" in text
    text = play(rg.Perceptron(), X, y).summary(rg.Ball(1.0))
    assert "of norm at most 1" in text


def test_the_answer_is_two_sentences():
    X, y, _ = examples()
    game = play(rg.GradientDescent(rg.Logistic(), 0.1), X, y)
    domain = rg.Ball(0.5)
    first, second = answer(game, domain)
    assert first == (
        f"GradientDescent lost {game.mean_loss:.4g} a round over 60 rounds (logistic loss), "
        f"and was wrong in {game.mistakes / 60:.2%} of them."
    )
    proved = game.certificate(domain)
    best, regret = (total / 60 for total in (proved.best_loss_at_least, proved.regret_at_most))
    assert second == (
        f"No fixed predictor of norm at most 0.5 could have lost less than {best:.4g} a round: "
        f"it was within {regret:.4g} of the best of them."
    )
    assert answer(game, domain, 6.0)[1] == second[:-1] + ", and theory had promised 0.1."
    assert "not told apart from 0 yet" in answer(game, rg.Ball(1000.0))[1]
    assert "nothing is certified" in answer(game, rg.Everywhere())[1]
    assert "No bounded domain" in answer(game)[1]
    assert answer(play(rg.Perceptron(), X[:1], y[:1]))[0].startswith(
        "Perceptron lost 0 a round over 1 round (hinge loss, margin 0)"
    )
    assert answer(play(rg.Perceptron(), X[:0], y[:0])) == (
        "Perceptron played no rounds.",
        "There is nothing to compare.",
    )


def test_of_a_player_the_words_know_that_the_certificate_is_the_regret():
    game = play(rg.LazyPlayer(rg.Box(-1.0, 1.0), 1e12, n=1), LeaderBreaker(), rounds=1000)
    assert game.regret(rg.Box(-1.0, 1.0)) == (999.5, 999.5)
    assert answer(game, rg.Box(-1.0, 1.0))[1] == (
        "No fixed predictor of weights from -1 to 1 could have lost less than -0.0005 a round: it was within 0.9995 of "
        "the best of them."
    )


@pytest.mark.parametrize(
    ("domain", "words"),
    [
        (rg.Everywhere(), "whatever its weights"),
        (rg.L1Ball(2.5), "whose weights add up to at most 2.5, signs aside"),
        (rg.Simplex(), "of weights from 0 on that add up to 1"),
        (rg.Orthant(), "of weights from 0 on"),
        (rg.Box(-1.0, 2.0), "of weights from -1 to 2"),
        (rg.Box([0.0], [2.0]), "in Box(low=array([0.]), high=array([2.]))"),
    ],
    ids=repr,
)
def test_domains_in_words(domain, words):
    assert within(domain) == words


def test_hashed_and_padded_learners_are_compared_with_their_own_kind():
    X, y, _ = examples()
    rows = [{"a": row[0], "b": row[1], "c": row[2]} for row in X]
    game = play(rg.GradientDescent(rg.Logistic(), 0.1, features=rg.Hashing(bits=1)), rows, y)
    regret = game.regret(rg.Ball(2.0))
    assert regret.at_least <= regret.at_most <= regret.at_least + 1e-4
    wide = rg.ExponentiatedGradient(rg.Squared(), 0.1, n=10)
    game = play(wide, rows, y)
    regret = game.regret(rg.Simplex())
    least = min(
        float(((X @ [u, v, w] - y) ** 2).sum()) for u, v, w in np.random.default_rng(0).dirichlet([1] * 4, 5000)[:, :3]
    )
    assert regret.at_least <= game.loss - least <= regret.at_most
    assert regret.at_most == game.certificate(rg.Simplex()).regret_at_most
