"""The searching adversary: the sequences it finds do the damage it says, and row 12 is refuted by them."""

import itertools

import numpy as np
import pytest

import regretful as rg
from regretful.game import play
from regretful.learners.player import Player
from regretful.nature import Descents, beam_search

SIGNS = [[1.0], [-1.0]]


def regret_of(moves, domain, rate):
    player = Player(domain, rate, n=len(moves[0]))
    player.learn_many(np.asarray(moves), np.zeros(len(moves)))
    return player.ledger.certificate(domain).regret_at_most


@pytest.mark.parametrize(("L", "R"), [(1.0, 1.0), (3.0, 0.5)])
def test_row_12_by_exhaustion(L, R):
    domain, rate = rg.Box(-R, R), rg.InverseSqrt(R / L)
    found = beam_search(Descents.start(domain, rate), L * np.array(SIGNS), 20, domain, width=None)
    assert found.regret >= 1.85 * L * R * np.sqrt(20)
    assert found.regret <= 3.0 * L * R * np.sqrt(20)  # what the proof gives
    assert regret_of(found.moves, domain, rate) == pytest.approx(found.regret, rel=1e-12)


def test_row_12_by_beam():
    domain, rate = rg.Ball(1.0), rg.InverseSqrt(1.0)
    found = beam_search(Descents.start(domain, rate), SIGNS, 400, domain, width=1000)
    assert 2.4 * 20 <= found.regret <= 3.0 * 20
    game = play(Player(domain, rate, n=1), found.nature())
    assert game.regret(domain).at_least == pytest.approx(found.regret, rel=1e-12)


def test_exhaustion_finds_the_worst_of_all():
    domain, rate = rg.Box(-1.0, 1.0), rg.InverseSqrt(1.0)
    worst = max(regret_of([[g] for g in signs], domain, rate) for signs in itertools.product([1.0, -1.0], repeat=8))
    for width in (None, 1000):
        found = beam_search(Descents.start(domain, rate), SIGNS, 8, domain, width=width)
        assert found.regret == pytest.approx(worst, rel=1e-12)


@pytest.mark.parametrize("domain", [rg.Ball(1.0), rg.Box(-1.0, 1.0), rg.L1Ball(1.0)])
def test_copies_of_a_player_play_the_same_games(domain):
    moves = np.concatenate([np.eye(2), -np.eye(2)])
    rate = rg.InverseSqrt(1.0)
    slow = beam_search(lambda: Player(domain, rate, n=2), moves, 5, domain, width=None)
    fast = beam_search(Descents.start(domain, rate, 2), moves, 5, domain, width=None)
    assert slow.regret == pytest.approx(fast.regret, rel=1e-9)
    slow = beam_search(lambda: Player(domain, rate, n=2), moves, 12, domain, width=20)
    assert regret_of(slow.moves, domain, rate) == pytest.approx(slow.regret, rel=1e-9)


def test_players_of_other_geometries_can_be_attacked():
    domain = rg.Simplex()
    found = beam_search(
        lambda: Player(domain, 0.5, rg.Entropy(), n=3), np.eye(3), 15, domain, width=10, comparators=np.eye(3)
    )
    player = Player(domain, 0.5, rg.Entropy(), n=3)
    player.learn_many(found.moves, np.zeros(15))
    assert player.ledger.certificate(domain).regret_at_most == pytest.approx(found.regret, rel=1e-9)
    assert 0.0 < found.regret <= np.log(3) / 0.5 + 0.5 * 15 / 2


def test_what_the_search_refuses():
    start = Descents.start(rg.Everywhere(), 0.1)
    with pytest.raises(ValueError, match="unbounded"):
        beam_search(start, SIGNS, 3, rg.Everywhere())
    with pytest.raises(ValueError, match="moves are subgradients, one a row"):
        beam_search(start, [1.0, -1.0], 3, rg.Ball(1.0))
    with pytest.raises(ValueError, match="at least 1"):
        beam_search(start, SIGNS, 0, rg.Ball(1.0))
