"""A bundle's table of screens against the study's own way, and what is not in it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from misstep.cli.studies import study as study_command
from misstep.core.errors import BadInput
from misstep.core.seeds import Chance, stream
from misstep.study.bundle.fitting import check
from misstep.study.bundle.jatos import archive
from misstep.study.bundle.packing import packed
from misstep.study.course import drawing
from misstep.study.course.drawing import AnyItem
from misstep.study.course.file import read_study
from misstep.study.course.nouns import Step, Study
from misstep.study.course.way import step
from misstep.study.pages.assets import static_assets
from misstep.study.screens import Ask, Check, End, Json, Page, Plan, Write, fit, plain
from misstep.study.trials.nouns import Given
from small_studies import small_study
from study_walks import answer_of
from table_walks import at as at_in
from table_walks import table_of

FILE = """
schema = 1
title = "Two statements"
people = 4
tries = {tries}
[[block]]
family = "inconsistency"
items = 4
practice = {practice}
pool = 20
arms = ["direct", "judge-then-explain"]
[[block]]
family = "cups"
items = 2
practice = {practice}
pool = 8
"""


def two_blocks(folder: Path, tries: int = 2, practice: int = 1) -> Study:
    path = folder / "study.toml"
    path.write_text(FILE.format(tries=tries, practice=practice), encoding="utf-8")
    return read_study(path)


def chosen(study: Study, slot: int, here: Step, given: list[Given], chance: Chance) -> object:
    """Anything that fits: often another answer than the solver's, or none in time."""
    screen = here.screen
    if here.key == "consent" or chance.below(3) == 0:
        return answer_of(study, slot, here, given)
    match screen:
        case Ask(choices=(_, *_) as choices, deadline_ms=limit):
            values = [one.value for one in choices] + ([None] if limit else [])
            return {"value": values[chance.below(len(values))]}
        case Check(questions=questions):
            return {
                "values": {
                    one.name: one.choices[chance.below(len(one.choices))].value for one in questions
                }
            }
        case Write():
            return {"text": f'Because "{chance.below(99)}" \\ <b> \n and so on'}
        case Plan(actions=actions):
            return {"steps": [actions[chance.below(len(actions))].name]}
        case Page(choices=(_, *_) as choices):
            return {"value": choices[chance.below(len(choices))].value}
    return answer_of(study, slot, here, given)


def assert_same_ways(study: Study, places: int, turns: int) -> set[str]:
    """The endings that were reached."""
    table, endings = table_of(packed(study, places)), set()
    for slot in range(places):
        for turn in range(turns):
            chance, given = stream("test", 1, slot, turn), list[Given]()
            answers: list[tuple[str, Mapping[str, Json]]] = []
            while True:
                here, there = step(study, slot, given), at_in(table, slot, answers)
                expected = json.loads(json.dumps(plain(here.screen)))
                assert there["screen"] == expected, (slot, turn, here.key)
                for name in ("key", "part", "done", "total", "trial"):
                    assert there[name] == getattr(here, name), (slot, turn, here.key, name)
                if isinstance(here.screen, End):
                    endings.add(here.screen.ending)
                    assert there["ending"] == here.screen.ending
                    break
                sent = json.loads(json.dumps(chosen(study, slot, here, given, chance)))
                kept = fit(here.screen, sent)
                given.append(Given(here.key, kept, 1000.0))
                answers.append((here.key, kept))
    return endings


def test_the_table_shows_what_the_study_shows_whatever_is_answered(tmp_path: Path) -> None:
    endings = assert_same_ways(two_blocks(tmp_path), 4, 12)
    assert endings == {"complete", "screened_out"}


@pytest.mark.parametrize("family", ["grammar", "faces", "apartments", "planbench"])
def test_families_whose_screens_are_known_ahead_are_listed(family: str, tmp_path: Path) -> None:
    """In planbench what was written in the first phase stands beside the second one."""
    assert assert_same_ways(small_study(tmp_path, family), 2, 3) >= {"complete"}


def test_no_truth_is_in_a_page_that_is_not_allowed_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With every truth turned into another one the page is the same to the byte."""
    study = two_blocks(tmp_path, tries=0, practice=0)
    assert check(study, with_truth=False) == ()
    before = packed(study, 4)
    table = table_of(before)
    assert [name for way in table["ways"] for name in way if way[name]["by"]] == ["consent"] * 4
    turn_truths(monkeypatch)
    # By another digest, so that nothing that was remembered is used.
    assert packed(replace(study, digest="turned"), 4).replace("turned", study.digest) == before


def test_practice_and_checks_do_hang_on_the_truth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = two_blocks(tmp_path)
    before = packed(study, 1)
    turn_truths(monkeypatch)
    assert packed(replace(study, digest="turned"), 1).replace("turned", study.digest) != before


def turn_truths(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = drawing.pool_of

    def turned(item: AnyItem) -> AnyItem:
        return replace(item, truth="?", lure="?")

    def pool_of(study: Study, block: int) -> drawing.Pool:
        pool = whole(study, block)
        sheaves = tuple(tuple(map(turned, sheaf)) for sheaf in pool.sheaves)
        return drawing.Pool(tuple(map(turned, pool.practice)), sheaves)

    monkeypatch.setattr(drawing, "pool_of", pool_of)


def test_what_needs_the_truth_is_refused_or_warned_of(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"--with-truth: the page would hold .*questions.*practice"):
        check(two_blocks(tmp_path), with_truth=False)
    assert len(check(two_blocks(tmp_path), with_truth=True)) == 4
    with pytest.raises(BadInput, match="needs misstep study serve"):
        check(small_study(tmp_path, "vehicles"), with_truth=True)
    path = tmp_path / "plans.toml"
    path.write_text(
        'schema = 1\ntitle = "P"\n[[block]]\nfamily = "planbench"\npractice = 1\n', encoding="utf-8"
    )
    with pytest.raises(BadInput, match=r"block\.1\.practice: 1"):
        check(read_study(path), with_truth=True)


def test_page_and_archive_are_the_same_bytes_in_any_process(tmp_path: Path) -> None:
    two_blocks(tmp_path)
    static_assets_or_skip()
    made = []
    for seed in ("1", "99"):
        page, jzip = tmp_path / f"{seed}.zip", tmp_path / f"{seed}.jzip"
        command = [sys.executable, "-m", "misstep", "study", "bundle", "study.toml"]
        command += ["--with-truth", "--out", str(page), "--jatos", str(jzip)]
        done = subprocess.run(
            command, cwd=tmp_path, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True,
            check=True, text=True,
        )  # fmt: skip
        assert "warning: the page holds the right answers to the practice items" in done.stderr
        made.append((page.read_bytes(), jzip.read_bytes()))
    assert made[0] == made[1]
    with zipfile.ZipFile(io.BytesIO(made[0][0])) as files:
        assert "The truth of the items that count is not in it" in files.read("README.md").decode()


def static_assets_or_skip() -> None:
    from misstep.core.errors import MisstepError

    try:
        static_assets()
    except MisstepError as error:
        pytest.skip(str(error))


def test_the_archive_is_as_jatos_documents_it(tmp_path: Path) -> None:
    static_assets_or_skip()
    study = two_blocks(tmp_path)
    with zipfile.ZipFile(io.BytesIO(archive(study, packed(study, 2), 2))) as files:
        assert files.testzip() is None
        names = files.namelist()
        top = {name.partition("/")[0] for name in names}
        folders = {name.partition("/")[0] for name in names if "/" in name}
        assert len(folders) == 1
        (jas,) = top - folders
        assert jas.endswith(".jas")
        said = json.loads(files.read(jas))
        data = said["data"]
        assert said["version"] == "3"
        assert data["dirName"] in folders
        for one in (data, *data["componentList"], *data["batchList"]):
            assert {"uuid", "title"} <= set(one)
        (component,) = data["componentList"]
        page = files.read(f"{data['dirName']}/{component['htmlFilePath']}").decode()
        assert '<script src="jatos.js"></script>' in page
        for name in names:
            if name.endswith((".js", ".css")):
                assert name.removeprefix(f"{data['dirName']}/") in page


def test_a_folder_that_is_there_is_not_written_into(tmp_path: Path) -> None:
    two_blocks(tmp_path)
    asked = ["bundle", str(tmp_path / "study.toml"), "--out", str(tmp_path)]
    error = CliRunner().invoke(study_command, asked).exception
    assert isinstance(error, BadInput)
    assert "is there already" in str(error)
