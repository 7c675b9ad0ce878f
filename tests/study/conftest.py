"""A browser for the tests of what people see, and the databases that a study may have."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from postgres import Postgres, postgres

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Skips where Playwright, Chromium or the built page isn't there.

    One for each module: as long as it is there its event loop holds the thread, in which tests of
    other modules run loops of their own.
    """
    pytest.importorskip("playwright", reason="needs misstep[robots]")
    from browsing import browsing  # which needs it

    with browsing() as found:
        yield found


_NUMBERS = count()


@pytest.fixture(scope="session")
def running_postgres() -> Iterator[Postgres]:
    """One for all tests; each takes a new database of it. Skips where it isn't installed."""
    with postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "study.db")
    server: Postgres = request.getfixturevalue("running_postgres")
    return server.made(f"study{next(_NUMBERS)}")
