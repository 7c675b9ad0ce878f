"""A study frozen: the same bytes anywhere, and each change since by its name."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from misstep.analyse import compare, write_frame
from misstep.cli import cli
from misstep.cli.studies import study as study_command
from misstep.core.errors import BadInput
from misstep.core.items import to_dict
from misstep.core.records import Record
from misstep.registry import specs
from misstep.study.course import judging
from misstep.study.course.drawing import planned, pool_of
from misstep.study.course.file import read_study
from misstep.study.course.nouns import Study
from misstep.study.course.way import finished
from misstep.study.freezing.changes import changes
from misstep.study.freezing.document import frozen, text
from misstep.study.freezing.reading import read_frozen
from misstep.study.freezing.records import departures
from study_walks import walked

FILE = """
schema = 1
title = "Two statements"
people = 4
[[block]]
family = "inconsistency"
items = 4
practice = 1
pool = 12
[[block]]
family = "cups"
items = 2
practice = 0
pool = 4
[block.timing]
deadline = 20000
[exclusions]
fast_ms = 300
most_fast = 0.2
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(tmp_path)


def written(folder: Path, change: Callable[[str], str] = lambda said: said) -> Path:
    path = folder / "study.toml"
    path.write_text(change(FILE), encoding="utf-8")
    return path


def test_the_same_study_is_the_same_bytes_whatever_the_hash_seed(file: Path) -> None:
    made = []
    for seed in ("1", "4711"):
        out = file.with_name(f"frozen-{seed}.json")
        command = [sys.executable, "-m", "misstep", "study", "freeze", str(file), "--out", str(out)]
        subprocess.run(
            command, check=True, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True
        )
        made.append(out.read_bytes())
    assert made[0] == made[1]


def test_every_item_of_the_pool_is_hashed_by_its_own_bytes(file: Path) -> None:
    study = read_study(file)
    document = json.loads(text(frozen(study)))
    for number, block in enumerate(document["blocks"]):
        pool = pool_of(study, number)
        items = [item for sheaf in pool.sheaves for item in sheaf]
        assert list(block["trial_items"]) == [item.id for item in items]
        assert list(block["practice_items"]) == [item.id for item in pool.practice]
        for item in (items[0], items[-1]):
            line = json.dumps(to_dict(item), sort_keys=True, separators=(",", ":"))
            assert block["trial_items"][item.id] == sha256(line.encode()).hexdigest()


def test_who_meets_what_is_told_of_every_place(file: Path) -> None:
    study = read_study(file)
    places = frozen(study)["places"]
    assert isinstance(places, dict)
    assert list(places) == ["0", "1", "2", "3"]
    for slot in range(4):
        met = [item for row in places[str(slot)] for item in row["trials"]]
        assert met == [one.item for one in planned(study, slot)]


def test_the_planned_analysis_is_what_compare_does_with_the_records(file: Path) -> None:
    study = read_study(file)
    analysis = frozen(study)["analysis"]
    assert isinstance(analysis, dict)
    found = compare(records_of(study), specs())
    named = {f"{one.family}: {one.arm} against {one.baseline}": one for one in found}
    assert set(analysis["contrasts"]) == set(named)
    for name, plan in analysis["contrasts"].items():
        assert plan["margin"] == named[name].equivalence.margin
        assert plan["test"] == named[name].test
        assert plan["measure"] == named[name].measure.name


def records_of(study: Study) -> list[Record]:
    """Of everybody, by solvers of which half the people have one that is often wrong."""
    found = []
    for slot in range(study.people):
        given, _ = walked(study, slot)
        for number, (one, own) in enumerate(finished(study, slot, given)):
            made = judging.record(study, str(slot), one, own)
            if (slot + number) % 3 == 0:
                made = replace(made, outcome=made.outcome.__class__("wrong"), value=0.0)
            shared = {"study": study.digest, "consent": study.consent_digest}
            found.append(replace(made, details={**made.details, **shared}))
    return found


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("people = 4", "people = 6", "people: 4 → 6"),
        ("fast_ms = 300", "fast_ms = 200", "exclusions.fast_ms: 300 → 200"),
        ("[exclusions]", "[exclusions]\nmost_missed = 0.5", "exclusions.most_missed: none → 0.5"),
        ("deadline = 20000", "deadline = 9000", "block.2.timing.deadline: 20000 → 9000"),
        ("items = 2", 'items = 2\ndraw = "random"', 'block.2.draw: "balanced" → "random"'),
        (
            "items = 2",
            'items = 2\narms = ["direct", "imagine"]',
            "planned contrast cups: imagine against direct: is new",
        ),
        (
            "items = 2",
            'items = 2\narms = ["direct", "imagine"]',
            "planned contrast cups: cot against direct: is gone",
        ),
        (
            "pool = 4\n",
            "pool = 2\n",
            "trial items of block 2: 2 of 4 items are gone",
        ),
        ("people = 4", "people = 4\nseed = 1", "seed: 0 → 1"),
        ("people = 4", "people = 4\nseed = 1", "who meets what: 4 of 4 places differ, first: 0"),
        (
            "[exclusions]",
            "[bonus]\neach = 0.5\n[exclusions]",
            'bonus: none → {"each": 0.5',
        ),
        (
            "[exclusions]",
            '[texts]\nconsent = "c.md"\n[exclusions]',
            'texts.consent: 22 lines differ, first line 1: "# Taking part" → "Yes?"',
        ),
    ],
)
def test_each_change_is_told_by_its_name(tmp_path: Path, old: str, new: str, line: str) -> None:
    before = frozen(read_study(written(tmp_path)))
    (tmp_path / "c.md").write_text("Yes?\n", encoding="utf-8")
    after = frozen(read_study(written(tmp_path, lambda said: said.replace(old, new))))
    found = changes(before, after)
    assert any(one.startswith(line.partition(": 22")[0]) for one in found), found
    if "22 lines" not in line:
        assert any(one.startswith(line) for one in found), found


def test_an_item_that_reads_otherwise_is_counted_and_named(file: Path) -> None:
    before = json.loads(text(frozen(read_study(file))))
    after = json.loads(text(frozen(read_study(file))))
    names = list(after["blocks"][0]["trial_items"])
    for name in names[3:6]:
        after["blocks"][0]["trial_items"][name] = "0" * 64
    line = f"trial items of block 1: 3 of {len(names)} items differ, first: {names[3]}"
    assert changes(before, after) == (line,)


def test_completion_codes_are_neither_told_nor_a_change(tmp_path: Path) -> None:
    coded = '[links.codes]\ncomplete = "SECRET42"\n[exclusions]'
    before = frozen(read_study(written(tmp_path)))
    after = frozen(read_study(written(tmp_path, lambda said: said.replace("[exclusions]", coded))))
    assert changes(before, after) == ()
    assert "SECRET42" not in text(after)


def test_the_command_ends_with_0_or_1(file: Path) -> None:
    out = file.with_name("frozen.json")
    runner = CliRunner()
    made = runner.invoke(study_command, ["freeze", str(file), "--out", str(out)])
    assert made.exit_code == 0
    assert json.loads(out.read_text())["sha256"] in made.output
    assert runner.invoke(study_command, ["freeze", str(file), "--check", str(out)]).exit_code == 0
    file.write_text(FILE.replace("fast_ms = 300", "fast_ms = 200"), encoding="utf-8")
    found = runner.invoke(study_command, ["freeze", str(file), "--check", str(out)])
    assert found.exit_code == 1
    assert found.stdout == "exclusions.fast_ms: 300 → 200\n"
    again = runner.invoke(study_command, ["freeze", str(file), "--out", str(out)])
    assert isinstance(again.exception, BadInput)


def test_freezing_says_what_cannot_be_compared_and_what_would_help(tmp_path: Path) -> None:
    few = 'schema = 1\ntitle = "T"\npeople = 2\n[[block]]\nfamily = "grammar"\nitems = 4\n'
    file = tmp_path / "few.toml"
    file.write_text(few, encoding="utf-8")
    runner = CliRunner()
    made = runner.invoke(study_command, ["freeze", str(file), "--out", str(tmp_path / "f.json")])
    assert made.exit_code == 0
    assert "! grammar, people: direct and cot share no item" in made.stderr
    assert "more people, or a smaller pool" in made.stderr


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("{", "is no JSON"),
        ("[]", "is no file of misstep study freeze"),
        ('{"kind": "misstep study, frozen", "schema": 9}', "schema is 9"),
        ('{"kind": "misstep study, frozen", "schema": 1}', "was edited since"),
    ],
)
def test_a_file_that_is_not_as_it_was_written_is_refused(
    tmp_path: Path, said: str, why: str
) -> None:
    path = tmp_path / "frozen.json"
    path.write_text(said, encoding="utf-8")
    with pytest.raises(BadInput, match=why):
        read_frozen(path, "--check")


def test_an_edited_file_is_refused_and_one_laid_out_anew_is_not(file: Path) -> None:
    path = file.with_name("frozen.json")
    document = json.loads(text(frozen(read_study(file))))
    path.write_text(json.dumps(document), encoding="utf-8")
    assert read_frozen(path, "--check") == document
    document["exclusions"]["fast_ms"] = 100
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(BadInput, match="was edited since"):
        read_frozen(path, "--check")


def test_records_as_planned_show_no_departure_and_others_are_named(file: Path) -> None:
    study = read_study(file)
    document = json.loads(text(frozen(study)))
    records = records_of(study)
    assert departures(document, records, compare(records, specs())) == ()
    other = replace(records[0], item="inconsistency-new", arm="explain")
    consent = replace(records[0], who="person/x", details={"consent": "other"})
    found = departures(document, [*records, other, consent], ())
    met = len({one.item for one in records if one.family == "inconsistency"})
    assert found == (
        "people in the records: 5; planned: 4",
        "people who consented to another text: 1 of 5",
        f"inconsistency 1: items that were not planned: 1 of {met + 1}, first: inconsistency-new",
        "inconsistency 1: arms that were not planned: 1 of 3, first: explain",
        "planned contrast inconsistency: cot against direct: is not shown",
        "planned contrast cups: cot against direct: is not shown",
    )


def test_the_report_says_what_was_changed_since(file: Path) -> None:
    study = read_study(file)
    path, people = file.with_name("frozen.json"), file.with_name("people.csv")
    path.write_text(text(frozen(study)), encoding="utf-8")
    write_frame([replace(one, version=one.version + 1) for one in records_of(study)], people)
    out = file.with_name("page.html")
    asked = ["report", str(people), "--frozen", str(path), "--out", str(out)]
    assert CliRunner().invoke(cli, asked).exit_code == 0
    page = out.read_text(encoding="utf-8")
    assert "Since the study was frozen" in page
    assert "records of what was not planned" in page
    assert '<a href="#frozen">' in page
