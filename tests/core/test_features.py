"""Names to positions: hashing, strings one-hot, names that look like others, the intercept."""

import os
import subprocess
import sys

import numpy as np
import pytest

import regretful as rg
from regretful.checks.examples import fingerprint


def fnv_mixed(text, bits, seed=0):
    """FNV-1a over the UTF-8 bytes, then MurmurHash3's finaliser."""
    h, mask = 0xCBF29CE484222325 ^ seed, 2**64 - 1
    for byte in text.encode():
        h = ((h ^ byte) * 0x100000001B3) & mask
    h = ((h ^ (h >> 33)) * 0xFF51AFD7ED558CCD) & mask
    h = ((h ^ (h >> 33)) * 0xC4CEB9FE1A85EC53) & mask
    return (h ^ (h >> 33)) & ((1 << bits) - 1)


def test_hashes_are_those_of_the_definition():
    for name in ["", "age", "città", "日本=🙂", "x" * 1000, "\x00"]:
        for bits in (1, 20, 30):
            assert rg.Hashing(bits).index(name) == fnv_mixed(name, bits)
            assert rg.Hashing(bits, seed=7).index(name) == fnv_mixed(name, bits, 7)


def test_hashes_are_the_same_in_every_run():
    """Unlike Python's own, whose seed changes from process to process."""
    code = "import regretful as rg; print([rg.Hashing(20).index(n) for n in ('age', 'city=Rome', '')])"
    expected = str([fnv_mixed(name, 20) for name in ("age", "city=Rome", "")])
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"PYTHONHASHSEED": seed},
        )
        assert run.stdout.strip() == expected


def test_hashing_a_string_value_is_hashing_name_equals_value():
    learner = rg.Perceptron(features=rg.Hashing(10))
    learner.learn_one({"city": "Rome"}, 1)
    assert learner.named_weights() == {rg.Hashing(10).index("city=Rome"): 1.0}


def test_values_that_collide_add_up():
    learner = rg.Perceptron(features=rg.Hashing(1))
    names = [f"n{i}" for i in range(7)]
    learner.learn_one(dict.fromkeys(names, 1.0), 1)
    expected = np.bincount([rg.Hashing(1).index(name) for name in names], minlength=2)
    np.testing.assert_array_equal(learner.weights, expected)
    assert learner.ledger.max_norm2 == pytest.approx(np.sqrt((expected**2).sum()))


def test_hashing_bounds_memory():
    learner = rg.Perceptron(features=rg.Hashing(4))
    learner.learn_many([{f"n{i}": 1.0} for i in range(1000)], np.ones(1000))
    assert len(learner.weights) == learner.n == 16


@pytest.mark.parametrize("bits", [0, 31, 2.5, "20", True])
def test_bits_that_make_no_sense(bits):
    with pytest.raises(ValueError, match="whole number from 1 to 30"):
        rg.Hashing(bits)


def test_hashing_wants_an_instance_and_decides_n():
    with pytest.raises(TypeError, match=r"Hashing\(bits=…\)"):
        rg.Perceptron(features=20)
    with pytest.raises(ValueError, match="disagree"):
        rg.Perceptron(features=rg.Hashing(3), n=9)


def test_a_name_and_a_category_of_the_same_spelling_share_a_weight():
    """`city=Rome` as a name and Rome as the city's value are one feature, in whatever order they come."""
    for first, second in [({"city": "Rome"}, {"city=Rome": 1.0}), ({"city=Rome": 1.0}, {"city": "Rome"})]:
        learner = rg.Perceptron()
        learner.learn_one(first, 1)
        assert learner.predict_one(second) == 1.0
        learner.learn_one({**first, **second}, -1)  # both at once: the values add up
        assert learner.named_weights() == {"city=Rome": -1.0}
        assert learner.ledger.max_norm2 == 2.0
        many = rg.Perceptron()
        many.learn_many([first, {**first, **second}], [1, -1])
        assert fingerprint(many) == fingerprint(learner)


def test_equals_signs_may_stand_anywhere():
    learner = rg.Perceptron()
    learner.learn_one({"a=b": "c"}, 1)
    assert learner.predict_one({"a": "b=c"}) == 1.0
    assert learner.predict_one({"a=b=c": 2.0}) == 2.0
    assert learner.named_weights() == {"a=b=c": 1.0}


def test_a_feature_may_be_a_number_here_and_a_string_there():
    learner = rg.Perceptron()
    learner.learn_one({"code": 2.0}, 1)
    learner.learn_one({"code": "2"}, -1)
    learner.learn_one({"code": True}, -1)
    assert learner.named_weights() == {"code": 1.0, "code=2": -1.0}


def test_names_that_were_not_learnt_are_forgotten_with_their_categories():
    learner = rg.Perceptron()
    learner.learn_one({"a": 1.0, "city": "Rome"}, 1)
    before = fingerprint(learner)
    for bad in ({"new": 1.0, "city": "Oslo", "a": np.nan}, {"a=b": "c", "x": None}, {"": "", "y": [1]}):
        with pytest.raises((TypeError, ValueError)):
            learner.learn_one(bad, 1)
        assert fingerprint(learner) == before
    learner.learn_one({"city": "Paris"}, 1)  # takes the next place, not one that Oslo left
    learner.learn_one({"city": "Oslo"}, -1)
    assert list(learner.named_weights()) == ["a", "city=Rome", "city=Paris", "city=Oslo"]
    assert learner.weights.tolist() == [1.0, 1.0, 1.0, -1.0]


def test_events_whose_names_change_places():
    """Where the last event's names went is remembered by their place: another order must not matter."""
    rng = np.random.default_rng(0)
    names = [f"n{i}" for i in range(6)]
    learner, by_name = rg.GradientDescent(rg.Squared(), 0.05), dict.fromkeys(names, 0.0)
    for t in range(500):
        chosen = rng.permutation(names)[: rng.integers(0, 7)]
        event = {str(name): float(rng.normal()) for name in chosen}
        p = sum(by_name[name] * value for name, value in event.items())
        assert learner.learn_one(event, float(t % 3)) == pytest.approx(p, abs=1e-12)
        for name, value in event.items():
            by_name[name] -= 0.05 * 2 * (p - t % 3) * value
    for name, weight in learner.named_weights().items():
        assert weight == pytest.approx(by_name[name], abs=1e-12)


def test_names_built_anew_are_the_same_names():
    """Equal strings, not the same objects."""
    learner = rg.Perceptron()
    for _ in range(3):
        learner.learn_one({"".join(["a", "b"]): 1.0, "ci" + "ty"[:]: "".join(["Ro", "me"])}, 1)
    assert list(learner.named_weights()) == ["ab", "city=Rome"]


def test_the_intercept_is_a_weight_of_its_own():
    learner = rg.GradientDescent(rg.Squared(), 0.25, intercept=True)
    assert learner.intercept == 0.0
    assert learner.learn_one({}, 2.0) == 0.0
    assert learner.intercept == 1.0  # 0 - 0.25 · 2 (0 - 2)
    assert learner.weights.tolist() == []
    learner.learn_one({"a": 1.0}, 1.0)
    assert learner.named_weights() == {"a": 0.0}
    assert learner.predict_one({"never seen": 5.0}) == 1.0
    assert learner.ledger.G.tolist() == [-4.0, 0.0]


@pytest.mark.parametrize("n", [0, -1, 2.0, "3", 2**31])
def test_n_that_makes_no_sense(n):
    with pytest.raises(ValueError, match="n, the number of features"):
        rg.Perceptron(n=n)


def test_more_names_than_n_are_refused():
    learner = rg.Perceptron(n=2)
    learner.learn_one({"a": 1.0, "b": 1.0}, 1)
    before = fingerprint(learner)
    with pytest.raises(ValueError, match="'c' would be feature number 3 of a learner made for n=2"):
        learner.learn_one({"c": 1.0}, 1)
    with pytest.raises(ValueError, match="row 1: 'c' would be"):
        learner.learn_many([{"a": 1.0}, {"c": 1.0}], [1, 1])
    assert fingerprint(learner) == before


def test_predicting_with_names_before_the_one_that_is_known():
    """What is remembered of an event's places has gaps: names that predicting does not learn."""
    learner = rg.Perceptron()
    learner.learn_one({"city": "Rome"}, 1)
    long = {**{f"new{i}": 1.0 for i in range(200)}, "city": "Rome"}
    for x in (long, {"x=y": 1.0, "city": "Rome"}, {"a": "b", "c": 1.0, "city": "Rome"}):
        for _ in range(3):
            assert learner.predict_one(x) == 1.0
    with pytest.raises(TypeError, match="names are strings, not None"):
        learner.predict_one({None: 1.0, "city": "Rome"})
    assert learner.named_weights() == {"city=Rome": 1.0}
