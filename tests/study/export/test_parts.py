"""Who counts, by the study's rules; and what records of people hold besides a model's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Row, select

from misstep.analyse import write_frame
from misstep.analyse.record_files import read_record_file
from misstep.core.items import Scalar
from misstep.core.outcomes import Outcome
from misstep.core.records import Record
from misstep.study.course.judging import record
from misstep.study.course.nouns import Exclusions
from misstep.study.course.way import finished
from misstep.study.export.excluding import RULES, broken, questions
from misstep.study.export.forgetting import forget
from misstep.study.export.opening import found_store
from misstep.study.export.parts import Choice, Part, chosen, parts
from misstep.study.store import answers, people
from misstep.study.store.nouns import Overruling, State
from misstep.study.store.opening import Store
from misstep.study.store.tables import metadata
from study_people import CAME, Held, opened, take_part


def all_parts(held: Held) -> dict[str, Part]:
    names = {public: name for name, public in held.who.items()}
    return {names[one.who.public]: one for one in parts(held.study, held.store)}


def exported(held: Held, choice: Choice = Choice()) -> list[Record]:  # noqa: B008 (frozen)
    found = chosen(held.study, parts(held.study, held.store), choice)
    return [each for one in found for each in one.records]


def test_who_is_left_out_is_left_out_by_the_rules_that_the_study_states(held: Held) -> None:
    assert {name: one.left_out for name, one in all_parts(held).items()} == {
        "whole": (),
        "another": (),
        "missed": ("missed",),
        "under_way": ("under_way", "few_answered"),
        "withdrawn": ("withdrawn", "few_answered"),
        "timed_out_late": (),
        "timed_out_early": ("few_answered",),
    }


def test_without_a_rule_on_it_nobody_counts_who_did_not_finish(held: Held) -> None:
    rules = replace(held.study.exclusions, least_answered=None)
    late = all_parts(held)["timed_out_late"]
    assert broken(rules, State.TIMED_OUT, 4, late.records) == ("timed_out",)


def test_records_are_those_of_the_way_with_what_the_store_knows_beside(held: Held) -> None:
    public = held.who["whole"]
    who = held.store.read(lambda on: people.by_public(on, held.store.number, public))
    assert who is not None
    kept = held.store.read(lambda on: answers.kept_of(on, who.id))
    over = finished(held.study, who.slot, [one.sent.given for one in kept])
    made = [record(held.study, public, planned, given) for planned, given in over]
    found = [one for one in exported(held) if one.who == f"person/{public}"]
    assert len(found) == len(made) == 4
    for one, own in zip(found, made, strict=True):
        assert replace(one, details=own.details) == own
        assert own.details.items() <= one.details.items()
    assert [one.details["trial"] for one in found] == [0, 1, 2, 3]
    assert [one.details["server_ms"] for one in found] == [1500, 1500, 3000, 3000]
    assert {one.details["study"] for one in found} == {held.study.digest}
    assert {one.details["consent"] for one in found} == {held.study.consent_digest}


def test_signs_of_help_stand_with_the_trial_on_which_they_came(held: Held) -> None:
    found = [one for one in exported(held) if one.who == f"person/{held.who['whole']}"]
    assert [one.details["signs_paste"] for one in found] == [24, 0, 0, 0]
    assert {one.details["signs_blur"] for one in found} == {0}


def test_only_who_counts_is_exported_unless_everyone_is_asked_for(held: Held) -> None:
    counted = {held.who[name] for name in ("whole", "another", "timed_out_late")}
    few = exported(held)
    assert {one.who.removeprefix("person/") for one in few} == counted
    assert not any("excluded" in one.details for one in few)
    everyone = exported(held, Choice(everyone=True))
    marked = {one.who.removeprefix("person/"): one.details["excluded"] for one in everyone}
    assert marked == {
        held.who["whole"]: "",
        held.who["another"]: "",
        held.who["missed"]: "missed",
        held.who["under_way"]: "under_way,few_answered",
        held.who["withdrawn"]: "withdrawn,few_answered",
        held.who["timed_out_late"]: "",
        held.who["timed_out_early"]: "few_answered",
    }


def test_the_recruiting_services_ids_come_only_where_they_are_asked_for(held: Held) -> None:
    assert "PROLIFIC" not in repr(exported(held, Choice(everyone=True)))
    found = exported(held, Choice(ids=True))
    ids = {one.who.removeprefix("person/"): one.details["recruited_person"] for one in found}
    assert ids[held.who["whole"]] == "PROLIFIC-1"
    assert ids[held.who["timed_out_late"]] == ""


def test_answers_under_the_limit_leave_out_above_the_share_and_not_at_it(held: Held) -> None:
    rules = Exclusions(fast_ms=300, most_fast=0.5)
    own = [
        replace(one, details={**one.details, "rt_ms": ms})
        for one, ms in zip(
            all_parts(held)["whole"].records, (299.9, 299.0, 300.0, None), strict=True
        )
    ]
    assert broken(rules, State.COMPLETE, 4, own) == ("fast",)  # 2 of the 3 that are known
    assert broken(rules, State.COMPLETE, 4, own[1:]) == ()  # 1 of 2


def test_a_conversation_asks_as_many_questions_as_its_passes_hold(held: Held) -> None:
    one = all_parts(held)["whole"].records[0]
    assert questions(one) == 1
    counts = {"errors": 5, "right_1": 6, "right_2": 9, "unparsed": 0, "empty": 0}
    assert questions(replace(one, details=counts)) == 20


def test_each_rule_that_leaves_out_is_explained() -> None:
    states = {state.value for state in State} - {State.COMPLETE.value}
    assert states | {"fast", "missed", "few_answered"} == set(RULES)


def test_a_researchers_reading_stands_beside_the_automatic_one(held: Held) -> None:
    public = held.who["another"]
    who = held.store.read(lambda on: people.by_public(on, held.store.number, public))
    assert who is not None
    reading = Overruling(2, "valid", "he means the second block", 5)
    held.store.write(lambda on: answers.overrule(on, who, reading)).result()
    found = [one for one in exported(held) if one.who == f"person/{public}"]
    assert [one.details.get("free_override") for one in found] == [None, None, "valid", None]
    assert found[2].details["free_verdict"] == "valid"
    assert "second block" not in repr(found)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_file_of_records_is_read_as_it_was_written(
    held: Held, tmp_path: Path, ending: str
) -> None:
    found = exported(held, Choice(everyone=True, ids=True))
    write_frame(found, tmp_path / f"people.{ending}")
    read = read_record_file(tmp_path / f"people.{ending}")
    known = [replace(one, details=_known(one)) for one in found]
    assert [replace(one, details=_known(one)) for one in read] == known
    assert Outcome.EMPTY in {one.outcome for one in read}


def _known(one: Record) -> dict[str, Scalar]:
    """A cell that is empty says the same as none."""
    return {name: cell for name, cell in one.details.items() if cell not in (None, "")}


def test_who_is_deleted_while_others_are_read_is_not_in_it(held: Held) -> None:
    reading = parts(held.study, held.store)
    first = next(reading)
    gone = held.who["another"]
    held.store.write(lambda on: people.remove(on, held.store.number, gone, 1)).result()
    assert first.who.public == held.who["whole"]
    assert gone not in {one.who.public for one in reading}


def test_either_database_gives_the_same_records(held: Held, database: str) -> None:
    store = opened(held.study, database)
    public = take_part(store, held.study, CAME["whole"])
    store.close()
    with found_store(database, held.study) as again:
        (one,) = parts(held.study, again)
        forget(again, public)
        assert list(parts(held.study, again)) == []
    before = all_parts(held)["whole"]
    assert [replace(each, who="") for each in one.records] == [
        replace(each, who="") for each in before.records
    ]


def test_an_export_changes_nothing(held: Held) -> None:
    before = _everything(held.store)
    exported(held, Choice(everyone=True))
    assert _everything(held.store) == before


def _everything(store: Store) -> list[list[Row[Any]]]:  # Any: rows of every table
    def read(on: Connection) -> list[list[Row[Any]]]:  # Any: likewise
        return [list(on.execute(select(table))) for table in metadata.sorted_tables]

    return store.read(read)
