"""A person's way through a study: the next screen, from all answers so far and nothing else.

So a way can be gone on with after a reload, a killed server or a year, and judged again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from misstep.core.items import Item
from misstep.study.course.drawing import ArmTrials, drawn
from misstep.study.course.nouns import Block, Ending, Planned, Step, Study
from misstep.study.course.texts import rendered, said
from misstep.study.screens import Check, Choice, End, Page, Part, Screen
from misstep.study.trials.every import trial
from misstep.study.trials.nouns import Given

YES, NO = "yes", "no"
Answers = Mapping[str, Given]


@dataclass(frozen=True)
class _Text:
    """A page that is the same whatever was answered."""

    key: str
    part: str
    page: Page


@dataclass(frozen=True)
class _Checking:
    """The comprehension check of a block, after the instructions of its first arm."""

    key: str
    block: Block
    arm: str


@dataclass(frozen=True)
class _Trying:
    """One trial. `number` is its place among the way's trials, None of practice; `opens` where it
    is the first of its group here."""

    key: str
    block: int
    asked: Block
    arm: str
    item: Item[Any]  # Any: a study serves families of every payload
    number: int | None
    opens: bool

    @property
    def part(self) -> str:
        return "practice" if self.number is None else "trial"


_Stage = _Text | _Checking | _Trying


class _ScreenedOut(Exception):
    """The check was failed as often as it may be tried."""


def step(study: Study, slot: int, given: Sequence[Given]) -> Step:
    """Where the person is after these answers; an End screen where the way is over."""
    answers = {one.key: one for one in given}
    if "consent" not in answers:
        return _step(study, answers, slot, "consent", "consent", _consent(study))
    over = _over(study, slot, answers)
    if isinstance(over, Ending):
        return _step(study, answers, slot, "end", "end", end(study, over))
    return over


def ending(study: Study, slot: int, given: Sequence[Given]) -> Ending | None:
    """How the way ended; None where it goes on."""
    answers = {one.key: one for one in given}
    over = _over(study, slot, answers) if "consent" in answers else None
    return over if isinstance(over, Ending) else None


def finished(
    study: Study, slot: int, given: Sequence[Given]
) -> tuple[tuple[Planned, tuple[Given, ...]], ...]:
    """The trials that are over, each with its answers in order; practice is none of them."""
    answers = {one.key: one for one in given}
    found = []
    for stage in _stages(study, slot):
        if not isinstance(stage, _Trying) or stage.number is None:
            continue
        own = _answers_of(stage, answers)
        if own and _screen(stage, own) is None:
            planned = Planned(stage.asked.family, stage.item.id, stage.arm, stage.block)
            found.append((planned, tuple(own)))
    return tuple(found)


def end(study: Study, ending: Ending, bonus: float | None = None) -> End:
    """The last screen; it holds no more of the answers than a bonus that was earned."""
    text = said(study, f"end_{ending.value}")
    if bonus is not None and study.bonus is not None:
        amount = f"{bonus:.2f} {study.bonus.currency}"
        text += f"\n\n{said(study, 'bonus', amount=amount)}"
    code = study.links.codes.get(ending, "")
    url = study.links.back.replace("{code}", code) if code else ""
    return End(ending.value, (rendered(text),), code, url, title=study.title)


def _over(study: Study, slot: int, answers: Answers) -> Step | Ending:
    """The first screen without an answer. Stages before the last that was answered are over."""
    if answers["consent"].answer["value"] != YES:
        return Ending.NO_CONSENT
    stages = _stages(study, slot)
    touched = [place for place, stage in enumerate(stages) if _is_touched(stage, answers)]
    try:
        for stage in stages[touched[-1] if touched else 0 :]:
            found = _next(study, stage, answers)
            if found is not None:
                key, part, screen = found
                number = stage.number if isinstance(stage, _Trying) else None
                return _step(study, answers, slot, key, part, screen, number)
    except _ScreenedOut:
        return Ending.SCREENED_OUT
    return Ending.COMPLETE


def _step(
    study: Study,
    answers: Answers,
    slot: int,
    key: str,
    part: str,
    screen: Screen,
    number: int | None = None,
) -> Step:
    stages = _stages(study, slot) if answers else ()
    trials = [one for one in stages if isinstance(one, _Trying) and one.number is not None]
    done = len(trials) if part in ("debriefing", "end") else number
    if done is None:
        done = sum(_is_touched(one, answers) for one in trials)
    return Step(key, part, screen, done, len(trials), number)


def _is_touched(stage: _Stage, answers: Answers) -> bool:
    if isinstance(stage, _Text):
        return stage.key in answers
    first = ("/0", "/opening/0") if isinstance(stage, _Trying) else ("/0",)
    return any(f"{stage.key}{ending}" in answers for ending in first)


def _next(study: Study, stage: _Stage, answers: Answers) -> tuple[str, str, Screen] | None:
    match stage:
        case _Text():
            return None if stage.key in answers else (stage.key, stage.part, stage.page)
        case _Checking():
            return _next_check(study, stage, answers)
        case _Trying():
            return _next_of_trial(stage, answers)


def _next_check(study: Study, stage: _Checking, answers: Answers) -> tuple[str, str, Screen] | None:
    """The questions; after a fault the instructions again, as often as it may be tried."""
    met = trial(stage.block.family)
    right = {one.question.name: one.right for one in met.checks}
    for turn in range(study.tries):
        key = f"{stage.key}/{turn}"
        if key not in answers:
            return key, "check", _check(study, stage)
        if answers[key].answer["values"] == right:
            return None
        if turn + 1 < study.tries and f"{key}/again" not in answers:
            return f"{key}/again", "instructions", _again(study, stage)
    raise _ScreenedOut


def _next_of_trial(stage: _Trying, answers: Answers) -> tuple[str, str, Screen] | None:
    timing = stage.asked.timing
    met = trial(stage.asked.family)
    opening = met.opening(stage.item, stage.arm, timing) if stage.opens else ()
    for number, screen in enumerate(opening):
        if f"{stage.key}/opening/{number}" not in answers:
            return f"{stage.key}/opening/{number}", stage.part, screen
    own = _answers_of(stage, answers)
    found = _screen(stage, own)
    if found is not None:
        return f"{stage.key}/{len(own)}", stage.part, found
    if stage.number is None and f"{stage.key}/feedback" not in answers:
        judged = met.judge(stage.item, stage.arm, own)
        return f"{stage.key}/feedback", stage.part, Page(met.feedback(stage.item, judged))
    return None


def _answers_of(stage: _Trying, answers: Answers) -> list[Given]:
    own: list[Given] = []
    while (key := f"{stage.key}/{len(own)}") in answers:
        own.append(answers[key])
    return own


def _screen(stage: _Trying, own: Sequence[Given]) -> Screen | None:
    return trial(stage.asked.family).screen(stage.item, stage.arm, stage.asked.timing, own)


@lru_cache(maxsize=4096)
def _stages(study: Study, slot: int) -> tuple[_Stage, ...]:
    return tuple(_every_stage(study, slot))


def _every_stage(study: Study, slot: int) -> Iterator[_Stage]:
    yield _text("welcome", "instructions", study.texts.welcome, study.title)
    number = 0
    for block, asked in enumerate(study.blocks):
        practised = 0
        for turn, met in enumerate(drawn(study, block, slot)):
            yield from _before(study, block, asked, met, is_first=turn == 0)
            yield from _tried(f"practice/{block}", practised, block, asked, met, is_practice=True)
            practised += len(met.practice)
            yield from _tried("trial", number, block, asked, met, is_practice=False)
            number += len(met.trials)
    yield _text("debriefing", "debriefing", study.texts.debriefing, study.title)


def _before(
    study: Study, block: int, asked: Block, met: ArmTrials, *, is_first: bool
) -> Iterator[_Stage]:
    page = Page(_instructions(asked, met.arm))
    yield _Text(f"instructions/{block}/{met.arm}", "instructions", page)
    if is_first and study.tries and trial(asked.family).checks:
        yield _Checking(f"check/{block}", asked, met.arm)


def _tried(
    prefix: str, start: int, block: int, asked: Block, met: ArmTrials, *, is_practice: bool
) -> Iterator[_Stage]:
    group: str | None = None
    for place, item in enumerate(met.practice if is_practice else met.trials, start=start):
        number = None if is_practice else place
        opens = item.group != group
        yield _Trying(f"{prefix}/{place}", block, asked, met.arm, item, number, opens)
        group = item.group


def _text(key: str, part: str, markdown: str, title: str) -> _Text:
    return _Text(key, part, Page((rendered(markdown),), title=title))


def _consent(study: Study) -> Page:
    choices = (Choice(YES, said(study, "agree")), Choice(NO, said(study, "disagree")))
    return Page((rendered(study.texts.consent),), choices, title=study.title)


def _instructions(asked: Block, arm: str) -> tuple[Part, ...]:
    return trial(asked.family).instructions(arm, asked.timing)


def _check(study: Study, stage: _Checking) -> Check:
    questions = tuple(one.question for one in trial(stage.block.family).checks)
    return Check((Part("text", said(study, "check_first")),), questions)


def _again(study: Study, stage: _Checking) -> Page:
    text = Part("text", said(study, "check_again"))
    return Page((text, *_instructions(stage.block, stage.arm)))
