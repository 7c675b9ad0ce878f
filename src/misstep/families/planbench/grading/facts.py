"""States: the exact set of facts that can change, with precision and recall."""

from __future__ import annotations

from misstep.core.outcomes import Outcome, Reply, Score
from misstep.families.planbench.grading.unanswered import books_of, unanswered
from misstep.families.planbench.reading.blocks import answer_block
from misstep.families.planbench.reading.facts import facts_said, last_listed
from misstep.families.planbench.spec import PlanbenchPayload
from misstep.families.planbench.texts import domain_of, problem_of
from misstep.planning.joining import fluent_predicates


def score_execution(payload: PlanbenchPayload, reply: Reply) -> Score:
    """A fact that no action can change may be stated or left out, and is wrong where it is false.

    Lines that are no facts make a reply unparsed only inside of a marked answer; outside, they
    are its prose.
    """
    block = answer_block(reply)
    if block is None:
        return unanswered(reply)
    read = facts_said if block.is_marked else last_listed
    said = read(block.text, books_of(payload))
    if not said.holding or (block.is_marked and said.unread):
        return unanswered(reply, said.unread[0] if said.unread and block.is_marked else None)
    truth = set(payload.answer)
    stated = set(said.holding)
    counted = stated - unchanging(payload)
    hits = len(counted & truth)
    is_right = counted == truth and not truth & set(said.denied)
    outcome = Outcome.CORRECT if is_right else Outcome.WRONG
    details = {
        "precision": round(hits / len(counted), 4) if counted else 0.0,
        "recall": round(hits / len(truth), 4) if truth else 1.0,
        "facts_missing": " ".join(sorted(truth - counted)) or None,
        "facts_surplus": " ".join(sorted(counted - truth)) or None,
    }
    span = (block.start, block.start + len(block.text))
    return Score(outcome, float(is_right), " ".join(said.holding), None, span, details)


def unchanging(payload: PlanbenchPayload) -> set[str]:
    """The problem's facts of predicates that no action changes."""
    changing = fluent_predicates(domain_of(payload.domain))
    start = problem_of(payload.domain, payload.problem).init
    return {atom.text for atom in start if atom.predicate not in changing}
