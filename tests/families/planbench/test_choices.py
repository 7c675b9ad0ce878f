"""What can be chosen, as `misstep list` says it; chance by test; answers in the truth's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from misstep.analyse import compare
from misstep.core.items import Item
from misstep.core.outcomes import Outcome, Reply
from misstep.core.records import Record
from misstep.families.planbench import FAMILY
from misstep.families.planbench.cases import instances
from misstep.families.planbench.choices import LISTINGS
from misstep.families.planbench.prompts import prompt
from misstep.families.planbench.prompts.answers import NO_PLAN_WORDS, say
from misstep.families.planbench.score import score
from misstep.families.planbench.spec import (
    DISGUISES,
    DOMAINS,
    NO_PLAN,
    SPEC,
    TESTS,
    PlanbenchPayload,
)

Made = Callable[..., tuple[Item[PlanbenchPayload], ...]]
BY_OPTION = {listing.option: listing for listing in LISTINGS}
DISGUISED = ["blocksworld", *(f"blocksworld+{disguise}" for disguise in DISGUISES)]


def names(option: str) -> list[str]:
    return [entry.name for entry in BY_OPTION[option].entries]


def test_every_test_domain_disguise_and_wording_is_listed() -> None:
    options = {option.name: option for option in SPEC.options}
    assert names("test") == list(TESTS)
    assert names("domain") == list(DOMAINS)
    assert [ending.name for ending in BY_OPTION["domain"].endings] == [f"+{d}" for d in DISGUISES]
    assert names("wording") == list(options["wording"].choices)
    assert all("size: " in entry.about for entry in BY_OPTION["domain"].entries)


def scores_of(name: str) -> set[str]:
    (about,) = [entry.about for entry in BY_OPTION[""].entries if entry.name == name]
    return set(about.removeprefix("also ").removesuffix(", where a plan is asked for").split(", "))


@pytest.mark.parametrize("test", TESTS)
def test_the_scores_listed_are_those_that_a_graded_reply_carries(make: Made, test: str) -> None:
    wanted = scores_of("every plan")
    if test in ("plan-verification", "plan-execution"):
        wanted = scores_of(test)
    elif test == "optimal-planning":
        wanted |= scores_of(test)
    for item in make(6, test=test):
        is_none = item.payload.answer == (NO_PLAN,)
        details = score(item, Reply(item.truth, "stop")).details
        assert set(details) == (scores_of("no plan exists") if is_none else wanted)


def test_the_scores_of_changes_and_of_reasons_are_listed_too(make: Made) -> None:
    (item,) = make(1, test="plan-execution", question="changes")
    details = score(item, Reply(item.truth, "stop")).details
    assert set(details) == scores_of("question=changes")
    (item,) = make(1)
    told = f"{item.truth}\n[REASONS]\n1. the hand is empty\n[REASONS END]"
    details = score(item, Reply(told, "stop")).details
    assert set(details) == scores_of("every plan") | scores_of("arm explain")


@pytest.mark.parametrize("test", TESTS)
def test_chance_is_what_the_best_constant_answer_gets(make: Made, test: str) -> None:
    stated = SPEC.chance_in(f"test={test}, domain=blocksworld")
    assert stated is not None
    items = make(60 if stated else 12, test=test)
    answers = Counter(
        item.payload.answer[0] if test == "plan-verification" else item.truth for item in items
    )
    constant = max(answers.values()) / len(items)
    assert abs(stated - constant) < (0.12 if stated else 0.25)
    assert SPEC.chance_in("") == 0.0


@pytest.mark.parametrize(
    ("variant", "chance", "has_room"),
    [("", 0.0, True), ("test=unsolvable", 0.5, False), ("test=plan-verification", 1 / 3, False)],
)
def test_a_comparison_takes_the_chance_of_its_own_test(
    variant: str, chance: float, has_room: bool
) -> None:
    """Half right, of 24: above 0 for sure, and not for sure above a third."""
    records = [
        Record(
            family="planbench",
            version=SPEC.version,
            who="m",
            item=str(number),
            group=str(number),
            arm=arm,
            repetition=1,
            outcome=Outcome.CORRECT if number % 2 else Outcome.WRONG,
            value=float(number % 2),
            variant=variant,
        )
        for arm in ("direct", "cot")
        for number in range(24)
    ]
    (one,) = compare(records, {"planbench": SPEC})
    assert (one.chance, one.has_room_to_fall) == (chance, has_room)


@pytest.mark.parametrize("domain", DISGUISED)
@pytest.mark.parametrize("wording", ["english", "pddl"])
def test_what_the_prompt_says_to_write_where_no_plan_exists_is_the_truth(
    make: Made, wording: str, domain: str
) -> None:
    items = make(8, test="unsolvable", wording=wording, domain=domain, examples=2)
    hopeless = [item for item in items if item.payload.answer == (NO_PLAN,)]
    assert hopeless
    for item in hopeless:
        begin, told, end = item.truth.splitlines()
        asked = prompt(item, "direct").splitlines()
        assert (begin, told, end) == ("[PLAN]", NO_PLAN_WORDS, "[PLAN END]")
        assert asked[-2].endswith(f"write this line between the two instead: {told}")
        assert f"Write {begin} on a line" in asked[-2]
        assert f"{end} on a line" in asked[-2]
        assert score(item, Reply(item.truth, "stop")).outcome is Outcome.CORRECT
    for item in items:  # the second example is one without a plan
        example = prompt(item, "direct").split("Here is an example.")[2]
        assert f"[PLAN]\n{NO_PLAN_WORDS}\n[PLAN END]" in example


@pytest.mark.parametrize("wording", ["english", "pddl"])
@pytest.mark.parametrize("test", TESTS)
def test_a_right_answer_as_recorded_is_said_in_the_words_of_the_truth(
    make: Made, test: str, wording: str
) -> None:
    for item in make(6, test=test, wording=wording):
        answer = score(item, Reply(item.truth, "stop")).answer
        assert answer is not None
        assert say(item, answer) == item.truth.split("\nTotal cost")[0]


def test_a_right_answer_about_one_action_is_said_in_the_words_of_the_truth(make: Made) -> None:
    for item in make(8, test="plan-execution", question="changes", domain="household"):
        answer = score(item, Reply(item.truth, "stop")).answer
        assert answer is not None
        assert say(item, answer) == item.truth


def test_an_answer_that_has_no_words_is_said_as_it_is_a_step_a_line(make: Made) -> None:
    (item,) = make(1)
    assert say(item, "(fly a b) (polish)") == "(fly a b)\n(polish)"
    (item,) = make(1, test="plan-verification")
    told = "precondition_failed at 2 (stack a b): (holding a)"
    for answer in ("invalid (on a b)", "precondition_failed", "valid (glow a)", told):
        assert say(item, answer) == answer
    (item,) = make(1, test="plan-execution")
    for answer in ("(glow a)", "garbage", "valid 1 (on a b)"):
        assert say(item, answer) == answer


def test_an_instance_is_the_same_with_its_facts_in_another_order_and_for_every_test(
    make: Made,
) -> None:
    (item,) = make(1, examples=2)
    found = instances(item)
    assert len(found.shown) == 2
    assert found.asked not in found.shown
    turned = "\n".join(reversed(item.payload.problem.splitlines()))
    other = replace(item, id="y", payload=replace(item.payload, problem=turned))
    assert instances(other).asked == found.asked
    (event,) = make(1, test="replanning", examples=1)
    assert len(instances(event).shown) == 3  # before the event; the example's two
    assert FAMILY.instances is instances
