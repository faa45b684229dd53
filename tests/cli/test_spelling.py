"""Names on the command line: each makes its part, and what is misspelt says what would work."""

import pytest

import regretful as rg
from regretful.cli import learners, spelling
from regretful.cli.errors import Refused


@pytest.mark.parametrize(
    ("text", "loss"),
    [
        ("logistic", rg.Logistic()),
        ("squared", rg.Squared()),
        ("absolute", rg.Absolute()),
        ("quantile:0.9", rg.Quantile(0.9)),
        ("quantile:tau=0.9", rg.Quantile(0.9)),
        ("huber:2", rg.Huber(2.0)),
        ("epsilon:0.1", rg.EpsilonInsensitive(0.1)),
        ("hinge", rg.Hinge()),
        ("hinge:0", rg.Hinge(0.0)),
        ("squared-hinge", rg.SquaredHinge()),
        ("poisson", rg.Poisson()),
        ("log-wealth", rg.LogWealth()),
    ],
)
def test_losses(text, loss):
    assert spelling.loss(text) == loss


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("0.1", rg.Constant(0.1)),
        ("1e-3", rg.Constant(0.001)),
        ("constant:2", rg.Constant(2.0)),
        ("sqrt:0.5", rg.InverseSqrt(0.5)),
        ("time:0.01", rg.InverseTime(0.01)),
        ("weighted-time:0.01", rg.WeightedInverseTime(0.01)),
        ("adaptive:10", rg.Adaptive(10.0)),
    ],
)
def test_rates(text, rate):
    assert spelling.rate(text) == rate


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("everywhere", rg.Everywhere()),
        ("ball:10", rg.Ball(10.0)),
        ("l1:5", rg.L1Ball(5.0)),
        ("simplex", rg.Simplex()),
        ("simplex:2", rg.Simplex(2.0)),
        ("box:-1,1", rg.Box(-1.0, 1.0)),
        ("box:low=-1,high=2", rg.Box(-1.0, 2.0)),
        ("orthant", rg.Orthant()),
    ],
)
def test_domains(text, domain):
    assert spelling.domain(text) == domain


@pytest.mark.parametrize("table", [spelling.LOSSES, spelling.RATES, spelling.DOMAINS], ids=["loss", "rate", "domain"])
def test_what_is_shown_as_a_spelling_is_one(table):
    for name, part in table.items():
        spelt = part.spelt.replace("[", "").replace("]", "")
        text = f"constant:{spelt}" if name == "constant" else spelt
        assert isinstance(spelling.part(text, table, "--it"), part.make)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: spelling.loss("logistics"), ["--loss", "'logistics'", "there are logistic, squared"]),
        (lambda: spelling.loss("quantile:2"), ["tau", "quantile:0.9"]),
        (lambda: spelling.domain("ball"), ["ball:10"]),
        (lambda: spelling.domain("ball:-1"), ["radius", "ball:10"]),
        (lambda: spelling.domain("ball:wide"), ["'wide' is not a number"]),
        (lambda: spelling.domain("box:low=1,2"), ["'2' comes after"]),
        (lambda: spelling.domain("cube:1"), ["everywhere, ball:10"]),
        (lambda: spelling.rate("fast"), ["--rate", "0.1, sqrt:0.5"]),
        (lambda: spelling.rate("-1"), ["--rate"]),
        (lambda: learners.recipe("adagrd", None, None, None), ["--learner", "adagrad, adagrad-scaled, gradient"]),
        (lambda: learners.recipe("gradient:C=1", None, None, None), ["gradient takes rate"]),
        (lambda: learners.recipe("perceptron:1", None, None, None), ["perceptron takes no numbers"]),
        (lambda: learners.recipe("pegasos:lam=x", None, None, None), ["'x' is not a number"]),
        (lambda: learners.recipe("perceptron", "squared", None, None), ["loss of its own"]),
        (lambda: learners.recipe("perceptron", None, "0.1", None), ["takes no --rate"]),
        (lambda: learners.recipe("pegasos", None, "0.1", None), ["its own numbers are lam"]),
        (lambda: learners.recipe("pegasos:lam=-1", None, None, None).make(None, True, 0), ["--learner", "lam"]),
    ],
)
def test_what_is_misspelt_says_what_would_work(ask, words):
    with pytest.raises(Refused) as error:
        ask()
    assert [word for word in words if word not in str(error.value)] == []


@pytest.mark.parametrize("name", learners.LEARNERS)
def test_every_learner_is_made_and_learns(name):
    made = learners.recipe(name, None, None, None).make(rg.Hashing(4), True, 0)
    assert type(made) is learners.LEARNERS[name].kind
    made.learn_one({"a": 1.0}, 1)
    assert made.rounds == 1


def test_a_learners_own_numbers():
    made = learners.recipe("ftrl-proximal:alpha=0.2,l1=3", "squared", None, None).make(None, False, 0)
    assert (made.geometry.alpha, made.geometry.l1, made.loss) == (0.2, 3.0, rg.Squared())
    assert learners.recipe("gradient:rate=sqrt:0.5", None, None, None).make(None, False, 0).rate == rg.InverseSqrt(0.5)
    assert learners.recipe("passive-aggressive:2", None, None, None).make(None, False, 0).rate == rg.Constant(2.0)


def test_every_linear_learner_of_the_package_has_a_name():
    made = [getattr(rg, name) for name in rg.__all__ if isinstance(getattr(rg, name), type)]
    linear = {kind for kind in made if issubclass(kind, rg.MirrorDescent | rg.FollowTheRegularizedLeader)}
    slots = {rg.MirrorDescent, rg.FollowTheRegularizedLeader, rg.FollowTheLeader, rg.Player, rg.LazyPlayer}
    of_labels = {kind for kind in linear if issubclass(kind, rg.Multiclass | rg.Structured)}  # not of numbers
    assert {named.kind for named in learners.LEARNERS.values()} >= linear - slots - of_labels


def test_a_learner_is_kept_where_it_can_be():
    ball, box = rg.Ball(2.0), rg.Box(-1.0, 1.0)
    assert learners.recipe("gradient", None, None, ball).make(None, False, 0).domain == ball
    assert learners.recipe("adagrad", None, None, box).make(None, False, 0).domain == box
    assert learners.recipe("adagrad", None, None, ball).make(None, False, 0).domain == rg.Everywhere()
    assert learners.recipe("eg", None, None, rg.L1Ball(3.0)).make(None, False, 0).domain == rg.L1Ball(3.0)


def test_lists_of_learners():
    assert learners.several("adagrad,ftrl-proximal:alpha=0.1,l1=1,gradient:rate=sqrt:1,perceptron") == [
        "adagrad", "ftrl-proximal:alpha=0.1,l1=1", "gradient:rate=sqrt:1", "perceptron",
    ]  # fmt: skip


def test_what_is_on_is_told_and_what_is_off_is_not():
    from regretful.cli.words import number, spelt

    assert spelt(rg.AdaGrad(rg.Squared(), scaled=True).geometry) == "Diagonal(scaled)"
    assert spelt(rg.AdaGrad(rg.Squared()).geometry) == "Diagonal"
    assert spelt(rg.Box(-1.0, 1.0)).startswith("Box(-1, 1")
    assert [number(value) for value in (0.0, 0.5, 72867.2, 2e-5, float("inf"))] == [
        "0.0000",
        "0.5000",
        "72,867",
        "2e-05",
        "–",
    ]
