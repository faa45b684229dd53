"""From files to files: `convert(file, out, …)` writes the examples in another format, and they come back the same.

Nothing here learns. Reading is the readers' work; how examples are written stands in a file for each kind of format.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from regretful.convert.columns import rows_to_columns
from regretful.convert.lines import LINES, write_lines
from regretful.convert.places import Place
from regretful.convert.rows import Rows
from regretful.convert.tables import TABLES, carried, table_to_table
from regretful.readers.files import Files
from regretful.readers.settings import Settings

__all__ = ["convert"]

Watch = Callable[[int, int, int | None], None]


def convert(
    file: Any, out: str, settings: Settings, to: str | None = None, watch: Watch = lambda *_: None
) -> dict[str, Any]:
    """Write the examples of `file` to `out`, in the format that its name tells or that `to` says.

    A table becomes a table with the columns it has; everything else becomes rows of features and values. The file
    takes its name when it is whole. watch: is told the rows, the bytes read and all bytes as it goes on. It returns
    what was done: rows, bad_lines, and notes for who reads the file next.
    """
    files, place = Files(file), Place(out, to)
    kind = files.kind(settings.format)
    place.refuse(files.paths)
    if kind in TABLES and place.format in (*TABLES, "jsonl") and not settings.cross:
        table = carried(files, kind, settings, place.format)
        if table is not None:
            return table_to_table(table, place, watch)
    rows = Rows(files, kind, settings)
    if place.format in LINES:
        return write_lines(rows, place, watch)
    return rows_to_columns(rows, place, watch)
