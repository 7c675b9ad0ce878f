"""What holds of people's trials in every family: one scorer, no truth shown, late is not wrong."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from misstep.core.errors import BadInput
from misstep.core.items import Item
from misstep.core.outcomes import Outcome, Reply
from misstep.registry import ROOMS, family
from misstep.study.screens import Ask, NBack, Page, Screen, Stream, Unfit, Write, fit, plain
from misstep.study.trials.every import TRIALS, trial
from misstep.study.trials.nouns import Given, Timing
from trial_walks import ARMS, SOLVERS, always, items, late, walked

ONE_ANSWER = [(name, arm) for name, arm in ARMS if name != "vehicles"]


def asks(screens: tuple[Screen, ...]) -> list[Ask]:
    return [screen for screen in screens if isinstance(screen, Ask)]


def test_every_room_has_a_trial() -> None:
    assert TRIALS == ROOMS


def test_an_unknown_family_is_refused_in_one_line() -> None:
    with pytest.raises(BadInput, match=r"^family: no study of 'chess'; known: grammar, faces"):
        trial("chess")


@pytest.mark.parametrize("name", SOLVERS)
def test_each_arm_stands_beside_an_arm_for_models_or_keeps_its_own_name(name: str) -> None:
    known = {arm.name for arm in family(name).spec.arms}
    arms = trial(name).arms
    beside = [arm.counterpart or arm.name for arm in arms]
    assert all(arm.counterpart in known for arm in arms if arm.counterpart)
    assert len(set(beside)) == len(arms) == len({arm.name for arm in arms})
    assert arms[0].name == "direct"
    assert arms[0].counterpart == family(name).spec.arms[0].name


@pytest.mark.parametrize(("name", "arm"), ONE_ANSWER)
def test_a_solvers_answer_is_worth_what_it_is_worth_of_a_model(name: str, arm: str) -> None:
    room = family(name)
    for item in islice(items(name, 3), 6):
        for solver in SOLVERS[name]:
            answer = room.solvers[solver](item).answer
            judged = walked(item, arm, solver).judged
            assert judged.score == room.score(item, Reply(answer))
            assert judged.reply == answer
            assert judged.score.outcome in (Outcome.CORRECT, Outcome.WRONG)


@pytest.mark.parametrize(("name", "arm"), ONE_ANSWER)
def test_the_truth_is_right_and_every_other_button_wrong(name: str, arm: str) -> None:
    item = next(items(name, 1))
    solver = SOLVERS[name][-1]
    for choice in asks(walked(item, arm, solver).screens)[0].choices:
        judged = walked(item, arm, solver, always(choice.value)).judged
        expected = Outcome.CORRECT if choice.value == item.truth else Outcome.WRONG
        assert judged.score.outcome is expected
        assert judged.score.answer == choice.value


@pytest.mark.parametrize("name", SOLVERS)
def test_the_buttons_are_the_vocabularys_own_words_in_its_order(name: str) -> None:
    answers = family(name).spec.vocabulary.answers
    for arm in trial(name).arms:
        for item in islice(items(name, 2), 4):
            for screen in asks(walked(item, arm.name, SOLVERS[name][0]).screens):
                assert tuple(choice.value for choice in screen.choices) == answers
                keys = [choice.key for choice in screen.choices]
                assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(("name", "arm"), ONE_ANSWER)
def test_no_answer_in_time_is_empty_with_its_reason_and_never_wrong(name: str, arm: str) -> None:
    walk = walked(next(items(name, 1)), arm, SOLVERS[name][0], late, Timing(deadline=3_000))
    has_deadline = asks(walk.screens)[0].deadline_ms is not None
    if has_deadline:
        assert walk.judged.score.outcome is Outcome.EMPTY
        assert walk.judged.score.value is None
        assert walk.judged.score.reason == "deadline"
    assert walk.judged.details["deadline_missed"] == int(has_deadline)
    assert has_deadline == (arm == "direct" or name == "faces")


@pytest.mark.parametrize(("name", "arm"), ARMS)
def test_a_deadline_of_zero_is_none(name: str, arm: str) -> None:
    walk = walked(next(items(name, 1)), arm, SOLVERS[name][0], timing=Timing(deadline=0))
    assert [screen.deadline_ms for screen in asks(walk.screens)] == [None] * len(asks(walk.screens))
    assert "for each" not in " ".join(
        part.text for part in trial(name).instructions(arm, Timing(deadline=0))
    )


@pytest.mark.parametrize(("name", "arm"), ARMS)
def test_a_studys_own_times_reach_the_screens_and_the_words(name: str, arm: str) -> None:
    asked, own = trial(name), Timing(11_000, 12_000, 1_300, 14_000)
    item = next(items(name, 1))
    screens = (
        *asked.opening(item, arm, own),
        *walked(item, arm, SOLVERS[name][0], timing=own).screens,
    )
    told = " ".join(part.text for part in asked.instructions(arm, own))
    used = set()
    for screen in screens:
        if isinstance(screen, Ask):
            used.add(screen.deadline_ms)
        if isinstance(screen, Write | Page):
            used.add(screen.min_ms)
        if isinstance(screen, Page):
            used.add(screen.auto_ms)
        if isinstance(screen, Stream):
            used.add(screen.each_ms)
    said = {11_000: "11 seconds", 12_000: "12 seconds", 1_300: "1.3 seconds", 14_000: "14 seconds"}
    assert used - {0, None} == {one for one in said if said[one] in told}


@pytest.mark.parametrize("name", SOLVERS)
def test_a_family_uses_each_of_its_default_times_and_no_other(name: str) -> None:
    """A study file may set those that aren't None: each changes a screen in some arm."""
    asked, item = trial(name), next(items(name, 1))
    for field in ("deadline", "deliberate", "each", "memorise"):
        timing = replace(Timing(), **{field: 7_777})
        changed = False
        for arm in (one.name for one in asked.arms):
            solver = SOLVERS[name][0]
            own = (
                *asked.opening(item, arm, timing),
                *walked(item, arm, solver, timing=timing).screens,
            )
            usual = (*asked.opening(item, arm, Timing()), *walked(item, arm, solver).screens)
            changed |= own != usual
        assert changed == (getattr(asked.defaults, field) is not None), field


@pytest.mark.parametrize(("name", "arm"), ARMS)
def test_a_trial_tells_how_long_and_by_how_many_words_it_was_answered(name: str, arm: str) -> None:
    walk = walked(next(items(name, 1)), arm, SOLVERS[name][0])
    details = walk.judged.details
    written = [str(one.answer["text"]) for one in walk.given if "text" in one.answer]
    fills = (name, arm) == ("faces", "direct")
    times = [
        one.rt_ms
        for one, screen in zip(walk.given, walk.screens, strict=True)
        if isinstance(screen, Ask) and one.rt_ms is not None
    ]
    assert details["human_arm"] == arm
    assert details["reasons_chars"] == (0 if fills else sum(map(len, written)))
    assert details["rt_ms"] == (times[len(times) // 2] + times[(len(times) - 1) // 2]) / 2
    assert all(one.startswith("robot: ") for one in written)


@pytest.mark.parametrize("name", SOLVERS)
def test_a_time_that_is_not_known_stays_unknown(name: str) -> None:
    item = next(items(name, 1))
    walk = walked(item, "direct", SOLVERS[name][0])
    given = [replace(one, rt_ms=None) for one in walk.given]
    assert trial(name).judge(item, "direct", given).details["rt_ms"] is None


def other_truth(item: Item[Any]) -> Item[Any]:  # Any: families of every payload
    """The item as if another answer were right; what a person may see stays the same."""
    hidden: dict[str, dict[str, object]] = {
        "grammar": {"edges": (), "original": "XYZ", "changed_position": 1},
        "faces": {"distances": (0.0, 1.0, 1.0, 1.0, 1.0), "problem": "other", "source": "other"},
    }
    truth = next(one for one in family(item.family).spec.vocabulary.answers if one != item.truth)
    payload = replace(item.payload, **hidden.get(item.family, {}))
    return replace(
        item, id="other", group="other", truth=truth, lure=item.truth, factors={}, payload=payload
    )


@pytest.mark.parametrize(("name", "arm"), ONE_ANSWER)
def test_screens_are_the_same_whatever_is_true(name: str, arm: str) -> None:
    asked = trial(name)
    item = next(items(name, 1))
    other, solver = other_truth(item), SOLVERS[name][0]
    walk = walked(item, arm, solver)
    for number, screen in enumerate(walk.screens):
        assert asked.screen(other, arm, Timing(), walk.given[:number]) == screen
    assert asked.opening(other, arm, Timing()) == asked.opening(item, arm, Timing())


@pytest.mark.parametrize(("name", "arm"), ARMS)
def test_screens_become_json_and_name_no_item(name: str, arm: str) -> None:
    item = next(items(name, 1))
    screens = (
        *trial(name).opening(item, arm, Timing()),
        *walked(item, arm, SOLVERS[name][0]).screens,
    )
    for screen in screens:
        said = json.dumps(plain(screen), allow_nan=False)
        assert item.id not in said
        assert item.group not in said


@pytest.mark.parametrize(("name", "arm"), ARMS)
def test_every_other_kind_of_answer_is_refused(name: str, arm: str) -> None:
    walk = walked(next(items(name, 1)), arm, SOLVERS[name][0])
    kinds = {
        type(screen): (screen, given)
        for screen, given in zip(walk.screens, walk.given, strict=True)
    }
    wrong: list[object] = [
        None, [], "Yes", 1, {"value": "maybe"}, {"value": 1}, {"value": ["Yes"]}, {"text": " "},
        {"text": 5}, {"text": "x" * 20_001}, {"pressed": [999]}, {"pressed": [1, 1]}, {"steps": []},
        {"value": "Yes", "text": "both"}, {"values": {}}, {"value": None, "rt": 1},
    ]  # fmt: skip
    for screen, given in kinds.values():
        others = [
            one.answer for kind, (_, one) in kinds.items() if set(one.answer) != set(given.answer)
        ]
        for answer in (*wrong, *others):
            with pytest.raises(Unfit):
                fit(screen, answer)


@pytest.mark.parametrize("name", SOLVERS)
def test_an_arm_that_is_none_of_the_familys_is_an_error(name: str) -> None:
    item = next(items(name, 1))
    with pytest.raises(ValueError, match=f"{name} has no human arm 'cot'"):
        trial(name).screen(item, "cot", Timing(), [])


@pytest.mark.parametrize("name", SOLVERS)
def test_an_unknown_solver_is_refused_with_the_known_ones(name: str) -> None:
    item = next(items(name, 1))
    given = walked(item, "direct", SOLVERS[name][0]).given
    at = next(number for number, one in enumerate(given) if "value" in one.answer)
    asked = trial(name)
    last = at if name == "vehicles" else len(given) - 1
    with pytest.raises(BadInput, match=f"solver: {name} has no 'oracle'; known: "):
        asked.solve(item, "direct", given[:last], "oracle")


@pytest.mark.parametrize(("name", "arm"), ONE_ANSWER)
def test_a_trial_that_is_not_over_is_not_judged(name: str, arm: str) -> None:
    item = next(items(name, 1))
    given = walked(item, arm, SOLVERS[name][0]).given
    with pytest.raises(ValueError, match="shorter"):
        trial(name).judge(item, arm, given[:-1])


@pytest.mark.parametrize("name", SOLVERS)
def test_the_checks_have_one_right_answer_each_and_it_is_not_always_in_one_place(name: str) -> None:
    checks = trial(name).checks
    places = []
    for one in checks:
        values = [choice.value for choice in one.question.choices]
        assert len(set(values)) == len(values) >= 2
        places.append(values.index(one.right))
    assert 2 <= len(checks) <= 3
    assert len({one.question.name for one in checks}) == len(checks)
    assert len({one.question.text for one in checks}) == len(checks)


@pytest.mark.parametrize(("name", "arm"), ARMS)
def test_instructions_say_nothing_of_what_is_expected(name: str, arm: str) -> None:
    said = " ".join(part.text for part in trial(name).instructions(arm, Timing())).lower()
    leaks = r"hypothes|expect|better|worse|shadow|intuit|exception|pattern|\brules?\b|consisten"
    assert re.search(leaks, said) is None


@pytest.mark.parametrize("name", [name for name in SOLVERS if name != "vehicles"])
def test_practice_is_told_right_wrong_or_late(name: str) -> None:
    asked, item = trial(name), next(items(name, 1))
    wrong = next(one for one in family(name).spec.vocabulary.answers if one != item.truth)
    solver, own = SOLVERS[name][0], Timing(deadline=3_000)

    def said(walk_answer: Any) -> str:  # Any: one of the walks' answers
        judged = walked(item, "direct", solver, walk_answer, own).judged
        return " ".join(part.text for part in asked.feedback(item, judged))

    assert said(always(item.truth)) == "Correct."
    assert said(always(wrong)) == f"Incorrect. The right answer is {item.truth}."
    assert said(late) == f"There was no answer in time. The right answer is {item.truth}."


def test_an_n_back_of_hits_and_a_false_alarm_is_counted() -> None:
    item = next(items("apartments", 1))
    walk = walked(item, "distract", "sum")
    at = next(place for place, one in enumerate(walk.screens) if isinstance(one, NBack))
    shown = walk.screens[at]
    assert isinstance(shown, NBack)
    letters = item.payload.letters
    same = {place for place in range(2, len(letters)) if letters[place] == letters[place - 2]}
    pressed = sorted({*list(same)[1:], 0})
    given = [*walk.given]
    given[at] = Given("k", {"pressed": pressed}, 1.0)
    details = trial("apartments").judge(item, "distract", given).details
    assert shown.letters == tuple(letters)
    assert details["nback_hits"] == len(same) - 1
    assert details["nback_false_alarms"] == 1
    assert (details["nback_targets"], details["nback_letters"]) == (len(same), len(letters))
