"""What a person sees when a server refuses, pauses or forgets, and on the way out."""

from __future__ import annotations

import time

from playwright.sync_api import Page, expect

from every_screen import EVERY
from misstep.study.screens import Ask, Choice, Write
from misstep.study.screens import Page as PageScreen
from scripted_study import Script, served

END = EVERY["end"]
WRITE = Write((), "Your reasons")
YES_NO = (Choice("yes", "Yes", "j"), Choice("no", "No", "f"))
ASK = Ask((), "Question?", YES_NO)


def write(page: Page, text: str = "Because.") -> None:
    page.get_by_label("Your reasons").fill(text)
    page.get_by_role("button", name="Send").click()


def ended(page: Page) -> None:
    expect(page.locator("article.end")).to_be_visible()


def test_a_busy_server_is_left_alone_for_as_long_as_it_asks(visitor: Page) -> None:
    script = Script((WRITE, END), refusals=[(429, {"Retry-After": "3"})])
    with served(script) as address:
        visitor.goto(address)
        begun = time.monotonic()
        write(visitor)
        expect(visitor.get_by_text("The study is busy, trying again…")).to_be_visible()
        expect(visitor.get_by_role("button", name="Try now")).to_be_hidden()
        ended(visitor)
        assert time.monotonic() - begun >= 3
    assert script.answers() == [{"text": "Because."}]


def test_a_server_that_is_away_gets_the_answer_when_it_is_back(visitor: Page) -> None:
    script = Script((WRITE, END), refusals=[(503, {"Retry-After": "1"}), (502, {})])
    with served(script) as address:
        visitor.goto(address)
        write(visitor)
        ended(visitor)
    assert script.answers() == [{"text": "Because."}]


def test_an_answer_that_is_not_accepted_stays_and_can_be_mended(visitor: Page) -> None:
    script = Script((WRITE, END), refusals=[(422, {})])
    with served(script) as address:
        visitor.goto(address)
        write(visitor, "First try")
        alert = visitor.get_by_role("alert")
        expect(alert).to_contain_text("not accepted: refused with 422")
        expect(visitor.get_by_label("Your reasons")).to_have_value("First try")
        write(visitor, "Second try")
        ended(visitor)
    assert script.answers() == [{"text": "Second try"}]


def test_an_unknown_token_is_said_and_the_study_can_be_entered_again(visitor: Page) -> None:
    script = Script((WRITE, END))
    with served(script) as address:
        visitor.goto(address)
        visitor.get_by_label("Your reasons").fill("Half a thought")
        script.is_known = False
        visitor.reload()
        expect(visitor.get_by_role("heading", name="This page can’t go on")).to_be_focused()
        expect(visitor.get_by_text("not known here")).to_be_visible()
        script.is_known = True
        visitor.get_by_role("button", name="Enter the study again").click()
        expect(visitor.locator("article[data-ready]")).to_be_visible()
        assert "Half a thought" not in visitor.evaluate("JSON.stringify(localStorage)")
        write(visitor)
        ended(visitor)
    assert len(script.entered) == 2


def test_a_paused_study_waits_and_goes_on_by_itself(visitor: Page) -> None:
    script = Script((WRITE, ASK, END))
    with served(script) as address:
        visitor.goto(address)
        expect(visitor.get_by_label("Your reasons")).to_be_visible()
        script.is_paused = True
        write(visitor)
        expect(visitor.get_by_role("heading", name="The study is paused")).to_be_visible()
        expect(visitor.get_by_text("Question?")).to_be_hidden()
        script.is_paused = False
        visitor.get_by_role("button", name="Try now").click()
        expect(visitor.get_by_text("Question?")).to_be_visible()
        expect(visitor.locator("article[data-ready]")).to_be_visible()
        visitor.keyboard.press("j")
        ended(visitor)
    assert len(script.kept) == 2


def test_leaving_needs_a_yes_and_ends_in_the_middle_of_a_screen(visitor: Page) -> None:
    script = Script((WRITE, END))
    with served(script) as address:
        visitor.goto(address)
        visitor.get_by_label("Your reasons").fill("Half a thought")
        visitor.get_by_role("button", name="Leave the study").click()
        expect(visitor.get_by_role("button", name="No, go on")).to_be_focused()
        visitor.keyboard.press("Escape")
        expect(visitor.get_by_role("dialog")).to_be_hidden()
        assert script.withdrawn == 0
        visitor.get_by_role("button", name="Leave the study").click()
        visitor.get_by_role("button", name="Yes, leave").click()
        ended(visitor)
        expect(visitor.get_by_text("You have left the study.")).to_be_visible()
        expect(visitor.get_by_role("button", name="Leave the study")).to_be_hidden()
        visitor.reload()
        expect(visitor.get_by_text("You have left the study.")).to_be_visible()
    assert script.withdrawn == 1
    assert not script.posted


def test_a_key_pressed_in_the_dialog_answers_no_question(visitor: Page) -> None:
    script = Script((ASK, END))
    with served(script) as address:
        visitor.goto(address)
        expect(visitor.get_by_text("Question?")).to_be_visible()
        expect(visitor.locator("article[data-ready]")).to_be_visible()
        visitor.get_by_role("button", name="Leave the study").click()
        visitor.keyboard.press("j")
        visitor.keyboard.press("Escape")
        visitor.keyboard.press("f")
        ended(visitor)
    assert script.answers() == [{"value": "no"}]


def test_before_the_least_time_nothing_is_sent_and_the_wait_is_said(visitor: Page) -> None:
    screens = (PageScreen((), min_ms=60_000), END)
    with served(script := Script(screens)) as address:
        visitor.goto(address)
        expect(visitor.locator("article[data-ready]")).to_be_visible()
        expect(visitor.get_by_text("You can go on in")).to_be_visible()
        button = visitor.get_by_role("button", name="Continue")
        expect(button).to_have_attribute("aria-disabled", "true")
        visitor.keyboard.press("Enter")
        expect(visitor.locator("#said")).to_contain_text("Please take your time")
        visitor.evaluate("document.querySelector('#said').textContent = ''")
        button.click(force=True)  # a hand presses it all the same
        expect(visitor.locator("#said")).to_contain_text("Please take your time")
    assert script.posted == []


def test_after_the_least_time_one_goes_on(visitor: Page) -> None:
    script = Script((PageScreen((), min_ms=1500), Write((), "Your reasons", min_ms=1500), END))
    said = visitor.locator("#said")
    with served(script) as address:
        visitor.goto(address)
        expect(said).to_have_text("You can go on now.")
        visitor.get_by_role("button", name="Continue").click()
        field = visitor.get_by_label("Your reasons")
        field.fill("Because.")
        expect(said).to_have_text("You can go on now.")
        field.press("Control+Enter")
        ended(visitor)
    assert [one["rt_ms"] >= 1500 for one in script.posted] == [True, True]


def test_a_page_goes_on_by_itself(visitor: Page) -> None:
    script = Script((PageScreen((), choices=(), auto_ms=1000), END))
    with served(script) as address:
        visitor.goto(address)
        ended(visitor)
    (sent,) = script.posted
    assert sent["answer"] == {"value": ""}
    assert 1000 <= sent["rt_ms"] < 2000


def test_a_press_meant_for_the_screen_before_answers_nothing(visitor: Page) -> None:
    script = Script((ASK, ASK, ASK, END))
    with served(script) as address:
        visitor.goto(address)
        expect(visitor.get_by_text("Question?")).to_be_visible()
        expect(visitor.locator("article[data-ready]")).to_be_visible()
        button = visitor.get_by_role("button", name="Yes")
        button.dblclick()
        visitor.wait_for_timeout(600)
    assert len(script.posted) == 1


def test_missing_and_wrong_answers_are_said_where_they_are(visitor: Page) -> None:
    script = Script((EVERY["number"], EVERY["check"], EVERY["write"], END))
    with served(script) as address:
        visitor.goto(address)
        field = visitor.get_by_label("At how many degrees")
        field.fill("91")
        field.press("Enter")
        expect(visitor.get_by_role("alert")).to_have_text("Please enter 90 or less.")
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_be_focused()
        field.fill("90")
        field.press("Enter")
        visitor.get_by_label("A minute").check()
        visitor.get_by_role("button", name="Send").click()
        expect(visitor.get_by_role("alert")).to_have_text("Question 1 has no answer yet.")
        expect(visitor.get_by_label("Yes")).to_be_focused()
        visitor.get_by_label("Yes").check()
        visitor.get_by_role("button", name="Send").click()
        write(visitor, "Short")
        expect(visitor.get_by_role("alert")).to_contain_text("at least 5 more characters")
        write(visitor, "Long enough")
        ended(visitor)
    assert len(script.posted) == 3
