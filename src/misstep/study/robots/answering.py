"""What a robot answers at a step that it has found in the study's own file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from misstep.study.course.drawing import drawn, item_of, planned
from misstep.study.course.nouns import Step, Study
from misstep.study.robots.crowd import Manner, Robot
from misstep.study.screens import Ask, Json, NBack, Page, Screen, Stream, Write
from misstep.study.trials.every import trial
from misstep.study.trials.nouns import Given
from misstep.study.trials.pieces.going_on import going_on

_SOONEST_MS, _SLOWER_MS = 400, 2_000
"""A robot says that it took from the one to the sum of both, beyond a screen's least time."""


def answer_at(
    study: Study, slot: int, at: Step, given: Sequence[Given], robot: Robot
) -> Mapping[str, Json]:
    """By the robot's solver where a trial asks, and as its manner is."""
    kind, *place = at.key.split("/")
    if kind == "consent":
        return {"value": "no" if robot.manner is Manner.REFUSES else "yes"}
    if kind == "check" and at.part == "check":
        return _checked(study, int(place[0]), is_right=robot.manner is not Manner.FAILS)
    if kind in ("trial", "practice") and place[-1].isdigit() and "opening" not in place:
        return _solved(study, slot, at, given, robot.solver)
    return going_on(at.screen)


def taken_ms(screen: Screen, robot: Robot, key: str) -> float:
    """The time that the robot says it took: drawn, as it has no thoughts that take any."""
    drawn_ms = _SOONEST_MS + robot.chance("time", key).below(_SLOWER_MS)
    match screen:
        case Page(auto_ms=int(ms)):
            return float(ms)
        case Stream(shown=shown, each_ms=each, gap_ms=gap):
            return float(len(shown) * (each + gap))
        case NBack(letters=letters, each_ms=each, gap_ms=gap):
            return float(len(letters) * (each + gap))
        case Ask(deadline_ms=int(deadline)):
            return float(min(drawn_ms, deadline))
        case Page(min_ms=least) | Ask(min_ms=least) | Write(min_ms=least):
            return float(least + drawn_ms)
    return float(drawn_ms)


def _checked(study: Study, block: int, *, is_right: bool) -> Mapping[str, Json]:
    """All right, or the first one wrong."""
    checks = trial(study.blocks[block].family).checks
    values: dict[str, Json] = {one.question.name: one.right for one in checks}
    if not is_right:
        first = checks[0]
        others = [one.value for one in first.question.choices if one.value != first.right]
        values[first.question.name] = others[0]
    return {"values": values}


def _solved(
    study: Study, slot: int, at: Step, given: Sequence[Given], solver: str
) -> Mapping[str, Json]:
    place = at.key.split("/")
    if place[0] == "trial":
        one = planned(study, slot)[int(place[1])]
        block, item, arm = one.block, item_of(study, one), one.arm
    else:
        block = int(place[1])
        practised = [(item, met.arm) for met in drawn(study, block, slot) for item in met.practice]
        item, arm = practised[int(place[2])]
    asked = study.blocks[block]
    prefix = at.key.removesuffix(place[-1])
    own = [one for one in given if one.key.removeprefix(prefix).isdigit()]
    return trial(asked.family).solve(item, arm, own, solver or asked.solver)
