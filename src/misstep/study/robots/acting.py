"""A robot's hands: what has to be done on the page for an answer, by the kind of its screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from playwright.sync_api import Locator, Page

from misstep.study.robots.walking import inner
from misstep.study.screens import Json

_OPEN = ":not([aria-disabled=true])"
"""Of a button whose least time is over."""

_COUNTING = """letter => {
    let count = letter.textContent ? 1 : 0;
    const noted = () => {
        if (letter.textContent) document.documentElement.dataset.letter = String(count++);
    };
    new MutationObserver(noted).observe(letter, { childList: true });
}"""
"""Notes on the page which letter of an n-back was shown last: one may come twice in a row."""


def give(page: Page, screen: Mapping[str, Json], answer: Mapping[str, Json]) -> None:
    """Does what makes the page send this answer; returns before it is sent. Playwright's own
    TimeoutError where the page doesn't let it be done."""
    shown = page.locator("article.screen[data-ready]")
    shown.wait_for()
    match screen["kind"]:
        case "page" | "ask":
            _choose(shown, screen, answer["value"])
        case "write":
            shown.locator("textarea").fill(str(answer["text"]))
            shown.locator(f".actions button.main{_OPEN}").click()
        case "nback":
            _press(page, screen, answer["pressed"])
        case "check":
            _check(shown, inner(answer["values"]))
        case "plan":
            _plan(shown, screen, answer["steps"])


def least_ms(screen: Mapping[str, Json]) -> float:
    """The time that the page takes for this screen at least, whoever answers it."""
    times = [_number(screen.get(name)) for name in ("min_ms", "auto_ms")]
    each = _number(screen.get("each_ms")) + _number(screen.get("gap_ms"))
    shown = screen.get("shown") or screen.get("letters") or ()
    return sum(times) + each * len(_listed(shown))


def _choose(shown: Locator, screen: Mapping[str, Json], value: Json) -> None:
    choices = [inner(one)["value"] for one in _listed(screen["choices"])]
    if value in choices:
        shown.locator(f".choices > button{_OPEN}").nth(choices.index(value)).click()
    elif screen["kind"] == "ask" and value is not None:
        shown.locator("#number").fill(str(value))
        shown.locator(f".row button{_OPEN}").click()


def _check(shown: Locator, values: Mapping[str, Json]) -> None:
    for name, value in values.items():
        field = shown.locator(f'fieldset[data-name="{name}"]')
        field.locator(f'input[value="{value}"]').check()
    shown.locator(".actions button.main").click()


def _plan(shown: Locator, screen: Mapping[str, Json], steps: Json) -> None:
    """Each action is searched for by its words. An empty plan must be sent twice: the page asks."""
    labels = {inner(one)["name"]: str(inner(one)["label"]) for one in _listed(screen["actions"])}
    search = shown.get_by_role("combobox")
    for step in _listed(steps):
        search.fill(labels[step])
        shown.get_by_role("option", name=labels[step], exact=True).click()
    send = shown.locator(".actions button.main")
    send.click()
    if not _listed(steps):
        send.click()


def _press(page: Page, screen: Mapping[str, Json], places: Json) -> None:
    """Presses while a letter of these places stands there."""
    page.locator("article.screen .actions button.main").click()
    page.locator(".letter").evaluate(_COUNTING)
    for place in _listed(places):
        page.locator(f'html[data-letter="{place}"]').wait_for()
        page.keyboard.press("Space")


def _listed(value: Json) -> Sequence[Json]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return value
    raise TypeError("a screen of this protocol holds a list here")


def _number(value: Json) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0
