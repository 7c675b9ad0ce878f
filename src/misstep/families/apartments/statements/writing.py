"""Features → a file of statements, in the form in which the shipped one can be edited."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.families.apartments.statements.reading import LEVELS, Statements


def write_statements(path: Path, found: Statements, heading: str = "") -> None:
    """Put the file in place whole or not at all. Raises BadInput where it can't be written."""
    text = "\n".join(_lines(found, heading)) + "\n"
    half = path.with_name(f"{path.name}.partial")
    try:
        half.write_text(text, encoding="utf-8")
        os.replace(half, path)  # noqa: PTH105 (keeps both names in the error)
    except OSError as error:
        raise BadInput(f"--out: {path}: cannot be written: {error.strerror or error}") from None


def _lines(found: Statements, heading: str) -> Iterator[str]:
    yield from (f"# {line}" for line in heading.splitlines())
    if found.rated_by:
        yield f"rated_by = {_text(found.rated_by)}"
    yield f"shared = [{', '.join(_text(word) for word in found.shared)}]"
    for feature in found.features:
        yield ""
        yield f"[feature.{_text(feature.name)}]"
        for level, one in zip(LEVELS, feature.statements, strict=True):
            rating = "" if one.rating is None else f"rating = {one.rating}, "
            yield f"{level} = {{ {rating}text = {_text(one.text)} }}"


def _text(words: str) -> str:
    """A TOML string. JSON's escapes are TOML's; DEL is the one letter that only JSON lets stand."""
    clean = words.encode("utf-8", "replace").decode("utf-8")
    return json.dumps(clean, ensure_ascii=False).replace("\x7f", "\\u007f")
