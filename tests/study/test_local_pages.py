"""The two pages for one person at this machine, in a browser: what they share, and how they say
that the server has gone."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

import colour_sets
from misstep.core import labels
from misstep.families.faces.review import decisions
from misstep.families.faces.review.problems import find_problems
from misstep.study.labelling import page as labelling_page
from misstep.study.labelling.application import application as labelling
from misstep.study.labelling.questions import Answer, Question
from misstep.study.labelling.session import open_session
from misstep.study.local import page as local_page
from misstep.study.local.hosting import Making, serve_page
from misstep.study.reviewing import page as review_page
from misstep.study.reviewing.application import application as reviewing
from misstep.study.reviewing.review import open_review

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WAIT_MS = 200
"""Until a press is no longer taken for one too many."""
_SHORT = 40
"""Lines that are shorter may be alike by chance."""


@contextmanager
def opened(browser: Browser, making: Making) -> Iterator[Page]:
    """The page of a server that is finished at the end."""
    addresses: Queue[str] = Queue()
    thread = threading.Thread(target=serve_page, args=(making, 0, addresses.put), daemon=True)
    thread.start()
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(addresses.get(timeout=10))
        yield page
        page.evaluate("fetch('/finish?token=' + token, {method: 'POST', body: '{}'})")
    thread.join(timeout=10)


def pressed(page: Page, key: str) -> None:
    page.wait_for_timeout(WAIT_MS)
    page.keyboard.press(key)


def said_when_gone(page: Page, key: str) -> str:
    """What the page says to a press of the key while nobody answers."""
    page.context.set_offline(True)
    pressed(page, key)
    page.locator("#error").wait_for()
    page.context.set_offline(False)
    return page.locator("#error").inner_text()


def test_a_label_by_a_key_is_kept_and_a_server_that_is_gone_is_told(
    browser: Browser, tmp_path: Path
) -> None:
    asked = [
        Question(f"id{n}", f"q{n}", f"What is {n}?", (), 0, Answer("", "a"), Answer("", "b"))
        for n in range(3)
    ]
    session = open_session(tmp_path / labels.NAME, "anna", asked, 0)
    with opened(browser, lambda token, finish: labelling(session, token, finish)) as page:
        page.locator("#asking").wait_for()
        pressed(page, "b")
        page.get_by_text("1 of 3 labelled").wait_for()
        assert len(labels.read(tmp_path / labels.NAME)) == 1
        said = said_when_gone(page, "b")
        assert said == (
            "Not saved: misstep has stopped. All earlier labels are kept; misstep label goes on."
        )
        pressed(page, "b")
        page.get_by_text("2 of 3 labelled").wait_for()
        assert page.locator("#error").is_hidden()


def test_a_decision_by_a_key_is_kept_and_a_server_that_is_gone_is_told(
    browser: Browser, tmp_path: Path
) -> None:
    colour_sets.made(tmp_path, 3)
    found = find_problems(tmp_path, 0)
    review = open_review(found.folder, found.problems, found.content)
    with opened(browser, lambda token, finish: reviewing(review, token, finish)) as page:
        page.locator("#problem").wait_for()
        pressed(page, "a")
        page.get_by_text("1 of 3 decided").wait_for()
        assert len(decisions.read(tmp_path)) == 1
        assert said_when_gone(page, "r") == (
            "Not saved: misstep has stopped. "
            "All earlier decisions are kept; misstep review goes on."
        )


@pytest.mark.parametrize("module", [labelling_page, review_page])
def test_what_the_two_pages_share_is_not_written_again(module: ModuleType) -> None:
    shared = {line for line in inspect.getsource(local_page).splitlines() if len(line) > _SHORT}
    own = set(inspect.getsource(module).splitlines())
    assert own & shared == set()
    assert '"use strict"' in module.page("n")
