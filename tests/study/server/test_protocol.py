"""The participant's protocol: enter, answer, go on after a reload, leave; on either database."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from misstep.study.server.ways import Ways
from misstep.study.store import answers, people
from misstep.study.store.nouns import Kept, Participant
from misstep.study.store.opening import Store
from study_way import Clock, Person, Served, body, served, small_study


def _everyone(store: Store) -> list[Participant]:
    return list(store.read(lambda on: people.everyone(on, store.number)))


def _kept(store: Store, who: Participant) -> tuple[Kept, ...]:
    return store.read(lambda on: answers.kept_of(on, who.id))


def test_a_person_goes_from_consent_to_the_code(database: str, tmp_path: Path) -> None:
    study = small_study(tmp_path, links='{back = "https://x.test/?cc={code}"}')

    async def walk() -> None:
        async with served(study, database) as here:
            one = here.person()
            await one.enter("p1")
            await one.go_to("end")
            assert one.step["screen"]["ending"] == "complete"
            (who,) = _everyone(here.store)
            assert (who.state.value, who.recruited.person) == ("complete", "p1")
            assert one.step["screen"]["code"] in one.step["screen"]["url"]
            assert who.public in one.step["screen"]["body"][-1]["text"]
            keys = [step["key"] for step in one.seen]
            kept = _kept(here.store, who)
            assert [each.sent.given.key for each in kept] == keys[:-1]
            assert keys[0] == "consent"
            assert all(each.server_ms is not None for each in kept)
            assert kept[0].sent.row == {"trial_type": "misstep", "rt": 412}

    asyncio.run(walk())


def test_after_a_reload_the_person_is_where_they_were(database: str, tmp_path: Path) -> None:
    async def walk() -> None:
        async with served(small_study(tmp_path), database) as here:
            one = here.person()
            await one.enter()
            await one.go_to("trial")
            before = one.step
            await one.look()
            assert one.step == before

    asyncio.run(walk())


def test_after_a_restart_the_person_is_where_they_were(database: str, tmp_path: Path) -> None:
    study = small_study(tmp_path)

    async def walk() -> None:
        async with served(study, database) as here:
            one = here.person()
            await one.enter()
            await one.go_to("trial")
        async with served(study, database) as again:
            same = Person(again.client, one.token)
            await same.look()
            assert same.step == one.step
            await same.go_to("end")
            assert (
                len(_kept(again.store, _everyone(again.store)[0]))
                == len(one.seen) - 1 + len(same.seen) - 1
            )

    asyncio.run(walk())


def test_the_same_sending_again_has_the_same_reply_and_is_kept_once(
    database: str, tmp_path: Path
) -> None:
    async def walk() -> None:
        async with served(small_study(tmp_path), database) as here:
            one = here.person()
            await one.enter()
            sent = body(one.step)
            replies = [await one.answer(**sent) for _ in range(3)]
            assert {reply.status_code for reply in replies} == {200}
            assert len({reply.text for reply in replies}) == 1
            assert len(_kept(here.store, _everyone(here.store)[0])) == 1

    asyncio.run(walk())


@pytest.mark.parametrize("same", [True, False], ids=["same once", "different once"])
def test_a_double_click_is_one_answer(database: str, tmp_path: Path, same: bool) -> None:
    async def walk() -> None:
        async with served(small_study(tmp_path), database) as here:
            one = here.person()
            await one.enter()
            sent = [body(one.step) for _ in range(8)]
            marks = [sent[0]["once"]] * 8 if same else [each["once"] for each in sent]
            replies = await asyncio.gather(
                *(
                    Person(here.client, one.token, one.step).answer(**each | {"once": mark})
                    for each, mark in zip(sent, marks, strict=True)
                )
            )
            found = sorted(reply.status_code for reply in replies)
            assert found == ([200] * 8 if same else [200] + [409] * 7)
            assert {_step(reply.json())["key"] for reply in replies} == {"welcome"}
            assert len(_kept(here.store, _everyone(here.store)[0])) == 1

    asyncio.run(walk())


def _step(reply: dict[str, dict[str, str]]) -> dict[str, str]:
    return reply["step"]


def test_two_servers_on_one_database_keep_one_answer_a_step(database: str, tmp_path: Path) -> None:
    study = small_study(tmp_path)

    async def walk() -> None:
        async with served(study, database) as first, served(study, database) as second:
            one = first.person()
            await one.enter()
            other = Person(second.client, one.token)
            await other.look()
            sent = body(one.step)
            assert (await one.answer(**sent)).status_code == 200
            # The other server believes still that the person is at the consent.
            late = await other.answer()
            assert (late.status_code, late.json()["step"]["key"]) == (409, "welcome")
            assert (await other.answer(**sent)).status_code == 200
            assert (await other.answer()).status_code == 200
            assert (await one.answer()).status_code == 409
            assert (await one.answer()).status_code == 200
            assert len(_kept(first.store, _everyone(first.store)[0])) == 3

    asyncio.run(walk())


def test_an_answer_for_another_step_is_refused_with_the_step_at_hand(
    database: str, tmp_path: Path
) -> None:
    async def walk() -> None:
        async with served(small_study(tmp_path), database) as here:
            one = here.person()
            await one.enter()
            for key in ("trial/0/0", "welcome", "end", "", "../consent"):
                reply = await one.answer(key=key)
                assert (reply.status_code, reply.json()["step"]["key"]) == (409, "consent")
            assert _kept(here.store, _everyone(here.store)[0]) == ()

    asyncio.run(walk())


def test_who_leaves_is_told_so_and_answers_no_more(database: str, tmp_path: Path) -> None:
    async def walk() -> None:
        async with served(small_study(tmp_path, people=1), database) as here:
            one, two = here.person(), here.person()
            await one.enter()
            await one.go_to("trial")
            at = one.step
            assert (await two.enter()).json()["screen"]["screen"]["ending"] == "full"
            left = await one.withdraw()
            assert left.json()["step"]["screen"]["ending"] == "withdrawn"
            reply = await one.answer(**body(at))
            assert (reply.status_code, reply.json()["step"]["part"]) == (409, "end")
            assert (await two.enter()).json()["screen"]["key"] == "consent"

    asyncio.run(walk())


def test_no_consent_ends_the_way_and_frees_the_place(database: str, tmp_path: Path) -> None:
    async def walk() -> None:
        async with served(small_study(tmp_path, people=1), database) as here:
            one, two = here.person(), here.person()
            await one.enter("p1")
            await one.answer(answer={"value": "no"})
            assert one.step["screen"]["ending"] == "no_consent"
            await two.enter("p2")
            assert two.step["key"] == "consent"
            assert [who.recruited.person for who in _everyone(here.store)] == ["", "p2"]

    asyncio.run(walk())


def test_who_comes_back_by_another_browser_is_refused_in_one_line(
    database: str, tmp_path: Path
) -> None:
    async def walk() -> None:
        async with served(small_study(tmp_path), database) as here:
            one, two = here.person(), here.person()
            await one.enter("p1")
            await one.answer()
            reply = await two.enter("p1")
            assert reply.status_code == 403
            assert "you have taken part in this study already" in reply.json()["error"]
            assert one.token not in reply.text

    asyncio.run(walk())


def test_an_answer_that_does_not_fit_is_refused_and_the_person_stays(
    database: str, tmp_path: Path
) -> None:
    async def walk() -> None:
        async with served(small_study(tmp_path), database) as here:
            one = here.person()
            await one.enter()
            for answer in ({"value": "maybe"}, {}, {"text": "yes"}, {"value": "yes", "more": 1}):
                assert (await one.answer(answer=answer)).status_code == 422
            assert (await one.answer()).status_code == 200

    asyncio.run(walk())


def test_a_paused_study_says_so_and_keeps_answers_under_way(database: str, tmp_path: Path) -> None:
    async def walk() -> None:
        async with served(small_study(tmp_path), database) as here:
            one, two = here.person(), here.person()
            await one.enter()
            seen = [one.step["paused"]]
            await here.desk("POST", "gate", {"action": "paused"})
            await one.look()
            seen.append(one.step["paused"])
            assert (await one.answer()).status_code == 200
            seen.append(one.step["paused"])
            reply = await two.enter()
            assert reply.json()["token"] == ""
            assert reply.json()["screen"]["screen"]["ending"] == "closed"
            await here.desk("POST", "gate", {"action": "resumed"})
            await one.look()
            assert [*seen, one.step["paused"]] == [False, True, True, False]

    asyncio.run(walk())


def test_a_clock_that_jumps_ahead_costs_nobody_a_place_that_is_free(tmp_path: Path) -> None:
    clock = Clock()

    async def walk() -> None:
        async with served(small_study(tmp_path), str(tmp_path / "x.db"), clock) as here:
            one, two, three = (here.person() for _ in range(3))
            await one.enter()
            await two.enter()
            clock.now += 365 * 86_400_000
            await three.enter()  # the lowest slot that seems free: the first one's
            assert (await two.answer()).status_code == 200
            reply = await one.answer()
            assert reply.status_code == 409
            assert reply.json()["step"]["screen"]["ending"] == "timed_out"
            clock.now -= 2 * 365 * 86_400_000
            await two.go_to("end")
            assert two.step["screen"]["ending"] == "complete"
            times = [each.server_ms for each in _kept(here.store, _everyone(here.store)[1])]
            assert all(time is None or time >= 0 for time in times)
            assert None in times

    asyncio.run(walk())


@pytest.mark.parametrize(("said", "kept"), [("false", None), ("true", "127.0.0.1")])
def test_addresses_are_kept_only_where_the_study_asks_for_them(
    tmp_path: Path, said: str, kept: str | None
) -> None:
    async def walk() -> None:
        study = small_study(tmp_path, privacy=f"{{addresses = {said}}}")
        async with served(study, str(tmp_path / "x.db")) as here:
            await here.person().enter()
            assert _everyone(here.store)[0].address == kept

    asyncio.run(walk())


def test_only_those_under_way_stand_in_memory(tmp_path: Path) -> None:
    async def walk() -> None:
        async with served(small_study(tmp_path), str(tmp_path / "x.db")) as here:
            ways = Ways(here.study, here.store, Clock())
            one = here.person()
            await one.enter()
            await ways.at(one.token)
            assert ways.knows(one.token)
            await ways.withdraw(one.token)
            assert not ways.knows(one.token)
            ways.close()

    asyncio.run(walk())


def test_served_says_nothing_where_nothing_is_wrong(tmp_path: Path) -> None:
    async def walk() -> Served:
        async with served(small_study(tmp_path), str(tmp_path / "x.db")) as here:
            await here.person().enter()
            return here

    assert asyncio.run(walk()).said == []
