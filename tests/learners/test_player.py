"""Players: points and losses without examples; the ledger is that of the losses paid."""

import copy

import numpy as np
import pytest

import regretful as rg
from regretful.learners.player import Affine, LazyPlayer, Player


def test_affine_is_a_loss_like_any_other():
    rg.checks.check_loss(Affine())


@pytest.mark.parametrize(
    ("kind", "geometry", "domain"),
    [
        (Player, None, rg.Ball(1.0)),
        (Player, rg.Entropy(), rg.Simplex()),
        (Player, rg.Diagonal(), rg.Box(-1.0, 1.0)),
        (LazyPlayer, None, rg.Ball(2.0)),
        (LazyPlayer, rg.Entropy(), rg.L1Ball(2.0)),
    ],
)
def test_the_ledger_is_that_of_the_losses_and_the_certificate_holds(kind, geometry, domain):
    rng = np.random.default_rng(0)
    player = kind(domain, 0.3, geometry, n=4)
    paid, points, slopes, centres = [], [], [], rng.normal(size=(60, 4))
    for centre in centres:
        w = player.point
        points.append(w)
        slopes.append(2 * (w - centre))
        paid.append(player.play(lambda v, c=centre: (float(((v - c) ** 2).sum()), 2 * (v - c))))
    ledger = player.ledger
    assert ledger.loss == pytest.approx(sum(paid), rel=1e-12)
    assert pytest.approx(np.einsum("ij,ij", points, slopes), rel=1e-12) == ledger.A
    np.testing.assert_allclose(ledger.G, np.sum(slopes, axis=0), rtol=1e-12)
    proved = ledger.certificate(domain).regret_at_most
    for _ in range(200):
        u = domain.project(3 * rng.normal(size=4))
        assert sum(paid) - ((u - centres) ** 2).sum() <= proved + 1e-9


def test_a_player_is_gradient_descent_on_the_subgradients():
    rng = np.random.default_rng(1)
    player, w = Player(rg.Ball(1.0), rg.InverseSqrt(0.7), n=3), np.zeros(3)
    for t, g in enumerate(rng.normal(size=(50, 3)), start=1):
        np.testing.assert_allclose(player.point, w, atol=1e-14)
        player.pay(float(g @ w), g)
        w = rg.Ball(1.0).project(w - 0.7 / np.sqrt(t) * g)


def test_row_7_the_leader_pays_one_a_round():
    leader = LazyPlayer(rg.Box(-1.0, 1.0), 1e12, n=1)
    paid = [leader.pay(g * leader.point[0], [g]) for g in [0.5, *([-1.0, 1.0] * 50)]]
    assert paid == [0.0] + [1.0] * 100
    assert leader.ledger.certificate(rg.Box(-1.0, 1.0)).regret_at_most == 101 - 0.5


def test_players_copy_and_save(tmp_path):
    player = Player(rg.Ball(1.0), 0.1, n=2)
    player.pay(1.0, [1.0, -1.0])
    other = copy.deepcopy(player)
    player.save(tmp_path / "player")
    loaded = rg.load(tmp_path / "player")
    for one in (other, loaded):
        assert isinstance(one, Player)
        assert (one.point == player.point).all()
        assert one.pay(2.0, [0.0, 1.0]) == 2.0
    assert player.rounds == 1


def test_what_a_player_refuses():
    player = Player(rg.Ball(1.0), 0.1)
    with pytest.raises(ValueError, match="n=…"):
        Player(rg.Simplex(), 0.1).point  # noqa: B018
    player = Player(rg.Ball(1.0), 0.1, n=2)
    with pytest.raises(TypeError, match=r"gives \(value, subgradient\), not 1.0"):
        player.play(lambda w: 1.0)
    with pytest.raises(ValueError, match="value must be finite"):
        player.pay(float("nan"), [1.0, 1.0])
    with pytest.raises(ValueError, match="feature 1"):
        player.pay(1.0, [1.0, np.inf])
    assert player.rounds == 0
