"""replanning: a plan is under way, something unexpected changes the state, a new plan is needed.

The event leaves the goal unmet, and isn't what the plan would have done next (§5.6).
"""

from __future__ import annotations

from itertools import repeat

from misstep.families.planbench.generate.drawing import Draft, Draw, Drawn, independent, with_start
from misstep.families.planbench.generate.events import event_for
from misstep.families.planbench.texts import texts_of
from misstep.planning.model import Problem, Step
from misstep.planning.states import State, goals_missing, states_along


def replanning(draw: Draw) -> Draft | None:
    return independent(draw, repeat(_one, draw.settings.examples + 1))


def _one(draw: Draw) -> Drawn | None:
    problem = draw.problem()
    begun = draw.solved(problem)
    if begun is None or len(begun.plan) < 2:
        return None
    states = list(states_along(problem, begun.plan))
    planned = [state.facts for state in states]
    event = event_for(draw.source.base)
    for executed in draw.chance.shuffled(range(1, len(begun.plan))):
        after = event(draw, problem, states[executed])
        if after is None or after.facts in planned or not goals_missing(problem, after):
            continue
        return _changed(draw, problem, begun.plan, executed, after)
    return None


def _changed(
    draw: Draw, problem: Problem, plan: tuple[Step, ...], executed: int, after: State
) -> Drawn | None:
    changed = with_start(problem, after)
    found = draw.solved(changed)
    if found is None:
        return None
    return Drawn(
        changed,
        texts_of(found.plan),
        len(found.plan),
        shown=plan,
        before=problem,
        executed=executed,
        is_shortest=found.is_shortest,
    )
