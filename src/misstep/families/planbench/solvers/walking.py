"""ref/random-walk: what chance does, held only to actions that can be executed."""

from __future__ import annotations

from dataclasses import replace

from misstep.core.family import Solution
from misstep.core.items import Item
from misstep.core.seeds import Chance, stream
from misstep.families.planbench.cases import case_of
from misstep.families.planbench.prompts import answer_words
from misstep.families.planbench.solving import Solvers
from misstep.families.planbench.spec import PlanbenchPayload
from misstep.families.planbench.texts import problem_of, texts_of
from misstep.planning.joining import fluent_predicates
from misstep.planning.model import Problem, Step
from misstep.planning.states import (
    State,
    apply,
    atoms_of,
    goals_missing,
    initial_state,
)

LONGEST = 20
GUESSES = (("valid", ""), ("goal_not_reached", ""), ("precondition_failed", "1"))


def random_walk(item: Item[PlanbenchPayload]) -> Solution:
    """A guess for verdicts: a class at random. For states: where a walk as long as the one shown
    ends."""
    payload = item.payload
    problem = problem_of(payload.domain, payload.problem)
    chance = stream(item.family, item.version, 0, "random-walk", item.id)
    answer = _answer(payload, problem, chance)
    optimum = len(answer) if payload.test == "optimal-planning" else None
    return Solution(
        answer_words(payload, replace(case_of(payload), answer=answer, optimum=optimum))
    )


def _answer(payload: PlanbenchPayload, problem: Problem, chance: Chance) -> tuple[str, ...]:
    if payload.test == "plan-verification":
        return chance.choice(
            (("valid", ""), ("goal_not_reached", ""), ("precondition_failed", "1"))
        )
    if payload.question == "changes":
        return (chance.choice(("yes", "no")),)
    if payload.test == "plan-execution":
        state = _walk(problem, chance, len(payload.shown), stops=False)[1]
        changing = fluent_predicates(problem.domain)
        return tuple(atom.text for atom in atoms_of(state) if atom.predicate in changing)
    return texts_of(_walk(problem, chance, LONGEST, stops=True)[0])


def _walk(
    problem: Problem, chance: Chance, length: int, *, stops: bool
) -> tuple[tuple[Step, ...], State]:
    """The steps, and the state they lead to; with `stops`, no step is taken after the goal."""
    solvers = Solvers("")
    state, steps = initial_state(problem), list[Step]()
    while len(steps) < length and not (stops and not goals_missing(problem, state)):
        possible = solvers.steps_from(problem, state)
        if not possible:
            break
        steps.append(chance.choice(possible))
        state = apply(problem, state, steps[-1])
    return tuple(steps), state
