"""measured regret ≤ certificate ≤ data-dependent theorem ≤ theorem: every loss over every way of playing.

Thousands of small games, against natures that draw and natures that look; and the accounts of shards add up.
"""

import contextlib
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import regretful as rg
from tests.game.chains import SETUPS, N, Run

LOSSES = [
    rg.Squared(),
    rg.Absolute(),
    rg.Quantile(0.3),
    rg.Huber(0.5),
    rg.EpsilonInsensitive(0.1),
    rg.Logistic(),
    rg.Hinge(),
    rg.SquaredHinge(),
    rg.Poisson(),
    rg.LogWealth(),
    rg.Affine(),
]
PAIRS = [
    pytest.param(loss, setup, id=f"{type(loss).__name__}-{setup}")
    for setup in SETUPS
    for loss in LOSSES
    if setup.positive or not isinstance(loss, rg.LogWealth)
]


class Watched(rg.nature.Nature):
    """Draws, or looks and chooses what costs most; keeps the iterates that played."""

    def __init__(self, loss, kind, weighted, seed):
        self.loss, self.kind, self.weighted = loss, kind, weighted
        self.rng = np.random.default_rng(seed)
        self.size = self.rng.choice([0.3, 1.0])
        self.iterates = []

    def reveal(self, learner):
        w = np.array(learner.weights)
        self.iterates.append(w)
        self.weight = float(self.rng.choice([0.0, 0.5, 1.0, 2.0])) if self.weighted else 1.0
        if isinstance(self.loss, rg.LogWealth):
            falls = -w if self.kind != "draws" else self.rng.normal(size=N)
            return np.exp(self.size * (falls + 0.1 * self.rng.normal(size=N)))
        if self.kind == "signs":
            return self.size * np.where(w < 0.0, -1.0, 1.0) * self.rng.choice([0.5, 1.0], N)
        return self.size * self.rng.normal(size=N) * (self.rng.random(N) < 0.8)

    def label(self, learner, x, p):
        if isinstance(self.loss, rg.LogWealth):
            return None
        if isinstance(self.loss, rg.Affine):
            return float(self.rng.normal())
        if self.loss.classification:
            labels = [-1.0, 1.0]
        else:
            labels = [0.0, 1.0, 3.0] if isinstance(self.loss, rg.Poisson) else [-1.0, 0.2, 1.0]
        if self.kind == "draws":
            return float(self.rng.choice(labels))
        return max(labels, key=lambda y: self.loss.value(p, y))


def played(loss, setup, kind, weighted, rounds, seed):
    """(game, the rounds as NumPy sees them); up to where the learner overflows, as exp(p) may where w has no bound."""
    nature = Watched(loss, kind, weighted, seed)
    learner = setup.make(loss)
    try:
        game = rg.play(learner, nature, rounds=rounds, curve=0, domains=(), keep_predictions=True)
    except ValueError as error:
        overflow = re.match(r"round (\d+): .*not finite there, and nothing was learnt from it", str(error))
        assert overflow
        assert isinstance(loss, rg.Poisson)
        return played(loss, setup, kind, weighted, int(overflow[1]) - 1, seed)
    X, y, weight = game.examples()
    y = np.zeros(rounds) if y is None else y
    s = np.array([loss.slope(p, label) for p, label in zip(game.predictions.tolist(), y.tolist(), strict=True)])
    last = np.array(learner.weights)
    return game, Run(np.asarray(X), s if weight is None else s * weight, np.array(nature.iterates[:rounds]), last)


def regret_of(game, domain):
    """What the best found in hindsight did better: attained by somebody of the domain."""
    X, y, weight = game.examples()
    if isinstance(game.learner.loss, rg.Affine):
        fixed = y.sum() if weight is None else weight @ y
        return game.loss - fixed + domain.support(-game.learner.ledger.G)
    best = rg.hindsight(game.learner.loss, domain, X, y, weight=weight, tol=1e-6)
    assert domain.contains(best.weights)
    return game.loss - best.loss


GAMES = 20  # of each loss and way of playing


@pytest.mark.parametrize(("loss", "setup"), PAIRS)
def test_the_chain(loss, setup):
    played = 0

    @settings(max_examples=GAMES)
    @given(
        kind=st.sampled_from(["draws", "contrary", "signs"]),
        weighted=st.booleans(),
        rounds=st.integers(1, 30),
        seed=st.integers(0, 10**6),
    )
    def every_game(kind, weighted, rounds, seed):
        nonlocal played
        the_chain(loss, setup, kind, weighted, rounds, seed)
        played += 1

    every_game()
    assert played >= GAMES


def test_the_chain_holds_up_to_where_a_loss_overflows():
    setup = next(setup for setup in SETUPS if setup.name == "lazy-everywhere")
    game, _ = played(rg.Poisson(), setup, "draws", True, 22, 252)
    assert 0 < game.rounds < 22
    the_chain(rg.Poisson(), setup, "draws", True, 22, 252)


def way(learner):
    """(rule, geometry, domain), by class."""
    lazy = isinstance(learner, rg.FollowTheRegularizedLeader)
    return lazy, type(learner.geometry), type(learner.domain)


def test_it_is_thousands_of_games_over_every_geometry_and_domain():
    """Whatever geometry and domain go together under either rule, and every loss, stand in the list with a bound."""
    assert len(PAIRS) * GAMES >= 8000
    public = {kind for kind in (getattr(rg, name) for name in rg.__all__) if isinstance(kind, type)}
    ours = {
        kind for kind in public - {rg.Loss} if issubclass(kind, rg.Loss) and not issubclass(kind, rg.MulticlassLoss)
    }
    assert ours == {type(loss) for loss in LOSSES}
    geometries = [rg.Euclidean(), rg.Entropy(), rg.PNorm(3.0), rg.Diagonal(), rg.Proximal(0.2)]
    domains = [rg.Everywhere(), rg.Ball(1.0), rg.L1Ball(1.0), rg.Simplex(), rg.Box(-1.0, 1.0), rg.Orthant()]
    # The full matrix has a bound for exp-concave losses alone: row 32 of the theorems.
    families = [kind for kind in rg.Geometry.__subclasses__() if kind is not rg.FullMatrix]
    for kinds, parts in ((families, geometries), (rg.Domain.__subclasses__(), domains)):
        assert {kind for kind in kinds if kind.__module__.startswith("regretful.core")} == {type(one) for one in parts}
    accepted = set()
    for rule in (rg.MirrorDescent, rg.FollowTheRegularizedLeader):
        for geometry in geometries:
            for domain in domains:
                with contextlib.suppress(TypeError, ValueError):
                    accepted.add(way(rule(rg.Squared(), geometry, domain, 0.1, n=N)))
    played = {way(setup.make(rg.Squared())) for setup in SETUPS if setup.bounds}
    assert len(accepted) >= 24
    assert accepted <= played, accepted - played


def the_chain(loss, setup, kind, weighted, rounds, seed):
    game, run = played(loss, setup, kind, weighted, rounds, seed)
    certificate = game.certificate(setup.comparators).regret_at_most
    assert certificate == pytest.approx((run.s * game.predictions).sum() + support(setup, run), rel=1e-9, abs=1e-9)
    slack = 1e-9 * (1.0 + abs(game.loss) + abs(certificate))
    if game.weight:
        assert regret_of(game, setup.within or setup.comparators) <= certificate + slack
    if setup.bounds is not None and run.s.any():
        data, stated = setup.bounds(run)
        assert certificate <= data + slack
        assert data <= stated * (1.0 + 1e-12)


def support(setup, run):
    return setup.comparators.support(-(run.s @ run.X))


@pytest.mark.parametrize("setup", [setup for setup in SETUPS if setup.bounds], ids=repr)
def test_the_bounds_are_not_idle(setup):
    """Some small game attains a twentieth of the bound at least; most setups have one that attains half of it."""
    attained = []
    for seed in range(8):
        for loss, kind in ((rg.Affine(), "draws"), (rg.Absolute(), "draws"), (rg.Absolute(), "contrary")):
            game, run = played(loss, setup, kind, False, (2, 30)[seed % 2], seed)
            attained.append(game.certificate(setup.comparators).regret_at_most / setup.bounds(run)[0])
    assert 0.05 < max(attained) <= 1.0


class Point:
    """Any learner of linear losses, as the searching adversary wants it."""

    def __init__(self, setup):
        self.learner = setup.make(rg.Affine())

    @property
    def point(self):
        return np.array(self.learner.weights)

    def pay(self, value, g):
        self.learner.learn_one(g, value - self.learner.predict_one(g))


@pytest.mark.parametrize("setup", [setup for setup in SETUPS if setup.bounds], ids=repr)
def test_the_chain_against_the_adversary_that_searches(setup):
    moves = np.vstack([np.eye(N), -np.eye(N)])
    against = setup.within or setup.comparators
    u = np.array([against.project(v) for v in 9.0 * np.vstack([np.eye(N)[:1], -np.ones((1, N))])])
    found = rg.nature.beam_search(lambda: Point(setup), moves, 8, setup.comparators, width=5, comparators=u)
    learner, W = setup.make(rg.Affine()), []
    for g in found.moves:
        W.append(np.array(learner.weights))
        learner.learn_one(g, 0.0)
    certificate = learner.ledger.certificate(setup.comparators).regret_at_most
    assert certificate == pytest.approx(found.regret, rel=1e-9, abs=1e-9)  # of linear losses it is the regret
    data, stated = setup.bounds(Run(found.moves, np.ones(len(W)), np.array(W), np.array(learner.weights)))
    assert certificate <= data * (1.0 + 1e-12) <= stated * (1.0 + 2e-12)


@pytest.mark.parametrize("loss", [loss for loss in LOSSES if not isinstance(loss, rg.LogWealth)], ids=repr)
@settings(max_examples=25)
@given(
    cuts=st.lists(st.integers(1, 20), min_size=1, max_size=4),
    kind=st.sampled_from(["draws", "contrary", "signs"]),
    seed=st.integers(0, 10**6),
    data=st.data(),
)
def test_the_accounts_of_shards_add_up_to_the_account_of_the_whole(loss, cuts, kind, seed, data):
    """Each shard is played by a learner of another kind; the sum certifies them all against one predictor."""
    shards, sums, domain = [], np.zeros(2 + N), rg.Ball(1.3)
    for place, rounds in enumerate(cuts):
        setup = data.draw(st.sampled_from(SETUPS))
        game, run = played(loss, setup, kind, True, rounds, seed + place)
        shards.append(game)
        sums += np.r_[game.loss, (run.s * game.predictions).sum(), run.s @ run.X]
    whole = sum((game.learner.ledger for game in shards[1:]), shards[0].learner.ledger)
    L, A, G = sums[0], sums[1], sums[2:]
    certificate = whole.certificate(domain)
    near = {"rel": 1e-9, "abs": 1e-9}
    assert (certificate.rounds, certificate.loss) == (sum(game.rounds for game in shards), pytest.approx(L, **near))
    assert certificate.regret_at_most == pytest.approx(A + domain.support(-G), **near)
    assert certificate.best_loss_at_least == pytest.approx(L - A - domain.support(-G), **near)
    each = [game.certificate(domain) for game in shards]
    assert certificate.regret_at_most <= sum(one.regret_at_most for one in each) + 1e-9 * (1.0 + abs(L))
    X, y, c = (np.concatenate(column) for column in zip(*(weighted(game) for game in shards), strict=True))
    if c.any() and not isinstance(loss, rg.Affine):
        best = rg.hindsight(loss, domain, X, y, weight=c)
        assert L - best.loss <= certificate.regret_at_most + 1e-9 * (1.0 + abs(L))


def weighted(game):
    X, y, weight = game.examples()
    return X, y, np.ones(game.rounds) if weight is None else weight
