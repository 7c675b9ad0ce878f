"""The problem that a published prompt asks: what is graded must be what was asked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from misstep.planning.errors import PlanningError
from misstep.planning.model import Domain, Problem, Step
from misstep.planning.parsing import read_domain, read_problem
from misstep.planning.published.extractions import reference_steps
from misstep.planning.published.instances import (
    domain_file,
    domain_in,
    first_definition,
    instance_file,
    problem_in,
)
from misstep.planning.published.results import (
    EXECUTION,
    GENERALIZATION,
    GENERATION,
    OPTIMALITY,
    REPLANNING,
    SHUFFLING,
    VERIFICATION,
    ResultFile,
    StoredResult,
)
from misstep.planning.published.statements import (
    after_event,
    shown_steps,
    stated_problem,
    stated_start,
)
from misstep.planning.reading.lexicon import Lexicon, lexicon_for
from misstep.planning.validation import validate

_DOMAIN, _PROBLEM = "[DOMAIN]", "[QUERY PROBLEM]"
_ASKS_INSTANCE = frozenset((GENERATION, OPTIMALITY, GENERALIZATION, SHUFFLING))
_MINUTES = re.compile(r"\btakes (\d+) minutes?\b")


@dataclass(frozen=True, slots=True)
class Asked:
    """`optimum` is the stored reference plan's length; None where there is no such plan, or it
    doesn't solve the problem (`reference_fails`). `shown` are the actions that the prompt shows,
    where it asks about them. `instance` is the problem in the instance's file, if that was read.
    """

    problem: Problem
    lexicon: Lexicon
    optimum: int | None = None
    reference_fails: bool = False
    shown: tuple[Step, ...] = ()
    instance: Problem | None = None


def asked_problem(file: ResultFile, result: StoredResult) -> Asked:
    """From the prompt's PDDL; else its words, with the instance's objects; else the instance as it
    stands, if the stored reference plan shows that it is the one asked.

    Raises PlanningError that says why none of them will do.
    """
    if file.number in (VERIFICATION, EXECUTION):
        return _asked_of_actions(file, result)
    if _PROBLEM in result.query and file.number != REPLANNING:
        return _asked(_prompted(file, result), result)
    instance = _instance(file, result)
    lexicon = lexicon_for(instance.domain, instance)
    stated = stated_problem(result.query, instance, lexicon)
    if stated is not None:
        is_changed = file.number == REPLANNING
        asked = after_event(result.query, stated, lexicon) if is_changed else stated
        return _asked(asked, result, instance)
    if file.number not in _ASKS_INSTANCE:
        raise PlanningError("the start or goal that the prompt states can't be read")
    asked_so = _asked(instance, result)
    if asked_so.optimum is None:
        raise PlanningError(
            "the prompt's statement can't be read, and no reference plan shows that it asks"
            " the instance in the file"
        )
    return asked_so


def _asked_of_actions(file: ResultFile, result: StoredResult) -> Asked:
    """What the prompt asks about actions that it shows."""
    instance = _instance(file, result)
    lexicon = lexicon_for(instance.domain, instance)
    stated = stated_problem if file.number == VERIFICATION else stated_start
    problem = stated(result.query, instance, lexicon)
    if problem is None:
        raise PlanningError("the start or goal that the prompt states can't be read")
    shown = shown_steps(result.query, lexicon)
    return Asked(problem, lexicon, shown=shown, instance=instance)


def fewest_steps(asked: Asked, result: StoredResult) -> int:
    """The most steps that an optimal plan may have; PlanningError where that isn't known."""
    if set(_MINUTES.findall(result.query)) - {"1"}:
        raise PlanningError("costs other than 1 a step are stated in the prompt's words only")
    if asked.optimum is None:
        raise PlanningError("no reference plan that solves the problem says what the optimum is")
    return asked.optimum


def _asked(problem: Problem, result: StoredResult, instance: Problem | None = None) -> Asked:
    lexicon = lexicon_for(problem.domain, problem)
    reference = reference_steps(result, lexicon)
    is_given = bool(result.reference.strip())
    solves = is_given and validate(problem, reference).is_valid
    optimum = len(reference) if solves else None
    return Asked(problem, lexicon, optimum, is_given and not solves, instance=instance)


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
