"""What a published prompt states in words, against the PDDL it was made from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from misstep.planning import Problem, read_domain, read_problem, validate
from misstep.planning.plans import read_step
from misstep.planning.published import regrade_published
from misstep.planning.published.statements import stated_problem
from misstep.planning.reading import lexicon_for

Row = Mapping[str, Any]  # Any: JSON values

LOGISTICS = """(define (domain logistics)
 (:predicates (truck ?t) (location ?l) (city ?c) (airport ?l) (at ?o ?l) (in ?o ?t) (in-city ?l ?c))
 (:action load-truck :parameters (?o ?t ?l) :precondition (and) :effect (in ?o ?t))
 (:action load-airplane :parameters (?o ?t ?l) :precondition (and) :effect (in ?o ?t))
 (:action unload-truck :parameters (?o ?t ?l) :precondition (and) :effect (at ?o ?l))
 (:action unload-airplane :parameters (?o ?t ?l) :precondition (and) :effect (at ?o ?l))
 (:action drive-truck :parameters (?t ?f ?l ?c) :precondition (truck ?t) :effect (at ?t ?l))
 (:action fly-airplane :parameters (?a ?f ?l) :precondition (and) :effect (at ?a ?l)))"""
INSTANCE = """(define (problem p) (:domain logistics) (:objects t0 p0 l0-0 l0-1 c0)
 (:init (truck t0) (location l0-0) (location l0-1) (city c0) (at t0 l0-0)) (:goal (at t0 l0-1)))"""


def stated(init: str, goal: str) -> Problem | None:
    domain = read_domain(LOGISTICS)
    problem = read_problem(INSTANCE, domain)
    query = (
        f"[STATEMENT]\nAs initial conditions I have that, {init}\nMy goal is to have that {goal}.\n"
    )
    return stated_problem(query, problem, lexicon_for(domain, problem))


def test_facts_that_prompts_leave_unsaid_are_the_instances() -> None:
    found = stated(
        "location_0_0 is an airport, truck_0 is at location_0_1, package_0 is in truck_0 and"
        " location_0_0 is in the city city_0.",
        "package_0 is at location_0_0 and truck_0 is at location_0_0",
    )
    assert found is not None
    assert sorted(atom.text for atom in found.init) == [
        "(airport l0-0)",
        "(at t0 l0-1)",
        "(city c0)",
        "(in p0 t0)",
        "(in-city l0-0 c0)",
        "(location l0-0)",
        "(location l0-1)",
        "(truck t0)",
    ]
    assert found.goals.facts == {("at", "p0", "l0-0"), ("at", "t0", "l0-0")}


@pytest.mark.parametrize(
    ("init", "goal"),
    [
        ("truck_0 is at location_0_1.", "package_9 is at location_0_0"),
        ("truck_0 is near location_0_1.", "package_0 is at location_0_0"),
        ("truck_0 is at location_0_1.", "package_0 is happy"),
    ],
)
def test_a_statement_read_in_part_is_not_read(init: str, goal: str) -> None:
    assert stated(init, goal) is None


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    """The conformance replies, where they are at hand, each with its domain's text."""
    folder = Path(__file__).parents[3].parent / "shared" / "data" / "planbench"
    if not folder.is_dir():
        pytest.skip("the conformance cases are not beside the repository")
    text = (folder / "responses_dev.jsonl").read_text("utf-8")
    found: list[Row] = [json.loads(line) for line in text.split("\n") if line]
    return [
        {**row, "domain_text": (folder / "domains" / row["domain_pddl"]).read_text()}
        for row in found
    ]


def of_instances(rows: list[Row]) -> Iterator[tuple[Row, Problem]]:
    for row in rows:
        if row["problem_source"].endswith(".pddl") and row["domain"] != "sokoban":
            yield row, read_problem(row["problem_pddl"], read_domain(row["domain_text"]))


def test_published_statements_say_the_instance_they_were_made_from(rows: list[Row]) -> None:
    compared = 0
    for row, problem in of_instances(rows):
        if "[QUERY PROBLEM]" in row["query"]:
            continue
        found = stated_problem(row["query"], problem, lexicon_for(problem.domain, problem))
        assert found is not None, row["id"]
        assert found.start_facts == problem.start_facts, row["id"]
        assert found.goals.facts == problem.goals.facts, row["id"]
        compared += 1
    assert compared > 50


def test_published_replies_are_graded_as_their_labels(rows: list[Row], tmp_path: Path) -> None:
    """The labels are a person's readings. Each stored verdict is made the label's opposite, so that
    every reply graded must be a disagreement."""
    for number, (row, problem) in enumerate(of_instances(rows), 1):
        plan = [read_step(step) for step in row["plan"] or ()]
        is_valid = row["plan"] is not None and validate(problem, plan).is_valid
        _lay_out(tmp_path, row, number, stored=not is_valid)
    graded = 0
    for report in regrade_published(tmp_path):
        assert len(report.disagreements) == report.graded, report.domain
        graded += report.graded
    assert graded > 50


def _lay_out(root: Path, row: Row, number: int, *, stored: bool) -> None:
    """One file a reply, each with a domain of its own."""
    folder = root / "instances" / "all"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"instance-{number}.pddl").write_text(row["problem_pddl"])
    name = f"domain_{number}"
    (folder / f"{name}.pddl").write_text(row["domain_text"])
    (root / "configs").mkdir(exist_ok=True)
    (root / "configs" / f"{name}.yaml").write_text(
        f"instance_dir: all\ndomain_file: all/{name}.pddl\n"
    )
    results = root / "results" / name / "engine"
    results.mkdir(parents=True)
    entry = {
        "instance_id": number,
        "query": row["query"],
        "llm_raw_response": row["response"],
        "extracted_llm_plan": "\n".join(row["stored_plan"] or ()),
        "llm_correct": stored,
    }
    (results / "task_1.json").write_text(json.dumps({"instances": [entry]}))
