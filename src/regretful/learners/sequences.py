"""Sequences: labels that are one tag for each token of a sequence, with the best found by Viterbi's algorithm."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from regretful.core.parts import Part

if TYPE_CHECKING:
    from regretful.core.structured import Weights

Tags = Sequence[str]


class Sequences(Part):
    """A first-order chain over tags: its `psi`, `decode` and `cost` make a structured learner a tagger.

    ψ(x, y) counts, for a sequence x of tokens with the tags y, each feature of a token with its tag ("V:walks") and
    each tag with the one before it ("N>V"; ">N" at the beginning). A token is a string, a list of strings, or a dict as
    an event is. `decode` is Viterbi's algorithm, exact, in O(tokens · tags²); `cost` is the Hamming distance, the
    number of tokens with the wrong tag, and `decode(w, x, y)` adds it to the score.

    >>> import regretful as rg
    >>> chain = rg.Sequences(["N", "V"])
    >>> tagger = rg.StructuredPerceptron(chain.psi, decode=chain.decode)
    >>> _ = tagger.learn_many([["dogs", "bark"], ["cats", "sleep"]] * 3, [["N", "V"], ["N", "V"]] * 3)
    >>> tagger.predict_one(["cats", "bark"])
    ('N', 'V')

    Reference: notes 004, Algorithm 2 and Example 9; Collins (2002).
    """

    def __init__(self, tags: Iterable[Any]) -> None:
        given = [tags] if isinstance(tags, str) else list(tags)
        wrong = [tag for tag in given if not isinstance(tag, str) or not tag or {":", ">"} & set(tag)]
        if wrong:
            raise ValueError(f'tags are strings without ":" and ">", not {wrong[0]!r}')
        if not given or len(set(given)) < len(given):
            raise ValueError(f"there must be at least one tag, and each but once: {given!r}")
        self.tags = tuple(given)

    def settings(self) -> dict[str, Any]:
        """The arguments that make it again."""
        return {"tags": list(self.tags)}

    def psi(self, x: Sequence[Any], y: Tags) -> dict[str, float]:
        """The counts of token features with tags, and of tags with the tag before."""
        if len(y) != len(x):
            raise ValueError(f"{len(x)} tokens have {len(x)} tags, not {len(y)}")
        found: dict[str, float] = {}
        before = ""
        for token, tag in zip(x, y, strict=True):
            if tag not in self.tags:
                raise ValueError(f"{tag!r} is none of the tags {', '.join(self.tags)}")
            move = f"{before}>{tag}"
            found[move] = found.get(move, 0.0) + 1.0
            for name, value in features_of(token):
                emission = f"{tag}:{name}"
                found[emission] = found.get(emission, 0.0) + value
            before = tag
        return found

    def decode(self, w: Weights, x: Sequence[Any], y: Tags | None = None) -> tuple[str, ...]:
        """The tags of the largest ⟨w, ψ(x, ·)⟩, with the Hamming distance to y added where y is given."""
        if not len(x):
            return ()
        tags = self.tags
        emit = np.array([[sum(v * w[f"{tag}:{name}"] for name, v in features_of(t)) for tag in tags] for t in x])
        if y is not None:
            emit += np.array([[tag != right for tag in tags] for right in y])
        move = np.array([[w[f"{before}>{tag}"] for tag in tags] for before in tags])
        best = emit[0] + [w[f">{tag}"] for tag in tags]
        came = []
        for row in emit[1:]:
            paths = best[:, None] + move
            came.append(paths.argmax(axis=0))
            best = paths.max(axis=0) + row
        place = int(best.argmax())
        path = [place]
        for back in reversed(came):
            place = int(back[place])
            path.append(place)
        return tuple(tags[place] for place in reversed(path))

    def cost(self, y: Tags, k: Tags) -> float:
        """The Hamming distance: in how many places the tags differ."""
        return float(sum(one != other for one, other in zip(y, k, strict=True)))


def features_of(token: Any) -> list[tuple[str, float]]:
    """The features of a token by name."""
    if isinstance(token, str):
        return [(token, 1.0)]
    if isinstance(token, Mapping):
        return [(f"{name}={v}", 1.0) if isinstance(v, str) else (name, float(v)) for name, v in token.items()]
    return [(name, 1.0) for name in token]
