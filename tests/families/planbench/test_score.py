"""Replies of many kinds → outcomes and further scores."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from misstep.core.items import Item
from misstep.core.outcomes import Outcome, Reply, Score
from misstep.families.planbench.prompts import answer_words
from misstep.families.planbench.prompts.feedback import feedback
from misstep.families.planbench.score import score
from misstep.families.planbench.spec import PlanbenchPayload
from misstep.families.planbench.texts import book_of, problem_of, steps_of
from misstep.planning.states import atoms_of, states_along
from misstep.planning.wording import say_fact

Made = Callable[..., tuple[Item[PlanbenchPayload], ...]]


def graded(item: Item[PlanbenchPayload], text: str, stop: str = "stop") -> Score:
    return score(item, Reply(text, stop))


@pytest.fixture
def item(make: Made) -> Item[PlanbenchPayload]:
    return make(1)[0]


@pytest.fixture
def steps(item: Item[PlanbenchPayload]) -> list[str]:
    """The right plan, an action a line, in words."""
    return item.truth.splitlines()[1:-1]


def test_a_right_plan_is_right_however_it_is_written(
    item: Item[PlanbenchPayload], steps: list[str]
) -> None:
    plain = "\n".join(steps)
    numbered = "\n".join(f"{n}. {step}" for n, step in enumerate(steps, 1))
    named = "\n".join(f"Step {n}: {step}." for n, step in enumerate(steps, 1))
    bold = "\n".join(f"- **{step}**" for step in steps)
    pddl = "\n".join(item.payload.answer)
    fenced = f"Here is the plan:\n```\n{plain}\n```\nIt moves each block once."
    for text in (plain, numbered, named, bold, pddl, fenced, f"[PLAN]\n{plain}\n[PLAN END]"):
        judged = graded(item, text)
        assert (judged.outcome, judged.answer) == (
            Outcome.CORRECT,
            " ".join(item.payload.answer),
        ), text


def test_text_after_the_end_marker_and_an_invented_example_are_no_part_of_the_plan(
    item: Item[PlanbenchPayload], steps: list[str]
) -> None:
    plan = "\n".join(steps)
    for more in (
        "\nI hope this helps: pick up the red block.",
        "\n\nHere is an example.\n\n[PLAN]\npick up the red block\n[PLAN END]",
    ):
        assert graded(item, f"{plan}\n[PLAN END]{more}").outcome is Outcome.CORRECT


def test_of_a_reply_that_revises_itself_the_last_complete_plan_counts(
    item: Item[PlanbenchPayload], steps: list[str]
) -> None:
    wrong = "[PLAN]\npick up the red block\n[PLAN END]"
    right = "[PLAN]\n" + "\n".join(steps) + "\n[PLAN END]"
    assert graded(item, f"{wrong}\nWait, that misses the goal.\n{right}").outcome is Outcome.CORRECT
    assert graded(item, f"{right}\nWait, that is wrong.\n{wrong}").outcome is Outcome.WRONG


def test_an_action_that_is_said_to_be_impossible_is_no_action(
    item: Item[PlanbenchPayload],
) -> None:
    judged = graded(item, "I cannot pick up the red block.")
    assert judged.outcome is not Outcome.CORRECT
    assert "pick-up" not in (judged.answer or "")


def test_a_line_of_the_plan_that_cannot_be_read_makes_the_reply_unparsed_at_that_line(
    item: Item[PlanbenchPayload], steps: list[str]
) -> None:
    text = "\n".join(["[PLAN]", steps[0], "polish the red block", *steps[1:], "[PLAN END]"])
    judged = graded(item, text)
    assert (judged.outcome, judged.value, judged.reason) == (Outcome.UNPARSED, None, "line 3")


def test_an_empty_plan_an_empty_reply_and_no_plan_are_three_things(
    item: Item[PlanbenchPayload],
) -> None:
    empty_plan = graded(item, "[PLAN]\n[PLAN END]")
    assert (empty_plan.outcome, empty_plan.answer) == (Outcome.WRONG, "")
    assert empty_plan.details["fault"] == "goal_not_reached"
    assert graded(item, "").outcome is Outcome.EMPTY
    none = graded(item, "No plan exists.")
    assert (none.outcome, none.answer) == (Outcome.WRONG, "no_plan")
    assert none.details == {"false_no_plan": True}


def test_no_plan_is_right_only_where_none_exists(make: Made) -> None:
    items = make(20, test="unsolvable")
    kinds = {item.payload.answer == ("no_plan",) for item in items}
    assert kinds == {True, False}
    for item in items:
        judged = graded(item, "[PLAN]\nNo plan exists.\n[PLAN END]")
        is_right = item.payload.answer == ("no_plan",)
        assert judged.outcome is (Outcome.CORRECT if is_right else Outcome.WRONG)
        assert judged.details == {"false_no_plan": not is_right}


def test_the_partial_scores_say_how_far_a_plan_went(
    item: Item[PlanbenchPayload], steps: list[str]
) -> None:
    judged = graded(item, "\n".join(["[PLAN]", *steps[:2], steps[0], "[PLAN END]"]))
    assert judged.details["executable_steps"] == 2
    assert judged.details["fault"] == "precondition_failed"
    assert judged.details["fault_step"] == 3
    assert judged.details["fault_facts"]
    assert judged.details["length"] == 3
    right = graded(item, item.truth)
    assert right.details["fault"] is None
    assert right.details["goal_share"] == 1.0
    assert right.details["is_valid_without_deletes"] is True


def test_the_span_is_where_the_plan_stands(item: Item[PlanbenchPayload], steps: list[str]) -> None:
    text = f"Let me see.\n\n{item.truth}\n"
    judged = graded(item, text)
    assert judged.span is not None
    assert text[slice(*judged.span)].startswith(("[PLAN]", steps[0]))


def test_a_dearer_plan_is_valid_but_not_optimal_and_the_stated_cost_is_graded_apart(
    make: Made,
) -> None:
    (item,) = make(1, test="optimal-planning")
    steps = item.truth.splitlines()[1:-2]
    optimum = item.payload.optimum
    right = graded(item, item.truth)
    assert right.outcome is Outcome.CORRECT
    assert right.details["is_stated_cost_right"] is True
    extra = [*steps, *detour(steps[-1])]
    dear = graded(item, "\n".join(["[PLAN]", *extra, "[PLAN END]", f"Total cost: {optimum}"]))
    assert dear.outcome is Outcome.WRONG
    assert dear.details["is_valid"] is True
    assert dear.details["excess"] == 2
    assert dear.details["stated_cost"] == optimum
    assert dear.details["is_stated_cost_right"] is False


def detour(last: str) -> list[str]:
    """Undoes the last stacking and does it again."""
    assert last.startswith("stack ")
    return [last.replace("stack", "unstack", 1).replace(" on ", " from "), last]


def test_a_verification_is_scored_in_three_parts(make: Made) -> None:
    for item in make(30, test="plan-verification"):
        if item.factors["kind"] != "precondition_failed":
            continue
        _, number, *_ = item.payload.answer
        right = graded(item, item.truth)
        assert (right.details["is_action_right"], right.details["are_facts_right"]) == (True, True)
        other = item.truth.replace(f"action {number} ", "action 99 ").split("Unmet")[0]
        judged = graded(item, f"{other}Unmet preconditions: the hand is empty; nothing.")
        assert judged.outcome is Outcome.CORRECT
        assert judged.details["is_action_right"] is False
        assert graded(item, "The plan is valid.").outcome is Outcome.WRONG
        return
    pytest.fail("no plan that can't be executed among 30")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The plan is valid.", "valid"),
        ("**Answer:** the plan is not valid.", "invalid"),
        ("The plan is invalid: it misses the goal. Unmet goals: none", "goal_not_reached"),
        ("The plan is not valid: action 2 can't be executed.", "precondition_failed"),
    ],
)
def test_a_verdict_is_read_in_other_words_too(make: Made, text: str, kind: str) -> None:
    judged = graded(make(1, test="plan-verification")[0], text)
    assert judged.details["class"] == kind


def test_a_state_is_scored_as_an_exact_set_with_precision_and_recall(make: Made) -> None:
    (item,) = make(1, test="plan-execution")
    facts = item.truth.splitlines()[1:-1]
    assert graded(item, "- " + "\n- ".join(reversed(facts))).outcome is Outcome.CORRECT
    assert graded(item, "\n".join(item.payload.answer)).outcome is Outcome.CORRECT
    sentence = f"[ANSWER]\n{', '.join(facts[:-1])} and {facts[-1]}.\n[ANSWER END]"
    assert graded(item, sentence).outcome is Outcome.CORRECT
    less = graded(item, "\n".join(facts[1:]))
    assert less.outcome is Outcome.WRONG
    assert less.details["precision"] == 1.0
    assert less.details["recall"] == round((len(facts) - 1) / len(facts), 4)


def test_facts_that_no_action_changes_may_be_stated_or_left_out_but_not_be_false(
    make: Made,
) -> None:
    (item,) = make(1, test="plan-execution", domain="logistics")
    body = item.truth.removeprefix("[ANSWER]\n").removesuffix("\n[ANSWER END]")
    assert graded(item, f"{body}\nplace 0-0 belongs to city 0").outcome is Outcome.CORRECT
    assert graded(item, f"{body}\nplace 0-0 belongs to city 1").outcome is Outcome.WRONG


def test_a_line_that_is_no_fact_makes_a_marked_answer_unparsed(make: Made) -> None:
    (item,) = make(1, test="plan-execution")
    marked = item.truth.replace("[ANSWER END]", "the red block glows\n[ANSWER END]")
    judged = graded(item, marked)
    assert (judged.outcome, judged.value) == (Outcome.UNPARSED, None)
    assert judged.reason is not None
    assert "glows" in judged.reason


@pytest.mark.parametrize("test", ["plan-generation", "plan-verification", "plan-execution"])
def test_no_answer_is_told_from_a_wrong_one(make: Made, test: str) -> None:
    (item,) = make(1, test=test)
    assert graded(item, "").outcome is Outcome.EMPTY
    assert graded(item, "Hmm, let me", "max_tokens").outcome is Outcome.TRUNCATED
    assert graded(item, "", "content_filter").outcome is Outcome.REFUSED
    assert graded(item, "The weather is fine.").outcome is Outcome.UNPARSED


def test_a_case_in_words_is_what_the_scorer_reads_back(make: Made) -> None:
    for test in ("plan-verification", "plan-execution", "replanning"):
        for item in make(6, test=test, domain="household"):
            assert item.truth.splitlines()[0] in ("[PLAN]", "[ANSWER]")
            assert graded(item, item.truth).outcome is Outcome.CORRECT
    assert answer_words.__module__.endswith("answers")


def test_feedback_names_the_action_and_what_is_unmet_and_ends_when_all_is_right(
    item: Item[PlanbenchPayload], steps: list[str]
) -> None:
    assert feedback(item, Reply(item.truth, "stop")) is None
    assert feedback(item, Reply("", "content_filter")) is None
    said = feedback(item, Reply(f"[PLAN]\n{steps[0]}\n{steps[0]}\n[PLAN END]", "stop"))
    assert said is not None
    assert said.startswith(f"Action 2 of the plan ({steps[0]}) cannot be executed. Unmet")
    short = feedback(item, Reply(f"[PLAN]\n{steps[0]}\n[PLAN END]", "stop"))
    assert short is not None
    assert short.startswith("The plan misses the goal. Unmet goals: ")
    unread = feedback(item, Reply("The weather is fine.", "stop"))
    assert unread is not None
    assert unread.startswith("No answer in the form asked for")


def test_feedback_gives_no_answer_away_where_the_answer_is_a_verdict(make: Made) -> None:
    for item in make(4, test="plan-verification"):
        wrong = (
            "The plan is not valid." if item.payload.answer[0] == "valid" else "The plan is valid."
        )
        said = feedback(item, Reply(wrong, "stop"))
        assert said == "That answer is not right. Please answer again, in the same form."


@pytest.mark.parametrize("domain", ["logistics", "depots", "household", "ferry", "satellite"])
def test_a_numbered_plan_without_markers_is_read_in_every_domain(make: Made, domain: str) -> None:
    for item in make(5, domain=domain):
        steps = item.truth.splitlines()[1:-1]
        numbered = "\n".join(f"{n}. {step}" for n, step in enumerate(steps, 1))
        assert graded(item, numbered).outcome is Outcome.CORRECT


def test_an_explanation_is_held_against_the_states(
    item: Item[PlanbenchPayload], steps: list[str]
) -> None:
    problem = problem_of(item.payload.domain, item.payload.problem)
    book = book_of(item.payload.domain, item.payload.words, "english", item.payload.problem)
    states = states_along(problem, steps_of(item.payload.answer))
    told = [
        f"{number}. {'; '.join(say_fact(book, atom) for atom in atoms_of(state))}"
        for number, state in enumerate(states, 1)
    ][: len(steps)]
    reply = "\n".join([item.truth, "[REASONS]", *told, "[REASONS END]"])
    judged = graded(item, reply)
    assert judged.outcome is Outcome.CORRECT
    assert judged.details["claims_true"] == 1.0
    assert judged.details["preconditions_named"] == 1.0
    told[0] = "1. the table is on the hand; the hand is empty"
    judged = graded(item, "\n".join([item.truth, "[REASONS]", *told[:1], "[REASONS END]"]))
    assert (judged.details["claims"], judged.details["claims_true"]) == (2, 0.5)
    assert "claims" not in graded(item, item.truth).details


def test_of_reasoning_without_a_marker_the_last_state_and_the_last_verdict_count(
    make: Made,
) -> None:
    (item,) = make(1, test="plan-execution")
    problem = problem_of(item.payload.domain, item.payload.problem)
    book = book_of(item.payload.domain, item.payload.words, "english", item.payload.problem)
    told = [
        "\n".join(f"- {say_fact(book, atom)}" for atom in atoms_of(state))
        for state in states_along(problem, steps_of(item.payload.shown))
    ]
    text = "".join(f"After {n} actions:\n\n{facts}\n\n" for n, facts in enumerate(told))
    assert graded(item, text).outcome is Outcome.CORRECT
    said = (
        "Were the hand full, action 1 cannot be executed, and the plan is not valid. It is empty."
    )
    (other,) = [i for i in make(20, test="plan-verification") if i.factors["kind"] == "valid"][:1]
    assert graded(other, f"{said}\n\nSo the plan is valid.").outcome is Outcome.CORRECT


def test_a_marker_on_every_line_makes_one_answer(make: Made) -> None:
    (item,) = make(1, test="plan-execution")
    facts = item.truth.splitlines()[1:-1]
    text = "\n".join(f"[ANSWER] {fact}" for fact in facts)
    assert graded(item, f"{text}\n[ANSWER END]").outcome is Outcome.CORRECT


def test_a_copy_of_all_forms_of_a_verdict_is_none(make: Made) -> None:
    (item,) = make(1, test="plan-verification")
    text = "The plan is valid.\nThe plan is not valid: it misses the goal. Unmet goals: none."
    assert graded(item, text).outcome is Outcome.UNPARSED


def test_reasoning_that_the_token_limit_cut_is_no_verdict_and_no_state(make: Made) -> None:
    (item,) = make(1, test="plan-verification")
    text = "Let's determine if the plan is valid. Action 1 cannot be executed if"
    assert graded(item, text, "max_tokens").outcome is Outcome.TRUNCATED
    assert graded(item, "Let's see if the plan is valid.").outcome is Outcome.UNPARSED
    (other,) = make(1, test="plan-execution")
    assert graded(other, "- The hand is empty.\n- The", "max_tokens").outcome is Outcome.TRUNCATED
