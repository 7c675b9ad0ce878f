"""plan-verification: plans that are valid, that can't be executed, or that miss the goal.

Three examples each, one of every class; the question's class is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from misstep.families.planbench.generate.drawing import TRIES, Draft, Draw, Drawn, independent
from misstep.families.planbench.generate.walks import walk_from
from misstep.families.planbench.texts import state_after
from misstep.planning.model import Problem, Step
from misstep.planning.running import Verdict
from misstep.planning.validation import Validation, validate

CLASSES = (Verdict.VALID, Verdict.PRECONDITION_FAILED, Verdict.GOAL_NOT_REACHED)
Plan = tuple[Step, ...]


def plan_verification(draw: Draw) -> Draft | None:
    return independent(draw, _ones(draw))


def _ones(draw: Draw) -> Iterator[Callable[[Draw], Drawn | None]]:
    yield _of_class(draw.chance.choice(CLASSES))
    for _ in range(draw.settings.examples):
        yield from (_of_class(verdict) for verdict in CLASSES)


def _of_class(wanted: Verdict) -> Callable[[Draw], Drawn | None]:
    def one(draw: Draw) -> Drawn | None:
        problem = draw.problem()
        found = draw.solved(problem)
        if found is None:
            return None
        for plan in _changed(draw, problem, found.plan, wanted):
            judged = validate(problem, plan)
            if plan and judged.verdict is wanted:
                return _drawn(problem, plan, judged)
        return None

    return one


def _changed(draw: Draw, problem: Problem, plan: Plan, wanted: Verdict) -> Iterator[Plan]:
    """Plans near the valid one, to be judged."""
    if wanted is Verdict.VALID:
        yield plan
        return
    for _ in range(TRIES):
        place = draw.chance.below(len(plan))
        if draw.chance.below(2):
            yield plan[:place] + plan[place + 1 :]
        elif wanted is Verdict.GOAL_NOT_REACHED:
            begun = plan[:place]
            rest = 1 + draw.chance.below(len(plan) - place)
            yield begun + walk_from(draw, problem, state_after(problem, begun), rest)
        else:
            other = draw.chance.below(len(plan))
            swapped = list(plan)
            swapped[place], swapped[other] = swapped[other], swapped[place]
            yield tuple(swapped)


def _drawn(problem: Problem, plan: Plan, judged: Validation) -> Drawn:
    number = "" if judged.failed_step is None else str(judged.failed_step + 1)
    answer = (judged.verdict.value, number, *judged.unmet)
    kind = judged.verdict.value
    return Drawn(problem, answer, len(plan), plan, kind=kind)
