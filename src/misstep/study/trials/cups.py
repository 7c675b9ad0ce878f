"""Cups as people meet them: a picture of two glasses, and a mark to choose."""

from __future__ import annotations

from functools import lru_cache

from misstep.core.items import Item
from misstep.core.pictures import Picture
from misstep.families.cups import FAMILY
from misstep.families.cups.drawing import png
from misstep.families.cups.prompts import ALT
from misstep.families.cups.spec import SPEC, CupsPayload
from misstep.study.screens import Page, Part, Write
from misstep.study.trials.nouns import DELIBERATE, DIRECT, HumanArm, Timing, Trial
from misstep.study.trials.pieces.asking import (
    REASONS,
    ask,
    at_once,
    paragraphs,
    question,
    reasons_first,
    right_or_wrong,
    write,
)
from misstep.study.trials.pieces.pictures import picture_part
from misstep.study.trials.pieces.stages import Role, Stage, Staged
from misstep.study.trials.pieces.timing import said, timed

DEFAULTS = Timing(deadline=20_000, deliberate=20_000)
IMAGINE = "imagine"
ARMS = (
    HumanArm(DIRECT, "an answer at once", "direct"),
    HumanArm(DELIBERATE, "reasons are written down before the answer", "cot"),
    HumanArm(IMAGINE, "tilting both glasses is imagined before the answer"),
)
QUESTION = (
    "Which marking should the target glass be filled to, so that both glasses pour at the same "
    "angle?"
)
TILT = (
    "Imagine that you hold both glasses and tilt them until the water reaches the rim, with the "
    "target glass filled to one marking after another. Close your eyes if it helps."
)
CHECKS = (
    question(
        "chosen",
        "What is to be chosen?",
        "target",
        pour="How much water to pour out of the left glass",
        target="To which marking the right glass should be filled",
        bigger="Which of the two glasses holds more",
    ),
    question(
        "angle",
        "When do both glasses pour at the same angle?",
        "rim",
        amount="When they hold equally much water",
        height="When the water stands equally high in them",
        rim="When their water reaches the rim at the same tilt",
    ),
)


def instructions(arm: str, timing: Timing) -> tuple[Part, ...]:
    return paragraphs(
        "Each picture shows two rectangular glasses. The left one holds water up to the blue "
        "line. The right one, the target glass, is empty and has four markings, A to D.",
        "When a glass is tilted, it begins to pour at the angle at which its water reaches the "
        "rim. You are asked to which marking the target glass should be filled, so that both "
        "glasses pour at the same angle. Please use no paper, ruler or calculator.",
        _how(arm, timed(DEFAULTS, timing)),
    )


def stages(item: Item[CupsPayload], arm: str, timing: Timing) -> tuple[Stage, ...]:
    times, payload = timed(DEFAULTS, timing), item.payload
    deadline = times.deadline if arm == DIRECT else None
    answer = Stage(
        Role.ANSWER,
        lambda: ask((_drawn(payload),), QUESTION, SPEC.vocabulary.answers, deadline),
    )
    match arm:
        case "direct":
            return (answer,)
        case "deliberate":
            return (Stage(Role.REASONS, lambda: _reasons(payload, times)), answer)
        case "imagine":
            return (Stage(Role.SHOWN, lambda: _imagined(payload, times)), answer)
    raise ValueError(f"cups has no human arm {arm!r}")


def _reasons(payload: CupsPayload, times: Timing) -> Write:
    return write((_drawn(payload), *paragraphs(QUESTION)), REASONS, times.deliberate)


def _imagined(payload: CupsPayload, times: Timing) -> Page:
    body = (*paragraphs(TILT), _drawn(payload), *paragraphs(QUESTION))
    return Page(body, min_ms=times.deliberate or 0)


@lru_cache(maxsize=1024)
def _drawn(payload: CupsPayload) -> Part:
    """Kept, as drawing takes some 40 ms and every person of a study meets the same few."""
    return picture_part(Picture("cups.png", ALT, lambda: png(payload)))


def _how(arm: str, times: Timing) -> str:
    if arm == IMAGINE:
        return (
            "Before each answer you are asked to imagine, for at least "
            f"{said(times.deliberate or 0)}, that you hold both glasses and tilt them. Then you "
            "answer, in your own time."
        )
    return reasons_first(times.deliberate) if arm == DELIBERATE else at_once(times.deadline)


_STAGED = Staged(FAMILY, stages)
TRIAL: Trial[CupsPayload] = Trial(
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
