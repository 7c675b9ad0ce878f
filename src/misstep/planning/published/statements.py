"""A published prompt's last statement in words → the problem, and what else, that it asks."""

from __future__ import annotations

import re
from dataclasses import replace

from misstep.planning.errors import PlanningError
from misstep.planning.model import And, Atom, Problem, Step
from misstep.planning.published.facts import facts_said, is_said
from misstep.planning.reading.lexicon import Lexicon
from misstep.planning.reading.steps import read_steps
from misstep.planning.states import State, atoms_of, states_along

_STATEMENT = "[STATEMENT]"
_START = re.compile(
    r"initial conditions I have that,?(.*?)\.?\s*\n\s*(?:My goal|I have executed)\b",
    re.DOTALL | re.IGNORECASE,
)
_GOAL = re.compile(r"\n\s*My goal is to have that,?(.*?)\.(?:\s|$)", re.DOTALL | re.IGNORECASE)
_SHOWN = re.compile(
    r"\[(PLAN|ACTION SEQUENCE)\](.*?)\[\1 END\]",
    re.DOTALL | re.IGNORECASE,
)
_EVENT = re.compile(
    r"After executing the action \"(?P<action>[^\"]+)\"(?: at step (?P<step>\d+))?[^:\n]*?,"
    r" the following facts unexpectedly became (?P<first>true|false):(?P<facts>[^\n]*)"
    r"(?:\n\s*The following facts became unexpectedly false:(?P<false>[^\n]*))?",
    re.IGNORECASE,
)


def last_statement(query: str) -> str:
    """From the last [STATEMENT] on."""
    return query[max(query.rfind(_STATEMENT), 0) :]


def stated_problem(query: str, instance: Problem, lexicon: Lexicon) -> Problem | None:
    """The instance with the start and goal that the query states; None where a part of the
    statement can't be read or names other objects.

    Facts that such prompts leave unsaid are the instance's.
    """
    text = last_statement(query)
    started = stated_start(text, instance, lexicon)
    found = _GOAL.search(text)
    goal = _facts(found[1], instance, lexicon) if found else None
    return replace(started, goal=And(goal)) if started is not None and goal else None


def stated_start(query: str, instance: Problem, lexicon: Lexicon) -> Problem | None:
    """As `stated_problem`, with the instance's own goal."""
    found = _START.search(last_statement(query))
    init = _facts(found[1], instance, lexicon) if found else None
    if init is None:
        return None
    unsaid = [atom for atom in instance.init if not is_said(atom.predicate)]
    return replace(instance, init=(*unsaid, *init))


def shown_steps(query: str, lexicon: Lexicon) -> tuple[Step, ...]:
    """The plan, or the actions done, that the last statement shows.

    Raises PlanningError where it shows none, or a line of it can't be read.
    """
    found = _SHOWN.search(last_statement(query))
    if found is None:
        raise PlanningError("the prompt shows no actions")
    return tuple(_step(line, lexicon) for line in found[2].splitlines() if line.strip())


def after_event(query: str, begun: Problem, lexicon: Lexicon) -> Problem:
    """`begun`, but from the state that the prompt's unexpected event leaves.

    Raises PlanningError where that state can't be known.
    """
    steps = shown_steps(query, lexicon)
    found = _EVENT.search(last_statement(query))
    if found is None:
        raise PlanningError("the prompt tells no unexpected event that can be read")
    done = _done(found, steps, lexicon)
    states = list(states_along(begun, steps[:done]))
    if len(states) <= done:
        raise PlanningError(f"step {len(states)} of the plan that the prompt shows can't be taken")
    is_true = found["first"].lower() == "true"
    added = _event_facts(found["facts"] if is_true else "", begun, lexicon)
    deleted = _event_facts(found["false"] if is_true else found["facts"], begun, lexicon)
    facts = (states[-1].facts - deleted) | added
    return replace(begun, init=atoms_of(State(facts)))


def _done(event: re.Match[str], steps: tuple[Step, ...], lexicon: Lexicon) -> int:
    """How many actions were done: the action named is the last of them."""
    action = _step(event["action"], lexicon)
    places = [place for place, step in enumerate(steps, 1) if step == action]
    if event["step"] is not None:
        places = [place for place in places if place == int(event["step"])]
    if len(places) != 1:
        raise PlanningError("the action before the event isn't where the prompt has it in the plan")
    return places[0]


def _event_facts(
    text: str | None, problem: Problem, lexicon: Lexicon
) -> frozenset[tuple[str, ...]]:
    facts = _facts(text or "", problem, lexicon)
    if facts is None:
        raise PlanningError("the facts that the event changes can't be read")
    return frozenset((fact.predicate, *fact.terms) for fact in facts)


def _step(line: str, lexicon: Lexicon) -> Step:
    said = read_steps(line.strip(), lexicon, due=True)
    if len(said.steps) != 1 or said.cut or said.unknown:
        raise PlanningError(f"an action that the prompt shows can't be read: {line.strip()[:60]}")
    return said.steps[0]


def _facts(text: str, instance: Problem, lexicon: Lexicon) -> tuple[Atom, ...] | None:
    """None where a part is no fact that holds."""
    said = facts_said(text, instance, lexicon)
    return None if said.unread or said.denied else said.holding
