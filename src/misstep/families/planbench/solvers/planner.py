"""ref/planner: the answer found anew from what the question states, never taken from the item."""

from __future__ import annotations

from dataclasses import replace

from misstep.core.family import Solution
from misstep.core.items import Item
from misstep.families.planbench.cases import case_of
from misstep.families.planbench.prompts import answer_words
from misstep.families.planbench.solving import Solvers
from misstep.families.planbench.spec import NO_PLAN, PlanbenchPayload
from misstep.families.planbench.texts import problem_of, state_after, steps_of, texts_of
from misstep.planning.joining import fluent_predicates
from misstep.planning.model import Problem, Step
from misstep.planning.running import Verdict
from misstep.planning.states import atoms_of, states_along
from misstep.planning.validation import validate


def planner(item: Item[PlanbenchPayload]) -> Solution:
    payload = item.payload
    problem = problem_of(payload.domain, payload.problem)
    asked = replace(case_of(payload), answer=(), optimum=None)
    if payload.test == "plan-verification":
        answer = _verdict(problem, steps_of(payload.shown))
    elif payload.question == "changes":
        answer = _changes(problem, steps_of(payload.shown))
    elif payload.test == "plan-execution":
        answer = _state(problem, steps_of(payload.shown))
    else:
        return _plan(payload, problem)
    return Solution(answer_words(payload, replace(asked, answer=answer)))


def _plan(payload: PlanbenchPayload, problem: Problem) -> Solution:
    solvers = Solvers("")
    is_optimal = payload.test == "optimal-planning"
    found = solvers.best_plan(problem) if is_optimal else solvers.some_plan(problem)
    answer = (NO_PLAN,) if found is None else texts_of(found.plan)
    optimum = found.cost if found is not None and is_optimal else None
    return Solution(
        answer_words(payload, replace(case_of(payload), answer=answer, optimum=optimum))
    )


def _verdict(problem: Problem, plan: tuple[Step, ...]) -> tuple[str, ...]:
    found = validate(problem, plan)
    number = "" if found.failed_step is None else str(found.failed_step + 1)
    return (found.verdict.value, number, *found.unmet)


def _state(problem: Problem, plan: tuple[Step, ...]) -> tuple[str, ...]:
    changing = fluent_predicates(problem.domain)
    state = state_after(problem, plan)
    return tuple(atom.text for atom in atoms_of(state) if atom.predicate in changing)


def _changes(problem: Problem, plan: tuple[Step, ...]) -> tuple[str, ...]:
    found = validate(problem, plan)
    if found.verdict is Verdict.PRECONDITION_FAILED:
        return ("no", *found.unmet)
    *_, before, after = states_along(problem, plan)
    added = sorted(after.facts - before.facts)
    deleted = sorted(before.facts - after.facts)
    return (
        "yes",
        *(f"+({' '.join(fact)})" for fact in added),
        *(f"-({' '.join(fact)})" for fact in deleted),
    )
