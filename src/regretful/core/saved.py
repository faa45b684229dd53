"""What is made again from its slots and its state: the base of learners that are not linear.

Here are turns between threads, copying and saving; what is learnt, and how, is in the rooms above.
"""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from typing import Any, Self

from regretful.core.types import State


class Saved(ABC):
    """Subclass it with `_slots`, `_state` and `_restore`. Calls that change anything hold `_turn`."""

    _turn: threading.RLock

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:  # noqa: ARG004
        """With a lock of its own."""
        made = super().__new__(cls)
        made._turn = threading.RLock()
        return made

    @abstractmethod
    def _slots(self) -> State:
        """The arguments that make this learner again."""

    @abstractmethod
    def _state(self) -> State:
        """Everything learnt, as plain values and arrays of its own."""

    @abstractmethod
    def _restore(self, state: State) -> None:
        """Take up what `_state` gave."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write everything to a file, from which `regretful.load` goes on bit for bit."""
        from regretful.core.files import save

        save(self, path)

    def __reduce__(self) -> tuple[Any, ...]:
        with self._turn:
            return _remake, (type(self), type(self), self._slots(), self._state(), None)

    def __copy__(self) -> Self:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin: Self = _remake(*self.__reduce__()[1])
        return twin

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._shown().items())})"

    def _shown(self) -> State:
        """What stands in the repr."""
        return self._slots()


def _remake(kind: Any, rule: Any, slots: State, state: State, _attributes: None) -> Any:
    made = kind.__new__(kind)
    rule.__init__(made, **slots)
    made._restore(state)
    return made
