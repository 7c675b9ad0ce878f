"""Files that hold no study of ours, named as the database: each command says so in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from misstep.cli import cli
from misstep.core.errors import BadInput, MisstepError
from misstep.study.course.file import read_study
from misstep.study.pages.assets import assets

STUDY = """
schema = 1
title = "Statements"
people = 2
tries = 0
[[block]]
family = "inconsistency"
items = 2
practice = 0
pool = 20
"""
COMMANDS = {
    "serve": ("serve", "study.toml", "--port", "0"),
    "simulate": ("simulate", "study.toml"),
    "export": ("export", "study.toml", "--out", "records.csv"),
    "forget": ("forget", "study.toml", "somebody", "--yes"),
    "import": ("import", "result.json", "--study", "study.toml"),
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the study's file and a result of somebody who consented."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    study = read_study(tmp_path / "study.toml")
    consent = {"key": "consent", "once": "sent-only-once-01", "answer": {"value": "yes"}}
    result = {
        "kind": "misstep study result",
        "schema": 1,
        "study": study.digest,
        "consent": study.consent_digest,
        "run": "a-run-0123456789abcdef",
        "place": 0,
        "visit": {"person": "", "study": "", "session": ""},
        "entered": 1_800_000_000_000,
        "ended": None,
        "ending": None,
        "answers": [
            consent | {"rt_ms": 9.5, "signs": [], "row": {}, "received": 1_800_000_002_000}
        ],
    }
    (tmp_path / "result.json").write_text(json.dumps(result), encoding="utf-8")
    return tmp_path


def refused(command: str, database: Path) -> str:
    """What a user reads, who is told that it was bad input."""
    if command in ("serve", "simulate"):
        try:
            assets()
        except MisstepError as error:
            pytest.skip(str(error))
    words = ["study", *COMMANDS[command], "--database", str(database)]
    with pytest.raises(BadInput) as caught:
        CliRunner().invoke(cli, words, catch_exceptions=False, standalone_mode=False)
    return str(caught.value)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_text_is_no_database_for_any_command(command: str, here: Path) -> None:
    text = here / "notes.txt"
    text.write_text("No database, and longer than the first line of one. " * 9, encoding="utf-8")
    before = text.read_bytes()
    assert refused(command, text) == f"--database: {text}: file is not a database"
    assert text.read_bytes() == before
