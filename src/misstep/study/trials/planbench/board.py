"""A problem as a Plan screen has it: its ground actions, its facts, the start and the goal.

All of it follows from the domain and the problem: no plan, nor its length, has any part in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from misstep.core.errors import BadInput
from misstep.families.planbench.cases import Case
from misstep.families.planbench.spec import PlanbenchPayload
from misstep.families.planbench.texts import book_of, problem_of
from misstep.planning.errors import PlanningError
from misstep.planning.grounding import Operator, Task, ground
from misstep.planning.model import Atom, Domain, Problem, step_text
from misstep.planning.successors import successors
from misstep.planning.wording import Phrasebook, say_action, say_fact, say_object
from misstep.study.screens import GroundAction

MOST_ACTIONS = 1_000
"""More than anyone could search through."""
MOST_STATES = 2_000
"""As far as the worlds of the paper's size go; in a larger one an action that is never possible
may stay in the list."""

BLOCKS = "blocks"
_BLOCKS_WORLD = {"on": 2, "ontable": 1, "clear": 1, "handempty": 0, "holding": 1}


@dataclass(frozen=True)
class Board:
    """The fields are those of `screens.Plan`."""

    actions: tuple[GroundAction, ...]
    facts: tuple[str, ...]
    denials: tuple[str, ...]
    atoms: tuple[tuple[str, ...], ...]
    state: tuple[int, ...]
    goal: tuple[int, ...]
    goal_not: tuple[int, ...]
    drawing: str


def board_of(payload: PlanbenchPayload, case: Case) -> Board:
    """Raises BadInput for a world that a list of facts doesn't tell, or that is too large."""
    return _board(payload.domain, payload.words, payload.wording, case.problem)


@lru_cache(maxsize=1024)
def _board(domain: str, words: str, style: str, text: str) -> Board:
    problem = problem_of(domain, text)
    task, book = _grounded(problem), book_of(domain, words, style, text)
    drawing = BLOCKS if _is_blocks_world(problem.domain) else ""
    atoms = [Atom(fact[0], fact[1:]) for fact in task.facts]
    return Board(
        actions=tuple(_action(book, one) for one in _possible(task)),
        facts=tuple(say_fact(book, atom) for atom in atoms),
        denials=tuple(say_fact(book, atom, holds=False) for atom in atoms),
        atoms=tuple((atom.predicate, *_labels(book, atom, drawing)) for atom in atoms),
        state=_places(task.initial.facts),
        goal=_places(task.goal_needs),
        goal_not=_places(task.goal_forbids),
        drawing=drawing,
    )


def _grounded(problem: Problem) -> Task:
    try:
        task = ground(problem, MOST_ACTIONS)
    except PlanningError as error:
        raise BadInput(
            f"planbench: {problem.name}: {error}, too many to pick from: give a smaller size"
        ) from None
    odd = next((one.step[0] for one in task.operators if not one.is_plain), None)
    if odd is not None or task.goal_others:
        what = f"action {odd}" if odd is not None else "the goal"
        raise BadInput(
            f"planbench: domain {problem.domain.name}: {what} has conditions or effects that can't "
            "be told as a list of facts, so that no state can be shown to people"
        )
    return task


def _possible(task: Task) -> Sequence[Operator]:
    """Those that can be done in some state, where all states are few; else all that might be."""
    found, seen, waiting = set(), {task.initial}, [task.initial]
    for node in waiting:  # which grows meanwhile
        for after in successors(task, node):
            found.add(after.operator.step)
            if after.node not in seen:
                seen.add(after.node)
                waiting.append(after.node)
        if len(seen) > MOST_STATES:
            return task.operators
    return [one for one in task.operators if one.step in found]


def _action(book: Phrasebook, operator: Operator) -> GroundAction:
    return GroundAction(
        name=step_text(operator.step),
        label=say_action(book, operator.step),
        needs=_places(operator.needs),
        needs_not=_places(operator.forbids),
        adds=_places(operator.adds),
        deletes=_places(operator.deletes),
    )


def _places(mask: int) -> tuple[int, ...]:
    return tuple(place for place in range(mask.bit_length()) if mask >> place & 1)


def _is_blocks_world(domain: Domain) -> bool:
    found = {one.name: len(one.parameters) for one in domain.predicates}
    return found == _BLOCKS_WORLD


def _labels(book: Phrasebook, atom: Atom, drawing: str) -> tuple[str, ...]:
    """What stands on a drawn block: of "the red block" the one word that tells it apart."""
    if drawing != BLOCKS:
        return atom.terms
    return tuple(
        say_object(book, name).removeprefix("the ").removesuffix(" block") for name in atom.terms
    )
