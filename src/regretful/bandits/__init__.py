"""Arms to pull: learners that see the reward of the arm they chose and of no other, and whole runs of them.

Rewards lie in [0, 1] and come from outside; what is here neither logs nor serves.
"""

from regretful.bandits.arms import UCB1, Bandit, ThompsonSampling
from regretful.bandits.ledger import BanditLedger
from regretful.bandits.simulation import Simulation, simulate

__all__ = ["UCB1", "Bandit", "BanditLedger", "Simulation", "ThompsonSampling", "simulate"]
