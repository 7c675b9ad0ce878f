"""A trial of a few screens in a fixed order, one of which is the answer: most families' form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from statistics import median
from typing import Generic, TypeVar

from misstep.core.errors import BadInput
from misstep.core.family import Family, Solver
from misstep.core.items import Item, Scalar
from misstep.core.outcomes import Outcome, Reply, Score
from misstep.study.screens import Json, NBack, Screen, Write
from misstep.study.trials.nouns import Given, Judged, Timing
from misstep.study.trials.pieces.going_on import going_on
from misstep.study.trials.pieces.nback import detected, targets

P = TypeVar("P")
LATE = "deadline"
"""Why there is no answer, where the time for it was over."""


class Role(StrEnum):
    """What a screen of a trial is for."""

    SHOWN = "shown"
    REASONS = "reasons"
    FILLER = "filler"
    DISTRACTION = "distraction"
    ANSWER = "answer"


@dataclass(frozen=True)
class Stage:
    """A screen of a trial, made when it is shown; exactly one of a trial's is the answer."""

    role: Role
    screen: Callable[[], Screen]


@dataclass(frozen=True)
class Staged(Generic[P]):
    """The trial that these stages make, by the family's own score and solvers.

    `stages(item, arm, timing)` are all of a trial's, in their order.
    """

    family: Family[P]
    stages: Callable[[Item[P], str, Timing], tuple[Stage, ...]]

    def screen(
        self, item: Item[P], arm: str, timing: Timing, given: Sequence[Given]
    ) -> Screen | None:
        stages = self.stages(item, arm, timing)
        return stages[len(given)].screen() if len(given) < len(stages) else None

    def judge(self, item: Item[P], arm: str, given: Sequence[Given]) -> Judged:
        """ValueError where the trial isn't over."""
        stages = self.stages(item, arm, Timing())
        by_role = {stage.role: (stage, one) for stage, one in zip(stages, given, strict=True)}
        answer = by_role[Role.ANSWER][1]
        details: dict[str, Scalar] = common_details(arm, [answer], _written(by_role))
        if Role.DISTRACTION in by_role:
            details |= _detected(*by_role[Role.DISTRACTION])
        reply = answer_of(answer) or ""
        return Judged(scored(self.family, item, answer), reply, details)

    def solve(
        self, item: Item[P], arm: str, given: Sequence[Given], solver: str
    ) -> Mapping[str, Json]:
        stage = self.stages(item, arm, Timing())[len(given)]
        if stage.role is Role.ANSWER:
            return {"value": solver_of(self.family, solver)(item).answer}
        screen = stage.screen()
        if isinstance(screen, Write):
            return {"text": robot_text(solver)}
        if isinstance(screen, NBack):
            return {"pressed": list(targets(screen.letters, screen.n))}
        return going_on(screen)


def robot_text(solver: str) -> str:
    """What a robot writes where reasons are asked for: that it has none."""
    return f"robot: the answer is that of the reference solver {solver}"


def solver_of(family: Family[P], name: str) -> Solver[P]:
    if name not in family.solvers:
        known = ", ".join(family.solvers)
        raise BadInput(f"solver: {family.spec.name} has no {name!r}; known: {known}")
    return family.solvers[name]


def answer_of(given: Given) -> str | None:
    """The button that was pressed or the number typed; None where the time was over before."""
    value = given.answer["value"]
    return None if value is None else str(value)


def scored(family: Family[P], item: Item[P], given: Given) -> Score:
    """By the family's own score; an answer that was never given is empty, and says why."""
    answer = answer_of(given)
    score = family.score(item, Reply(answer or ""))
    if answer is None and score.outcome is Outcome.EMPTY:
        return replace(score, reason=LATE)
    return score


def common_details(arm: str, answers: Sequence[Given], written: str) -> dict[str, Scalar]:
    """What every family's records of people hold (docs/records.md); of several answers the median
    time, over those whose time is known."""
    times = [one.rt_ms for one in answers if one.rt_ms is not None]
    return {
        "human_arm": arm,
        "rt_ms": median(times) if times else None,
        "reasons_chars": len(written.strip()),
        "deadline_missed": sum(answer_of(one) is None for one in answers),
    }


def _written(by_role: Mapping[Role, tuple[Stage, Given]]) -> str:
    found = by_role.get(Role.REASONS)
    return str(found[1].answer["text"]) if found else ""


def _detected(stage: Stage, given: Given) -> dict[str, Scalar]:
    screen = stage.screen()
    pressed = given.answer["pressed"]
    if not isinstance(screen, NBack) or not isinstance(pressed, list):
        raise TypeError("a distraction is an n-back")
    return detected(screen, [place for place in pressed if isinstance(place, int)])
