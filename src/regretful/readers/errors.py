"""What is wrong with a file: where, what was expected; and the account of lines that were left out."""

from __future__ import annotations

from dataclasses import dataclass, field

SHOWN = 10  # messages of bad lines that are kept


class BadLine(ValueError):
    """A line, or a row, that is not as it should be. `where`: file, line and column, as far as they are known."""

    def __init__(self, message: str, file: str = "", line: int | None = None, column: int | None = None) -> None:
        self.message, self.file, self.line, self.column = message, file, line, column
        places = [file, *(f"{name} {at}" for name, at in (("line", line), ("column", column)) if at is not None)]
        super().__init__(f"{', '.join(filter(None, places))}: {message}" if any(places) else message)


@dataclass
class Bad:
    """Lines that were left out, and what was wrong with the first of them."""

    skip: bool = False
    count: int = 0
    messages: list[str] = field(default_factory=list)

    def add(self, error: BadLine) -> None:
        """Count it, or raise it if bad lines are not to be skipped."""
        if not self.skip:
            raise error
        self.count += 1
        if len(self.messages) < SHOWN:
            self.messages.append(str(error))
