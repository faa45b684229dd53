"""Input of every type: what is right gives the right answer, what is not gives an error that says where and why.

That nothing of it leaves a trace, in any learner, is checked by `regretful.checks`; here are the types and the words.
"""

import numpy as np
import pytest
from scipy import sparse

import regretful as rg
from regretful.checks.examples import fingerprint

NAN, INF = np.nan, np.inf
RNG = np.random.default_rng(0)
X = RNG.integers(-3, 4, size=(200, 6)).astype(float)
Y = X @ np.linspace(-1, 1, 6)


def gd(**options):
    return rg.GradientDescent(rg.Squared(), 0.01, **options)


def learnt(X, y=Y):
    learner = gd()
    learner.learn_many(X, y)
    return learner


EXPECTED = fingerprint(learnt(X))


def memory_mapped(X, tmp_path):
    np.save(tmp_path / "X.npy", X)
    return np.load(tmp_path / "X.npy", mmap_mode="r")


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


DENSE = {
    "int64": lambda: X.astype(np.int64),
    "int8": lambda: X.astype(np.int8),
    "float32": lambda: X.astype(np.float32),
    "float16": lambda: X.astype(np.float16),
    "big-endian": lambda: X.astype(">f8"),
    "Fortran order": lambda: np.asfortranarray(X),
    "every other column": lambda: np.repeat(X, 2, axis=1)[:, ::2],
    "backwards": lambda: X[::-1][::-1],
    "read-only": lambda: read_only(X),
    "read-only int": lambda: read_only(X.astype(np.int32)),
    "objects": lambda: X.astype(object),
    "lists": lambda: X.tolist(),
    "tuples": lambda: tuple(map(tuple, X.tolist())),
    "a list of arrays": lambda: list(X),
    "a generator": lambda: iter(X.tolist()),
    "a matrix subclass": lambda: X.view(type("Sub", (np.ndarray,), {})),
    "unmasked": lambda: np.ma.masked_array(X),
}


@pytest.mark.parametrize("form", DENSE)
def test_dense_forms_are_read_for_what_they_say(form):
    assert fingerprint(learnt(DENSE[form]())) == EXPECTED


def test_memory_mapped_arrays_are_read(tmp_path):
    mapped = memory_mapped(X.astype(np.float32), tmp_path)
    assert fingerprint(learnt(mapped)) == EXPECTED


def test_unsigned_and_boolean_arrays_are_numbers():
    positive = np.abs(X)
    assert fingerprint(learnt(positive.astype(np.uint8))) == fingerprint(learnt(positive))
    assert fingerprint(learnt(X > 0)) == fingerprint(learnt((X > 0).astype(float)))


CSR = {
    "int64 indices": lambda S: sparse.csr_array(
        (S.data, S.indices.astype(np.int64), S.indptr.astype(np.int64)), S.shape
    ),
    "float32 data": lambda S: S.astype(np.float32),
    "int data": lambda S: S.astype(np.int8),
    "csr_matrix": sparse.csr_matrix,
    "coo": lambda S: S.tocoo(),
    "csc": lambda S: S.tocsc(),
    "read-only": lambda S: sparse.csr_array((read_only(S.data), read_only(S.indices), read_only(S.indptr)), S.shape),
}


@pytest.mark.parametrize("form", CSR)
def test_sparse_forms_are_read_for_what_they_say(form):
    S = sparse.csr_array(X)
    assert fingerprint(learnt(CSR[form](S))) == fingerprint(learnt(S))


def test_unsorted_rows_and_stored_zeros_give_the_right_answer():
    S = sparse.csr_array(X)
    order = np.concatenate([np.arange(*ends)[::-1] for ends in zip(S.indptr[:-1], S.indptr[1:], strict=True)])
    unsorted = sparse.csr_array((S.data[order], S.indices[order], S.indptr), S.shape)
    assert not unsorted.has_sorted_indices
    full = sparse.csr_array((X.ravel(), np.tile(np.arange(6), 200), np.arange(0, 1201, 6)), X.shape)
    for other in (unsorted, full):
        np.testing.assert_allclose(learnt(other).weights, learnt(S).weights, rtol=1e-12)
    assert not unsorted.has_sorted_indices  # read where it lies: not sorted in place


def test_a_narrower_and_a_wider_sparse_batch():
    learner = learnt(sparse.csr_array(X))
    learner.learn_many(sparse.csr_array(np.ones((2, 9))), [1.0, 1.0])
    assert learner.n == 9
    learner.learn_many(sparse.csr_array(np.ones((2, 3))), [1.0, 1.0])
    assert learner.n == 9
    fixed = gd(n=6)
    with pytest.raises(ValueError, match="6 features, and X has 7"):
        fixed.learn_many(sparse.csr_array(np.ones((2, 7))), [1.0, 1.0])


@pytest.mark.parametrize("indices", [[5, -1], [0, 6], [0, 2**31 - 1]])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_indices_out_of_range_are_named(indices, dtype):
    S = sparse.csr_array((np.ones(3), np.zeros(3, dtype), np.array([0, 1, 3], dtype)), shape=(2, 6))
    S.indices[1:] = indices
    wrong = next(i for i in indices if not 0 <= i < 6)
    with pytest.raises(ValueError, match=f"row 1: index {wrong} is out of range; there are 6 features, 0 to 5"):
        gd().learn_many(S, [1.0, 1.0])


@pytest.mark.parametrize("indptr", [[0, 2, 1], [0, 1, 9], [-1, 1, 2]])
def test_row_pointers_that_lead_astray_are_refused(indptr):
    S = sparse.csr_array((np.ones(3), np.arange(3, dtype=np.int32), np.array([0, 1, 3], np.int32)), shape=(2, 6))
    S.indptr[:] = indptr
    with pytest.raises(ValueError, match="row pointers"):
        gd().learn_many(S, [1.0, 1.0])


@pytest.mark.parametrize("wrong", [NAN, INF, -INF, 1e200, None, "red"])
@pytest.mark.parametrize("form", ["dense", "csr", "dict"])
def test_a_bad_value_in_a_late_block_is_named_and_nothing_is_learnt(form, wrong):
    """Row 30,000 of 6 columns lies in the third block."""
    if form == "csr" and not isinstance(wrong, float):
        return
    row, big = 30_000, np.ones((30_010, 6))
    if form == "dict":
        batch = [{"a": 1.0, "b": 2.0}] * row + [{"new": 1.0, "b": [wrong] if wrong == "red" else wrong}]
        words = "large" if wrong == 1e200 else f"row {row}.*'b'"
    else:
        big = big.astype(object) if not isinstance(wrong, float) else big
        big[row, 4] = wrong
        batch, words = sparse.csr_array(big) if form == "csr" else big, f"row {row}, feature 4"
    learner = gd()
    size = len(batch) if form == "dict" else batch.shape[0]
    with pytest.raises((ValueError, TypeError), match=words):
        learner.learn_many(batch, np.zeros(size))
    assert fingerprint(learner) == fingerprint(gd())
    with pytest.raises((ValueError, TypeError), match=words):
        learner.predict_many(batch)


def test_masked_values_are_refused():
    with pytest.raises(ValueError, match="masked values"):
        gd().learn_many(np.ma.masked_array(X, X > 2), Y)


def test_numpy_scalars_are_numbers_in_events():
    plain, numpy = gd(), gd()
    for t in range(20):
        plain.learn_one({"a": float(t % 3), "b": True, "c": 2}, float(t))
        numpy.learn_one({"a": np.float32(t % 3), "b": np.bool_(True), "c": np.int8(2)}, np.float64(t))
    assert fingerprint(plain) == fingerprint(numpy)
    zero_dimensional = gd()
    zero_dimensional.learn_one({"a": np.array(1.5)}, np.array(1.0))
    assert zero_dimensional.named_weights()["a"] > 0


@pytest.mark.parametrize("label", [True, 1, 1.0, np.int8(1), np.bool_(True), np.float32(1), np.array(1)])
def test_labels_of_the_positive_class(label):
    learner = rg.Perceptron()
    learner.learn_one([1.0], label)
    assert learner.weights == [1.0]


@pytest.mark.parametrize("label", [False, 0, -1, 0.0, -1.0, np.int8(-1), np.bool_(False)])
def test_labels_of_the_negative_class(label):
    learner = rg.Perceptron()
    learner.learn_one([1.0], label)
    assert learner.weights == [-1.0]


@pytest.mark.parametrize(
    ("loss", "label", "words"),
    [
        (rg.Logistic(), 2, r"label 2 is not one that Logistic\(\) takes: .*-1"),
        (rg.Hinge(), 0.5, "label 0.5 is not one that Hinge"),
        (rg.Poisson(), -1, r"label -1 is not one that Poisson\(\) takes: a count"),
        (rg.Squared(), NAN, r"label nan is not one that Squared\(\) takes"),
        (rg.Squared(), None, "a label is missing"),
        (rg.Squared(), "3", "label '3' is not a number"),
        (rg.Logistic(), [1], r"label \[1\] is not a number"),
    ],
)
def test_the_words_for_a_label(loss, label, words):
    with pytest.raises((TypeError, ValueError), match=words):
        rg.GradientDescent(loss, 0.1).learn_one([1.0], label)


def test_log_wealth_needs_no_label():
    learner = rg.ExponentiatedGradient(rg.LogWealth(), 0.1, n=2)
    assert learner.learn_one([1.1, 0.9]) == learner.learn_many([[1.0, 1.0]])[0] == 1.0
    with pytest.raises(ValueError, match="nothing was learnt"):
        learner.learn_one([0.0, 0.0])


@pytest.mark.parametrize("x", [5.0, None, "red", {1, 2}, object()])
def test_what_is_no_example_is_refused(x):
    with pytest.raises((TypeError, ValueError)):
        gd().learn_one(x, 1.0)
    with pytest.raises((TypeError, ValueError)):
        gd().predict_one(x)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: gd().learn_one([1.0], 1.0, "2"), TypeError, "weight '2' is not a number"),
        (lambda: gd().learn_one([1.0], 1.0, b"2"), TypeError, "weight b'2' is not a number"),
        (lambda: gd().learn_many([[1.0]], [1.0], ["2"]), TypeError, "row 0: weight '2' is not a number$"),
        (lambda: gd().learn_many([[1.0], [2.0]], [1.0, "2"]), TypeError, "row 1: label '2' is not a number$"),
        (lambda: gd().learn_many([[1.0], [2.0]], [1.0, None]), TypeError, "row 1: label None is not a number$"),
        (
            lambda: gd().learn_many([[1.0], {"a": 1.0}], [1, 1]),
            ValueError,
            "row 1, {'a': 1.0}, is not a row like row 0",
        ),
        (lambda: gd(features=rg.Hashing(4)).learn_one({"\ud800": 1.0}, 1), ValueError, "cannot be hashed"),
        (lambda: gd(features=rg.Hashing(4)).learn_one({"a": "\ud800"}, 1), ValueError, "cannot be hashed"),
        (lambda: gd(features=rg.Hashing(4)).learn_many([{}, {"\ud800": 1.0}], [1, 1]), ValueError, "row 1: .* hashed"),
    ],
)
def test_the_words_for_what_is_no_weight_no_label_no_row_and_no_name(call, error, words):
    with pytest.raises(error, match=words) as caught:
        call()
    assert type(caught.value) is error


def many_events(rows=40_000):
    """Events of ten features in several blocks; a new name every thousand rows."""
    return [{**{f"f{j}": float((i + j) % 5 - 2) for j in range(9)}, f"new{i // 1000}": 1.0} for i in range(rows)]


def test_events_in_many_blocks_are_the_loop():
    events, labels = many_events(), np.arange(40_000) % 7 - 3.0
    many, one = gd(keep=("average",)), gd(keep=("average",))
    p = many.learn_many(events, labels)
    assert p.tolist() == [one.learn_one(x, y) for x, y in zip(events, labels.tolist(), strict=True)]
    assert fingerprint(many) == fingerprint(one)
    assert many.predict_many(events).tolist() == [one.predict_one(x) for x in events]


def test_a_bad_event_in_a_late_block_takes_the_earlier_blocks_back():
    events = many_events()
    events[35_000] = {"brand new": 1.0, "f3": None}
    learner, spared = gd(), gd()
    for made in (learner, spared):
        made.learn_many(events[:50], np.ones(50))
    with pytest.raises(TypeError, match=r"row 35000: .*'f3'"):
        learner.learn_many(events, np.zeros(len(events)))
    assert fingerprint(learner) == fingerprint(spared)


def test_an_overflow_in_a_late_block_of_events_stops_at_its_row():
    events = many_events()
    events[35_000] = {"brand new": 1e150, "f3": 1e150}
    events[35_001] = {"never read": 1.0}
    learner, expected = gd(), gd()
    with pytest.raises(ValueError, match=r"row 35000: .*the rows before it were learnt"):
        learner.learn_many(events, np.full(len(events), 1e9))
    expected.learn_many(events[:35_000], np.full(35_000, 1e9))
    assert fingerprint(learner) == fingerprint(expected)


def test_more_columns_than_positions_are_refused_before_any_is_read():
    learner = rg.GradientDescent(rg.Logistic())
    learner.learn_many(np.eye(3), [1.0, -1.0, 1.0])
    wide = sparse.csr_matrix(([1.0], ([0], [1])), shape=(1, 2**31 + 5))
    for call in (learner.predict_many, lambda X: learner.learn_many(X, [1.0])):
        with pytest.raises(ValueError, match="at most 2147483646 features"):
            call(wide)
    assert learner.rounds == 3
