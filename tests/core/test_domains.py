"""Every domain: its projection (against NumPy and its obtuse angle), support, membership and diameter."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import regretful as rg
from tests.references import projections as P

N = 6
LOW, HIGH = np.linspace(-1.0, 0.3, N), np.linspace(-0.5, 2.0, N)
SIGNS = np.array(np.meshgrid(*[[-1.0, 1.0]] * N)).reshape(N, -1).T
# name: (domain, reference projection, extreme points of a bounded domain, diameter in R^6)
DOMAINS = {
    "everywhere": (rg.Everywhere(), P.everywhere(), None),
    "ball": (rg.Ball(0.7), P.ball(0.7), None),
    "l1ball": (rg.L1Ball(1.3), P.l1_ball(1.3), 1.3 * np.vstack([np.eye(N), -np.eye(N)])),
    "simplex": (rg.Simplex(), P.simplex(), np.eye(N)),
    "scaledsimplex": (rg.Simplex(2.5), P.simplex(2.5), 2.5 * np.eye(N)),
    "box": (rg.Box(-0.2, 0.5), P.box(-0.2, 0.5), np.where(SIGNS > 0, 0.5, -0.2)),
    "boxes": (rg.Box(LOW, HIGH), P.box(LOW, HIGH), np.where(SIGNS > 0, HIGH, LOW)),
    "orthant": (rg.Orthant(), P.orthant(), None),
}
every = pytest.mark.parametrize("name", DOMAINS)
cornered = pytest.mark.parametrize("name", [name for name, (_, _, corners) in DOMAINS.items() if corners is not None])
numbers = st.floats(-1e3, 1e3)
points = st.lists(numbers, min_size=N, max_size=N).map(np.array)


def size(*vectors):
    """One plus the largest entry: what rounding is relative to."""
    return 1 + max(np.abs(v).max() for v in vectors)


@every
@given(w=points)
def test_the_projection_agrees_with_numpy(name, w):
    domain, project, _ = DOMAINS[name]
    # Six additions and a division of numbers of the size of w.
    np.testing.assert_allclose(domain.project(w), project(w), rtol=0, atol=1e-14 * size(w))


@every
@given(w=points)
def test_the_projection_is_contained_and_idempotent(name, w):
    domain = DOMAINS[name][0]
    once = np.asarray(domain.project(w))
    assert domain.contains(once, tolerance=1e-9 * size(w))
    np.testing.assert_allclose(domain.project(once), once, rtol=0, atol=1e-14 * size(w))


@every
@given(w=points, v=points)
def test_the_projection_makes_an_obtuse_angle(name, w, v):
    """<w - Pw, u - Pw> <= 0 for every u of the domain is what a projection is."""
    domain, project, _ = DOMAINS[name]
    u, nearest = project(v), np.asarray(domain.project(w))
    assert (w - nearest) @ (u - nearest) <= 1e-12 * size(w) * size(u, nearest)


@every
def test_the_projection_does_not_write_into_its_argument(name):
    w = np.array([3.0, -2.0, 0.1, 0.0, 5.0, -7.0])
    before = w.copy()
    DOMAINS[name][0].project(w)
    np.testing.assert_array_equal(w, before)


@cornered
@given(v=points)
def test_the_support_of_a_polytope_is_attained_at_a_corner(name, v):
    domain, _, corners = DOMAINS[name]
    best = corners[(corners @ v).argmax()]
    assert domain.contains(best)
    assert domain.support(v) == pytest.approx(best @ v, rel=1e-13, abs=1e-12 * size(v))  # sums of six products


@given(v=points)
def test_the_support_of_a_ball_is_attained_along_the_vector(v):
    ball, length = DOMAINS["ball"][0], np.linalg.norm(v)
    assert ball.support(v) == pytest.approx(0.7 * length, rel=1e-14)
    if length > 1e-6:
        assert ball.contains(0.7 * v / length)
    u = np.random.default_rng(0).normal(size=(100, N))
    u *= 0.7 / np.linalg.norm(u, axis=1, keepdims=True)
    assert (u @ v).max() <= ball.support(v) + 1e-12 * size(v)


def test_the_support_of_an_unbounded_domain():
    v = np.array([-1.0, 0.0, -2.0, 0.0, -0.5, -3.0])
    assert rg.Everywhere().support(v) == np.inf
    assert rg.Everywhere().support(np.zeros(N)) == 0
    assert rg.Orthant().support(v) == 0
    assert rg.Orthant().support(-v) == np.inf


@every
@given(w=points)
def test_contains_is_having_nowhere_to_go(name, w):
    domain, project, _ = DOMAINS[name]
    distance = np.linalg.norm(w - project(w))
    if distance == 0:
        assert domain.contains(w, tolerance=1e-9 * size(w))
    elif distance > 1e-6 * size(w):  # in between, the tolerance decides
        assert not domain.contains(w)


@pytest.mark.parametrize("name", [name for name in DOMAINS if name != "everywhere"])
def test_contains_heeds_its_tolerance(name):
    domain, project, _ = DOMAINS[name]
    w = np.array([9.0, -8.0, 7.0, -6.0, 5.0, -4.0])
    edge = project(w)
    outside = edge + 1e-4 * (w - edge) / np.linalg.norm(w - edge)
    assert domain.contains(edge)
    assert not domain.contains(outside)
    assert domain.contains(outside, tolerance=1e-3)
    assert isinstance(domain.contains(edge), bool)


@pytest.mark.parametrize("name", ["l1ball", "simplex", "scaledsimplex", "boxes"])
def test_the_diameter_is_the_largest_distance_of_two_corners(name):
    domain, _, corners = DOMAINS[name]
    distances = np.linalg.norm(corners[:, None] - corners[None], axis=2)
    assert domain.diameter == pytest.approx(distances.max(), rel=1e-14)


def test_the_other_diameters():
    assert rg.Ball(0.7).diameter == 1.4
    assert rg.Everywhere().diameter == np.inf
    assert rg.Orthant().diameter == np.inf
    with pytest.raises(ValueError, match="diameter"):  # it grows with the number of features
        _ = rg.Box(-0.2, 0.5).diameter


@every
def test_domains_survive_pickle_and_copy(name):
    domain = DOMAINS[name][0]
    w = np.array([3.0, -2.0, 0.1, 0.0, 5.0, -7.0])
    for twin in (pickle.loads(pickle.dumps(domain)), copy.copy(domain), copy.deepcopy(domain)):
        assert type(twin) is type(domain)
        np.testing.assert_array_equal(twin.project(w), domain.project(w))


@pytest.mark.parametrize(
    ("make", "match"),
    [
        *((lambda bad=bad: rg.Ball(bad), "radius") for bad in (-1.0, float("nan"))),
        *((lambda bad=bad: rg.L1Ball(bad), "radius") for bad in (-1.0, float("nan"))),
        *((lambda bad=bad: rg.Simplex(bad), "scale") for bad in (-1.0, 0.0, float("nan"), float("inf"))),
        (lambda: rg.Box(1.0, -1.0), "low"),
        (lambda: rg.Box(float("nan"), 1.0), "low"),
        (lambda: rg.Box(np.array([0.0, 1.0]), np.array([1.0, 0.5])), "low"),
        (lambda: rg.Box(np.zeros(2), np.ones(3)), "low"),
    ],
)
def test_parameters_without_sense_are_refused(make, match):
    with pytest.raises(ValueError, match=match):
        make()


def test_a_box_of_arrays_knows_its_length():
    box = rg.Box(LOW, HIGH)
    for use in (box.project, box.support, box.contains):
        with pytest.raises(ValueError, match="6"):
            use(np.zeros(5))


def test_a_user_domain_works_in_a_learner():
    class Halfspace(rg.Domain):
        """sum w <= 0.3."""

        def project(self, w):
            return w - max(0.0, w.sum() - 0.3) / len(w)

        def support(self, v):
            return 0.3 * v[0] if np.ptp(v) == 0 and v[0] >= 0 else np.inf

    rng = np.random.default_rng(5)
    X, w = rng.normal(size=(200, 4)), np.zeros(4)
    y = X @ np.ones(4)
    learner = rg.GradientDescent(rg.Squared(), 0.02, Halfspace())
    predictions = learner.learn_many(X, y)
    for x, label, p in zip(X, y, predictions, strict=True):
        assert p == pytest.approx(w @ x, rel=0, abs=1e-12)
        w = w - 0.04 * (w @ x - label) * x
        w = w - max(0.0, w.sum() - 0.3) / 4
    np.testing.assert_allclose(learner.weights, w, rtol=0, atol=1e-12)
    assert w.sum() == pytest.approx(0.3)  # the constraint binds
