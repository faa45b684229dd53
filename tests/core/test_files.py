"""Saved learners: replaced in one stroke, checked when read, and running no code."""

import hashlib
import json
import os
import stat
from pathlib import Path

import numpy as np
import pytest

import regretful as rg
from regretful.checks.examples import fingerprint
from regretful.core.files import MAGIC


class Cubic(rg.Loss):
    """|p - y|^3/scale."""

    def __init__(self, scale=1.0):
        self.scale = scale

    def value(self, p, y):
        return abs(p - y) ** 3 / self.scale

    def slope(self, p, y):
        return 3 * (p - y) * abs(p - y) / self.scale


class Mine(rg.Perceptron):
    """A learner of one's own."""


def learnt(**options):
    learner = rg.GradientDescent(rg.Logistic(), rg.Adaptive(0.5), rg.Ball(2.0), keep=("average", "random"), **options)
    learner.learn_many([{"age": 0.3, "città": "Roma"}, {"age": -0.5, "città": "a=b"}, {"": 1.0}], [1, -1, 1])
    return learner


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.bin"


def forge(path, change):
    """The file with its header changed, and a checksum that fits."""
    data = path.read_bytes()
    start = len(MAGIC) + 8
    end = start + int.from_bytes(data[len(MAGIC) : start], "little")
    header = json.dumps(change(json.loads(data[start:end]))).encode()
    body = MAGIC + len(header).to_bytes(8, "little") + header + data[end:-32]
    path.write_bytes(body + hashlib.sha256(body).digest())


def replaced(header, old, new):
    return json.loads(json.dumps(header).replace(json.dumps(old), json.dumps(new)))


def test_a_saved_learner_comes_back_whole(path):
    learner = learnt()
    learner.save(path)
    loaded = rg.load(str(path))
    assert type(loaded) is rg.GradientDescent
    assert fingerprint(loaded) == fingerprint(learner)
    assert loaded.named_weights() == learner.named_weights()
    assert (loaded.loss, loaded.domain, loaded.rate) == (rg.Logistic(), rg.Ball(2.0), rg.Adaptive(0.5))


def test_saving_the_same_state_twice_gives_the_same_bytes(path):
    learnt().save(path)
    first = path.read_bytes()
    learnt().save(path)
    assert path.read_bytes() == first


@pytest.mark.parametrize("failing", ["fsync", "write", "replace"])
def test_a_failing_write_keeps_the_old_file(path, monkeypatch, failing):
    learnt().save(path)
    old = path.read_bytes()

    def fail(*_args):
        raise OSError("the disk is full")

    if failing == "fsync":
        monkeypatch.setattr(os, "fsync", fail)
    elif failing == "replace":
        monkeypatch.setattr(os, "replace", fail)
        monkeypatch.setattr(Path, "replace", fail)
    else:
        fdopen = os.fdopen

        def half(handle, mode):
            file = fdopen(handle, mode)
            write, calls = file.write, []

            class Half:
                def __enter__(self):
                    return self

                def __exit__(self, *_):
                    file.close()

                def write(self, data):
                    calls.append(data)
                    return fail() if len(calls) > 2 else write(data)

            return Half()

        monkeypatch.setattr(os, "fdopen", half)
    with pytest.raises(OSError, match="the disk is full"):
        rg.Perceptron().save(path)
    assert path.read_bytes() == old
    assert os.listdir(path.parent) == [path.name]  # noqa: PTH208


def test_a_setting_that_cannot_be_saved_keeps_the_old_file(path):
    learnt().save(path)
    old = path.read_bytes()
    with pytest.raises(TypeError, match="cannot be saved"):
        rg.GradientDescent(Cubic(scale=1j), 0.1).save(path)
    assert path.read_bytes() == old
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_file_cut_or_changed_anywhere_is_refused(path):
    learnt().save(path)
    data = path.read_bytes()
    for cut in [*range(len(MAGIC), len(data), 97), len(data) - 1]:
        path.write_bytes(data[:cut])
        with pytest.raises(ValueError, match="is damaged"):
            rg.load(path)
    for place in range(len(MAGIC), len(data), 61):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(ValueError, match="is damaged"):
            rg.load(path)


@pytest.mark.parametrize("foreign", [b"", b"\x80\x04\x95", b"{}", b"regretful", MAGIC[:10]])
def test_a_foreign_file_is_refused(path, foreign):
    path.write_bytes(foreign)
    with pytest.raises(ValueError, match="is not a model saved by regretful"):
        rg.load(path)


def test_a_file_of_a_later_version_is_refused(path):
    learnt().save(path)
    path.write_bytes(path.read_bytes().replace(b"regretful model 1", b"regretful model 7", 1))
    with pytest.raises(ValueError, match="another version"):
        rg.load(path)


def test_a_missing_file_is_said_to_be_missing(path):
    with pytest.raises(FileNotFoundError):
        rg.load(path)


EVIL = []


class Evil:
    """What must not run."""

    def __init__(self, *args, **kwargs):
        EVIL.append(args)


@pytest.mark.parametrize("name", ["Evil", "os.system", "system", "Path", "Linear.__class__", "eval", "Part"])
@pytest.mark.parametrize("slot", ["Logistic", "GradientDescent", "MirrorDescent"])
def test_a_file_that_names_a_foreign_class_is_refused(path, name, slot):
    learnt().save(path)
    forge(path, lambda header: replaced(header, slot, name))
    with pytest.raises((ValueError, TypeError)):
        rg.load(path)
    assert EVIL == []


def test_a_part_in_the_wrong_place_is_refused(path):
    learnt().save(path)
    for slot, other in [("Logistic", "Everywhere"), ("Ball", "Orthant"), ("GradientDescent", "Logistic")]:
        learnt().save(path)
        forge(path, lambda header, slot=slot, other=other: replaced(header, slot, other))
        with pytest.raises((ValueError, TypeError, AttributeError)):
            rg.load(path)


def test_arrays_of_objects_are_refused(path):
    learnt().save(path)
    forge(path, lambda header: replaced(header, "<f8", "|O"))
    with pytest.raises(ValueError, match="array of objects"):
        rg.load(path)


def test_parts_of_ones_own_are_handed_to_load(path):
    learner = rg.GradientDescent(Cubic(scale=3.0), 0.1)
    learner.learn_one([1.0, 2.0], 1.0)
    learner.save(path)
    with pytest.raises(ValueError, match=r"made of Cubic.*load\(path, parts=\(Cubic,\)\)"):
        rg.load(path)
    loaded = rg.load(path, parts=(Cubic,))
    assert loaded.loss == learner.loss
    assert fingerprint(loaded) == fingerprint(learner)


def test_a_learner_of_ones_own_is_handed_to_load(path):
    learner = Mine()
    learner.learn_one([1.0], 1)
    learner.save(path)
    with pytest.raises(ValueError, match="made of Mine"):
        rg.load(path)
    loaded = rg.load(path, parts=[Mine])
    assert type(loaded) is Mine
    assert loaded.rounds == 1


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
def test_permissions_are_those_of_the_file_before_or_of_any_new_file(path):
    mask = os.umask(0o027)
    try:
        learnt().save(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o604)
        learnt().save(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o604
    finally:
        os.umask(mask)


def test_names_of_every_sort_and_large_counts_survive(path):
    learner = rg.Perceptron()
    names = ["", "\x00", "a=b", "=", "日本", "🙂", '"', "\\", "\n", "!dict", "!part", "x" * 10_000]
    learner.learn_many([{name: 1.0} for name in names], np.ones(len(names)))
    learner.save(path)
    assert list(rg.load(path).named_weights()) == names
