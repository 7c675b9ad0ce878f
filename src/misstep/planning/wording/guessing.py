"""First templates for predicates and actions, guessed from their names by a few rules of English.

They are drafts: docs/own-domain.md lists the rules, and a wording file says it better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

PREPOSITIONS = frozenset(
    (
        *("at", "by", "from", "in", "inside", "into", "near", "of", "on", "onto", "over", "to"),
        *("under", "using", "via", "with"),
    )
)
_TAKES_TO = frozenset(("adjacent", "attached", "close", "connected", "linked", "next", "tied"))
_HELD = frozenset(("carrying", "grasping", "holding"))
_VERBS = {
    "is": ("is", "is not"),
    "not": ("is not", "is"),
    "has": ("has", "does not have"),
    "have": ("has", "does not have"),
    "can": ("can", "cannot"),
}
_JOINED = {
    "attach": "to",
    "connect": "to",
    "give": "to",
    "load": "into",
    "place": "on",
    "put": "on",
    "stack": "on",
    "unload": "from",
    "unstack": "from",
}
_PLACES = {
    **dict.fromkeys(("cell", "harbour", "loc", "location", "place", "port", "pos"), "at"),
    **dict.fromkeys(("position", "site", "spot", "station", "table", "tile"), "at"),
    **dict.fromkeys(("area", "city", "room"), "in"),
}
"""What stands before a parameter that is called so."""

_SWITCHES = ("switch", "turn")
"""What is on, with these, goes to no place."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A fact's template, and the template that denies it."""

    fact: str
    denial: str


def guess_fact(name: str, parameters: Sequence[str]) -> Clause:
    """ "grows-at" → "{plant} grows at {spot}"; a fact about nothing "is the case"."""
    words = as_words(name).split()
    if not parameters:
        said = " ".join(words)
        return Clause(f"{said} is the case", f"{said} is not the case")
    if PREPOSITIONS.issuperset(parameters):
        way = " ".join([*words, *(f"{each} {{{each}}}" for each in parameters)])
        return Clause(f"there is {_article(way)} {way}", f"there is no {way}")
    if words == list(parameters):
        kind = f"{_article(words[0])} {words[0]}"
        return Clause(f"{{{words[0]}}} is {kind}", f"{{{words[0]}}} is not {kind}")
    if len(parameters) == 1 and (doer := _without_doer(words)):
        subject, verb, rest = doer
        said = f"{rest} {{{parameters[0]}}}"
        return Clause(f"{subject} {verb} {said}", f"{subject} {verb} not {said}")
    holds, fails = _verbs(words[0])
    rest = " ".join([*words[1:], *_further_terms(words[-1], parameters[1:])])
    subject = f"{{{parameters[0]}}}"
    return Clause(f"{subject} {holds} {rest}".rstrip(), f"{subject} {fails} {rest}".rstrip())


def guess_action(name: str, parameters: Sequence[str]) -> str:
    """ "drive" → "drive {truck} from {from} to {to}", "put-in" → "put {thing} in {box}"."""
    words = as_words(name).split()
    joint = _JOINED.get(words[0], "with")
    if words[-1] in ("off", "out") and words[0] not in _SWITCHES:
        joint = "from"
    if len(words) > 1 and len(parameters) > 1 and words[-1] in PREPOSITIONS:
        if words[-1] in parameters:
            words.pop()
        elif words[0] not in _SWITCHES and PREPOSITIONS.isdisjoint(parameters):
            joint = words.pop()
    for place, parameter in enumerate(parameters):
        words += [*_before(parameter, place, joint, words[-1]), f"{{{parameter}}}"]
    return " ".join(words)


def _before(parameter: str, place: int, joint: str, last: str) -> list[str]:
    """What stands between the words so far, of which one is `last`, and an action's parameter."""
    if parameter in PREPOSITIONS:
        return [] if last == parameter else [parameter]
    if place == 0:
        return []
    if place == 1 and joint != "with":
        return [joint]
    return [_PLACES.get(parameter.rstrip("0123456789-_"), "with")]


def as_words(name: str) -> str:
    """ "in-city" → "in city"."""
    return " ".join(name.replace("-", " ").replace("_", " ").split()) or name


def _without_doer(words: Sequence[str]) -> tuple[str, str, str] | None:
    """Subject, verb and the rest for a fact whose one object is not what it is about: "standing-at"
    and "holding" tell of the one who acts, "robot-at" of the robot."""
    bare = words[1:] if words[0] == "is" else words
    if bare and bare[-1] in _HELD:
        return "I", "am", " ".join(bare)
    if not bare or bare[-1] not in PREPOSITIONS:
        return None
    if len(bare) == 1 or bare[-2].endswith(("ing", "ed")):
        return "I", "am", " ".join(bare)
    return f"the {' '.join(bare[:-1])}", "is", bare[-1]


def _verbs(word: str) -> tuple[str, str]:
    """How a predicate's first word is said, and how it is denied."""
    if word in _VERBS:
        return _VERBS[word]
    if word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is")):
        return word, f"does not {_base(word)}"
    return f"is {word}", f"is not {word}"


def _base(verb: str) -> str:
    """ "carries" → "carry", "reaches" → "reach", "grows" → "grow"."""
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    if verb.endswith(("ches", "shes", "sses", "xes", "zes", "oes")):
        return verb[:-2]
    return verb[:-1]


def _further_terms(last: str, parameters: Sequence[str]) -> list[str]:
    """The second stands by itself, or after "to"; those after it have "with" before them."""
    said = []
    for place, parameter in enumerate(parameters):
        if parameter in PREPOSITIONS and parameter != last:
            said.append(parameter)
        elif place > 0:
            said.append("with")
        elif last in _TAKES_TO:
            said.append("to")
        said.append(f"{{{parameter}}}")
    return said


def _article(words: str) -> str:
    return "an" if words[0] in "aeiou" else "a"
