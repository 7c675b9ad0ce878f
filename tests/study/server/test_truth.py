"""What reaches a participant's page: nothing of an item that isn't answered but its screen."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import pytest

from misstep.study import screens
from misstep.study.course.drawing import item_of, planned
from misstep.study.trials.every import TRIALS
from study_way import Plain, served, small_study

_STEP = {"key", "part", "done", "total", "trial", "screen", "paused", "kind"}
_SCREENS = (
    screens.Page,
    screens.Ask,
    screens.Write,
    screens.Stream,
    screens.NBack,
    screens.Check,
    screens.Plan,
    screens.End,
)
_PIECES = (screens.Part, screens.Choice, screens.CheckQuestion, screens.GroundAction)
_KNOWN = _STEP | {field.name for kind in (*_SCREENS, *_PIECES) for field in fields(kind)}
_TELLING = {"truth", "lure", "solution", "score", "right", "correct", "optimal", "answer", "class"}


@dataclass(frozen=True)
class Way:
    """Every step of one whole way, and the ids of its items."""

    seen: list[Plain]
    items: list[str]


def _keys(found: object) -> Iterator[str]:
    if isinstance(found, dict):
        for name, value in found.items():
            yield name
            yield from _keys(value)
    elif isinstance(found, list):
        for value in found:
            yield from _keys(value)


async def _walked(folder: Path, family: str) -> Way:
    block = "items = 1" if family == "vehicles" else "items = 2"
    study = small_study(folder, people=5, family=family, block=block, tries=2)
    async with served(study, str(folder / "x.db")) as here:
        one = here.person()
        await one.enter()
        await one.go_to("end")
        assert one.step["screen"]["ending"] == "complete"
        return Way(one.seen, [item_of(study, each).id for each in planned(study, 0)])


@pytest.fixture(scope="module", params=TRIALS)
def way(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Way:
    return asyncio.run(_walked(tmp_path_factory.mktemp("way"), request.param))


def test_a_whole_way_shows_screens_and_nothing_else(way: Way) -> None:
    assert any(step["part"] == "trial" for step in way.seen)
    for step in way.seen:
        names = set(_keys(step))
        assert names <= _KNOWN
        assert not names & _TELLING
        text = json.dumps(step)
        assert not [name for name in way.items if f'"{name}"' in text]


def test_whether_an_answer_was_right_is_told_only_after_it(way: Way) -> None:
    """Where it is told at all, a question or a plan stands before it, and is answered."""
    tried = [step for step in way.seen if step["part"] in ("trial", "practice")]
    asked = [step for step in tried if step["screen"]["kind"] in ("ask", "plan", "write")]
    told = [place for place, step in enumerate(tried) if _tells(step)]
    assert asked
    assert not [step for step in asked if _tells(step)]
    assert all(tried[place - 1] in asked for place in told)


def _tells(step: Plain) -> bool:
    parts = step["screen"].get("body", [])
    return any(
        part["text"].startswith(("Correct", "Incorrect", "Right", "Wrong")) for part in parts
    )


def test_no_name_of_a_screens_field_tells_the_truth() -> None:
    assert not _KNOWN & _TELLING
