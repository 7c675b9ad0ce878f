"""The gate's eyes on a picture file: the embedding of the one face in it."""

from __future__ import annotations

import threading
from functools import cache

import numpy as np

from misstep.families.faces.gate import Embedding, Gate
from misstep.picture_files import Unreadable, upright

_turn = threading.Lock()
"""The gate's models are used by one thread at a time."""


@cache
def _gate() -> Gate:
    return Gate()


def embedding(content: bytes) -> Embedding | None:
    """None where the picture can't be read, or doesn't show exactly one face."""
    try:
        picture = upright(content)
    except Unreadable:
        return None
    with _turn:
        found = _gate().look(np.asarray(picture))
    return found.embedding if found.faces == 1 else None
