"""Plays a learner on a generated click log: what it lost, and how that compares. `make demo` runs it."""

import math
import sys
from collections.abc import Iterator
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

import regretful as rg

ROUNDS = 500_000
CHUNK = 10_000
SEED = 20_240
BASE = -2.4  # the log-odds of a click when nothing else speaks

DEVICES = {"phone": 0.35, "tablet": 0.0, "desktop": -0.35}
POSITIONS = {"top": 0.6, "side": -0.1, "bottom": -0.5}
SITES = 300
HOUR = 0.5  # the evening peak, against the early morning
AGE = -0.25  # for ten years more

Floats = NDArray[np.float64]
Event = dict[str, float | str]


class ClickLog:
    """Impressions of an advertisement, and whether it was clicked, from a logistic model that we know."""

    def __init__(self, rounds: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.effects = _effects(rng)
        self._hour = rng.integers(0, 24, rounds)
        self._device = rng.choice(len(DEVICES), rounds, p=[0.6, 0.1, 0.3])
        self._position = rng.choice(len(POSITIONS), rounds, p=[0.3, 0.5, 0.2])
        # A few sites show most of the advertisements.
        popularity = 1.0 / np.arange(1, SITES + 1)
        self._site = rng.choice(SITES, rounds, p=popularity / popularity.sum())
        self._age = rng.integers(18, 80, rounds)
        self.truth = BASE + sum(self._log_odds(), np.zeros(rounds))
        self.clicked = rng.random(rounds) < 1.0 / (1.0 + np.exp(-self.truth))

    def chunks(self) -> Iterator[tuple[list[Event], list[bool]]]:
        """The log in the order in which it happened."""
        for start in range(0, len(self.clicked), CHUNK):
            part = slice(start, start + CHUNK)
            yield self._events(part), self.clicked[part].tolist()

    def _events(self, part: slice) -> list[Event]:
        devices, positions = list(DEVICES), list(POSITIONS)
        columns = (self._hour, self._device, self._site, self._position, self._age)
        return [
            {
                "hour": f"{hour:02d}",
                "device": devices[device],
                "site": f"site{site:03d}",
                "position": positions[position],
                "age/10": age / 10,
            }
            for hour, device, site, position, age in zip(*(c[part].tolist() for c in columns), strict=True)
        ]

    def _log_odds(self) -> Iterator[Floats]:
        def of(feature: str, names: list[str], column: NDArray[np.int64]) -> Floats:
            effects: Floats = np.array([self.effects[f"{feature}={name}"] for name in names])
            return effects[column]

        yield of("hour", [f"{hour:02d}" for hour in range(24)], self._hour)
        yield of("device", list(DEVICES), self._device)
        yield of("position", list(POSITIONS), self._position)
        yield of("site", [f"site{site:03d}" for site in range(SITES)], self._site)
        yield self.effects["age/10"] * self._age / 10


def _effects(rng: np.random.Generator) -> dict[str, float]:
    """The model behind the clicks: what each feature adds to the log-odds."""
    effects = {f"device={name}": effect for name, effect in DEVICES.items()}
    effects |= {f"position={name}": effect for name, effect in POSITIONS.items()}
    effects |= {f"hour={h:02d}": HOUR * math.cos(2 * math.pi * (h - 20) / 24) for h in range(24)}
    effects |= {f"site=site{k:03d}": effect for k, effect in enumerate(rng.normal(0.0, 0.8, SITES))}
    effects["age/10"] = AGE
    return effects


def play(name: str, learner: rg.MirrorDescent, log: ClickLog) -> float:
    """Every round once: predict, pay, step. Returns the seconds spent in the learner."""
    seconds = 0.0
    for events, clicked in log.chunks():
        start = perf_counter()
        learner.learn_many(events, clicked)
        seconds += perf_counter() - start
        _progress(f"{name}: round {learner.rounds:,}, mean loss {learner.ledger.mean_loss:.4f}")
    _progress("")
    return seconds


def _progress(text: str) -> None:
    """One line that is written over; nothing unless somebody watches."""
    if sys.stderr.isatty():
        print(f"\r{text:<70}" if text else f"\r{'':<70}\r", end="", file=sys.stderr, flush=True)


def main() -> None:
    log = ClickLog(ROUNDS, SEED)
    rate = float(log.clicked.mean())
    first, _ = next(log.chunks())
    print(f"A generated click log: {ROUNDS:,} rounds, {rate:.1%} of them clicked. The first event:")
    print(f"  {first[0]}\n")

    adagrad = rg.AdaGrad(rg.Logistic(), 0.1, intercept=True)
    seconds = play("AdaGrad", adagrad, log)
    losses = {"AdaGrad, rate 0.1": adagrad.ledger.loss}
    for eta in (0.1, 0.01, 0.001):
        name = f"GradientDescent, rate {eta}"
        descent = rg.GradientDescent(rg.Logistic(), eta, intercept=True)
        play(name, descent, log)
        losses[name] = descent.ledger.loss

    base = _loss(np.full(ROUNDS, math.log(rate / (1.0 - rate))), log)
    truth = _loss(log.truth, log)
    show_losses(losses, base, truth)
    regret = adagrad.ledger.loss - truth
    print(f"\nAdaGrad lost {adagrad.ledger.loss:,.0f}, {regret:,.0f} more than the model that made the clicks:")
    print(f"a regret of {regret / ROUNDS:.5f} a round.")
    show_weights(adagrad.named_weights(), log.effects)
    print(f"\nAdaGrad took {seconds:.2f} s: {ROUNDS / seconds:,.0f} rounds a second.")


def show_losses(losses: dict[str, float], base: float, truth: float) -> None:
    """Each learner between the two that had to know something beforehand."""
    lines = {
        "always the base rate, known beforehand": base,
        **losses,
        "the true model, known beforehand": truth,
    }
    print("What was lost, every event predicted before its label was seen (logistic loss):\n")
    print(f"  {'':<40}{'total':>10}{'a round':>10}{'gained':>9}")
    for name, loss in lines.items():
        print(f"  {name:<40}{loss:>10,.0f}{loss / ROUNDS:>10.5f}{(base - loss) / (base - truth):>9.1%}")
    print("\n  gained: how far from the base rate's loss down to the true model's.")


def show_weights(learnt: dict[str, float], true: dict[str, float]) -> None:
    """The largest, by name."""
    learnt, true = _centred(learnt), _centred(true)
    print(f"\nThe largest of AdaGrad's {len(learnt)} weights, and what the true model has there")
    print("(a site, hour, device or position against the mean of its kind):\n")
    print(f"  {'':<20}{'learnt':>8}{'true':>8}")
    for name in sorted(learnt, key=lambda name: -abs(learnt[name]))[:12]:
        print(f"  {name:<20}{learnt[name]:>+8.2f}{true[name]:>+8.2f}")


def _centred(weights: dict[str, float]) -> dict[str, float]:
    """One more for every site and one less for the intercept predicts the same: only differences speak."""
    kinds: dict[str, list[float]] = {}
    for name, weight in weights.items():
        kinds.setdefault(name.partition("=")[0], []).append(weight)
    means = {kind: sum(values) / len(values) if len(values) > 1 else 0.0 for kind, values in kinds.items()}
    return {name: weight - means[name.partition("=")[0]] for name, weight in weights.items()}


def _loss(log_odds: Floats, log: ClickLog) -> float:
    """What fixed predictions lose on this log."""
    return float(np.logaddexp(0.0, np.where(log.clicked, -log_odds, log_odds)).sum())


if __name__ == "__main__":
    main()
