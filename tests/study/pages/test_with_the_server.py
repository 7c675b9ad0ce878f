"""The page against the study's own server, from the link to the completion code."""

from __future__ import annotations

import json
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Page, Route, expect

from misstep.study.course.file import read_study
from misstep.study.course.nouns import Study
from misstep.study.pages.assets import assets
from misstep.study.server.application import application, utc_ms
from misstep.study.store.opening import open_store
from misstep.study.trials.every import trial

FILE = """
schema = 1
title = "Glasses"
tries = 1
people = 2
[[block]]
family = "cups"
items = 2
practice = 1
pool = 4
arms = ["direct", "deliberate"]
[block.timing]
deliberate = 500
[links]
back = "https://app.example.org/done?cc={code}"
[links.codes]
complete = "DONE1234"
"""


@pytest.fixture
def study(tmp_path: Path) -> Study:
    path = tmp_path / "study.toml"
    path.write_text(FILE, encoding="utf-8")
    return read_study(path)


@contextmanager
def serving(study: Study, database: Path) -> Iterator[str]:
    store = open_store(f"sqlite:///{database}", study, utc_ms(), lambda _line: None)
    app = application(study, store, assets(), "d" * 43)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, ws="none"))
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/?PROLIFIC_PID=p1"
        finally:
            server.should_exit = True
            thread.join()


def answer(page: Page) -> str:
    """Answers what is shown, and returns what it was once the next screen is there."""
    article = page.locator("article.screen[data-ready]")
    expect(article).to_be_visible()
    kind = str(article.get_attribute("data-kind"))
    if kind == "end":
        return kind
    shown = article.element_handle()
    if kind == "check":
        for one in trial("cups").checks:
            field = page.locator(f'fieldset[data-name="{one.question.name}"]')
            field.locator(f'input[value="{one.right}"]').check()
    if kind == "write":
        page.locator("textarea").fill("The wider glass spills later, so it is the lower marking.")
    buttons = ".actions button:not([aria-disabled=true]), .row button"
    article.locator(buttons).first.click()
    shown.wait_for_element_state("hidden")
    return kind


def test_a_person_gets_from_the_link_to_the_code(
    study: Study, visitor: Page, tmp_path: Path
) -> None:
    database = tmp_path / "study.sqlite"
    answered = 0

    def lose_a_third(route: Route) -> None:
        """The reply, not the request: the server has the answer."""
        nonlocal answered
        answered += 1
        if answered % 3 == 0:
            route.fetch()
            route.abort("connectionreset")
        else:
            route.continue_()

    visitor.route("**/api/answer", lose_a_third)
    kinds = []
    with serving(study, database) as address:
        visitor.goto(address)
        while (kind := answer(visitor)) != "end":
            kinds.append(kind)
            if len(kinds) % 4 == 0:
                visitor.reload()
            assert len(kinds) < 40
        expect(visitor.get_by_text("DONE1234")).to_be_visible()
        back = visitor.get_by_role("link", name="Return to app.example.org")
        assert back.get_attribute("href") == "https://app.example.org/done?cc=DONE1234"
    assert {"page", "check", "ask", "write"} <= set(kinds)
    with closing(sqlite3.connect(database)) as kept:
        rows = kept.execute("select key, once, answer, row from answer order by id").fetchall()
    assert len(rows) == len({key for key, *_ in rows}) == len({once for _, once, *_ in rows})
    assert [json.loads(row)["trial_type"] for *_, row in rows] == [f"misstep-{k}" for k in kinds]
    assert [json.loads(row)["trial_index"] for *_, row in rows] == list(range(len(kinds)))
    assert all(json.loads(row)["response"] == json.loads(given) for *_, given, row in rows)


def test_who_says_no_is_thanked_and_nothing_more_is_asked(
    study: Study, visitor: Page, tmp_path: Path
) -> None:
    with serving(study, tmp_path / "study.sqlite") as address:
        visitor.goto(address)
        visitor.locator('article[data-ready] button[data-value="no"]').click()
        expect(visitor.locator('article.end[data-ending="no_consent"]')).to_be_visible()
        visitor.reload()
        expect(visitor.locator('article.end[data-ending="no_consent"]')).to_be_visible()


def test_another_browser_of_the_same_person_is_refused_in_words(
    study: Study, visitor: Page, tmp_path: Path
) -> None:
    with serving(study, tmp_path / "study.sqlite") as address:
        visitor.goto(address)
        answer(visitor)
        browser = visitor.context.browser
        assert browser is not None
        with browser.new_context() as other:
            page = other.new_page()
            page.goto(address)
            expect(page.get_by_role("heading", name="This page can’t go on")).to_be_visible()
            expect(page.get_by_text("you have taken part in this study already")).to_be_visible()
