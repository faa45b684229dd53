"""Structured learners: against references, against the multiclass ones, against brute force; and their promises."""

import copy
import itertools
import pickle
from functools import partial

import numpy as np
import pytest
from scipy.sparse import csr_array

import regretful as rg
from regretful.checks.examples import fingerprint

TAGS = ("N", "V", "D")
LABELS = ("ant", "bee", "cow", "dog")
RNG = np.random.default_rng(0)
X = np.round(RNG.normal(size=(300, 5)), 3) * (RNG.random((300, 5)) < 0.8)
Y = np.array(LABELS)[np.argmax(X @ RNG.normal(size=(5, 4)) + 0.5 * RNG.normal(size=(300, 4)), axis=1)]
WEIGHTS = np.round(2.0 * RNG.random(300), 2)


def block(x, k):
    """ψ(x, k): x in the block of label k."""
    psi = np.zeros(20)
    place = LABELS.index(k) * 5
    psi[place : place + 5] = x
    return psi


def named(x, k):
    return {f"{k} {i}": float(v) for i, v in enumerate(x) if v}


def pair(x, k):
    return np.arange(5) + 5 * LABELS.index(k), x


def sparse(x, k):
    return csr_array(block(x, k)[None, :])


def distance(y, k):
    return abs(LABELS.index(y) - LABELS.index(k))


FORMS = {"array": block, "dict": named, "pair": pair, "sparse": sparse}


def reference(cost, eta, radius=np.inf, margin=1.0):
    """Notes 004, Example 9, in NumPy: (predictions, losses, iterates, A, G)."""
    w, A, G = np.zeros(20), 0.0, np.zeros(20)
    predictions, losses, iterates = [], [], [w]
    for x, y, weight in zip(X, Y, WEIGHTS, strict=True):
        psi = np.array([block(x, k) for k in LABELS])
        scores = psi @ w
        predictions.append(LABELS[int(np.argmax(scores))])
        augmented = scores + [margin * cost(y, k) for k in LABELS]
        rival = int(np.argmax(augmented))
        g = psi[rival] - psi[LABELS.index(y)]
        losses.append(augmented[rival] - scores[LABELS.index(y)])
        A += weight * float(g @ w)
        G = G + weight * g
        w = w - eta * weight * g
        w = w * min(1.0, radius / max(np.linalg.norm(w), 1e-300))
        iterates.append(w)
    return predictions, np.array(losses), iterates, A, G


def unit(y, k):
    return float(y != k)


CASES = {
    "perceptron": (rg.StructuredPerceptron, {"labels": LABELS}, (unit, 1.0, np.inf, 0.0)),
    "svm": (rg.StructuredSVM, {"labels": LABELS, "rate": 0.1}, (unit, 0.1)),
    "svm, cost": (rg.StructuredSVM, {"labels": LABELS, "cost": distance, "rate": 0.2}, (distance, 0.2)),
    "svm, ball": (
        rg.StructuredSVM, {"labels": LABELS, "cost": distance, "rate": 0.2, "domain": rg.Ball(0.7)},
        (distance, 0.2, 0.7),
    ),
}  # fmt: skip


def dense(learner, form):
    """The weights in the order of the reference."""
    if form != "dict":
        return np.pad(learner.weights, (0, 20 - len(learner.weights)))
    weights = learner.named_weights()
    return np.array([weights.get(f"{k} {i}", 0.0) for k in LABELS for i in range(5)])


# 300 rounds that each add a unit of the last place stay far below 1e-12 of the largest number.
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CASES)
def test_follows_its_reference(name, form):
    kind, options, arguments = CASES[name]
    predictions, losses, iterates, A, G = reference(*arguments)
    learner = kind(FORMS[form], **options)
    assert learner.learn_many(X, Y, WEIGHTS).tolist() == predictions
    np.testing.assert_allclose(learner.last_losses, losses, rtol=0, atol=1e-12 * max(1.0, losses.max()))
    size = max(1.0, np.abs(iterates).max())
    np.testing.assert_allclose(dense(learner, form), iterates[-1], rtol=0, atol=1e-12 * size)
    account = learner.ledger
    assert account.loss == pytest.approx(WEIGHTS @ losses, rel=1e-12)
    assert account.mistakes == sum(p != y for p, y in zip(predictions, Y, strict=True))
    np.testing.assert_allclose(account.A, A, rtol=1e-11)
    if form == "array":
        np.testing.assert_allclose(account.G, G, rtol=0, atol=1e-11 * np.abs(G).max())
    assert account.max_norm2 <= np.sqrt(2.0) * np.linalg.norm(X, axis=1).max() * (1 + 1e-12)
    # The certificate bounds the regret to every u, here to points of the ball and to the last iterate.
    psi = np.array([[block(x, k) for k in LABELS] for x in X])
    margin = arguments[3] if len(arguments) > 3 else 1.0
    costs = margin * np.array([[arguments[0](y, k) for k in LABELS] for y in Y])
    right = np.array([LABELS.index(y) for y in Y])
    for u in [*np.random.default_rng(5).normal(size=(20, 20)), iterates[-1]]:
        scores = psi @ u
        best = WEIGHTS @ ((scores + costs).max(axis=1) - scores[np.arange(len(X)), right])
        assert account.loss - best <= A - u @ G + 1e-9 * (1.0 + abs(best))


@pytest.mark.parametrize("form", FORMS)
def test_over_a_finite_set_with_blocks_it_is_the_multiclass_learner(form):
    pairs = [
        (rg.StructuredPerceptron(FORMS[form], LABELS), rg.MulticlassPerceptron(labels=LABELS)),
        (
            rg.StructuredSVM(FORMS[form], labels=LABELS, rate=0.1, domain=rg.Ball(0.9), keep=("average",)),
            rg.MulticlassGradientDescent(rate=0.1, domain=rg.Ball(0.9), labels=LABELS, keep=("average",)),
        ),
    ]
    for structured, multiclass in pairs:
        said = multiclass.learn_many(X, Y, WEIGHTS)
        assert structured.learn_many(X, Y, WEIGHTS).tolist() == said.tolist()
        np.testing.assert_allclose(dense(structured, form), multiclass.weights.ravel(), rtol=0, atol=1e-12)
        assert structured.ledger.mistakes == multiclass.ledger.mistakes
        for name in ("loss", "A", "squares2"):
            assert getattr(structured.ledger, name) == pytest.approx(getattr(multiclass.ledger, name), rel=1e-11)
        if structured.keep:
            average = structured.average()
            np.testing.assert_allclose(dense(average, form), multiclass.average().weights.ravel(), rtol=0, atol=1e-12)
            assert average.predict_many(X[:20]).tolist() == multiclass.average().predict_many(X[:20]).tolist()
            assert [average.predict_one(x) for x in X[:20]] == average.predict_many(X[:20]).tolist()
            for k in LABELS:
                assert average.score(X[0], k) == pytest.approx(multiclass.average().scores(X[0])[k], abs=1e-12)


def search(w, x, y=None):
    """All labels, one by one, through what a decoder may ask."""
    gain = {k: w.dot(block(x, k)) + (0.0 if y is None else distance(y, k)) for k in LABELS}
    return max(gain, key=gain.get)


def test_a_decoder_finds_what_the_list_of_labels_does():
    one = rg.StructuredSVM(block, distance, search, rate=0.2)
    other = rg.StructuredSVM(block, distance, labels=LABELS, rate=0.2)
    assert one.learn_many(X, Y).tolist() == other.learn_many(X, Y).tolist()
    np.testing.assert_allclose(one.weights, other.weights, rtol=0, atol=1e-12)
    assert one.labels is None
    assert other.labels == LABELS


def test_a_decoder_may_ask_for_weights_in_every_way():
    seen = []

    def decode(w, x, y=None):
        seen.append((w.take([0, 3, 99]), w.array(), w[3], w[99], w[-1]))
        return LABELS[0]

    learner = rg.StructuredPerceptron(block, decode=decode)
    learner.learn_one(X[0], LABELS[1])
    learner.predict_one(X[0])
    few, whole, third, beyond, below = seen[-1]
    np.testing.assert_array_equal(whole, learner.weights)
    assert few.tolist() == [whole[0], whole[3], 0.0]
    assert (third, beyond, below) == (whole[3], 0.0, 0.0)
    assert seen[0][1].size == 0
    named_ones = rg.StructuredPerceptron(named, LABELS)
    named_ones.learn_many(X[:20], Y[:20])
    shown = []
    named_ones.learn_many([], [])
    other = rg.StructuredPerceptron(named, decode=lambda w, x: shown.append((w["ant 0"], w["nobody"])) or "ant")
    other.learn_one(X[0], "bee")
    other.predict_one(X[0])
    assert shown[-1] == (other.named_weights()["ant 0"], 0.0)


def test_a_decoder_that_misses_the_best_label_takes_no_step_uphill():
    """Where the label it found scores below the right one there is nothing to learn, but a mistake."""
    learner = rg.StructuredPerceptron(lambda x, k: [x * k], decode=lambda w, x: -1)
    learner.learn_one(1.0, 1)
    assert learner.weights.tolist() == [2.0]
    assert learner.learn_one(1.0, 1) == -1
    assert learner.weights.tolist() == [2.0]
    assert (learner.ledger.mistakes, learner.ledger.loss) == (2, 0.0)


# Sequences.

WORDS = ["the", "dog", "walks", "a", "cat"]
chain = rg.Sequences(TAGS)


def sentences(count, seed=1):
    """Sentences with tags, of words of which some have more than one tag."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        length = int(rng.integers(1, 6))
        words = [WORDS[i] for i in rng.integers(len(WORDS), size=length)]
        tags = [{"the": "D", "a": "D", "walks": "V"}.get(word, "N") for word in words]
        yield words, [tag if rng.random() < 0.9 else TAGS[rng.integers(3)] for tag in tags]


def brute(w, x, y=None):
    """The best of all sequences of tags: its score."""
    return max(
        w.dot(chain.psi(x, tags)) + (0.0 if y is None else chain.cost(y, tags))
        for tags in itertools.product(TAGS, repeat=len(x))
    )


def test_viterbi_finds_the_best_of_all_sequences():
    checked = []

    def decode(w, x, y=None):
        tags = chain.decode(w, x, y)
        score = w.dot(chain.psi(x, tags)) + (0.0 if y is None else chain.cost(y, tags))
        assert score == pytest.approx(brute(w, x, y), rel=0, abs=1e-9)
        checked.append(y is None)
        return tags

    learner = rg.StructuredSVM(chain.psi, chain.cost, decode, rate=rg.InverseSqrt(0.7), domain=rg.Ball(5.0))
    learner.learn_many(*zip(*sentences(60), strict=True))
    assert (sum(checked), len(checked)) == (60, 120)


def test_a_tagger_learns_and_its_loss_bounds_the_hamming_distance():
    train = list(sentences(400))
    clean = [(words, tags) for words, tags in sentences(200, seed=7)]
    learner = rg.StructuredSVM(chain.psi, chain.cost, chain.decode, rate=0.1, keep=("average",))
    said = learner.learn_many(*zip(*train, strict=True))
    distances = [chain.cost(tags, k) for (_, tags), k in zip(train, said, strict=True)]
    assert (learner.last_losses >= np.array(distances) - 1e-9).all()
    tagger = learner.average()
    right = sum(k == tag for words, tags in clean for k, tag in zip(tagger.predict_one(words), tags, strict=True))
    assert right / sum(len(words) for words, _ in clean) > 0.85
    assert learner.predict_one([]) == ()


def test_tokens_are_strings_lists_or_events():
    x = ["dog", ["dog", "lower"], {"word": "dog", "length": 3.0, "capital": False}]
    assert chain.psi(x, "NNV") == {
        ">N": 1.0, "N:dog": 2.0, "N>N": 1.0, "N:lower": 1.0, "N>V": 1.0, "V:word=dog": 1.0, "V:length": 3.0,
        "V:capital": 0.0,
    }  # fmt: skip


@pytest.mark.parametrize("tags", [[], ["N", "N"], ["a:b"], ["a>b"], [""], [1]])
def test_tags_that_make_no_sense_are_refused(tags):
    with pytest.raises(ValueError, match="tag"):
        rg.Sequences(tags)


def test_sequences_say_what_is_wrong():
    with pytest.raises(ValueError, match="2 tokens have 2 tags, not 1"):
        chain.psi(["a", "b"], ["N"])
    with pytest.raises(ValueError, match="'X' is none of the tags N, V, D"):
        chain.psi(["a"], ["X"])


# Promises.


def learnt(rounds=40, **options):
    learner = rg.StructuredSVM(chain.psi, chain.cost, chain.decode, rate=0.3, **options)
    learner.learn_many(*zip(*sentences(rounds), strict=True))
    return learner


def test_many_is_the_loop_of_one_and_predicting_changes_nothing():
    one, many = (rg.StructuredSVM(chain.psi, chain.cost, chain.decode, rate=0.3, keep=("random",)) for _ in range(2))
    x, y = zip(*sentences(40), strict=True)
    said = []
    for words, tags in zip(x, y, strict=True):
        before = fingerprint(one)
        expected = one.predict_one(words)
        assert fingerprint(one) == before
        said.append(one.learn_one(words, tags))
        assert said[-1] == expected
    assert many.learn_many(x, y).tolist() == said
    assert fingerprint(one) == fingerprint(many)
    assert one.predict_many(x).tolist() == [one.predict_one(words) for words in x]


def test_copies_pickles_and_files_go_on_bit_for_bit(tmp_path):
    one = learnt(keep=("average", "weighted", "random"))
    one.save(tmp_path / "tagger")
    twins = [copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one)), rg.load(tmp_path / "tagger")]
    more = list(zip(*sentences(30, seed=9), strict=True))
    said = one.learn_many(*more).tolist()
    for twin in twins:
        assert twin.learn_many(*more).tolist() == said
        assert fingerprint(twin) == fingerprint(one)
    average = pickle.loads(pickle.dumps(one.average()))
    assert average.predict_many(more[0]).tolist() == one.average().predict_many(more[0]).tolist()


def test_functions_of_ones_own_are_handed_to_load(tmp_path):
    one = rg.StructuredSVM(block, distance, search, rate=0.2)
    one.learn_many(X[:50], Y[:50])
    one.save(tmp_path / "model")
    with pytest.raises(ValueError, match=r"made of \w+, which regretful does not know: load\(path, parts="):
        rg.load(tmp_path / "model")
    again = rg.load(tmp_path / "model", parts=(block, distance, search))
    assert fingerprint(again) == fingerprint(one)
    assert again.learn_many(X, Y).tolist() == one.learn_many(X, Y).tolist()
    with pytest.raises(TypeError, match="cannot be saved"):
        rg.StructuredPerceptron(lambda x, k: [x], LABELS).save(tmp_path / "other")
    with pytest.raises(TypeError, match="cannot be saved"):
        rg.StructuredPerceptron(partial(block), LABELS).save(tmp_path / "other")


def failing(x, k):
    if isinstance(x, str):
        raise KeyError(x)
    if k == "cow":
        return {"fine": 1.0, "wrong": x}
    return {"fine": float(LABELS.index(k)), f"new {k}": 1.0}


@pytest.mark.parametrize(
    ("x", "y", "weight", "error", "words"),
    [
        (float("nan"), "bee", 1.0, ValueError, "'wrong' is nan"),
        (None, "bee", 1.0, TypeError, "'wrong' is None"),
        ("text", "bee", 1.0, KeyError, "text"),
        (1.0, "fly", 1.0, ValueError, "'fly' is none of the 4 labels: 'ant', 'bee'"),
        (1.0, None, 1.0, TypeError, "a label is missing"),
        (1.0, ["ant"], 1.0, TypeError, "give a tuple"),
        (1.0, "bee", -1.0, ValueError, "weight"),
    ],
)
def test_what_is_refused_leaves_no_trace(x, y, weight, error, words):
    learner = rg.StructuredPerceptron(failing, LABELS)
    for _ in range(2):
        before = fingerprint(learner)
        with pytest.raises(error, match=words):
            learner.learn_one(x, y, weight)
        assert fingerprint(learner) == before
        learner.learn_one(1.0, "bee")


def test_errors_in_a_batch_name_the_row_and_keep_those_before():
    one, other = rg.StructuredPerceptron(failing, LABELS), rg.StructuredPerceptron(failing, LABELS)
    other.learn_many([1.0, 2.0], ["bee", "cow"])
    with pytest.raises(ValueError, match=r"row 2: feature 'wrong' is inf.*the rows before it were learnt"):
        one.learn_many([1.0, 2.0, float("inf"), 3.0], ["bee", "cow", "cow", "cow"])
    assert fingerprint(one) == fingerprint(other)
    with pytest.raises(KeyError) as caught:
        one.learn_many([1.0, "text"], ["bee", "cow"])
    assert caught.value.__notes__ == ["in row 1; the rows before it were learnt"]
    before = fingerprint(one)
    for arguments, words in [
        (([1.0, 2.0], ["bee", "fly"]), "row 1: label 'fly'"),
        (([1.0, 2.0], ["bee"]), "X has 2 rows and y has 1"),
        (([1.0, 2.0], ["bee", "cow"], [1.0, -1.0]), "row 1: weight"),
    ]:
        with pytest.raises(ValueError, match=words):
            one.learn_many(*arguments)
    with pytest.raises(TypeError, match="needs labels"):
        one.learn_many([1.0])
    assert fingerprint(one) == before


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: rg.StructuredPerceptron(block), TypeError, "give either labels"),
        (lambda: rg.StructuredPerceptron(block, LABELS, search), TypeError, "give either labels"),
        (lambda: rg.StructuredPerceptron(None, LABELS), TypeError, "psi must be a function"),
        (lambda: rg.StructuredSVM(block, 3.0, labels=LABELS), TypeError, "cost must be a function"),
        (lambda: rg.StructuredPerceptron(block, []), ValueError, "at least one label"),
        (lambda: rg.StructuredPerceptron(block, ["a", "a"]), ValueError, "stands twice"),
        (lambda: rg.StructuredSVM(block, labels=LABELS, domain=rg.Simplex()), ValueError, "give n="),
        (lambda: rg.StructuredPerceptron(block, LABELS).ask(X[0]), TypeError, "learners of numbers"),
        (lambda: rg.StructuredPerceptron(block, decode=search).scores(X[0]), TypeError, "score of one"),
        (
            lambda: rg.StructuredSVM(block, lambda y, k: -1.0, labels=LABELS).learn_one(X[0], "bee"), ValueError,
            r"cost\('bee', 'ant'\) must be finite and at least 0",
        ),
        (lambda: rg.StructuredPerceptron(lambda x, k: [1e200], LABELS).learn_one(1.0, "bee"), ValueError, "too large"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_a_decoder_that_calls_its_learner_gets_an_error():
    learner = rg.StructuredPerceptron(block, decode=lambda w, x: learner.predict_one(x))
    with pytest.raises(RuntimeError, match="called the learner itself"):
        learner.learn_one(X[0], "bee")
    assert learner.rounds == 0


def test_over_the_simplex_with_n():
    learner = rg.StructuredSVM(block, labels=LABELS, rate=0.05, domain=rg.Simplex(), n=20)
    learner.learn_many(X, Y)
    assert learner.domain.contains(learner.weights)
    assert learner.ledger.certificate(rg.Simplex()).regret_at_most > 0.0


def test_labels_may_be_lists_and_arrays():
    """What the decoder gives is compared with the label as what it holds."""
    for wrap in (list, np.array):
        tagger = rg.StructuredPerceptron(chain.psi, decode=lambda w, x, wrap=wrap: wrap(chain.decode(w, x)))
        tagger.learn_many(*zip(*sentences(100), strict=True))
        assert 0 < tagger.ledger.mistakes < 70
