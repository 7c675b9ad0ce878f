"""What robots answer: by the family's reference solvers, or with an ability of people's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from misstep.core.errors import BadInput, MisstepError
from misstep.core.items import Item
from misstep.core.outcomes import Reply
from misstep.families.planbench.cases import case_of
from misstep.families.planbench.generate.drawing import with_start
from misstep.families.planbench.prompts.answers import answer_words
from misstep.families.planbench.reading.plans import read_reply
from misstep.families.planbench.solvers import SOLVERS
from misstep.families.planbench.solving import Solvers
from misstep.families.planbench.spec import END, PLAN, PlanbenchPayload
from misstep.families.planbench.texts import problem_of, texts_of
from misstep.planning.model import Problem, Step, step_text
from misstep.planning.states import apply, states_along
from misstep.study.screens import Json
from misstep.study.trials.nouns import Given, Timing
from misstep.study.trials.pieces.going_on import going_on
from misstep.study.trials.planbench.board import board_of
from misstep.study.trials.planbench.phases import Phase, posed, screen, stages_of

NOTHING = "I can't find a plan."


def solve(
    item: Item[PlanbenchPayload], arm: str, given: Sequence[Given], solver: str
) -> Mapping[str, Json]:
    """By a reference solver of the family's, or one of ABILITIES; BadInput for another name.

    An action that isn't on the list (of another instance's objects, say) is left out.
    """
    stage = stages_of(item.payload)[len(given)]
    asked = posed(item, stage.case) if stage.is_example else item
    if stage.phase is Phase.WRITE:
        return {"text": _text(asked, solver) or NOTHING}
    if stage.phase is Phase.PICK:
        listed = {one.name for one in board_of(asked.payload, stage.case).actions}
        reading = read_reply(asked.payload, Reply(_text(asked, solver), "stop"))
        picked = [step_text(step) for step in reading.plan or ()]
        return {"steps": [name for name in picked if name in listed]}
    page = screen(item, arm, Timing(), given)
    if page is None:
        raise ValueError("the trial is over")
    return going_on(page)


def _text(item: Item[PlanbenchPayload], solver: str) -> str:
    """The plan as a person writes it: an action a line, without markers."""
    if solver in SOLVERS:
        said = SOLVERS[solver](item).answer
    elif solver in ABILITIES:
        problem = problem_of(item.payload.domain, item.payload.problem)
        said = _said(item, ABILITIES[solver](problem))
    else:
        known = ", ".join((*SOLVERS, *ABILITIES))
        raise BadInput(f"solver: planbench has no {solver!r}; known: {known}")
    lines = said.splitlines()
    return "\n".join(line for line in lines if line not in (PLAN, END))


def _said(item: Item[PlanbenchPayload], plan: tuple[Step, ...]) -> str:
    case = case_of(item.payload)
    return answer_words(item.payload, replace(case, answer=texts_of(plan), optimum=None))


def detour(problem: Problem) -> tuple[Step, ...]:
    """A valid plan that is longer than need be: the best one with an action that helps nothing as
    early as there is any, and from there on the best again."""
    solvers, best = Solvers(""), _plan(problem)
    for done, state in enumerate(states_along(problem, best)):
        for step in solvers.steps_from(problem, state):
            rest = solvers.some_plan(with_start(problem, apply(problem, state, step)))
            if rest is not None and done + 1 + len(rest.plan) > len(best):
                return (*best[:done], step, *rest.plan)
    raise MisstepError(f"planbench: {problem.name} has no plan that is longer than need be")


def unfinished(problem: Problem) -> tuple[Step, ...]:
    """A plan whose last action is missing, so that it misses the goal."""
    return _plan(problem)[:-1]


def nothing(problem: Problem) -> tuple[Step, ...]:
    return ()


def _plan(problem: Problem) -> tuple[Step, ...]:
    found = Solvers("").some_plan(problem)
    if found is None:
        raise MisstepError(f"planbench: no plan was found for {problem.name}")
    return found.plan


ABILITIES: Mapping[str, Callable[[Problem], tuple[Step, ...]]] = {
    "detour": detour,
    "unfinished": unfinished,
    "nothing": nothing,
}
"""What people may come to and no reference solver does."""
