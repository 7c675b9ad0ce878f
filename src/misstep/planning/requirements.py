"""The requirements of PDDL: which are kept, and what belongs to those that are refused."""

from __future__ import annotations

from misstep.planning.errors import PddlError
from misstep.planning.lexing import Tokens, quoted

SUPPORTED = (
    ":strips",
    ":typing",
    ":equality",
    ":negative-preconditions",
    ":disjunctive-preconditions",
    ":existential-preconditions",
    ":universal-preconditions",
    ":quantified-preconditions",
    ":conditional-effects",
    ":adl",
    ":action-costs",
    ":numeric-fluents",
    ":fluents",
)

REFUSED = (
    ":action-expansions",
    ":constraints",
    ":continuous-effects",
    ":derived-predicates",
    ":domain-axioms",
    ":durative-actions",
    ":duration-inequalities",
    ":foreach-expansions",
    ":goal-utilities",
    ":hierarchy",
    ":method-preconditions",
    ":multi-agent",
    ":non-deterministic",
    ":object-fluents",
    ":open-world",
    ":partial-observability",
    ":preferences",
    ":probabilistic-effects",
    ":rewards",
    ":safety-constraints",
    ":time",
    ":timed-effects",
    ":timed-initial-literals",
    ":true-negation",
    ":ucpop",
)

SECTIONS = {
    ":durative-action": ":durative-actions",
    ":duration": ":durative-actions",
    ":derived": ":derived-predicates",
    ":axiom": ":domain-axioms",
    ":constraints": ":constraints",
    ":process": ":time",
    ":event": ":time",
    ":task": ":hierarchy",
    ":method": ":hierarchy",
    ":htn": ":hierarchy",
}
"""Sections and parts of actions that only a refused requirement has."""

WORDS = {
    "preference": ":preferences",
    "always": ":constraints",
    "sometime": ":constraints",
    "within": ":constraints",
    "at-most-once": ":constraints",
    "sometime-after": ":constraints",
    "sometime-before": ":constraints",
    "always-within": ":constraints",
    "hold-during": ":constraints",
    "hold-after": ":constraints",
    "probabilistic": ":probabilistic-effects",
    "oneof": ":non-deterministic",
    "is-violated": ":preferences",
    "total-time": ":durative-actions",
}
"""Heads of formulas, effects and expressions likewise, where no predicate has that name."""


def read_requirements(tokens: Tokens, start: int) -> tuple[str, ...]:
    """The section `(:requirements …)` that opens at `start`."""
    parts = tokens.after_head(start)
    for index in parts:
        word = tokens.words[index]
        if word in REFUSED:
            raise refused(tokens, index, word)
        if word not in SUPPORTED:
            found = f"unknown requirement {quoted(word)}"
            raise tokens.error(index, found, "one of " + " ".join(SUPPORTED))
    return tuple(dict.fromkeys(tokens.words[index] for index in parts))


def refused(tokens: Tokens, index: int, requirement: str) -> PddlError:
    """Something that stands at `index` needs a requirement that is not kept."""
    word = tokens.words[index]
    needs = "" if word == requirement else f"{quoted(word)} needs "
    return tokens.error(index, f"{needs}requirement {requirement}, which is not supported")
