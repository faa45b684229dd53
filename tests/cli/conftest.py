"""Fixtures of the room."""

from tests.cli.running import clicks, numbers, regretful

__all__ = ["clicks", "numbers", "regretful"]
