"""Each test of the page gets a visitor of its own; the browser is that of tests/study/."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("playwright", reason="needs misstep[robots]")

from playwright.sync_api import Browser, Page

from browsing import desktop


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Page]:
    """At a desk; nothing may go wrong in the page's own script."""
    with desktop(browser) as page:
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type == "warning" else None)
        yield page
        assert not wrong
