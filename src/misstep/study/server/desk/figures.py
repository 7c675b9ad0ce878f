"""The figures of the desk, from everyone's page: progress, drop-outs, arms, and signs of help."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean, median

from misstep.core.items import Scalar
from misstep.core.outcomes import Outcome
from misstep.study.course.nouns import Study
from misstep.study.server.desk.book import Page, Tried
from misstep.study.store.nouns import Overruling, State

FREE_VERDICT = "free_verdict"
"""In a judgement's details where free text was read: what a researcher may overrule."""
AWAY_MS = 5_000
_TELLING = ("burst", "drop", "paste", "untrusted")


@dataclass(frozen=True)
class Arm:
    """`value` is the mean measure of the `answered` of `trials` (None: of none yet)."""

    family: str
    arm: str
    people: int
    trials: int
    answered: int
    value: float | None
    median_ms: float | None


@dataclass(frozen=True)
class Stop:
    """How many left or were let go at this place."""

    at: str
    state: str
    people: int


@dataclass(frozen=True)
class Line:
    """One person. `is_flagged`: text was pasted, dropped or came in bursts, or an event was made
    by a script, or the page was left for AWAY_MS or more. It is for a person to look at."""

    public: str
    recruited: str
    state: str
    at: str
    arms: str
    trials: int
    answered: int
    value: float | None
    median_ms: float | None
    minutes: float
    bonus: float | None
    signs: Mapping[str, tuple[int, float]]
    is_flagged: bool
    has_text: bool


@dataclass(frozen=True)
class Written:
    """What a person wrote in a trial, how it was read, and how a researcher reads it."""

    trial: int
    family: str
    arm: str
    item: str
    outcome: str
    texts: tuple[str, ...]
    verdict: Scalar
    overruling: Overruling | None


def states(pages: Sequence[Page]) -> dict[str, int]:
    """Every state, those of nobody too."""
    counted = Counter(page.who.state for page in pages)
    return {state.value: counted[state] for state in State}


def arms(study: Study, pages: Sequence[Page]) -> list[Arm]:
    """In the order of the study file."""
    return [
        _arm(block.family, number, arm, pages)
        for number, block in enumerate(study.blocks)
        for arm in block.arms
    ]


def stops(pages: Sequence[Page]) -> list[Stop]:
    """Where people left before the end, most first."""
    gone = Counter(
        (place(page.at), page.who.state.value)
        for page in pages
        if page.who.state not in (State.UNDER_WAY, State.COMPLETE)
    )
    ordered = sorted(gone.items(), key=lambda one: (-one[1], one[0]))
    return [Stop(at, state, count) for (at, state), count in ordered]


def line(page: Page, now: int) -> Line:
    who = page.who
    pairs = [(one.planned.family, one.planned.arm) for one in page.tried]
    runs = [arm for (_, arm), _ in groupby(pairs)]
    until = now if who.ended is None else who.ended
    return Line(
        public=who.public,
        recruited=who.recruited.person,
        state=who.state.value,
        at="end" if who.state is State.COMPLETE else place(page.at),
        arms=", ".join(dict.fromkeys(runs)),
        trials=len(page.tried),
        answered=sum(one.judged.score.outcome.is_answered for one in page.tried),
        value=_mean(page.tried),
        median_ms=_median(page.tried),
        minutes=max(0, until - who.entered) / 60_000,
        bonus=who.bonus,
        signs=page.signs,
        is_flagged=_is_flagged(page.signs),
        has_text=any(FREE_VERDICT in one.judged.details for one in page.tried),
    )


def written(page: Page, readings: Mapping[int, Overruling]) -> list[Written]:
    """The trials in which the person wrote, or might have written, freely."""
    return [
        Written(
            trial=one.number,
            family=one.planned.family,
            arm=one.planned.arm,
            item=one.planned.item,
            outcome=Outcome(one.judged.score.outcome).value,
            texts=tuple(_texts(one)),
            verdict=one.judged.details[FREE_VERDICT],
            overruling=readings.get(one.number),
        )
        for one in page.tried
        if FREE_VERDICT in one.judged.details
    ]


def place(key: str) -> str:
    """A step's key as a person says it: trials count from 1, screens within one are left out."""
    part, *rest = key.split("/")
    if part in ("trial", "practice") and rest:
        number = rest[0] if part == "trial" else rest[1]
        return f"{part} {int(number) + 1}"
    return f"{part} {rest[-1]}" if part == "instructions" and rest else part


def _arm(family: str, block: int, arm: str, pages: Sequence[Page]) -> Arm:
    own = [
        [one for one in page.tried if (one.planned.block, one.planned.arm) == (block, arm)]
        for page in pages
    ]
    tried = [one for trials in own for one in trials]
    return Arm(
        family=family,
        arm=arm,
        people=sum(bool(trials) for trials in own),
        trials=len(tried),
        answered=sum(one.judged.score.outcome.is_answered for one in tried),
        value=_mean(tried),
        median_ms=_median(tried),
    )


def _mean(tried: Sequence[Tried]) -> float | None:
    """Of the answered ones: no answer is not a wrong one."""
    values = [one.judged.score.value for one in tried if one.judged.score.outcome.is_answered]
    found = [value for value in values if value is not None]
    return fmean(found) if found else None


def _median(tried: Sequence[Tried]) -> float | None:
    times = [one.ms for one in tried if one.ms is not None]
    return median(times) if times else None


def _is_flagged(signs: Mapping[str, tuple[int, float]]) -> bool:
    away = sum(signs[kind][1] for kind in ("blur", "hidden") if kind in signs)
    return away >= AWAY_MS or any(kind in signs for kind in _TELLING)


def _texts(tried: Tried) -> Iterator[str]:
    for given in tried.given:
        text = given.answer.get("text")
        if isinstance(text, str):
            yield text
