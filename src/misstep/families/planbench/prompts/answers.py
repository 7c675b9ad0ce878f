"""Answers in words: as examples show them, and as a reply that is right puts them."""

from __future__ import annotations

import re
from dataclasses import replace

from misstep.core.items import Item
from misstep.families.planbench.cases import Case, case_of
from misstep.families.planbench.prompts.statements import (
    NOT_A_PLAN,
    closing,
    facts_words,
    opening,
)
from misstep.families.planbench.spec import NO_PLAN, PlanbenchPayload
from misstep.families.planbench.texts import (
    atom_of,
    book_of,
    domain_of,
    steps_of,
    wording_of,
)
from misstep.planning.model import Atom
from misstep.planning.wording import (
    Phrasebook,
    WordingError,
    say_amount,
    say_fact,
    say_plan,
)

_PARTS = re.compile(r"[+-]?\((?:[^()]|\([^()]*\))*\)|[^\s()]+")
"""Steps and facts, denied or with a sign; and bare words such as the name of a class."""
_PREDICATE = re.compile(r"[+-]?\((?:not \()?([^\s()]+)")
NO_PLAN_WORDS = "No plan exists."
VALID_WORDS = "The plan is valid."
NO_CHANGE = "nothing"


def answer_words(payload: PlanbenchPayload, case: Case) -> str:
    """With the line that opens an answer, and the marker that ends it."""
    body = _body(payload, case)
    lines = [opening(payload.test), *([body] if body else []), closing(payload.test)]
    if payload.test == "optimal-planning" and case.optimum is not None:
        cost = say_amount(wording_of(payload.domain, payload.words), case.optimum)
        lines.append(f"Total cost: {cost}")
    return "\n".join(lines)


def _body(payload: PlanbenchPayload, case: Case) -> str:
    book = book_of(payload.domain, payload.words, payload.wording, case.problem)
    if payload.test == "plan-verification":
        return _verdict(book, case.answer)
    if payload.test == "plan-execution":
        is_state = payload.question == "state"
        return _state(book, case.answer) if is_state else _changes(book, case)
    if case.answer == (NO_PLAN,):
        return NO_PLAN_WORDS
    return say_plan(book, steps_of(case.answer))


def _verdict(book: Phrasebook, answer: tuple[str, ...]) -> str:
    verdict, number, *unmet = answer
    if verdict == "valid":
        return VALID_WORDS
    facts = said_facts(book, unmet) or NO_CHANGE
    if verdict == "goal_not_reached":
        return f"The plan is not valid: it misses the goal.\nUnmet goals: {facts}."
    return (
        f"The plan is not valid: action {number} cannot be executed.\nUnmet preconditions: {facts}."
    )


def _state(book: Phrasebook, answer: tuple[str, ...]) -> str:
    return said_facts(book, answer, between="\n")


def _changes(book: Phrasebook, case: Case) -> str:
    verdict, *facts = case.answer
    number = len(case.shown)
    if verdict == "no":
        return (
            f"Action {number} cannot be executed.\nUnmet preconditions: {said_facts(book, facts)}."
        )
    added = said_facts(book, [fact[1:] for fact in facts if fact[0] == "+"]) or NO_CHANGE
    deleted = said_facts(book, [fact[1:] for fact in facts if fact[0] == "-"]) or NO_CHANGE
    return f"Action {number} can be executed.\nNow true: {added}.\nNo longer true: {deleted}."


def said_facts(book: Phrasebook, facts: list[str] | tuple[str, ...], between: str = "; ") -> str:
    """Facts, or denials "(not (open c))"; facts in the domain's order, then denials."""
    plain = [atom_of(fact) for fact in facts if not fact.startswith("(not ")]
    denied = [atom_of(fact[5:-1]) for fact in facts if fact.startswith("(not ")]
    said = facts_words(book, plain).split("; ") if plain else []
    return between.join([*said, *(_denial(book, atom) for atom in denied)])


def _denial(book: Phrasebook, atom: Atom) -> str:
    return say_fact(book, atom, holds=False)


def say(item: Item[PlanbenchPayload], answer: str) -> str:
    """A recorded answer as the question's own words put it: "(pick-up a)" → "pick up the red
    block". One that the question's forms have no place for, or with something in it that the
    domain has no words for, stays as it is, steps and facts on a line each."""
    payload = item.payload
    parts = tuple(_PARTS.findall(answer))
    plain = "\n".join(parts) if all(part.endswith(")") for part in parts) else answer
    if payload.test in NOT_A_PLAN and not _has_words(payload, parts):
        return plain
    told = replace(case_of(payload), answer=_told(payload, parts), optimum=None)
    try:
        return answer_words(payload, told)
    except WordingError:
        return plain


def _has_words(payload: PlanbenchPayload, parts: tuple[str, ...]) -> bool:
    """Whether the facts are the domain's, beside what the form of such an answer begins with."""
    facts = [part for part in parts if part.endswith(")")]
    named = [found[1] for fact in facts if (found := _PREDICATE.match(fact))]
    is_known = all(name in domain_of(payload.domain).predicate for name in named)
    if payload.test == "plan-verification":
        return is_known and _is_complete(parts)
    return is_known and len(parts) - len(facts) <= 2 * (payload.question == "changes")


def _is_complete(verdict: tuple[str, ...]) -> bool:
    """Whether a class is named, and for an action that can't be done its number."""
    kind, *more = verdict
    return kind in ("valid", "goal_not_reached") or (
        kind == "precondition_failed" and bool(more) and more[0].isdecimal()
    )


def _told(payload: PlanbenchPayload, parts: tuple[str, ...]) -> tuple[str, ...]:
    """In the form of `cases.py`, which has no number for a question about one action, and an empty
    one for a verdict that names no action."""
    has_number = len(parts) > 1 and parts[1].isdecimal()
    if payload.question == "changes":
        return (parts[0], *parts[1 + has_number :])
    if payload.test == "plan-verification" and not has_number:
        return (parts[0], "", *parts[1:])
    return parts
