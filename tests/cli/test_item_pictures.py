"""Pictures of items on the command line: beside the file of items, and of one item shown."""

from __future__ import annotations

import json
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars
import pytest
from click.testing import CliRunner, Result

import misstep.registry
import swatches
from misstep.cli import cli
from misstep.core.errors import BadInput, MisstepError


@pytest.fixture(autouse=True)
def _only_swatches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(misstep.registry, "family", lambda name: swatches.FAMILY)
    monkeypatch.chdir(tmp_path)


def said(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


def run(*words: str) -> str:
    done = said(*words)
    assert done.exit_code == 0, done.output
    return done.output


def contents(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.iterdir()}


def drawn() -> dict[str, bytes]:
    groups = swatches.generate(0, {})
    items = [item for _ in range(2) for item in next(groups)]
    return {one.name: one.content() for item in items for one in swatches.pictures(item)}


def test_item_lines_name_pictures_by_paths_that_lead_to_them_from_the_file(tmp_path: Path) -> None:
    told = run("items", "swatches", "--out", "deep.jsonl")
    assert told == "8 lines in deep.jsonl; 12 pictures in deep_pictures\n"
    assert contents(tmp_path / "deep_pictures") == drawn()
    rows = [json.loads(line) for line in (tmp_path / "deep.jsonl").read_text().splitlines()]
    (message,) = rows[0]["prompt"]
    assert message["role"] == "user"
    assert message["parts"][:3] == [
        {"text": "Look at this: "},
        {
            "picture": "deep_pictures/swatches-0-000-0-above.png",
            "alt": "the colour above",
        },
        {"text": "\nIs it "},
    ]
    for row in rows:
        seen = [part["picture"] for part in row["prompt"][0]["parts"] if "picture" in part]
        assert len(seen) == 3
        answer = swatches.right_answer([(tmp_path / path).read_bytes() for path in seen])
        assert answer == row["truth"]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_tables_hold_the_messages_as_json(tmp_path: Path, ending: str) -> None:
    run("items", "swatches", "--out", f"x.{ending}")
    read = polars.read_csv if ending == "csv" else polars.read_parquet
    table = read(tmp_path / f"x.{ending}")
    (message,) = json.loads(table["prompt"][0])
    assert (tmp_path / message["parts"][1]["picture"]).exists()


def test_on_the_screen_item_lines_name_pictures_and_nothing_is_saved(tmp_path: Path) -> None:
    first = json.loads(run("items", "swatches").splitlines()[0])
    assert first["prompt"][0]["parts"][1]["picture"] == "swatches-0-000-0-above.png"
    assert list(tmp_path.iterdir()) == []


def test_chats_to_fine_tune_on_show_the_pictures_too(tmp_path: Path) -> None:
    run("items", "swatches", "--out", "x.jsonl", "--format", "chat", "--test-share", "0.5")
    lines = [
        line
        for split in ("train", "test")
        for line in (tmp_path / f"x.{split}.jsonl").read_text().splitlines()
    ]
    user, assistant = json.loads(lines[0])["messages"]
    assert user["content"][:2] == [
        {"type": "text", "text": "Look at this: "},
        {"type": "image", "image": user["content"][1]["image"]},
    ]
    assert (tmp_path / user["content"][1]["image"]).exists()
    assert assistant["content"] in ("Yes", "No")
    assert contents(tmp_path / "x_pictures") == drawn()


def test_an_item_is_shown_with_the_paths_of_its_pictures_and_no_others_are_saved(
    tmp_path: Path,
) -> None:
    told = run("show", "swatches", "--item", "swatches-0-001-1")
    assert told.startswith("Look at this: [pictures/swatches-0-001-1-above.png]\nIs it [pictures/")
    names = {f"swatches-0-001-1-{place}.png" for place in ("above", "left", "right")}
    assert set(contents(tmp_path / "pictures")) == names
    told = run("show", "swatches", "--out", "here/there", "--json")
    parts = json.loads(told)["items"][0]["prompt"][0]["parts"]
    assert parts[1]["picture"] == "here/there/swatches-0-000-0-above.png"
    assert (tmp_path / parts[1]["picture"]).exists()


def test_a_folder_for_pictures_is_refused_where_there_are_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()
    refused = said("show", "grammar", "--out", "here")
    assert isinstance(refused.exception, BadInput)
    assert str(refused.exception) == "--out: grammar shows no pictures"


@contextmanager
def room(size: int) -> Iterator[None]:
    """No file may grow beyond this many bytes: as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_that_fills_up_is_one_line_and_the_same_command_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, groups = swatches.drawn, swatches.generate(0, {})
    colour = [next(groups), next(groups)][1][0].payload.colours[0]
    monkeypatch.setattr(
        swatches, "drawn", lambda one: small(one) + bytes(50_000 if one == colour else 0)
    )
    with room(30_000):
        full = said("items", "swatches", "--out", "x.jsonl")
    assert isinstance(full.exception, MisstepError)
    line = str(full.exception)
    assert "\n" not in line
    assert "cannot write: File too large" in line
    assert "the same command goes on" in line
    assert not (tmp_path / "x.jsonl").exists()
    kept = contents(tmp_path / "x_pictures")
    assert kept.items() <= drawn().items()
    assert len(kept) == 6
    assert f"{len(kept)} pictures are whole" in line
    stamps = {one: one.stat().st_mtime_ns for one in (tmp_path / "x_pictures").iterdir()}
    run("items", "swatches", "--out", "x.jsonl")
    assert contents(tmp_path / "x_pictures") == drawn()
    assert all(one.stat().st_mtime_ns == stamp for one, stamp in stamps.items())


def test_a_file_of_items_that_does_not_fit_leaves_the_old_one(tmp_path: Path) -> None:
    run("items", "swatches", "--out", "x.jsonl", "--arm", "direct")
    before = (tmp_path / "x.jsonl").read_bytes()
    with room(1_000):
        full = said("items", "swatches", "--out", "x.jsonl")
    assert isinstance(full.exception, BadInput)
    assert "File too large" in str(full.exception)
    assert (tmp_path / "x.jsonl").read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["x.jsonl", "x_pictures"]
