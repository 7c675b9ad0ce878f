"""Replies that the token limit cut: before the plan, inside it, after it; and the labelled ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from misstep.core.items import Item
from misstep.core.outcomes import Outcome, Reply, Score
from misstep.families.planbench.grading.plans import BEFORE_PLAN, INSIDE_PLAN
from misstep.families.planbench.reading.plans import read_reply
from misstep.families.planbench.score import score
from misstep.families.planbench.spec import PlanbenchPayload

Made = Callable[..., tuple[Item[PlanbenchPayload], ...]]
DATA = Path(__file__).resolve().parents[4] / "shared/data/planbench"
THOUGHTS = "Let me think step by step.\nThe red block must go first.\n"


@pytest.fixture
def item(make: Made) -> Item[PlanbenchPayload]:
    return make(1)[0]


@pytest.fixture
def steps(item: Item[PlanbenchPayload]) -> list[str]:
    return item.truth.splitlines()[1:-1]


def cut(item: Item[PlanbenchPayload], text: str, stop: str = "max_tokens") -> Score:
    return score(item, Reply(text, stop))


def numbered(steps: list[str]) -> str:
    return "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))


@pytest.mark.parametrize("stop", ["max_tokens", "model_length", "length"])
def test_steps_that_reasoning_names_are_no_plan_where_the_plan_never_began(
    item: Item[PlanbenchPayload], steps: list[str], stop: str
) -> None:
    for named in (steps[:3], steps):
        text = f"{THOUGHTS}{numbered(named)}\nAfter that the hand is em"
        judged = cut(item, text, stop)
        assert (judged.outcome, judged.value, judged.answer) == (Outcome.TRUNCATED, None, None)
        assert judged.reason == BEFORE_PLAN
        assert score(item, Reply(text, "stop")).outcome.is_answered


@pytest.mark.parametrize("before", ["[PLAN]\n", f"{THOUGHTS}\n[PLAN]\n", "", "Here is my plan:\n"])
def test_a_plan_that_was_cut_is_right_where_it_reaches_the_goal_and_else_truncated(
    item: Item[PlanbenchPayload], steps: list[str], before: str
) -> None:
    whole = cut(item, before + "\n".join(steps))
    assert (whole.outcome, whole.value) == (Outcome.CORRECT, 1.0)
    for size in range(1, len(steps)):
        judged = cut(item, before + "\n".join(steps[:size]))
        assert (judged.outcome, judged.value) == (Outcome.TRUNCATED, None)
        assert judged.reason == INSIDE_PLAN
        assert score(item, Reply(before + "\n".join(steps[:size]), "stop")).outcome is Outcome.WRONG


def test_a_last_step_that_was_cut_is_left_out_wherever_the_cut_falls(
    item: Item[PlanbenchPayload], steps: list[str]
) -> None:
    plan = "[PLAN]\n" + "\n".join(steps)
    goes_on = f"{plan}\npick up the red block"
    for length in range(len(plan), len(plan) + 12):
        assert cut(item, goes_on[:length]).outcome is Outcome.CORRECT, goes_on[:length]
    for length in range(len("[PLAN]\n"), len(plan) - len(steps[-1])):
        assert cut(item, plan[:length]).outcome is Outcome.TRUNCATED, plan[:length]


def test_a_plan_that_was_closed_before_the_cut_is_graded_like_any_other(
    item: Item[PlanbenchPayload], steps: list[str]
) -> None:
    short = "\n".join(["[PLAN]", *steps[:2]])
    for after in ("\n[PLAN END]", "\n[PLAN END]\nThis works bec", "\n\nThis plan works bec"):
        judged = cut(item, f"{THOUGHTS}\n{short}{after}")
        assert (judged.outcome, judged.value) == (Outcome.WRONG, 0.0)
        assert judged.details["fault"] == "goal_not_reached"


def test_no_plan_counts_where_it_is_the_answer_and_not_where_reasoning_mentions_it(
    make: Made,
) -> None:
    (hopeless,) = [i for i in make(20, test="unsolvable") if i.factors["kind"] == "no_plan"][:1]
    for text in (
        "No plan exists.",
        "[PLAN]\nNo plan exists.",
        f"{THOUGHTS}[PLAN]\nNo plan exists. The goal",
    ):
        assert cut(hopeless, text).outcome is Outcome.CORRECT, text
    for text in (
        f"{THOUGHTS}So it may be that no plan exists.",
        "The red block is held. So no plan exists that moves it first, but",
    ):
        assert cut(hopeless, text).outcome is Outcome.TRUNCATED, text


def test_a_line_that_cannot_be_read_is_unparsed_only_inside_of_a_plan(
    item: Item[PlanbenchPayload], steps: list[str]
) -> None:
    lines = numbered([steps[0], "polish the red block", steps[1]])
    assert cut(item, f"[PLAN]\n{lines}\n").outcome is Outcome.UNPARSED
    assert cut(item, f"{THOUGHTS}{lines}\nNow I").outcome is Outcome.TRUNCATED


def test_a_valid_plan_that_is_dearer_than_need_be_is_wrong_though_it_was_cut(make: Made) -> None:
    (item,) = make(1, test="optimal-planning")
    steps = item.truth.splitlines()[1:-2]
    last = steps[-1]
    back = last.replace("stack", "unstack", 1).replace(" on ", " from ")
    judged = cut(item, "\n".join(["[PLAN]", *steps, back, last]))
    assert (judged.outcome, judged.details["excess"]) == (Outcome.WRONG, 2)


def labelled() -> Iterator[tuple[Item[PlanbenchPayload], dict[str, object]]]:
    """Published replies and the plan that each proposes; as of 2025, none has a stop reason."""
    for line in (DATA / "responses_dev.jsonl").read_text(encoding="utf-8").split("\n"):
        if not line:
            continue
        case = json.loads(line)
        domain = (DATA / "domains" / case["domain_pddl"]).read_text(encoding="utf-8")
        payload = PlanbenchPayload(
            test="plan-generation",
            question="state",
            wording="pddl",
            domain=domain,
            words="",
            problem=case["problem_pddl"],
            before="",
            shown=(),
            executed=0,
            answer=(),
            optimum=None,
            examples=(),
            query=case["query"],
        )
        yield Item("x", "planbench", 2, "x", payload, "", None, {}), case


@pytest.mark.skipif(not DATA.exists(), reason="the labelled replies are not at hand")
def test_a_labelled_reply_reads_as_labelled_and_a_right_one_stays_right_where_it_was_cut() -> None:
    right = 0
    for item, case in labelled():
        text = str(case["response"])
        assert read_reply(item.payload, Reply(text)).texts == case["plan"] or (
            read_reply(item.payload, Reply(text)).texts in case["alternatives"]  # type: ignore[operator]  # a list
        ), case["id"]
        judged = cut(item, text)
        if case["verdict"] == "valid" and score(item, Reply(text)).outcome is Outcome.CORRECT:
            assert judged.outcome is Outcome.CORRECT, case["id"]
            right += 1
        elif judged.outcome is Outcome.TRUNCATED:
            assert judged.answer is None
    assert right > 10
