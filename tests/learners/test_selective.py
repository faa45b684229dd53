"""Selective sampling: the textbook's run, labels bought only when asked for, and what is kept of the rounds."""

import copy
import pickle
import threading

import numpy as np
import pytest
from scipy.sparse import csr_array

import regretful as rg
from tests.references import sampling

LEARNERS = {
    "perceptron": lambda: rg.Perceptron(),
    "aggressive": lambda: rg.PassiveAggressive(0.5),
    "logistic": lambda: rg.GradientDescent(rg.Logistic(), rg.InverseSqrt(0.5), rg.Ball(2.0), intercept=True),
    "winnow": lambda: rg.Winnow(0.1, n=6),
    "adaptive": lambda: rg.AdaGrad(rg.SquaredHinge(), 0.1, keep=("average",)),
    "proximal": lambda: rg.FTRLProximal(alpha=0.1, l1=0.1),
    "leader": lambda: rg.FollowTheRegularizedLeader(rg.Logistic(), rate=0.3, exact=True),
}


def stream(rounds=300, n=6, seed=0):
    """Whole numbers: sums of them are exact in any order."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, size=(rounds, n)).astype(float)
    return X, np.where(X @ np.arange(1.0, n + 1) + 3.0 * rng.normal(size=rounds) > 0, 1.0, -1.0)


@pytest.mark.parametrize("b", [0.1, 2.0, 50.0])
@pytest.mark.parametrize("seed", [0, 1])
def test_it_is_the_textbooks_perceptron_to_the_last_bit(b, seed):
    X, y = stream(seed=seed)
    book = sampling.perceptron(X, y, b, np.random.default_rng(seed).random(len(y)))
    sampler = rg.SelectiveSampling(rg.Perceptron(), b, seed=seed)
    np.testing.assert_array_equal(sampler.learn_many(csr_array(X), y), book.predictions)
    np.testing.assert_array_equal(sampler.last_asked, book.asked)
    np.testing.assert_array_equal(sampler.weights, book.iterates[-1])
    assert (sampler.rounds, sampler.asked, sampler.told) == (len(y), book.asked.sum(), book.asked.sum())
    assert sampler.learner.rounds == sampler.learner.ledger.rounds == sampler.asked
    assert 0 < sampler.asked < len(y)


@pytest.mark.parametrize("name", LEARNERS)
def test_asking_always_is_the_learner_itself(name):
    X, y = stream(80)
    learner, sampler = LEARNERS[name](), rg.SelectiveSampling(LEARNERS[name](), float("inf"))
    np.testing.assert_array_equal(sampler.learn_many(X, y), learner.learn_many(X, y))
    np.testing.assert_array_equal(sampler.weights, learner.weights)
    for account in (sampler.ledger, sampler.learner.ledger):
        np.testing.assert_equal(account.as_dict(), learner.ledger.as_dict())
    assert sampler.asked == 80
    assert sampler.estimate("mistakes") == (learner.ledger.mistakes, 0.0)
    assert sampler.estimate() == (pytest.approx(learner.ledger.loss, rel=1e-14), 0.0)


@pytest.mark.parametrize(
    ("name", "form"),
    [
        (name, form)
        for name in LEARNERS
        for form in ("array", "csr", "events")
        if (name, form) != ("winnow", "events")  # it starts from the number of features, and positions
    ],
)
def test_labels_are_bought_only_when_asked_for(name, form):
    """By a function row → label, one by one, and by tickets: the same run, and no other label is ever looked at."""
    X, y = stream(80)
    many = {"array": X, "csr": csr_array(X), "events": [{f"f{i}": v for i, v in enumerate(x)} for x in X]}[form]
    one_by_one = list(many) if form != "csr" else [many[[t]] for t in range(len(y))]
    made = [rg.SelectiveSampling(LEARNERS[name](), 0.3) for _ in range(5)]
    known, bought, single, late, foretold = made
    p = known.learn_many(many, y)
    bills, slips = [], []

    def buy(row):
        bills.append(row)
        return y[row]

    np.testing.assert_array_equal(bought.learn_many(many, buy), p)
    assert bills == np.flatnonzero(known.last_asked).tolist() == np.flatnonzero(bought.last_asked).tolist()
    for t, x in enumerate(one_by_one):
        assert single.learn_one(x, lambda t=t: slips.append(t) or y[t]) == p[t]
        ticket = late.ask(x)
        assert ticket.prediction == p[t]
        assert ticket.wanted == known.last_asked[t]
        if ticket.wanted:
            assert late.tell(ticket, y[t]) == p[t]
        assert foretold.wants(x) == ticket.wanted == foretold.wants(x)
        foretold.learn_one(x, y[t])
    assert slips == bills
    assert 0 < len(bills) < len(y)
    for other in made[1:]:
        assert (other.rounds, other.asked, other.told) == (80, known.asked, known.asked)
        np.testing.assert_array_equal(other.predict_many(many), known.predict_many(many))
        np.testing.assert_equal(other.learner.ledger.as_dict(), known.learner.ledger.as_dict())
        for of in ("loss", "mistakes"):
            assert other.estimate(of) == known.estimate(of)
    np.testing.assert_equal(foretold.ledger.as_dict(), known.ledger.as_dict())
    # What is not bought is not known: then the account is of what was.
    for other in (bought, single, late):
        np.testing.assert_equal(other.ledger.as_dict(), known.learner.ledger.as_dict())
    assert known.ledger.rounds == 80


def test_the_account_is_of_every_round_whose_label_is_known():
    """By hand: losses and slopes at the predictions of all rounds; the certificate speaks of all of them."""
    X, y = stream(400)
    sampler = rg.SelectiveSampling(rg.GradientDescent(rg.Logistic(), 0.1), 0.2)
    p = sampler.learn_many(X, y)
    loss, s = rg.Logistic().value(p, y), rg.Logistic().slope(p, y)
    ledger = sampler.ledger
    assert ledger.rounds == 400 > sampler.learner.ledger.rounds == sampler.asked
    assert ledger.loss == pytest.approx(loss.sum(), rel=1e-13)
    assert pytest.approx(s @ p, rel=1e-12) == ledger.A
    np.testing.assert_allclose(ledger.G, s @ X, rtol=1e-10, atol=1e-12)
    assert ledger.mistakes == (y * p <= 0).sum()
    best = rg.hindsight(rg.Logistic(), rg.Ball(2.0), X, y)
    assert ledger.loss - best.loss <= ledger.certificate(rg.Ball(2.0)).regret_at_most
    asked = sampler.last_asked
    assert sampler.learner.ledger.loss == pytest.approx(loss[asked].sum(), rel=1e-13)
    q = 0.2 / (0.2 + np.abs(p))
    assert sampler.estimate().value == pytest.approx((loss / q)[asked].sum(), rel=1e-13)
    variance = ((1 - q) * (loss / q) ** 2)[asked].sum()
    assert sampler.estimate().error == pytest.approx(np.sqrt(variance), rel=1e-13)


@pytest.mark.parametrize("name", LEARNERS)
def test_saved_copied_and_pickled_it_goes_on_bit_for_bit(name, tmp_path):
    X, y = stream(120)
    sampler = rg.SelectiveSampling(LEARNERS[name](), 0.3, seed=5)
    sampler.learn_many(X[:60], y[:60])
    sampler.save(tmp_path / "sampler")
    twins = [rg.load(tmp_path / "sampler"), copy.copy(sampler), copy.deepcopy(sampler),
             pickle.loads(pickle.dumps(sampler))]  # fmt: skip
    p = sampler.learn_many(X[60:], y[60:])
    for twin in twins:
        assert twin.learner is not sampler.learner
        assert type(twin.learner) is type(sampler.learner)
        np.testing.assert_array_equal(twin.learn_many(X[60:], y[60:]), p)
        np.testing.assert_equal(twin.ledger.as_dict(), sampler.ledger.as_dict())
        assert (twin.asked, twin.estimate()) == (sampler.asked, sampler.estimate())


def test_generators_of_any_kind_go_on():
    X, y = stream(100)
    for kind in (np.random.MT19937, np.random.Philox):
        sampler = rg.SelectiveSampling(rg.Perceptron(), 1.0, seed=np.random.Generator(kind(3)))
        sampler.learn_many(X[:50], y[:50])
        twin = pickle.loads(pickle.dumps(sampler))
        np.testing.assert_array_equal(twin.learn_many(X[50:], y[50:]), sampler.learn_many(X[50:], y[50:]))


class Spent(Exception):
    """The budget is."""


@pytest.mark.parametrize("form", [np.asarray, csr_array, lambda X: [{f"f{i}": v for i, v in enumerate(x)} for x in X]])
@pytest.mark.parametrize("calls", [0, 3])
def test_a_purchase_that_fails_stops_at_its_row(form, calls):
    """The rounds before it were played, it and those after it were not: as one by one."""
    X, y = stream(60)
    X[30:, 5] = 0.0
    sampler, twin = (rg.SelectiveSampling(rg.Perceptron(), 1.0) for _ in range(2))
    bought = []

    def buy(row):
        if len(bought) == calls:
            raise Spent
        bought.append(row)
        return y[row]

    with pytest.raises(Spent):
        sampler.learn_many(form(X), buy)
    asked = sampling.perceptron(X, y, 1.0, np.random.default_rng(0).random(60)).asked
    failed = int(np.flatnonzero(asked)[calls])
    assert sampler.rounds == failed
    assert sampler.asked == sampler.told == calls
    twin.learn_many(form(X[:failed]), y[:failed])
    np.testing.assert_array_equal(sampler.learn_many(form(X), y), twin.learn_many(form(X), y))


def test_a_label_that_is_none_names_its_row():
    X, _ = stream(60)
    for wrong, message in ((None, "a label is missing"), ("spam", "is not a number"), (3, "is not one that")):
        sampler = rg.SelectiveSampling(rg.Perceptron(), 1.0)
        answers = iter([1, -1])
        with pytest.raises((TypeError, ValueError), match=rf"row \d+: .*{message}.*the rows before it were learnt"):
            sampler.learn_many(X, lambda row, answers=answers, wrong=wrong: next(answers, wrong))
        assert sampler.asked == 2
        with pytest.raises((TypeError, ValueError), match=f"^.*{message}.*nothing was learnt from it$"):
            rg.SelectiveSampling(rg.Perceptron(), 1.0).learn_one(X[0], lambda wrong=wrong: wrong)


def test_a_prediction_that_overflows_is_refused_though_no_label_is_asked_for():
    learner = rg.GradientDescent(rg.Hinge(1e307), 1e3)
    learner.learn_many([[1e150]] * 100, [1] * 100)  # w = 1e155
    sampler = rg.SelectiveSampling(learner, 1.0)
    for y in (1, lambda: 1):
        with pytest.raises(ValueError, match=r"prediction inf: .* is not finite there, and nothing was learnt"):
            sampler.learn_one([1e154], y)
        assert sampler.rounds == sampler.ledger.rounds == 0


def test_tickets():
    sampler = rg.SelectiveSampling(rg.Perceptron(), 0.5)
    first = sampler.ask([2.0])
    assert first.wanted
    assert (sampler.rounds, sampler.asked, sampler.told) == (1, 1, 0)  # asked for, and not come yet
    assert sampler.tell(pickle.loads(pickle.dumps(first)), 1) == 0.0
    assert (sampler.rounds, sampler.asked, sampler.told) == (1, 1, 1)
    tickets = [sampler.ask([2.0]) for _ in range(40)]
    idle = next(ticket for ticket in tickets if not ticket.wanted)
    with pytest.raises(ValueError, match="label was not asked for, and is not learnt"):
        sampler.tell(idle, 1)
    wanted = next(ticket for ticket in tickets if ticket.wanted)
    with pytest.raises(TypeError, match="a label is missing"):
        sampler.tell(wanted)
    sampler.tell(wanted, -1)
    with pytest.raises(ValueError, match="told already"):
        sampler.tell(wanted, -1)
    with pytest.raises(TypeError, match="takes a ticket that ask gave, not 3"):
        sampler.tell(3, 1)
    assert (sampler.rounds, sampler.told, sampler.learner.rounds, sampler.ledger.rounds) == (41, 2, 2, 2)


S = rg.SelectiveSampling


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: S(rg.GradientDescent(rg.Squared()), 1.0), ValueError, "has not two: take a learner"),
        (lambda: S(rg.MulticlassPerceptron(), 1.0), ValueError, "has not two: take a learner"),
        (lambda: S(rg.Perceptron, 1.0), TypeError, "takes a linear learner, such as Perceptron"),
        (lambda: S(rg.Perceptron(), 0.0), ValueError, "b must be"),
        (lambda: S(rg.Perceptron(), float("nan")), ValueError, "b must be"),
        (lambda: S(rg.Perceptron(), 1.0, seed=-1), TypeError, "seed must be"),
        (lambda: S(rg.Perceptron(), 1.0).estimate("regret"), ValueError, 'of is "loss" or "mistakes"'),
        (lambda: S(rg.Perceptron(), 1.0).bound(1.0, 0.0), ValueError, "margin must be"),
        (lambda: S(rg.PassiveAggressive(), 1.0).bound(1.0, 1.0), ValueError, r"speaks of Perceptron\(\)"),
        (lambda: S(rg.GradientDescent(rg.Hinge(), 2.0, conservative=True), 1.0).bound(1.0, 1.0),
         ValueError, r"speaks of Perceptron\(\)"),
        (lambda: S(rg.Perceptron(ledger=False), 1.0).bound(1.0, 1.0), ValueError, "no ledger was kept"),
        (lambda: S(rg.Perceptron(), 1.0).no_such_thing, AttributeError, "no_such_thing"),
    ],
)  # fmt: skip
def test_messages(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_the_bound_asks_for_a_start_from_nothing():
    learner = rg.Perceptron()
    learner.learn_one([1.0], 1)
    with pytest.raises(ValueError, match="a start from w = 0"):
        rg.SelectiveSampling(learner, 1.0).bound(1.0, 1.0)


def test_threads_take_turns_and_none_counts_twice():
    X, y = stream(200)
    sampler = rg.SelectiveSampling(rg.Perceptron(), 0.3)
    bought, failed = [], []

    def play(part):
        try:
            for t in range(part, 200, 4):
                sampler.learn_one(X[t], lambda t=t: bought.append(t) or y[t])
            sampler.learn_many(X, y)
            sampler.wants(X[0])
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=play, args=(part,)) for part in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not failed
    assert sampler.rounds == 1000
    assert len(set(bought)) == len(bought)
    assert sampler.asked == sampler.told == sampler.learner.rounds
    assert sampler.ledger.rounds == len(bought) + 800


def test_a_purchase_that_calls_the_sampler_gets_an_error_not_a_deadlock():
    sampler = rg.SelectiveSampling(rg.Perceptron(), 1.0)
    for call in (sampler.predict_one, sampler.wants, lambda x: sampler.learn_one(x, 1)):
        with pytest.raises(RuntimeError, match="called the learner itself in the middle of a round"):
            sampler.learn_one([1.0], lambda call=call: call([1.0]))
        assert sampler.rounds == 0
    assert sampler.learn_one([1.0], lambda: 1) == 0.0


def test_a_game_knows_all_labels_and_counts_those_asked_for():
    X, y = stream(2000)
    sampler = rg.SelectiveSampling(rg.GradientDescent(rg.Logistic(), 0.1, rg.Ball(2.0), intercept=True), 0.3)
    sampler.learn_many(X[:100], y[:100])  # games may begin later
    before = sampler.asked
    game = rg.play(sampler, X, y, keep_predictions=True)
    assert game.asked == sampler.asked - before == game.curve["asked"][-1]
    assert 0 < game.asked < 1000
    assert (np.diff(game.curve["asked"]) >= 0).all()
    assert game.mistakes == (y * game.predictions <= 0).sum() == game.wrong.sum()
    assert game.loss == pytest.approx(rg.Logistic().value(game.predictions, y).sum(), rel=1e-12)
    at_least, at_most = game.regret(rg.Ball(2.0))  # hindsight searches with the intercept that the learner has
    assert at_least <= at_most <= at_least + 1e-5 * game.loss
    assert at_most <= game.certificate(rg.Ball(2.0)).regret_at_most
    assert f"It asked for {game.asked:,} labels, {game.asked / 2000:.2%} of them." in game.summary()
    table = rg.compare([rg.SelectiveSampling(rg.Perceptron(), 1.0), rg.Perceptron()], X, y)
    by_name = {row["learner"]: row["asked"] for row in table.rows}
    assert by_name["Perceptron"] is None
    assert by_name["SelectiveSampling"] > 0
    assert "asked" in table.table()
    assert "asked" not in rg.compare([rg.Perceptron()], X, y).table()


def test_a_game_round_by_round_is_the_same_game():
    X, y = stream(300)
    games = [
        rg.play(rg.SelectiveSampling(rg.Perceptron(), 1.0), *how)
        for how in ((X, y), (iter(list(zip(X, y, strict=True))),))
    ]
    assert games[0].asked == games[1].asked
    assert games[0].mistakes == games[1].mistakes
    np.testing.assert_array_equal(games[0].last().weights, games[1].last().weights)


def test_a_report_says_how_to_make_its_like():
    from regretful.report.writing import _python

    X, y = stream(50)
    made = rg.SelectiveSampling(rg.GradientDescent(rg.Logistic(), 0.1, rg.Ball(2.0), intercept=True), 0.25)
    code = _python(rg.play(made, X, y), None)
    scope = {"X": X, "y": y}
    exec(code, scope)
    again = scope["learner"]
    np.testing.assert_array_equal(again.weights, made.weights)
    assert again.asked == made.asked
