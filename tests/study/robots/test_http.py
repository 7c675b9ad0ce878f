"""Robots over the HTTP interface: abilities, manners, lost replies, and what is said at the end."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import delete, func, select

from misstep.core.errors import MisstepError
from misstep.report.published.plans import plans_of
from misstep.study.course.file import read_study
from misstep.study.course.nouns import Study
from misstep.study.export.opening import found_store
from misstep.study.export.parts import parts
from misstep.study.robots import telling
from misstep.study.robots.crowd import Manner, Robot, crowd
from misstep.study.robots.running import Result, lost, over_http
from misstep.study.robots.walking import Pace, Way
from misstep.study.robots.wire import Gone, Patient, Refused, Reply
from misstep.study.screens import Json
from misstep.study.store import people
from misstep.study.store.tables import answer
from study_thread import served_in_thread
from study_way import ASSETS

PAPER = {"planner": 0.7, "detour": 0.08, "nothing": 0.22}
"""PlanBench's people (6.2): 39 of 50 valid, 35 of these optimal."""


def study_of(folder: Path, block: str, **more: object) -> Study:
    head = "\n".join(f"{name} = {value}" for name, value in more.items())
    path = folder / "study.toml"
    path.write_text(f'schema = 1\ntitle = "A study"\n{head}\n[[block]]\n{block}\n')
    return read_study(path)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """Two trials, one in each arm, after a check that can be tried once."""
    return study_of(tmp_path, 'family = "inconsistency"\nitems = 2\npool = 20', people=3, tries=1)


def gone(
    study: Study, database: Path, robots: Sequence[Robot], pace: Pace, at_once: int = 20
) -> Result:
    ended: list[Way] = []
    with served_in_thread(study, database, ASSETS) as address:
        result = over_http(study, address, robots, pace, ended.append, at_once)
    assert Counter(ended) == Counter(one.way for one in result.walked)
    return result


def manners(*wanted: Manner) -> list[Robot]:
    return [Robot(at, f"robot-{at}", "", one, 0.9, 0) for at, one in enumerate(wanted)]


def test_ten_robots_with_the_abilities_of_the_papers_people_give_its_table(tmp_path: Path) -> None:
    block = 'family = "planbench"\npool = 40\ntiming = {memorise = 300}\n[bonus]\neach = 1.5'
    study, database = study_of(tmp_path, block, people=10), tmp_path / "study.db"
    result = gone(study, database, crowd(10, 0, PAPER, {}), Pace())
    with found_store(str(database), study) as store:
        records = [one for part in parts(study, store) for one in part.records]
    (line,) = plans_of(records)
    assert (line.name, line.n, line.valid, line.known, line.optimal) == (
        *("people, two-phase", 10),
        *(8, 8, 7),
    )
    assert telling.bonuses(study, result) == (8, 12.0)
    by_ability = {one.solver: (one.people, one.value) for one in telling.arms(study, result)}
    assert by_ability == {"detour": (1, 1.0), "nothing": (2, 0.0), "planner": (7, 1.0)}
    assert lost(study, str(database), result) == ()


def test_robots_find_their_own_places_without_being_told(tmp_path: Path) -> None:
    study = study_of(tmp_path, 'family = "cups"\nitems = 4\npool = 24', people=8)
    database = tmp_path / "study.db"
    result = gone(study, database, crowd(8, 0, {}, {}), Pace())
    with found_store(str(database), study) as store:
        everyone = store.read(lambda on: people.everyone(on, store.number))
    slots = {one.recruited.person: one.slot for one in everyone}
    assert {one.robot.name: one.slot for one in result.walked} == slots
    assert [one.value for one in telling.arms(study, result)] == [1.0, 1.0]


def test_each_manner_has_its_ending_and_its_place_is_free_again(
    study: Study, tmp_path: Path
) -> None:
    robots = manners(
        *(Manner.LEAVES, Manner.FAILS, Manner.REFUSES, Manner.VANISHES),
        *(Manner.STAYS, Manner.STAYS, Manner.STAYS),
    )
    result = gone(study, tmp_path / "study.db", robots, Pace(), at_once=1)
    assert [one.way.ending for one in result.walked] == [
        *("withdrawn", "screened_out", "no_consent", "vanished"),
        *("complete", "complete", "full"),
    ]
    codes = study.links.codes
    assert [one.way.code for one in result.walked] == [
        *("", codes["screened_out"], codes["no_consent"], ""),  # type: ignore[index]  # a StrEnum
        *(codes["complete"], codes["complete"], ""),  # type: ignore[index]  # likewise
    ]
    assert telling.endings(result) == {
        "complete": 2,
        **dict.fromkeys(("full", "no_consent", "screened_out", "vanished", "withdrawn"), 1),
    }


def test_what_is_sent_twice_is_kept_once(study: Study, tmp_path: Path) -> None:
    database = tmp_path / "study.db"
    result = gone(study, database, manners(*[Manner.STAYS] * 3), Pace(twice=1.0))
    sent = sum(len(one.way.onces) for one in result.walked)
    assert len(result.took) == 2 * sent
    assert lost(study, str(database), result) == ()
    with found_store(str(database), study) as store:
        counted = select(func.count()).select_from(answer)
        assert store.read(lambda on: on.execute(counted).scalar_one()) == sent


def test_an_answer_that_is_gone_from_the_database_is_missed(study: Study, tmp_path: Path) -> None:
    database = str(tmp_path / "study.db")
    result = gone(study, tmp_path / "study.db", manners(Manner.STAYS), Pace())
    once = result.walked[0].way.onces[3]
    with found_store(database, study) as store:
        store.write(lambda on: on.execute(delete(answer).where(answer.c.once == once))).result()
    assert lost(study, database, result) == (once,)


def test_a_server_of_another_study_is_noticed_at_the_first_item(
    study: Study, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    block = 'family = "inconsistency"\nitems = 2\npool = 20'
    wrong = study_of(other, block, people=3, tries=1, seed=9)
    with (
        served_in_thread(study, tmp_path / "study.db", ASSETS) as address,
        pytest.raises(MisstepError, match="at practice/0/0/0 the server shows what no place of"),
    ):
        over_http(wrong, address, manners(Manner.STAYS), Pace(), lambda _way: None)


def test_who_comes_twice_is_told_so(study: Study, tmp_path: Path) -> None:
    robots = manners(Manner.VANISHES)
    first = gone(study, tmp_path / "study.db", robots, Pace())
    again = gone(study, tmp_path / "study.db", robots, Pace())
    assert [one.walked[0].way.ending for one in (first, again)] == ["vanished", "took_part"]


@dataclass
class Scripted:
    """Replies in this order; None: the connection is lost."""

    replies: list[Reply | None]
    asked: list[Json] = field(default_factory=list)

    async def ask(self, method: str, path: str, token: str, body: Json) -> Reply:
        self.asked.append(body)
        reply = self.replies.pop(0)
        if reply is None:
            raise Gone("cut")
        return reply


def test_a_lost_or_busy_server_is_asked_again_with_the_same_body() -> None:
    wire = Scripted(
        [Reply(503, {"error": "away"}, 0.0), Reply(500, {}, 0.01), Reply(200, {"a": 1})]
    )
    noted: list[tuple[str, float]] = []
    patient = Patient(wire, lambda path, ms: noted.append((path, ms)))
    assert asyncio.run(patient.ask("POST", "/x", {"b": 2})).body == {"a": 1}
    assert wire.asked == [{"b": 2}] * 3
    assert [path for path, _ in noted] == ["/x"]


def test_patience_ends_in_one_line() -> None:
    patient = Patient(Scripted([None] * 5), lambda _path, _ms: None, patience=0.5)
    with pytest.raises(MisstepError, match=r"^no reply to /x for 0 s: cut$"):
        asyncio.run(patient.ask("POST", "/x"))


def test_a_refusal_is_not_asked_again() -> None:
    wire = Scripted([Reply(422, {"error": "value: no"})])
    with pytest.raises(Refused, match="refuses: value: no"):
        asyncio.run(Patient(wire, lambda _path, _ms: None).ask("POST", "/x"))
