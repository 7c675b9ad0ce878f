"""Every published case: verdicts, plan verification, plan execution."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from misstep.planning import (
    facts_of,
    read_domain,
    read_problem,
    read_step,
    states_along,
    validate,
    validate_lines,
    write_domain,
    write_problem,
)
from misstep.planning.model import Problem, Step


def _lines(cases: Path, name: str) -> list[str]:
    return (cases / name).read_text(encoding="utf-8").rstrip("\n").split("\n")


def _each(cases: Path, name: str) -> Iterator[tuple[dict[str, Any], Problem, list[Step]]]:
    # Any: the cases are JSON of several kinds.
    for line in _lines(cases, name):
        case = json.loads(line)
        domain = read_domain((cases / "domains" / case["domain_pddl"]).read_bytes())
        problem = read_problem(case["problem_pddl"], domain)
        yield case, problem, [read_step(step) for step in case["plan"]]


def test_every_verdict_is_right(cases: Path) -> None:
    lines = _lines(cases, "verdicts_dev.jsonl")
    found = list(validate_lines(lines, cases))
    assert len(found) == 488
    for line, result in zip(lines, found, strict=True):
        case = json.loads(line)
        expected = {name: case[name] for name in ("id", "failed_step", "unmet")}
        expected["verdict"] = case["verdict"].replace("type_error", "wrong_type")
        assert {name: result[name] for name in expected} == expected


@pytest.mark.parametrize("folder", ["cases", "domains"])
def test_a_domain_file_is_found_beside_the_cases_or_in_domains(cases: Path, folder: str) -> None:
    line = _lines(cases, "verdicts_dev.jsonl")[0]
    place = cases if folder == "cases" else cases / "domains"
    assert next(validate_lines([line], place))["verdict"] == json.loads(line)["verdict"]


def test_every_plan_verification_is_right(cases: Path) -> None:
    kinds = {
        "valid": "valid",
        "goal_not_reached": "goal_unmet",
        "precondition_failed": "inexecutable",
    }
    seen = 0
    for case, problem, plan in _each(cases, "planbench_t3_dev.jsonl"):
        found = validate(problem, plan)
        assert kinds[found.verdict] == case["kind"]
        assert found.failed_step == case["failed_step"]
        assert list(found.unmet) == case["unmet_preconditions"] + case["unmet_goals"]
        seen += 1
    assert seen == 67


def test_every_plan_execution_ends_in_the_right_state(cases: Path) -> None:
    seen = 0
    for case, problem, plan in _each(cases, "planbench_t7_dev.jsonl"):
        states = list(states_along(problem, plan))
        assert len(states) == len(plan) + 1
        assert list(facts_of(states[-1])) == sorted(case["state"])
        seen += 1
    assert seen == 42


def test_every_published_domain_and_problem_is_the_same_after_writing_and_reading(
    cases: Path,
) -> None:
    for _, problem, _ in _each(cases, "planbench_t3_dev.jsonl"):
        domain = read_domain(write_domain(problem.domain))
        assert domain == problem.domain
        assert read_problem(write_problem(problem), domain) == problem
