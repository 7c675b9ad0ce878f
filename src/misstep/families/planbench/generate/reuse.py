"""plan-reuse: the question's goal is reached by a prefix of the example's plan.

The prefix is neither empty nor the whole plan, and no shorter one reaches the goal.
"""

from __future__ import annotations

from misstep.families.planbench.generate.drawing import (
    TRIES,
    Draft,
    Draw,
    Drawn,
    fluent_facts,
    independent,
    with_goal,
)
from misstep.families.planbench.generate.plans import solved
from misstep.families.planbench.texts import steps_of, texts_of
from misstep.planning.model import Atom, Problem, Step
from misstep.planning.states import State, states_along


def plan_reuse(draw: Draw) -> Draft | None:
    """The last example is the one that is used again; with none, the question stands alone."""
    for _ in range(TRIES):
        example = solved(draw)
        query = _prefixed(draw, example) if example is not None else None
        if example is not None and query is not None:
            return _with_others(draw, query, example)
    return None


def _with_others(draw: Draw, query: Drawn, example: Drawn) -> Draft | None:
    wanted = draw.settings.examples
    if wanted == 0:
        return Draft(query, ())
    drawn = independent(draw, [lambda _: example, *[solved] * (wanted - 1)])
    return Draft(query, (*drawn.examples, drawn.query)) if drawn is not None else None


def _prefixed(draw: Draw, example: Drawn) -> Drawn | None:
    plan = steps_of(example.answer)
    states = list(states_along(example.problem, plan))
    for length in draw.chance.shuffled(range(1, len(plan))):
        goal = _goal(example.problem, states, length)
        if goal:
            return _drawn(with_goal(example.problem, goal), plan[:length])
    return None


def _drawn(problem: Problem, plan: tuple[Step, ...]) -> Drawn:
    return Drawn(problem, texts_of(plan), len(plan))


def _goal(problem: Problem, states: list[State], length: int) -> tuple[Atom, ...]:
    """What has become true after `length` steps, if it wasn't all true before."""
    first = fluent_facts(problem.domain, states[0])
    facts = [f for f in fluent_facts(problem.domain, states[length]) if f not in first]
    wanted = {(fact.predicate, *fact.terms) for fact in facts}
    is_early = any(wanted <= state.facts for state in states[:length])
    return () if is_early else tuple(facts)
