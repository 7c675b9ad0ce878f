"""A study without a server in Chromium, to the end and back into the store."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="needs misstep[robots]")

from playwright.sync_api import Browser, Page, expect

from browsing import desktop, phone
from misstep.core.records import Record
from misstep.study.bundle.folder import bundle_files, write_folder
from misstep.study.bundle.importing import imported
from misstep.study.bundle.jatos import archive
from misstep.study.bundle.packing import packed
from misstep.study.bundle.results import read_results
from misstep.study.course.file import read_study
from misstep.study.course.nouns import Step, Study
from misstep.study.export.opening import found_store
from misstep.study.export.parts import Choice, chosen, parts
from misstep.study.screens import Ask, Json
from still_pages import through, web_server
from study_way import served

FILE = """
schema = 1
title = "Letters and glasses"
people = 4
tries = 1
[[block]]
family = "inconsistency"
items = 2
practice = 1
pool = 20
arms = ["direct", "judge-then-explain"]
timing = {deliberate = 100}
[[block]]
family = "cups"
items = 1
practice = 0
pool = 4
arms = ["deliberate"]
timing = {deliberate = 100}
[links.codes]
complete = "DONE1234"
[bonus]
each = 1.0
"""


@pytest.fixture
def study(tmp_path: Path) -> Study:
    path = tmp_path / "study.toml"
    path.write_text(FILE, encoding="utf-8")
    return read_study(path)


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Page]:
    with desktop(browser) as page:
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        yield page
        assert not wrong


def written(study: Study, folder: Path, places: int = 2) -> Path:
    write_folder(folder, bundle_files(study, packed(study, places), places, ("all",)), "--out")
    return folder


def saved(page: Page, folder: Path) -> Path:
    with page.expect_download() as download:
        page.get_by_role("link", name="Save my answers").click()
    out = folder / download.value.suggested_filename
    download.value.save_as(out)
    return out


def records_of(study: Study, database: Path) -> list[Record]:
    """But for who it was, and the server's times."""
    with found_store(str(database), study) as store:
        found = list(chosen(study, parts(study, store), Choice()))
    return [
        replace(one, who="person", details={**one.details, "server_ms": None})
        for part in found
        for one in part.records
    ]


def served_records(study: Study, database: Path, result: str, before: int = 0) -> list[Record]:
    """Of the same answers, given to the study's own server at the same place: `before` others have
    entered, and do nothing."""
    answers = [
        {name: one[name] for name in one if name != "received"}
        for one in json.loads(result)["answers"]
    ]

    async def take_part() -> None:
        async with served(study, str(database)) as site:
            for _ in range(before):
                await site.person().enter()
            person = site.person()
            await person.enter()
            for one in answers:
                reply = await person.answer(**one)
                assert reply.status_code == 200, reply.text
            assert person.step["screen"]["kind"] == "end"

    # Playwright has an event loop in this thread already.
    with ThreadPoolExecutor(1) as other:
        other.submit(lambda: asyncio.run(take_part())).result()
    return records_of(study, database)


def some_wrong(at: Step, answer: Mapping[str, Json]) -> Mapping[str, Json]:
    """The first practice trial is answered wrong, so that its feedback is another."""
    if not at.key.startswith("practice/0/0") or not isinstance(at.screen, Ask):
        return answer
    others = [one.value for one in at.screen.choices if one.value != answer["value"]]
    return {"value": others[0]}


def test_the_same_answers_are_the_same_records_with_a_server_and_without(
    study: Study, visitor: Page, tmp_path: Path
) -> None:
    def reload(page: Page, number: int) -> None:
        if number % 5 == 4:
            page.reload()

    with web_server(written(study, tmp_path / "page")) as address:
        visitor.goto(f"{address}/index.html?place=0&PROLIFIC_PID=p1")
        given = through(visitor, study, 0, some_wrong, reload)
        expect(visitor.get_by_text("DONE1234")).to_be_visible()
        file = saved(visitor, tmp_path)
    database = tmp_path / "study.db"
    lines = list(imported(study, read_results([file], study), str(database)))
    assert lines == [f"1 results imported (1 complete) into {database}"]
    found = records_of(study, database)
    assert len(found) == 3
    assert found == served_records(study, tmp_path / "served.db", file.read_text("utf-8"))
    again = list(imported(study, read_results([file, file], study), str(database)))
    assert again == [f"0 results imported into {database}", "1 were there already"]
    with found_store(str(database), study) as store:
        (part,) = parts(study, store)
    assert part.who.recruited.person == "p1"
    assert part.who.bonus == sum(one.outcome == "correct" for one in found)
    assert [one.sent.given.key for one in part.kept] == [one.key for one in given]
    assert all(one.sent.given.rt_ms is not None for one in part.kept)
    assert [one.sent.row["trial_index"] for one in part.kept if one.sent.row] == list(
        range(len(given))
    )


def test_who_does_not_consent_hands_over_nothing(
    study: Study, browser: Browser, tmp_path: Path
) -> None:
    with web_server(written(study, tmp_path / "page")) as address, phone(browser) as page:
        page.goto(f"{address}/?place=1")
        page.locator('article[data-ready] button[data-value="no"]').click()
        expect(page.locator('article[data-ending="no_consent"]')).to_be_visible()
        expect(page.get_by_role("link", name="Save my answers")).to_have_count(0)
        page.get_by_role("button", name="Begin anew, for the next person").click()
        expect(page.get_by_role("button", name="I agree to take part")).to_be_visible()


def test_who_leaves_is_imported_as_withdrawn(study: Study, visitor: Page, tmp_path: Path) -> None:
    with web_server(written(study, tmp_path / "page")) as address:
        visitor.goto(f"{address}/?place=1")
        visitor.locator('article[data-ready] button[data-value="yes"]').click()
        visitor.get_by_role("button", name="Leave the study").click()
        visitor.locator("dialog button.danger").click()
        expect(visitor.locator('article[data-ending="withdrawn"]')).to_be_visible()
        again = visitor.get_by_role("button", name="Begin anew, for the next person")
        expect(again).to_be_hidden()
        file = saved(visitor, tmp_path)
        expect(again).to_be_visible()
    (line,) = imported(study, read_results([file], study), str(tmp_path / "study.db"))
    assert "1 withdrawn" in line


def test_a_place_that_is_not_there_is_refused_in_words(
    study: Study, visitor: Page, tmp_path: Path
) -> None:
    with web_server(written(study, tmp_path / "page")) as address:
        visitor.goto(f"{address}/?place=7")
        expect(visitor.get_by_text("This study has the places 0 to 1.")).to_be_visible()


def test_the_page_works_from_the_disk(study: Study, visitor: Page, tmp_path: Path) -> None:
    folder = written(study, tmp_path / "page")
    visitor.goto(f"{(folder / 'index.html').as_uri()}?place=1")
    visitor.locator('article[data-ready] button[data-value="yes"]').click()
    expect(visitor.get_by_role("heading", name="Welcome")).to_be_visible()
    visitor.reload()
    expect(visitor.get_by_role("heading", name="Welcome")).to_be_visible()


JATOS = """
const session = { misstep_places: 0 };
const fake = { submitted: [], ended: [], failures: 0 };
window.fake = fake;
window.jatos = {
  studyResultId: 12,
  urlQueryParameters: { PROLIFIC_PID: "p9" },
  batchSession: {
    get: (name) => session[name],
    set: async (name, value) => {
      if (fake.failures++ === 0) {
        session[name] = 1; // somebody else was faster
        throw new Error("conflict");
      }
      session[name] = value;
    },
  },
  onLoad: (act) => window.addEventListener("load", act),
  submitResultData: async (data) => {
    if (fake.submitted.length === 3 && fake.failures++ === 2) throw new Error("away");
    fake.submitted.push(data);
  },
  endStudyAjax: async (ok, said) => void fake.ended.push([ok, said]),
};
"""


def test_jatos_is_given_every_answer_and_the_end(
    study: Study, visitor: Page, tmp_path: Path
) -> None:
    with zipfile.ZipFile(io.BytesIO(archive(study, packed(study, 3), 3))) as files:
        files.extractall(tmp_path / "jatos")
    (folder,) = (one for one in (tmp_path / "jatos").iterdir() if one.is_dir())
    (folder / "jatos.js").write_text(JATOS, encoding="utf-8")
    with web_server(folder) as address:
        visitor.goto(f"{address}/index.html")
        given = through(visitor, study, 1)
        expect(visitor.get_by_text("DONE1234")).to_be_visible()
        expect(visitor.locator("#handover")).to_have_count(0)
        submitted = visitor.evaluate("fake.submitted")
        assert visitor.evaluate("fake.ended") == [[True, "complete"]]
    assert [len(json.loads(one)["answers"]) for one in submitted] == list(range(len(given) + 1))
    # JATOS gives the data of many results line by line, or each in a file of an archive.
    results = tmp_path / "jatos_results.jrzip"
    with zipfile.ZipFile(results, "w") as packed_results:
        packed_results.writestr("metadata.json", "{}")
        packed_results.writestr("study_result_12/comp-result_14/data.txt", submitted[-1])
        packed_results.writestr("study_result_12/comp-result_13/data.txt", submitted[4])
    database = tmp_path / "study.db"
    (line,) = imported(study, read_results([results], study), str(database))
    assert "1 complete" in line
    found = records_of(study, database)
    assert len(found) == 3
    assert found == served_records(study, tmp_path / "served.db", submitted[-1], before=1)
