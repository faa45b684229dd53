"""The conformance suite over all that the library holds, and that the suite catches parts that are broken."""

import numpy as np
import pytest

import regretful as rg
from regretful import checks

INF = float("inf")
CHECKS = dict(checks.learner_checks())
SORTS = (rg.Structured, rg.Multiclass, object)  # each has a suite of its own


@pytest.mark.parametrize("name", CHECKS)
def test_learner(name):
    CHECKS[name]()


def test_every_named_learner_and_rule_is_in_the_suite():
    public = {name for name in rg.__all__ if isinstance(getattr(rg, name), type)}
    rules = (rg.MirrorDescent, rg.FollowTheRegularizedLeader)
    learners = {name for name in public if issubclass(getattr(rg, name), rules)}
    wrapping = {"SelectiveSampling", "Mixture"}  # what is a learner and none of these rules
    assert learners | wrapping == {type(make()).__name__ for make in checks.learners().values()}
    made = checks.learners()
    sort_of = {name: next(i for i, k in enumerate(SORTS) if isinstance(make(), k)) for name, make in made.items()}
    for sort in range(len(SORTS)):
        makers = {name: make for name, make in made.items() if sort_of[name] == sort}
        suite = [name for name, _ in checks.learner_checks(makers)]
        # A sampler's averages are of the rounds it learnt from: the one check that is its learner's.
        less = sum(isinstance(make(), rg.SelectiveSampling) and make().b < np.inf for make in makers.values())
        assert len(suite) == len(makers) * len({name.split(": ")[1] for name in suite}) - less > 0


LOSSES = [
    rg.Squared(), rg.Absolute(), rg.Quantile(0.3), rg.Huber(0.5), rg.EpsilonInsensitive(), rg.Logistic(), rg.Hinge(),
    rg.Hinge(0.0), rg.Hinge(2.0), rg.SquaredHinge(), rg.SquaredHinge(0.5), rg.Poisson(), rg.LogWealth(),
]  # fmt: skip
DOMAINS = [
    rg.Everywhere(), rg.Ball(0.5), rg.L1Ball(2.0), rg.Simplex(), rg.Simplex(3.0), rg.Box(-1, 2), rg.Orthant(),
    rg.Box(-INF, 1.0), rg.Box([-1.0] * 5, [0.0, 1.0, 2.0, 3.0, 4.0]),
]  # fmt: skip
GEOMETRIES = [
    *(rg.Euclidean(), rg.Entropy(), rg.PNorm("log"), rg.PNorm(3.0)),
    *(rg.Diagonal(), rg.Proximal(0.1, 1.0, 0.01, 0.1)),
]
RATES = [rg.Constant(0.1), rg.InverseSqrt(0.1), rg.InverseTime(1.0), rg.WeightedInverseTime(1.0), rg.Adaptive(0.3)]


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_loss(loss):
    checks.check_loss(loss)


@pytest.mark.parametrize("domain", DOMAINS, ids=repr)
def test_domain(domain):
    checks.check_domain(domain)


@pytest.mark.parametrize("geometry", GEOMETRIES, ids=repr)
def test_geometry(geometry):
    checks.check_geometry(geometry)


@pytest.mark.parametrize("rate", RATES, ids=repr)
def test_rate(rate):
    checks.check_rate(rate)


# Parts of one's own that are right.


class Quartic(rg.Loss):
    """(p - y)^4."""

    def value(self, p, y):
        return (p - y) ** 4

    def slope(self, p, y):
        return 4 * (p - y) ** 3


class Halfspace(rg.Domain):
    """The weights that sum to at most b."""

    def __init__(self, b=1.0):
        self.b = b

    def project(self, w):
        w = np.asarray(w, float)
        return w - max(0.0, w.sum() - self.b) / len(w)

    def support(self, v):
        v = np.asarray(v, float)
        return self.b * v[0] if np.all(v == v[0]) and v[0] >= 0 else INF


class Sharp(rg.Geometry):
    """F(w) = w'Hw/2 with a diagonal H."""

    def __init__(self, h=2.0):
        self.h = h

    def to_dual(self, w):
        return self.h * w

    def to_primal(self, theta):
        return theta / self.h


class Cooling(rg.Rate):
    """c/(1 + log t)."""

    def __init__(self, c=0.1):
        self.c = c

    def at(self, t):
        return self.c / (1.0 + np.log(t))


def test_parts_of_ones_own_pass():
    checks.check_loss(Quartic())
    checks.check_domain(Halfspace())
    checks.check_geometry(Sharp())
    checks.check_rate(Cooling())
    checks.check_learner(lambda: rg.GradientDescent(Quartic(), Cooling(0.001), Halfspace(), keep=("average",)))
    checks.check_learner(rg.MirrorDescent(rg.Squared(), Sharp(), rg.Everywhere(), 0.05))


# And parts that are broken.


class WrongSlope(Quartic):
    def slope(self, p, y):
        return 3 * (p - y) ** 3


class NotConvex(rg.Loss):
    def value(self, p, y):
        return abs(p - y) ** 0.5

    def slope(self, p, y):
        return 0.5 * np.sign(p - y) / max(1e-9, abs(p - y)) ** 0.5


class ForgetsItsSetting(Quartic):
    def __init__(self, power=4):
        self.exponent = power

    def settings(self):
        return {}

    def __eq__(self, other):
        return self.exponent == other.exponent

    def __hash__(self):
        return 1


class Leaves(Halfspace):
    def project(self, w):
        return np.asarray(w, float) * 0.999


class Wanders(Halfspace):
    def project(self, w):
        return np.asarray(w, float) * min(1.0, self.b / max(self.b, np.sum(w)))


class Boasts(Halfspace):
    def support(self, v):
        return 0.0


class Overwrites(Halfspace):
    def project(self, w):
        w -= max(0.0, w.sum() - self.b) / len(w)
        return w


class Uphill(Sharp):
    def to_dual(self, w):
        return -self.h * w

    def to_primal(self, theta):
        return -theta / self.h


class NotInverse(Sharp):
    def to_primal(self, theta):
        return theta / (self.h + 1.0)


class Backwards(Cooling):
    def at(self, t):
        return 0.1 - 0.01 * t


class Tires(Cooling):
    def at(self, t):
        self.c *= 0.9
        return self.c


@pytest.mark.parametrize(
    ("check", "part", "words"),
    [
        (checks.check_loss, WrongSlope(), "slope_is_a_slope: slope\\("),
        (checks.check_loss, NotConvex(), "convex"),
        (checks.check_loss, ForgetsItsSetting(2), "settings\\(\\) gives an equal part"),
        (checks.check_domain, Leaves(), "lands in the set"),
        (checks.check_domain, Wanders(), "gives the nearest point"),
        (checks.check_domain, Boasts(), "support"),
        (checks.check_domain, Overwrites(), "leaves its argument"),
        (checks.check_geometry, Uphill(), "downhill"),
        (checks.check_geometry, NotInverse(), "undoes to_dual"),
        (checks.check_rate, Backwards(), "round 10 is positive"),
        (checks.check_rate, Tires(), "same when asked again"),
    ],
    ids=lambda thing: type(thing).__name__,
)
def test_broken_parts_are_caught(check, part, words):
    with pytest.raises(AssertionError, match=words):
        check(part)
