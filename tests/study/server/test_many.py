"""Many at once: nobody's answer is lost or kept for another, and few flushes serve them all."""

from __future__ import annotations

import asyncio
from pathlib import Path

from sqlalchemy import event

from misstep.study.store import answers, people
from study_way import Person, body, served, small_study

_PEOPLE = 60


def test_of_many_at_once_none_is_lost(database: str, tmp_path: Path) -> None:
    study = small_study(tmp_path, people=_PEOPLE)

    async def walk() -> None:
        async with served(study, database) as here:
            commits: list[int] = []
            event.listen(here.store.writer._engine, "commit", lambda _on: commits.append(1))
            ways = [here.person() for _ in range(_PEOPLE)]
            sent = await asyncio.gather(*(_through(one) for one in ways))
            everyone = here.store.read(lambda on: people.everyone(on, here.store.number))
            assert sorted(who.slot for who in everyone) == list(range(_PEOPLE))
            assert {who.state.value for who in everyone} == {"complete"}
            kept = []
            for who in everyone:
                found = here.store.read(lambda on, who=who: answers.kept_of(on, who.id))  # type: ignore[misc]  # bound now
                kept.append([one.sent.once for one in found])
            assert sorted(kept) == sorted(sent)
            assert len(commits) < sum(map(len, sent)) / 3

    asyncio.run(walk())


async def _through(one: Person) -> list[object]:
    """The marks of all answers of one way, in order."""
    await one.enter()
    marks = []
    while one.step["part"] != "end":
        sent = body(one.step)
        marks.append(sent["once"])
        assert (await one.answer(**sent)).status_code == 200
    return marks
