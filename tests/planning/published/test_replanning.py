"""Published replies with a plan after an unexpected event: graded from the state it leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from misstep.planning.published import FileReport, read_prompts, regrade_published

Write = Callable[..., Path]
Make = Callable[..., Mapping[str, Any]]  # Any: JSON values
Ask = Callable[..., str]

TASK = "task_6_replanning"
GOAL = "the red block is on top of the blue block"
PLAN = "pick up the red block\nstack the red block on top of the blue block"
DROPPED = (
    'After executing the action "pick up the red block" at step 1 in the plan, the following facts'
    " unexpectedly became true: the red block is clear, the hand is empty and the red block is on"
    " top of the orange block\nThe following facts became unexpectedly false: the orange block is"
    " clear and the hand is currently holding red block"
)
AGAIN = (
    "unstack the red block from on top of the orange block\n"
    "stack the red block on top of the blue block"
)
STEPS = "(unstack a c)\n(stack a b)\n"


def only(place: Path) -> FileReport:
    (report,) = regrade_published(place)
    return report


def fields(query: str, **changed: object) -> dict[str, object]:
    return {
        "query": query,
        "ground_truth_plan": "(unstack red orange)\n(stack red blue)\n",
        "llm_raw_response": f"{AGAIN}\n[PLAN END]",
        "extracted_llm_plan": STEPS,
    } | changed


def test_a_plan_from_the_changed_state_is_right(write: Write, entry: Make, replan: Ask) -> None:
    report = only(write(entry(1, **fields(replan(GOAL, PLAN, DROPPED))), task=TASK))
    assert (report.correct, report.disagreements, report.reference_fails) == (1, (), ())


def test_the_plan_begun_is_wrong_though_the_original_took_it(
    write: Write, entry: Make, replan: Ask
) -> None:
    """Graded from the start in the instance's file, where nothing has happened."""
    begun = {"llm_raw_response": PLAN, "extracted_llm_plan": "(pick-up a)\n(stack a b)\n"}
    report = only(write(entry(1, **fields(replan(GOAL, PLAN, DROPPED), **begun)), task=TASK))
    (found,) = report.disagreements
    assert (found.our_verdict, found.failed_step, found.stored_correct) == (
        "precondition_failed",
        0,
        True,
    )
    assert found.reason == (
        "stored verdict is on the instance in the file, not on what is asked: start with (clear c)"
        " (ontable a), without (on a c); step 1: precondition_failed (unmet: (ontable a))"
    )


def test_where_the_event_brings_the_goal_about_no_plan_at_all_is_no_answer(
    write: Write, entry: Make, replan: Ask
) -> None:
    query = replan("the red block is on top of the orange block", PLAN, DROPPED)
    nothing: dict[str, object] = {"extracted_llm_plan": "", "ground_truth_plan": ""}
    report = only(
        write(
            entry(1, **fields(query, llm_raw_response="Well.", **nothing)),
            entry(1, **fields(query, llm_raw_response="[PLAN]\n[PLAN END]", **nothing)),
            task=TASK,
        )
    )
    (found,) = report.disagreements
    assert (report.correct, report.stored_correct) == (1, 2)
    assert found.reason == (
        "stored extraction is empty; the reply is read as unparsed; the goal already holds, so that"
        " no plan at all counted as one"
    )


def test_an_event_that_only_takes_away_needs_no_step_number(
    write: Write, entry: Make, replan: Ask
) -> None:
    event = (
        'After executing the action "pick up the red block" in the plan, The following facts'
        " unexpectedly became false: the blue block is clear"
    )
    place = write(entry(1, **fields(replan(GOAL, PLAN, event))), task=TASK)
    (prompt,) = read_prompts(
        place / f"plan-bench/results/blocksworld/made-up_chat/{TASK}.json"
    ).prompts
    assert prompt.answer is None
    assert ("holding", "a") in prompt.problem.start_facts
    assert ("clear", "b") not in prompt.problem.start_facts


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ((GOAL, PLAN, DROPPED.replace("step 1", "step 2")), "the action before the event isn't"),
        ((GOAL, PLAN, "Something happened."), "the prompt tells no unexpected event"),
        ((GOAL, PLAN, DROPPED.replace("empty", "tired")), "the facts that the event changes"),
        (
            (
                GOAL,
                f"stack the red block on top of the blue block\n{PLAN}",
                DROPPED.replace("step 1", "step 2"),
            ),
            "step 1 of the plan that the prompt shows can't be taken",
        ),
    ],
)
def test_a_state_that_cannot_be_known_is_not_guessed(
    write: Write, entry: Make, replan: Ask, query: tuple[str, str, str], reason: str
) -> None:
    report = only(write(entry(1, **fields(replan(*query))), task=TASK))
    assert report.not_graded[0].reason.startswith(reason)
