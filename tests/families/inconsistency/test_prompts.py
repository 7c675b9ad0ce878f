"""Words: character for character those of Tables 12 and 13 and of D.2; the answer's place."""

from __future__ import annotations

from pathlib import Path

import pytest

from misstep.core.arms import resolve
from misstep.core.items import Group
from misstep.core.outcomes import Outcome, Reply, Score
from misstep.families.inconsistency import FAMILY, spec
from misstep.families.inconsistency.prompts import beginnings, denial, parts, prompt, rule
from misstep.families.inconsistency.spec import InconsistencyPayload
from misstep.runner.judge import judge

DIRECT = (
    "The following are two statements:\n1. {first}\n2. {second}\n"
    "Can both of these statements, as explicitly stated, be true at the same time? "
    "Please ONLY answer with \u201cYes\u201d or \u201cNo\u201d."
)
COT = DIRECT.replace("Please ONLY answer with", "Please reason about your answer and then answer")
EXPLAIN = DIRECT.replace(
    "Please ONLY answer with",
    "Please first explain why statement 2 could be true and then answer",
)


@pytest.fixture(scope="module")
def group() -> Group[InconsistencyPayload]:
    return next(FAMILY.generate(0, {}))


def test_the_prompts_are_the_papers_but_for_line_breaks(
    group: Group[InconsistencyPayload],
) -> None:
    for item in group:
        said = {"first": rule(item.payload), "second": denial(item.payload)}
        for wording, words in (("direct", DIRECT), ("cot", COT), ("explain", EXPLAIN)):
            assert prompt(item, wording) == words.format(**said)


def test_statements_follow_the_templates_of_table_12() -> None:
    payload = InconsistencyPayload("I rest", "someone rests", affirms_a=True)
    assert rule(payload) == "If I rest, then it is always the case that someone rests."
    assert denial(payload) == "I rest, but it is not the case that someone rests."
    payload = InconsistencyPayload(
        "the cat is in the U.S.", "a cat is in the U.S.", affirms_a=False
    )
    assert denial(payload) == "It is not the case that a cat is in the U.S."
    payload = InconsistencyPayload("élan wins", "a is b", affirms_a=True)
    assert denial(payload).startswith("Élan wins, but")


def test_both_questions_of_a_pair_share_all_before_statement_2(
    group: Group[InconsistencyPayload],
) -> None:
    first, second = map(beginnings, group)
    assert first[0] == second[0]
    assert first[0].endswith(".\n2. ")
    assert first[1] != second[1]
    assert parts(group[0])["statement_1"] in first[0]


def test_an_unknown_wording_is_our_own_mistake(group: Group[InconsistencyPayload]) -> None:
    with pytest.raises(ValueError, match="no wording 'shout'"):
        prompt(group[0], "shout")


def test_the_readme_prints_every_prompt_with_its_line_breaks(
    group: Group[InconsistencyPayload],
) -> None:
    readme = (Path(spec.__file__).parent / "README.md").read_text(encoding="utf-8")
    shown = [prompt(group[0], arm.prompt) for arm in FAMILY.spec.arms]
    shown.append(prompt(group[1], "direct"))
    for words in shown:
        assert f"```text\n{words}\n```" in readme, words


def judged(group: Group[InconsistencyPayload], arm: str, text: str, stop: str = "stop") -> Score:
    (asked,) = resolve([arm], FAMILY.spec.arms)
    conflict = next(item for item in group if item.truth == "No")
    return judge(FAMILY, conflict, asked, [Reply(text, stop)])


REVISED = "No. Statement 2 could be true if the rule had exceptions. So the answer is Yes."


def test_an_arm_that_asks_for_the_answer_first_is_read_by_what_comes_first(
    group: Group[InconsistencyPayload],
) -> None:
    first = judged(group, "judge-then-explain", REVISED)
    assert (first.answer, first.outcome) == ("No", Outcome.CORRECT)
    assert first.span is not None
    assert REVISED[slice(*first.span)] == "No"
    assert judged(group, "explain", REVISED).answer == "Yes"


@pytest.mark.parametrize(
    ("text", "stop", "outcome"),
    [
        ("**No**\n\nStatement 2 could be", "max_tokens", Outcome.CORRECT),
        ("<think>Yes? No.</think>\nNo. It could.\nFinal answer: Yes", "stop", Outcome.CORRECT),
        ("Let us see. They can't both hold.\nAnswer: No", "stop", Outcome.CORRECT),
        ("Yes", "stop", Outcome.WRONG),
        ("<think>No", "max_tokens", Outcome.TRUNCATED),
        ("", "stop", Outcome.EMPTY),
        ("Let us see", "max_tokens", Outcome.TRUNCATED),
        ("It depends on the rule.", "stop", Outcome.UNPARSED),
    ],
)
def test_a_reply_that_should_answer_first_becomes_its_outcome(
    group: Group[InconsistencyPayload], text: str, stop: str, outcome: Outcome
) -> None:
    assert judged(group, "judge-then-explain", text, stop).outcome is outcome


def test_votes_over_such_an_arm_are_read_likewise(group: Group[InconsistencyPayload]) -> None:
    (asked,) = resolve(["judge-then-explain+vote3"], FAMILY.spec.arms)
    item = next(item for item in group if item.truth == "No")
    found = judge(FAMILY, item, asked, [Reply(REVISED), Reply(REVISED), Reply("Yes")])
    assert found.answer == "No"
