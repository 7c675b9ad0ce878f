"""The pieces of a string that statistical learning is said to rest on."""

from __future__ import annotations

START, END = "^", "$"


def marked(string: str) -> str:
    """The string between a start and an end mark."""
    return START + string + END


def ngrams(string: str, size: int) -> tuple[str, ...]:
    """All runs of `size` letters, in order."""
    return tuple(string[at : at + size] for at in range(len(string) - size + 1))
