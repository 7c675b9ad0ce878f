"""Published prompts asked as they stand, from a small repository of our own making."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from misstep.core import items as item_text
from misstep.core.errors import BadInput
from misstep.core.family import select
from misstep.core.items import Item
from misstep.core.options import read_options
from misstep.core.outcomes import Outcome, Reply
from misstep.families.planbench import FAMILY
from misstep.families.planbench.spec import PlanbenchPayload
from misstep.planning import validate
from misstep.planning.folders import shipped
from misstep.planning.published import read_prompts
from misstep.planning.writing import write_domain

Entry = dict[str, Any]  # Any: JSON values
Write = Callable[..., Path]
Items = list[Item[PlanbenchPayload]]

BLOCKS = """(define (problem three) (:domain blocksworld-4ops) (:objects a b c)
 (:init (ontable a) (ontable b) (ontable c) (clear a) (clear b) (clear c) (handempty))
 (:goal (and (on a b))))
"""
RULES = "Some rules, odd spacing  kept.\n\n"
LAMPS = """[DOMAIN]
(define (domain lamps) (:predicates (lit ?x) (dead ?x))
 (:action light :parameters (?x) :precondition (not (dead ?x)) :effect (lit ?x)))
[QUERY PROBLEM]
(define (problem two) (:domain lamps) (:objects a b) (:init (dead b)) (:goal (lit b)))
[QUERY PLAN]
"""
ON_BLUE = "pick up the red block\nstack the red block on top of the blue block\n[PLAN END]"
LONGER = f"pick up the orange block\nput down the orange block\n{ON_BLUE}"


def asking(goal: str) -> str:
    start = ", ".join(
        f"the {colour} block is clear, the {colour} block is on the table"
        for colour in ("red", "blue", "orange")
    )
    return (
        f"{RULES}[STATEMENT]\nAs initial conditions I have that, {start} and the hand is empty.\n"
        f"My goal is to have that {goal}.\n\nMy plan is as follows:\n\n[PLAN]"
    )


def entry(instance: int, **changed: object) -> Entry:
    fields: Entry = {
        "instance_id": instance,
        "query": asking("the red block is on top of the blue block"),
        "ground_truth_plan": "(pick-up a)\n(stack a b)\n",
    }
    return fields | changed


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """A file of prompts beside instance 1 of Blocksworld."""
    folder = tmp_path / "plan-bench/instances/blocksworld/generated_basic"
    folder.mkdir(parents=True)
    (folder / "instance-1.pddl").write_text(BLOCKS)
    domain = write_domain(shipped("blocksworld").domain)
    (folder.parent / "generated_domain.pddl").write_text(domain)

    def put(
        *entries: Entry,
        task: str = "task_1_plan_generation",
        top: str = "prompts/blocksworld",
    ) -> Path:
        file = tmp_path / "plan-bench" / top / f"{task}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"task": task, "instances": entries}))
        return file

    return put


def asked(file: Path, seed: int = 0, **more: object) -> Items:
    options = read_options(FAMILY.spec.options, {"published": str(file), **more}, "planbench")
    return list(select(FAMILY, "paper", None, seed, options))


def outcome(item: Item[PlanbenchPayload], text: str) -> Outcome:
    return FAMILY.score(item, Reply(text, "stop")).outcome


@pytest.mark.parametrize("top", ["prompts/blocksworld", "results/blocksworld/made-up"])
def test_the_prompt_is_the_published_one_to_the_byte(write: Write, top: str) -> None:
    odd = asking("the red block is on top of the blue block") + " \r\n\t\u00e9"
    (item,) = asked(write(entry(1, query=odd), top=top))
    assert FAMILY.prompt(item, "direct") == odd
    assert item.id == "planbench-blocksworld-task_1_plan_generation-1"
    assert all(odd.startswith(text) for text in FAMILY.beginnings(item))


def test_arms_that_nobody_published_are_refused_in_a_line(write: Write) -> None:
    (item,) = asked(write(entry(1)))
    for arm in FAMILY.spec.arms[1:]:
        with pytest.raises(BadInput, match=rf"^--arms: {arm.prompt}: [^\n]*--arms direct$"):
            FAMILY.prompt(item, arm.prompt)


def test_a_reply_is_graded_on_the_goal_that_the_prompt_asks(write: Write) -> None:
    """The instance's own goal is (on a b)."""
    file = write(
        entry(1, query=asking("the blue block is on top of the orange block")),
        task="task_8_1_goal_shuffling",
    )
    (item,) = asked(file)
    assert outcome(item, ON_BLUE) is Outcome.WRONG
    right = "pick up the blue block\nstack the blue block on top of the orange block\n[PLAN END]"
    assert outcome(item, right) is Outcome.CORRECT
    assert outcome(item, "(pick-up b)\n(stack b c)") is Outcome.CORRECT
    assert outcome(item, "No plan exists.") is Outcome.WRONG
    assert outcome(item, "The weather is fine.") is Outcome.UNPARSED
    assert outcome(item, item.truth) is Outcome.CORRECT
    assert item.factors["test"] == "goal-shuffling"


def test_a_plan_that_costs_more_is_wrong_in_the_optimality_task_alone(write: Write) -> None:
    (plain,) = asked(write(entry(1)))
    (optimal,) = asked(write(entry(1), task="task_2_plan_optimality"))
    assert [outcome(plain, text) for text in (ON_BLUE, LONGER)] == [Outcome.CORRECT] * 2
    assert outcome(optimal, ON_BLUE) is Outcome.CORRECT
    assert outcome(optimal, LONGER) is Outcome.WRONG
    assert (optimal.payload.optimum, plain.payload.optimum) == (2, None)
    assert outcome(optimal, optimal.truth) is Outcome.CORRECT


def test_a_plan_that_costs_less_than_the_stored_one_is_right(write: Write) -> None:
    long = "(pick-up c)\n(put-down c)\n(pick-up a)\n(stack a b)\n"
    (item,) = asked(write(entry(1, ground_truth_plan=long), task="task_2_plan_optimality"))
    assert item.payload.optimum == 4
    assert outcome(item, ON_BLUE) is Outcome.CORRECT


def test_items_come_in_the_files_order_and_end_with_it_whatever_the_seed(write: Write) -> None:
    goals = ("the orange block is on top of the red block", "the red block is clear")
    file = write(entry(1), *(entry(1, query=asking(goal)) for goal in goals))
    items = asked(file)
    stored = [one["query"] for one in json.loads(file.read_text())["instances"]]
    assert [FAMILY.prompt(item, "direct") for item in items] == stored
    assert [item.id.partition("generation-")[2] for item in items] == ["1", "1~2", "1~3"]
    assert asked(file, seed=7) == items


def test_a_prompt_in_pddl_needs_no_instance_and_no_plan_is_right_where_proven(
    write: Write,
) -> None:
    file = write(entry(12, query=LAMPS, ground_truth_plan=""), top="prompts/lamps")
    (item,) = asked(file)
    assert item.payload.answer == ("no_plan",)
    assert outcome(item, "No plan exists.") is Outcome.CORRECT
    assert outcome(item, "(light b)") is Outcome.WRONG
    assert (item.factors["domain"], item.factors["length"]) == ("lamps", None)


def test_a_reference_that_misses_the_goal_asked_is_replaced_by_a_plan_that_is_valid(
    write: Write,
) -> None:
    file = write(entry(1, ground_truth_plan="(pick-up a)"))
    (prompt,) = read_prompts(file).prompts
    assert prompt.answer is not None
    assert validate(prompt.problem, prompt.answer).is_valid
    (item,) = asked(file)
    assert item.factors["is_shortest"] is True
    assert outcome(item, item.truth) is Outcome.CORRECT


def test_what_cannot_be_used_is_skipped_with_its_reason(write: Write) -> None:
    minutes = asking("the red block is on top of the blue block") + " It takes 3 minutes."
    file = write(
        entry(2),
        entry(1),
        entry(3, query=" "),
        entry(1, query=minutes),
        task="task_2_plan_optimality",
    )
    assert len(asked(file)) == 1
    found = read_prompts(file)
    assert [(one.instance, one.reason[:18]) for one in found.skipped] == [
        ("2", "no instance file f"),
        ("3", "no prompt is store"),
        ("1", "costs other than 1"),
    ]


@pytest.mark.parametrize(
    ("entries", "task", "said"),
    [
        ([entry(2)], "task_1_plan_generation", "none of its 1 prompts can be used; instance 2: no"),
        ([], "task_1_plan_generation", "none of its 0 prompts can be used"),
        ([entry(1)], "task_7_plan_execution", "instance 1: the prompt shows no actions"),
        ([entry(1)], "task_x", "unknown kind of task"),
    ],
)
def test_a_file_without_a_usable_prompt_is_bad_input_at_once(
    write: Write, entries: list[Entry], task: str, said: str
) -> None:
    with pytest.raises(BadInput) as caught:
        asked(write(*entries, task=task))
    text = str(caught.value)
    assert text.startswith("-T published: ")
    assert said in text
    assert "\n" not in text


def test_a_path_that_is_no_published_file_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "task_1.json").write_text("{}")
    for name, said in (("absent.json", "no such file"), ("task_1.json", "lies in no folder")):
        with pytest.raises(BadInput, match=said):
            asked(tmp_path / name)


TABLE = ", ".join(
    f"the {colour} block is clear, the {colour} block is on the table"
    for colour in ("red", "blue", "orange")
)
START = f"{RULES}[STATEMENT]\nAs initial conditions I have that, {TABLE} and the hand is empty.\n"
AIM = "My goal is to have that the red block is on top of the blue block. \n"
SHOWN = "pick up the red block\npick up the blue block"
VERIFY = f"{START}{AIM}My plan is as follows:\n\n[PLAN]\n{SHOWN}\n[PLAN END]\n\n[VERIFICATION]"
EXECUTE = (
    f"{START} I have executed the following action sequence:\n\n[ACTION SEQUENCE]\n"
    "pick up the red block\n[ACTION SEQUENCE END]\n[RESULTING STATE]\n"
)
REPLAN = (
    f"{START}{AIM}My plan is as follows:\n\n[PLAN]\n{ON_BLUE}\n\nDuring execution, an unexpected"
    ' event has occurred.\nAfter executing the action "pick up the red block" at step 1 in the'
    " plan, the following facts unexpectedly became true: the red block is clear, the hand is empty"
    " and the red block is on top of the {under} block\nThe following facts became unexpectedly"
    " false: the {under} block is clear and the hand is currently holding red block\nAfter"
    " re-planning from the new state, the plan is as follows:\n[PLAN]"
)
FAILS = (
    "The above plan is invalid. The following action at step 2 has an unmet precondition:\n"
    "pick up the blue block\nThe unmet precondition is:\nthe hand is empty"
)
STATE = (
    "the blue block is clear, the orange block is clear, the hand is currently holding red block,"
    " the blue block is on the table and the orange block is on the table"
)


def test_a_published_verification_is_graded_by_class_action_and_facts(write: Write) -> None:
    (item,) = asked(write(entry(1, query=VERIFY), task="task_3_plan_verification"))
    assert item.payload.answer == ("precondition_failed", "2", "(handempty)")
    assert (item.factors["kind"], item.factors["length"]) == ("precondition_failed", 2)
    found = FAMILY.score(item, Reply(f"{FAILS}\n[STATEMENT]\nAs initial", "max_tokens"))
    assert found.outcome is Outcome.CORRECT
    assert (found.details["is_action_right"], found.details["are_facts_right"]) == (True, True)
    other = FAMILY.score(item, Reply(FAILS.replace("step 2", "step 1"), "stop"))
    assert (other.outcome, other.details["is_action_right"]) == (Outcome.CORRECT, False)
    assert outcome(item, "The above plan is valid.") is Outcome.WRONG
    assert outcome(item, "Fine weather.") is Outcome.UNPARSED
    assert FAMILY.score(item, Reply(FAILS, "max_tokens")).outcome is Outcome.TRUNCATED


def test_a_published_execution_is_graded_as_a_set_of_facts(write: Write) -> None:
    (item,) = asked(write(entry(1, query=EXECUTE), task="task_7_plan_execution"))
    assert item.payload.answer == (
        "(clear b)",
        "(clear c)",
        "(holding a)",
        "(ontable b)",
        "(ontable c)",
    )
    assert outcome(item, f"{STATE}\n\n[STATEMENT]\nthe hand is empty") is Outcome.CORRECT
    found = FAMILY.score(item, Reply(f"{STATE} and the hand is empty", "stop"))
    assert (found.outcome, found.details["facts_surplus"]) == (Outcome.WRONG, "(handempty)")
    assert (found.details["precision"], found.details["recall"]) == (0.8333, 1.0)
    assert FAMILY.score(item, Reply(STATE[:90], "max_tokens")).outcome is Outcome.TRUNCATED
    assert outcome(item, "") is Outcome.EMPTY


def test_a_published_replanning_is_graded_from_the_state_after_the_event(write: Write) -> None:
    query = REPLAN.format(under="orange")
    (item,) = asked(write(entry(1, query=query), task="task_6_replanning"))
    again = "unstack the red block from on top of the orange block\n" + ON_BLUE.partition("\n")[2]
    assert outcome(item, again) is Outcome.CORRECT
    assert outcome(item, ON_BLUE) is Outcome.WRONG
    assert item.factors["kind"] is None
    (met,) = asked(write(entry(1, query=REPLAN.format(under="blue")), task="task_6_replanning"))
    assert (met.factors["kind"], met.payload.answer) == ("goal_holds", ())
    assert outcome(met, "[PLAN]\n[PLAN END]") is Outcome.CORRECT


@pytest.mark.parametrize(
    ("task", "query"),
    [
        ("task_3_plan_verification", VERIFY),
        ("task_6_replanning", REPLAN.format(under="orange")),
        ("task_7_plan_execution", EXECUTE),
    ],
)
def test_prompts_on_actions_survive_json_and_are_answered_by_the_reference_solver(
    write: Write, task: str, query: str
) -> None:
    (item,) = asked(write(entry(1, query=query), task=task))
    assert FAMILY.prompt(item, "direct") == query
    text = json.dumps(item_text.to_dict(item))
    assert item_text.from_dict(json.loads(text), PlanbenchPayload) == item
    for reply in (item.truth, FAMILY.solvers["planner"](item).answer):
        assert outcome(item, reply) is Outcome.CORRECT
    assert outcome(item, FAMILY.solvers["random-walk"](item).answer).is_answered


def test_options_that_would_change_the_prompts_are_refused(write: Write) -> None:
    with pytest.raises(BadInput, match=r"^-T examples: 3 can't go with -T published"):
        asked(write(entry(1)), examples=3)


def test_an_item_survives_json_and_the_reference_solvers_answer_it(write: Write) -> None:
    (item,) = asked(write(entry(1), task="task_2_plan_optimality"))
    text = json.dumps(item_text.to_dict(item))
    assert item_text.from_dict(json.loads(text), PlanbenchPayload) == item
    assert outcome(item, FAMILY.solvers["planner"](item).answer) is Outcome.CORRECT
    assert outcome(item, FAMILY.solvers["random-walk"](item).answer).is_answered
    assert outcome(item, FAMILY.solvers["copy-example"](item).answer) is Outcome.EMPTY
