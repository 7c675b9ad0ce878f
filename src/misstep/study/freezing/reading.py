"""A frozen file read again; known to be whole, and as it was written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.study.freezing.document import KIND, SCHEMA, Document, digest

_PARTS = ("versions", "study", "texts", "links", "exclusions", "analysis", "places")


def read_frozen(path: Path, option: str) -> Document:
    """BadInput, in the option's name, where it is no such file or was edited since."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"{option}: {path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise BadInput(f"{option}: {path}: is no JSON") from None
    if not isinstance(document, dict) or document.get("kind") != KIND:
        raise BadInput(f"{option}: {path}: is no file of misstep study freeze")
    if document.get("schema") != SCHEMA:
        raise BadInput(
            f"{option}: {path}: schema is {document.get('schema')!r}, this version reads {SCHEMA}"
        )
    is_whole = all(isinstance(document.get(name), Mapping) for name in _PARTS)
    if document.get("sha256") != digest(document) or not is_whole:
        raise BadInput(f"{option}: {path}: was edited since it was frozen (its sha256 says so)")
    return document
