"""Apartments as people meet them: statements one by one, then a choice, at once or later."""

from __future__ import annotations

from misstep.core.items import Item
from misstep.families.apartments import FAMILY
from misstep.families.apartments.prompts import QUESTION, parts
from misstep.families.apartments.spec import SPEC, ApartmentsPayload
from misstep.study.screens import Ask, NBack, Page, Part, Stream
from misstep.study.trials.nouns import DELIBERATE, DIRECT, DISTRACT, HumanArm, Timing, Trial
from misstep.study.trials.pieces.asking import (
    MEMORY_ALONE,
    ask,
    paragraphs,
    question,
    right_or_wrong,
    write,
)
from misstep.study.trials.pieces.stages import Role, Stage, Staged
from misstep.study.trials.pieces.timing import said, timed

LETTER_MS, GAP_MS = 2_000, 500
"""Of each letter of the n-back, and between two: 50 seconds for the 20 letters of an item."""

DEFAULTS = Timing(deadline=20_000, deliberate=50_000, each=1_000)
"""`deliberate` is as long as the n-back of 20 letters takes."""

ARMS = (
    HumanArm(DIRECT, "a choice at once", "direct"),
    HumanArm(DELIBERATE, "reasons are written down before the choice", "cot"),
    HumanArm(DISTRACT, "an n-back task of letters before the choice", "n-back"),
)
REASONS = (
    "Please think carefully about the four apartments, in writing, before you choose. You choose "
    "on the next page."
)
TASK = (
    "Before you choose, please do another task: letters appear one after the other, and some are "
    "to be pressed for."
)
"""For which, the n-back's own screen says."""

RATINGS = (
    "The number behind a statement says how much the tenant likes or dislikes it, from -5 to +5."
)
CHECKS = (
    question(
        "what",
        "What do the statements describe?",
        "four",
        one="One apartment",
        four="Four apartments, each statement one of them",
        people="People who look for an apartment",
    ),
    question(
        "then",
        "What is asked of you in the end?",
        "best",
        best="To choose the apartment that is most desirable",
        recall="To write down all statements that you remember",
        count="To count the statements of each apartment",
    ),
)


def instructions(arm: str, timing: Timing) -> tuple[Part, ...]:
    times = timed(DEFAULTS, timing)
    return paragraphs(
        "You will see statements about four apartments. Each says which apartment "
        f"it is about, stays for {said(times.each or 0)}, and is not shown again. There are many "
        "of them. Then you are asked which apartment is most desirable to a tenant.",
        f"{MEMORY_ALONE} Please see to it that nothing disturbs you while the statements run.",
        _how(arm, times),
    )


def stages(item: Item[ApartmentsPayload], arm: str, timing: Timing) -> tuple[Stage, ...]:
    times, payload = timed(DEFAULTS, timing), item.payload
    shown = (
        Stage(Role.SHOWN, lambda: _ready(payload, times)),
        Stage(Role.SHOWN, lambda: _statements(item, times)),
    )
    answer = Stage(Role.ANSWER, lambda: _choice(times.deadline if arm == DIRECT else None))
    match arm:
        case "direct":
            return (*shown, answer)
        case "deliberate":
            reasons = Stage(Role.REASONS, lambda: write((), REASONS, times.deliberate))
            return (*shown, reasons, answer)
        case "distract":
            return (*shown, Stage(Role.DISTRACTION, lambda: _n_back(payload)), answer)
    raise ValueError(f"apartments has no human arm {arm!r}")


def _ready(payload: ApartmentsPayload, times: Timing) -> Page:
    number = len(payload.order)
    length = said(round(number * (times.each or 0), -3))
    ready = f"{number} statements about four apartments come next, for {length} in all."
    return Page(paragraphs(ready, *((RATINGS,) if payload.shows_ratings else ())))


def _statements(item: Item[ApartmentsPayload], times: Timing) -> Stream:
    """In the item's order, in the words that models read."""
    return Stream(paragraphs(*parts(item)["statements"].split("\n")), each_ms=times.each or 0)


def _choice(deadline: int | None) -> Ask:
    return ask((), QUESTION, SPEC.vocabulary.answers, deadline)


def _n_back(payload: ApartmentsPayload) -> NBack:
    """The item's own letters, which the models' arm n-back shows as well."""
    return NBack(
        tuple(payload.letters),
        payload.back,
        each_ms=LETTER_MS,
        gap_ms=GAP_MS,
        body=paragraphs(TASK),
    )


def _how(arm: str, times: Timing) -> str:
    if arm == DELIBERATE:
        return (
            "Before you choose, you are asked to think about the apartments in writing, for at "
            f"least {said(times.deliberate or 0)}. Then you choose, in your own time."
        )
    if arm == DISTRACT:
        return (
            "Before you choose, you are asked to do another task, with letters, which is explained "
            "then. After that you choose, in your own time."
        )
    time = f" You have {said(times.deadline)} for it." if times.deadline else ""
    return f"Please choose at once when the last statement is gone, by your impression.{time}"


_STAGED = Staged(FAMILY, stages)
TRIAL: Trial[ApartmentsPayload] = Trial(
    family=SPEC.name,
    arms=ARMS,
    instructions=instructions,
    checks=CHECKS,
    screen=_STAGED.screen,
    judge=_STAGED.judge,
    feedback=right_or_wrong,
    solve=_STAGED.solve,
    defaults=DEFAULTS,
)
