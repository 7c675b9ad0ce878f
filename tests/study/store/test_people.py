"""People in the store: one slot a person, freed and taken again, on either database."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, select

from misstep.study.course.nouns import Study
from misstep.study.store import answers, events, people
from misstep.study.store.answers import Next
from misstep.study.store.nouns import Overruling, Recruited, Refusal, Sent, State
from misstep.study.store.opening import Store, open_store
from misstep.study.store.people import Entered, Visitor, hashed
from misstep.study.store.tables import metadata
from misstep.study.trials.nouns import Given
from study_way import small_study

NOW = 1_800_000_000_000
MINUTE = 60_000


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return small_study(tmp_path, people=3)


@pytest.fixture
def store(database: str, study: Study) -> Iterator[Store]:
    found = open_store(database, study, NOW, lambda _line: None)
    yield found
    found.close()


def _enter(store: Store, study: Study, visitor: Visitor | None = None, now: int = NOW) -> Entered:
    found = _try(store, study, visitor, now)
    assert isinstance(found, Entered), found
    return found


def _try(
    store: Store, study: Study, visitor: Visitor | None = None, now: int = NOW
) -> Entered | Refusal:
    who = visitor or Visitor()
    return store.write(
        lambda on: people.enter(on, study, store.number, who, "consent", now)
    ).result()


def _recruited(name: str) -> Visitor:
    return Visitor(Recruited(name, "s", "t"))


def _end(store: Store, one: Entered, state: State, now: int = NOW) -> bool:
    return store.write(lambda on: people.end(on, one.who.id, state, now)).result()


def _keep(store: Store, one: Entered, key: str = "consent", once: str = "o") -> bool:
    sent = Sent(Given(key, {"value": "yes"}, 5.0), once)
    return store.write(
        lambda on: answers.keep(on, one.who.id, hashed(one.token), sent, Next("welcome"), NOW)
    ).result()


def _overrule(store: Store, one: Entered) -> None:
    reading = Overruling(0, "valid", "", NOW)
    store.write(lambda on: answers.overrule(on, one.who, reading)).result()


def _rows(connection: Connection) -> dict[str, int]:
    return {
        name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for name, table in metadata.tables.items()
    }


def test_slots_are_taken_lowest_first_until_the_quota(store: Store, study: Study) -> None:
    slots = [_enter(store, study).who.slot for _ in range(3)]
    assert slots == [0, 1, 2]
    assert _try(store, study) is Refusal.FULL


def test_many_at_the_same_moment_never_share_a_slot(database: str, tmp_path: Path) -> None:
    study = small_study(tmp_path, people=25)
    stores = [open_store(database, study, NOW, lambda _line: None) for _ in range(2)]
    with ThreadPoolExecutor(12) as pool:
        found = list(pool.map(lambda turn: _try(stores[turn % 2], study), range(40)))
    for one in stores:
        one.close()
    slots = [one.who.slot for one in found if isinstance(one, Entered)]
    assert sorted(slots) == list(range(25))
    assert found.count(Refusal.FULL) == 15


@pytest.mark.parametrize("state", [State.WITHDRAWN, State.SCREENED_OUT, State.NO_CONSENT])
def test_who_leaves_frees_the_slot_for_the_next(store: Store, study: Study, state: State) -> None:
    first, second, third = (_enter(store, study) for _ in range(3))
    assert _end(store, second, state)
    assert _end(store, first, state)
    assert [_enter(store, study).who.slot for _ in range(2)] == [0, 1]
    assert _try(store, study) is Refusal.FULL
    assert third.who.slot == 2


def test_who_completed_keeps_the_slot(store: Store, study: Study) -> None:
    _end(store, _enter(store, study), State.COMPLETE)
    assert [_enter(store, study).who.slot for _ in range(2)] == [1, 2]
    assert _try(store, study) is Refusal.FULL


def test_who_takes_too_long_gives_the_slot_back(store: Store, study: Study) -> None:
    late = [_enter(store, study) for _ in range(3)]
    after = NOW + study.minutes * MINUTE + 1
    assert _try(store, study, now=after - 2) is Refusal.FULL
    assert _enter(store, study, now=after).who.slot == 0
    states = [one.state for one in store.read(lambda on: people.everyone(on, store.number))]
    assert states == [State.TIMED_OUT] * 3 + [State.UNDER_WAY]
    assert not _keep(store, late[0])


def test_who_took_too_long_goes_on_while_the_slot_is_free(store: Store, study: Study) -> None:
    first, second, _ = (_enter(store, study) for _ in range(3))
    after = NOW + study.minutes * MINUTE + 1
    _enter(store, study, now=after)

    def is_back(one: Entered) -> bool:
        return store.write(lambda on: people.regain(on, one.who, after)).result()

    assert not is_back(first)
    assert is_back(second)
    assert not is_back(second)
    assert _keep(store, second)
    assert _enter(store, study, now=after).who.slot == 2
    assert _try(store, study, now=after) is Refusal.FULL


def test_a_way_ends_once(store: Store, study: Study) -> None:
    one = _enter(store, study)
    assert _end(store, one, State.COMPLETE)
    assert not _end(store, one, State.WITHDRAWN)


def test_a_recruited_person_takes_part_once(store: Store, study: Study) -> None:
    one = _enter(store, study, _recruited("p1"))
    _keep(store, one)
    assert _try(store, study, _recruited("p1")) is Refusal.TOOK_PART
    assert _enter(store, study, _recruited("p2")).who.slot == 1


def test_before_the_first_answer_another_browser_may_take_over(store: Store, study: Study) -> None:
    old = _enter(store, study, _recruited("p1"))
    new = _enter(store, study, _recruited("p1"))
    assert new.who.public == old.who.public
    assert not _keep(store, old)
    assert _keep(store, new)


def test_a_page_that_enters_again_with_its_mark_has_one_way(store: Store, study: Study) -> None:
    visitor = Visitor(once="a-mark-of-its-own")
    first, second = _enter(store, study, visitor), _enter(store, study, visitor)
    assert first.who.public == second.who.public
    assert first.token != second.token
    assert store.read(lambda on: len(people.everyone(on, store.number))) == 1


def test_who_took_part_in_another_version_is_refused(database: str, study: Study) -> None:
    older = open_store(database, replace(study, digest="older"), NOW, lambda _line: None)
    _enter(older, study, _recruited("p1"))
    older.close()
    newer = open_store(database, study, NOW, lambda _line: None)
    assert _try(newer, study, _recruited("p1")) is Refusal.TOOK_PART
    assert _enter(newer, study, _recruited("p2")).who.slot == 0
    newer.close()


def test_an_answer_is_kept_once_for_its_step_and_once_for_its_mark(
    store: Store, study: Study
) -> None:
    one = _enter(store, study)
    assert _keep(store, one)
    assert not _keep(store, one)
    assert not _keep(store, one, once="another")
    assert not _keep(store, one, key="welcome")
    assert _keep(store, one, key="welcome", once="another")
    kept = store.read(lambda on: answers.kept_of(on, one.who.id))
    assert [(each.sent.given.key, each.sent.once) for each in kept] == [
        ("consent", "o"),
        ("welcome", "another"),
    ]


def test_the_token_is_not_in_the_store(store: Store, study: Study, database: str) -> None:
    one = _enter(store, study)
    held = store.read(lambda on: str([list(on.execute(select(t))) for t in metadata.sorted_tables]))
    assert hashed(one.token) in held
    assert one.token not in held


def test_of_who_does_not_consent_no_id_stays(store: Store, study: Study) -> None:
    one = _enter(store, study, replace(_recruited("p1"), address="10.0.0.1"))
    _end(store, one, State.NO_CONSENT)
    kept = store.read(lambda on: people.everyone(on, store.number))[0]
    assert (kept.recruited, kept.address) == (Recruited(), None)


def test_whoever_is_deleted_leaves_nothing(store: Store, study: Study) -> None:
    gone, stays = _enter(store, study, _recruited("p1")), _enter(store, study)
    for one in (gone, stays):
        _keep(store, one)
        _overrule(store, one)
    before = store.read(_rows)
    assert store.write(lambda on: people.remove(on, store.number, gone.who.public, NOW)).result()
    after = store.read(_rows)
    mine = ("participant", "answer", "overruling")
    assert {name: before[name] - after[name] for name in mine} == dict.fromkeys(mine, 1)
    assert before["served"] - after["served"] == 2
    assert after["event"] == 1
    assert _enter(store, study).who.slot == 0
    assert not store.write(
        lambda on: people.remove(on, store.number, gone.who.public, NOW)
    ).result()


def test_what_is_deleted_is_not_in_the_files_either(tmp_path: Path, study: Study) -> None:
    store = open_store(str(tmp_path / "x.db"), study, NOW, lambda _line: None)
    one = _enter(store, study, _recruited("somebody-to-forget"))
    store.write(lambda on: people.remove(on, store.number, one.who.public, NOW)).result()
    store.wipe()
    files = [path.read_bytes() for path in tmp_path.glob("x.db*")]
    store.close()
    assert not any(b"somebody-to-forget" in found for found in files)


def test_the_last_word_on_pausing_and_closing_holds(store: Store, study: Study) -> None:
    def say(kind: str) -> Refusal | Entered:
        store.write(lambda on: events.note(on, store.number, kind, NOW)).result()
        return _try(store, study)

    assert say(events.PAUSED) is Refusal.PAUSED
    assert say(events.CLOSED) is Refusal.CLOSED
    assert say(events.RESUMED) is Refusal.CLOSED
    assert isinstance(say(events.REOPENED), Entered)


def test_a_clock_that_goes_back_gives_no_time(store: Store, study: Study) -> None:
    one = _enter(store, study)
    sent = Sent(Given("consent", {"value": "yes"}), "o")
    earlier = NOW - 3_600_000
    store.write(
        lambda on: answers.keep(on, one.who.id, hashed(one.token), sent, Next("welcome"), earlier)
    ).result()
    (kept,) = store.read(lambda on: answers.kept_of(on, one.who.id))
    assert (kept.served, kept.server_ms) == (NOW, None)
