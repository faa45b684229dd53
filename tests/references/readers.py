"""libsvm and Vowpal Wabbit text read line by line in plain Python: what the compiled scanners are held against."""

import math
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

import regretful as rg

NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
INDEX = re.compile(r"0|[1-9][0-9]*")
NAMESPACE = re.compile(r"([^\x00-\x20:]*)(:[^\x00-\x20:]*)?([ \t\r].*)?", re.DOTALL)
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")

Features = list[tuple[str, float]]
Line = tuple[float | None, float, Features] | None


class WrongError(Exception):
    """The line is bad."""


@dataclass
class Read:
    """What a file says: a dict from position to value for each row, labels, weights, the numbers of bad lines."""

    rows: list[dict[int, float]] = field(default_factory=list)
    labels: list[float | None] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    bad: list[int] = field(default_factory=list)


def need(condition: object) -> None:
    if not condition:
        raise WrongError


def number(text: str) -> float:
    need(NUMBER.fullmatch(text))
    value = float(text)
    need(math.isfinite(value))
    return value


def words_of(text: str) -> list[str]:
    return [word for word in re.split("[ \t\r]", text) if word]


def libsvm_line(line: str) -> Line:
    words, label, features = words_of(line), None, []
    if not words or words[0].startswith("#"):
        return None
    if ":" not in words[0]:
        label = number(words.pop(0))
    for word in words:
        if word.startswith("#"):
            break
        name, colon, value = word.partition(":")
        need(colon and (INDEX.fullmatch(name) or name == "qid"))
        read = number(value)
        if name != "qid":
            features.append((name, read))
    return label, 1.0, features


def vw_line(line: str, used: Callable[[str], bool] = lambda _: True, crosses: Collection[tuple[str, ...]] = ()) -> Line:
    need(not CONTROL.search(line))
    head, bar, rest = line.partition("|")
    words = words_of(head)
    if not bar:
        need(not words)
        return None
    if words and (head[-1] not in " \t\r" or words[-1].startswith("'")):
        words.pop()
    need(len(words) <= 3)
    label, weight, given = [*map(number, words), *[None, 1.0, 0.0][len(words) :]]
    need(weight >= 0 and given == 0)
    features, parts = [], []
    for section in rest.split("|"):
        found = NAMESPACE.fullmatch(section)
        need(found)
        space, times, words = found[1], number(found[2][1:]) if found[2] else 1.0, words_of(found[3] or "")
        for word in words:
            name, colon, value = word.partition(":")
            need(name)
            part = (f"{space}^{name}" if space else name, (number(value) * times) if colon else times)
            if used(space):
                features.append(part)
                parts.append((space, *part))
    for left, name, value in parts if crosses else ():
        for right, other, times in parts:
            if (left, right) in crosses:
                features.append((f"{name}*{other}", value * times))
    return label, weight, features


def read(data: bytes, line_of: Callable[[str], Line], hashing: rg.Hashing, optional: bool = False) -> Read:
    """The whole file; bad lines are left out, and their numbers kept."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    found = Read()
    for at, line in enumerate(lines, 1):
        try:
            try:
                one = line_of(line.decode())
            except UnicodeDecodeError:
                raise WrongError from None
            if one is None:
                continue
            label, weight, features = one
            row: dict[int, float] = {}
            for name, value in features:
                position = hashing.index(name)
                row[position] = row[position] + value if position in row else value
            need(math.isfinite(sum(value * value for value in row.values())))
            need(label is not None or optional)
            need(not found.labels or (found.labels[0] is None) == (label is None))
        except WrongError:
            found.bad.append(at)
            continue
        found.rows.append(row)
        found.labels.append(label)
        found.weights.append(weight)
    return found
