"""Random walks: sequences of actions that can be executed, without coming back to a state."""

from __future__ import annotations

from misstep.families.planbench.generate.drawing import Draw
from misstep.planning.model import Problem, Step
from misstep.planning.states import State, apply, initial_state


def walk(draw: Draw, problem: Problem, length: int) -> tuple[Step, ...]:
    """`length` steps, or fewer where every next state has been seen."""
    return walk_from(draw, problem, initial_state(problem), length)


def walk_from(draw: Draw, problem: Problem, start: State, length: int) -> tuple[Step, ...]:
    state, seen, steps = start, {start.facts}, list[Step]()
    while len(steps) < length:
        for step in draw.chance.shuffled(draw.solvers.steps_from(problem, state)):
            after = apply(problem, state, step)
            if after.facts not in seen:
                break
        else:
            break
        state = after
        seen.add(after.facts)
        steps.append(step)
    return tuple(steps)
