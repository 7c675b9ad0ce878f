"""Published replies graded again: known disagreements are found and told with their reasons."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from misstep.planning import PlanningError
from misstep.planning.published import FileReport, regrade_published

Write = Callable[..., Path]
Make = Callable[..., Mapping[str, Any]]  # Any: JSON values
Ask = Callable[..., str]

LONG = """pick up the orange block
put down the orange block
pick up the red block
stack the red block on top of the blue block"""
LONG_PLAN = "(pick-up c)\n(put-down c)\n(pick-up a)\n(stack a b)\n"


def only(place: Path) -> FileReport:
    (report,) = regrade_published(place)
    return report


def reasons(report: FileReport) -> dict[str, str]:
    return {one.instance: one.reason for one in report.not_graded}


def test_a_file_that_is_right_agrees(write: Write, entry: Make) -> None:
    report = only(write(entry(1)))
    assert (report.domain, report.engine) == ("blocksworld", "made-up_chat")
    assert report.file == "plan-bench/results/blocksworld/made-up_chat/task_1_plan_generation.json"
    assert (report.graded, report.accuracy, report.stored_accuracy) == (1, 1.0, 1.0)
    assert (report.disagreements, report.not_graded, report.reference_fails) == ((), (), ())


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        (
            {"extracted_llm_plan": "(pick-up a)\n(stack a b)\n(pick-up a)\n(stack a b)\n"},
            (
                "stored extraction has the plan more than once; the plan is valid;"
                " the stored plan is precondition_failed"
            ),
        ),
        (
            {"extracted_llm_plan": "(stack a b)\n"},
            (
                "stored extraction dropped step 1 (pick-up a); the plan is valid;"
                " the stored plan is precondition_failed"
            ),
        ),
        (
            {"extracted_llm_plan": "(pick-up a)\n(put-down a)\n(stack a b)\n"},
            (
                "stored extraction added step 2 (put-down a); the plan is valid;"
                " the stored plan is precondition_failed"
            ),
        ),
        (
            {"extracted_llm_plan": "(pick-up a)\n(stack a c)\n"},
            (
                "stored extraction differs from step 2 on; the plan is valid;"
                " the stored plan is goal_not_reached"
            ),
        ),
        ({"extracted_llm_plan": ""}, "stored extraction is empty; the plan is valid"),
        ({}, "stored verdict wrong: the plan is valid"),
    ],
)
def test_a_valid_plan_stored_as_wrong_is_told_with_its_reason(
    write: Write, entry: Make, changed: dict[str, str], reason: str
) -> None:
    report = only(write(entry(1, llm_correct=False, **changed)))
    (found,) = report.disagreements
    assert found.reason == reason
    assert (found.is_correct, found.stored_correct) == (True, False)
    assert (found.our_verdict, found.our_plan) == ("valid", (("pick-up", "a"), ("stack", "a", "b")))
    assert (report.accuracy, report.stored_accuracy) == (1.0, 0.0)


def test_a_failing_plan_stored_as_right_names_step_and_fact(write: Write, entry: Make) -> None:
    reply = "stack the red block on top of the blue block\n[PLAN END]"
    report = only(write(entry(1, llm_raw_response=reply, extracted_llm_plan="(stack a b)")))
    (found,) = report.disagreements
    assert (found.our_verdict, found.failed_step) == ("precondition_failed", 0)
    assert found.reason.startswith("stored verdict wrong: step 1: precondition_failed")
    assert "(holding a)" in found.reason


def test_objects_that_the_stored_extraction_left_in_words_are_the_same(
    write: Write, entry: Make
) -> None:
    stored = "(pick-up red)\n(stack red blue)\n"
    (found,) = only(write(entry(1, extracted_llm_plan=stored, llm_correct=False))).disagreements
    assert found.reason == "stored verdict wrong: the plan is valid"


def test_the_goal_graded_is_the_one_the_prompt_asks(write: Write, entry: Make, ask: Ask) -> None:
    """The instance's own goal is (on a b)."""
    query = ask("the blue block is on top of the orange block")
    reply = "pick up the blue block\nstack the blue block on top of the orange block\n[PLAN END]"
    asked = entry(1, query=query, llm_raw_response=reply, ground_truth_plan="(pick-up a)")
    report = only(write(asked, entry(1, query=query), task="task_4_plan_reuse"))
    assert report.correct == 1
    assert report.disagreements[0].our_verdict == "goal_not_reached"
    assert report.reference_fails == ("1", "1")


def test_the_state_graded_from_is_the_one_the_prompt_states(
    write: Write, entry: Make, ask: Ask
) -> None:
    init = (
        "the red block is clear, the hand is empty, the red block is on top of the blue block,"
        " the blue block is on top of the orange block and the orange block is on the table"
    )
    query = ask("the red block is on the table", init=init)
    reply = "unstack the red block from on top of the blue block\nput down the red block"
    report = only(write(entry(1, query=query, llm_raw_response=reply)))
    assert (report.correct, report.disagreements) == (1, ())


def test_only_the_last_statement_is_asked(write: Write, entry: Make, ask: Ask) -> None:
    example = ask("the orange block is on top of the blue block") + "\npick up the orange block\n"
    query = ask("the red block is on top of the blue block", before=example)
    assert only(write(entry(1, query=query))).correct == 1


def test_a_statement_that_cannot_be_read_needs_a_reference_plan(write: Write, entry: Make) -> None:
    report = only(
        write(
            entry(1, query="Do as before.\n[PLAN]"),
            entry("1", query="Do as before.", ground_truth_plan="(pick-up a)"),
        )
    )
    assert report.graded == report.correct == 1
    assert "no reference plan shows" in reasons(report)["1"]


def test_a_partial_goal_that_cannot_be_read_is_not_taken_from_the_instance(
    write: Write, entry: Make
) -> None:
    report = only(write(entry(1, query="As before."), task="task_8_2_full_to_partial"))
    assert reasons(report) == {"1": "the start or goal that the prompt states can't be read"}


def test_what_cannot_be_graded_is_named_and_counts_for_neither_side(
    write: Write, entry: Make
) -> None:
    report = only(
        write(
            entry(1),
            entry(2),
            entry("1a", llm_raw_response=None),
            entry("1b", llm_correct=None),
            entry("../../x"),
            {"query": "without a number"},
        )
    )
    assert (report.graded, report.correct, report.stored_correct) == (1, 1, 1)
    assert reasons(report) == {
        "2": "no instance file for blocksworld in instances",
        "1a": "no reply is stored",
        "1b": "no verdict is stored",
        "../../x": "no instance file for blocksworld in instances",
        "entry 6": "no reply is stored",
    }


@pytest.mark.parametrize("task", ["task_9_new", "task_of_ours"])
def test_a_task_that_is_not_known_is_refused_by_name(write: Write, entry: Make, task: str) -> None:
    report = only(write(entry(1), entry(2), task=task))
    reason = "unknown kind of task"
    assert (report.refused, report.graded, report.accuracy) == (reason, 0, None)
    assert reasons(report) == {"1": reason, "2": reason}


def test_a_verdict_on_the_instances_goal_is_told_as_such(
    write: Write, entry: Make, ask: Ask
) -> None:
    """The reply reaches the goal of the instance in the file, and not the one that is asked."""
    query = ask("the blue block is on top of the orange block")
    reuse = entry(1, query=query, ground_truth_plan="(pick-up b)\n(stack b c)")
    (found,) = only(write(reuse, task="task_4_plan_reuse")).disagreements
    assert (found.is_correct, found.stored_correct) == (False, True)
    assert found.reason == (
        "stored verdict is on the instance in the file, not on what is asked: goal (on a b), not"
        " (on b c); goal_not_reached (unmet: (on b c))"
    )


def test_a_verdict_on_what_the_original_wrote_down_is_told_as_such(
    write: Write, entry: Make, ask: Ask
) -> None:
    """Kept with the prompts, as the results lose it."""
    query = ask("the blue block is on top of the orange block")
    target = {"init": {"pred": [["holding", ["a"]]]}, "goal": [["on", ["a", "b"]]]}
    asked = entry(1, query=query, llm_correct=True, llm_raw_response="[PLAN]\n[PLAN END]")
    place = write({**asked, "extracted_llm_plan": ""}, task="task_4_plan_reuse")
    (found,) = only(place).disagreements
    assert found.reason.startswith("stored verdict wrong: goal_not_reached")
    target["init"] = {"pred": [["on", ["a", "b"]], ["handempty", []]]}
    prompts = place / "plan-bench/prompts/blocksworld/task_4_plan_reuse.json"
    prompts.parent.mkdir(parents=True)
    kept = {**asked, "new_instance": {"instance": target}}
    prompts.write_text(json.dumps({"instances": [kept]}))
    (found,) = only(place).disagreements
    assert (
        "stored verdict is on another problem than asked: goal (on a b), not (on b c); start"
        in (found.reason)
    )


ODD: list[object] = [
    None,
    0,
    "",
    "(",
    "_",
    [[]],
    [None, "_", ""],
    {"valid": False, "unmet_goal": None},
]


@pytest.mark.parametrize("task", ["task_3_plan_verification", "task_6_x", "task_7_plan_execution"])
@pytest.mark.parametrize("field", ["extracted_llm_plan", "ground_truth_plan", "new_instance"])
def test_odd_values_in_a_result_are_taken_for_nothing(
    write: Write, entry: Make, verify: Ask, execute: Ask, replan: Ask, task: str, field: str
) -> None:
    """Each entry is graded, and the odd value no error and no other entry's."""
    plan = "pick up the red block"
    event = (
        f'After executing the action "{plan}" at step 1 in the plan, the following facts'
        " unexpectedly became true: the red block is on the table"
    )
    goal = "the red block is on top of the blue block"
    asked = {"3": verify(goal, plan), "6": replan(goal, plan, event), "7": execute(plan)}
    entries = [entry(1, query=asked[task[5]], **{field: {"a": odd, "b": odd}}) for odd in ODD]
    entries += [{**entry(1, query=asked[task[5]]), field: odd} for odd in ODD]
    report = only(write(*entries, task=task))
    assert (report.graded, report.stored_correct) == (2 * len(ODD), 2 * len(ODD))


def test_a_reference_in_words_is_read(write: Write, entry: Make) -> None:
    words = "\npick up the red block\nstack the red block on top of the blue block\n[PLAN END]\n"
    report = only(write(entry(1, ground_truth_plan=words), task="task_8_2_full_to_partial"))
    assert (report.correct, report.reference_fails) == (1, ())


@pytest.mark.parametrize("task", ["task_1_zero_shot_plan_generation", "task_8_1_goal_shuffling"])
def test_variants_of_a_task_are_known_by_their_number(write: Write, entry: Make, task: str) -> None:
    assert only(write(entry(1), task=task)).correct == 1


def test_an_optimal_plan_has_no_step_too_many(write: Write, entry: Make) -> None:
    long = entry(1, llm_raw_response=LONG, extracted_llm_plan=LONG_PLAN)
    report = only(write(entry(1), long, task="task_2_plan_optimality"))
    assert report.correct == 1
    (found,) = report.disagreements
    assert found.our_verdict == "valid"
    assert found.reason == (
        "stored verdict wrong: the plan is valid but has 4 steps where 2 are enough"
    )


def test_costs_that_only_the_prompt_states_are_not_guessed(
    write: Write, entry: Make, ask: Ask
) -> None:
    words = "It takes 1 minute to pick up. It takes 3 minutes to stack.\n"
    query = ask("the red block is on top of the blue block", before=words)
    report = only(write(entry(1, query=query), task="task_2_plan_optimality"))
    assert "stated in the prompt's words only" in reasons(report)["1"]


def test_no_plan_is_right_where_a_search_proves_it(write: Write, entry: Make, ask: Ask) -> None:
    reply = "No plan exists that achieves this goal."
    goal = "the red block is on top of the blue block"
    both = f"{goal} and the blue block is on top of the red block"
    fields = {"llm_raw_response": reply, "extracted_llm_plan": "", "ground_truth_plan": ""}
    report = only(
        write(
            entry(1, query=ask(both), llm_correct=False, **fields),
            entry("1", query=ask(goal), llm_correct=False, **fields),
        )
    )
    (found,) = report.disagreements
    assert (found.is_correct, found.our_verdict, found.our_plan) == (True, "no_plan", None)
    assert report.correct == 1
    assert report.reference_fails == ()


def test_a_prompt_in_pddl_is_its_own_instance(write: Write, entry: Make) -> None:
    """With the parenthesis too many that published problems end with, and a name of its own."""
    query = """[DOMAIN]
(define (domain lamps) (:predicates (lit ?x)) ; a lamp :)
 (:action light :parameters (?x) :precondition (not (lit ?x)) :effect (lit ?x)))

[QUERY PROBLEM]
(define (problem 7x) (:domain lamps) (:objects o1 o2) (:init (lit o1)) (:goal (lit o2)))
)

[PLAN]"""
    asked = entry(7, query=query, llm_raw_response="(light o2)", extracted_llm_plan="(light o2)")
    report = only(write(asked, domain="unheard_of", task="task_1_plan_generation_zero_shot_pddl"))
    assert (report.correct, report.disagreements) == (1, ())


def test_an_instance_may_be_named_by_a_configuration_or_lie_in_the_other_part(
    write: Write, entry: Make
) -> None:
    place = write(entry(5), domain="own_3", part="llm_planning_analysis")
    assert "no instance file" in reasons(only(place))["5"]
    folder = place / "plan-bench/instances/elsewhere"
    folder.mkdir()
    basic = place / "plan-bench/instances/blocksworld/generated_basic/instance-1.pddl"
    (folder / "p-5.pddl").write_text(basic.read_text() + ")")
    configs = place / "plan-bench/configs"
    configs.mkdir()
    (configs / "own_3.yaml").write_text(
        "---\ninstance_dir: elsewhere  # here\ninstances_template: p-{}.pddl\n"
        "domain_file: blocksworld/generated_domain.pddl\ndomain_intro: |\n   instance_dir: no\n"
    )
    assert only(place).correct == 1


def test_faulty_pddl_is_told_by_its_place(write: Write, entry: Make) -> None:
    place = write(entry(2))
    bad = place / "plan-bench/instances/blocksworld/generated_basic/instance-2.pddl"
    bad.write_text(
        "(define (problem p)\n (:domain d) (:objects a) (:init (flies a)) (:goal (and)))"
    )
    assert "instance-2.pddl:2:" in reasons(only(place))["2"]


@pytest.mark.parametrize(
    ("text", "refused"),
    [("{", "not JSON"), ("[]", 'no list of "instances"'), ("[" * 100_000, "not JSON")],
)
def test_a_file_that_is_no_result_is_refused_and_the_next_still_graded(
    write: Write, entry: Make, text: str, refused: str
) -> None:
    place = write(entry(1), task="task_2_plan_optimality")
    folder = place / "plan-bench/results/blocksworld/made-up_chat"
    (folder / "task_1_plan_generation.json").write_text(text)
    first, second = regrade_published(place)
    assert first.refused.startswith(refused)
    assert second.correct == 1


def test_a_single_file_and_a_folder_of_results_may_be_given(write: Write, entry: Make) -> None:
    results = write(entry(1)) / "plan-bench/results"
    file = results / "blocksworld/made-up_chat/task_1_plan_generation.json"
    assert only(results).correct == only(file).correct == 1
    assert only(file).file == file.name


def test_a_place_without_results_is_refused(tmp_path: Path) -> None:
    (tmp_path / "task_1_plan_generation.json").write_text(json.dumps({"instances": []}))
    with pytest.raises(PlanningError, match="no file results"):
        list(regrade_published(tmp_path))
