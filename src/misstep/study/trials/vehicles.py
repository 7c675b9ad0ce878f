"""Vehicles as people meet them: one by one, with feedback, until a whole pass is right.

What is asked and what comes of it is the family's own conversation (`core.conversation`), heard
again from the answers so far, as a log of a model's is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from misstep.core.conversation import Heard, Turn
from misstep.core.items import Item
from misstep.core.outcomes import Outcome, Reply
from misstep.families.vehicles import FAMILY
from misstep.families.vehicles.conversation import CONVERSATION
from misstep.families.vehicles.prompts import QUESTION, description, feedback, prompt
from misstep.families.vehicles.spec import CLASSES, MOST_PASSES, SIZE, SPEC, VehiclesPayload
from misstep.study.screens import Json, Page, Part, Screen, Write
from misstep.study.trials.nouns import DIRECT, Given, HumanArm, Judged, Timing, Trial
from misstep.study.trials.pieces.asking import (
    MEMORY_ALONE,
    ask,
    paragraphs,
    question,
    write,
)
from misstep.study.trials.pieces.going_on import going_on
from misstep.study.trials.pieces.stages import (
    answer_of,
    common_details,
    robot_text,
    scored,
    solver_of,
)
from misstep.study.trials.pieces.timing import said, timed

DEFAULTS = Timing(deadline=20_000, deliberate=10_000)
"""The deadline holds in both arms, which differ in nothing but the explanation."""

EXPLAIN = "explain"
ARMS = (
    HumanArm(DIRECT, "the right class is told after each answer", "direct"),
    HumanArm(EXPLAIN, "likewise, and then explained in writing", EXPLAIN),
)
"""Their names are the family's wordings as well."""

CHECKS = (
    question(
        "feedback",
        "What happens after each of your answers?",
        "told",
        told="I am told which class is right",
        nothing="Nothing, the next vehicle comes at once",
        score="I see how many points I have",
    ),
    question(
        "end",
        "When is it over?",
        "all",
        once="When each vehicle was shown once",
        all="When I was right about all ten in one round, or after the last round",
        time="After ten minutes",
    ),
)
_NEITHER = "-"
_Heard = list[Heard[VehiclesPayload]]


def instructions(arm: str, timing: Timing) -> tuple[Part, ...]:
    times = timed(DEFAULTS, timing)
    limit = f" You have {said(times.deadline)} for each answer." if times.deadline else ""
    return paragraphs(
        f"There are {SIZE} vehicles. Each belongs to Class A or to Class B, and you are to learn "
        "which. They are described one at a time; you answer A or B, and are then told which "
        f"class is right. At first you can only guess.{limit}",
        f"The same {SIZE} vehicles come again, round after round, in a new order each time. It is "
        f"over when you were right about all {SIZE} in one round, or after {MOST_PASSES} rounds. "
        f"{MEMORY_ALONE}",
        _after(arm, times),
    )


def screen(
    item: Item[VehiclesPayload], arm: str, timing: Timing, given: Sequence[Given]
) -> Screen | None:
    """Vehicle and what is said of the answer take turns, so the second screen, the fourth and so
    on are feedback; in the arm `explain` the explanation is asked for on the same screen."""
    times = timed(DEFAULTS, timing)
    heard = _heard(item, arm, given)
    turn = CONVERSATION.next(item, arm, heard)
    if len(given) % 2:
        return _told(heard, turn, times)
    if turn is None:
        return None
    return ask(_vehicle(turn.item.payload), QUESTION, CLASSES, times.deadline)


def judge(item: Item[VehiclesPayload], arm: str, given: Sequence[Given]) -> Judged:
    heard = _heard(item, arm, given)
    replies = [one.score.answer or _NEITHER for one in heard if one.score is not None]
    starts = range(0, len(replies), SIZE)
    passes = "\n".join(" ".join(replies[start : start + SIZE]) for start in starts)
    explained = "".join(str(one.answer["text"]).strip() for one in given if "text" in one.answer)
    details = common_details(arm, given[::2], explained)
    return Judged(CONVERSATION.score(item, heard), passes, details)


def solve(
    item: Item[VehiclesPayload], arm: str, given: Sequence[Given], solver: str
) -> Mapping[str, Json]:
    heard = _heard(item, arm, given)
    turn = CONVERSATION.next(item, arm, heard)
    if len(given) % 2:
        told = _told(heard, turn, DEFAULTS)
        return {"text": robot_text(solver)} if isinstance(told, Write) else going_on(told)
    if turn is None:
        raise ValueError(f"{item.id}: the trial is over")
    return {"value": solver_of(FAMILY, solver)(turn.item).answer}


def learned(item: Item[VehiclesPayload], judged: Judged) -> tuple[Part, ...]:
    """What is said after a practice trial."""
    if judged.score.outcome is Outcome.CORRECT:
        return paragraphs(f"You were right about all {SIZE} vehicles.")
    return paragraphs(f"That was the last round; you weren’t right about all {SIZE} in any.")


def _heard(item: Item[VehiclesPayload], arm: str, given: Sequence[Given]) -> _Heard:
    """All turns of which there is a reply. An explanation is a turn of its own; that the feedback
    was read is none."""
    if arm not in (DIRECT, EXPLAIN):
        raise ValueError(f"vehicles has no human arm {arm!r}")
    replies = given if arm == EXPLAIN else given[::2]

    def hear(number: int, turn: Turn[VehiclesPayload]) -> Heard[VehiclesPayload] | None:
        if number >= len(replies):
            return None
        one = replies[number]
        if not turn.is_answer:
            return Heard(turn, Reply(str(one.answer["text"])), None)
        return Heard(turn, Reply(answer_of(one) or ""), scored(FAMILY, turn.item, one))

    return CONVERSATION.play(item, arm, hear)


def _told(heard: _Heard, turn: Turn[VehiclesPayload] | None, times: Timing) -> Page | Write:
    """What is said of the last answer, with its vehicle, and the request to explain its class."""
    last = heard[-1]
    before = last.turn.item.payload
    answer = last.score.answer if last.score else None
    after = replace(before, answers=(*before.answers, answer))
    body = (*_vehicle(before), *paragraphs(feedback(after)))
    if turn is not None and not turn.is_answer:
        return write(body, prompt(turn.item, EXPLAIN), times.deliberate)
    return Page(body)


def _vehicle(payload: VehiclesPayload) -> tuple[Part, ...]:
    return paragraphs(description(payload, payload.current))


def _after(arm: str, times: Timing) -> str:
    if arm == EXPLAIN:
        return (
            "Each time you were told the right class, you are asked to explain in writing why the "
            f"vehicle is of that class, for at least {said(times.deliberate or 0)}."
        )
    return "Each time you were told the right class, go on to the next vehicle when you are ready."


TRIAL: Trial[VehiclesPayload] = Trial(
    family=SPEC.name,
    arms=ARMS,
    instructions=instructions,
    checks=CHECKS,
    screen=screen,
    judge=judge,
    feedback=learned,
    solve=solve,
    defaults=DEFAULTS,
)
