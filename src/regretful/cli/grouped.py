"""Options that several commands share: a dataclass whose fields are options, taken by a command as one argument."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from typing import Any, get_type_hints


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The command as Typer sees it: each argument that is a dataclass stands for its fields."""
    hints = get_type_hints(command, include_extras=True)
    signature = inspect.signature(command)
    groups = {name: hints[name] for name in signature.parameters if dataclasses.is_dataclass(hints[name])}
    shown: dict[str, inspect.Parameter] = {}
    for name, parameter in signature.parameters.items():
        if name in groups:
            shown |= _options(groups[name])
        else:
            shown[name] = parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)

    def told(**given: Any) -> None:
        made = {
            name: group(**{field.name: given.pop(field.name) for field in dataclasses.fields(group)})
            for name, group in groups.items()
        }
        command(**given, **made)

    told.__name__, told.__doc__, told.__module__ = command.__name__, command.__doc__, command.__module__
    told.__annotations__ = {name: parameter.annotation for name, parameter in shown.items()}
    told.__signature__ = inspect.Signature(list(shown.values()))  # type: ignore[attr-defined]  # inspect looks for it
    return told


def _options(group: Any) -> dict[str, inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return {
        field.name: inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=hints[field.name],
            default=inspect.Parameter.empty if field.default is dataclasses.MISSING else field.default,
        )
        for field in dataclasses.fields(group)
    }
