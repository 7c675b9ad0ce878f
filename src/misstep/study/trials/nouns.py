"""A family's side of a study: what of an item is shown to a person, and what their answers mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from misstep.core.items import Item, Scalar
from misstep.core.options import OptionValue
from misstep.core.outcomes import Score
from misstep.study.screens import CheckQuestion, Json, Part, Screen

P = TypeVar("P")
DIRECT, DELIBERATE, DISTRACT = "direct", "deliberate", "distract"


@dataclass(frozen=True)
class Given:
    """What a person answered to one screen, as it is kept.

    `key` names the screen within this person's way through the study; within a trial it ends in
    the number of the trial's screen, from 0. `rt_ms` is the time from the screen's first drawing
    to the answer by the browser's clock, None where it isn't known.
    """

    key: str
    answer: Mapping[str, Json]
    rt_ms: float | None = None


@dataclass(frozen=True)
class HumanArm:
    """A way in which people are asked. `counterpart` is the family's arm for models beside which
    its records stand, so that an effect on people and one on a model have one name; "" where no
    model is asked like that, so that the arm keeps its own name."""

    name: str
    about: str
    counterpart: str = ""


@dataclass(frozen=True)
class Timing:
    """Milliseconds, as the study file has them. `deadline` of an answer in a direct arm (0: none),
    `deliberate` the least time for reasons, `each` of things shown one after another, `memorise`
    for what is to be kept in mind. None in a study: the family's own default; None in a family's
    defaults: it has no such time, and a study file can't set it."""

    deadline: int | None = None
    deliberate: int | None = None
    each: int | None = None
    memorise: int | None = None


@dataclass(frozen=True)
class CheckedQuestion:
    """A question whether the instructions were understood, with its right answer."""

    question: CheckQuestion
    right: str


@dataclass(frozen=True)
class Judged:
    """What a trial came to. `reply` is what the family's own score read, `details` what only a
    person's record has: times, free text's own reading, and the like."""

    score: Score
    reply: str
    details: Mapping[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True)
class Trial(Generic[P]):
    """A family as people meet it; all of it is pure, so that a stored study can be judged again.

    `instructions(arm, timing)` is shown before the first trial, `checks` are asked after it.
    `screen(item, arm, timing, given)` is the trial's next screen after these answers, None when
    the trial is over; it never holds what a person mustn't know yet. `judge(item, arm, given)` is
    what a finished trial came to, by the family's own score. `feedback(item, judged)` is said
    after a practice trial. `options` are the family's options (`-T`) that studies take unless
    their file says otherwise. `defaults` are the times where the study has none.
    `solve(item, arm, given, solver)` is the answer to the trial's next screen that the family's
    reference solver of that name makes: robots answer with it.
    `opening(item, arm, timing)` are the screens shown once before a trial that is the first of
    its item's group in the person's way (practice likewise): what the group has in common, such
    as a grammar's training strings. Their answers are kept but never judged: neither `screen` nor
    `judge` is given them.
    """

    family: str
    arms: tuple[HumanArm, ...]
    instructions: Callable[[str, Timing], tuple[Part, ...]]
    checks: tuple[CheckedQuestion, ...]
    screen: Callable[[Item[P], str, Timing, Sequence[Given]], Screen | None]
    judge: Callable[[Item[P], str, Sequence[Given]], Judged]
    feedback: Callable[[Item[P], Judged], tuple[Part, ...]]
    solve: Callable[[Item[P], str, Sequence[Given], str], Mapping[str, Json]]
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    defaults: Timing = Timing()
    opening: Callable[[Item[P], str, Timing], tuple[Screen, ...]] = lambda item, arm, timing: ()
