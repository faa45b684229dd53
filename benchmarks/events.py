"""Dict events of 10 features, predict + learn one by one: at least 10 times as fast as River."""

from collections.abc import Callable
from typing import Any

import numpy as np
from river import compose, linear_model, optim, preprocessing

import regretful as rg
from benchmarks import data
from benchmarks.agreement import difference
from benchmarks.results import Result, slower
from benchmarks.timing import Prepare, race

RATE = 0.01  # River's own default, for the weights and for the intercept
BAR = 10.0


def run(quick: bool) -> list[Result]:
    count, repeats = (5_000, 3) if quick else (20_000, 7)
    events, labels = data.number_events(count)
    mixed, mixed_labels = data.mixed_events(count)
    _check_agreement(events[:5_000], labels[:5_000])

    times = race(
        {
            "numbers": _ours(events, labels),
            "River": _theirs(_river, events, labels),
            "with strings": _ours(mixed, mixed_labels),
            "River, OneHotEncoder": _theirs(_river_one_hot, mixed, mixed_labels),
        },
        repeats,
    )
    return [
        slower("events, 10 numbers", times, "numbers", "River", count, "event", BAR),
        slower("events, 3 of 10 strings", times, "with strings", "River, OneHotEncoder", count, "event", BAR),
    ]


def _learner() -> rg.GradientDescent:
    return rg.GradientDescent(rg.Logistic(), RATE, intercept=True)


def _river() -> Any:
    return linear_model.LogisticRegression(optimizer=optim.SGD(RATE), intercept_lr=RATE)


def _river_one_hot() -> Any:
    numbers: Any = compose.SelectType(float)
    words: Any = compose.SelectType(str) | preprocessing.OneHotEncoder()
    return (numbers + words) | _river()


def _ours(events: list[data.Event], labels: list[bool]) -> Prepare:
    def prepare() -> Callable[[], None]:
        learner = _learner()
        return lambda: _play(learner.predict_one, learner.learn_one, events, labels)

    return prepare


def _theirs(make: Callable[[], Any], events: list[data.Event], labels: list[bool]) -> Prepare:
    def prepare() -> Callable[[], None]:
        model = make()
        return lambda: _play(model.predict_proba_one, model.learn_one, events, labels)

    return prepare


def _play(predict: Callable[..., Any], learn: Callable[..., Any], events: list[data.Event], labels: list[bool]) -> None:
    for x, y in zip(events, labels, strict=True):
        predict(x)
        learn(x, y)


def _check_agreement(events: list[data.Event], labels: list[bool]) -> None:
    learner, model = _learner(), _river()
    _play(learner.predict_one, learner.learn_one, events, labels)
    _play(model.predict_proba_one, model.learn_one, events, labels)
    ours = learner.named_weights()
    names = sorted(model.weights)
    found = difference(
        np.array([ours[name] for name in names] + [learner.intercept]),
        np.array([model.weights[name] for name in names] + [model.intercept]),
        tolerance=1e-9,
    )
    print(f"  the weights agree with River's to {found:.0e}")
