"""plan-execution: the state after some actions; or what the last one changes, if it can be done."""

from __future__ import annotations

from itertools import repeat

from misstep.families.planbench.generate.drawing import (
    Draft,
    Draw,
    Drawn,
    fluent_facts,
    independent,
)
from misstep.families.planbench.generate.walks import walk
from misstep.families.planbench.texts import state_after
from misstep.planning.model import Problem, Step
from misstep.planning.running import Verdict
from misstep.planning.states import states_along
from misstep.planning.validation import validate

SHORTEST, LONGEST = 2, 10
"""Actions of a shown sequence."""


def plan_execution(draw: Draw) -> Draft | None:
    one = _state if draw.settings.question == "state" else _changes
    return independent(draw, repeat(one, draw.settings.examples + 1))


def _sequence(draw: Draw) -> tuple[Problem, tuple[Step, ...]]:
    problem = draw.problem()
    length = SHORTEST + draw.chance.below(LONGEST - SHORTEST + 1)
    return problem, walk(draw, problem, length)


def _state(draw: Draw) -> Drawn | None:
    problem, steps = _sequence(draw)
    if not steps:
        return None
    facts = fluent_facts(problem.domain, state_after(problem, steps))
    return Drawn(problem, tuple(fact.text for fact in facts), len(steps), steps, kind="state")


def _changes(draw: Draw) -> Drawn | None:
    problem, steps = _sequence(draw)
    if len(steps) < SHORTEST:
        return None
    if draw.chance.below(2):
        return _refused(draw, problem, steps[:-1])
    before = fluent_facts(problem.domain, state_after(problem, steps[:-1]))
    after = fluent_facts(problem.domain, state_after(problem, steps))
    added = tuple(f"+{fact.text}" for fact in after if fact not in before)
    deleted = tuple(f"-{fact.text}" for fact in before if fact not in after)
    return Drawn(problem, ("yes", *added, *deleted), len(steps), steps, kind="executable")


def _refused(draw: Draw, problem: Problem, done: tuple[Step, ...]) -> Drawn | None:
    """An action that can be done at the start or somewhere on the way, but not here."""
    states = list(states_along(problem, done))
    known = dict.fromkeys(
        step for state in states for step in draw.solvers.steps_from(problem, state)
    )
    for step in draw.chance.shuffled(list(known)):
        found = validate(problem, (*done, step))
        if found.verdict is Verdict.PRECONDITION_FAILED:
            shown = (*done, step)
            return Drawn(problem, ("no", *found.unmet), len(shown), shown, kind="inexecutable")
    return None
