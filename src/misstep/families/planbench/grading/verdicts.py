"""Verdicts on plans and actions: the class, the failing action, the unmet facts, each apart."""

from __future__ import annotations

from collections.abc import Mapping

from misstep.core.items import Scalar
from misstep.core.outcomes import Outcome, Reply, Score
from misstep.families.planbench.grading.unanswered import books_of, unanswered
from misstep.families.planbench.reading.blocks import Block, answer_block
from misstep.families.planbench.reading.verdicts import Verdict, read_changes, read_verdict
from misstep.families.planbench.spec import PlanbenchPayload


def score_verification(payload: PlanbenchPayload, reply: Reply) -> Score:
    """Correct where the class is; the failing action and the facts are scores of their own."""
    block = answer_block(reply)
    said = read_verdict(block.text, books_of(payload)) if block is not None else None
    if said is None or block is None:
        return unanswered(reply)
    verdict, number, *facts = payload.answer
    details = {
        "class": said.kind or "invalid",
        "is_action_right": said.number == int(number) if number else None,
        "are_facts_right": set(said.facts) == set(facts) if facts else None,
    }
    return _scored(said.kind == verdict, said, block, details)


def score_changes(payload: PlanbenchPayload, reply: Reply) -> Score:
    """Correct where it is said rightly whether the action can be done, and what changes (or what
    is unmet) is exactly right; the two are scored apart as well."""
    block = answer_block(reply)
    said = read_changes(block.text, books_of(payload)) if block is not None else None
    if said is None or block is None:
        return unanswered(reply)
    verdict, *facts = payload.answer
    is_verdict_right = said.kind == verdict
    are_facts_right = is_verdict_right and set(said.facts) == set(facts)
    details = {"is_verdict_right": is_verdict_right, "are_facts_right": are_facts_right}
    return _scored(are_facts_right, said, block, details)


def _scored(is_right: bool, said: Verdict, block: Block, details: Mapping[str, Scalar]) -> Score:
    number = [] if said.number is None else [str(said.number)]
    answer = " ".join([said.kind or "invalid", *number, *said.facts])
    outcome = Outcome.CORRECT if is_right else Outcome.WRONG
    span = (block.start, block.start + len(block.text))
    return Score(outcome, float(is_right), answer, None, span, details)
