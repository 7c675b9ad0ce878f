"""Answers in words: as examples show them, and as a reply that is right puts them."""

from __future__ import annotations

from misstep.families.planbench.cases import Case
from misstep.families.planbench.prompts.statements import closing, facts_words, opening
from misstep.families.planbench.spec import NO_PLAN, PlanbenchPayload
from misstep.families.planbench.texts import atom_of, book_of, steps_of, wording_of
from misstep.planning.model import Atom
from misstep.planning.wording import Phrasebook, say_amount, say_fact, say_plan

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
    facts = said_facts(book, unmet)
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
