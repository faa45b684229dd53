"""Ctrl-C in the middle of a batch: the rows before it are learnt, those after it leave no trace."""

import gc
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa
import pytest
from scipy import sparse

import regretful as rg
from regretful.checks.examples import fingerprint

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs the timers of POSIX")
ROWS = 40_000
Y = np.where(np.arange(ROWS) % 3 == 0, 1.0, -1.0)
EVENTS = [{f"n{i % 5000}": 1.0, **{f"k{j}": float(j) for j in range(10)}} for i in range(ROWS)]
DENSE = np.random.default_rng(0).normal(size=(ROWS, 20))
BATCHES = {
    "events": EVENTS,
    "dense": DENSE,
    "csr": sparse.csr_array(DENSE),
    "table": pa.table({**{f"c{j}": DENSE[:, j] for j in range(20)}, "k": [f"k{i // 100}" for i in range(ROWS)]}),
}


def first(X, rows):
    """The first rows of a batch."""
    return X.slice(0, rows) if isinstance(X, pa.Table) else X[:rows]


@pytest.fixture
def interrupt():
    """Raises KeyboardInterrupt in so many seconds, wherever the main thread is then.

    Not in the garbage collector: Python swallows what is raised in its callbacks (Hypothesis has one), and says so.
    """
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    gc.disable()
    yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    gc.enable()
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("form", BATCHES)
def test_an_interrupt_leaves_the_rows_before_it_and_nothing_else(form, interrupt):
    X, stopped, played = BATCHES[form], 0, 0

    def make():
        return rg.AdaGrad(rg.Logistic(), 0.1, keep=("average",))

    begin = time.perf_counter()
    make().learn_many(X, Y)
    whole = time.perf_counter() - begin
    parts = (0.05, 0.2, 0.35, 0.5, 0.65, 0.8)
    while played < len(parts) or (stopped < len(parts) // 2 and played < 100):
        learner, begin = make(), time.perf_counter()
        try:
            interrupt(max(1e-4, parts[played % len(parts)] * whole))
            learner.learn_many(X, Y)
            interrupt(0.0)
            whole = min(whole, time.perf_counter() - begin)  # the first run may have been held up
        except KeyboardInterrupt:
            stopped += 1
        played += 1
        rounds, expected = learner.rounds, make()
        if rounds:
            expected.learn_many(first(X, rounds), Y[:rounds])
        assert fingerprint(learner) == fingerprint(expected)
    assert stopped >= len(parts) // 2


def test_waiting_for_a_turn_can_be_interrupted(interrupt):
    """Another thread is in a long call of the same learner."""
    inside, leave = threading.Event(), threading.Event()

    class Slow(rg.Loss):
        def value(self, p, y):
            inside.set()
            leave.wait(30)
            return 0.0

        def slope(self, p, y):
            return 0.0

    learner = rg.GradientDescent(Slow(), 0.1)
    with ThreadPoolExecutor(1) as pool:
        long = pool.submit(learner.learn_one, [1.0], 1.0)
        try:
            assert inside.wait(30)
            interrupt(0.05)
            with pytest.raises(KeyboardInterrupt):
                learner.predict_one([1.0])
        finally:
            leave.set()
        assert long.result(30) == 0.0
    assert learner.predict_one([1.0]) == 0.0
    assert learner.rounds == 1
