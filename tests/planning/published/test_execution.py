"""Published replies on the state after some actions: read, graded as sets of facts, compared."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from misstep.planning import Problem, facts_of, read_domain, read_problem
from misstep.planning.folders import shipped
from misstep.planning.published import (
    FileReport,
    judge_state,
    read_state,
    regrade_published,
    state_after,
)
from misstep.planning.published.extractions import stored_fact
from misstep.planning.published.statements import shown_steps, stated_start
from misstep.planning.reading import lexicon_for

Write = Callable[..., Path]
Make = Callable[..., Mapping[str, Any]]  # Any: JSON values
Ask = Callable[..., str]

TASK = "task_7_plan_execution"
PICK = "pick up the red block"
RIGHT = (
    "the blue block is clear, the orange block is clear, the hand is currently holding red block,"
    " the blue block is on the table and the orange block is on the table"
)
TRUTH = ["clear_b", "clear_c", "holding_a", "ontable_b", "ontable_c"]
FURTHER = "\n\n[STATEMENT]\nAs initial conditions I have that, the hand is empty.\n"


def only(place: Path) -> FileReport:
    (report,) = regrade_published(place)
    return report


@pytest.fixture
def problem() -> Problem:
    return read_problem(
        "(define (problem p) (:domain blocksworld-4ops) (:objects a b c) (:init (ontable a)"
        " (ontable b) (ontable c) (clear a) (clear b) (clear c) (handempty)) (:goal (on a b)))",
        shipped("blocksworld").domain,
    )


@pytest.mark.parametrize(
    ("reply", "is_exact", "precision", "recall"),
    [
        (RIGHT, True, 1.0, 1.0),
        (f"<s>{RIGHT}{FURTHER}", True, 1.0, 1.0),
        (f"[RESULTING STATE]\n{RIGHT}\n[RESULTING STATE END]\nthe red block is clear", True, 1, 1),
        (f"The resulting state is: {RIGHT}.\n", True, 1.0, 1.0),
        (f"After that the hand holds it.\n\n- {RIGHT.replace(', ', chr(10) + '- ')}", True, 1, 1),
        (f"the hand is empty and the red block is clear\n\nThen:\n\n{RIGHT}", True, 1.0, 1.0),
        ("(clear b) (clear c) (holding a) (ontable b) (ontable c)", True, 1.0, 1.0),
        (f"{RIGHT}, and the hand is not empty", True, 1.0, 1.0),
        (f"{RIGHT} and the blue block is not clear", False, 1.0, 1.0),
        (f"{RIGHT} and the hand is empty", False, 5 / 6, 1.0),
        ("the blue block is clear", False, 1.0, 1 / 5),
        ("the blue block is clear and the red block is clear", False, 0.5, 1 / 5),
        ("pick up the red block", False, 0.0, 0.0),
        ("", False, 0.0, 0.0),
    ],
)
def test_facts_are_graded_as_a_set(
    problem: Problem, reply: str, is_exact: bool, precision: float, recall: float
) -> None:
    said = read_state(reply, problem, lexicon_for(problem.domain, problem))
    found = judge_state(said, problem, state_after(problem, [("pick-up", "a")]))
    assert (found.is_exact, found.precision, found.recall) == (is_exact, precision, recall)


def changed(reply: str, extracted: list[str], is_right: bool, query: str) -> dict[str, object]:
    return {
        "query": query,
        "ground_truth_plan": TRUTH,
        "llm_raw_response": reply,
        "extracted_llm_plan": extracted,
        "llm_correct": is_right,
    }


def test_a_file_that_is_right_agrees(write: Write, entry: Make, execute: Ask) -> None:
    report = only(write(entry(1, **changed(RIGHT, TRUTH, True, execute(PICK))), task=TASK))
    assert (report.correct, report.stored_correct, report.disagreements) == (1, 1, ())
    assert report.reference_fails == ()
    assert [(one.name, one.ours, one.stored) for one in report.scores] == [
        ("precision", 1.0, None),
        ("recall", 1.0, None),
    ]


@pytest.mark.parametrize(
    ("extracted", "reason"),
    [
        ([*TRUTH, "handempty"], "stored extraction added (handempty); the state is exactly right"),
        (TRUTH[1:], "stored extraction dropped (clear b); the state is exactly right"),
        (
            [*TRUTH, "clear_b"],
            "stored extraction counts more than once (clear b); the state is exactly right",
        ),
        (TRUTH, "stored verdict wrong; the state is exactly right"),
    ],
)
def test_a_right_state_stored_as_wrong_is_told_with_its_reason(
    write: Write, entry: Make, execute: Ask, extracted: list[str], reason: str
) -> None:
    reply = f"{RIGHT}{FURTHER}"
    report = only(write(entry(1, **changed(reply, extracted, False, execute(PICK))), task=TASK))
    (found,) = report.disagreements
    assert (found.is_correct, found.our_verdict, found.reason) == (True, "exact", reason)
    assert found.ours.startswith("(clear b) (clear c) (holding a)")


def test_a_wrong_state_stored_as_right_names_the_facts(
    write: Write, entry: Make, execute: Ask
) -> None:
    reply = RIGHT.replace("the blue block is clear, ", "the red block is clear, ")
    report = only(write(entry(1, **changed(reply, TRUTH, True, execute(PICK))), task=TASK))
    (found,) = report.disagreements
    assert found.our_verdict == "other_facts"
    assert found.reason.endswith("the reply misses (clear b) and has wrongly (clear a)")


def test_a_reply_without_facts_has_no_precision(write: Write, entry: Make, execute: Ask) -> None:
    report = only(write(entry(1, **changed("Well.", [], True, execute(PICK))), task=TASK))
    assert (report.graded, report.correct, report.scores) == (1, 0, ())
    assert report.disagreements[0].our_verdict == "unparsed"


def test_a_stored_truth_that_is_not_the_state_is_named(
    write: Write, entry: Make, execute: Ask
) -> None:
    reply = f"{RIGHT} and the red block is clear"
    fields = changed(reply, [*TRUTH, "clear_a"], True, execute(PICK))
    fields["ground_truth_plan"] = [*TRUTH, "clear_a"]
    report = only(write(entry(1, **fields), task=TASK))
    assert report.reference_fails == ("1",)
    assert report.disagreements[0].reason.startswith("stored truth has (clear a)")


def test_actions_that_cannot_be_done_leave_nothing_to_grade(
    write: Write, entry: Make, execute: Ask
) -> None:
    query = execute(f"{PICK}\n{PICK}")
    report = only(write(entry(1, **changed(RIGHT, TRUTH, True, query)), task=TASK))
    assert report.not_graded[0].reason == "action 2 that the prompt shows can't be taken"


LOGISTICS = """(define (domain logistics)
 (:predicates (truck ?t) (obj ?p) (location ?l) (city ?c) (airport ?l) (airplane ?a) (at ?o ?l)
  (in ?o ?t) (in-city ?l ?c))
 (:action load-truck :parameters (?o ?t ?l) :precondition (and (at ?o ?l) (at ?t ?l) (truck ?t))
  :effect (and (in ?o ?t) (not (at ?o ?l))))
 (:action load-airplane :parameters (?o ?t ?l) :precondition (airplane ?t) :effect (in ?o ?t))
 (:action unload-truck :parameters (?o ?t ?l) :precondition (in ?o ?t) :effect (at ?o ?l))
 (:action unload-airplane :parameters (?o ?t ?l) :precondition (and) :effect (at ?o ?l))
 (:action drive-truck :parameters (?t ?f ?l ?c) :precondition (and) :effect (at ?t ?l))
 (:action fly-airplane :parameters (?a ?f ?l) :precondition (and) :effect (at ?a ?l)))"""
INSTANCE = """(define (problem p) (:domain logistics) (:objects t0 p0 l0-0 c0)
 (:init (truck t0) (obj p0) (location l0-0) (city c0) (airport l0-0) (in-city l0-0 c0)
  (at t0 l0-0) (at p0 l0-0)) (:goal (in p0 t0)))"""
DEPARTURE = (
    "location_0_0 is an airport, package_0 is at location_0_0, truck_0 is at location_0_0 and"
    " location_0_0 is in the city city_0"
)


def test_facts_that_the_prompt_never_says_are_not_asked_for(
    write: Write, entry: Make, execute: Ask
) -> None:
    """The original counts a truck's being a truck, which no reply can know to say."""
    query = execute("load package_0 into truck_0 at location_0_0", DEPARTURE)
    said = ["at_t0_l0-0", "airport_l0-0", "in-city_l0-0_c0", "in_p0_t0"]
    fields: dict[str, object] = {
        "query": query,
        "ground_truth_plan": [*said, "truck_t0", "obj_p0", "location_l0-0", "city_c0"],
        "llm_raw_response": (
            "location_0_0 is an airport, truck_0 is at location_0_0, location_0_0 is in city_0 and"
            " package_0 is in truck_0"
        ),
        "extracted_llm_plan": ["at_truck_0_location_0_0", *said[1:]],
        "llm_correct": False,
    }
    place = write(entry(1, **fields), task=TASK, domain="logistics")
    folder = place / "plan-bench/instances/logistics/generated_basic"
    folder.mkdir(parents=True)
    (folder / "instance-1.pddl").write_text(INSTANCE)
    (folder.parent / "generated_domain.pddl").write_text(LOGISTICS)
    (found,) = only(place).disagreements
    assert (found.is_correct, found.stored) == (
        True,
        "(at t0 l0-0) (airport l0-0) (in-city l0-0 c0) (in p0 t0)",
    )
    assert found.reason == (
        "stored truth asks for facts that the prompt leaves unsaid: (city c0) (location l0-0)"
        " (obj p0) (truck t0); the state is exactly right"
    )


def test_published_sequences_lead_to_their_stored_states() -> None:
    """The conformance cases, read from words alone."""
    folder = Path(__file__).parents[3].parent / "shared" / "data" / "planbench"
    if not folder.is_dir():
        pytest.skip("the conformance cases are not beside the repository")
    compared = 0
    for row in map(json.loads, (folder / "planbench_t7_dev.jsonl").read_text("utf-8").splitlines()):
        if row["statement"] is None:
            continue
        domain = read_domain((folder / "domains" / row["domain_pddl"]).read_text())
        instance = read_problem(row["problem_pddl"], domain)
        lexicon = lexicon_for(domain, instance)
        asked = stated_start(row["statement"], instance, lexicon)
        assert asked is not None, row["id"]
        state = state_after(asked, shown_steps(row["statement"], lexicon))
        assert list(facts_of(state)) == sorted(row["state"]), row["id"]
        stored = {stored_fact(text, lexicon) for text in row["stored_gold"]}
        assert stored == set(row["state"]), row["id"]
        compared += 1
    assert compared > 30
