"""Result files into the store: what fits is there once; what doesn't is named, nothing is kept."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from misstep.cli.studies import study as study_command
from misstep.core.errors import BadInput
from misstep.study.bundle.importing import imported
from misstep.study.bundle.results import read_results
from misstep.study.course.file import read_study
from misstep.study.course.nouns import Study
from misstep.study.export.opening import found_store
from misstep.study.export.parts import Part, parts
from misstep.study.store.nouns import State
from study_walks import walked

Plain = dict[str, Any]  # Any: JSON, to be made wrong in every way
FILE = """
schema = 1
title = "Two statements"
people = 4
tries = 0
[[block]]
family = "inconsistency"
items = 2
practice = 0
pool = 20
"""
NOW = 1_800_000_000_000


@pytest.fixture
def study(tmp_path: Path) -> Study:
    path = tmp_path / "study.toml"
    path.write_text(FILE, encoding="utf-8")
    return read_study(path)


def result_of(study: Study, run: str, place: int = 0, person: str = "") -> Plain:
    """Of somebody who got to the end."""
    given, _ = walked(study, place)
    answers = [
        {
            "key": one.key,
            "once": f"{run}-{number:02}-sent-only-once",
            "answer": one.answer,
            "rt_ms": 900.5,
            "signs": [],
            "row": {"trial_index": number},
            "received": NOW + 2_000 * number,
        }
        for number, one in enumerate(given, start=1)
    ]
    return {
        "kind": "misstep study result",
        "schema": 1,
        "study": study.digest,
        "consent": study.consent_digest,
        "run": f"{run}-0123456789abcdef",
        "place": place,
        "visit": {"person": person, "study": "", "session": ""},
        "entered": NOW,
        "ended": NOW + 2_000 * len(answers),
        "ending": "complete",
        "answers": answers,
    }


def cut(result: Plain, answers: int) -> Plain:
    left = {"answers": result["answers"][:answers], "ended": None, "ending": None}
    return result | left


def written(folder: Path, name: str, *results: Plain) -> Path:
    """As JATOS joins them."""
    path = folder / name
    path.write_text("\n".join(json.dumps(one) for one in results), encoding="utf-8")
    return path


def brought(study: Study, folder: Path, files: Sequence[Path]) -> list[str]:
    database = str(folder / "study.db")
    return [
        line.replace(f" into {database}", "")
        for line in imported(study, read_results(files, study), database)
    ]


def held(study: Study, folder: Path) -> list[Part]:
    with found_store(str(folder / "study.db"), study) as store:
        return list(parts(study, store))


def test_lines_of_many_people_an_archive_and_a_folder_are_read(
    study: Study, tmp_path: Path
) -> None:
    one, two, three = (result_of(study, name, place) for place, name in enumerate("abc"))
    place = tmp_path / "results"
    place.mkdir()
    written(place, "jatos_results.txt", one, two)
    with zipfile.ZipFile(place / "more.zip", "w") as archive:
        archive.writestr("study_result_1/comp-result_1/data.txt", json.dumps(three, indent=2))
        archive.writestr("study_result_1/comp-result_2/data.txt", "")
    assert brought(study, tmp_path, [place]) == ["3 results imported (3 complete)"]
    assert [one.who.slot for one in held(study, tmp_path)] == [0, 1, 2]
    assert all(len(one.records) == 2 for one in held(study, tmp_path))


def test_a_result_twice_is_imported_once_and_a_longer_one_takes_its_place(
    study: Study, tmp_path: Path
) -> None:
    whole = result_of(study, "a")
    short, long = (
        written(tmp_path, "short.json", cut(whole, 4)),
        written(tmp_path, "all.json", whole),
    )
    assert brought(study, tmp_path, [short]) == ["1 results imported (1 timed out)"]
    (first,) = held(study, tmp_path)
    assert brought(study, tmp_path, [long, short, long]) == ["1 results imported (1 complete)"]
    again = ["0 results imported", "1 were there already"]
    assert brought(study, tmp_path, [short]) == again
    assert brought(study, tmp_path, [long]) == again
    (last,) = held(study, tmp_path)
    assert last.who.public == first.who.public
    assert (first.who.state, last.who.state) == (State.TIMED_OUT, State.COMPLETE)
    assert len(last.kept) == len(whole["answers"])


def test_two_at_one_place_are_both_kept(study: Study, tmp_path: Path) -> None:
    file = written(tmp_path, "r.txt", result_of(study, "a"), result_of(study, "b"))
    assert brought(study, tmp_path, [file]) == ["2 results imported (2 complete)"]
    assert [one.who.slot for one in held(study, tmp_path)] == [0, 0]
    assert len({record.who for one in held(study, tmp_path) for record in one.records}) == 2


def test_the_same_person_twice_is_imported_once_and_told(study: Study, tmp_path: Path) -> None:
    one, other = result_of(study, "a", person="p1"), result_of(study, "b", 1, person="p1")
    file = written(tmp_path, "r.txt", one, other)
    told, done = brought(study, tmp_path, [file])
    assert told == f"{file}: line 2: not imported: this person is in the database already"
    assert done == "1 results imported (1 complete)"


def test_times_between_screens_are_those_of_the_browser(study: Study, tmp_path: Path) -> None:
    brought(study, tmp_path, [written(tmp_path, "r.json", result_of(study, "a"))])
    (part,) = held(study, tmp_path)
    assert {one.server_ms for one in part.kept} == {2_000}
    assert {one.details["rt_ms"] for one in part.records} == {900.5}
    assert part.who.entered == NOW


def ask(place: int) -> Callable[[Plain], None]:
    """The answer to the first trial's question becomes another one."""

    def change(result: Plain) -> None:
        number = next(n for n, one in enumerate(result["answers"]) if one["key"] == "trial/0/0")
        result["answers"][number]["answer"] = {"value": "Perhaps"} if place else "Yes"

    return change


def swap(result: Plain) -> None:
    result["answers"][3], result["answers"][4] = result["answers"][4], result["answers"][3]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda one: one.update(study="0" * 16), r"is of study 0{16}; 'Two statements' as it is"),
        (lambda one: one.update(schema=2), r"schema: input should be 1"),
        (lambda one: one.update(place=-1), r"place: input should be greater"),
        (lambda one: one.update(run="x"), r"run: "),
        (lambda one: one.update(more=1), r"more: extra inputs"),
        (lambda one: one.update(ending=None), r"ending: 'None' is not where its answers lead"),
        (lambda one: one.update(ending="withdrawn"), r"ending: 'withdrawn' is not where"),
        (
            lambda one: one["answers"].append(one["answers"][-1]),
            r"answers\.\d+: is to 'debrief",
        ),
        (lambda one: one["answers"][2].update(received=-5), r"answers\.3\.received: "),
        (ask(1), r"answers\.4: trial/0/0: value: 'Perhaps' is nothing that could be chosen"),
        (ask(0), r"answers\.4\.answer: "),
        (swap, r"answers\.4: is to '.*', where 'trial/0/0' is asked"),
    ],
)
def test_what_does_not_fit_is_refused_by_name_and_nothing_is_kept(
    study: Study, tmp_path: Path, change: Callable[[Plain], object], why: str
) -> None:
    wrong = result_of(study, "b")
    change(wrong)
    file = written(tmp_path, "r.txt", result_of(study, "a"), wrong)
    with pytest.raises(BadInput, match=why) as found:
        brought(study, tmp_path, [file])
    assert str(found.value).startswith(f"RESULT: {file}: line 2: ")
    assert "\n" not in str(found.value)
    assert not (tmp_path / "study.db").exists()


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("r.json", b"{", "is no JSON"),
        ("r.json", b'{"kind": "other"}', "is no result of a misstep study"),
        ("r.json", b"\xff\xfe", "is no UTF-8 text"),
        ("r.json", b"", "holds no result"),
        ("r.zip", b"PK", "is no archive that can be read"),
    ],
)
def test_files_of_something_else_are_refused(
    study: Study, tmp_path: Path, name: str, content: bytes, why: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadInput, match=why):
        read_results([tmp_path / name], study)


def test_the_command_imports_beside_the_study_and_names_a_missing_file(
    study: Study, tmp_path: Path
) -> None:
    file = written(tmp_path, "r.json", result_of(study, "a"))
    asked = ["import", str(file), "--study", str(tmp_path / "study.toml")]
    done = CliRunner().invoke(study_command, asked)
    assert done.exit_code == 0
    assert "1 results imported (1 complete)" in done.output
    assert len(held(study, tmp_path)) == 1
    asked[1] = str(tmp_path / "gone.json")
    error = CliRunner().invoke(study_command, asked).exception
    assert isinstance(error, BadInput)
    assert "gone.json: No such file" in str(error)
