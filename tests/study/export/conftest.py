"""A small study in which seven people took part, each in a way of their own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from misstep.study.course.file import read_study
from misstep.study.export.opening import found_store
from study_people import CAME, FILE, Held, opened, take_part


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Mapping[str, str]]:
    """A folder with the study's file and its database, and the ids of who came."""
    folder = tmp_path_factory.mktemp("filled")
    (folder / "study.toml").write_text(FILE)
    study = read_study(folder / "study.toml")
    store = opened(study, str(folder / "study.db"))
    who = {name: take_part(store, study, came) for name, came in CAME.items()}
    store.close()
    return folder, who


@pytest.fixture
def held(tmp_path: Path, filled: tuple[Path, Mapping[str, str]]) -> Iterator[Held]:
    """A copy of one's own, which may be changed."""
    folder, who = filled
    own = shutil.copytree(folder, tmp_path / "own")
    file, database = own / "study.toml", str(own / "study.db")
    study = read_study(file)
    with found_store(database, study) as store:
        yield Held(file, study, store, database, who)
