"""Ctrl-C, and the line that says how far a game is."""

import signal
import threading

import numpy as np
import pytest

import regretful as rg
from regretful.game import compare, play
from regretful.nature import LinearNoise, Nature, Oblivious


def learner():
    return rg.GradientDescent(rg.Squared(), 0.1)


def test_ctrl_c_ends_a_game_with_what_was_played():
    class Pressed(LinearNoise):
        def examples(self, first, last):
            if first > 5000:
                signal.raise_signal(signal.SIGINT)
            return super().examples(first, last)

    game = play(learner(), Pressed(3), rounds=10**9, curve=10)
    assert game.interrupted
    assert 5000 < game.rounds == game.learner.rounds == len(game.losses) < 10**6
    assert game.curve["rounds"][-1] == game.rounds
    assert "interrupted" in game.summary()
    assert game.loss == game.learner.ledger.loss
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_in_the_middle_of_the_loop():
    X, y, _ = LinearNoise(50).examples(0, 200_000)

    class Slow(Oblivious):
        rounds = 20_000_000

        def examples(self, first, last):
            return X[: last - first], y[: last - first], None

    class Given(Slow):
        def examples(self, first, last):
            from regretful.nature import Batch

            return Batch(*super().examples(first, last))

    timer = threading.Timer(0.3, lambda: signal.pthread_kill(threading.main_thread().ident, signal.SIGINT))
    timer.start()
    game = play(learner(), Given(), curve=0)
    timer.join()
    assert game.interrupted
    assert 0 < game.rounds == game.learner.rounds == len(game.losses)


def test_ctrl_c_while_a_nature_is_waited_for():
    class Waits(Nature):
        def reveal(self, learner):
            if learner.rounds == 20:
                signal.raise_signal(signal.SIGINT)
                raise AssertionError("it should have been torn away")
            return [1.0]

        def label(self, learner, x, p):
            return 1.0

    game = play(learner(), Waits())
    assert game.interrupted
    assert game.rounds == game.learner.rounds == len(game.losses) == 20


def test_ctrl_c_ends_a_comparison():
    def pairs():
        class Pairs(LinearNoise):
            def examples(self, first, last):
                signal.raise_signal(signal.SIGINT)
                return super().examples(first, last)

        return Pairs(2)

    comparison = compare([learner(), learner()], pairs(), rounds=10**6)
    assert len(comparison.games) == 1
    assert comparison.best.interrupted


def test_a_second_ctrl_c_is_not_held_back():
    class Twice(LinearNoise):
        def examples(self, first, last):
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)
            return super().examples(first, last)

    with pytest.raises(KeyboardInterrupt):
        play(learner(), Twice(3), rounds=1000)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_threads_play_without_touching_signals():
    games = []
    thread = threading.Thread(target=lambda: games.append(play(learner(), LinearNoise(3), rounds=1000)))
    thread.start()
    thread.join()
    assert games[0].rounds == 1000


def test_the_line_of_progress(capsys, monkeypatch):
    play(learner(), LinearNoise(3), rounds=3000)
    assert capsys.readouterr().err == ""  # not a terminal
    play(learner(), LinearNoise(3), rounds=3000, progress=True)
    line = capsys.readouterr().err
    assert "GradientDescent: 100% 3,000 rounds" in line
    assert line.endswith("\n")
    play(learner(), ((x, y) for x, y in zip(np.ones((50, 1)), np.ones(50), strict=True)), progress=True)
    assert "50 rounds" in capsys.readouterr().err
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    play(learner(), LinearNoise(3), rounds=3000)
    assert capsys.readouterr().err == ""  # too short to be worth a line
    monkeypatch.setattr("regretful.game.progress.PATIENCE", 0.0)
    play(learner(), LinearNoise(3), rounds=3000)
    assert "rounds" in capsys.readouterr().err
