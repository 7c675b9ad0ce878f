"""Text stays text, nothing comes from elsewhere, and signs are counted without what was typed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import desktop
from every_screen import EVERY
from misstep.study.pages.document import Facing
from misstep.study.screens import (
    Ask,
    Check,
    CheckQuestion,
    Choice,
    End,
    GroundAction,
    NBack,
    Part,
    Plan,
    Screen,
    Stream,
    Write,
)
from misstep.study.screens import Page as PageScreen
from scripted_study import Script, served

EVIL = "<img src=x onerror=document.title='run'><script>document.title='run'</script>&amp;"
PARTS = (Part("text", EVIL), Part("mono", EVIL), Part("picture", "javascript:1", EVIL))
CHOICES = (Choice(EVIL, EVIL), Choice("no", "No"))
ACTION = GroundAction(EVIL, EVIL, (), (), (0,), ())
PLANTED: dict[str, Screen] = {
    "page": PageScreen(PARTS, CHOICES, title=EVIL),
    "ask": Ask(PARTS, EVIL, CHOICES, title=EVIL),
    "write": Write(PARTS, EVIL, title=EVIL),
    "stream": Stream(PARTS, each_ms=400, label=EVIL, title=EVIL),
    "nback": NBack((EVIL, EVIL), 1, 400, 10, PARTS, title=EVIL),
    "check": Check(PARTS, (CheckQuestion(EVIL, EVIL, CHOICES),), title=EVIL),
    "plan": Plan(PARTS, (ACTION,), (EVIL,), ((EVIL,),), (0,), (0,), "", EVIL, EVIL),
    "end": End("complete", PARTS, EVIL, "javascript:document.title='run'", EVIL),
}
SENT_ALONG = {"key", "once", "answer", "rt_ms", "signs", "row"}


@pytest.mark.parametrize("kind", PLANTED)
def test_a_planted_script_stays_text(kind: str, browser: Browser) -> None:
    with desktop(browser) as page, served(Script((PLANTED[kind],))) as address:
        page.goto(address)
        expect(page.locator(f'article[data-kind="{kind}"] h1')).to_have_text(EVIL)
        if kind == "nback":
            page.get_by_role("button", name="Start").click()
            expect(page.locator(".letter")).to_have_text(EVIL)
        assert page.title() == "A study"
        assert page.locator("article script, article [onerror], article img[src='x']").count() == 0
        assert page.locator("a[href^=javascript]").count() == 0


def test_everything_comes_from_the_study_and_under_its_policy(browser: Browser) -> None:
    with desktop(browser) as page, served(Script((EVERY["page"],))) as address:
        asked: list[str] = []
        said: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        reply = page.goto(address)
        expect(page.get_by_role("button", name="Continue")).to_be_visible()
        page.wait_for_load_state("networkidle")
        assert reply is not None
        policy = reply.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert {one for one in asked if not one.startswith((address, "data:"))} == set()
    assert said == []


def signs(script: Script) -> list[dict[str, Any]]:  # Any: JSON as it came
    (sent,) = script.posted
    assert set(sent) == SENT_ALONG
    found: list[dict[str, Any]] = sent["signs"]
    return found


def test_pasting_typing_by_a_machine_and_leaving_are_signs_without_their_text(
    visitor: Page,
) -> None:
    script = Script((Write((Part("text", "A question to copy"),), "Your reasons"), EVERY["end"]))
    with served(script) as address:
        visitor.goto(address)
        field = visitor.get_by_label("Your reasons")
        expect(field).to_be_visible()
        visitor.get_by_text("A question to copy").select_text()
        visitor.keyboard.press("Control+c")
        field.focus()
        visitor.keyboard.press("Control+v")
        visitor.keyboard.insert_text(" and forty characters that come all at once")
        visitor.evaluate("dispatchEvent(new Event('blur'))")
        visitor.wait_for_timeout(300)
        visitor.evaluate("dispatchEvent(new Event('focus'))")
        visitor.reload()
        field.evaluate(
            "one => one.dispatchEvent(new KeyboardEvent('keydown', {key: 'a', bubbles: true}))"
        )
        visitor.get_by_role("button", name="Send").click()
        expect(visitor.locator("article.end")).to_be_visible()
    found = {one["kind"]: one for one in signs(script)}
    assert set(found) == {"copy", "paste", "burst", "blur", "untrusted"}
    assert found["copy"]["n"] == found["paste"]["n"] == len("A question to copy")
    assert found["burst"]["n"] == len(" and forty characters that come all at once")
    assert 300 <= found["blur"]["n"] < 3000
    assert all(set(one) == {"kind", "at_ms", "n"} for one in found.values())
    assert "A question" not in json.dumps([script.posted[0]["signs"]])


def test_a_person_who_types_leaves_no_sign(visitor: Page) -> None:
    script = Script((Write((), "Your reasons"), EVERY["end"]))
    with served(script) as address:
        visitor.goto(address)
        field = visitor.get_by_label("Your reasons")
        for place, letter in enumerate("I looked at the ends of the words."):
            field.press(letter, delay=0)
            visitor.wait_for_timeout(20 + 25 * (place % 3))
        visitor.get_by_role("button", name="Send").click()
        expect(visitor.locator("article.end")).to_be_visible()
    assert signs(script) == []


def test_a_hidden_tab_is_a_sign_and_stops_no_deadline(visitor: Page) -> None:
    ask = Ask((), "Question?", CHOICES, deadline_ms=1500)
    script = Script((ask, EVERY["end"]))
    with served(script) as address:
        visitor.goto(address)
        expect(visitor.get_by_text("Time left")).to_be_visible()
        visitor.evaluate(
            "Object.defineProperty(document, 'hidden', {value: true});"
            "document.dispatchEvent(new Event('visibilitychange'))"
        )
        expect(visitor.locator("article.end")).to_be_visible()
    (sign,) = signs(script)
    assert sign["kind"] == "hidden"
    assert sign["at_ms"] + sign["n"] == pytest.approx(script.posted[0]["rt_ms"], abs=60)


def test_a_browser_that_keeps_nothing_is_told_and_still_takes_part(browser: Browser) -> None:
    script = Script((PageScreen(()), EVERY["end"]))
    with desktop(browser) as page, served(script) as address:
        page.add_init_script("Storage.prototype.setItem = () => { throw new Error('no') }")
        page.goto(address)
        expect(page.get_by_text("This browser keeps nothing")).to_be_visible()
        expect(page.locator("article[data-ready]")).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.locator("article.end")).to_be_visible()
    assert script.answers() == [{"value": "next"}]


def test_a_language_from_right_to_left_turns_the_page(browser: Browser) -> None:
    script = Script((EVERY["ask"],), Facing("دراسة", "ar"))
    with desktop(browser) as page, served(script) as address:
        page.goto(address)
        expect(page.get_by_role("button", name="Grammatical", exact=False).first).to_be_visible()
        assert page.evaluate(
            "[document.documentElement.lang, getComputedStyle(document.body).direction]"
        ) == ["ar", "rtl"]
        assert page.evaluate("document.documentElement.scrollWidth") <= 1440


def test_nothing_moves_for_who_asked_for_that(browser: Browser) -> None:
    with (
        served(Script((EVERY["page"],))) as address,
        browser.new_context(reduced_motion="reduce") as context,
    ):
        page = context.new_page()
        page.goto(address)
        button = page.get_by_role("button", name="Continue")
        assert button.evaluate("one => getComputedStyle(one).transitionDuration") == "0s"


NAMELESS = """() => [...document.querySelectorAll('button, a, input, textarea, progress')]
    .filter(one => !(one.textContent.trim() || one.labels?.length || one.ariaLabel))
    .map(one => one.outerHTML)"""
POINTING_NOWHERE = """() => [...document.querySelectorAll('[aria-labelledby], [aria-describedby]')]
    .flatMap(one => [one.getAttribute('aria-labelledby'), one.getAttribute('aria-describedby')])
    .filter(Boolean).flatMap(names => names.split(' '))
    .filter(name => !document.getElementById(name))"""


def test_every_control_has_a_name_and_every_picture_words(visitor: Page) -> None:
    for screen in EVERY.values():
        with served(Script((screen,))) as address:
            visitor.goto(address)
            expect(visitor.locator("article[data-ready]")).to_be_visible()
            assert visitor.evaluate(NAMELESS) == []
            assert visitor.evaluate(POINTING_NOWHERE) == []
            assert visitor.locator("img:not([alt]), img[alt='']").count() == 0
            assert visitor.locator("h1:visible").count() == 1
            ids = visitor.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id)")
            assert len(ids) == len(set(ids))
