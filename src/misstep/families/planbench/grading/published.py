"""Replies to published prompts that ask about actions shown, read in the words of such prompts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from misstep.core.answers.refusals import CUT_SHORT
from misstep.core.items import Scalar
from misstep.core.outcomes import Outcome, Reply, Score
from misstep.families.planbench.grading.unanswered import unanswered
from misstep.families.planbench.spec import PlanbenchPayload
from misstep.families.planbench.texts import domain_of, problem_of, steps_of
from misstep.planning.published import (
    judge_state,
    judge_verdict,
    plan_verdict,
    read_state,
    read_verdict,
    state_after,
)
from misstep.planning.reading import Lexicon, lexicon_for

_GOES_ON = re.compile(r"\S\s*\[[A-Z][A-Z ]*\]")
"""After an answer the reply goes on with markers of the prompt's."""


def score_published_verdict(payload: PlanbenchPayload, reply: Reply) -> Score:
    """Correct where the class is; the failing action and the facts are scores of their own."""
    problem = problem_of(payload.domain, payload.problem)
    said = read_verdict(reply.text, problem, _lexicon(payload.domain, payload.problem))
    if said is None or _is_cut(reply):
        return unanswered(reply)
    found = judge_verdict(said, plan_verdict(problem, steps_of(payload.shown)))
    details = {
        "class": said.kind,
        "is_action_right": found.is_action_right,
        "are_facts_right": found.are_facts_right,
    }
    return _scored(found.is_class_right, said.text, details)


def score_published_state(payload: PlanbenchPayload, reply: Reply) -> Score:
    """Correct where the facts that actions can change are exactly those."""
    problem = problem_of(payload.domain, payload.problem)
    said = read_state(reply.text, problem, _lexicon(payload.domain, payload.problem))
    if said is None or _is_cut(reply):
        return unanswered(reply)
    found = judge_state(said, problem, state_after(problem, steps_of(payload.shown)))
    details = {
        "precision": round(found.precision, 4),
        "recall": round(found.recall, 4),
        "facts_missing": " ".join(found.missing) or None,
        "facts_surplus": " ".join(found.surplus) or None,
    }
    return _scored(found.is_exact, " ".join(said.texts), details)


def _is_cut(reply: Reply) -> bool:
    """By the token limit, before the answer ended."""
    return (reply.stop_reason or "").casefold() in CUT_SHORT and not _GOES_ON.search(reply.text)


def _scored(is_right: bool, answer: str, details: Mapping[str, Scalar]) -> Score:
    outcome = Outcome.CORRECT if is_right else Outcome.WRONG
    return Score(outcome, float(is_right), answer, details=details)


@lru_cache(maxsize=64)
def _lexicon(domain: str, problem: str) -> Lexicon:
    return lexicon_for(domain_of(domain), problem_of(domain, problem))
