"""Games of learners of labels: the same account as the learner's, at once as round by round."""

import numpy as np
import pytest

import regretful as rg

RNG = np.random.default_rng(0)
X = RNG.normal(size=(600, 4))
Y = np.array(["ant", "bee", "cow"])[np.argmax(X @ RNG.normal(size=(4, 3)) + RNG.normal(size=(600, 3)), axis=1)]
WEIGHTS = np.round(2.0 * RNG.random(600), 2)


def learner(**options):
    return rg.MulticlassGradientDescent(rg.Softmax(), 0.2, rg.Ball(3.0), **options)


@pytest.mark.parametrize("of", ["stream", "pairs"])
def test_a_game_is_what_the_learner_did(of):
    one, other = learner(keep=("average",)), learner(keep=("average",))
    said = other.learn_many(X, Y, WEIGHTS)
    if of == "stream":
        game = rg.play(one, X, Y, weight=WEIGHTS, domains=rg.Ball(3.0), keep_predictions=True)
    else:
        game = rg.play(one, list(zip(X, Y, WEIGHTS, strict=True)), domains=rg.Ball(3.0), keep_predictions=True)
    np.testing.assert_array_equal(one.weights, other.weights)
    np.testing.assert_array_equal(game.losses, other.last_losses)
    assert game.predictions.tolist() == said.tolist()
    assert game.wrong.tolist() == (said != Y).tolist()
    assert (game.loss, game.mistakes) == (other.ledger.loss, other.ledger.mistakes)
    certificate = other.ledger.certificate(rg.Ball(3.0)).regret_at_most
    assert game.certificate(rg.Ball(3.0)).regret_at_most == certificate
    assert game.curve["certificate Ball(radius=3.0)"][-1] == certificate
    assert game.regret(rg.Ball(3.0)) == (-np.inf, certificate)
    np.testing.assert_array_equal(game.average().weights, other.average().weights)
    assert "wrong in" in game.summary() or "mistake" in game.summary()
    assert game.risk(of="mistakes").mean_loss == pytest.approx(game.mistakes / 600)


def test_a_second_game_accounts_for_its_own_rounds_though_labels_have_come():
    """The G of the first game has fewer labels: what came since is still the difference."""
    one, other = learner(), learner()
    first = [k for k in range(600) if Y[k] != "cow"]
    rg.play(one, X[first], Y[first])
    G, A = one.ledger.G.reshape(4, 2), one.ledger.A
    game = rg.play(one, X, Y)
    other.learn_many(X[first], Y[first])
    other.learn_many(X, Y)
    np.testing.assert_array_equal(one.weights, other.weights)
    G = one.ledger.G.reshape(4, 3) - np.pad(G, ((0, 0), (0, 1)))
    expected = one.ledger.A - A + 3.0 * np.linalg.norm(G)
    assert game.certificate(rg.Ball(3.0)).regret_at_most == pytest.approx(expected, rel=1e-12)
    assert game.rounds == 600


def test_structured_learners_play_pairs():
    chain = rg.Sequences(["N", "V"])
    pairs = [(["dogs", "bark"], ("N", "V")), (["cats", "sleep", "well"], ("N", "V", "V"))] * 20
    tagger = rg.StructuredSVM(chain.psi, chain.cost, chain.decode, domain=rg.Ball(4.0))
    game = rg.play(tagger, pairs, keep_predictions=True)
    assert game.rounds == 40
    assert game.loss == pytest.approx(game.losses.sum())
    assert game.mistakes == tagger.ledger.mistakes == sum(game.wrong)
    assert game.predictions[-1] == ("N", "V", "V")
    assert np.isfinite(game.certificate(rg.Ball(4.0)).regret_at_most)


def test_natures_that_look_see_the_label():
    class Contrary(rg.nature.Nature):
        def reveal(self, learner):
            return [1.0]

        def label(self, learner, x, p):
            return "b" if p == "a" else "a"

    game = rg.play(rg.MulticlassPerceptron(labels=("a", "b")), Contrary(), rounds=50)
    assert game.mistakes == 50


def test_bad_labels_are_found_before_the_first_round():
    one = learner()
    for y, words in [
        ([*Y[:500], None, *Y[501:]], "row 500: a label is missing"),
        ([*Y[:-1], np.nan], "row 599: label"),
    ]:
        with pytest.raises((TypeError, ValueError), match=words):
            rg.play(one, X, np.array(y, dtype=object))
        assert one.rounds == 0


def test_what_a_game_of_labels_cannot_tell_yet():
    game = rg.play(learner(), X, Y)
    with pytest.raises(TypeError, match=r"predictors of numbers; for one of labels ask certificate\(domain\)"):
        game.hindsight(rg.Ball(3.0))


def test_learners_of_labels_can_be_compared():
    told = rg.compare({"hinge": rg.MulticlassGradientDescent(), "softmax": learner()}, X, Y, domain=rg.Ball(3.0))
    assert {row["learner"] for row in told.rows} == {"hinge", "softmax"}
    assert "mistakes" in told.table()


def test_the_picture_has_the_certificate_without_the_best():
    pytest.importorskip("matplotlib").use("agg")
    game = rg.play(learner(), X, Y, domains=rg.Ball(3.0))
    left, right = game.plot()
    assert any("certified" in line.get_label() for line in left.lines)
    assert not any("best" in str(line.get_label()) for line in right.lines)


def test_a_report_of_labels_names_feature_and_label(tmp_path):
    pytest.importorskip("plotly")
    game = rg.play(learner(intercept=True), X, Y, domains=rg.Ball(3.0))
    rg.report.write(game, tmp_path / "game.html")
    assert "bee: 0" in (tmp_path / "game.html").read_text()
