"""Numbers read out of replies of many styles, the short and the long alike."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from misstep.core.answers import ReadingState, read_number, value_of

READ = [
    ("18", 18),
    ("18 dollars", 18),
    ("$18.", 18),
    ("The answer is 18.", 18),
    ("#### 18", 18),
    ("She sells 16 - 3 - 4 = 9 eggs. She makes 9 * 2 = $18 every day.\n\n**18**", 18),
    ("Therefore, Janet makes 18 dollars every day.", 18),
    ("Therefore, the answer to 7 - 4 is 3.", 3),
    ("2 + 3 equals 5.", 5),
    ("The answer to 9 + 8 is \\boxed{17}.", 17),
    ("\\boxed{1,234.50}", 1234.5),
    ("The answer is $1{,}234$", 1234),
    ("The total is $1,234.", 1234),
    ("$\\frac{3}{4}$", 0.75),
    ("The result is 3/4", 0.75),
    ("Answer: -5", -5),
    ("Answer: \u22125.2", -5.2),
    ("12 + 13 = 25. Wait, no: 26", 26),
    ("50%", 50),
    ("x = 3.5", 3.5),
    ("about 3.14", 3.14),
    ("First, 3 apples. Then 5. So there are 8 apples in total.", 8),
    ("1. Add 3\n2. Multiply by 5\n\nFinal answer: 40 km", 40),
    ("I think it's 7, not 8.", 7),
    ("**Answer:** $18", 18),
    ("He has 5 apples and 3 pears, so 5 + 3 = 8 fruits.", 8),
    ("Answer: 3 + 4 = 7", 7),
    ("The answer is 5, which is 2 less than 7.", 5),
    ("**Final Answer**: The sum of 9 and 8 is 17.", 17),
    ("18 + 24 = 42\n\nTherefore, the product of 6 and 7 is 42.", 42),
    ("The answer is 1e3.", 1000),
    ("<think>5? 6?</think>The answer is 7.", 7),
]


@pytest.mark.parametrize(("reply", "wanted"), READ)
def test_the_number_that_a_reply_asserts_is_read(reply: str, wanted: float) -> None:
    reading = read_number(reply)
    assert reading.state is ReadingState.ANSWERED
    assert reading.answer is not None
    assert value_of(reading.answer) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("reply", "stop", "state"),
    [
        ("", "stop", ReadingState.EMPTY),
        ("There are two.", "stop", ReadingState.UNPARSED),
        ("Answer: 5 or 6", "stop", ReadingState.UNPARSED),
        ("I can't help with that.", "stop", ReadingState.REFUSED),
        ("5", "content_filter", ReadingState.REFUSED),
        ("<think>so 5", "stop", ReadingState.TRUNCATED),
        ("First, 3 + 4 is 7. Then", "max_tokens", ReadingState.TRUNCATED),
    ],
)
def test_without_an_answer_the_state_says_why(reply: str, stop: str, state: ReadingState) -> None:
    assert read_number(reply, stop).state is state


@settings(max_examples=25, deadline=None)
@given(st.integers(-(10**6), 10**6))
def test_wrapping_or_following_a_number_by_words_changes_nothing(number: int) -> None:
    for reply in (
        f"{number}",
        f"**{number}**",
        f"\\boxed{{{number}}}",
        f"The answer is {number}.",
        f"FINAL ANSWER: {number}",
        f"`{number}`",
        f"The answer is {number}, because the two add up.",
    ):
        reading = read_number(reply)
        assert reading.answer is not None, reply
        assert value_of(reading.answer) == number, reply


@pytest.mark.parametrize("text", ["", "five", "1/0", "1,23", "3 4", "nan", "inf"])
def test_what_is_no_number_has_no_value(text: str) -> None:
    assert value_of(text) is None
