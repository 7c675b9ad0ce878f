"""Grammar with people: the strings are memorised once for all questions about their grammar."""

from __future__ import annotations

from misstep.study.screens import Page, Part
from misstep.study.trials.grammar import TRIAL
from misstep.study.trials.nouns import Timing
from misstep.study.trials.pieces.going_on import going_on
from trial_walks import items, walked


def test_the_opening_shows_all_training_strings_for_their_time_and_no_button() -> None:
    item = next(items("grammar", 1))
    _, strings, _ = TRIAL.opening(item, "direct", Timing())
    assert isinstance(strings, Page)
    assert strings.body[-1] == Part("mono", "\n".join(item.payload.training))
    assert (strings.choices, strings.auto_ms) == ((), 150_000)
    assert going_on(strings) == {"value": ""}


def test_all_questions_of_a_grammar_and_both_arms_share_one_opening() -> None:
    group = list(items("grammar", 1))
    openings = {TRIAL.opening(item, arm.name, Timing()) for item in group for arm in TRIAL.arms}
    assert len(group) == 44
    assert len(openings) == 1


def test_that_there_are_rules_is_said_only_after_the_strings_were_memorised() -> None:
    item = next(items("grammar", 1))
    before, strings, after = TRIAL.opening(item, "direct", Timing())
    for screen in (before, strings):
        assert isinstance(screen, Page)
        assert "rule" not in " ".join(part.text for part in screen.body).lower()
    checks = " ".join(one.question.text for one in TRIAL.checks)
    assert "rule" not in checks
    assert isinstance(after, Page)
    assert "a certain set of rules" in after.body[0].text


def test_a_question_shows_its_string_and_none_of_those_to_memorise() -> None:
    for item in list(items("grammar", 1))[:5]:
        for arm in TRIAL.arms:
            for screen in walked(item, arm.name, "bigram-rule").screens:
                said = str(screen)
                assert f"'{item.payload.test}'" in said
                assert not any(f"'{one}'" in said for one in item.payload.training)
