"""A robot goes through every family's study in headless Chromium: the records are those of the same
answers without any web."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="needs misstep[robots]")

from playwright.sync_api import Browser, Page

from misstep.core.records import Record
from misstep.study.course.judging import record
from misstep.study.course.nouns import Study
from misstep.study.course.way import finished
from misstep.study.export.opening import found_store
from misstep.study.export.parts import Part, parts
from misstep.study.robots.browsing import through_pages
from misstep.study.robots.crowd import Manner, Robot
from misstep.study.robots.mind import Mind, Places, Shown
from misstep.study.robots.running import Result, Walked, lost
from misstep.study.robots.walking import Pace, Way
from misstep.study.store.nouns import State
from small_studies import BLOCKS, small_study
from study_thread import served_in_thread
from study_walks import walked


def robot(number: int = 0, manner: Manner = Manner.STAYS) -> Robot:
    return Robot(number, f"robot-{number}", "", manner, 0.5, 0)


def gone(
    browser: Browser, study: Study, folder: Path, one: Robot, pace: Pace
) -> tuple[Walked, Part]:
    """The robot's way, and what the store has of it; no answer may be lost or there twice."""
    database = folder / "study.db"
    mind = Mind(Places(study), one)
    with served_in_thread(study, database) as address:
        way = through_pages(browser, study, address, mind, one, pace, unbroken)
    found = Walked(one, way, mind.slot, mind.given)
    assert lost(study, str(database), Result((found,))) == ()
    with found_store(str(database), study) as store:
        (part,) = parts(study, store)
    assert len(part.kept) == len(way.onces)
    return found, part


def unbroken(page: Page, shown: Shown) -> None:
    """No screen is wider than its window."""
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), shown["key"]


def came_to(one: Record) -> tuple[object, ...]:
    """All of a record that hangs on the answers alone, and not on their times."""
    return (
        one.item,
        one.arm,
        one.outcome,
        one.value,
        one.answer,
        one.truth,
        one.factors,
        one.variant,
    )


@pytest.mark.parametrize("name", BLOCKS)
def test_the_records_are_those_of_the_same_answers_without_a_web(
    name: str, browser: Browser, tmp_path: Path
) -> None:
    study = small_study(tmp_path, name)
    number = list(BLOCKS).index(name)  # phones and desks by turns
    found, part = gone(browser, study, tmp_path, robot(number), Pace())
    assert found.way.ending == part.who.state == State.COMPLETE
    assert found.way.code == study.links.codes["complete"]  # type: ignore[index]  # a StrEnum
    given, _ = walked(study, 0)
    assert [one.sent.given.key for one in part.kept] == [one.key for one in given]
    assert [one.sent.given.answer for one in part.kept] == [one.answer for one in given]
    direct = [record(study, "x", one, own) for one, own in finished(study, 0, given)]
    assert [came_to(one) for one in part.records] == [came_to(one) for one in direct]
    assert len(direct) == study.blocks[0].items
    assert all(one.outcome.is_answered for one in direct)
    times = [one.sent.given.rt_ms for one in part.kept]
    assert times == [one.rt_ms for one in found.given]
    assert all(ms is not None and ms > 0 for ms in times)


def test_replies_that_are_lost_on_the_way_cost_nothing(browser: Browser, tmp_path: Path) -> None:
    study = small_study(tmp_path, "inconsistency")
    found, part = gone(browser, study, tmp_path, robot(), Pace(twice=0.3))
    assert found.way.ending == State.COMPLETE
    assert len({one.sent.once for one in part.kept}) == len(part.kept)


@pytest.mark.parametrize(
    ("manner", "ending"),
    [
        (Manner.LEAVES, State.WITHDRAWN),
        (Manner.FAILS, State.SCREENED_OUT),
        (Manner.REFUSES, State.NO_CONSENT),
    ],
)
def test_each_manner_has_its_ending(
    manner: Manner, ending: State, browser: Browser, tmp_path: Path
) -> None:
    study = small_study(tmp_path, "inconsistency")
    found, part = gone(browser, study, tmp_path, robot(manner=manner), Pace())
    assert found.way.ending == part.who.state == ending


def test_a_robot_that_comes_again_is_told_that_it_took_part(
    browser: Browser, tmp_path: Path
) -> None:
    study, one = small_study(tmp_path, "inconsistency"), robot(manner=Manner.VANISHES)
    with served_in_thread(study, tmp_path / "study.db") as address:
        ways = [
            through_pages(browser, study, address, Mind(Places(study), one), one, Pace())
            for _ in range(2)
        ]
    assert [way.ending for way in ways] == ["vanished", "took_part"]
    assert ways[1] == Way("took_part", ())
