"""Words: those of C.2 to the letter, the feedback, and what the README prints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from misstep.core.items import Item
from misstep.families.vehicles import FAMILY
from misstep.families.vehicles.prompts import feedback, prompt
from misstep.families.vehicles.spec import SPEC, VehiclesPayload
from vehicle_lists import lists

PAPER = Path(__file__).resolve().parents[4] / "shared/papers/mind-your-step.txt"


def answered(item: Item[VehiclesPayload], *answers: str | None) -> Item[VehiclesPayload]:
    return replace(item, payload=replace(item.payload, answers=answers))


def test_the_direct_prompt_is_table_11_with_a_line_for_each_feature() -> None:
    item = lists(0)[0]
    payload, first = item.payload, item.payload.orders[0][0]
    assert prompt(item, "direct") == (
        "The vehicle description is as follows:\n"
        f"License plate: {payload.plates[first]}\n"
        f"Descriptor: {payload.descriptors[first]}\n"
        f"Transmission: {payload.transmissions[first]}\n"
        f"Seat Cover: {payload.seat_covers[first]}\n"
        f"Doors: {payload.doors[first]}\n"
        "Is this vehicle more likely to be a Class A or Class B vehicle?\n"
        "Only answer with ‘A’ or ‘B’."
    )


def test_the_cot_prompt_has_another_last_line() -> None:
    item = lists(0)[0]
    direct, cot = prompt(item, "direct"), prompt(item, "cot")
    assert cot == direct.replace(
        "Only answer with ‘A’ or ‘B’.",
        "Let’s think step by step and answer with either ‘A’ or ‘B’. If you are unsure, feel free "
        "to guess and explain your reasoning",
    )


def test_prompts_are_the_papers_but_for_line_breaks() -> None:
    if not PAPER.exists():
        pytest.skip("the paper's text is not beside this repository")
    paper = PAPER.read_text(encoding="utf-8")
    item = lists(0)[0]
    payload, first = item.payload, item.payload.orders[0][0]
    fields = {
        "[license plate]": payload.plates[first],
        "[descriptor]": payload.descriptors[first],
        "[transmission]": payload.transmissions[first],
        "[seat cover]": payload.seat_covers[first],
        "[doors]": payload.doors[first],
    }
    direct = prompt(item, "direct").replace("\n", " ")
    start = paper.index("The vehicle description is as follows:")
    printed = paper[start : paper.index("\n", start)]
    for name, value in fields.items():
        printed = printed.replace(name, value)
    assert direct == printed.rstrip()
    assert f"with “{prompt(item, 'cot').splitlines()[-1]}”" in paper


def test_feedback_says_what_was_right_and_whether_the_answer_was_read() -> None:
    item = lists(0)[0]
    right = item.truth
    wrong = {"A": "B", "B": "A"}[right]
    said = {answer: feedback(answered(item, answer).payload) for answer in (right, wrong, None)}
    assert said == {
        right: "Correct.",
        wrong: f"Incorrect. The right class is {right}.",
        None: f"Your answer was not read. The right class is {right}.",
    }


def test_the_next_turn_is_about_the_next_vehicle_of_the_pass() -> None:
    item = lists(0)[0]
    for number in (1, 9, 10, 149):
        now = answered(item, *"A" * number)
        vehicle = item.payload.orders[number // 10][number % 10]
        assert f"License plate: {item.payload.plates[vehicle]}\n" in prompt(now, "cot")


def test_an_explanation_is_asked_for_the_vehicle_just_answered() -> None:
    item = lists(0)[0]
    payload = replace(item.payload, answers=("A",), is_explaining=True)
    words = prompt(replace(item, payload=payload), "explain")
    assert words == f"Please explain why this vehicle is a Class {item.truth} vehicle."


def test_an_unknown_wording_is_our_own_mistake() -> None:
    with pytest.raises(ValueError, match="no wording 'shout'"):
        prompt(lists(0)[0], "shout")


def test_the_readme_prints_every_prompt_with_its_line_breaks() -> None:
    import misstep.families.vehicles as room

    readme = (Path(room.__file__).parent / "README.md").read_text(encoding="utf-8")
    item = lists(0)[0]
    shown = [prompt(item, arm.prompt) for arm in SPEC.arms]
    turn = FAMILY.conversation
    assert turn is not None
    right = answered(item, item.truth)
    shown.append(f"{feedback(right.payload)}\n\n{prompt(right, 'direct')}")
    asked = replace(right, payload=replace(right.payload, is_explaining=True))
    shown.append(f"{feedback(right.payload)}\n\n{prompt(asked, 'explain')}")
    paper = lists(0, 1, protocol="paper")[0]
    shown += [prompt(paper, arm) for arm in ("direct", "cot")]
    for words in shown:
        assert f"```text\n{words}\n```" in readme, words
