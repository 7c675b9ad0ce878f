"""A headless browser for tests of pages, where there is one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from misstep.core.errors import MisstepError
from misstep.study.pages.assets import assets

_NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE_MS = 10_000


@contextmanager
def browsing() -> Iterator[Browser]:
    """Skips the test where there is no Chromium, or no built page."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip(f"none of {', '.join(_NAMES)} is installed")
    try:
        assets()
    except MisstepError as error:
        pytest.skip(str(error))
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def desktop(browser: Browser) -> Iterator[Page]:
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        context.set_default_timeout(PATIENCE_MS)
        yield context.new_page()


@contextmanager
def phone(browser: Browser) -> Iterator[Page]:
    with browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    ) as context:
        context.set_default_timeout(PATIENCE_MS)
        yield context.new_page()
