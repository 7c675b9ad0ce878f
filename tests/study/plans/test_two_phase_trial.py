"""The two-phase trial: its screens, what it comes to, and its grade, which is a model's."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from misstep.core.errors import BadInput
from misstep.core.outcomes import Outcome, Reply
from misstep.families.planbench import FAMILY
from misstep.families.planbench.texts import book_of, steps_of
from misstep.planning.wording import say_action
from misstep.study.screens import Json, Page, Plan, Screen, Unfit, Write, fit, plain
from misstep.study.trials.nouns import Given, Timing
from misstep.study.trials.planbench import TRIAL
from misstep.study.trials.planbench.answering import ABILITIES
from misstep.study.trials.planbench.board import MOST_ACTIONS
from misstep.study.trials.planbench.judging import OVERRIDES, distance, overridden
from plan_trials import PlanItem, items, picked, plan_screen, walked

DOMAINS = ("blocksworld", "logistics", "depots", "household", "ferry", "satellite")
ITEM = items(3)[0]


def texts(screen: Screen) -> str:
    return json.dumps(plain(screen), ensure_ascii=False)


def in_words(item: PlanItem, names: Sequence[str]) -> list[str]:
    payload = item.payload
    book = book_of(payload.domain, payload.words, payload.wording, payload.problem)
    return [say_action(book, step) for step in steps_of(tuple(names))]


def test_rules_example_in_both_parts_and_then_the_problem_in_both_parts() -> None:
    screens = walked(ITEM).screens
    assert [screen.kind for screen in screens] == [
        *("page", "page", "page", "write", "plan"),
        *("page", "write", "plan"),
    ]
    rules = texts(screens[0])
    assert "A robot hand moves blocks on a table." in rules
    assert "The goal:" in texts(screens[1])


def test_people_read_the_very_words_that_models_read() -> None:
    prompt = FAMILY.prompt(ITEM, "direct")
    screens = walked(ITEM).screens
    rules, example, writing = screens[0], screens[1], screens[6]
    assert isinstance(rules, Page)
    assert isinstance(example, Page)
    assert isinstance(writing, Write)
    for said in (rules.body[0].text, example.body[1].text, *writing.body[0].text.split("\n\n")):
        assert said in prompt


def test_the_examples_plan_is_glimpsed_for_its_time_and_never_shown_again() -> None:
    screens = walked(ITEM, timing=Timing(memorise=4_000)).screens
    glimpse = screens[2]
    assert isinstance(glimpse, Page)
    assert glimpse.auto_ms == 4_000
    assert glimpse.choices == ()
    assert "4 seconds" in texts(glimpse)
    _, answer, *_ = ITEM.payload.examples[0]
    example = replace(ITEM, payload=replace(ITEM.payload, problem=str(ITEM.payload.examples[0][0])))
    shown = "\n".join(in_words(example, tuple(answer)))
    assert glimpse.body[1].text == shown
    assert "4 seconds" in " ".join(
        one.text for one in TRIAL.instructions("two-phase", Timing(None, None, None, 4_000))
    )


def test_what_was_written_stands_beside_the_list_and_only_there() -> None:
    def own(screen: Screen, given: Sequence[Given]) -> Mapping[str, Json] | None:
        return {"text": f"my plan <b>{len(given)}</b>"} if isinstance(screen, Write) else None

    plans = [one for one in walked(ITEM, own=own).screens if isinstance(one, Plan)]
    assert [one.earlier for one in plans] == ["my plan <b>3</b>", "my plan <b>6</b>"]


def test_without_an_example_only_the_problem_is_worked_on() -> None:
    item = items(1, examples=0)[0]
    walk = walked(item)
    assert [screen.kind for screen in walk.screens] == ["page", "write", "plan"]
    assert walk.judged.details["example_valid"] is None


def test_two_examples_are_both_worked_on() -> None:
    kinds = [screen.kind for screen in walked(items(1, examples=2)[0]).screens]
    assert kinds.count("plan") == kinds.count("write") == 3


@pytest.mark.parametrize("domain", DOMAINS)
def test_no_screen_tells_the_plan_or_its_length(domain: str) -> None:
    """The same problem with another right plan and other factors gives the same screens."""
    for item in items(2, domain):
        longer = picked(walked(item, "detour"))
        payload = replace(item.payload, answer=longer, optimum=99)
        other = replace(item, payload=payload, truth="", factors={"length": 99})
        walk = walked(item)
        for number, screen in enumerate(walk.screens):
            assert TRIAL.screen(other, "two-phase", Timing(), walk.given[:number]) == screen
        assert item.id not in "".join(map(texts, walk.screens))


@pytest.mark.parametrize("domain", [*DOMAINS, "logistics+deceptive", "depots+random"])
def test_each_ability_comes_to_what_it_is(domain: str) -> None:
    for item in items(2, domain):
        best, longer = walked(item, "planner").judged, walked(item, "detour").judged
        assert best.score.outcome is longer.score.outcome is Outcome.CORRECT
        assert best.details["plan_valid"] is longer.details["plan_valid"] is True
        assert best.details["plan_optimal"] is True
        assert longer.details["plan_optimal"] is False
        assert best.details["steps"] == best.details["optimal_steps"] == item.factors["length"]
        assert int(str(longer.details["steps"])) > int(str(best.details["steps"]))
        for ability in ("unfinished", "nothing"):
            missed = walked(item, ability).judged
            assert missed.score.outcome is Outcome.WRONG
            assert missed.score.value == 0.0
            assert missed.details["plan_valid"] is missed.details["plan_optimal"] is False


@pytest.mark.parametrize("solver", ["planner", "random-walk", "copy-example", *ABILITIES])
@pytest.mark.parametrize("wording", ["english", "pddl"])
def test_a_picked_plan_is_graded_as_the_same_plan_in_a_models_reply(
    solver: str, wording: str
) -> None:
    for item in items(4, wording=wording):
        walk = walked(item, solver)
        steps = picked(walk)
        model = "\n".join(["[PLAN]", *in_words(item, steps), "[PLAN END]"])
        if wording == "pddl":
            model = "\n".join(["[PLAN]", *steps, "[PLAN END]"])
        expected = FAMILY.score(item, Reply(model, "stop"))
        found = walk.judged.score
        assert (found.outcome, found.value, found.answer) == (
            expected.outcome,
            expected.value,
            expected.answer,
        )
        assert dict(found.details) == dict(expected.details)


def test_least_cost_decides_where_the_question_asks_for_it() -> None:
    item = items(2, "household", test="optimal-planning")[1]
    best, longer = walked(item, "planner").judged, walked(item, "detour").judged
    assert best.score.outcome is Outcome.CORRECT
    assert best.details["plan_optimal"] is True
    assert longer.score.outcome is Outcome.WRONG
    assert longer.details["plan_valid"] is True
    assert longer.details["plan_optimal"] is False
    told = texts(walked(item).screens[0])
    assert "The cost of a plan is the sum of its actions' costs." in told


def test_whether_a_plan_is_optimal_stays_unknown_where_the_least_is() -> None:
    factors = {**ITEM.factors, "is_shortest": False}
    details = walked(replace(ITEM, factors=factors), "planner").judged.details
    assert details["plan_valid"] is True
    assert details["plan_optimal"] is details["optimal_steps"] is None
    assert details["free_verdict"] == "valid"


@pytest.mark.parametrize(
    "test", ["replanning", "plan-reuse", "plan-generalization", "goal-shuffling"]
)
def test_other_tests_whose_answer_is_a_plan_are_asked_likewise(test: str) -> None:
    for item in items(2, test=test):
        assert walked(item, "planner").judged.details["plan_valid"] is True
        assert walked(item, "unfinished").judged.details["plan_valid"] is False


@pytest.mark.parametrize("test", ["plan-verification", "plan-execution", "unsolvable"])
def test_a_question_that_no_plan_answers_is_refused_at_once(test: str) -> None:
    with pytest.raises(BadInput, match=f"^planbench: test={test}: people pick the actions"):
        TRIAL.screen(items(1, test=test)[0], "two-phase", Timing(), [])


def test_a_world_with_more_actions_than_anyone_could_search_is_refused_at_once() -> None:
    item = items(1, size=40)[0]
    with pytest.raises(BadInput, match=f"more than {MOST_ACTIONS} ground actions, too many"):
        TRIAL.screen(item, "two-phase", Timing(), [])


def test_effects_under_a_condition_are_refused_at_once() -> None:
    domain = ITEM.payload.domain.replace(
        "(not (ontable ?block))", "(when (clear ?block) (not (ontable ?block)))", 1
    ).replace(":strips", ":strips :conditional-effects")
    item = replace(ITEM, payload=replace(ITEM.payload, domain=domain))
    with pytest.raises(BadInput, match=r"action pick-up has conditions or effects"):
        TRIAL.screen(item, "two-phase", Timing(), [])


def test_goals_that_must_not_hold_are_on_the_screen() -> None:
    negative = [
        plan_screen(one) for one in items(6, "household") if "(not (" in one.payload.problem
    ]
    assert negative
    for screen in negative:
        assert screen.goal_not
        assert all("not" in screen.denials[fact] for fact in screen.goal_not)


def test_blocks_are_drawn_by_their_own_words_and_a_disguise_is_kept() -> None:
    screen = plan_screen(ITEM)
    assert screen.drawing == "blocks"
    assert ("clear", "red") in screen.atoms
    assert plan_screen(items(1, "blocksworld+random")[0]).drawing == ""
    assert plan_screen(items(1, "logistics")[0]).drawing == ""


def test_an_arm_decides_what_the_page_makes_of_the_steps() -> None:
    aids = {one.name: plan_screen(ITEM, one.name).aid for one in TRIAL.arms}
    assert aids == {
        "two-phase": "state",
        "two-phase-hints": "hints",
        "two-phase-undrawn": "nothing",
    }


def test_markup_in_a_domains_own_words_is_text() -> None:
    told = ITEM.payload.words.replace("A robot hand", "<script>hurt()</script> A robot hand", 1)
    item = replace(ITEM, payload=replace(ITEM.payload, words=told))
    pages = [part for part in plan_screen(item).body if part.kind == "html"]
    assert any("&lt;script&gt;hurt()" in part.text for part in pages)
    assert all("<script" not in part.text for part in pages)


def test_an_action_that_is_not_on_the_list_can_not_be_picked() -> None:
    with pytest.raises(Unfit):
        fit(plan_screen(ITEM), {"steps": ["(stack a a)"]})


def test_a_trial_that_is_not_over_is_not_judged() -> None:
    walk = walked(ITEM)
    with pytest.raises(ValueError, match="7 answers to 8 screens"):
        TRIAL.judge(ITEM, "two-phase", walk.given[:-1])


def test_an_unknown_solver_is_refused_in_one_line() -> None:
    with pytest.raises(BadInput, match=r"^solver: planbench has no 'chess'; known: planner"):
        walked(ITEM, "chess")


def test_times_of_both_parts_are_told_and_unknown_ones_stay_unknown() -> None:
    walk = walked(ITEM)
    assert walk.judged.details["rt_ms"] == walk.given[-1].rt_ms == 1007.0
    assert walk.judged.details["free_ms"] == 1006.0
    unknown = [replace(one, rt_ms=None) for one in walk.given]
    details = TRIAL.judge(ITEM, "two-phase", unknown).details
    assert details["rt_ms"] is details["free_ms"] is None


def test_the_example_is_graded_too_and_counts_for_nothing_else() -> None:
    def own(screen: Screen, given: Sequence[Given]) -> Mapping[str, Json] | None:
        return {"steps": []} if isinstance(screen, Plan) and len(given) == 4 else None

    details = walked(ITEM, own=own).judged.details
    assert details["example_valid"] is False
    assert details["plan_valid"] is True


def test_an_override_stands_beside_what_was_read_and_changes_no_value() -> None:
    judged = walked(ITEM, "unfinished").judged
    assert judged.details["free_override"] is None
    assert judged.details["free_verdict"] == "invalid"
    found = overridden(judged.details, "valid")
    assert found["free_override"] == found["free_verdict"] == "valid"
    kept = [name for name in judged.details if name not in ("free_override", "free_verdict")]
    assert [found[name] for name in kept] == [judged.details[name] for name in kept]
    assert found["free_valid"] is found["plan_valid"] is False
    assert overridden(judged.details, None) == judged.details
    with pytest.raises(BadInput, match="override: 'perhaps' is not one of optimal, valid"):
        overridden(judged.details, "perhaps")
    assert len(OVERRIDES) == 4


def test_practice_says_what_was_wrong_and_shows_a_plan() -> None:
    def said(solver: str) -> str:
        return " ".join(one.text for one in TRIAL.feedback(ITEM, walked(ITEM, solver).judged))

    assert said("planner").startswith("Your plan reaches the goal.")
    assert "does not reach the goal. What is missing: the " in said("unfinished")
    assert all(line in said("nothing") for line in in_words(ITEM, ITEM.payload.answer))

    def own(screen: Screen, given: Sequence[Given]) -> Mapping[str, Json] | None:
        last = plan_screen(ITEM).actions[-1].name
        return {"steps": [last, last]} if isinstance(screen, Plan) and len(given) > 4 else None

    failed = " ".join(one.text for one in TRIAL.feedback(ITEM, walked(ITEM, own=own).judged))
    assert "of your plan (unstack the" in failed
    assert "can't be done when its turn comes. What it would need: " in failed


@pytest.mark.parametrize(
    ("before", "after", "edits"),
    [("", "", 0), ("abc", "abc", 0), ("abc", "ac", 1), ("ac", "abc", 1), ("abc", "axc", 1),
     ("", "ab", 2), ("ab", "ba", 2)],
)  # fmt: skip
def test_edits_are_the_fewest_steps_that_differ(before: str, after: str, edits: int) -> None:
    assert distance([(one,) for one in before], [(one,) for one in after]) == edits
