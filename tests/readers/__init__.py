"""The readers of files."""
