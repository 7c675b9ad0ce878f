"""The problem that a published prompt asks: what is graded must be what was asked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from misstep.planning.errors import PlanningError
from misstep.planning.model import Domain, Problem, Step
from misstep.planning.parsing import read_domain, read_problem
from misstep.planning.published.instances import (
    domain_file,
    domain_in,
    first_definition,
    instance_file,
    problem_in,
)
from misstep.planning.published.results import (
    GENERALIZATION,
    GENERATION,
    OPTIMALITY,
    SHUFFLING,
    ResultFile,
    StoredResult,
)
from misstep.planning.published.statements import stated_problem
from misstep.planning.reading.lexicon import Lexicon, lexicon_for
from misstep.planning.validation import validate

_DOMAIN, _PROBLEM = "[DOMAIN]", "[QUERY PROBLEM]"
_ASKS_INSTANCE = frozenset((GENERATION, OPTIMALITY, GENERALIZATION, SHUFFLING))
_STEP = re.compile(r"\(([^()]*)\)")
_MINUTES = re.compile(r"\btakes (\d+) minutes?\b")


@dataclass(frozen=True, slots=True)
class Asked:
    """`optimum` is the stored reference plan's length; None where there is no such plan, or it
    doesn't solve the problem (`reference_fails`)."""

    problem: Problem
    lexicon: Lexicon
    optimum: int | None
    reference_fails: bool


def asked_problem(file: ResultFile, result: StoredResult) -> Asked:
    """From the prompt's PDDL; else its words, with the instance's objects; else the instance as it
    stands, if the stored reference plan shows that it is the one asked.

    Raises PlanningError that says why none of them will do.
    """
    if _PROBLEM in result.query:
        return _asked(_prompted(file, result), result)
    instance = _instance(file, result)
    lexicon = lexicon_for(instance.domain, instance)
    stated = stated_problem(result.query, instance, lexicon)
    if stated is not None:
        return _asked(stated, result)
    if file.number not in _ASKS_INSTANCE:
        raise PlanningError("the goal that the prompt states can't be read")
    asked = _asked(instance, result)
    if asked.optimum is None:
        raise PlanningError(
            "the prompt's statement can't be read, and no reference plan shows that it asks"
            " the instance in the file"
        )
    return asked


def stored_steps(text: str, lexicon: Lexicon) -> tuple[Step, ...]:
    """A stored plan, its objects by their names in PDDL where they can be known."""
    steps = [found.lower().split() for found in _STEP.findall(text)]
    return tuple(
        (step[0], *(lexicon.object_named(name) or name for name in step[1:]))
        for step in steps
        if step
    )


def reference_steps(result: StoredResult) -> tuple[Step, ...]:
    """The stored reference plan, as it stands."""
    return tuple(
        tuple(found.lower().split())
        for line in result.reference.splitlines()
        for found in _STEP.findall(line.partition(";")[0])
    )


def fewest_steps(asked: Asked, result: StoredResult) -> int:
    """The most steps that an optimal plan may have; PlanningError where that isn't known."""
    if set(_MINUTES.findall(result.query)) - {"1"}:
        raise PlanningError("costs other than 1 a step are stated in the prompt's words only")
    if asked.optimum is None:
        raise PlanningError("no reference plan that solves the problem says what the optimum is")
    return asked.optimum


def _asked(problem: Problem, result: StoredResult) -> Asked:
    lexicon = lexicon_for(problem.domain, problem)
    reference = reference_steps(result)
    is_given = bool(result.reference.strip())
    solves = is_given and validate(problem, reference).is_valid
    return Asked(problem, lexicon, len(reference) if solves else None, is_given and not solves)


def _prompted(file: ResultFile, result: StoredResult) -> Problem:
    query = result.query
    problem_text = query[query.rfind(_PROBLEM) + len(_PROBLEM) :]
    if _DOMAIN in query:
        start = query.rfind(_DOMAIN) + len(_DOMAIN)
        domain = read_domain(first_definition(query[start:], "the prompt"), "the prompt's domain")
    else:
        domain = _domain(file)
    return read_problem(
        first_definition(problem_text, "the prompt"), domain, "the prompt's problem"
    )


def _instance(file: ResultFile, result: StoredResult) -> Problem:
    path = instance_file(
        file.root, file.domain, result.instance, is_general=file.number == GENERALIZATION
    )
    if path is None:
        raise PlanningError(f"no instance file for {file.domain} in instances")
    return problem_in(path, _domain(file))


def _domain(file: ResultFile) -> Domain:
    path = domain_file(file.root, file.domain)
    if path is None:
        raise PlanningError(f"no domain file for {file.domain} in instances")
    return domain_in(path)
