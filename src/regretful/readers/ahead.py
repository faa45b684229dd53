"""Reading ahead: an iterator runs in a thread of its own, a few items before who takes them. No format is known."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")
AHEAD = 4  # items that wait at most
PATIENCE = 1.0  # seconds for it to end when nobody waits any more: a pipe that says nothing may hold it for ever


def ahead(items: Iterable[T], most: int = AHEAD) -> Iterator[T]:
    """The same items; up to `most` of them are made before they are asked for. What is raised there is raised here."""
    waiting: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
    places: queue.SimpleQueue[bool] = queue.SimpleQueue()  # to wait in; False: nobody waits for items any more
    over = threading.Event()
    for _ in range(most):
        places.put(True)

    def work() -> None:
        iterator: Iterator[T] = iter(())
        try:
            iterator = iter(items)
            for item in iterator:
                if not places.get() or over.is_set():
                    return
                waiting.put(("item", item))
            waiting.put(("end", None))
        except BaseException as error:
            waiting.put(("error", error))
        finally:
            if hasattr(iterator, "close"):
                iterator.close()

    thread = threading.Thread(target=work, name="regretful reader", daemon=True)
    thread.start()
    try:
        while True:
            kind, thing = waiting.get()
            if kind == "end":
                return
            if kind == "error":
                raise thing
            places.put(True)
            yield thing
    finally:
        over.set()
        places.put(False)
        thread.join(PATIENCE)
