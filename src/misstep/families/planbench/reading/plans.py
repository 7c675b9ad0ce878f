"""A reply as a plan, by the planning library's reader in the words of the question's domain."""

from __future__ import annotations

import re
from functools import lru_cache

from misstep.core.answers.refusals import CUT_SHORT
from misstep.core.outcomes import Reply
from misstep.families.planbench.spec import END, PLAN, PlanbenchPayload
from misstep.families.planbench.texts import book_of, domain_of, problem_of, wording_of
from misstep.planning.model import Step
from misstep.planning.reading import Lexicon, PlanReading, lexicon_for, own_words, read_with
from misstep.planning.wording import UnreadError, read_action

_OPENING = re.compile(rf"[*_`#\s]*{re.escape(PLAN)}[*_`:\s]*", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_NUMBER = re.compile(r"^[0-9]{1,4}[.)]\s+")
_COST = re.compile(r"\btotal cost\b\W{0,6}(?:of\b|is\b)?\D{0,30}?([0-9]{1,9})", re.IGNORECASE)


def read_reply(payload: PlanbenchPayload, reply: Reply) -> PlanReading:
    """A reply that is a plan in the very form asked for, with or without markers and numbers, is
    read word for word; any other by the library's reader of free replies."""
    exact = _exact(payload, reply.text)
    if exact is not None:
        return exact
    if payload.query:
        lexicon = _published_lexicon(payload.domain, payload.problem)
    else:
        lexicon = _lexicon(payload.domain, payload.words, payload.problem)
    return read_with(
        reply.text, lexicon, payload.query, "max_tokens" if is_cut(reply) else reply.stop_reason
    )


def is_cut(reply: Reply) -> bool:
    """Whether the token limit stopped it."""
    return (reply.stop_reason or "").casefold() in CUT_SHORT


def is_begun(payload: PlanbenchPayload, reply: Reply, reading: PlanReading) -> bool:
    """Whether a reply that was cut had come to its answer, and not only to steps in passing. An
    answer without steps ("No plan exists.") must be what the reply, or its plan, begins with."""
    if reading.plan or reading.outcome == "unparsed":
        return reading.is_announced
    *above, line = reply.text.splitlines()[: reading.line]
    said = [text for text in above if text.strip()]
    if said and not _OPENING.fullmatch(said[-1]):
        return reading.is_marked
    first = Reply(_SENTENCE.split(line.strip(), maxsplit=1)[0], "stop")
    return read_reply(payload, first).value == reading.value


def is_whole(reply: Reply, reading: PlanReading) -> bool:
    """Whether a plan in a reply that was cut is closed: by the end marker, or, where it was opened
    as asked, by other words below it; a last line right beneath may be a step that was cut."""
    below = reply.text.splitlines()[reading.last :]
    said = [line for line in below if line.strip()]
    is_step = len(said) == 1 and said == below[:1]
    return reading.is_ended or (reading.is_marked and bool(said) and not is_step)


def _exact(payload: PlanbenchPayload, text: str) -> PlanReading | None:
    lines = [line.strip() for line in text.splitlines()]
    if lines.count(END) > 1 or lines.count(PLAN) > 1:
        return None
    end = lines.index(END) if END in lines else len(lines)
    if any(line and not _COST.match(line) for line in lines[end + 1 :]):
        return None
    start = lines.index(PLAN) + 1 if PLAN in lines[:end] else 0
    steps = [_step(payload, line) for line in lines[start:end] if line]
    if not steps or any(step is None for step in steps):
        return None
    plan = tuple(step for step in steps if step is not None)
    return PlanReading(
        "answered",
        plan,
        start + 1,
        min(end + 1, len(lines)),
        is_announced=True,
        is_marked=PLAN in lines,
        is_ended=END in lines,
    )


def _step(payload: PlanbenchPayload, line: str) -> Step | None:
    book = book_of(payload.domain, payload.words, payload.wording, payload.problem)
    try:
        return read_action(book, _NUMBER.sub("", line))
    except UnreadError:
        return None


def stated_cost(text: str) -> int | None:
    """The last total cost that the reply states."""
    found = _COST.findall(text)
    return int(found[-1]) if found else None


@lru_cache(maxsize=64)
def _lexicon(domain: str, words: str, problem: str) -> Lexicon:
    """English and PDDL are both read, whichever the question was put in."""
    told = domain_of(domain), wording_of(domain, words), problem_of(domain, problem)
    return lexicon_for(told[0], told[2], own_words(*told))


@lru_cache(maxsize=64)
def _published_lexicon(domain: str, problem: str) -> Lexicon:
    """The words of published prompts are the library's own."""
    return lexicon_for(domain_of(domain), problem_of(domain, problem))
