"""The draws from Beta(a, b) against SciPy's distribution, and which arm they choose against an integral."""

import numpy as np
import pytest
from scipy import integrate, stats

from regretful.bandits.policies import Thompson, betas


@pytest.mark.parametrize(
    ("a", "b"), [(1, 1), (2, 5), (1, 300), (4000, 3), (12.5, 1e6), (0.5, 0.5), (0.2, 3.0), (1e5, 1e5)]
)
def test_beta_draws(a, b):
    """Kolmogorov and Smirnov's distance over 200,000 draws: beyond 2.23/√N it is once in 10,000 times (seed fixed)."""
    draws = betas(a, b, 200_000, np.random.default_rng(0))
    assert stats.kstest(draws, stats.beta(a, b).cdf).statistic < 2.23 / np.sqrt(200_000)


def test_the_far_tail_of_the_normals_is_drawn_too():
    """With a = b = 10⁶ it is near normal: beyond 3.7 deviations, past the ziggurat's edge, as often as it ought."""
    draws = betas(1e6, 1e6, 2_000_000, np.random.default_rng(1))
    far = np.abs(draws - 0.5) * np.sqrt(4 * (2e6 + 1)) > 3.7
    expected = 2e6 * 2 * stats.norm.sf(3.7)
    assert abs(far.sum() - expected) < 4 * np.sqrt(expected)


@pytest.mark.parametrize(("a", "b"), [([3.0, 5.0, 1.0], [4.0, 9.0, 1.0]), ([0.5, 0.7, 2.0], [0.4, 0.5, 3.0])])
def test_an_arm_is_chosen_as_often_as_it_is_the_best(a, b):
    """P(arm 0 is the largest) = ∫ f_0 F_1 F_2; 40,000 choices, 4 deviations. The second case compares logarithms."""
    arms = [stats.beta(*pair) for pair in zip(a, b, strict=True)]
    policy, rng, count = Thompson(np.array(a), np.array(b)), np.random.default_rng(2), 40_000
    chosen = np.bincount([policy.pull(rng) for _ in range(count)], minlength=3) / count
    for k in range(3):
        others = [arm for other, arm in enumerate(arms) if other != k]
        chance = integrate.quad(
            lambda x, k=k, others=others: arms[k].pdf(x) * others[0].cdf(x) * others[1].cdf(x), 0, 1, limit=200
        )[0]
        assert abs(chosen[k] - chance) < 4 * np.sqrt(chance * (1 - chance) / count)


def test_tiny_priors_neither_overflow_nor_always_choose_the_same():
    policy, rng = Thompson(np.full(3, 1e-3), np.full(3, 1e-3)), np.random.default_rng(3)
    assert {policy.pull(rng) for _ in range(200)} == {0, 1, 2}
    assert np.isin(betas(1e-3, 1e-3, 1000, rng).round(6), [0.0, 1.0]).mean() > 0.9
