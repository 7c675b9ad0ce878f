"""Walks through a study by the reference solver, screen after screen, with no web between."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from misstep.study.course.drawing import drawn, item_of, planned
from misstep.study.course.nouns import Step, Study
from misstep.study.course.way import step
from misstep.study.screens import End, Json, fit
from misstep.study.trials.every import trial
from misstep.study.trials.nouns import Given
from misstep.study.trials.pieces.going_on import going_on

Change = Callable[[Step, Mapping[str, Json]], Mapping[str, Json]]


def walked(
    study: Study, slot: int, change: Change | None = None, solver: str = ""
) -> tuple[list[Given], Step]:
    """All answers of one person, and the last step; `change` may answer otherwise."""
    given: list[Given] = []
    while not isinstance((at := step(study, slot, given)).screen, End):
        answer = answer_of(study, slot, at, given, solver)
        answer = change(at, answer) if change else answer
        sent = json.loads(json.dumps(answer))
        given.append(Given(at.key, fit(at.screen, sent), 1000.0))
    return given, at


def answer_of(
    study: Study, slot: int, at: Step, given: Sequence[Given], solver: str = ""
) -> Mapping[str, Json]:
    """What the block's solver (or another) answers at this step."""
    if at.part == "consent":
        return {"value": "yes"}
    place = at.key.split("/")
    if at.part == "check" or at.key.startswith("check/"):
        return _checked(study, int(place[1]), at)
    if at.part in ("trial", "practice") and place[-1].isdigit() and "opening" not in place:
        return _solved(study, slot, at, given, solver)
    return going_on(at.screen)


def _checked(study: Study, block: int, at: Step) -> Mapping[str, Json]:
    if at.part != "check":
        return going_on(at.screen)
    checks = trial(study.blocks[block].family).checks
    return {"values": {one.question.name: one.right for one in checks}}


def _solved(
    study: Study, slot: int, at: Step, given: Sequence[Given], solver: str
) -> Mapping[str, Json]:
    place = at.key.split("/")
    if at.part == "trial":
        one = planned(study, slot)[int(place[1])]
        block, item, arm = one.block, item_of(study, one), one.arm
    else:
        block = int(place[1])
        practised = [(item, met.arm) for met in drawn(study, block, slot) for item in met.practice]
        item, arm = practised[int(place[2])]
    asked = study.blocks[block]
    prefix = at.key.removesuffix(place[-1])
    own = [g for g in given if g.key.removeprefix(prefix).isdigit()]
    return trial(asked.family).solve(item, arm, own, solver or asked.solver)
