"""Reading ahead: an iterator runs in a thread of its own, a few items before who takes them. No format is known."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")
AHEAD = 4  # items that wait at most
LOOK = 0.1  # seconds between two looks at whether anybody still wants them


def ahead(items: Iterable[T], most: int = AHEAD) -> Iterator[T]:
    """The same items; up to `most` of them are made before they are asked for. What is raised there is raised here."""
    waiting: queue.Queue[tuple[str, Any]] = queue.Queue(most)
    over = threading.Event()

    def hand(kind: str, thing: Any) -> bool:
        while not over.is_set():
            try:
                waiting.put((kind, thing), timeout=LOOK)
            except queue.Full:
                continue
            return True
        return False

    def work() -> None:
        iterator = iter(items)
        try:
            for item in iterator:
                if not hand("item", item):
                    return
            hand("end", None)
        except BaseException as error:
            hand("error", error)
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
            yield thing
    finally:
        over.set()
        thread.join()
