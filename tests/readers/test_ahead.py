"""Reading ahead: the same items and the same errors, and nobody waits for what nobody wants."""

import threading
import time

import pytest

from regretful.readers.ahead import ahead


def alive():
    return [thread for thread in threading.enumerate() if thread.name == "regretful reader"]


@pytest.mark.parametrize("count", [0, 1, 4, 5, 1000])
@pytest.mark.parametrize("most", [1, 4])
def test_the_same_items_in_order(count, most):
    assert list(ahead(range(count), most)) == list(range(count))
    assert list(ahead(ahead(iter(range(count)), most), most)) == list(range(count))
    assert not alive()


def test_no_more_than_so_many_are_made_beforehand():
    made = []

    def items():
        for k in range(100):
            made.append(k)
            yield k

    taken = ahead(items(), 3)
    assert next(taken) == 0
    time.sleep(0.2)
    assert len(made) <= 1 + 3 + 1  # the one taken, those that wait, the one at hand
    taken.close()
    assert not alive()


def test_errors_come_where_the_items_would():
    def items():
        yield 1
        raise KeyError("here")

    taken = ahead(items())
    assert next(taken) == 1
    with pytest.raises(KeyError, match="here"):
        next(taken)

    class Never:
        def __iter__(self):
            raise OSError("no iterator")

    with pytest.raises(OSError, match="no iterator"):
        next(ahead(Never()))
    assert not alive()


def test_who_leaves_early_does_not_wait_for_what_says_nothing():
    silent = threading.Event()

    def items():
        yield 1
        silent.wait(30.0)

    taken = ahead(items())
    assert next(taken) == 1
    begin = time.perf_counter()
    taken.close()
    assert time.perf_counter() - begin < 5.0
    silent.set()
    for thread in alive():
        thread.join(5.0)
    assert not alive()
