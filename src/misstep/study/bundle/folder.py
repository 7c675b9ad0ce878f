"""The files of a bundle, and a folder or an archive of them that is the same to the byte."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path

from misstep.core.errors import BadInput
from misstep.study.bundle.readme import readme
from misstep.study.course.nouns import Study
from misstep.study.pages.assets import LICENCES, static_assets
from misstep.study.pages.document import document, facing_of

INDEX, SCREENS, README = "index.html", "screens.js", "README.md"
_BEGINNING = (1980, 1, 1, 0, 0, 0)
Files = Mapping[str, bytes]
"""By their paths within the folder."""


def page_files(study: Study, screens: str, before: Sequence[str] = ()) -> Files:
    """The page and all that it loads, but for scripts `before` its own, which are others'."""
    built = static_assets()
    page = document(facing_of(study), built, before=(*before, SCREENS))
    return {
        INDEX: page.encode(),
        SCREENS: screens.encode(),
        f"assets/{built.style}": built.files[built.style].content,
        f"assets/{built.script}": built.files[built.script].content,
        f"assets/{LICENCES}": built.files[LICENCES].content,
    }


def bundle_files(study: Study, screens: str, places: int, truths: Sequence[str]) -> Files:
    said = readme(study, places, truths)
    return {README: said.encode(), **page_files(study, screens)}


def zipped(files: Files) -> bytes:
    """Stored, as compressors differ from machine to machine."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _BEGINNING)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, files[name])
    return out.getvalue()


def write_folder(out: Path, files: Files, option: str) -> None:
    try:
        for name, content in files.items():
            place = out / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
    except OSError as error:
        raise BadInput(f"{option}: {out}: {error.strerror or error}") from None


def write_file(out: Path, content: bytes, option: str) -> None:
    write_folder(out.parent, {out.name: content}, option)
