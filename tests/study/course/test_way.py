"""A person's way, step after step, from answers alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from misstep.core.outcomes import Outcome
from misstep.study.course.drawing import planned
from misstep.study.course.file import default_study
from misstep.study.course.judging import bonus, record
from misstep.study.course.nouns import Bonus, Ending, Step, Study
from misstep.study.course.way import ending, finished, step
from misstep.study.screens import End, Json
from misstep.study.trials.nouns import Given
from study_walks import answer_of, walked


@pytest.fixture(scope="module")
def study() -> Study:
    found = default_study("grammar")
    block = replace(found.blocks[0], practice=2)
    return replace(found, blocks=(block,), digest="practised")


def test_a_whole_way_ends_complete_with_every_trial_over(study: Study) -> None:
    given, last = walked(study, 0)
    assert isinstance(last.screen, End)
    assert last.screen.ending == Ending.COMPLETE == ending(study, 0, given)
    assert last.done == last.total == 20
    assert [one for one, _ in finished(study, 0, given)] == list(planned(study, 0))


def test_the_same_answers_lead_to_the_same_step_from_anywhere(study: Study) -> None:
    given, _ = walked(study, 3)
    for count in range(0, len(given), 7):
        assert step(study, 3, given[:count]).key == given[count].key


def test_keys_are_unique_and_progress_never_falls(study: Study) -> None:
    given, _ = walked(study, 1)
    assert len({one.key for one in given}) == len(given)
    done = [step(study, 1, given[:count]).done for count in range(len(given) + 1)]
    assert done == sorted(done)


def test_who_does_not_consent_meets_nothing_else(study: Study) -> None:
    given = [Given("consent", {"value": "no"})]
    last = step(study, 0, given)
    assert isinstance(last.screen, End)
    assert last.screen.ending == "no_consent" == ending(study, 0, given)


def test_a_failed_check_shows_the_instructions_again_and_then_screens_out(study: Study) -> None:
    met: list[str] = []

    def wrongly(at: Step, answer: Mapping[str, Json]) -> Mapping[str, Json]:
        met.append(at.key)
        if at.part != "check":
            return answer
        right = answer["values"]
        assert isinstance(right, Mapping)
        screen = at.screen
        others = {
            one.name: next(c.value for c in one.choices if c.value != right[one.name])
            for one in screen.questions  # type: ignore[union-attr]  # a check's screen
        }
        return {"values": others}

    given, last = walked(study, 0, wrongly)
    assert met[-3:] == ["check/0/0", "check/0/0/again", "check/0/1"]
    assert isinstance(last.screen, End)
    assert last.screen.ending == "screened_out" == ending(study, 0, given)
    assert last.screen.code == study.links.codes[Ending.SCREENED_OUT]


def test_each_ending_has_a_code_of_its_own(study: Study) -> None:
    assert len(set(study.links.codes.values())) == 3


def test_records_stand_beside_those_of_models(study: Study) -> None:
    given, _ = walked(study, 0)
    found = [record(study, "x1", one, own) for one, own in finished(study, 0, given)]
    assert {one.who for one in found} == {"person/x1"}
    assert {one.arm for one in found} == {"direct", "cot"}
    assert {one.first_arm for one in found} == {"direct"}
    assert {one.details["human_arm"] for one in found} == {"direct", "deliberate"}
    assert all(one.outcome in (Outcome.CORRECT, Outcome.WRONG) for one in found)
    assert all(one.seconds is not None and one.seconds > 0 for one in found)


def test_the_bonus_counts_right_answers_up_to_its_most(study: Study) -> None:
    given, _ = walked(study, 0)
    right = sum(
        record(study, "x", one, own).outcome is Outcome.CORRECT
        for one, own in finished(study, 0, given)
    )
    paid = replace(study, bonus=Bonus(each=0.1), digest="paid")
    capped = replace(study, bonus=Bonus(each=0.1, most=0.25), digest="capped")
    assert right > 2
    assert bonus(study, 0, given) is None
    assert bonus(paid, 0, given) == pytest.approx(0.1 * right)
    assert bonus(capped, 0, given) == 0.25


def test_practice_makes_no_record(study: Study) -> None:
    given, _ = walked(study, 0)
    assert any(one.key.startswith("practice/") for one in given)
    assert len(finished(study, 0, given)) == len(planned(study, 0))


def test_a_study_of_two_families_goes_from_one_to_the_next(tmp_path_study: Study) -> None:
    given, last = walked(tmp_path_study, 0)
    families = [one.family for one, _ in finished(tmp_path_study, 0, given)]
    assert families == ["grammar"] * 20 + ["cups"] * 20
    assert last.total == 40


@pytest.fixture
def tmp_path_study(study: Study) -> Study:
    cups = default_study("cups")
    return replace(study, blocks=study.blocks + cups.blocks, digest="both")


def test_the_walker_answers_what_the_screen_asks(study: Study) -> None:
    at = step(study, 0, [])
    asked: Callable[[Study, int, Step, list[Given]], Mapping[str, Json]] = answer_of
    assert asked(study, 0, at, []) == {"value": "yes"}
