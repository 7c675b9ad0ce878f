"""A bundle on a plain web server, and a person who goes through its page."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Page

from misstep.study.course.nouns import Study
from misstep.study.course.way import step
from misstep.study.robots.acting import give
from misstep.study.screens import End, fit, plain
from misstep.study.trials.nouns import Given
from study_walks import Change, answer_of


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@contextmanager
def web_server(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def through(
    page: Page,
    study: Study,
    slot: int,
    change: Change | None = None,
    between: Callable[[Page, int], None] = lambda _page, _number: None,
) -> list[Given]:
    """To the end, as the reference solver answers; `between` happens on each screen before it is
    answered, with the number of answers before."""
    given: list[Given] = []
    while not isinstance((at := step(study, slot, given)).screen, End):
        answer = answer_of(study, slot, at, given)
        answer = change(at, answer) if change else answer
        between(page, len(given))
        article = page.locator(f'article.screen[data-kind="{at.screen.kind}"][data-ready]')
        shown = article.element_handle()
        give(page, plain(at.screen), answer)
        assert shown is not None
        shown.wait_for_element_state("hidden")
        given.append(Given(at.key, fit(at.screen, answer)))
    page.locator(f'article[data-ending="{at.screen.ending}"]').wait_for()
    return given
