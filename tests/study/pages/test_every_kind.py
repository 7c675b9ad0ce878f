"""Every kind of screen is answered by keyboard alone, and by touch on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import phone
from every_screen import EVERY
from scripted_study import Script, served

CHOSEN = {
    "consent": {"value": "yes"},
    "page": {"value": "next"},
    "ask": {"value": "no"},
    "number": {"value": "35"},
    "write": {"text": "I looked at the last letter."},
    "stream": {},
    "nback": {"pressed": [2]},
    "check": {"values": {"help": "no", "time": "m"}},
    "plan": {"steps": ["(pick-up a)", "(stack a b)"]},
}


@pytest.fixture
def script() -> Script:
    return Script(tuple(EVERY.values()))


def shown(page: Page, key: str) -> None:
    """Waits until the screen is there, and its heading has the focus."""
    expect(page.locator(f'article[data-kind="{EVERY[key].kind}"][data-ready]')).to_be_visible()
    assert page.evaluate("document.activeElement.tagName") == "H1"


def tab_to(page: Page, name: str) -> None:
    """Presses Tab until the element with this name has the focus."""
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent").startswith(name):
            return
    raise AssertionError(f"{name!r} is not reached by Tab")


def press_same(page: Page) -> None:
    """In the n-back, when the third letter is there."""
    expect(page.locator(".letter")).to_have_text("T")
    expect(page.locator(".letter")).to_have_text("K")


def test_all_of_it_is_done_by_keyboard_alone(script: Script, visitor: Page) -> None:
    keys = visitor.keyboard
    with served(script) as address:
        visitor.goto(address)
        shown(visitor, "consent")
        tab_to(visitor, "I agree")
        keys.press("Enter")
        shown(visitor, "page")
        keys.press("Enter")
        shown(visitor, "ask")
        keys.press("f")
        shown(visitor, "number")
        keys.type("35")
        keys.press("Enter")
        shown(visitor, "write")
        keys.press("Tab")
        keys.type("I looked at the last letter.")
        tab_to(visitor, "Send")
        keys.press("Enter")
        shown(visitor, "stream")
        shown(visitor, "nback")
        keys.press("Enter")
        press_same(visitor)
        keys.press("Space")
        shown(visitor, "check")
        keys.press("Tab")
        keys.press("ArrowDown")
        keys.press("Tab")
        keys.press("ArrowDown")
        tab_to(visitor, "Send")
        keys.press("Enter")
        shown(visitor, "plan")
        pick_by_keyboard(visitor)
        tab_to(visitor, "Send this plan")
        keys.press("Enter")
        shown(visitor, "end")
        tab_to(visitor, "Copy the code")
        tab_to(visitor, "Return to app.example.org")
    assert script.answers() == list(CHOSEN.values())


def pick_by_keyboard(page: Page) -> None:
    for words in ("pick", "stack"):
        page.locator("article input").focus()
        page.keyboard.press("Control+a")
        page.keyboard.type(words)
        page.keyboard.press("Enter")


def test_all_of_it_is_done_by_touch_on_a_phone(script: Script, browser: Browser) -> None:
    with phone(browser) as page, served(script) as address:
        page.goto(address)
        shown(page, "consent")
        page.get_by_role("button", name="I agree").tap()
        shown(page, "page")
        fits(page)
        page.get_by_role("button", name="Continue").tap()
        shown(page, "ask")
        fits(page)
        page.get_by_role("button", name="Not grammatical").tap()
        shown(page, "number")
        page.get_by_label("At how many degrees").fill("35")
        fits(page)
        page.get_by_role("button", name="Send").tap()
        shown(page, "write")
        fits(page)
        page.get_by_label("Your reasons").fill("I looked at the last letter.")
        page.get_by_role("button", name="Send").tap()
        shown(page, "stream")
        shown(page, "nback")
        page.get_by_role("button", name="Start").tap()
        press_same(page)
        page.get_by_role("button", name="Same").tap()
        fits(page)
        shown(page, "check")
        fits(page)
        page.get_by_role("group", name="May you ask").get_by_text("No").tap()
        page.get_by_role("group", name="How long").get_by_text("A minute").tap()
        page.get_by_role("button", name="Send").tap()
        shown(page, "plan")
        fits(page)
        for name in ("pick up A", "stack A on B"):
            page.locator(".planning").get_by_text(name, exact=True).first.tap()
        page.get_by_role("button", name="Send this plan").tap()
        shown(page, "end")
        fits(page)
        assert page.get_by_text("C1A2B3D4").evaluate("one => getComputedStyle(one).fontSize") > "28"
    assert script.answers() == list(CHOSEN.values())


def fits(page: Page) -> None:
    """No sideways scrolling, no letters that make a phone zoom, nothing too small to touch."""
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    fields = page.locator("input:not([type=radio]), textarea").all()
    for field in fields:
        assert float(field.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")) >= 16
    for target in page.locator("button:visible, label.option:visible, a:visible").all():
        box = target.bounding_box()
        assert box is not None
        assert box["height"] >= 44, target.text_content()
        assert box["width"] >= 44, target.text_content()


def test_the_row_of_a_trial_is_jspsychs_own(script: Script, visitor: Page) -> None:
    with served(script) as address:
        visitor.goto(address)
        shown(visitor, "consent")
        visitor.get_by_role("button", name="I agree").click()
        shown(visitor, "page")
        visitor.get_by_role("button", name="Continue").click()
        shown(visitor, "ask")
    first, second = script.posted
    assert [one["row"]["trial_index"] for one in script.posted] == [0, 1]
    assert second["row"]["time_elapsed"] >= first["row"]["time_elapsed"] + second["rt_ms"]
    assert second["row"]["trial_type"] == "misstep-page"
    assert second["row"]["response"] == second["answer"] == {"value": "next"}
    assert second["row"]["rt"] == second["rt_ms"] >= 100
    assert second["row"]["step"] == second["key"] == "trial/1/0"
    assert second["row"]["plugin_version"]
    assert first["once"] != second["once"]
