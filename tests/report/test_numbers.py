"""What is drawn is what NumPy and scikit-learn make of the predictions and labels."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import regretful as rg
from regretful.game.tally import Tally
from regretful.report import classes, curves, facts, labels, weights
from regretful.report.compared import compare, natural
from tests.report.games import clicks, demand, hinge, poisson, wealth


def tally_of(loss, p, y, weight=None):
    tally = Tally(loss)
    tally.add(np.asarray(p, float), np.asarray(y, float), weight)
    return tally


@pytest.mark.parametrize("rounds", [40, 20_000])
def test_the_area_under_the_roc_is_that_of_scikit_learn(rounds):
    rng = np.random.default_rng(rounds)
    p = 2 * rng.normal(size=rounds)
    y = np.where(rng.random(rounds) < 1 / (1 + np.exp(-p)), 1.0, -1.0)
    weight = rng.integers(1, 5, rounds).astype(float)
    alarms, hits, area = classes.curve(tally_of(rg.Logistic(), p, y, weight))
    # Pairs that share a bin, 1/128 of an octave wide, count one half.
    assert area == pytest.approx(roc_auc_score(y, p, sample_weight=weight), abs=2e-4)
    assert (alarms[0], hits[0], alarms[-1], hits[-1]) == (0.0, 0.0, 1.0, 1.0)
    threshold = 1.0  # an edge between bins
    share = weight[(y > 0) & (p >= threshold)].sum() / weight[y > 0].sum()
    at = weight[(y < 0) & (p >= threshold)].sum() / weight[y < 0].sum()
    assert np.abs(hits - share).min() < 1e-12
    assert np.hypot(hits - share, alarms - at).min() < 1e-12


def test_groups_are_as_large_as_each_other_and_hold_the_means():
    game = clicks()
    said, came, weight = classes.groups(game.tally)
    assert len(said) == classes.GROUPS
    assert weight.sum() == game.rounds
    assert (np.abs(weight - game.rounds / classes.GROUPS) < 0.25 * weight.mean()).all()
    assert (np.diff(said) > 0).all()
    chance = 1 / (1 + np.exp(-game.predictions))
    assert weight @ said == pytest.approx(chance.sum())
    assert weight @ came == pytest.approx(np.asarray(game.examples()[1]).sum())
    order = np.argsort(game.predictions, kind="stable")
    first = order[: int(weight[0])]
    assert said[0] == pytest.approx(chance[first].mean(), rel=1e-9)


def test_few_rounds_and_predictions_all_alike():
    said, came, weight = classes.groups(tally_of(rg.Logistic(), [0.0, 0.0, 0.0], [1, -1, 1]))
    assert (said.tolist(), weight.tolist()) == ([0.5], [3.0])
    assert came == pytest.approx([2 / 3])
    (nothing,) = classes.charts(tally_of(rg.Logistic(), [0.1, 0.2], [1, 1]))
    assert nothing.figure is None
    assert nothing.note == "All labels were positive: there is nothing to tell apart."
    (nothing,) = classes.charts(tally_of(rg.Logistic(), [0.1, 0.2], [-1, -1]))
    assert "negative" in nothing.note


def test_calibration_of_what_is_no_chance_says_so():
    chart = classes.calibration(hinge().tally)
    assert chart.title == "How often positive, by prediction"
    assert chart.columns[0] == "prediction p"
    assert classes.calibration(clicks().tally).title == "Calibration"


@pytest.mark.parametrize("make", [demand, poisson])
def test_residuals_are_those_of_numpy(make):
    game = make()
    tally = game.tally
    loss = game.learner.loss
    _, y, _ = game.examples()
    said = np.exp(game.predictions) if isinstance(loss, rg.Poisson) else game.predictions
    residual = np.asarray(y) - said
    shares = np.array([0.05, 0.25, 0.5, 0.75, 0.95])
    found = labels.quantiles(tally.residuals, shares)
    exact = np.quantile(residual, shares)
    np.testing.assert_allclose(found, exact, rtol=0.02, atol=0.02 * residual.std())
    chart = labels.residuals(tally)
    low, high, share = np.array(chart.rows).T
    edge = np.append(low, high[-1])
    counts = np.histogram(residual, edge)[0] / len(residual)
    # A bin that a bar's end cuts is split evenly: off by half of its rounds at most, at both ends.
    assert np.abs(np.cumsum(share) - np.cumsum(counts)).max() < 0.02
    assert share.sum() == pytest.approx(0.99, abs=0.01)
    assert f"{np.mean(residual < 0):.1%}" in chart.summary


def test_predictions_without_any_spread_still_have_axes():
    charts = labels.charts(tally_of(rg.Squared(), [1.0] * 5, [1.0] * 5))
    for chart in charts:
        for axis in ("xaxis", "yaxis"):
            low, high = chart.figure["layout"][axis].get("range", (0, 1))
            assert low < high


def test_the_sample_on_the_chart_is_small_and_of_the_game():
    chart = labels.against(demand().tally)
    assert len(chart.figure["data"][0]["x"]) == 2000
    assert len(chart.rows) <= classes.GROUPS


def test_curves_are_those_of_the_game():
    game = demand()
    compared = compare(game, None, None)
    assert compared.domain == rg.Ball(3.0)
    best = game.hindsight(rg.Ball(3.0), 1e-4)
    X, y, _ = game.examples()
    lost = np.cumsum(rg.Huber().value(best.predict_many(X), np.asarray(y)))
    np.testing.assert_allclose(compared.best, lost[game.curve["rounds"] - 1], rtol=1e-12)
    assert compared.certificate[-1] == pytest.approx(game.certificate(rg.Ball(3.0)).regret_at_most)
    assert compared.theorem.id == "ogd-sqrt"
    verdict = compared.theorem.of(game)
    assert compared.promised[-1] == pytest.approx(verdict.right)
    assert (compared.certificate <= compared.promised).all()
    assert game.loss - compared.best[-1] <= compared.certificate[-1]
    loss, regret = curves.charts(game, compared)
    assert [name for name, _, _ in regret.key][:3] == [
        "to the best in hindsight of all rounds", "certificate: at most", "theory: at most"
    ]  # fmt: skip
    last = dict(zip(regret.columns, regret.rows[-1], strict=True))
    assert last["certificate: at most"] == pytest.approx(compared.certificate[-1] / game.rounds)
    assert loss.rows[-1][1] == game.mean_loss
    lately = loss.columns.index("over the last half of the rounds")
    assert loss.rows[-1][lately] == pytest.approx(game.losses[1500:].mean(), rel=0.05)


def test_a_ball_that_was_not_asked_for_has_its_certificate_along_the_way():
    game = clicks()
    for domain in (rg.Ball(5.0), rg.Ball(0.1)):
        compared = compare(game, domain, hindsight=False)
        assert compared.certificate[-1] == pytest.approx(game.certificate(domain).regret_at_most)
        assert compared.best is None
    t = int(game.curve["rounds"][50])
    X, y, _ = game.examples()
    part = rg.play(rg.AdaGrad(rg.Logistic(), 0.1, intercept=True), X.slice(0, t), y[:t])
    found = compare(game, rg.Ball(5.0), hindsight=False).certificate[50]
    assert found == pytest.approx(part.certificate(rg.Ball(5.0)).regret_at_most)


def test_the_domain_is_the_games_or_the_learners_or_the_ball_that_its_weights_fill():
    assert natural(demand()) == rg.Ball(3.0)
    assert natural(wealth()) == rg.Simplex()
    game = clicks()
    norm = np.hypot(np.linalg.norm(game.last().weights), game.last().intercept)
    assert norm <= natural(game).radius <= 1.1 * norm
    X, y, _ = demand().examples()
    assert natural(rg.play(rg.WidrowHoff(0.01), X, y, domains=[rg.L1Ball(2.0)])) == rg.L1Ball(2.0)
    assert natural(rg.play(rg.GradientDescent(rg.Squared(), 0.01, ledger=False), X, y)) is None
    assert natural(rg.play(rg.Perceptron(), np.zeros((3, 1)), [1, 1, 1])) == rg.Ball(1.0)


def test_theorems_that_do_not_speak_of_the_game_say_why():
    unmet = {id_: why for id_, _, why in compare(clicks(), None, hindsight=False).unmet}
    assert "speaks of gradient descent" in unmet["gd-regret"]
    X, y, _ = demand().examples()
    learner = rg.GradientDescent(rg.Huber(), rg.InverseSqrt(0.5), rg.Ball(3.0))
    first = rg.play(learner, X, y)
    unmet = {id_: why for id_, _, why in compare(first, rg.Ball(2.0), hindsight=False).unmet}
    assert unmet["ogd-sqrt"] == (
        "speaks of predictors of norm at most 3, and the comparison is with those of norm at most 2"
    )
    again = rg.play(learner, X, y)
    for game in (first, again):
        compared = compare(game, None, hindsight=False)
        assert compared.theorem is None
        assert {why for _, _, why in compared.unmet} == {
            "the learner played other rounds before this game, or after it"
        }


def test_what_is_left_out_is_told():
    X, y, _ = demand().examples()
    pairs = rg.play(rg.GradientDescent(rg.Squared(), 0.01), zip(X, y, strict=True), record=False)
    assert "play with record=True" in compare(pairs, None, None).no_best
    bare = rg.play(rg.GradientDescent(rg.Squared(), 0.01, ledger=False), X, y)
    compared = compare(bare, rg.Ball(1.0), hindsight=False)
    assert compared.certificate is None
    assert "kept no ledger" in compared.no_certificate
    assert curves.charts(bare, compared)[1].note == compared.no_certificate
    game = rg.play(rg.GradientDescent(rg.Squared(), 0.01), X, y)
    assert "certificates along the way" in compare(game, rg.L1Ball(1.0), hindsight=False).no_certificate.lower()


def test_the_best_of_many_rounds_is_not_looked_for_unasked(monkeypatch):
    monkeypatch.setattr("regretful.report.compared.FEW", 100)
    assert "Ask for it with hindsight=True" in compare(demand(), None, None).no_best
    assert compare(demand(), None, hindsight=True).best is not None


def test_the_largest_weights_are_named():
    chart = weights.chart(clicks())
    named = clicks().last().named_weights()
    assert {name for name, _ in chart.rows} == set(named)
    assert [abs(weight) for _, weight in chart.rows] == sorted(map(abs, named.values()), reverse=True)
    wide = rg.play(rg.GradientDescent(rg.Squared(), 0.01), np.eye(100), np.arange(100.0))
    chart = weights.chart(wide)
    assert [name for name, _ in chart.rows] == [f"feature {99 - k}" for k in range(weights.MOST)]
    assert "20 of 100 weights" in chart.summary
    zero = rg.play(rg.GradientDescent(rg.Squared(), 0.01), np.eye(3), np.zeros(3))
    assert weights.chart(zero).note == "All weights are 0."


def test_the_data_is_described_however_it_came():
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    from scipy.sparse import csr_matrix

    X, y, _ = demand().examples()
    X, y = X[:100], y[:100]

    def told(given):
        return facts.data(rg.play(rg.WidrowHoff(0.01), given, y), None)

    assert told(X)[0][-1] == ("examples", "an array, 100 × 3, float64")
    assert told(csr_matrix(X))[0][-1] == ("examples", "a sparse matrix, 100 × 3, 100.000% of them filled")
    assert told(pandas.DataFrame(X, columns=list("abc")))[1] == [(name, "float64") for name in "abc"]
    assert told(polars.DataFrame(X, schema=list("abc")))[1] == [(name, "Float64") for name in "abc"]
    events = [{"a": 1.0, "city": "Rome"}, {"a": True}] * 50
    assert told(events) == (
        [("rounds played", "100"), ("examples", "100 events")], [("a", "bool or float"), ("city", "str")]
    )  # fmt: skip
    assert facts.data(clicks(), None)[1] == [("device", "string"), ("age/10", "double")]
    read = {"file": "log.csv", "rows": 1200, "bad lines": 3, "columns": {"a": "int64"}}
    assert facts.data(clicks(), read) == (
        [("file", "log.csv"), ("rows", "1,200"), ("bad lines", "3")], [("a", "int64")]
    )  # fmt: skip

    class Source:
        def describe(self):
            return {"format": "csv", "files": ["a.csv", "b.csv"], "size": None, "rows": 7, "bad": 2, "columns": {}}

    assert facts.data(clicks(), Source())[0] == [
        ("format", "csv"), ("files", "a.csv, b.csv"), ("rows", "7"), ("bad lines left out", "2")
    ]  # fmt: skip
    assert facts.data(clicks(), "log.csv")[0][0] == ("source", "log.csv")
    sampled = rg.play(rg.WidrowHoff(0.01), rg.nature.LinearNoise(2), rounds=10)
    assert facts.data(sampled, None)[0][-1][0] == "nature"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(3, "3"), (1200.0, "1,200"), (0.123456, "0.1235"), (123456.78, "123,457"), (1e300, "1e+300"), (np.inf, "inf")],
)
def test_numbers_are_short(value, shown):
    assert facts.number(value) == shown


def test_the_ledger_is_that_of_the_game():
    shown = {letter: figure for letter, figure, _ in facts.ledger(demand())}
    ledger = demand().learner.ledger
    assert shown["T"] == "3,000"
    assert shown["Z"] == facts.number(ledger.max_slope)
    assert shown["V₂"] == facts.number(ledger.squares2)
    assert len(shown) == len(facts.LEDGER)
