"""The command line: `regretful play`, `compare`, `predict`, `hindsight`, `inspect`, `theorems`, `convert`, `demo`.

Each command is a file of its own; what they share is beside them. Heavy things are imported where they are used.
"""

from regretful.cli.app import main

__all__ = ["main"]
