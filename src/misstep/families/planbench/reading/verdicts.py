"""A reply as a verdict on a plan, or on an action: which it is, and the facts it names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from misstep.families.planbench.reading.facts import facts_said
from misstep.planning.wording import Phrasebook

_NEGATED = re.compile(
    r"\b(?:not|isn't|is not|n't)\s+(?:a\s+)?valid\b|\binvalid\b|\bcan(?:not|'t| not)\s+be\s+"
    r"(?:executed|carried out|done|performed)|\bnot\s+(?:be\s+)?executable\b|\binexecutable\b"
    r"|\bunmet\b|\bmisses the goal\b|\bgoals? (?:is|are) not\b",
    re.IGNORECASE,
)
_VALID = re.compile(r"\bplan\b[^.\n]{0,40}\bis\s+(?:\w+\s+)?valid\b|^\W*valid\W*$", re.I | re.M)
_PRONOUNCED = re.compile(r"[^.\n]*\bplan\b[^.\n]*\b(?:in)?valid\b", re.IGNORECASE)
_OPEN = re.compile(r"\b(?:if|whether|determine|check)\b[^.\n:]*\b(?:in)?valid\b", re.IGNORECASE)
_CAN = re.compile(r"\baction\b[^.\n]{0,30}\b(?:can be (?:executed|done)|is executable)\b", re.I)
_NUMBER = re.compile(r"\b(?:action|step)\s*(?:number\s*)?#?\(?([0-9]{1,4})\b", re.IGNORECASE)
_PRECONDITIONS = re.compile(r"\bunmet\s+preconditions?\b[^:\n]{0,40}:", re.IGNORECASE)
_GOALS = re.compile(r"\bunmet\s+goals?\b[^:\n]{0,40}:", re.IGNORECASE)
_ADDED = re.compile(r"\bnow\s+true\b\s*:", re.IGNORECASE)
_DELETED = re.compile(r"\bno\s+longer\s+true\b\s*:", re.IGNORECASE)
_MISSES = re.compile(r"misses the goal|unmet goal|goals? (?:is|are) not (?:met|reached)", re.I)
_FAILS = re.compile(r"\bunmet precondition|\bcan(?:not|'t| not) be executed|inexecutable", re.I)


@dataclass(frozen=True)
class Verdict:
    """`kind` is valid, precondition_failed or goal_not_reached ("" where it isn't said which of the
    last two); for one action, yes or no. `number` is the action's, from 1."""

    kind: str
    number: int | None = None
    facts: tuple[str, ...] = ()


def read_verdict(text: str, books: tuple[Phrasebook, ...]) -> Verdict | None:
    """On a plan, the last one that is pronounced; None where there is none, or where the last
    ones, line after line, differ."""
    text = _OPEN.sub("", text)
    pronounced = list(_PRONOUNCED.finditer(text))
    if _is_several(text, pronounced):
        return None
    text = text[pronounced[-1].start() :] if pronounced else text
    if not _NEGATED.search(text):
        return Verdict("valid") if _VALID.search(text) else None
    if _FAILS.search(text):
        return Verdict("precondition_failed", _number(text), _listed(text, _PRECONDITIONS, books))
    kind = "goal_not_reached" if _MISSES.search(text) else ""
    return Verdict(kind, None, _listed(text, _GOALS, books))


def _is_several(text: str, pronounced: list[re.Match[str]]) -> bool:
    """Whether the last two say different things on lines next to each other, as in a copy of the
    forms that an answer may take."""
    if len(pronounced) < 2:
        return False
    one, two = pronounced[-2:]
    first, second = text[one.start() : two.start()], text[two.start() :]
    is_adjacent = first.count("\n") == 1 and first.endswith("\n")
    return is_adjacent and _kind(first) != _kind(second)


def _kind(text: str) -> str:
    if not _NEGATED.search(text):
        return "valid"
    return "precondition_failed" if _FAILS.search(text) else "goal_not_reached"


def read_changes(text: str, books: tuple[Phrasebook, ...]) -> Verdict | None:
    """On the last action: yes with "+(…)" and "-(…)", or no with its unmet preconditions."""
    if _NEGATED.search(text):
        return Verdict("no", _number(text), _listed(text, _PRECONDITIONS, books))
    if not _CAN.search(text) and not _ADDED.search(text):
        return None
    added = tuple(f"+{fact}" for fact in _listed(text, _ADDED, books))
    deleted = tuple(f"-{fact}" for fact in _listed(text, _DELETED, books))
    return Verdict("yes", _number(text), added + deleted)


def _number(text: str) -> int | None:
    found = _NUMBER.search(text)
    return int(found[1]) if found else None


def _listed(text: str, label: re.Pattern[str], books: tuple[Phrasebook, ...]) -> tuple[str, ...]:
    """The facts after the label, up to the next label."""
    found = label.search(text)
    if found is None:
        return ()
    rest = text[found.end() :]
    others = [other.search(rest) for other in (_PRECONDITIONS, _GOALS, _ADDED, _DELETED)]
    ends = [other.start() for other in others if other is not None]
    said = facts_said(rest[: min(ends, default=len(rest))], books)
    return said.holding + tuple(f"(not {fact})" for fact in said.denied)
