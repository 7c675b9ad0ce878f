"""Where a person stands: from what is kept of them, by the pure functions of `course`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from misstep.study.course.judging import bonus
from misstep.study.course.nouns import Ending, Step, Study
from misstep.study.course.texts import said
from misstep.study.course.way import end, ending, step
from misstep.study.screens import End, Part, plain
from misstep.study.store.answers import END, Next
from misstep.study.store.nouns import Kept, Participant, Refusal, State
from misstep.study.trials.nouns import Given

_REFUSALS = {Refusal.FULL: "full", Refusal.CLOSED: "closed", Refusal.PAUSED: "not_open"}
"""The words that say so."""


@dataclass(frozen=True)
class Standing:
    """`marks` are those of the answers that are kept, by key. `shown` is the step as JSON text,
    without whether the study is paused."""

    who: Participant
    given: tuple[Given, ...]
    marks: Mapping[str, str]
    step: Step
    shown: str

    def has(self, key: str, once: str) -> bool:
        """Whether this very sending is kept already."""
        return self.marks.get(key) == once


def standing(study: Study, who: Participant, kept: Sequence[Kept]) -> Standing:
    given = tuple(one.sent.given for one in kept)
    marks = {one.sent.given.key: one.sent.once for one in kept}
    at = step(study, who.slot, given)
    if who.state is not State.UNDER_WAY:
        at = _ended(study, who, at, Ending(who.state.value), who.bonus)
    return Standing(who, given, marks, at, _text(at))


def moved(study: Study, before: Standing, given: Given, once: str) -> tuple[Standing, Next]:
    """Where the person stands after one more answer, and what the store is to note of it."""
    answers = (*before.given, given)
    at = step(study, before.who.slot, answers)
    over = ending(study, before.who.slot, answers)
    who, earned = before.who, None
    if over is not None:
        earned = bonus(study, who.slot, answers) if over is Ending.COMPLETE else None
        who = replace(who, state=State(over.value), bonus=earned)
        at = _ended(study, who, at, over, earned)
    after = Standing(who, answers, {**before.marks, given.key: once}, at, _text(at))
    return after, Next(at.key, who.state, earned)


def refused(study: Study, refusal: Refusal) -> str:
    """The last screen of somebody who never entered, as JSON text like `Standing.shown`."""
    ending = "full" if refusal is Refusal.FULL else "closed"
    body = (Part("text", said(study, _REFUSALS[refusal])),)
    return _text(Step(END, "end", End(ending, body, title=study.title), 0, 0))


def with_pause(shown: str, *, is_paused: bool) -> str:
    """The step as the page gets it."""
    return f'{shown[:-1]}, "paused": {json.dumps(is_paused)}}}'


def _ended(study: Study, who: Participant, at: Step, over: Ending, earned: float | None) -> Step:
    screen = end(study, over, earned)
    if over is not Ending.NO_CONSENT:
        number = Part("text", said(study, "number", number=who.public))
        screen = replace(screen, body=(*screen.body, number))
    return Step(END, "end", screen, at.done, at.total)


def _text(at: Step) -> str:
    return json.dumps(
        {
            "key": at.key,
            "part": at.part,
            "done": at.done,
            "total": at.total,
            "trial": at.trial,
            "screen": plain(at.screen),
        }
    )
