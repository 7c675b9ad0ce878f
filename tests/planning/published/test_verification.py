"""Published replies on whether a plan is valid: read, graded on three scores, and compared."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from misstep.planning import Problem, read_domain, read_problem
from misstep.planning.folders import shipped
from misstep.planning.published import (
    FileReport,
    PlanVerdict,
    judge_verdict,
    plan_verdict,
    read_verdict,
    regrade_published,
)
from misstep.planning.published.statements import shown_steps, stated_problem
from misstep.planning.reading import lexicon_for

Write = Callable[..., Path]
Make = Callable[..., Mapping[str, Any]]  # Any: JSON values
Ask = Callable[..., str]

GOAL = "the red block is on top of the blue block"
SHORT = "pick up the red block"
FAILING = "pick up the red block\npick up the orange block"
MISSES = "The above plan is invalid. This is the unmet goal condition:\n"
FAILS = "The above plan is invalid.The following action at step 2 has an unmet precondition:\n"
UNMET = "pick up the orange block\nThe unmet precondition is:\nthe hand is empty"
BOTH = (
    "The above plan is invalid. The following action at step 1 has unmet preconditions:\n"
    "stack the red block on top of the blue block\nThe unmet preconditions are:\n"
)
TASK = "task_3_plan_verification"


@pytest.fixture
def problem() -> Problem:
    return read_problem(
        "(define (problem p) (:domain blocksworld-4ops) (:objects a b c) (:init (ontable a)"
        " (ontable b) (ontable c) (clear a) (clear b) (clear c) (handempty)) (:goal (on a b)))",
        shipped("blocksworld").domain,
    )


def said(reply: str, problem: Problem) -> PlanVerdict | None:
    return read_verdict(reply, problem, lexicon_for(problem.domain, problem))


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ("The above plan is valid.", "valid"),
        ("<s>\nThe above plan is valid.\n\n[STATEMENT]\nThe above plan is invalid.", "valid"),
        ("**Valid**", "valid"),
        (f"{MISSES}{GOAL}", "goal_not_reached: (on a b)"),
        (f"{FAILS}{UNMET}", "precondition_failed at 2 (pick-up c): (handempty)"),
        (
            f"{BOTH}the hand is currently holding red block and the blue block is not clear",
            "precondition_failed at 1 (stack a b): (holding a), (not (clear b))",
        ),
        (
            (
                "The above plan is invalid. The following actions have unmet preconditions:\n"
                "1. pick up the orange block\nThe unmet precondition is:\nthe hand is empty\n\n"
                "2. put down the orange block\nThe unmet precondition is:\nthe hand is empty\n"
            ),
            "precondition_failed (pick-up c): (handempty)",
        ),
        (
            f"{FAILS}{UNMET}\n\nA corrected plan is valid:\n\n[PLAN]\nput down the red block",
            "precondition_failed at 2 (pick-up c): (handempty)",
        ),
        (
            "The plan is not valid: action 2 can't be executed.\nUnmet preconditions: (handempty).",
            "precondition_failed at 2: (handempty)",
        ),
        ("The plan isn't valid: it misses the goal.", "goal_not_reached"),
        ("I check whether the plan is valid.\nThe above plan is invalid.", "invalid"),
        ("The weather is fine.", None),
        ("", None),
    ],
)
def test_the_last_verdict_before_further_prompts_is_read(
    problem: Problem, reply: str, read: str | None
) -> None:
    found = said(reply, problem)
    assert (found.text if found else None) == read


def test_each_score_is_right_by_itself(problem: Problem) -> None:
    truth = plan_verdict(problem, [("pick-up", "a"), ("pick-up", "c")])
    assert truth == PlanVerdict("precondition_failed", 2, ("pick-up", "c"), ("(handempty)",))
    cases = {
        f"{FAILS}{UNMET}": (True, True, True, True),
        f"{FAILS}{UNMET}".replace("step 2", "step 1"): (True, True, False, True),
        f"{FAILS}{UNMET}".replace("the hand is empty", GOAL): (True, True, True, False),
        f"{MISSES}{GOAL}": (True, False, False, False),
        "The above plan is valid.": (False, False, False, False),
        "Who knows.": (False, False, False, False),
    }
    for reply, wanted in cases.items():
        scores = judge_verdict(said(reply, problem), truth)
        found = (scores.is_validity_right, scores.is_class_right)
        assert (*found, scores.is_action_right, scores.are_facts_right) == wanted, reply
        assert scores.is_explained == all(wanted)


def test_what_cannot_fail_has_no_score(problem: Problem) -> None:
    valid = plan_verdict(problem, [("pick-up", "a"), ("stack", "a", "b")])
    scores = judge_verdict(said("The above plan is valid.", problem), valid)
    assert (scores.is_action_right, scores.are_facts_right, scores.is_explained) == (
        None,
        None,
        True,
    )


def stored(
    is_right: bool, extracted: Mapping[str, object], explained: bool | None = None
) -> dict[str, object]:
    """The fields of a result on a plan; None in the fixture leaves the plans' own out."""
    return {
        "llm_correct": None,
        "extracted_llm_plan": extracted,
        "llm_correct_binary": True,
        "llm_correct_w_type": is_right,
        "llm_correct_w_expl": is_right if explained is None else explained,
    }


def only(place: Path) -> FileReport:
    (report,) = regrade_published(place)
    return report


def test_a_file_that_is_right_agrees_in_every_score(write: Write, entry: Make, verify: Ask) -> None:
    truth = f"{FAILS}{UNMET}"
    failing = {"action": "(pick-up orange)\n", "predicate": ["handempty"]}
    report = only(
        write(
            entry(
                1,
                query=verify(GOAL, FAILING),
                ground_truth_plan=truth,
                llm_raw_response=truth,
                **stored(True, {"valid": False, "unmet_precondition": failing}),
            ),
            entry(
                1,
                query=verify(GOAL, SHORT),
                ground_truth_plan=f"{MISSES}{GOAL}",
                llm_raw_response=f"{MISSES}{GOAL}",
                **stored(True, {"valid": False, "unmet_goal": ["on_a_b"]}),
            ),
            task=TASK,
        )
    )
    assert (report.graded, report.accuracy, report.stored_accuracy) == (2, 1.0, 1.0)
    assert (report.disagreements, report.reference_fails) == ((), ())
    assert [(one.name, one.count, one.ours, one.stored) for one in report.scores] == [
        ("valid or not", 2, 1.0, 1.0),
        ("failing action", 1, 1.0, None),
        ("unmet facts", 2, 1.0, None),
        ("explanation", 2, 1.0, 1.0),
    ]


def test_one_right_fact_of_two_is_no_whole_explanation(
    write: Write, entry: Make, verify: Ask
) -> None:
    init = (
        "the orange block is clear, the red block is clear, the hand is empty, the orange"
        " block is on top of the blue block, the blue block is on the table and the red block is on"
        " the table"
    )
    plan = "stack the red block on top of the blue block"
    one = f"{BOTH}the hand is currently holding red block"
    failing = {"action": "(stack red blue)\n", "predicate": ["holding_a"]}
    report = only(
        write(
            entry(
                1,
                query=verify(GOAL, plan, init),
                ground_truth_plan=f"{one} and the blue block is clear",
                llm_raw_response=one,
                **stored(True, {"valid": False, "unmet_precondition": failing}),
            ),
            task=TASK,
        )
    )
    (found,) = report.disagreements
    assert (report.differing, found.score) == (0, "explanation")
    assert (found.is_correct, found.stored_correct) == (False, True)
    assert found.reason == (
        "stored score is content with one right fact, (holding a), of (holding a); the plan is"
        " precondition_failed at 1 (stack a b): (clear b), (holding a)"
    )
    assert found.ours == found.stored.replace("failed (", "failed at 1 (")


def test_the_actions_name_alone_does_not_say_which_fails(
    write: Write, entry: Make, verify: Ask
) -> None:
    reply = f"{FAILS}{UNMET}".replace("step 2", "step 7")
    failing = {"action": "(pick-up orange)\n", "predicate": ["handempty"]}
    report = only(
        write(
            entry(
                1,
                query=verify(GOAL, FAILING),
                ground_truth_plan=f"{FAILS}{UNMET}",
                llm_raw_response=reply,
                **stored(True, {"valid": False, "unmet_precondition": failing}),
            ),
            task=TASK,
        )
    )
    (found,) = report.disagreements
    assert found.reason.startswith("stored score looks at the action's name alone; the plan is")


@pytest.mark.parametrize(
    ("extracted", "reason"),
    [
        ({}, "stored reading of the reply is none, ours valid; the plan is valid"),
        ({"valid": True}, "stored verdict wrong: the reply says valid; the plan is valid"),
        ({"valid": False}, "stored reading of the reply is invalid, ours valid; the plan is valid"),
    ],
)
def test_a_class_that_differs_is_told_with_its_reason(
    write: Write, entry: Make, verify: Ask, extracted: dict[str, object], reason: str
) -> None:
    whole = f"{SHORT}\nstack the red block on top of the blue block"
    fields = stored(False, extracted) | {"llm_correct_binary": False}
    changed: dict[str, object] = {
        "query": verify(GOAL, whole),
        "ground_truth_plan": "The above plan is valid.\n",
        "llm_raw_response": "The above plan is valid.",
        **fields,
    }
    report = only(write(entry(1, **changed), task=TASK))
    first, *further = report.disagreements
    assert (first.score, first.reason) == ("", reason)
    assert [one.score for one in further] == ["valid or not", "explanation"]
    assert (report.correct, report.stored_correct, report.differing) == (1, 0, 1)


def test_a_stored_truth_that_is_wrong_is_the_reason(write: Write, entry: Make, verify: Ask) -> None:
    changed: dict[str, object] = {
        "query": verify(GOAL, SHORT),
        "ground_truth_plan": "The above plan is valid.\n",
        "llm_raw_response": "The above plan is valid.",
        **stored(True, {"valid": True}),
    }
    report = only(write(entry(1, **changed), task=TASK))
    assert report.reference_fails == ("1",)
    assert report.disagreements[0].reason == (
        "stored truth is wrong: valid; the plan is goal_not_reached: (on a b)"
    )


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        ("fly the red block", "an action that the prompt shows can't be read: fly the red block"),
        (None, "the prompt shows no actions"),
    ],
)
def test_a_plan_that_cannot_be_read_is_not_graded(
    write: Write, entry: Make, verify: Ask, ask: Ask, plan: str | None, reason: str
) -> None:
    query = ask(GOAL) if plan is None else verify(GOAL, plan)
    report = only(write(entry(1, query=query, **stored(True, {})), task=TASK))
    assert [(one.instance, one.reason) for one in report.not_graded] == [("1", reason)]


def test_an_empty_plan_may_be_valid(write: Write, entry: Make, verify: Ask) -> None:
    changed: dict[str, object] = {
        "query": verify("the red block is clear", ""),
        "ground_truth_plan": "The above plan is valid.",
        "llm_raw_response": "The above plan is valid.",
        **stored(True, {"valid": True}),
    }
    assert only(write(entry(1, **changed), task=TASK)).correct == 1


def test_published_plans_are_what_their_stored_truths_say() -> None:
    """Statement, plan, kind and unmet facts of the conformance cases, read from words alone."""
    folder = Path(__file__).parents[3].parent / "shared" / "data" / "planbench"
    if not folder.is_dir():
        pytest.skip("the conformance cases are not beside the repository")
    lines = (folder / "planbench_t3_dev.jsonl").read_text("utf-8").splitlines()
    for row in map(json.loads, lines):
        domain = read_domain((folder / "domains" / row["domain_pddl"]).read_text())
        instance = read_problem(row["problem_pddl"], domain)
        lexicon = lexicon_for(domain, instance)
        asked = stated_problem(row["statement"], instance, lexicon)
        assert asked is not None, row["id"]
        plan = shown_steps(row["statement"], lexicon)
        assert [f"({' '.join(step)})" for step in plan] == row["plan"]
        truth = plan_verdict(asked, plan)
        assert truth.number == row["failed_step_1based"]
        assert sorted(truth.facts) == sorted(row["unmet_preconditions"] + row["unmet_goals"])
        told = read_verdict(row["stored_gold_text"], asked, lexicon)
        assert judge_verdict(told, truth).is_explained, row["id"]
    assert len(lines) > 50
