"""Games: a learner meets a nature, round by round, and the game keeps what happened.

What is proved about a game is asked of other rooms (core, hindsight, batch); plots and words about it live here.
"""

from regretful.game.comparing import Comparison, compare
from regretful.game.game import Game, Interval
from regretful.game.playing import play

__all__ = ["Comparison", "Game", "Interval", "compare", "play"]
