"""A study whose file or texts were changed: who is under way goes on under the version they began
with, and who comes new gets the new one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from sqlalchemy import update

from misstep.core.errors import BadInput
from misstep.families import inconsistency
from misstep.study.course.file import default_study, read_study
from misstep.study.course.nouns import Study
from misstep.study.course.stored import Stored, restored, versions_of
from misstep.study.course.way import step
from misstep.study.screens import plain
from misstep.study.server import serving, ways
from misstep.study.server.application import utc_ms
from misstep.study.server.limits import OF_WRONG_TOKENS
from misstep.study.store import answers, people, versions
from misstep.study.store.nouns import State
from misstep.study.store.opening import Store, open_store
from misstep.study.store.tables import study as study_table
from misstep.study.trials.every import TRIALS
from misstep.study.trials.nouns import Given
from study_way import Clock, Person, served, small_study

ROOT = Path(__file__).parents[3]


@pytest.fixture
def older(tmp_path: Path) -> Study:
    return _version(tmp_path, "older", seed=1)


@pytest.fixture
def newer(tmp_path: Path) -> Study:
    return _version(tmp_path, "newer", seed=2)


def _version(folder: Path, name: str, seed: int) -> Study:
    """All texts and all items are other ones."""
    for text in ("consent", "welcome", "debriefing"):
        (folder / f"{name}-{text}.md").write_text(f"{text}, {name}", encoding="utf-8")
    texts = ", ".join(f'{one} = "{name}-{one}.md"' for one in ("consent", "welcome", "debriefing"))
    return small_study(folder, texts=f"{{{texts}}}", seed=seed)


def _replayed(study: Study, given: Sequence[Given]) -> list[object]:
    """What the version shows the first person before each of these answers."""
    return [
        json.loads(json.dumps(plain(step(study, 0, given[:count]).screen)))
        for count in range(len(given))
    ]


def _shown(first: Person, then: Person) -> list[object]:
    """Screens that were answered; that at which the server changed was seen on both sides of it."""
    return [seen["screen"] for seen in (*first.seen, *then.seen[1:-1])]


def _everyone(store: Store, number: int) -> list[State]:
    return [one.state for one in store.read(lambda on: people.everyone(on, number))]


def test_who_is_under_way_goes_on_under_the_version_they_consented_to(
    database: str, older: Study, newer: Study
) -> None:
    async def walk() -> None:
        async with served(older, database) as here:
            one = here.person()
            await one.enter("p1")
            await one.go_to("trial")
            number = here.store.number
        async with served(newer, database) as again:
            same, other = Person(again.client, one.token), again.person()
            assert (await same.look()).status_code == 200
            assert same.step == one.step
            await other.enter("p2")
            await same.go_to("end")
            await other.go_to("end")
            who = again.store.read(lambda on: people.everyone(on, number))[0]
            assert (who.slot, who.consent) == (0, older.consent_digest)
            assert who.state is State.COMPLETE
            kept = again.store.read(lambda on: answers.kept_of(on, who.id))
            assert _replayed(older, [each.sent.given for each in kept]) == _shown(one, same)
            assert "debriefing, older" in json.dumps(_shown(one, same))
            assert "debriefing, newer" in json.dumps(other.seen)
            assert _everyone(again.store, again.store.number) == [State.COMPLETE]

    asyncio.run(walk())


def test_who_has_ended_sees_the_end_again(database: str, older: Study, newer: Study) -> None:
    async def walk() -> None:
        async with served(older, database) as here:
            one = here.person()
            await one.enter()
            await one.go_to("end")
        async with served(newer, database) as again:
            same = Person(again.client, one.token)
            await same.look()
            assert same.step == one.step
            code = older.links.codes
            assert same.step["screen"]["code"] in code.values()
            assert (await same.answer()).status_code == 409

    asyncio.run(walk())


def test_who_leaves_an_older_version_has_left(database: str, older: Study, newer: Study) -> None:
    async def walk() -> None:
        async with served(older, database) as here:
            one = here.person()
            await one.enter()
            number = here.store.number
        async with served(newer, database) as again:
            same = Person(again.client, one.token)
            reply = await same.withdraw()
            assert reply.json()["step"]["screen"]["ending"] == "withdrawn"
            assert _everyone(again.store, number) == [State.WITHDRAWN]

    asyncio.run(walk())


def test_the_desk_shows_both_versions(database: str, older: Study, newer: Study) -> None:
    async def walk() -> None:
        clock = Clock()
        async with served(older, database, clock) as here:
            assert (await here.desk("GET", "state")).json()["versions"] == []
            for ends in (True, False):
                one = here.person()
                await one.enter()
                await one.go_to("end" if ends else "trial")
            number = here.store.number
        async with served(newer, database, clock) as again:
            await again.person().enter()
            found = (await again.desk("GET", "state")).json()
            assert found["versions"] == [
                {
                    "number": number,
                    "digest": older.digest,
                    "created": clock.now,
                    "states": {"complete": 1, "under_way": 1},
                }
            ]
            assert len(found["people"]) == 1

    asyncio.run(walk())


def test_another_study_in_the_database_is_no_version_of_this_one(
    database: str, older: Study, newer: Study
) -> None:
    async def walk() -> None:
        async with served(replace(older, title="Something else"), database) as here:
            one = here.person()
            await one.enter()
        async with served(newer, database) as again:
            assert (await Person(again.client, one.token).look()).status_code == 401
            assert (await again.desk("GET", "state")).json()["versions"] == []

    asyncio.run(walk())


@pytest.mark.parametrize("content", ['{"title": "A study"}', "no JSON", None])
def test_a_version_that_cannot_be_served_any_more_is_said(
    content: str | None, database: str, older: Study, newer: Study
) -> None:
    def spoil(store: Store) -> str:
        found = asdict(older)
        found["blocks"][0]["pool"] = 1  # too few items, as of a family that was changed
        text = json.dumps(found) if content is None else content
        mine = study_table.c.id == store.number
        store.write(lambda on: on.execute(update(study_table).where(mine).values(content=text)))
        return text

    async def walk() -> None:
        async with served(older, database) as here:
            one = here.person()
            await one.enter()
            assert restored(Stored(spoil(here.store))) is None
        async with served(newer, database) as again:
            reply = await Person(again.client, one.token).look()
            assert reply.status_code == 401
            assert "is not known here" in reply.json()["error"]
            said: list[str] = []
            await asyncio.to_thread(serving._make_older, newer, again.store, said.append)
            assert said[-1].startswith(f"version {older.digest}: can't be served by this misstep")

    asyncio.run(walk())


def test_a_version_that_cannot_be_served_is_tried_once_and_its_people_are_no_guessers(
    database: str, older: Study, newer: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Stored] = []

    def trying(stored: Stored) -> Study | None:
        tried.append(stored)
        return restored(stored)

    async def walk() -> None:
        async with served(older, database) as here:
            people = [here.person(), here.person()]
            for one in people:
                await one.enter()
            mine = study_table.c.id == here.store.number
            spoilt = update(study_table).where(mine).values(content="{}")
            here.store.write(lambda on: on.execute(spoilt))
        monkeypatch.setattr(ways, "restored", trying)
        async with served(newer, database) as again:
            for turn in range(OF_WRONG_TOKENS.burst + 5):
                reply = await Person(again.client, people[turn % 2].token).look()
                assert reply.status_code == 401
                assert "is not known here" in reply.json()["error"]
            assert tried == [Stored("{}", {"inconsistency": 1})]

    asyncio.run(walk())


def _bump(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a misstep is that makes the family's items otherwise."""
    spec = replace(inconsistency.FAMILY.spec, version=2)
    monkeypatch.setattr(inconsistency, "FAMILY", replace(inconsistency.FAMILY, spec=spec))


def test_a_version_whose_items_are_made_otherwise_now_is_not_served(
    database: str, older: Study, newer: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def walk() -> None:
        async with served(older, database) as here:
            one = here.person()
            await one.enter()
        _bump(monkeypatch)
        async with served(newer, database) as again:
            reply = await Person(again.client, one.token).look()
            assert reply.status_code == 401
            assert "is not known here" in reply.json()["error"]
            assert (await again.person().enter()).status_code == 200
            said: list[str] = []
            await asyncio.to_thread(serving._make_older, newer, again.store, said.append)
            assert said[-1] == (
                f"version {older.digest}: can't be served by this misstep (inconsistency: "
                "version 1 then, 2 now); its people are told"
            )

    asyncio.run(walk())


@pytest.mark.parametrize("is_noted", [True, False])
def test_a_study_whose_people_met_other_items_is_refused_in_one_line(
    is_noted: bool, database: str, older: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it wasn't noted which, they are taken to be those of today."""
    store = open_store(database, older, 0, lambda _line: None)
    enter, visitor = people.enter, people.Visitor()
    store.write(lambda on: enter(on, older, store.number, visitor, "consent", 0)).result()
    if not is_noted:
        store.write(lambda on: on.execute(update(study_table).values(families=None))).result()
    store.close()
    _bump(monkeypatch)
    said = r"1 of its people met other items .* \(inconsistency: version 1 then, 2 now\); go"
    if is_noted:
        with pytest.raises(BadInput, match=f"^--database: {said}"):
            open_store(database, older, 0, lambda _line: None)
    else:
        open_store(database, older, 0, lambda _line: None).close()


def test_a_study_that_nobody_entered_is_one_of_todays_items(
    database: str, older: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_store(database, older, 0, lambda _line: None).close()
    _bump(monkeypatch)
    store = open_store(database, older, 0, lambda _line: None)
    stored = store.read(lambda on: versions.stored(on, store.number))
    assert stored.families == {"inconsistency": 2}
    store.close()


def test_items_of_a_version_are_made_before_while_somebody_is_under_way(
    tmp_path: Path, older: Study, newer: Study
) -> None:
    visitor, said = people.Visitor(), list[str]()
    before = open_store(str(tmp_path / "x.db"), older, 0, said.append)
    now = utc_ms()
    enter = people.enter
    before.write(lambda on: enter(on, older, before.number, visitor, "consent", now)).result()
    before.write(lambda on: enter(on, older, before.number, visitor, "consent", 0)).result()
    after = open_store(str(tmp_path / "x.db"), newer, 0, said.append)
    serving._make_older(newer, after, said.append)
    assert said == [f"version {older.digest}: making the items"]
    assert _everyone(after, before.number) == [State.UNDER_WAY, State.TIMED_OUT]
    before.close()
    after.close()


@pytest.mark.parametrize("family", TRIALS)
def test_what_the_store_keeps_of_a_study_is_the_study(family: str) -> None:
    study = replace(default_study(family), people=3)
    assert restored(Stored(json.dumps(asdict(study)), versions_of(study))) == study


def test_a_study_of_before_there_were_words_is_restored_without(tmp_path: Path) -> None:
    study = read_study(ROOT / "docs/examples/study/study.toml")
    content = asdict(study)
    assert content["texts"].pop("words") == {}
    assert restored(Stored(json.dumps(content))) == study
