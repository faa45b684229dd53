"""Numbers as text that is read back to the last bit. No format is known here."""


def spelt(value: float) -> str:
    """The shortest, and a whole number without a point."""
    text = repr(value)
    return text[:-2] if text.endswith(".0") else text
