"""What whoever serves a study is told, and what they may not ask for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from misstep.cli import cli
from misstep.core.errors import BadInput
from misstep.study.course.nouns import Study
from misstep.study.server import serving
from misstep.study.server.serving import serve
from misstep.study.store import people
from misstep.study.store.opening import Store, open_store
from misstep.study.store.people import Visitor
from study_way import ASSETS, small_study


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return small_study(tmp_path)


@pytest.fixture
def store(tmp_path: Path, study: Study) -> Iterator[Store]:
    found = open_store(str(tmp_path / "x.db"), study, 0, lambda _line: None)
    yield found
    found.close()


@pytest.mark.parametrize(
    ("host", "proxy", "noted"),
    [
        ("127.0.0.1", False, False),
        ("::1", False, False),
        ("localhost", False, False),
        ("0.0.0.0", False, True),  # noqa: S104 (nothing is bound here)
        ("192.0.2.1", True, False),
    ],
)
def test_who_serves_beyond_this_machine_is_told_of_tls(
    study: Study, store: Store, host: str, proxy: bool, noted: bool
) -> None:
    notes = serving._notes(study, store, host, proxy)
    assert ["HTTPS" in note for note in notes] == ([True] if noted else [])


def test_people_of_another_version_are_told_of(tmp_path: Path, study: Study, store: Store) -> None:
    store.write(lambda on: people.enter(on, study, store.number, Visitor(), "consent", 0)).result()
    newer = replace(study, digest="newer")
    other = open_store(str(tmp_path / "x.db"), newer, 0, lambda _line: None)
    (note,) = serving._notes(newer, other, "127.0.0.1", False)
    other.close()
    assert note.startswith("the database holds 1 people of another version of this study")


def test_a_token_that_could_be_guessed_is_refused(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "assets", lambda: ASSETS)
    with pytest.raises(BadInput, match="the desk's token must be 43 of"):
        serve(study, "x.db", "127.0.0.1", 0, print, say=print, desk_token="short")  # noqa: S106 (no secret)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--host", ""),
        ("--database", ""),
        ("--name", "https://study.example.org/"),
        ("--name", "study.example.org:443"),
        ("--name", "a*b"),
    ],
)
def test_what_can_be_no_address_name_or_database_is_refused(option: str, value: str) -> None:
    words = ["study", "serve", "--family", "cups", "--port", "0", option, value]
    with pytest.raises(BadInput, match=f"^{option}: {re.escape(repr(value))}"):
        CliRunner().invoke(cli, words, catch_exceptions=False, standalone_mode=False)
