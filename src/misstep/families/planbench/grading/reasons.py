"""Explanations: the facts that a reply says make each action possible, held against the states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from misstep.core.items import Scalar
from misstep.families.planbench.grading.unanswered import books_of
from misstep.families.planbench.reading.facts import Said, facts_said
from misstep.families.planbench.spec import REASONS, REASONS_END, PlanbenchPayload
from misstep.families.planbench.texts import problem_of
from misstep.planning.model import Atom, Formula, Not, Problem, Step
from misstep.planning.states import State, states_along
from misstep.planning.substitution import conjuncts, substitute

_LINE = re.compile(r"^\W*(?:(?:action|step)\s+)?([0-9]{1,4})\s*[.):]\s*(.+)$", re.IGNORECASE)


def reasons_given(
    payload: PlanbenchPayload, steps: tuple[Step, ...], text: str
) -> Mapping[str, Scalar]:
    """Of the actions that can be executed: how many facts are claimed for them (`claims`), what
    share of these hold before the action (`claims_true`), and what share of the actions'
    preconditions are claimed (`preconditions_named`). Empty where the reply gives no reasons."""
    if REASONS not in text:
        return {}
    said = dict(_lines(payload, text.rpartition(REASONS)[2].partition(REASONS_END)[0]))
    problem = problem_of(payload.domain, payload.problem)
    states = list(states_along(problem, steps))
    claims = holding = needed = named = 0
    for number, (step, state) in enumerate(zip(steps, states[:-1], strict=False), 1):
        facts = _claims(said[number]) if number in said else set()
        wanted = set(_preconditions(problem, step))
        claims, holding = claims + len(facts), holding + sum(_holds(f, state) for f in facts)
        needed, named = needed + len(wanted), named + len(wanted & facts)
    return {
        "claims": claims,
        "claims_true": round(holding / claims, 4) if claims else None,
        "preconditions_named": round(named / needed, 4) if needed else None,
    }


def _lines(payload: PlanbenchPayload, text: str) -> Iterator[tuple[int, Said]]:
    for line in text.splitlines():
        match = _LINE.match(line)
        if match is not None:
            yield int(match[1]), facts_said(match[2], books_of(payload))


def _claims(said: Said) -> set[str]:
    """What is unread is no fact of the domain, and counts as a claim that can't hold."""
    return {*said.holding, *(f"(not {fact})" for fact in said.denied), *said.unread}


def _holds(claim: str, state: State) -> bool:
    if claim.startswith("(not "):
        return not _holds(claim[5:-1], state)
    return tuple(claim.strip("()").split()) in state.facts


def _preconditions(problem: Problem, step: Step) -> Iterator[str]:
    """Those that are facts or denials of facts."""
    action = problem.domain.action[step[0]]
    names = (parameter.name for parameter in action.parameters)
    bound = dict(zip(names, step[1:], strict=True))
    for part in conjuncts(action.precondition):
        text = _text(substitute(part, bound))
        if text is not None:
            yield text


def _text(part: Formula) -> str | None:
    if isinstance(part, Atom):
        return part.text
    if isinstance(part, Not) and isinstance(part.part, Atom):
        return f"(not {part.part.text})"
    return None
