"""What fills a slot: a small object made of plain settings, equal to another when the settings are equal.

Losses, domains, geometries and rates are parts. A part says its settings (how to make it again) and, if it has any,
its state (what it has learnt since); nothing else is saved.
"""

import copyreg
import inspect

import numpy as np


cdef class Part:
    """Base of losses, domains, geometries and rates."""

    def settings(self):
        """The arguments that make this part again."""
        return dict(getattr(self, "__dict__", {}))

    def state(self, size):
        """What this part has learnt, as plain values and arrays (of `size` coordinates)."""
        return {}

    def restore(self, state):
        """Take up a state that `state` gave."""

    def __repr__(self):
        inside = ", ".join(f"{name}={value!r}" for name, value in self.settings().items())
        return f"{type(self).__name__}({inside})"

    def __eq__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        mine, theirs = self.settings(), other.settings()
        return mine.keys() == theirs.keys() and all(np.array_equal(mine[key], theirs[key]) for key in mine)

    def __hash__(self):
        return hash((type(self), *self.settings()))

    def __reduce__(self):
        if hasattr(self, "__dict__"):  # a user's own class: what Python does for any object
            return copyreg.__newobj__, (type(self),), self.__dict__
        return remake, (type(self), self.settings())


def remake(kind, settings):
    """The part of class `kind` with these settings."""
    return kind(**settings)


def number(name, value, *, above=None, least=None, most=None, finite=True):
    """The setting `value` as a float, or an error that names it and says what would work."""
    try:
        result = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {value!r}") from None
    except OverflowError:
        raise ValueError(f"{name} is too large for a number: {value!r}") from None
    wanted = []
    if finite:
        wanted.append("finite")
    if above is not None:
        wanted.append(f"above {above:g}")
    if least is not None:
        wanted.append(f"at least {least:g}")
    if most is not None:
        wanted.append(f"at most {most:g}")
    fits = (
        result == result
        and not (finite and abs(result) == float("inf"))
        and not (above is not None and result <= above)
        and not (least is not None and result < least)
        and not (most is not None and result > most)
    )
    if not fits:
        raise ValueError(f"{name} must be {' and '.join(wanted) or 'a number'}, not {result!r}")
    return result


def instance(name, value, kind):
    """The part `value` if it is a `kind`; a class given for an instance is the usual slip, and is named."""
    if isinstance(value, kind):
        return value
    if inspect.isclass(value) and issubclass(value, kind):
        raise TypeError(f"{name} must be an instance: write {value.__name__}(...), not the class {value.__name__}")
    raise TypeError(f"{name} must be a {kind.__name__.lower()}, not {value!r}")
