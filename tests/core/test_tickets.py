"""Delayed labels: ask now, tell later, in any order, some never."""

import pickle

import numpy as np
import pytest

import regretful as rg


def events(rounds=200, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(rounds):
        a, b = rng.normal(size=2)
        yield {"a": float(a), "b": float(b), "city": str(rng.choice(["Rome", "Oslo"]))}, float(a - b + rng.normal() > 0)


@pytest.mark.parametrize(
    "make",
    [
        lambda: rg.GradientDescent(rg.Logistic(), 0.1),
        lambda: rg.AdaGrad(rg.Logistic(), 0.1, intercept=True),
        lambda: rg.FTRLProximal(alpha=0.1, l1=0.1),
        lambda: rg.PassiveAggressive(C=0.1),
        lambda: rg.ExponentiatedGradient(rg.Logistic(), 0.1, rg.L1Ball(3.0), n=10, keep=("average",)),
    ],
)
def test_told_at_once_it_is_learn_one(make):
    one, other = make(), make()
    for x, y in events():
        ticket = other.ask(x)
        assert ticket.prediction == one.learn_one(x, y) == other.tell(ticket, y)
    assert one.named_weights() == other.named_weights()
    assert one.ledger.as_dict()["A"] == other.ledger.as_dict()["A"]


def test_the_loss_is_that_of_the_prediction_given_and_the_certificate_holds():
    """Labels come up to 40 rounds late, out of order, and a tenth of them never."""
    learner, rng = rg.GradientDescent(rg.Logistic(), 0.3), np.random.default_rng(1)
    waiting, told, paid = [], [], 0.0
    for x, y in events(2000):
        waiting.append((learner.ask(x), x, y))
        if len(waiting) > 40:
            ticket, past, label = waiting.pop(int(rng.integers(len(waiting))))
            if rng.random() < 0.1:
                continue
            assert learner.tell(ticket, label) == ticket.prediction
            paid += rg.Logistic().value(ticket.prediction, label)
            told.append((past, label))
    assert learner.ledger.loss == pytest.approx(paid, rel=1e-13)
    names = list(learner.named_weights())
    X = np.array([[x.get(name, 1.0 if f"city={x['city']}" == name else 0.0) for name in names] for x, _ in told])
    y = np.array([label for _, label in told])
    certificate = learner.ledger.certificate(rg.Ball(2.0))
    for _ in range(200):
        u = rg.Ball(2.0).project(rng.normal(size=len(names)))
        assert rg.Logistic().value(X @ u, y).sum() >= certificate.best_loss_at_least - 1e-9


def test_asking_changes_nothing_and_a_ticket_keeps_its_example():
    learner = rg.GradientDescent(rg.Squared(), 0.1)
    x = {"a": 1.0}
    ticket = learner.ask(x)
    assert learner.rounds == 0
    assert learner.named_weights() == {}
    x["a"] = 100.0
    learner.tell(ticket, 1.0)
    assert learner.named_weights() == {"a": pytest.approx(0.2)}


def test_a_ticket_is_told_once_and_a_refused_label_leaves_it_untold():
    learner = rg.GradientDescent(rg.Logistic(), 0.1)
    ticket = learner.ask({"a": 1.0})
    with pytest.raises(ValueError, match="label"):
        learner.tell(ticket, 7)
    learner.tell(ticket, 1)
    with pytest.raises(ValueError, match="already"):
        learner.tell(ticket, 1)
    with pytest.raises(TypeError, match="ticket"):
        learner.tell(0.3, 1)


def test_tickets_outlive_a_restart(tmp_path):
    learner = rg.GradientDescent(rg.Logistic(), 0.1)
    learner.learn_one({"a": 1.0}, True)
    ticket = pickle.loads(pickle.dumps(learner.ask({"a": 2.0})))
    learner.save(tmp_path / "model.rg")
    again = rg.load(tmp_path / "model.rg")
    assert again.tell(ticket, True) == ticket.prediction == learner.predict_one({"a": 2.0})


@pytest.mark.parametrize(
    "make",
    [
        lambda: rg.MirrorDescent(rg.Squared(), rate=0.5, implicit=True, domain=rg.Ball(1.0)),
        lambda: rg.PassiveAggressive(),
        lambda: rg.AdaGrad(rg.Hinge(), 0.5),
        lambda: rg.FTRLProximal(),
        lambda: rg.Perceptron(),
        lambda: rg.FollowTheLeader(rg.Squared(), rg.Ball(1.0)),
        lambda: rg.PNormDescent(rg.Logistic(), 0.1),
    ],
)
def test_the_slope_that_is_recorded_is_that_at_the_prediction_given(make):
    """Whatever the rule, with weights: L, A and G are those of the tickets, by NumPy; hindsight agrees."""
    rng = np.random.default_rng(3)
    X, y, c = rng.normal(size=(200, 4)), rng.choice([-1.0, 1.0], 200), rng.choice([0.0, 1.0, 2.0], 200)
    learner, waiting, told, p = make(), [], [], []
    for t in range(200):
        waiting.append((t, learner.ask(X[t])))
        if len(waiting) > 20:
            late, ticket = waiting.pop(int(rng.integers(len(waiting))))
            learner.tell(ticket, y[late], weight=c[late])
            told.append(late)
            p.append(ticket.prediction)
    loss, ledger = learner.loss, learner.ledger
    paid = [c[t] * loss.value(said, float(y[t])) for t, said in zip(told, p, strict=True)]
    s = np.array([c[t] * loss.slope(said, float(y[t])) for t, said in zip(told, p, strict=True)])
    assert ledger.loss == pytest.approx(sum(paid), rel=1e-12)
    assert pytest.approx(s @ p, rel=1e-9, abs=1e-12) == ledger.A
    np.testing.assert_allclose(ledger.G, s @ X[told], atol=1e-11)
    best = rg.hindsight(loss, rg.Ball(1.0), X[told], y[told], weight=c[told])
    assert ledger.certificate(rg.Ball(1.0)).best_loss_at_least <= best.loss * (1.0 + 1e-12)
