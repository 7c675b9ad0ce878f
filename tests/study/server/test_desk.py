"""The researcher's page: what it counts, and what can be done there."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from misstep.study.course.drawing import item_of, planned
from misstep.study.server.desk.figures import place
from misstep.study.server.desk.routes import Download
from misstep.study.store import answers, people
from study_way import Clock, Person, Plain, Served, body, served, small_study

Walk = Callable[[Served], Awaitable[None]]


def _on(tmp_path: Path, walk: Walk, family: str = "inconsistency", **more: int | str) -> None:
    async def run() -> None:
        study = small_study(tmp_path, 5, family, "items = 2", **more)
        downloads = [Download("records.csv", "text/csv", lambda: b"a,b\n")]
        database = str(tmp_path / "x.db")
        async with served(study, database, Clock(), downloads) as here:
            await walk(here)

    asyncio.run(run())


async def _state(here: Served) -> dict[str, Any]:  # Any: JSON as it came
    reply = await here.desk("GET", "state")
    assert reply.status_code == 200
    return dict(reply.json())


async def _answer_rightly(one: Person, here: Served, right: bool) -> None:
    """Both trials right, or both wrong."""
    while one.step["part"] != "end":
        sent = body(one.step) | {"rt_ms": 1000.0 if right else 3000.0}
        if one.step["part"] == "trial" and one.step["screen"]["kind"] == "ask":
            slot = here.store.read(lambda on: people.everyone(on, here.store.number))[-1].slot
            item = item_of(here.study, planned(here.study, slot)[one.step["trial"]])
            values = [choice["value"] for choice in one.step["screen"]["choices"]]
            sent["answer"] = {
                "value": next(value for value in values if (value == item.truth) is right)
            }
        assert (await one.answer(**sent)).status_code == 200


def test_the_desk_counts_people_by_state_and_where_they_stopped(tmp_path: Path) -> None:
    async def walk(here: Served) -> None:
        ways = [here.person() for _ in range(4)]
        for one in ways:
            await one.enter()
        await ways[0].go_to("end")
        await ways[1].answer(answer={"value": "no"})
        await ways[2].go_to("trial")
        await ways[2].withdraw()
        found = await _state(here)
        assert found["states"] == {
            "under_way": 1,
            "complete": 1,
            "screened_out": 0,
            "no_consent": 1,
            "timed_out": 0,
            "withdrawn": 1,
        }
        assert (found["quota"], found["held"]) == (5, 2)
        assert found["stops"] == [
            {"at": "consent", "state": "no_consent", "people": 1},
            {"at": "trial 1", "state": "withdrawn", "people": 1},
        ]
        assert [one["at"] for one in found["people"]] == ["end", "consent", "trial 1", "consent"]

    _on(tmp_path, walk)


def test_the_mean_of_each_arm_is_that_of_its_answered_trials(tmp_path: Path) -> None:
    async def walk(here: Served) -> None:
        for right in (True, True, False):
            one = here.person()
            await one.enter()
            await _answer_rightly(one, here, right)
        arms = (await _state(here))["arms"]
        assert len(arms) == 2
        assert sum(arm["trials"] for arm in arms) == 6
        for arm in arms:
            assert (arm["people"], arm["trials"], arm["answered"]) == (3, 3, 3)
            assert arm["value"] == pytest.approx(2 / 3)
        lines = (await _state(here))["people"]
        assert [line["value"] for line in lines] == [1.0, 1.0, 0.0]
        assert all(line["median_ms"] >= 1000 for line in lines)

    _on(tmp_path, walk)


def test_the_figures_grow_with_each_look(tmp_path: Path) -> None:
    async def walk(here: Served) -> None:
        one = here.person()
        await one.enter()
        counts = []
        while one.step["part"] != "end":
            counts.append((await _state(here))["people"][0]["trials"])
            await one.answer()
        counts.append((await _state(here))["people"][0]["trials"])
        assert counts == sorted(counts)
        assert set(counts) == {0, 1, 2}

    _on(tmp_path, walk)


@pytest.mark.parametrize(
    ("signs", "flagged"),
    [
        ([], False),
        ([{"kind": "paste", "at_ms": 1, "n": 40}], True),
        ([{"kind": "blur", "at_ms": 1, "n": 4_999}], False),
        (
            [{"kind": "blur", "at_ms": 1, "n": 2_500}, {"kind": "hidden", "at_ms": 1, "n": 2_500}],
            True,
        ),
        ([{"kind": "copy", "at_ms": 1, "n": 40}], False),
    ],
    ids=str,
)
def test_signs_of_help_are_flagged_and_nobody_is_left_out(
    tmp_path: Path, signs: list[Plain], flagged: bool
) -> None:
    async def walk(here: Served) -> None:
        one = here.person()
        await one.enter()
        await one.answer(signs=signs)
        await one.go_to("end")
        (line,) = (await _state(here))["people"]
        assert (line["is_flagged"], line["state"], line["trials"]) == (flagged, "complete", 2)
        assert line["signs"] == {sign["kind"]: [1, sign["n"]] for sign in signs}

    _on(tmp_path, walk)


def test_a_participant_is_deleted_only_by_the_id_typed(tmp_path: Path) -> None:
    async def walk(here: Served) -> None:
        one = here.person()
        await one.enter()
        await one.answer()
        public = (await _state(here))["people"][0]["public"]
        for typed, status in ((public[:-1], 422), ("", 422)):
            reply = await here.desk("POST", "delete", {"participant": public, "typed": typed})
            assert reply.status_code == status
        reply = await here.desk("POST", "delete", {"participant": "nobody", "typed": "nobody"})
        assert reply.status_code == 404
        reply = await here.desk("POST", "delete", {"participant": public, "typed": f" {public} "})
        assert reply.json()["people"] == []
        assert (await one.look()).status_code == 401
        assert (await one.answer()).status_code == 401

    _on(tmp_path, walk)


def test_closing_lets_those_under_way_finish(tmp_path: Path) -> None:
    async def walk(here: Served) -> None:
        one = here.person()
        await one.enter()
        reply = await here.desk("POST", "gate", {"action": "closed"})
        assert reply.json()["closed"] is True
        late = await here.person().enter()
        assert late.json()["screen"]["screen"]["ending"] == "closed"
        await one.go_to("end")
        assert one.step["screen"]["ending"] == "complete"
        assert (await here.desk("POST", "gate", {"action": "burn"})).status_code == 422

    _on(tmp_path, walk)


def test_only_listed_downloads_are_made(tmp_path: Path) -> None:
    async def walk(here: Served) -> None:
        assert (await _state(here))["downloads"] == ["records.csv"]
        reply = await here.desk("GET", "download/records.csv")
        assert (reply.content, reply.headers["content-type"]) == (
            b"a,b\n",
            "text/csv; charset=utf-8",
        )
        assert reply.headers["content-disposition"] == 'attachment; filename="records.csv"'
        for name in ("other.csv", "..%2fx.db", "x.db"):
            assert (await here.desk("GET", f"download/{name}")).status_code == 404

    _on(tmp_path, walk)


def test_a_reading_is_kept_beside_the_automatic_one(tmp_path: Path) -> None:
    async def walk(here: Served) -> None:
        one = here.person()
        await one.enter()
        await one.go_to("end")
        (line,) = (await _state(here))["people"]
        assert line["has_text"]
        before = (await here.desk("GET", f"texts/{line['public']}")).json()
        number = before["written"][0]["trial"]
        said = {"participant": line["public"], "trial": number, "note": "<b>by hand</b>"}
        for reading in ("valid", "optimal"):
            reply = await here.desk("POST", "overrule", said | {"reading": reading})
            assert reply.status_code == 200
        after = (await here.desk("GET", f"texts/{line['public']}")).json()["written"][0]
        assert after["overruling"]["reading"] == "optimal"
        assert after["overruling"]["note"] == "<b>by hand</b>"
        assert after["verdict"] == before["written"][0]["verdict"]
        who = here.store.read(lambda on: people.everyone(on, here.store.number))[0]
        assert (
            here.store.read(lambda on: answers.overrulings(on, who.id))[number].reading == "optimal"
        )
        for wrong, status in (
            ({"reading": "good"}, 422),
            ({"trial": 99}, 422),
            ({"participant": "nobody"}, 404),
        ):
            reply = await here.desk("POST", "overrule", said | {"reading": "valid"} | wrong)
            assert reply.status_code == status

    _on(tmp_path, walk, family="planbench", tries=2)


def test_texts_cannot_be_overruled_where_there_are_none(tmp_path: Path) -> None:
    async def walk(here: Served) -> None:
        one = here.person()
        await one.enter()
        await one.go_to("end")
        public = (await _state(here))["people"][0]["public"]
        assert (await here.desk("GET", f"texts/{public}")).json()["written"] == []
        said = {"participant": public, "trial": 0, "reading": "valid"}
        assert (await here.desk("POST", "overrule", said)).status_code == 422

    _on(tmp_path, walk)


def test_the_page_holds_nothing_and_runs_only_its_own_script(tmp_path: Path) -> None:
    async def walk(here: Served) -> None:
        first, second = [await here.client.get("/desk") for _ in range(2)]
        policy = first.headers["content-security-policy"]
        nonces = [
            re.findall(r"nonce-([\w-]+)", one.headers["content-security-policy"])[0]
            for one in (first, second)
        ]
        assert nonces[0] != nonces[1]
        assert f'<script nonce="{nonces[0]}">' in first.text
        assert "unsafe" not in policy
        assert here.study.title not in first.text

    _on(tmp_path, walk, title=json.dumps("A title that only the token shows"))


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("consent", "consent"),
        ("instructions/0/direct", "instructions direct"),
        ("check/1/0", "check"),
        ("practice/0/2/feedback", "practice 3"),
        ("trial/12/1", "trial 13"),
        ("trial/0/opening/1", "trial 1"),
        ("", ""),
    ],
)
def test_a_step_is_named_as_a_person_says_it(key: str, said: str) -> None:
    assert place(key) == said
