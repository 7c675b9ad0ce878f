"""`misstep study export` and `forget`, as typed; and people beside models in compare and report."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import func, select

import misstep
from misstep.analyse import write_frame
from misstep.analyse.record_files import read_record_file
from misstep.cli import cli
from misstep.core.errors import BadInput
from misstep.core.outcomes import Outcome
from misstep.families import inconsistency
from misstep.registry import family
from misstep.study.course.file import default_study, read_study
from misstep.study.export.downloads import downloads
from misstep.study.export.parts import parts
from misstep.study.store.tables import participant
from study_people import FILE, Came, Held, opened, take_part

MARKED = "--all exports them, marked"


def called(*words: object) -> Result:
    return CliRunner().invoke(cli, ["study", *map(str, words)], catch_exceptions=False)


def run(*words: object) -> str:
    done = CliRunner().invoke(cli, list(map(str, words)), catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def refused(*words: object) -> str:
    with pytest.raises(BadInput) as caught:
        CliRunner().invoke(
            cli, list(map(str, words)), catch_exceptions=False, standalone_mode=False
        )
    return str(caught.value)


def test_answers_are_not_held_against_items_that_nobody_met(
    held: Held, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = replace(inconsistency.FAMILY.spec, version=2)
    monkeypatch.setattr(inconsistency, "FAMILY", replace(inconsistency.FAMILY, spec=spec))
    said = refused("study", "export", held.file, "--out", tmp_path / "x.csv")
    assert said == (
        "--database: 7 of its people met other items of this study than this misstep makes "
        "(inconsistency: version 1 then, 2 now); go on with the misstep of then, or, for new "
        "people alone, with another seed or another database"
    )
    assert "deleted" in called("forget", held.file, held.who["whole"], "--yes").stdout


@pytest.fixture
def changed(held: Held) -> Path:
    """The study's file with another seed: another version, which is in the database too."""
    file = held.file.with_name("changed.toml")
    file.write_text(FILE.replace("people = 20", "people = 20\nseed = 5"), encoding="utf-8")
    opened(read_study(file), held.database).close()
    return file


def test_people_of_an_older_version_are_named_and_can_be_exported(
    held: Held, changed: Path, tmp_path: Path
) -> None:
    before, after = tmp_path / "before.csv", tmp_path / "after.csv"
    assert called("export", held.file, "--out", before).exit_code == 0
    other = ("export", changed, "--database", held.database, "--out", after)
    done = CliRunner().invoke(cli, ["study", *map(str, other)])
    assert done.stderr.splitlines() == [
        f"another version of this study has 7 people: --version {held.study.digest} exports them",
        "nobody has taken part yet",
    ]
    assert str(done.exception) == "STUDY: there is no trial to export (yet)"
    done = called(*other, "--version", held.study.digest)
    assert after.read_bytes() == before.read_bytes()
    assert done.stderr.splitlines()[0].startswith("7 people; 4 of them")
    said = refused("study", *other, "--version", "0123")
    assert "does not hold the version 0123 of 'Two statements'; it holds: 'Two state" in said


def test_a_version_that_cannot_be_made_any_more_is_not_exported(
    held: Held, changed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = replace(inconsistency.FAMILY.spec, version=2)
    monkeypatch.setattr(inconsistency, "FAMILY", replace(inconsistency.FAMILY, spec=spec))
    words = ("--database", held.database, "--out", tmp_path / "x.csv")
    said = refused("study", "export", changed, *words, "--version", held.study.digest)
    assert said == (
        f"--version: {held.study.digest} can't be made by this misstep (inconsistency: version 1 "
        "then, 2 now); export it with the misstep of then"
    )


def test_who_took_part_in_an_older_version_is_forgotten_by_their_id(
    held: Held, changed: Path
) -> None:
    words = ("--database", held.database, "--yes")
    assert called("forget", changed, held.who["whole"], *words).stdout.startswith("deleted: ")
    with held.store.engine.connect() as on:
        assert on.execute(select(func.count()).select_from(participant)).scalar_one() == 6
    renamed = FILE.replace("Two statements", "Something else")
    changed.write_text(renamed, encoding="utf-8")
    opened(read_study(changed), held.database).close()
    said = refused("study", "forget", changed, held.who["another"], *words)
    assert said.endswith("is nobody in this study")


def test_an_export_says_how_many_are_left_out_by_which_rule(held: Held, tmp_path: Path) -> None:
    out = tmp_path / "people.parquet"
    done = called("export", held.file, "--out", out, "--jspsych", tmp_path / "rows.json")
    assert done.exit_code == 0
    assert f"11 records of 3 people in {out}" in done.stdout
    assert done.stderr.splitlines()[:5] == [
        f"7 people; 4 of them, with 7 trials that are over, are left out; {MARKED}:",
        "  under_way: 1 (still under way)",
        "  withdrawn: 1 (withdrew)",
        "  missed: 1 (exclusions.most_missed: too many answers not given in time)",
        "  few_answered: 3 (exclusions.least_answered: too few of the trials over)",
    ]
    asked = "misstep run inconsistency --scale paper --seed 0 --limit 8"
    assert done.stderr.splitlines()[-1] == f"the same items, asked of a model: {asked}"
    assert len(json.loads((tmp_path / "rows.json").read_text("utf-8"))) > 20
    everyone = called("export", held.file, "--out", out, "--all")
    assert f"18 records of 7 people in {out}" in everyone.stdout
    assert "are marked in detail.excluded:" in everyone.stderr


def test_people_stand_beside_a_model_that_was_asked_the_same(held: Held, tmp_path: Path) -> None:
    out, logs, page = (tmp_path / name for name in ("people.csv", "logs", "page.html"))
    called("export", held.file, "--out", out)
    solver = f"ref/{next(iter(family('inconsistency').solvers))}"
    asked = ("--scale", "paper", "--seed", "0", "--limit", "8", "--arms", "direct,cot")
    run("run", "inconsistency", "--model", solver, *asked, "--log-dir", logs)
    plain = json.loads(run("compare", out, logs, "--json"))
    arms = {(one["who"], one["arm"]): one for one in plain["arms"]}
    assert arms["people", "direct"]["participants"] == 3
    assert (solver, "direct") in arms
    models = misstep.compare([out, logs], between="models")
    assert {(one.baseline_who, one.who) for one in models} == {("people", solver)}
    run("report", out, logs, "--paper", "--out", page)
    text = page.read_text(encoding="utf-8")
    assert "Logical inconsistency: people" in text
    assert "people, Khemlani &amp; Johnson-Laird (2012)" in text
    assert held.study.digest in text  # with what ran
    run("records", out, logs, "--out", tmp_path / "all.parquet")
    whos = {one.who for one in read_record_file(tmp_path / "all.parquet")}
    assert whos == {one.who for one in read_record_file(out)} | {solver}


def test_a_models_effect_is_held_against_that_on_people(held: Held, tmp_path: Path) -> None:
    people, model = tmp_path / "people.parquet", tmp_path / "model.parquet"
    called("export", held.file, "--out", people, "--all")
    once = {one.item: one for one in read_record_file(people)}
    right = [
        replace(one, who="a/model", outcome=Outcome.CORRECT, value=1.0, details={})
        for one in once.values()
    ]
    answered = [replace(one, arm=arm) for one in right for arm in ("direct", "cot")]
    write_frame(answered, model)
    (effect,) = json.loads(run("compare", people, model, "--json"))["effects"]
    assert (effect["who"], effect["arm"], effect["baseline"]) == ("a/model", "cot", "direct")
    assert effect["model_effect"] == 0
    assert effect["agreement"] == "undecided"
    shown = " ".join(run("compare", people, model).split())
    assert "Undecided: these data neither show that the two effects differ" in shown
    assert "inconsistency, people before: people who explained how" in shown
    for ending in ("html", "md", "tex"):
        page = tmp_path / f"page.{ending}"
        run("report", people, model, "--out", page)
        assert "undecided" in page.read_text("utf-8").split("agree", 1)[1]


def test_a_study_that_the_database_does_not_hold_is_refused(held: Held, tmp_path: Path) -> None:
    held.file.write_text(held.file.read_text() + '[texts]\nlanguage = "de"\n')
    said = refused("study", "export", held.file, "--out", tmp_path / "f.csv")
    assert "does not hold 'Two statements' as it is now" in said
    held_now = f"it holds: 'Two statements' ({held.study.digest}), 7 people"
    assert said.endswith(f"{held_now}; --version DIGEST exports another version as it was")


def test_a_database_that_is_not_there_is_not_made(held: Held, tmp_path: Path) -> None:
    gone = tmp_path / "gone.db"
    said = refused("study", "export", held.file, "--database", gone, "--out", tmp_path / "f.csv")
    assert said == f"--database: {gone} does not exist"
    assert not gone.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "--out: name what to write: --out, --jspsych or --psych-ds"),
        (["--out", "f.xlsx"], "--out: 'f.xlsx' ends in neither .parquet nor .csv"),
        (["--jspsych", "f.csv"], "--jspsych: 'f.csv' does not end in .json"),
        (["--psych-ds", "f", "--ids"], "--ids: a Psych-DS folder is for others' eyes"),
    ],
)
def test_wrong_use_is_said_before_any_work(held: Held, words: list[str], said: str) -> None:
    assert refused("study", "export", held.file, *words).startswith(said)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "family,who\ng,p\n", "a.csv: records: row 0 has no column 'outcome'"),
        ("a.csv", "family,who\n", "a.csv holds no record"),
        ("a.csv", "", "a.csv can't be read as csv"),
        ("a.parquet", "no such thing", "a.parquet can't be read as parquet"),
        ("a.csv", "family,who,item,group,arm,outcome\ng,p,i,g,a,good\n",
         "a.csv: records: column 'outcome', row 0: 'good' is not one of"),
    ],
)  # fmt: skip
def test_a_file_that_holds_no_records_is_named(
    tmp_path: Path, name: str, text: str, said: str
) -> None:
    (tmp_path / name).write_text(text)
    assert said in refused("compare", tmp_path / name)
    assert said in refused("report", tmp_path / name, "--out", tmp_path / "p.html")


def test_an_item_whose_name_is_a_number_keeps_its_zeros(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("family,who,item,group,arm,outcome,truth\ng,m,007,01,a,correct,1\n")
    (one,) = read_record_file(file)
    assert (one.item, one.group, one.truth) == ("007", "01", "1")


def test_one_who_is_forgotten_is_nowhere_in_the_database(held: Held) -> None:
    public = held.who["whole"]
    held.store.close()
    assert public.encode() in Path(held.database).read_bytes()
    done = called("forget", held.file, f"person/{public}", "--yes")
    assert (done.exit_code, done.stdout) == (0, f"deleted: {public}\n")
    left = b"".join(file.read_bytes() for file in Path(held.database).parent.glob("study.db*"))
    assert public.encode() not in left
    assert b"PROLIFIC-1" not in left
    assert b"PROLIFIC-2" in left
    with sqlite3.connect(held.database) as on:
        assert on.execute("select kind from event").fetchall() == [("deleted",)]
        assert on.execute("select count(*) from participant").fetchone() == (6,)


def test_nobody_is_forgotten_without_a_word_or_by_a_wrong_name(held: Held) -> None:
    said = refused("study", "forget", held.file, "nobody", "--yes")
    assert said == "PARTICIPANT: 'nobody' is nobody in this study"
    words = ["study", "forget", str(held.file), held.who["another"]]
    assert CliRunner().invoke(cli, words, input="n\n").exit_code == 1
    assert refused("study", "forget", held.file) == "PARTICIPANT: name whom to delete"
    assert sum(1 for _ in parts(held.study, held.store)) == 7


def test_who_is_nobody_is_said_before_anything_is_asked(held: Held) -> None:
    words = ["study", "forget", str(held.file), "person/nobody"]
    done = CliRunner().invoke(cli, words, input="n\n")
    assert str(done.exception) == "PARTICIPANT: 'nobody' is nobody in this study"
    assert done.output == ""


def test_a_study_of_defaults_has_its_people_forgotten_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    study = default_study("inconsistency")
    store = opened(study, "study-inconsistency.db")
    public = take_part(store, study, Came(answers=3))
    store.close()
    done = called("forget", "--family", "inconsistency", public, "--yes")
    assert done.stdout == f"deleted: {public}\n"


def test_the_desk_offers_what_the_command_exports(held: Held, tmp_path: Path) -> None:
    made = {one.name: one.make() for one in downloads(held.study, held.store)}
    assert list(made) == ["records.csv", "records.parquet", "records-all.csv", "jspsych.json"]
    called("export", held.file, "--out", tmp_path / "a.csv", "--jspsych", tmp_path / "a.json")
    assert made["records.csv"] == (tmp_path / "a.csv").read_bytes()
    assert made["jspsych.json"] == (tmp_path / "a.json").read_bytes()
    (tmp_path / "b.parquet").write_bytes(made["records.parquet"])
    assert read_record_file(tmp_path / "b.parquet") == read_record_file(tmp_path / "a.csv")
    assert b"PROLIFIC" not in b"".join(made.values())


def test_the_desk_of_a_study_without_people_still_gives_files(tmp_path: Path) -> None:
    study = default_study("inconsistency")
    store = opened(study, str(tmp_path / "s.db"))
    made = {one.name: one.make() for one in downloads(study, store)}
    store.close()
    assert made["records.csv"].startswith(b"family,version,who,item")
    assert json.loads(made["jspsych.json"]) == []


def test_an_export_makes_the_folder_that_it_is_to_write_into(held: Held, tmp_path: Path) -> None:
    out = tmp_path / "new" / "folder" / "people.csv"
    assert called("export", held.file, "--out", out).exit_code == 0
    assert out.is_file()


def test_a_fault_of_the_items_names_the_studys_file(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    text = 'schema = 1\ntitle = "T"\n[[block]]\nfamily = "cups"\npool = 2\n'
    file.write_text(text, encoding="utf-8")
    said = refused("study", "freeze", file, "--out", tmp_path / "f.json")
    assert said.startswith(f"{file}: block.1.pool: ")
