"""What holds for every reply: dress makes no difference, spans point home, nothing crashes."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from misstep.core.answers import VOCABULARIES, ReadingState, Vocabulary, read, words

STEADY = settings(derandomize=True, max_examples=150, deadline=None, database=None)
ALL = [*VOCABULARIES.values(), words("plan", "no plan"), words("valid", "invalid")]
PAIRS = [(vocabulary, answer) for vocabulary in ALL for answer in vocabulary.answers]

DRESS = [
    "{}", "{}.", "{}!", "**{}**", "*{}*", "__{}__", "***{}.***", "`{}`", "```\n{}\n```", "“{}”",
    "‘{}’", "'{}'", '"{}"', "({})", "[{}]", "[[{}]]", "${}$", "\\boxed{{{}}}",
    "$\\boxed{{\\text{{{}}}}}$", "\\(\\mathbf{{{}}}\\)", "  {}\n",  "<b>{}</b>",
    "\n\n{}\n\n",
]  # fmt: skip
LEAD = [
    "{}", "# {}", "> {}", "## Answer\n{}", "Answer: {}", "ANSWER: {}",
    "**Answer:** {}", "The answer is {}", "Final answer: {}",
    "My final answer is {}", "Let me compare them first. They differ a lot.\n\nAnswer: {}",
    "<think>The answer is unclear.</think>{}", "Sure! {}", "So the answer is {}",
    "Step 1: look. Step 2: think.\n\nTherefore, the final answer is: {}",
]  # fmt: skip
TAIL = [
    "", "\n\nExplanation: this follows from the examples above.", "\nThis is because they match.",
    "\n\nI hope this helps!", " It fits best.", "\n\nLet me know if you have any questions.",
    "\n\n**Reasoning**\n- the first point\n- the second point",
]  # fmt: skip
CASES = [str, str.upper, str.lower, str.title]


def full_width(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


@STEADY
@given(
    pair=st.sampled_from(PAIRS),
    dress=st.sampled_from(DRESS),
    inner=st.sampled_from(DRESS[:16]),
    lead=st.sampled_from(LEAD),
    tail=st.sampled_from(TAIL),
    case=st.sampled_from(CASES),
    wide=st.booleans(),
)
def test_dress_case_and_explanation_never_change_an_answer(
    pair: tuple[Vocabulary, str],
    dress: str,
    inner: str,
    lead: str,
    tail: str,
    case: type[str],
    wide: bool,
) -> None:
    vocabulary, answer = pair
    word = full_width(case(answer)) if wide else case(answer)
    dressed = dress.format(inner.format(word).strip())
    reply = lead.format(dressed)
    if tail:
        reply = (
            reply.rstrip() + ("" if reply.rstrip()[-1] in ".!" else ".") * (tail[0] != "\n") + tail
        )
    reading = read(reply, vocabulary)
    assert (reading.state, reading.answer) == (ReadingState.ANSWERED, answer), reply


@STEADY
@given(pair=st.sampled_from(PAIRS), lead=st.sampled_from(LEAD), dress=st.sampled_from(DRESS))
def test_the_span_holds_the_answer_in_the_original_reply(
    pair: tuple[Vocabulary, str], lead: str, dress: str
) -> None:
    vocabulary, answer = pair
    reply = lead.format(dress.format(full_width(answer)))
    span = read(reply, vocabulary).span
    assert span is not None
    raw = unicodedata.normalize("NFKC", reply[span[0] : span[1]])
    assert raw.casefold() == answer.casefold()


FRAGMENTS = st.sampled_from(
    [
        "Yes",
        "no",
        "A",
        "B",
        " or ",
        "not ",
        "answer: ",
        "**",
        "\\boxed{",
        "}",
        "<think>",
        "</think>",
        "3",
        "Image ",
        "the second one",
        "wait, no",
        ". ",
        "\n",
        "?",
        "(",
        "if ",
        "all of them",
        "$",
    ]
)


@STEADY
@given(
    reply=st.one_of(st.text(), st.lists(FRAGMENTS, max_size=30).map("".join)),
    vocabulary=st.sampled_from(ALL),
    stop=st.sampled_from([None, "stop", "max_tokens", "content_filter", "?"]),
)
def test_any_text_is_read_without_a_crash_and_consistently(
    reply: str, vocabulary: Vocabulary, stop: str | None
) -> None:
    reading = read(reply, vocabulary, stop)
    assert (reading.answer is not None) == (reading.state is ReadingState.ANSWERED)
    assert reading.answer is None or reading.answer in vocabulary.answers
    assert reading.reason is None or reading.state is ReadingState.UNPARSED
    if reading.span is not None:
        assert 0 <= reading.span[0] < reading.span[1] <= len(reply)
    assert reading == read(reply, vocabulary, stop)


MEGABYTE = 1_000_000
HOSTILE = [
    "(", "<think>", "</think>", "**", "a ", "1", "no ", "answer is ", "answer for ", "A B ", "{",
    "\\boxed{", "wait, no ", "I choose ", "if ", "class ", "\n", " ", ". ", "1, ", "Yes or ", "~~",
    "I can't ", "all of the ", "Image ", "Ａ", "<a ", "_", "the best match ",
]  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE)
def test_a_hostile_reply_of_a_megabyte_takes_time_in_proportion_to_its_length(unit: str) -> None:
    reply = "Image" + unit * (MEGABYTE // len(unit)) + "x"
    started = time.process_time()
    read(reply, VOCABULARIES["one_to_five"])
    # Unhurried: a search that goes back over itself would take minutes.
    assert time.process_time() - started < 4.0


def test_an_answer_before_or_behind_a_megabyte_of_prose_is_found() -> None:
    assert read("Yes" + " " * MEGABYTE, VOCABULARIES["yes_no"]).answer == "Yes"
    prose = "The pattern is hard to see and the letters vary. " * (MEGABYTE // 49)
    assert read("Answer: Yes\n\n" + prose, VOCABULARIES["yes_no"]).answer == "Yes"
    assert read(prose + "\n\nAnswer: No", VOCABULARIES["yes_no"]).answer == "No"
