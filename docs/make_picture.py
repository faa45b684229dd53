"""Draws docs/picture.svg: the game of the README, its loss and its bound. By hand: python docs/make_picture.py."""

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter

import regretful as rg

ROUNDS = 200_000
mpl.use("svg")
mpl.rcParams |= {"svg.hashsalt": "regretful", "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 11}


def draw(path: Path) -> None:
    """The picture."""
    learner = rg.AdaGrad(rg.Logistic(), 0.1, intercept=True, features=rg.Hashing(20))
    curve = sorted({round(256 * 2 ** (k / 4)) for k in range(40)})
    game = rg.play(
        learner, rg.nature.ClickLog(seed=1), rounds=ROUNDS, domains=[rg.Ball(10.0)], curve=curve, progress=False
    )
    rounds, loss = game.curve["rounds"], game.curve["mean_loss"]
    figure, axes = plt.subplots(figsize=(7.2, 3.6), layout="constrained")
    lower = [
        mean - over / t for mean, over, t in zip(loss, game.curve["certificate Ball(radius=10.0)"], rounds, strict=True)
    ]
    axes.plot(rounds, loss, color="#c2410c", label="AdaGrad lost, a round so far")
    axes.fill_between(rounds, lower, loss, color="#c2410c", alpha=0.08, lw=0)
    axes.plot(rounds, lower, color="#1d4ed8", label="no fixed predictor of norm at most 10 could have lost less")
    axes.set_xscale("log", base=10)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.set(xlabel="rounds", ylabel="logistic loss", xlim=(256, ROUNDS), ylim=(0.2, 0.5))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    draw(Path(__file__).parent / "picture.svg")
