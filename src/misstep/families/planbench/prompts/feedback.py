"""What is said back to a reply in the feedback arm: the validator's finding, in words."""

from __future__ import annotations

from misstep.core.items import Item
from misstep.core.outcomes import Outcome, Reply
from misstep.families.planbench.prompts.answers import said_facts
from misstep.families.planbench.prompts.statements import NOT_A_PLAN
from misstep.families.planbench.reading.plans import read_reply
from misstep.families.planbench.score import score
from misstep.families.planbench.spec import PlanbenchPayload
from misstep.families.planbench.texts import book_of, problem_of
from misstep.planning.model import Step, step_text
from misstep.planning.running import Verdict
from misstep.planning.validation import Validation, validate
from misstep.planning.wording import WordingError, say_action

AGAIN = "Please answer again, in the same form."
WRONG = "That answer is not right."
UNREAD = "No answer in the form asked for was found."
NO_PLAN_WRONG = "A plan exists."
DEARER = "This plan reaches the goal, but there is one that costs less."


def feedback(item: Item[PlanbenchPayload], reply: Reply) -> str | None:
    """None where the reply is right or refuses, and the conversation is over."""
    scored = score(item, reply)
    if scored.outcome in (Outcome.CORRECT, Outcome.REFUSED):
        return None
    if scored.outcome is not Outcome.WRONG:
        return f"{UNREAD} {AGAIN}"
    if item.payload.test in NOT_A_PLAN:
        return f"{WRONG} {AGAIN}"
    return f"{_finding(item.payload, reply)} {AGAIN}"


def _finding(payload: PlanbenchPayload, reply: Reply) -> str:
    plan = read_reply(payload, reply).plan
    if plan is None:
        return NO_PLAN_WRONG
    found = validate(problem_of(payload.domain, payload.problem), plan)
    if found.is_valid:
        return DEARER
    if found.failed_step is None:
        return f"The plan misses the goal. Unmet goals: {_facts(payload, found)}."
    step = plan[found.failed_step]
    return (
        f"Action {found.failed_step + 1} of the plan ({_said(payload, step)}) cannot be executed. "
        f"{_why(payload, found)}"
    )


def _why(payload: PlanbenchPayload, found: Validation) -> str:
    """The first fault of the failing step."""
    if found.verdict is Verdict.PRECONDITION_FAILED:
        return f"Unmet preconditions: {_facts(payload, found)}."
    return {
        Verdict.UNKNOWN_ACTION: "There is no such action.",
        Verdict.UNKNOWN_OBJECT: "It names an object that does not exist.",
        Verdict.WRONG_ARITY: "It has too many or too few objects.",
        Verdict.WRONG_TYPE: "It cannot be done with objects of these kinds.",
    }[found.verdict]


def _facts(payload: PlanbenchPayload, found: Validation) -> str:
    book = book_of(payload.domain, payload.words, payload.wording, payload.problem)
    return said_facts(book, found.unmet)


def _said(payload: PlanbenchPayload, step: Step) -> str:
    """In words where it can be put in words."""
    book = book_of(payload.domain, payload.words, payload.wording, payload.problem)
    try:
        return say_action(book, step)
    except WordingError:
        return step_text(step)
