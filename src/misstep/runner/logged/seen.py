"""The pictures of logged questions: as the log keeps them, else drawn again and found the same."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic_core import from_json

from misstep.core import items as item_text
from misstep.core.errors import MisstepError
from misstep.core.family import Family
from misstep.core.pictures import Seen, content_of
from misstep.runner.logged.archive import Row, sample_metadata
from misstep.runner.logged.logs import FamilyOf, Found
from misstep.runner.pictures import FIELD, pictures_of

_ATTACHED = "attachment://"
_Place = tuple[Path, str, int]


def read_seen(chosen: Iterable[Found], families: FamilyOf) -> dict[_Place, tuple[Seen, ...]]:
    """The pictures of these replies' questions, by log, sample and repetition; none for families
    that show none. A picture that is nowhere to be had comes without its content."""
    found: dict[_Place, tuple[Seen, ...]] = {}
    for one in chosen:
        family = families(one.record.family)
        if family.pictures is not None:
            (metadata,) = sample_metadata(one.file, [one.key])
            found[one.file, *one.key] = tuple(_seen(one.file, metadata, family))
    return found


def _seen(
    file: Path,
    metadata: Row,
    family: Family[Any],  # Any: families of every payload
) -> Iterator[Seen]:
    shown = metadata.get(FIELD) or {"kept_in": None, "files": []}
    kept = _kept(file, shown["kept_in"])
    if not all(one["sha256"] in kept for one in shown["files"]):
        kept = {**_drawn_again(metadata, family), **kept}
    for one in shown["files"]:
        yield Seen(one["name"], one["alt"], kept.get(one["sha256"]))


def _kept(file: Path, sample: str | None) -> Mapping[str, bytes]:
    """The pictures in this sample, by the digest of their bytes; none where it isn't in the log."""
    if sample is None:
        return {}
    with zipfile.ZipFile(file) as archive:
        try:
            row = from_json(archive.read(f"samples/{sample}_epoch_1.json"))
        except KeyError:
            return {}
    contents = map(_content, _uris(row))
    return {hashlib.sha256(content).hexdigest(): content for content in contents}


def _uris(sample: Row) -> Iterator[str]:
    attachments = sample.get("attachments") or {}
    for message in sample.get("messages") or []:
        parts = message["content"] if isinstance(message["content"], list) else []
        for part in parts:
            if part["type"] == "image":
                uri = part["image"]
                uri = attachments.get(uri.removeprefix(_ATTACHED), uri)
                if uri.startswith("data:"):
                    yield uri


def _content(uri: str) -> bytes:
    return base64.b64decode(uri.partition(",")[2])


def _drawn_again(metadata: Row, family: Family[Any]) -> Mapping[str, bytes]:  # Any: likewise
    """Today's pictures of the item; only those that are to the byte what was shown will be used."""
    try:
        item = item_text.from_dict(metadata, family.payload)
        contents = [content_of(one) for one in pictures_of(family, item)]
    except (MisstepError, TypeError, KeyError):
        return {}  # an item of an older version, or files that are gone
    return {hashlib.sha256(content).hexdigest(): content for content in contents}
