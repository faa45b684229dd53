r"""Saved learners: one file that holds everything, checked when read, replaced in one stroke, running no code.

    regretful model 1\n
    <length of the header, 8 bytes little-endian><header: JSON><arrays, one after the other><SHA-256 of all before>

The header says which parts fill the slots (by class name and settings) and what they have learnt; arrays stand in it as
their type, shape and place. A class that is not regretful's own is never looked up: it is handed to `load`. Notes, such
as how the examples were read, may travel along.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from regretful.core.labels import Labels, packed, unpacked
from regretful.core.ledger import Ledger
from regretful.core.linear import Linear
from regretful.core.parts import Part
from regretful.core.saved import Saved

MAGIC = b"regretful model 1\n"
DIGEST = hashlib.sha256().digest_size
ROOMS = ("core", "learners", "experts", "bandits", "markets")  # whose classes a file may name


def save(learner: Linear | Saved, path: str | os.PathLike[str], notes: dict[str, Any] | None = None) -> None:
    """Write the learner to `path`, and with it notes: names with numbers, strings, lists and dicts of such."""
    model = _model(learner)
    _write(model if notes is None else {**model, "notes": notes}, path)


def _model(learner: Linear | Saved) -> dict[str, Any]:
    """What makes the learner again: classes by name, slots, state."""
    kind, rule, slots, state, attributes = learner.__reduce__()[1]
    if attributes:
        raise TypeError(
            f"{kind.__name__} has attributes of its own ({', '.join(attributes)}), which a saved file does not carry: "
            "keep them elsewhere, or pickle the learner"
        )
    for part in slots.values():
        if isinstance(part, Part):
            _can_be_remade(part)
    return {"kind": kind.__name__, "rule": rule.__name__, "slots": slots, "state": state}


def _remade(model: dict[str, Any], classes: dict[str, Any]) -> Any:
    """The learner of which `_model` told."""
    rule = _find(model["rule"], classes)
    kind = _find(model["kind"], classes)
    learner: Any = kind.__new__(kind)
    rule.__init__(learner, **model["slots"])
    learner._restore(model["state"])
    return learner


def save_ledger(ledger: Ledger, path: str | os.PathLike[str]) -> None:
    """Write an account by itself, in the same way."""
    _write({"kind": "Ledger", "state": ledger.state(ledger.size)}, path)


def _write(model: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """A temporary file beside the target, synced, then renamed over it."""
    arrays: list[np.ndarray] = []
    header = json.dumps(_pack(model, arrays), separators=(",", ":")).encode()
    pieces = [MAGIC, len(header).to_bytes(8, "little"), header, *(array.tobytes() for array in arrays)]
    digest = hashlib.sha256()
    with replacing(path) as file:
        for piece in pieces:
            digest.update(piece)
            file.write(piece)
        file.write(digest.digest())


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write that takes its place only when it is whole: under another name, synced, then renamed."""
    target = Path(path)
    if not target.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {str(target.parent)!r} to save {target.name!r} in")
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _permit(temporary, target)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def load(path: str | os.PathLike[str], parts: Iterable[Callable[..., Any]] = ()) -> Any:
    """The learner (or the ledger) that `save` wrote, to go on bit for bit.

    Classes and functions of your own that it is made of (a loss, a domain, …) are named in `parts`: a file runs no
    code, and so cannot bring them.
    """
    return load_with_notes(path, parts)[0]


def load_with_notes(
    path: str | os.PathLike[str], parts: Iterable[Callable[..., Any]] = ()
) -> tuple[Any, dict[str, Any]]:
    """The same, and the notes that were saved with it."""
    data = Path(path).read_bytes()
    if not data.startswith(MAGIC):
        known = data.startswith(MAGIC[:16])
        what = "was written by another version of regretful" if known else "is not a model saved by regretful"
        raise ValueError(f"{os.fspath(path)!r} {what}")
    body, digest = data[:-DIGEST], data[-DIGEST:]
    if hashlib.sha256(body).digest() != digest:
        raise ValueError(f"{os.fspath(path)!r} is damaged: its checksum does not fit (cut short, or changed)")
    start = len(MAGIC) + 8
    end = start + int.from_bytes(body[len(MAGIC) : start], "little")
    classes = {**_own_classes(), **{part.__name__: part for part in parts}}
    model = _unpack(json.loads(body[start:end]), body[end:], classes)
    if model["kind"] == "Ledger":
        ledger = Ledger()
        ledger.restore(model["state"])
        return ledger, {}
    return _remade(model, classes), model.get("notes", {})


def _can_be_remade(part: Part) -> None:
    """A part of the user's own whose settings do not make it again would only be found out when loading."""
    kind, settings = type(part).__name__, part.settings()
    try:
        same = type(part)(**settings) == part
    except TypeError:
        same = False
    if not same:
        raise TypeError(f"{kind} cannot be saved: {kind}(**settings()) does not make it again; define settings()")


def _find(name: str, classes: dict[str, Any]) -> Any:
    if name not in classes:
        raise ValueError(f"the model is made of {name}, which regretful does not know: load(path, parts=({name},))")
    return classes[name]


def _own_classes() -> dict[str, type]:
    """The classes a file may name without the caller's help: regretful's public parts and learners.

    They are found from their bases down: learners live above the core, which knows their rooms by name only.
    """
    for room in ROOMS:  # a file may be read before anybody opened the room of its learner
        import_module(f"regretful.{room}")
    found: dict[str, type] = {}
    pending: list[type] = [*Part.__subclasses__(), *Linear.__subclasses__(), *Saved.__subclasses__()]
    rooms = tuple(f"regretful.{room}." for room in ROOMS)
    while pending:
        kind = pending.pop()
        pending += kind.__subclasses__()
        if kind.__module__.startswith(rooms) and not kind.__name__.startswith("_"):
            found[kind.__name__] = kind
    return found


def _pack(thing: Any, arrays: list[np.ndarray]) -> Any:
    """The thing as JSON; parts by name and settings, arrays by place."""
    if isinstance(thing, Part):
        return {"!part": type(thing).__name__, "settings": _pack(thing.settings(), arrays)}
    if inspect.isfunction(thing):
        if not thing.__name__.isidentifier():
            raise TypeError(f"{thing!r} cannot be saved: give it a name with def, by which load finds it again")
        return {"!function": thing.__name__}
    if inspect.ismethod(thing) and isinstance(thing.__self__, Part):
        return {"!method": thing.__name__, "of": _pack(thing.__self__, arrays)}
    if isinstance(thing, np.ndarray):
        place = sum(array.nbytes for array in arrays)
        arrays.append(np.ascontiguousarray(thing))
        return {"!array": thing.dtype.str, "shape": thing.shape, "at": place}
    if isinstance(thing, Linear | Saved):  # a learner that plays by means of another
        return {"!learner": _pack(_model(thing), arrays)}
    if isinstance(thing, Labels):
        return {"!labels": [packed(label) for label in thing]}
    if isinstance(thing, dict):
        return {"!dict": [[_pack(key, arrays), _pack(value, arrays)] for key, value in thing.items()]}
    if isinstance(thing, tuple | list):
        return [_pack(item, arrays) for item in thing]
    if isinstance(thing, np.generic):
        return thing.item()
    if thing is None or isinstance(thing, bool | int | float | str):
        return thing
    raise TypeError(f"{thing!r} cannot be saved: settings are numbers, strings, arrays, lists and dicts of such")


def _unpack(thing: Any, data: bytes, classes: dict[str, Any]) -> Any:
    if isinstance(thing, list):
        return [_unpack(item, data, classes) for item in thing]
    if not isinstance(thing, dict):
        return thing
    if "!part" in thing:
        return _find(thing["!part"], classes)(**_unpack(thing["settings"], data, classes))
    if "!function" in thing:
        return _find(thing["!function"], classes)
    if "!method" in thing:
        if thing["!method"].startswith("_"):
            raise ValueError(f"the model names the method {thing['!method']}, which is nobody's business")
        return getattr(_unpack(thing["of"], data, classes), thing["!method"])
    if "!array" in thing:
        kind = np.dtype(thing["!array"])
        if kind.hasobject:
            raise ValueError("the model holds an array of objects, which no model does")
        count = int(np.prod(thing["shape"], dtype=np.int64))
        return np.frombuffer(data, kind, count, thing["at"]).reshape(thing["shape"]).copy()
    if "!learner" in thing:
        return _remade(_unpack(thing["!learner"], data, classes), classes)
    if "!labels" in thing:
        return Labels(unpacked(label) for label in thing["!labels"])
    return {_unpack(key, data, classes): _unpack(value, data, classes) for key, value in thing["!dict"]}


def _permit(temporary: Path, target: Path) -> None:
    """Give the new file the old one's permissions, or those of any new file."""
    if target.exists():
        temporary.chmod(target.stat().st_mode & 0o777)
    else:
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)


def _sync_folder(folder: Path) -> None:
    """Make the renaming itself last, where the system can."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
