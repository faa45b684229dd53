"""Labels of any hashable kind, in the order in which they came; and how predictions of them become arrays."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

PLAIN = (bool, int, float, str)


class Labels(list[Any]):
    """The labels that a learner knows. In a file they are numbers, strings, bytes and tuples of such."""


def label_of(y: Any) -> Hashable:
    """The label as it is kept, or an error that says why it is none."""
    if isinstance(y, np.generic):
        y = y.item()
    if y is None:
        raise TypeError("a label is missing: None is no label")
    try:
        hash(y)
    except TypeError:
        hint = ": give a tuple" if isinstance(y, list | np.ndarray) else ""
        raise TypeError(f"label {y!r} is not hashable{hint}") from None
    if y != y:
        raise ValueError(f"label {y!r} is not equal to itself, so it could never be told from another")
    label: Hashable = y
    return label


def many_labels(y: Any, rows: int) -> list[Any]:
    """The labels of a batch as a list of `rows` of them."""
    if y is None:
        raise TypeError("a learner of labels needs labels: learn_many(X, y)")
    if isinstance(y, str | bytes):
        raise TypeError(f"y must be a list of labels, not the string {y!r}")
    if isinstance(y, np.ndarray) and y.ndim != 1:
        raise ValueError(f"y must have one dimension, not {y.ndim}")
    for method in ("tolist", "to_list", "to_pylist"):
        if hasattr(y, method):
            y = getattr(y, method)()
            break
    given = list(y)
    if len(given) != rows:
        raise ValueError(f"X has {rows} rows and y has {len(given)}")
    return given


def as_objects(labels: Iterable[Any]) -> np.ndarray:
    """A one-dimensional array of these things, whatever they are."""
    things = list(labels)
    array = np.empty(len(things), object)
    array[:] = things
    return array


def as_labels(labels: list[Any], places: np.ndarray) -> np.ndarray:
    """The labels at these places, None where the place is -1: of their own type if all are numbers or all strings."""
    if len(places) and places.min() < 0:
        array = as_objects([*labels, None])
    else:
        kinds = {type(label) for label in labels}
        plain = len(kinds) == 1 and kinds <= set(PLAIN)
        array = np.asarray(labels) if plain else as_objects(labels)
    chosen: np.ndarray = array[places]
    return chosen


def packed(label: Any) -> Any:
    """The label as JSON."""
    if isinstance(label, PLAIN) and type(label) in PLAIN:
        return label
    if type(label) is bytes:
        return {"!bytes": label.hex()}
    if type(label) is tuple:
        return {"!tuple": [packed(item) for item in label]}
    raise TypeError(
        f"the label {label!r} cannot be saved: labels in a file are numbers, strings, bytes and tuples of such; "
        "pickle the learner, or let it learn the names of these labels"
    )


def unpacked(thing: Any) -> Any:
    """What `packed` gave, as the label again."""
    if not isinstance(thing, dict):
        return thing
    if "!bytes" in thing:
        return bytes.fromhex(thing["!bytes"])
    return tuple(unpacked(item) for item in thing["!tuple"])


def same(one: Any, other: Any) -> bool:
    """Whether two labels are equal; lists, tuples and arrays are if what they hold is."""
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return list(one) == list(other)
    equal = one == other
    return bool(equal) if isinstance(equal, bool | np.bool_) else bool(np.array_equal(one, other))
