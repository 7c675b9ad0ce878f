"""The Psych-DS folder keeps the published rules, and its codebook is that of the documentation."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest

from misstep.analyse.record_files import read_record_file
from misstep.core.errors import BadInput
from misstep.registry import family
from misstep.study.export.codebook import variable
from misstep.study.export.parts import Choice, Part, chosen, parts
from misstep.study.export.psych_ds import write
from misstep.study.trials.every import TRIALS
from psych_ds_rules import faults
from study_people import Held

DOCS = Path(__file__).parents[3] / "docs"


def found(held: Held, choice: Choice = Choice()) -> list[Part]:  # noqa: B008 (frozen)
    return list(chosen(held.study, parts(held.study, held.store), choice))


def test_the_folder_keeps_every_published_rule(held: Held, tmp_path: Path) -> None:
    folder = tmp_path / "dataset"
    assert write(held.study, found(held), folder) == 3
    assert faults(folder) == []
    names = sorted(file.name for file in (folder / "data").iterdir())
    counted = sorted(held.who[name] for name in ("whole", "another", "timed_out_late"))
    assert names == [f"study-TwoStatements_subject-{public}_data.csv" for public in counted]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ("name", "subject_a_data.csv is not named by keywords"),
        ("column", "is not among variableMeasured"),
        ("cell", "cells, not"),
        ("type", "@type is not Dataset"),
        ("empty", "README.md is empty"),
        ("variable", "nowhere of variableMeasured is no column"),
        ("ignore", "data/raw/rows.json is neither of the specification nor ignored"),
    ],
)
def test_the_check_of_the_rules_finds_what_is_wrong(
    held: Held, tmp_path: Path, spoil: str, said: str
) -> None:
    folder = tmp_path / "dataset"
    write(held.study, found(held), folder)
    file = next((folder / "data").iterdir())
    described = folder / "dataset_description.json"
    match spoil:
        case "name":
            file.rename(file.with_name("subject_a_data.csv"))
        case "column":
            file.write_text(file.read_text().replace("family,", "familie,", 1))
        case "cell":
            file.write_text(file.read_text() + "1,2\n")
        case "type":
            described.write_text(described.read_text().replace('"Dataset"', '"Person"', 1))
        case "empty":
            (folder / "README.md").write_text("")
        case "variable":
            described.write_text(
                described.read_text().replace('Measured": [', 'Measured": [ "nowhere",', 1)
            )
        case "ignore":
            put_rows(folder)
            (folder / ".psychds-ignore").write_text("data/raw\n.psychds-ignore\n")
    assert any(said in line for line in faults(folder))


def test_rows_of_jspsych_that_lie_along_are_left_alone(held: Held, tmp_path: Path) -> None:
    folder = tmp_path / "dataset"
    write(held.study, found(held), folder)
    put_rows(folder)
    assert faults(folder) == []


def put_rows(folder: Path) -> None:
    (folder / "data" / "raw").mkdir()
    (folder / "data" / "raw" / "rows.json").write_text("[{}]")


def test_its_data_files_are_records_that_compare_reads(held: Held, tmp_path: Path) -> None:
    kept = found(held)
    write(held.study, kept, tmp_path / "dataset")
    for one in kept:
        file = next((tmp_path / "dataset" / "data").glob(f"*{one.who.public}_data.csv"))
        read = read_record_file(file)
        assert [(r.who, r.item, r.arm, r.outcome, r.value) for r in read] == [
            (r.who, r.item, r.arm, r.outcome, r.value) for r in one.records
        ]


def test_nothing_in_it_says_who_was_recruited_or_how_they_are_paid(
    held: Held, tmp_path: Path
) -> None:
    write(held.study, found(held, Choice(everyone=True)), tmp_path / "dataset")
    whole = "".join(
        file.read_text(encoding="utf-8")
        for file in (tmp_path / "dataset").rglob("*")
        if file.is_file()
    )
    assert "PROLIFIC-" not in whole
    assert not any(code in whole for code in held.study.links.codes.values())
    assert held.study.texts.consent in whole


def test_a_folder_that_is_there_is_not_written_to(held: Held, tmp_path: Path) -> None:
    (tmp_path / "dataset").mkdir()
    with pytest.raises(BadInput, match="--psych-ds: "):
        write(held.study, found(held), tmp_path / "dataset")
    assert list((tmp_path / "dataset").iterdir()) == []


@pytest.mark.parametrize("title", ["Ein Text: über <Gläser>!", "水", "x" * 300])
def test_any_title_makes_a_name_that_is_allowed(held: Held, tmp_path: Path, title: str) -> None:
    write(replace(held.study, title=title), found(held), tmp_path / "dataset")
    assert faults(tmp_path / "dataset") == []
    plain = json.loads((tmp_path / "dataset" / "dataset_description.json").read_text("utf-8"))
    assert plain["name"] == title


def test_the_codebook_says_what_the_documentation_says() -> None:
    """Where a row of a table there is of one column alone, word for word."""
    for page in ("records.md", "two-phase.md"):
        for names, said in documented((DOCS / page).read_text("utf-8")):
            for name in names:
                holds = variable(name, ("planbench",)).holds
                assert not holds.startswith("a further score of"), name
                assert len(names) > 1 or holds == said, name


def documented(text: str) -> list[tuple[list[str], str]]:
    """Names and meanings in tables of columns that people's records may have."""
    book = tomllib.loads(
        resources.files("misstep.study.export").joinpath("codebook.toml").read_text("utf-8")
    )
    found = []
    for line in text.splitlines():
        if not line.startswith("| `") or "NAME" in line or "ANSWER" in line or "…`" in line:
            continue
        first, *_, last = line.strip("| ").split(" | ")
        names = [
            f"detail{name}" if name.startswith(".") else name
            for name in re.findall(r"`([^`]+)`", first)
        ]
        said = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", last).replace("`", "")
        own = [name for name in names if "." in name or name in book["columns"]]
        if own and all("." not in name or name.startswith("detail.") for name in own):
            found.append((own if own == names else [*own, *own], said))
    assert found
    return found


@pytest.mark.parametrize("name", TRIALS)
def test_every_factor_of_a_family_is_explained(name: str) -> None:
    for factor in family(name).spec.factors:
        holds = variable(f"factor.{factor}", (name,)).holds
        assert holds.startswith(f"property of the item. {name}: "), factor
        assert not holds.endswith("its own"), factor


def test_times_and_characters_have_their_units() -> None:
    units = {
        name: variable(f"detail.{name}", ("grammar",)).unit
        for name in ("rt_ms", "signs_hidden", "signs_paste", "signs_untrusted", "reasons_chars")
    }
    assert units == {
        "rt_ms": "milliseconds",
        "signs_hidden": "milliseconds",
        "signs_paste": "characters",
        "signs_untrusted": "",
        "reasons_chars": "characters",
    }
