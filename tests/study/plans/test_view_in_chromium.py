"""The view of a plan in a real browser: picked, searched, moved, removed, undone by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from misstep.study.screens import Plan, plain
from plan_trials import PAGES, bundled, items, plan_screen

pytest.importorskip("playwright.sync_api", reason="needs misstep[robots]")

from playwright.sync_api import Browser, Page

from browsing import phone

ITEM = items(2)[1]
BEST = ITEM.payload.answer
"""Yellow on red on blue, orange beside: (unstack d a) (put-down d) (unstack a b) …"""
START = (
    "([screen, steps]) => { window.changes = 0; const place = document.querySelector('main');"
    " place.replaceChildren();"
    " window.view = plans.mount(place, screen, () => { window.changes += 1; });"
    " window.view.restore(steps); }"
)


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder: Path = tmp_path_factory.mktemp("view")
    view, style = PAGES / "source" / "plan" / "view.ts", PAGES / "source" / "style" / "index.css"
    script = bundled(view, folder / "view.js", "--format=iife", "--global-name=plans")
    sheet = bundled(style, folder / "style.css")
    return (
        '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">'
        f"<title>Plan</title><style>{sheet.read_text('utf-8')}</style>"
        f'<main style="padding:16px"></main><script>{script.read_text("utf-8")}</script></html>'
    )


@pytest.fixture
def page(browser: Browser, html: str) -> Iterator[Page]:
    opened = browser.new_page(viewport={"width": 390, "height": 844})
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.set_content(html)
    yield opened
    opened.close()
    assert faults == []


def mount(page: Page, screen: Plan, steps: tuple[str, ...] = ()) -> None:
    page.evaluate(START, [plain(screen), list(steps)])


def steps(page: Page) -> list[str]:
    found: list[str] = page.evaluate("window.view.steps()")
    return found


def changes(page: Page) -> int:
    return int(page.evaluate("window.changes"))


def live(page: Page) -> str:
    return str(page.locator(".plan-live").text_content())


def pictured(page: Page) -> str:
    return str(page.locator(".plan-figure:first-child svg").get_attribute("aria-label"))


def test_an_action_is_found_by_some_words_chosen_by_arrows_and_added_by_enter(page: Page) -> None:
    mount(page, plan_screen(ITEM))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.role") == "combobox"
    page.keyboard.type("unst yell")
    options = page.get_by_role("option")
    assert options.all_text_contents() == [
        *(
            "unstack the red block from the yellow block",
            "unstack the blue block from the yellow block",
        ),
        "unstack the orange block from the yellow block",
        *(
            "unstack the yellow block from the red block",
            "unstack the yellow block from the blue block",
        ),
        "unstack the yellow block from the orange block",
    ]
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    active = page.locator("[role=combobox]").get_attribute("aria-activedescendant")
    assert page.locator(f"[id='{active}']").text_content() == (
        "unstack the yellow block from the red block"
    )
    page.keyboard.press("Enter")
    assert steps(page) == ["(unstack d a)"]
    assert changes(page) == 1
    assert "the hand is holding the yellow block" in pictured(page)
    assert live(page).startswith("Step 1 added: unstack the yellow block from the red block.")
    assert "the hand is holding the yellow block" in live(page)
    page.keyboard.press("Escape")
    assert options.count() == len(plan_screen(ITEM).actions)


def test_a_search_that_fits_nothing_says_so_and_enter_adds_nothing(page: Page) -> None:
    mount(page, plan_screen(ITEM))
    page.get_by_role("combobox").fill("teapot")
    page.keyboard.press("Enter")
    assert steps(page) == []
    assert page.locator(".plan-count").text_content() == "No action fits. Try fewer words."


def test_steps_are_moved_by_buttons_and_the_focus_goes_along(page: Page) -> None:
    mount(page, plan_screen(ITEM), BEST[:3])
    page.get_by_role("button", name="Move step 3 up").focus()
    page.keyboard.press("Enter")
    assert steps(page) == [BEST[0], BEST[2], BEST[1]]
    page.keyboard.press("Enter")
    assert steps(page) == [BEST[2], BEST[0], BEST[1]]
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert label == "Move step 1 up: unstack the red block from the blue block"
    page.keyboard.press("Enter")
    assert steps(page) == [BEST[2], BEST[0], BEST[1]]
    page.keyboard.press("Alt+ArrowDown")
    assert steps(page) == [BEST[0], BEST[2], BEST[1]]
    assert changes(page) == 3


def test_a_step_is_removed_and_comes_back_by_undo(page: Page) -> None:
    mount(page, plan_screen(ITEM), BEST[:3])
    page.get_by_role("button", name="Remove step 2: put down the yellow block").focus()
    page.keyboard.press("Enter")
    assert steps(page) == [BEST[0], BEST[2]]
    assert "can’t be done after step 1" in str(page.locator("figcaption").first.text_content())
    page.keyboard.press("Control+z")
    assert steps(page) == list(BEST[:3])
    page.keyboard.press("Control+y")
    assert steps(page) == [BEST[0], BEST[2]]
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+Shift+z")
    assert steps(page) == [BEST[0], BEST[2]]
    page.get_by_role("button", name="Remove all").click()
    page.get_by_role("button", name="Undo").click()
    assert steps(page) == [BEST[0], BEST[2]]


def test_undo_while_a_word_is_typed_is_the_fields_own(page: Page) -> None:
    mount(page, plan_screen(ITEM))
    page.get_by_role("combobox").focus()
    page.keyboard.press("Enter")
    page.keyboard.type("put")
    page.keyboard.press("Control+z")
    assert len(steps(page)) == 1


def test_a_step_is_dragged_by_its_handle(page: Page) -> None:
    mount(page, plan_screen(ITEM), BEST[:3])
    handles = page.locator(".plan-handle")
    handles.first.scroll_into_view_if_needed()
    handles.last.scroll_into_view_if_needed()
    start, end = handles.first.bounding_box(), handles.last.bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(end["x"] + 20, end["y"] + 10, steps=5)
    assert page.locator(".plan-after").count() == 1
    page.mouse.up()
    assert steps(page) == [BEST[1], BEST[2], BEST[0]]
    assert page.locator(".plan-dragged, .plan-before, .plan-after").count() == 0


def test_a_step_is_dragged_by_a_finger_and_the_page_stays_where_it_is(
    browser: Browser, html: str
) -> None:
    with phone(browser) as page:
        page.set_content(html)
        mount(page, plan_screen(ITEM), BEST[:3])
        page.locator(".plan-handle").last.scroll_into_view_if_needed()
        scrolled = page.evaluate("window.scrollY")
        boxes = [one.bounding_box() for one in page.locator(".plan-handle").all()]
        heights = [box["y"] + 10 for box in boxes if box is not None]
        finger = page.context.new_cdp_session(page)

        def touch(kind: str, *at: float) -> None:
            points = [{"x": 30, "y": height} for height in at]
            finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        touch("touchStart", heights[2])
        for height in (heights[2] - 20, heights[1], heights[0]):
            touch("touchMove", height)
        assert page.evaluate("window.scrollY") == scrolled
        touch("touchEnd")
        assert steps(page) == [BEST[2], BEST[0], BEST[1]]


def test_a_draft_comes_back_without_names_that_are_not_on_the_list(page: Page) -> None:
    mount(page, plan_screen(ITEM), (BEST[0], "(fly a)", BEST[1]))
    assert steps(page) == [BEST[0], BEST[1]]
    assert changes(page) == 0
    page.get_by_role("button", name="Undo").press("Enter")
    assert steps(page) == [BEST[0], BEST[1]]


def test_the_picture_shows_the_state_after_each_step(page: Page) -> None:
    mount(page, plan_screen(ITEM))
    assert page.locator("figcaption >> nth=0").text_content() == "At the start"
    for name in BEST:
        label = next(one.label for one in plan_screen(ITEM).actions if one.name == name)
        page.get_by_role("option", name=label, exact=True).click()
    assert pictured(page) == (
        "the red block is on the blue block; the blue block is on the orange block; "
        "the orange block is on the table; the yellow block is on the table; the hand is empty."
    )
    heights = page.evaluate(
        "[...document.querySelectorAll('.plan-figure:first-child text')].map(one =>"
        " [one.textContent, Number(one.getAttribute('x')), Number(one.getAttribute('y'))])"
    )
    at = {name: (x, y) for name, x, y in heights}
    assert at["red"][0] == at["blue"][0] == at["orange"][0] != at["yellow"][0]
    assert at["red"][1] < at["blue"][1] < at["orange"][1] == at["yellow"][1]


def test_by_default_a_step_that_cant_be_done_is_noted_and_nothing_else_is_judged(
    page: Page,
) -> None:
    mount(page, plan_screen(ITEM), (BEST[0], BEST[4], BEST[1]))
    assert page.locator("figcaption").first.text_content() == (
        "Step 2 (pick up the blue block) can’t be done after step 1. Shown is the state before it."
    )
    assert page.locator(".plan-odd").count() == 0
    mount(page, plan_screen(ITEM), BEST)
    assert page.locator("figcaption").all_text_contents() == [
        "After step 8: stack the red block on the blue block",
        "The goal",
    ]


def test_hints_mark_what_cant_be_done_and_whether_the_goal_holds(page: Page) -> None:
    screen = plan_screen(ITEM, "two-phase-hints")
    mount(page, screen)
    can = page.locator(".plan-option:not(.plan-odd)").all_text_contents()
    assert can == ["pick up the orange block", "unstack the yellow block from the red block"]
    goal = page.locator("figcaption").last
    assert goal.text_content() == "The goal (it does not hold yet)"
    mount(page, screen, BEST)
    assert goal.text_content() == "The goal (it holds)"
    page.get_by_role("option").first.click()
    assert "can’t be done after step 8" in live(page)
    mount(page, screen, (BEST[0], BEST[4], BEST[1]))
    remarks = page.locator(".plan-step .plan-remark").all_text_contents()
    assert remarks[0].startswith("can’t be done here: it needs that the blue block is clear")
    assert remarks[1] == "comes after a step that can’t be done"


def test_undrawn_shows_no_state_and_says_none(page: Page) -> None:
    mount(page, plan_screen(ITEM, "two-phase-undrawn"))
    page.get_by_role("option").first.click()
    assert page.locator("svg, figure, .plan-facts").count() == 0
    assert live(page) == "Step 1 added: pick up the red block. 1 step."


def test_another_domain_is_a_list_of_facts_with_what_is_new_marked(page: Page) -> None:
    item = items(2, "logistics")[1]
    screen = plan_screen(item)
    mount(page, screen, item.payload.answer[:1])
    assert page.locator(".plan-figure:first-child svg").count() == 0
    facts = set(page.locator(".plan-figure:first-child li").all_text_contents())
    first = next(one for one in screen.actions if one.name == item.payload.answer[0])
    places = (set(screen.state) - set(first.deletes)) | set(first.adds)
    assert facts == {screen.facts[place] for place in places}
    new = set(page.locator(".plan-new").all_text_contents())
    assert new == {screen.facts[place] for place in first.adds if place not in screen.state}


def test_markup_in_names_is_text(page: Page) -> None:
    screen = plan_screen(ITEM)
    evil = "<img src=x onerror='window.hurt = 1'>"
    actions = tuple(replace(one, label=f"{evil} {one.label}") for one in screen.actions)
    facts = tuple(f"{evil} {one}" for one in screen.facts)
    atoms = tuple((one[0], *(evil for _ in one[1:])) for one in screen.atoms)
    mount(page, replace(screen, actions=actions, facts=facts, atoms=atoms), BEST[:2])
    assert page.locator("img").count() == 0
    assert page.evaluate("window.hurt") is None
    assert evil in str(page.get_by_role("option").first.text_content())


def test_nothing_is_left_when_the_container_is_emptied(page: Page) -> None:
    mount(page, plan_screen(ITEM), BEST[:2])
    page.evaluate("document.querySelector('main').replaceChildren()")
    page.keyboard.press("Control+z")
    page.keyboard.press("Enter")
    assert changes(page) == 0


def test_a_plan_has_no_more_steps_than_may_be_sent(page: Page) -> None:
    mount(page, replace(plan_screen(ITEM), most_steps=2), BEST[:2])
    page.get_by_role("option").first.click()
    assert steps(page) == list(BEST[:2])
    assert live(page) == "A plan can have 2 steps at most."


@pytest.mark.parametrize("domain", ["blocksworld", "household"])
def test_on_a_phone_nothing_is_cut_off_and_every_target_can_be_hit(page: Page, domain: str) -> None:
    item = items(2, domain)[1]
    mount(page, plan_screen(item, "two-phase-hints"), item.payload.answer)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    sizes = page.evaluate(
        "[...document.querySelectorAll('button, input, [role=option], .plan-handle')].map(one =>"
        " { const box = one.getBoundingClientRect(); return [box.width, box.height]; })"
    )
    assert len(sizes) > 30
    assert min(min(size) for size in sizes) >= 44
