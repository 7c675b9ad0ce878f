"""Faces as people meet them: a face, then words or something else, then five faces to choose of."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

from misstep.core.items import Item
from misstep.families.faces import FAMILY
from misstep.families.faces.generate import pictures
from misstep.families.faces.spec import SPEC, FacesPayload
from misstep.study.screens import Ask, Page, Part, Stream
from misstep.study.trials.nouns import DIRECT, HumanArm, Timing, Trial
from misstep.study.trials.pieces.asking import (
    MEMORY_ALONE,
    ask,
    paragraphs,
    question,
    right_or_wrong,
    write,
)
from misstep.study.trials.pieces.pictures import picture_part
from misstep.study.trials.pieces.stages import Role, Stage, Staged
from misstep.study.trials.pieces.timing import said, timed

DEFAULTS = Timing(deadline=0, deliberate=30_000, memorise=5_000)
"""`deliberate` is the least time of the description and of what is done in its place; a deadline
holds for the choice in both arms."""

DESCRIBE = "describe"
ARMS = (
    HumanArm(DIRECT, "something else is written for as long, then the choice", "direct"),
    HumanArm(DESCRIBE, "the face is described in writing, then the choice", "cot"),
)
NEXT = "A picture of a person comes next. You see it once."
DESCRIPTION = (
    "Please describe the face of the person that you just saw, in as much detail as you can."
)
COUNTRIES = "Please list countries and their capitals, as many as you can."
"""What is done in place of a description, as in studies with people: words, but of no face."""

QUESTION = "Select the picture that shows the same person as the first picture."
CHECKS = (
    question(
        "choice",
        "What are you asked to choose at the end?",
        "same",
        same="The picture that shows the person seen before",
        best="The picture that is the best portrait",
        other="The picture that fits the others least",
    ),
    question(
        "picture",
        "What of the five pictures is true?",
        "another",
        identical="One of them is the very picture seen before",
        another="One of them is another picture of the person seen before",
        none="It may be that none of them shows the person seen before",
    ),
)


def instructions(arm: str, timing: Timing) -> tuple[Part, ...]:
    times = timed(DEFAULTS, timing)
    between = (
        "describe the person’s face in writing"
        if arm == DESCRIBE
        else "list countries and their capitals"
    )
    limit = f" You have {said(times.deadline)} for it." if times.deadline else ""
    return paragraphs(
        f"You will see a picture of a person for {said(times.memorise or 0)}. Then you are asked "
        f"to {between}, for at least {said(times.deliberate or 0)}.",
        "After that you see five other pictures, numbered 1 to 5. One of them shows the person "
        f"seen before; the others show other people. Select that one.{limit}",
        f"All this may come several times, each time with another person. {MEMORY_ALONE}",
    )


def stages(item: Item[FacesPayload], arm: str, timing: Timing) -> tuple[Stage, ...]:
    times = timed(DEFAULTS, timing)
    match arm:
        case "direct":
            role, label = Role.FILLER, COUNTRIES
        case "describe":
            role, label = Role.REASONS, DESCRIPTION
        case _:
            raise ValueError(f"faces has no human arm {arm!r}")
    return (
        Stage(Role.SHOWN, lambda: Page(paragraphs(NEXT))),
        Stage(Role.SHOWN, lambda: _face(item, times)),
        Stage(role, lambda: write((), label, times.deliberate)),
        Stage(Role.ANSWER, lambda: _choice(item, times)),
    )


def _face(item: Item[FacesPayload], times: Timing) -> Stream:
    return Stream((_shown(_Problem(item.payload, item))[0],), each_ms=times.memorise or 0)


def _choice(item: Item[FacesPayload], times: Timing) -> Ask:
    answers = SPEC.vocabulary.answers
    numbered = zip(answers, _shown(_Problem(item.payload, item))[1:], strict=True)
    body = tuple(replace(part, caption=number) for number, part in numbered)
    return ask(body, QUESTION, answers, times.deadline)


@dataclass(frozen=True)
class _Problem:
    """An item, known by its payload."""

    payload: FacesPayload
    item: Item[FacesPayload] = field(compare=False)


@lru_cache(maxsize=512)
def _shown(problem: _Problem) -> tuple[Part, ...]:
    """Checked and encoded once, as many people see the same faces."""
    return tuple(picture_part(picture) for picture in pictures(problem.item))


_STAGED = Staged(FAMILY, stages)
TRIAL: Trial[FacesPayload] = Trial(
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
