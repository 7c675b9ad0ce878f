"""Robots that take part through the real pages, in headless Chromium, one after another."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from misstep.core.errors import MisstepError
from misstep.study.course.nouns import Study
from misstep.study.robots.crowd import Robot
from misstep.study.robots.mind import Answer, Leave, Mind, Places, Shown
from misstep.study.robots.running import ANSWERING, Result, Walked
from misstep.study.robots.walking import TOOK_PART, VANISHED, Pace, Way, inner
from misstep.study.robots.wire import LATER

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Response, Route, ViewportSize

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PHONE, DESK = ((390, 844), True), ((1440, 900), False)
"""Width and height, and whether it is a phone: robots have them by turns."""
_PATIENCE_MS, _LOOK_MS = 30_000, 10
_SERVED = ("/api/enter", "/api/step", "/api/answer", "/api/withdraw")
Look = Callable[["Page", Shown], None]
"""Is shown each screen before the robot answers it."""


def check_browser() -> str:
    """The path of a Chromium; MisstepError where that or Playwright is missing."""
    if find_spec("playwright") is None:
        raise MisstepError("playwright is missing; install misstep[robots]")
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise MisstepError(f"--browser: none of {', '.join(BROWSERS)} is installed")
    return found


def over_pages(
    study: Study,
    address: str,
    robots: Sequence[Robot],
    pace: Pace,
    ended: Callable[[Way], None],
) -> Result:
    """`ended` is told of each robot when its way is over."""
    places = Places(study)
    walked = []
    with _chromium() as browser:
        for robot in robots:
            mind = Mind(places, robot)
            way = through_pages(browser, study, address, mind, robot, pace)
            ended(way)
            walked.append(Walked(robot, way, mind.slot, mind.given))
    return Result(tuple(walked))


def through_pages(
    browser: Browser,
    study: Study,
    address: str,
    mind: Mind,
    robot: Robot,
    pace: Pace,
    look: Look = lambda _page, _shown: None,
) -> Way:
    """One robot, in a context of its own. MisstepError where the page can't be answered."""
    from playwright.sync_api import TimeoutError as TooLate

    (width, height), is_phone = (PHONE, DESK)[robot.number % 2]
    size: ViewportSize = {"width": width, "height": height}
    with browser.new_context(viewport=size, is_mobile=is_phone, has_touch=is_phone) as context:
        page = context.new_page()
        page.set_default_timeout(_PATIENCE_MS)
        visit = _Visit(page, mind, robot, look)
        if pace.twice:
            page.route(f"**{ANSWERING}", _losing(robot, pace.twice))
        try:
            return visit.through(_link(study, address, robot))
        except TooLate as error:
            said = str(error).splitlines()[0]
            raise MisstepError(
                f"{robot.name}: the page stands still at {visit.at}: {said}"
            ) from None


class _Visit:
    """One page; `at` is the key of the step at hand. Replies are gathered as they come: a screen
    that goes on by itself may be answered while the robot still thinks."""

    def __init__(self, page: Page, mind: Mind, robot: Robot, look: Look) -> None:
        self._page, self._mind, self._robot, self._look = page, mind, robot, look
        self._replies: deque[Response] = deque()
        self.at = "the start"
        page.on("response", lambda one: self._replies.append(one) if _is_served(one) else None)

    def through(self, link: str) -> Way:
        self._page.goto(link)
        first = self._reply(_PATIENCE_MS)
        if first.status == 403:
            return Way(TOOK_PART, ())
        shown, onces = _step(first), list[str]()
        while (screen := inner(shown["screen"]))["kind"] != "end":
            self.at = str(shown["key"])
            if shown["paused"]:
                shown = _step(self._reply(_PATIENCE_MS))
                continue
            act = self._mind.act(shown)
            if isinstance(act, Leave) and not act.withdraws:
                return Way(VANISHED, tuple(onces))
            self._look(self._page, shown)
            if isinstance(act, Leave):
                shown = self._withdrawn()
                continue
            shown, once = self._answered(screen, act)
            onces.append(once)
        self._look(self._page, shown)
        return Way(str(screen["ending"]), tuple(onces), str(screen["code"]))

    def _answered(self, screen: Shown, act: Answer) -> tuple[Shown, str]:
        """The next step, and the mark of the answer, which is what the page sent in truth."""
        from misstep.study.robots.acting import give, least_ms

        patience = least_ms(screen) + _PATIENCE_MS
        self._page.set_default_timeout(patience)
        if not self._replies:
            give(self._page, screen, act.answer)
        reply = self._reply(patience)
        body = inner(reply.request.post_data_json)
        if body["answer"] != json.loads(json.dumps(act.answer)):
            raise MisstepError(
                f"{self._robot.name}: at {act.key} the page sent {str(body['answer'])[:80]}, "
                f"not {str(act.answer)[:80]}"
            )
        rt = body["rt_ms"]
        self._mind.confirmed(replace(act, rt_ms=rt if isinstance(rt, (int, float)) else None))
        return _step(reply), str(body["once"])

    def _withdrawn(self) -> Shown:
        self._page.locator("header button").click()  # by its place: its words are the study's
        self._page.locator("dialog button.danger").click()
        return _step(self._reply(_PATIENCE_MS))

    def _reply(self, patience: float) -> Response:
        """The next one; MisstepError where the page stands still for as many milliseconds."""
        until = time.monotonic() + patience / 1000
        while not self._replies:
            if time.monotonic() > until:
                raise MisstepError(f"{self._robot.name}: the page stands still at {self.at}")
            self._page.wait_for_timeout(_LOOK_MS)
        return self._replies.popleft()


@contextmanager
def _chromium() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    path = check_browser()
    # Chromium's own cage needs rights that root in a container hasn't.
    bare = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=bare)
        try:
            yield browser
        finally:
            browser.close()


def _losing(robot: Robot, share: float) -> Callable[[Route], None]:
    """Loses the reply, not the request, of this share of answers, each once: the page must send
    them again."""
    lost: set[str] = set()

    def handle(route: Route) -> None:
        once = str(inner(route.request.post_data_json)["once"])
        if once in lost or robot.chance("twice", str(len(lost)), once).uniform() >= share:
            route.continue_()
            return
        lost.add(once)
        route.fetch()
        route.abort("connectionreset")

    return handle


def _link(study: Study, address: str, robot: Robot) -> str:
    return f"{address.rstrip('/')}/?{study.links.person}={robot.name}&{study.links.study}=robots"


def _is_served(response: Response) -> bool:
    return response.url.endswith(_SERVED) and response.status not in LATER


def _step(response: Response) -> Shown:
    """Of whichever reply; MisstepError with its line where it is a refusal."""
    body = inner(response.json())
    if response.status != 200:
        raise MisstepError(f"the study's server refuses: {body.get('error', response.status)}")
    return inner(body.get("screen") if "token" in body else body.get("step", body))
