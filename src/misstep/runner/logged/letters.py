"""Replies that can be written down: with whole letters, and without a secret that they repeat."""

from __future__ import annotations

from typing import TypeVar

from inspect_ai.model import ModelCall, ModelOutput
from pydantic import BaseModel

from misstep.core.hiding import Secrets

Told = TypeVar("Told", bound=BaseModel)


def writable(answer: object, secrets: Secrets) -> object:
    """What a provider gave, an output alone or with the record of its call, as it may be kept.

    No file and no log takes half of a surrogate pair, which a cut emoji leaves: such a reply would
    be lost though it was paid for. Nor may a key stand in one.
    """
    if isinstance(answer, tuple):
        return tuple(writable(part, secrets) for part in answer)
    if isinstance(answer, (ModelOutput, ModelCall)):
        return _written(answer, secrets)
    # Some providers hand back the error by which a bad request was refused.
    return secrets.cleaned(answer) if isinstance(answer, Exception) else answer


def _written(told: Told, secrets: Secrets) -> Told:
    try:
        if not secrets.shows(told.model_dump_json()):
            return told
    except ValueError:  # the serialiser's own error is one, and so is that of an encoding
        pass
    return type(told).model_validate(_mended(told.model_dump(), secrets))


def _mended(plain: object, secrets: Secrets) -> object:
    if isinstance(plain, str):
        return secrets.hide(plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    if isinstance(plain, dict):
        return {_mended(key, secrets): _mended(value, secrets) for key, value in plain.items()}
    if isinstance(plain, (list, tuple)):
        return [_mended(part, secrets) for part in plain]
    return plain
