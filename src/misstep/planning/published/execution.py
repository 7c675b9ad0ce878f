"""Plan execution as published: the facts at the end of the actions shown, and a reply's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from misstep.planning.errors import PlanningError
from misstep.planning.joining import fluent_predicates
from misstep.planning.model import Problem, Step
from misstep.planning.published.facts import FactsSaid, last_listed, without_tokens
from misstep.planning.reading.lexicon import Lexicon
from misstep.planning.states import State, atoms_of, states_along

_MARK = re.compile(r"\[[A-Z][A-Z ]*\]")


@dataclass(frozen=True, slots=True)
class StateScores:
    """Over the facts that actions can change, which `missing` and `surplus` list as PDDL. Of the
    others, any that the reply gets wrong is surplus, too."""

    is_exact: bool
    precision: float
    recall: float
    missing: tuple[str, ...]
    surplus: tuple[str, ...]


def state_after(problem: Problem, steps: Sequence[Step]) -> State:
    """Raises PlanningError where one of the actions can't be taken."""
    states = list(states_along(problem, steps))
    if len(states) <= len(steps):
        raise PlanningError(f"action {len(states)} that the prompt shows can't be taken")
    return states[-1]


def changing_facts(problem: Problem, state: State) -> tuple[str, ...]:
    """Those of its facts that actions can change, as PDDL, sorted."""
    changing = fluent_predicates(problem.domain)
    return tuple(atom.text for atom in atoms_of(state) if atom.predicate in changing)


def read_state(reply: str, problem: Problem, lexicon: Lexicon) -> FactsSaid | None:
    """The facts that the reply lists, before it invents further prompts; None where it has none."""
    parts = [part for part in _MARK.split(without_tokens(reply)) if part.strip(" \n.*#:")]
    said = last_listed(parts[0], problem, lexicon) if parts else FactsSaid()
    return said if said.texts else None


def judge_state(said: FactsSaid | None, problem: Problem, state: State) -> StateScores:
    """A fact that no action can change may be said or left out."""
    truth = set(changing_facts(problem, state))
    stated = {fact.text for fact in said.holding} if said else set[str]()
    wrong = {fact.text for fact in said.denied} & _all_facts(state) if said else set[str]()
    counted = stated - (_all_facts(state) - truth)
    hits = len(counted & truth)
    return StateScores(
        is_exact=said is not None and counted == truth and not wrong,
        precision=hits / len(counted) if counted else 0.0,
        recall=hits / len(truth) if truth else 1.0,
        missing=tuple(sorted(truth - counted)),
        surplus=tuple(sorted((counted - truth) | {f"(not {fact})" for fact in wrong})),
    )


def _all_facts(state: State) -> set[str]:
    return {atom.text for atom in atoms_of(state)}
