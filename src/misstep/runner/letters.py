"""Replies that can be written down: half a surrogate pair, left by a cut emoji, is replaced."""

from __future__ import annotations

from typing import TypeVar

from inspect_ai.model import ModelCall, ModelOutput
from pydantic import BaseModel

Told = TypeVar("Told", bound=BaseModel)


def writable(answer: object) -> object:
    """What a provider gave, an output alone or with the record of its call, with whole letters.

    No file and no log takes half a pair: such a reply would be lost though it was paid for.
    """
    if isinstance(answer, tuple):
        return tuple(writable(part) for part in answer)
    if isinstance(answer, (ModelOutput, ModelCall)):
        return _written(answer)
    return answer


def _written(told: Told) -> Told:
    try:
        told.model_dump_json()
    except ValueError:  # the serialiser's own error is one, and so is that of an encoding
        return type(told).model_validate(_mended(told.model_dump()))
    return told


def _mended(plain: object) -> object:
    if isinstance(plain, str):
        return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(plain, dict):
        return {_mended(key): _mended(value) for key, value in plain.items()}
    if isinstance(plain, (list, tuple)):
        return [_mended(part) for part in plain]
    return plain
