"""Reloads, lost connections and second tabs: nothing typed is lost, no answer kept twice."""

from __future__ import annotations

import time
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, Route, expect

from browsing import PATIENCE_MS
from every_screen import EVERY
from misstep.study.screens import Ask, Choice, NBack, Part, Stream
from scripted_study import Script, served

END, WRITE, CHECK, PLAN = (EVERY[name] for name in ("end", "write", "check", "plan"))
YES_NO = (Choice("yes", "Yes", "j"), Choice("no", "No", "f"))


@dataclass
class Losing:
    """Breaks connections while it is on: before the request arrives, or before the reply does."""

    arrives: bool = True
    is_on: bool = True

    def __call__(self, route: Route) -> None:
        if not self.is_on:
            route.continue_()
            return
        if self.arrives:
            route.fetch()
        route.abort("connectionreset")


def asking(name: str, deadline_ms: int | None = None) -> Ask:
    return Ask((), f"Question {name}?", YES_NO, deadline_ms=deadline_ms)


def answer(page: Page, name: str) -> None:
    expect(page.get_by_text(f"Question {name}?")).to_be_visible()
    expect(page.locator("article[data-ready]")).to_be_visible()
    page.keyboard.press("j")


def ended(page: Page) -> None:
    expect(page.locator("article.end")).to_be_visible()


def kept_in(page: Page) -> list[str]:
    """What is stored in the browser, without the token that begins each name."""
    names: list[str] = page.evaluate("Object.keys(localStorage)")
    return sorted(name.rpartition("t" * 43)[2] for name in names)


def test_what_was_typed_is_there_after_a_reload_and_gone_once_sent(visitor: Page) -> None:
    script = Script((WRITE, CHECK, PLAN, END))
    with served(script) as address:
        visitor.goto(address)
        visitor.get_by_label("Your reasons").fill("Half a thought, ")
        visitor.reload()
        expect(visitor.get_by_label("Your reasons")).to_have_value("Half a thought, ")
        visitor.get_by_label("Your reasons").press("End")
        visitor.keyboard.type("and the rest")
        visitor.get_by_role("button", name="Send").click()
        visitor.get_by_role("group", name="May you ask").get_by_text("No").click()
        visitor.reload()
        expect(visitor.get_by_label("No", exact=True)).to_be_checked()
        visitor.get_by_label("A minute").check()
        visitor.get_by_role("button", name="Send").click()
        visitor.locator(".planning").get_by_text("pick up A", exact=True).first.click()
        visitor.reload()
        visitor.get_by_role("button", name="Send this plan").click()
        ended(visitor)
        assert not [name for name in kept_in(visitor) if name.startswith("/draft")]
    assert script.answers() == [
        {"text": "Half a thought, and the rest"},
        {"values": {"help": "no", "time": "m"}},
        {"steps": ["(pick-up a)"]},
    ]
    assert len(script.entered) == 1
    assert [one["row"]["trial_index"] for one in script.posted] == [0, 1, 2]
    assert script.posted[0]["row"]["redrawn"] == 1


def test_an_answer_whose_reply_is_lost_is_kept_once(visitor: Page) -> None:
    script = Script((asking("A"), asking("B"), END))
    losing = Losing()
    with served(script) as address:
        visitor.route("**/api/answer", losing)
        visitor.goto(address)
        answer(visitor, "A")
        expect(visitor.get_by_text("Connection lost, trying again…")).to_be_visible()
        with visitor.expect_request("**/api/answer"):
            visitor.get_by_role("button", name="Try now").click()
        losing.is_on = False
        expect(visitor.get_by_text("Connected again.")).to_be_visible(timeout=PATIENCE_MS)
        answer(visitor, "B")
        ended(visitor)
    assert [one["key"] for one in script.posted][-2:] == ["trial/0/0", "trial/1/0"]
    assert len(script.posted) >= 3
    assert len({one["once"] for one in script.posted}) == 2
    assert script.answers() == [{"value": "yes"}] * 2


@pytest.mark.parametrize("arrives", [True, False])
def test_an_answer_under_way_is_sent_again_after_a_reload(visitor: Page, arrives: bool) -> None:
    script = Script((asking("A"), asking("B"), END))
    losing = Losing(arrives)
    with served(script) as address:
        visitor.route("**/api/answer", losing)
        visitor.goto(address)
        answer(visitor, "A")
        expect(visitor.get_by_text("Connection lost, trying again…")).to_be_visible()
        losing.is_on = False
        visitor.reload()
        answer(visitor, "B")
        ended(visitor)
    assert len({one["once"] for one in script.posted}) == 2
    assert list(script.kept) == ["trial/0/0", "trial/1/0"]


def test_the_page_itself_comes_back_when_the_network_does(visitor: Page) -> None:
    script = Script((asking("A"), END))
    with served(script) as address:
        visitor.goto(address)
        expect(visitor.get_by_text("Question A?")).to_be_visible()
        visitor.context.set_offline(True)
        answer(visitor, "A")
        expect(visitor.get_by_text("Connection lost, trying again…")).to_be_visible()
        visitor.context.set_offline(False)
        ended(visitor)
    assert script.answers() == [{"value": "yes"}]


def test_a_deadline_sends_nothing_as_an_answer_and_runs_on_over_a_reload(visitor: Page) -> None:
    script = Script((asking("A", deadline_ms=5000), END))
    with served(script) as address:
        visitor.goto(address)
        expect(visitor.get_by_text("Time left: 4 s")).to_be_visible()
        begun = time.monotonic()
        visitor.reload()
        ended(visitor)
        assert time.monotonic() - begun < 5, "the deadline began anew"
    (sent,) = script.posted
    assert sent["answer"] == {"value": None}
    assert sent["rt_ms"] >= 5000


def test_a_deadline_that_passed_while_away_is_over_at_once(visitor: Page) -> None:
    script = Script((asking("A", deadline_ms=1500), asking("B"), END))
    with served(script) as address:
        visitor.goto(address)
        expect(visitor.get_by_text("Question A?")).to_be_visible()
        visitor.wait_for_timeout(200)
        visitor.goto("about:blank")
        visitor.wait_for_timeout(1500)
        visitor.goto(address)
        answer(visitor, "B")
        ended(visitor)
    assert script.answers() == [{"value": None}, {"value": "yes"}]


def test_a_stream_goes_on_where_time_has_come_to(visitor: Page) -> None:
    shown = tuple(Part("text", f"Statement {place}") for place in range(4))
    script = Script((Stream(shown, each_ms=1000), END))
    with served(script) as address:
        visitor.goto(address)
        expect(visitor.locator("article[data-ready]")).to_be_visible()
        visitor.wait_for_timeout(1000)
        visitor.reload()
        ended(visitor)
    (sent,) = script.posted
    onsets = sent["row"]["onsets"]
    assert onsets[0] is None, "it began anew"
    assert onsets[3] == pytest.approx(3000, abs=300)
    assert 4000 <= sent["rt_ms"] < 4500


def test_presses_of_an_nback_outlive_a_reload(visitor: Page) -> None:
    script = Script((NBack(("K", "T", "K", "T"), n=2, each_ms=700, gap_ms=300), END))
    with served(script) as address:
        visitor.goto(address)
        visitor.get_by_role("button", name="Start").click()
        expect(visitor.locator(".letter")).to_have_text("T")
        visitor.keyboard.press(" ")
        visitor.reload()
        ended(visitor)
    assert script.answers() == [{"pressed": [1]}]


def test_the_second_tab_takes_over_and_the_first_says_so(visitor: Page) -> None:
    script = Script((WRITE, asking("B"), END))
    with served(script) as address:
        visitor.goto(address)
        visitor.get_by_label("Your reasons").fill("Written in the first tab")
        second = visitor.context.new_page()
        second.goto(address)
        expect(second.get_by_label("Your reasons")).to_have_value("Written in the first tab")
        expect(visitor.get_by_role("heading", name="Open in another tab")).to_be_focused()
        expect(visitor.get_by_role("button", name="Send")).to_be_hidden()
        second.get_by_role("button", name="Send").click()
        expect(second.get_by_text("Question B?")).to_be_visible()
        visitor.keyboard.press("j")
        visitor.get_by_role("button", name="Go on here instead").click()
        answer(visitor, "B")
        ended(visitor)
        expect(second.get_by_role("heading", name="Open in another tab")).to_be_visible()
    assert script.answers() == [{"text": "Written in the first tab"}, {"value": "yes"}]
    assert len(script.posted) == 2


def test_an_answer_for_a_screen_that_has_one_leads_to_where_the_study_is(visitor: Page) -> None:
    script = Script((asking("A"), asking("B"), END))
    with served(script) as address:
        visitor.goto(address)
        expect(visitor.get_by_text("Question A?")).to_be_visible()
        first = {"key": "trial/0/0", "once": "e" * 32, "answer": {"value": "no"}}
        script.answer(first)  # from elsewhere
        answer(visitor, "A")
        expect(visitor.get_by_text("the study goes on here")).to_be_visible()
        answer(visitor, "B")
        ended(visitor)
    assert script.answers() == [{"value": "no"}, {"value": "yes"}]


def test_a_reply_to_entering_that_is_lost_costs_no_second_place(visitor: Page) -> None:
    script = Script((asking("A"), END))
    losing = Losing()
    with served(script) as address:
        visitor.route("**/api/enter", losing)
        visitor.goto(f"{address}?PROLIFIC_PID=p1&STUDY_ID=s1&SESSION_ID=x1")
        expect(visitor.get_by_text("Connection lost, trying again…")).to_be_visible()
        losing.is_on = False
        answer(visitor, "A")
        ended(visitor)
    first = script.entered[0]
    assert len(script.entered) >= 2
    assert all(again == first for again in script.entered)
    assert {name: first[name] for name in ("person", "study", "session")} == {
        "person": "p1",
        "study": "s1",
        "session": "x1",
    }


def test_another_person_on_the_same_device_is_another_way(visitor: Page) -> None:
    script = Script((WRITE, END))
    with served(script) as address:
        visitor.goto(f"{address}?PROLIFIC_PID=p1")
        expect(visitor.get_by_label("Your reasons")).to_be_visible(timeout=PATIENCE_MS)
        visitor.goto(f"{address}?PROLIFIC_PID=p2")
        expect(visitor.get_by_label("Your reasons")).to_be_visible()
        visitor.goto(f"{address}?PROLIFIC_PID=p1")
        expect(visitor.get_by_label("Your reasons")).to_be_visible()
    assert [one["person"] for one in script.entered] == ["p1", "p2"]
