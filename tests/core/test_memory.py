"""Memory: ten times more rounds add nothing. Measured in a process of its own, which plays nothing else."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(
    os.environ.get("REGRETFUL_CHECKS") == "1", reason="the address sanitizer keeps memory of its own"
)

PLAY = """
import resource, sys
import numpy as np
from scipy.sparse import random_array
import regretful as rg

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1 if sys.platform != "darwin" else 1024)

rng = np.random.default_rng(0)
KEEP = ("average", "weighted", "random")
X = rng.normal(size=(1000, 20))
S = random_array((1000, 2000), density=0.01, format="csr", rng=rng)
y = np.sign(X[:, 0])
events = [{"a": float(x[0]), "b": x[1] > 0, "c": f"k{i % 50}"} for i, x in enumerate(X)]
learners = {
    "dense": (rg.GradientDescent(rg.Logistic(), 0.1, rg.Ball(2.0), keep=KEEP), X),
    "eg": (rg.ExponentiatedGradient(rg.Logistic(), 0.1, keep=KEEP), X),
    "csr": (rg.FTRLProximal(0.1, l1=1.0, keep=KEEP), S),
    "events": (rg.AdaGrad(rg.Logistic(), 0.1, intercept=True, keep=KEEP), events),
    "hashing": (rg.Perceptron(features=rg.Hashing(8)), events),
}

def play(times, name):
    learner, data = learners[name]
    for _ in range(times):
        learner.learn_many(data, y)
        learner.predict_many(data)
        for x, label in zip(events if name in ("events", "hashing") else [], y):
            learner.learn_one(x, label)
            learner.predict_one({**x, f"unseen {label}": 1.0})
            try:
                learner.learn_one({"bad": None}, label)
            except TypeError:
                pass
        learner.average() if learner.keep else None

name = sys.argv[1]
play(3, name)
before = peak()
play(30, name)
print(peak() - before)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no resource module")
@pytest.mark.parametrize("name", ["dense", "eg", "csr", "events", "hashing"])
def test_ten_times_more_rounds_add_nothing(name):
    run = subprocess.run([sys.executable, "-c", PLAY, name], capture_output=True, text=True, check=True, timeout=300)
    grown = int(run.stdout)
    # 60,000 rounds more: even 32 bytes a round would be 1,900 kB. The allocator's own pages are a few hundred.
    assert grown < 1000, f"{grown} kB"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_batch_is_read_where_it_lies():
    """A memory-mapped array of 240 MB is learnt without being copied as a whole."""
    code = """
import re, sys, tempfile
import numpy as np
import regretful as rg

def anonymous():
    return int(re.search(r"RssAnon:\\s+(\\d+)", open("/proc/self/status").read())[1])

with tempfile.NamedTemporaryFile() as file:
    X = np.memmap(file.name, np.float32, "w+", shape=(2_000_000, 30))
    X[:, 0] = 1.0
    y = np.ones(len(X))
    X = np.memmap(file.name, np.float32, "r", shape=X.shape)
    learner, most = rg.GradientDescent(rg.Logistic(), 0.01), [0]
    learner.learn_many(X[:1000], y[:1000])
    before = anonymous()

    class Watching(rg.Loss):
        n = 0
        def value(self, p, y):
            return p * p
        def slope(self, p, y):
            Watching.n += 1
            if Watching.n % 10_000 == 0:
                most[0] = max(most[0], anonymous() - before)
            return 2 * p
    rg.GradientDescent(Watching(), 0.01).learn_many(X[:300_000], y[:300_000])
    learner.learn_many(X, y)
    print(most[0], anonymous() - before)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300)
    during, after = map(int, run.stdout.split())
    assert 0 < during < 40_000  # kB; a copy as doubles of those 300,000 rows alone is 72,000
    assert after < 60_000


KINDS = """
import re, sys
import numpy as np
import pandas, polars, pyarrow, scipy.sparse
import regretful as rg

def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])

kind, first, second = sys.argv[1].split("-")
rows, n = 500_000, 30
y, names = np.ones(rows), [f"c{j}" for j in range(n)]
if kind == "dense":
    X = np.ones((rows, n), first, order=second)
elif kind == "csr":
    indices = np.empty(rows * n, first)
    indices.reshape(rows, n)[:] = np.arange(n)
    indptr = np.arange(0, rows * n + 1, n).astype(first)
    X = scipy.sparse.csr_array((np.ones(rows * n, second), indices, indptr), shape=(rows, n))
elif kind == "dicts":
    X = [dict.fromkeys(names, 1.5) for _ in range(rows // 4)]
    y = y[: len(X)]
else:
    columns = {name: np.ones(rows) for name in names}
    X = {"arrow": pyarrow.table, "pandas": pandas.DataFrame, "polars": polars.DataFrame}[kind](columns)
part = X.slice(0, 20) if kind == "arrow" else X[:20]
small = rg.GradientDescent(rg.Logistic(), 0.01)
small.learn_many(part, y[:20])
small.predict_many(part)
before = peak()
rg.GradientDescent(rg.Logistic(), 0.01, keep=("average",)).learn_many(X, y)
small.predict_many(X)
print(peak() - before)
"""
FORMS = ["dense-f4-C", "dense-f8-F", "dense-i4-C", "dense-i1-C", "csr-i4-f8", "csr-i8-f8", "csr-i8-f4", "csr-i4-i4"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("form", [*FORMS, "dicts-of-floats", "arrow-of-floats", "pandas-of-floats", "polars-of-floats"])
def test_no_form_of_a_batch_is_copied_as_a_whole(form):
    """The peak of a process that learns and predicts a batch: as doubles it would be 30,000 kB (dicts) or 120,000."""
    run = subprocess.run([sys.executable, "-c", KINDS, form], capture_output=True, text=True, check=True, timeout=300)
    grown = int(run.stdout)
    # Two blocks of 131,072 values with indices and what made them, and eight bytes a row for the predictions.
    assert grown < 25_000, f"{grown} kB"
