"""What is said after a practice trial: what the validator found, and a plan that is right."""

from __future__ import annotations

from misstep.core.items import Item
from misstep.core.outcomes import Outcome, Reply
from misstep.families.planbench.prompts.answers import said_facts
from misstep.families.planbench.reading.plans import read_reply
from misstep.families.planbench.spec import PlanbenchPayload
from misstep.families.planbench.texts import book_of, problem_of, steps_of
from misstep.planning.validation import validate
from misstep.planning.wording import say_action, say_plan
from misstep.study.screens import Part
from misstep.study.trials.nouns import Judged

VALID = "Your plan reaches the goal."
DEARER = "Your plan reaches the goal, but there is one that costs less."


def feedback(item: Item[PlanbenchPayload], judged: Judged) -> tuple[Part, ...]:
    payload = item.payload
    book = book_of(payload.domain, payload.words, payload.wording, payload.problem)
    shown = say_plan(book, steps_of(payload.answer))
    one = Part("text", "A plan that reaches it:")
    return (Part("text", _finding(payload, judged)), one, Part("mono", shown))


def _finding(payload: PlanbenchPayload, judged: Judged) -> str:
    book = book_of(payload.domain, payload.words, payload.wording, payload.problem)
    plan = read_reply(payload, Reply(judged.reply, "stop")).plan or ()
    found = validate(problem_of(payload.domain, payload.problem), plan)
    if found.is_valid:
        return VALID if judged.score.outcome is Outcome.CORRECT else DEARER
    unmet = said_facts(book, found.unmet)
    if found.failed_step is None:
        return f"Your plan does not reach the goal. What is missing: {unmet}."
    said = say_action(book, plan[found.failed_step])
    return (
        f"Action {found.failed_step + 1} of your plan ({said}) can't be done when its turn comes. "
        f"What it would need: {unmet}."
    )
